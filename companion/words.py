"""Words and figures: slugs, numbers that are typed, short lists, lines that fit the terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import IO


def fitted(text: str, stream: IO[str], first: str = "", further: str | None = None) -> str:
    """Return a line broken between words where a person reads it on a terminal; as it is where a program does.

    `first` goes before it, `further` before the lines that follow (as much room as `first`, when not said).
    """
    if not stream.isatty():
        return first + text
    import shutil
    import textwrap

    wide = max(40, shutil.get_terminal_size().columns)
    further = " " * len(first) if further is None else further
    line, marked, sentence = text.partition("\n")  # a sentence of a pack with a mark under the place stays as it is
    line = textwrap.fill(
        line, wide, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return line + marked + sentence


def plain(text: str) -> str:
    """Return one line that a terminal shows and does nothing else with, whoever wrote it.

    >>> plain("Osaka\\x1b[2J\\n\\u202e7")
    'Osaka?[2J ?7'
    """
    return " ".join(inert(text).split())


def inert(text: str) -> str:
    """Return a text with a `?` for every letter that a terminal, a printer or a file would do more with than show it:
    controls but for the ends of lines, what turns the direction of writing round, halves of letters.

    >>> inert("Osaka\\x1b[2J\\n\\u202e7"), inert("Zoë 東京")
    ('Osaka?[2J\\n?7', 'Zoë 東京')
    """
    return text if text.isascii() and text.isprintable() else re.sub(ACTIVE, "?", text)


ACTIVE = (
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def one_of(values: list[str] | tuple[str, ...] | dict[str, object]) -> str:
    """Return a short list of what is accepted: `a, b or c`."""
    names = list(values)
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " or " + names[-1]


def series(values: Sequence[str]) -> str:
    """Return several things as part of a sentence.

    >>> series(["nose"]), series(["nose", "top", "ball"])
    ('nose', 'nose, top and ball')
    """
    return f"{', '.join(values[:-1])} and {values[-1]}" if len(values) > 1 else "".join(values)


def grouped(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return what is said of several people, each thing once behind all their names; it may be said of nobody.

    >>> grouped([("Pilot", "no oxygen, down"), ("", "Out of fuel"), ("Navigator", "no oxygen, down")])
    ['Pilot, Navigator: no oxygen, down', 'Out of fuel']
    """
    whom: dict[str, list[str]] = {}
    for who, what in pairs:
        whom.setdefault(what, []).extend([who] if who else [])
    return [f"{', '.join(names)}: {what}" if names else what for what, names in whom.items()]


def tells(text: str, row: str) -> bool:
    """Return whether the short name of a row adds nothing to its text.

    >>> tells("Take-off by day, landing by day", "day-day"), tells("No fighters", "none"), tells("Poor weather", "poor")
    (True, True, True)
    >>> tells("The bomber is hit", "hit")
    False
    """
    row = unhyphened(row).casefold()
    again = len(set(row.split())) < len(row.split())
    return bool(text) and (row == "none" or again or text.casefold().startswith(row))


def headed(head: str, told: str) -> str:
    """Return what is told under a heading; one that asks needs no colon.

    >>> headed("4.6 Random event?", "event on 12"), headed("5-1 Resistance", "fighters on 9")
    ('4.6 Random event? event on 12', '5-1 Resistance: fighters on 9')
    """
    return f"{head} {told}" if head.endswith("?") else f"{head}: {told}"


def counted(number: int, what: str, many: str = "") -> str:
    """Return a number of things; `many` is their plural where it takes more than an `s`.

    >>> counted(1, "mission"), counted(2, "mission"), counted(0, "entry", "entries")
    ('1 mission', '2 missions', '0 entries')
    """
    return f"{number} {what if number == 1 else many or what + 's'}"


def figure(text: str) -> int | None:
    """Return the whole number that a text writes out in the ten digits of a keyboard (`7`, `+2`, `-1`), else None.

    >>> figure("7"), figure(" -1 "), figure("²"), figure("1_0")
    (7, -1, None, None)
    """
    stripped = text.strip()
    digits = stripped[1:] if stripped[:1] in ("+", "-") else stripped
    return int(stripped) if digits.isascii() and digits.isdigit() and len(digits) < 100 else None


def spoken(label: str) -> str:
    """Return a label of the sheet as a sentence begins with it.

    >>> spoken("Flap, port"), spoken("LORAN"), spoken("inboard tank, port")
    ('Port flap', 'LORAN', 'Port inboard tank')
    """
    head, _, tail = label.partition(", ")
    words = f"{tail} {head if head[:2].isupper() else head[:1].lower() + head[1:]}" if tail else head
    return words[:1].upper() + words[1:]


def quoted(word: str) -> str:
    """Return one word of a command as a shell takes it.

    >>> quoted("Pilot"), quoted("Tail gunner"), quoted("5-9")
    ('Pilot', '"Tail gunner"', '5-9')
    """
    if re.fullmatch(r"[\w.,:=@%+/-]+", word):
        return word
    if not re.search(r'["$`\\!]', word):
        return f'"{word}"'
    from shlex import quote

    return quote(word)


HYPHENED = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+"


def unhyphened(word: str) -> str:
    """Return a word of ours as a person writes it; figures and what is no such word stay as they are.

    >>> unhyphened("aircraft-factory"), unhyphened("-2"), unhyphened("2-2C"), unhyphened("Romilly-sur-Seine")
    ('aircraft factory', '-2', '2-2C', 'Romilly-sur-Seine')
    """
    return word.replace("-", " ") if re.fullmatch(HYPHENED, word) else word


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts 5-9 before 5-10 and B-2 before B-10."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d+|\D+", name.casefold())
    )


def printed(text: str) -> str | int:
    """Return what the player's book says as an outcome: a number as a number, words as a slug.

    >>> printed("+ 2"), printed("3 - 1"), printed("Tokyo; Aircraft Factory; HI"), printed("2 (1)")
    (2, '3-1', 'tokyo;aircraft-factory;hi', '2(1)')
    """
    number = figure(re.sub(r"^\s*([+-])\s+", r"\1", text))
    return slug(text) if number is None else number


def slug(text: str) -> str:
    """Return printed words as an outcome: lower case, joined by hyphens, no blanks beside `;` and `@`.

    Two figures are joined by the hyphen alone that was typed: 6-5 is no draw of 6 and one of 5.

    >>> slug("Walking hits (d)"), slug("6 5"), slug("6/5"), slug("6 – 5")
    ('walking-hits-d', '6,5', '6,5', '6-5')
    """
    if text.isalpha():
        return text.casefold()
    spelled = re.sub(r"\(([^()\d]*)\)", r" \1 ", re.sub(DASH, "-", text.casefold())).strip()  # a letter, not a figure
    spelled = re.sub(r"\s*([@;])\s*|(?<=\d)\s+(?=[(+])|(?<=[(+])\s+(?=\d)", r"\1", spelled)
    return re.sub(SEPARATORS, _joined, spelled) or "none"


def bare(text: str) -> str:
    """Return words without case, hyphens, blanks and points, to be compared: `stomer` for `St. Omer`."""
    return re.sub(r"[\W_]", "", text.casefold())


def nearest(word: str, known: Collection[str], count: int = 3) -> list[str]:
    """Return the known words that are most like one, the likeliest first; a beginning of three letters is enough."""
    import difflib

    begun = [each for each in known if len(word) > 2 < len(each) and (each.startswith(word) or word.startswith(each))]
    return list(dict.fromkeys([*begun, *difflib.get_close_matches(word, list(known), count, 0.7)]))[:count]


DASH = "[\u2010-\u2015\u2212]"
SEPARATORS = r"[^\w.:@;()+]+|_+(?:[^\w.:@;()+]|_)*"


def _joined(between: re.Match[str]) -> str:
    """Return what an outcome has for what was between two words: a hyphen, a sign, nothing."""
    before, after = between.string[: between.start()][-1:], between.string[between.end() :][:1]
    if before in ("", "@", ";") or after in ("", "@", ";"):
        return "-" if between[0] == "-" and after.isdigit() else ""
    return "," if before.isdigit() and after.isdigit() and between[0].strip() != "-" else "-"
