"""A list of options at the terminal: what is typed for each, and which one is meant by what was typed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence

from companion.words import bare, figure, fitted, one_of, unhyphened

Ask = Callable[[str], str]  # whoever puts a question in another way than `prompt`

MANY = 9  # options from which they stand side by side


class Cancelled(Exception):
    """The player typed `q` where an answer was asked for."""


LEAD = re.compile(r"(\d+)(?:-|$)")


def keys(options: Sequence[str]) -> list[str]:
    """What is typed for each option: its own number where its name begins with one, else a place behind those.

    >>> keys(["4", "1", "hold"]), keys(["1-cfc", "1-bombardier", "2", "hold"]), keys(["yes", "no"])
    (['4', '1', '5'], ['1a', '1b', '2', '3'], ['1', '2'])
    """
    leads = [match[1] if (match := LEAD.match(option)) else "" for option in options]
    place, typed = max((int(lead) for lead in leads if lead), default=0), list[str]()
    for at, lead in enumerate(leads):
        if not lead:
            place += 1
        many = lead and leads.count(lead) > 1
        typed.append(f"{lead}{chr(97 + leads[:at].count(lead))}" if many else lead or str(place))
    return typed


def _order(key: str) -> tuple[int, str]:
    """`1a` and `1b` before `2`, and that before `10`."""
    return int(key.rstrip("abcdefghijklmnopqrstuvwxyz")), key


def listed(options: Sequence[tuple[str, str]], numbers: Sequence[str] = ()) -> None:
    """The options in the order of what is typed for them: their own `numbers`, or their places."""
    typed = numbers or keys([name for name, _ in options])
    wide = max(map(len, typed), default=1)
    lines = []
    for key, (name, text) in sorted(zip(typed, options, strict=True), key=lambda each: _order(each[0])):
        named = "" if name == key or says(text, name) else unhyphened(name)
        lines.append((f"  {key:>{wide}}  ", ": ".join(filter(None, (named, text))) or name))
    if len(lines) > MANY and sys.stdout.isatty() and (rows := columns([lead + line for lead, line in lines])):
        print("\n".join(rows))
        return
    for lead, line in lines:
        wrapped(line, lead)


def columns(lines: Sequence[str]) -> list[str]:
    """Many options side by side, read downwards; nothing where they are too wide for that."""
    import shutil

    broad = max(map(len, lines)) + 1
    across = min(4, shutil.get_terminal_size().columns // broad)
    if across < 2:
        return []
    deep = -(-len(lines) // across)
    return ["".join(f"{line:{broad}}" for line in lines[at::deep]).rstrip() for at in range(deep)]


def says(text: str, name: str) -> bool:
    """Whether a text says its name, so that this need not stand before it.

    >>> says("Urban area (U/A)", "urban-area"), says("The engine stops", "out"), says("Fw 190, 2 hits", "fw190")
    (True, False, True)
    """
    return bare(name) in bare(text)


def at(options: Sequence[str], text: str, numbers: Sequence[str] = ()) -> str | None:
    """The option that has that number; the first of those that share it where no letter was typed."""
    typed = dict(zip(numbers or keys(options), options, strict=True))
    number = text.casefold()
    return typed.get(number) or (typed.get(f"{number}a") if number.isdigit() else None)


def chosen(options: Sequence[str], text: str, texts: Sequence[str] = (), numbers: Sequence[str] = ()) -> str:
    """The option that a number, a name, its text or the beginning of one means; else the text as it was typed."""
    numbered = at(options, text, numbers)
    if numbered is not None:
        return numbered
    same = [option for option in options if option.casefold() == text.casefold()]
    starts = [option for option in options if text and option.casefold().startswith(text.casefold())]
    if len(text) == 1 and len(starts) > 1:
        starts = []
    fitting = same[:1] or starts or matching(options, texts, text, inside=False) or scattered(options, texts, text)
    return fitting[0] if len(fitting) == 1 else text


def matching(options: Sequence[str], texts: Sequence[str], typed: str, *, inside: bool) -> list[str]:
    """The options whose text is the typed one, begins with it or (`inside`) has it in it; whole words come first.

    >>> guns = ["1-aimed", "2-aimed", "2-passing", "12-aimed"]
    >>> fighters = ["fighter 1, from 9 high", "fighter 2, from 6", "fighter 2, from 6, in passing", "fighter 12"]
    >>> matching(guns, fighters, "fighter 1", inside=True), matching(guns, fighters, "9 HIGH", inside=True)
    (['1-aimed'], ['1-aimed'])
    >>> matching(guns, fighters, "fighter 2", inside=True), matching(guns, fighters, "fighter 2, from 6", inside=True)
    (['2-aimed', '2-passing'], ['2-aimed'])
    """
    words = _words(typed)
    if len(words) < 2:
        return []
    texts_of = [
        (option, f" {_words(text)} ")
        for option, text in (*zip(options, texts, strict=False), *zip(options, options, strict=True))
    ]
    fits: list[Callable[[str], bool]] = [lambda text: text == f" {words} ", lambda text: text.startswith(f" {words} ")]
    if inside:
        fits[1:] = [lambda text: f" {words} " in text, lambda text: f" {words}" in text]
    tried = (dict.fromkeys(option for option, text in texts_of if fit(text)) for fit in fits)
    return list(next(filter(None, tried), ()))


def scattered(options: Sequence[str], texts: Sequence[str], typed: str) -> list[str]:
    """The options whose whole name was typed, and beside it nothing but words of their text, in any order.

    >>> scattered(["out", "leak"], ["The engine stops", "The engine leaks"], "engine out")
    ['out']
    """
    words = set(_words(typed).replace("-", " ").split())
    names = [set(_words(option).replace("-", " ").split()) for option in options]
    wholes = [*map(_words, texts), *[""] * len(options)]
    fitting = zip(options, names, wholes, strict=False)
    return [option for option, name, text in fitting if name and name <= words <= name | set(text.split())]


def _words(text: str) -> str:
    return " ".join(re.sub(r"[^\w:+/]+", " ", text.casefold()).split())


def picked(
    options: Sequence[str],
    texts: Sequence[str] = (),
    *,
    free: bool,
    ask: Ask | None = None,
    numbers: Sequence[str] = (),
    enter: str | None = None,
    many: bool = False,
) -> str:
    """A number, a name, what stands beside it, or (where the book may say more than we know) other words.

    `enter` is the option that Enter takes, the first where nothing is said; empty where Enter takes none. `many` says
    that several numbers may be typed in one line.
    """
    typed = numbers or keys(options)
    enter = (options[0] if options else "") if enter is None else enter
    number = f"Numbers ({' '.join(sorted(typed, key=_order)[1:3])})" if many and len(options) > 3 else "Number"
    if free:
        question = "Number, or its words: " if options else "Its words, or none: "
    elif not enter:
        question = f"{number}, or its words (Enter alone does nothing here): "
    else:
        question = f"{number}, or Enter for {typed[options.index(enter)]}: " if len(options) > 1 else "Enter: "
    while True:
        text = (ask or prompt)(question)
        numbered = at(options, text, numbers)
        if numbered is not None:
            return numbered
        if not text and enter and not free:
            return enter
        if text and (free or figure(text) is None):
            one = chosen(options, text, texts, numbers)
            if one in options:
                return one
            if free:
                return text
            several = matching(options, texts, text, inside=True)
            if len(several) == 1:
                return several[0]
            if several:
                may_be = one_of(sorted((typed[options.index(each)] for each in several), key=_order))
                wrapped(f"'{text}' may be {may_be}.", "  ")
                continue
        span = one_of(sorted(typed, key=_order))
        words = ", or what the row says" if free else ""
        wrapped(f"Type {span}{words}." if options else "Type what the row says.", "  ")


def wrapped(text: str, indent: str = "") -> None:
    """A long line, broken between words on a terminal; what follows stands under its beginning."""
    print(fitted(text, sys.stdout, indent))


def asks(json: bool = False) -> bool:
    """Whether a person is there to be asked, and sees what is asked."""
    return not json and sys.stdin.isatty() and sys.stdout.isatty()


def prompt(text: str) -> str:
    """One line from the player; bytes that are no text are refused before they come near a file."""
    while True:
        try:
            typed = input(fitted(text.rstrip(), sys.stdout) + text[len(text.rstrip()) :]).strip()
        except EOFError:  # Ctrl-D means the same as Ctrl-C
            raise KeyboardInterrupt from None
        except UnicodeDecodeError:
            typed = "\ud800"
        if any("\ud800" <= letter <= "\udfff" for letter in typed):
            print("  That is not text that can be written down; type it again.")
            continue
        return typed
