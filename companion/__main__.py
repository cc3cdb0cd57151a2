"""`companion` and `python -m companion`."""

from __future__ import annotations

import gc
import sys

gc.disable()  # a command ends long before garbage matters, and collecting would cost it a tenth of its time


def main() -> int:
    """Run the command line; whatever happens, a sentence and an exit code, never a traceback."""
    from companion.problems import Problem

    try:
        from companion.cli import run

        return run(sys.argv[1:])
    except Problem as problem:
        print(problem, file=sys.stderr)
        return problem.code
    except KeyboardInterrupt:
        print("\nStopped. Nothing was recorded.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 1
    except Exception as error:
        import os

        if os.environ.get("COMPANION_DEBUG"):
            raise
        print(f"The companion made a mistake and recorded nothing: {type(error).__name__}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
