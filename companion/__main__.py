"""`companion` and `python -m companion`."""

from __future__ import annotations

import gc
import sys

gc.disable()  # a command ends long before garbage matters, and collecting would cost it a tenth of its time


def main() -> int:
    """Run the command line; whatever happens, a sentence and an exit code, never a traceback."""
    from companion.problems import Problem

    if sys.argv[1:2] == ["complete"]:
        from companion.completing import answer

        return answer(sys.argv[2:])
    try:
        from companion.home import recorded

        recorded.clear()
        from companion.cli import run

        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a terminal without our signs shows others, and goes on
        code = run(sys.argv[1:])
        sys.stdout.flush()
        return code
    except Problem as problem:
        print(_sentence(str(problem)), file=sys.stderr)
        return problem.code
    except KeyboardInterrupt:
        print(f"\nStopped. {_standing('Nothing was recorded.')}", file=sys.stderr)
        return 1
    except OSError as error:
        return _unprinted(error)
    except Exception as error:
        import os

        if os.environ.get("COMPANION_DEBUG"):
            raise
        said = f"{type(error).__name__}: {error}"
        print(f"The companion made a mistake: {said}. {_standing('Nothing was recorded.')}", file=sys.stderr)
        return 1


def _standing(nothing: str) -> str:
    """What became of the record when a command broke off."""
    from companion.home import recorded

    if not recorded:
        return nothing
    shown = ": companion log" if any(name.startswith("mission-") for name in recorded) else "."
    return f"What had been recorded stands{shown}"


def _sentence(text: str) -> str:
    """One line that a terminal shows as it is, whatever was typed into it."""
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in text)


def _unprinted(error: OSError) -> int:
    """The command has done its work, but nobody could read what it said."""
    import os

    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  so that Python does not try once more at the end
    if not isinstance(error, BrokenPipeError):
        said = error.strerror or error
        where = f"{error.filename}: " if error.filename else ""
        print(f"cannot go on: {where}{said}; what has been recorded stands: companion log", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
