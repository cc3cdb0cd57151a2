"""The command line as a function: it runs a command and turns any error into a sentence and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from companion.problems import SystemFault, UserError

SIGNS = {
    "☒": "X", "☐": "o", "→": ">", "›": ">", "▸": ">", "≤": "<=", "█": "#", "▏": "|", "·": ".", "–": "-", "─": "-",
    "═": "=", "…": ".",
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, never with a traceback, and return its exit status.

    It can be called from another program: signals, the garbage collector and the standard streams are as they were
    when it returns.

    Args:
        arguments: The words after `companion`; by default those of this process.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    streams = [(each, each.encoding, each.errors) for each in (sys.stdout, sys.stderr) if hasattr(each, "reconfigure")]
    try:
        return _run(words)
    except (Exception, KeyboardInterrupt) as error:
        return _broken_off(error, "--json" in words)
    finally:
        for stream, encoding, errors in streams:
            with suppress(OSError):  # the reader has closed the pipe
                stream.reconfigure(encoding=encoding, errors=errors)


def _run(words: list[str]) -> int:
    _make_legible()
    if words[:1] == ["complete"]:
        from companion.cli.completing import answer

        return answer(words[1:])
    from companion.cli.commands import run
    from companion.store.files import opened, recorded

    recorded.clear()
    opened.clear()
    if words:
        code = run(words)
    else:
        from companion.cli.status import show_place

        code = show_place()
    sys.stdout.flush()
    return code


def _make_legible() -> None:
    """Write UTF-8 to pipes unless PYTHONIOENCODING is set, and replace characters that cannot be encoded."""
    import codecs

    def otherwise(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        letters = error.object[error.start : error.end]
        return "".join(SIGNS.get(letter, "?") for letter in letters), error.end

    codecs.register_error("legible", otherwise)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            fixed = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if fixed else "utf-8", errors="legible")


def _broken_off(error: Exception | KeyboardInterrupt, as_json: bool) -> int:
    """Print why a command ended early, as JSON if it was asked for, and return the exit status."""
    from companion.words import fitted

    message, code = _reason(error)
    if as_json and message:
        import json

        print(json.dumps({"error": message, "code": code}), file=sys.stderr)
    elif message:
        after_break = "\n" if message.startswith("Stopped.") else ""  # the terminal shows ^C on the current line
        print(after_break + fitted(message, sys.stderr), file=sys.stderr)
    return code


def _reason(error: Exception | KeyboardInterrupt) -> tuple[str, int]:
    """Return the sentence for an error, empty if nobody reads it, and the exit status.

    An unexpected error may come from a fault of a pack, which is told instead; COMPANION_DEBUG shows the error itself.
    """
    from companion.store.files import recorded
    from companion.words import plain

    kept = "Nothing was saved."
    if recorded:
        log = ": companion log" if any(name.startswith("mission-") for name in recorded) else "."
        kept = f"Everything before it is saved{log}"
    if isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt):  # in a class body
        return f"Stopped. {kept}", 1
    if isinstance(error, BrokenPipeError):  # the command is done, and its output is not read
        return "", 1
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"Can't continue: {where}{error.strerror or error}. {kept}", 1
    if not isinstance(error, UserError) and os.environ.get("COMPANION_DEBUG"):
        raise error
    trouble = error
    if not isinstance(error, UserError) or isinstance(error, SystemFault):
        from companion.packs.check import blamed

        trouble = blamed(error) or error
    if isinstance(trouble, UserError):
        return _sentence(str(trouble)), trouble.code
    mistake = plain(f"{type(error).__name__}: {error}")
    return f"Internal error: {mistake}. {kept}", 1


def _sentence(text: str) -> str:
    """Return a printable line; a pack's faulty sentence follows, with a mark under the error."""
    from companion.words import inert, plain, sentence

    if text.endswith("^") and text.count("\n") > 1:
        problem, line, mark = text.rsplit("\n", 2)
        return "\n".join([plain(problem), inert(line), mark])
    return sentence(plain(text))
