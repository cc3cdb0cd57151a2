"""`companion` and `python -m companion`: the process that runs the command line."""

from __future__ import annotations

import atexit
import gc
import os
import sys


def main() -> int:
    """Run the command line of this process and return its exit status.

    Everything that concerns the process is done here: standard files that a shell has closed (`<&-`, `>&-`) are
    replaced, Ctrl-C during imports prints a message, and a broken pipe is ignored. The garbage collector runs less
    often during a command, which makes many objects and little garbage, and not over what ends with the process.
    """
    atexit.register(gc.freeze)
    collector = gc.get_threshold()
    gc.set_threshold(200_000, 20, 20)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # else the next file opened would get its number
            setattr(sys, name, open(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))  # noqa: SIM115
    try:
        from companion.cli.main import main as run

        status = run()
    except KeyboardInterrupt:
        print("\nStopped. Nothing was saved.", file=sys.stderr)
        status = 1
    finally:
        gc.set_threshold(*collector)
    try:
        sys.stdout.flush()
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  Python would try once more at the end
        status = status or 1
    return status


if __name__ == "__main__":
    sys.exit(main())
