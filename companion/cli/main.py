"""The command line as a whole: whatever happens comes to a sentence and an exit code."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

from companion.problems import Problem

gc.disable()  # a command ends long before garbage matters, and collecting would cost it a tenth of its time

SIGNS = {
    "☒": "X", "☐": "o", "→": ">", "›": ">", "▸": ">", "≤": "<=", "█": "#", "▏": "|", "·": ".", "–": "-", "─": "-",
    "…": ".",
}  # fmt: skip


def main(loaded: Callable[[], object] = lambda: None) -> int:
    """Run the command line, never with a traceback; `loaded` is called when only the command is still to be loaded."""
    try:
        _open_all()
        lost = _legible()
        if sys.argv[1:2] == ["complete"]:
            from companion.cli.completing import answer

            return answer(sys.argv[2:])
        from companion.store.files import opened, recorded

        recorded.clear()
        opened.clear()
        from companion.cli.commands import run

        loaded()
        code = run(sys.argv[1:])
        sys.stdout.flush()
        if lost:
            lossy = f"what does not fit into {sys.stdout.encoding} is written as ?"
            print(f"{lossy}; PYTHONIOENCODING=utf-8 writes everything", file=sys.stderr)
        return code
    except Problem as problem:
        return _told(problem)
    except KeyboardInterrupt:
        return _stopped()
    except OSError as error:
        return _unprinted(error)
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # it came while a class was made, which Python blames
            return _stopped()
        import os

        if os.environ.get("COMPANION_DEBUG"):
            raise
        from companion.packs.blame import blamed

        if (trouble := blamed(error)) is not None:
            return _told(trouble)
        mistake = _sentence(f"{type(error).__name__}: {error}")
        print(f"The companion made a mistake: {mistake}. {_standing()}", file=sys.stderr)
        return 1


def _open_all() -> None:
    """Input, output and errors lead nowhere where a shell has closed them (`<&-`, `>&-`): else the next file that is
    opened would take their place, and Python has none of them."""
    import os

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)  # it gets the lowest number that is free: the one that was closed
            setattr(sys, name, open(nowhere, mode, encoding="utf-8"))  # noqa: SIM115


def _told(problem: Problem) -> int:
    """Say what is wrong, where something is; gives the exit code."""
    from companion.words import fitted

    print(fitted(_sentence(str(problem)), sys.stderr), file=sys.stderr)
    return problem.code


def _legible() -> list[str]:
    """Pipes and files are UTF-8 unless PYTHONIOENCODING names something else; our signs that do not fit have others.

    Gives the list of the letters that a pipe or a file gets a `?` for, which grows as they are written.
    """
    import codecs
    import os

    lost: list[str] = []

    def otherwise(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        letters = error.object[error.start : error.end]
        if not sys.stdout.isatty():
            lost.extend(letter for letter in letters if letter not in SIGNS)
        return "".join(SIGNS.get(letter, "?") for letter in letters), error.end

    codecs.register_error("legible", otherwise)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            wide = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if wide else "utf-8", errors="legible")
    return lost


def _stopped() -> int:
    print(f"\nStopped. {_standing()}", file=sys.stderr)
    return 1


def _standing() -> str:
    """What became of the record when a command broke off."""
    from companion.store.files import recorded

    if not recorded:
        return "Nothing was recorded."
    shown = ": companion log" if any(name.startswith("mission-") for name in recorded) else "."
    return f"What had been recorded stands{shown}"


def _sentence(text: str) -> str:
    """One line that a terminal shows as it is, whatever was typed into it; a sentence of a pack that is wrong follows
    on two lines of its own, with the mark under the place."""
    from companion.words import plain

    if text.endswith("^") and text.count("\n") > 1:
        return "\n".join(map(plain, text.rsplit("\n", 2)))
    return plain(text)


def _unprinted(error: OSError) -> int:
    """The disk refuses, or the command has done its work and nobody could read what it said."""
    import os

    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  so that Python does not try once more at the end
    if not isinstance(error, BrokenPipeError):
        reason = error.strerror or error
        where = f"{error.filename}: " if error.filename else ""
        print(f"cannot go on: {where}{reason}. {_standing()}", file=sys.stderr)
    return 1
