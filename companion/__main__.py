"""`companion` and `python -m companion`: the process round the command line."""

from __future__ import annotations

import gc
import os
import sys


def main() -> int:
    """Run the command line of this process and return its exit status.

    What belongs to a process is done here and nowhere else: standard files that a shell has closed (`<&-`, `>&-`) lead
    nowhere, Ctrl-C while modules are still loading is a sentence, and an output that nobody reads is let go. The
    collector looks less often while a command runs: it makes many objects and little garbage.
    """
    collector = gc.get_threshold()
    gc.set_threshold(200_000, 20, 20)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # else the next file that is opened would take its number
            setattr(sys, name, open(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))  # noqa: SIM115
    try:
        from companion.cli.main import main as run

        status = run()
    except KeyboardInterrupt:
        print("\nStopped. Nothing was recorded.", file=sys.stderr)
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
