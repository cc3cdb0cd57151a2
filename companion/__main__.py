"""`companion` and `python -m companion`: the first of our lines, and the last.

Ctrl-C between them is a sentence or nothing, never Python's own account of itself; what Python does before it gets
here is out of reach. So the signal is turned to us before anything that takes time is loaded.
"""

import _signal as signal  # type: ignore[import-not-found]  # `signal` itself loads others
import os
import sys


def _stop(*_: object) -> None:
    """While we load nothing has begun: say so and be gone, before a library makes an error of its own of it."""
    try:
        os.write(2, b"\nStopped. Nothing was recorded.\n")
    finally:
        os._exit(1)


def _hand_over() -> None:
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell may have had us ignore it
    signal.signal(signal.SIGINT, _stop)


def main() -> int:
    """Run the command line. Ctrl-C is its own once all is loaded, and nothing's when it has ended.

    A command that has ended is gone at once: for Python to take apart what it had loaded would cost a lookup a tenth of
    its time. It is left to do so where threads still run.
    """
    from companion.cli.main import main as command

    try:
        code = command(_hand_over)
    except KeyboardInterrupt:  # behind the command's own last line
        code = 1
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if "threading" in sys.modules and sys.modules["threading"].active_count() > 1:
        return code
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:  # nobody reads it any more
            code = code or 1
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
