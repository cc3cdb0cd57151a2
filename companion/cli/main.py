"""The command line as a whole: whatever happens comes to a sentence and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

from companion.problems import UserError

SIGNS = {
    "☒": "X", "☐": "o", "→": ">", "›": ">", "▸": ">", "≤": "<=", "█": "#", "▏": "|", "·": ".", "–": "-", "─": "-",
    "═": "=", "…": ".",
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, never with a traceback, and return its exit status.

    It can be called from another program: signals, the garbage collector and the standard streams are as they were
    when it returns.

    Args:
        arguments: What follows `companion`; by default the words of this process.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    streams = [(each, each.encoding, each.errors) for each in (sys.stdout, sys.stderr) if hasattr(each, "reconfigure")]
    try:
        return _run(words)
    except UserError as problem:
        return _told(problem)
    except KeyboardInterrupt:
        return _stopped()
    except OSError as error:
        return _unprinted(error)
    except Exception as error:
        return _mistake(error)
    finally:
        for stream, encoding, errors in streams:
            with suppress(OSError):  # nobody reads it any more
                stream.reconfigure(encoding=encoding, errors=errors)


def _run(words: list[str]) -> int:
    """The main program without error handling."""
    lost = _legible()
    if words[:1] == ["complete"]:
        from companion.cli.completing import answer

        return answer(words[1:])
    from companion.cli.commands import run
    from companion.store.files import opened, recorded

    recorded.clear()
    opened.clear()
    code = run(words)
    sys.stdout.flush()
    if lost:
        lossy = f"what does not fit into {sys.stdout.encoding} is written as ?"
        print(f"{lossy}; PYTHONIOENCODING=utf-8 writes everything", file=sys.stderr)
    return code


def _told(problem: UserError) -> int:
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


def _mistake(error: Exception) -> int:
    """Say what went wrong inside, or blame the player's own file where it is that one's fault."""
    import os

    if isinstance(error.__cause__, KeyboardInterrupt):  # it came while a class was made, which Python blames
        return _stopped()
    if os.environ.get("COMPANION_DEBUG"):
        raise error
    from companion.packs.blame import blamed

    if (trouble := blamed(error)) is not None:
        return _told(trouble)
    mistake = _sentence(f"{type(error).__name__}: {error}")
    print(f"The companion made a mistake: {mistake}. {_standing()}", file=sys.stderr)
    return 1


def _stopped() -> int:
    print(f"\nStopped. {_standing()}", file=sys.stderr)
    return 1


def _standing() -> str:
    """What became of the record when a command broke off."""
    from companion.store.files import recorded

    if not recorded:
        return "Nothing was recorded."
    shown = ": companion log" if any(name.startswith("mission-") for name in recorded) else "."
    return f"Everything recorded before is kept{shown}"


def _sentence(text: str) -> str:
    """One line that a terminal shows as it is, whatever was typed into it; a sentence of a pack that is wrong follows
    on two lines of its own, with the mark under the place."""
    from companion.words import plain

    if text.endswith("^") and text.count("\n") > 1:
        return "\n".join(map(plain, text.rsplit("\n", 2)))
    return plain(text)


def _unprinted(error: OSError) -> int:
    """The disk refuses, or the command has done its work and nobody could read what it said."""
    if not isinstance(error, BrokenPipeError):
        reason = error.strerror or error
        where = f"{error.filename}: " if error.filename else ""
        print(f"cannot go on: {where}{reason}. {_standing()}", file=sys.stderr)
    return 1
