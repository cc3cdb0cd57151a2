"""Text helpers: slugs, typed numbers, short lists and lines that fit the terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import IO


def fitted(text: str, stream: IO[str], first: str = "", further: str | None = None) -> str:
    """Wrap a line between words for a terminal; leave it unchanged if the output is not a terminal.

    `first` goes before it, `further` before the following lines (by default spaces as wide as `first`).
    """
    if not stream.isatty():
        return first + text
    import shutil
    import textwrap

    wide = max(40, shutil.get_terminal_size().columns)
    further = " " * len(first) if further is None else further
    line, marked, sentence = text.partition("\n")  # a pack's sentence with a mark under the error is not wrapped
    line = textwrap.fill(
        line, wide, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return line + marked + sentence


def plain(text: str) -> str:
    """Return one line that is safe to print on a terminal, whatever its origin.

    >>> plain("Osaka\\x1b[2J\\n\\u202e7")
    'Osaka?[2J ?7'
    """
    return " ".join(inert(text).split())


def inert(text: str) -> str:
    """Return a text with `?` for every character that is unsafe on a terminal, a printer or in a file.

    These are control characters other than line ends, bidirectional overrides and surrogates.

    >>> inert("Osaka\\x1b[2J\\n\\u202e7"), inert("Zoë 東京")
    ('Osaka?[2J\\n?7', 'Zoë 東京')
    """
    return text if text.isascii() and text.isprintable() else re.sub(ACTIVE, "?", text)


ACTIVE = (
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def sentence(text: str) -> str:
    """Return an error as a sentence: a capital, unless a field or a file begins it, and a full stop, unless a command
    ends it.

    >>> sentence("there is no entry 9; the journal has 1 to 4"), sentence("fuel.wing must be 0 to 38")
    ('There is no entry 9; the journal has 1 to 4.', 'fuel.wing must be 0 to 38.')
    >>> sentence("no campaign is in use. Choose one with: companion use NAME")
    'No campaign is in use. Choose one with: companion use NAME'
    """
    text = re.sub(r"^[a-z]+(?:'[a-z]+)?(?=,? )", lambda word: word[0].capitalize(), text)
    ended = re.search(r"(?<!the )(?<!this )\b(?:companion|pip) [a-z-][^.;]*$|['\"]\.\[page]'$|[.!?:^]\)?$", text)
    return text if ended or not text else f"{text}."


def one_of(values: list[str] | tuple[str, ...] | dict[str, object]) -> str:
    """Return a short list of alternatives: `a, b or c`."""
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
    """Merge messages about several people: each message once, after all their names, if any.

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
    """Return a text under a heading; a heading that is a question needs no colon.

    >>> headed("4.6 Random event?", "event on 12"), headed("5-1 Resistance", "fighters on 9")
    ('4.6 Random event? event on 12', '5-1 Resistance: fighters on 9')
    """
    return f"{head} {told}" if head.endswith("?") else f"{head}: {told}"


def counted(number: int, what: str, many: str = "") -> str:
    """Return a number with its noun; `many` is an irregular plural.

    >>> counted(1, "mission"), counted(2, "mission"), counted(0, "entry", "entries")
    ('1 mission', '2 missions', '0 entries')
    """
    return f"{number} {what if number == 1 else many or what + 's'}"


def figure(text: str) -> int | None:
    """Parse a whole number written in ASCII digits (`7`, `+2`, `-1`); None for any other text.

    >>> figure("7"), figure(" -1 "), figure("²"), figure("1_0")
    (7, -1, None, None)
    """
    stripped = text.strip()
    digits = stripped[1:] if stripped[:1] in ("+", "-") else stripped
    return int(stripped) if digits.isascii() and digits.isdigit() and len(digits) < 100 else None


def spoken(label: str) -> str:
    """Return a label of the sheet in a form that can start a sentence.

    >>> spoken("Flap, port"), spoken("LORAN"), spoken("inboard tank, port")
    ('Port flap', 'LORAN', 'Port inboard tank')
    """
    head, _, tail = label.partition(", ")
    words = f"{tail} {head if head[:2].isupper() else head[:1].lower() + head[1:]}" if tail else head
    return words[:1].upper() + words[1:]


def quoted(word: str) -> str:
    """Quote one word of a command for the shell.

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
    """Return an internal word with spaces instead of hyphens; numbers and other text are unchanged.

    >>> unhyphened("aircraft-factory"), unhyphened("-2"), unhyphened("2-2C"), unhyphened("Romilly-sur-Seine")
    ('aircraft factory', '-2', '2-2C', 'Romilly-sur-Seine')
    """
    return word.replace("-", " ") if re.fullmatch(HYPHENED, word) else word


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts 5-9 before 5-10 and B-2 before B-10."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d+|\D+", name.casefold())
    )


def printed(text: str) -> str | int:
    """Convert text from the player's rulebook to an outcome: a number, or words as a slug.

    >>> printed("+ 2"), printed("3 - 1"), printed("Tokyo; Aircraft Factory; HI"), printed("2 (1)")
    (2, '3-1', 'tokyo;aircraft-factory;hi', '2(1)')
    """
    number = figure(re.sub(r"^\s*([+-])\s+", r"\1", text))
    return slug(text) if number is None else number


def slug(text: str) -> str:
    """Convert printed words to an outcome: lower case, joined by hyphens, no spaces around `;` and `@`.

    Two numbers keep only a typed hyphen: `6-5` is not two results, 6 and 5.

    >>> slug("Walking hits (d)"), slug("6 5"), slug("6/5"), slug("6 – 5")
    ('walking-hits-d', '6,5', '6,5', '6-5')
    """
    if text.isalpha():
        return text.casefold()
    spelled = re.sub(r"\(([^()\d]*)\)", r" \1 ", re.sub(DASH, "-", text.casefold())).strip()  # a letter, not a digit
    spelled = re.sub(r"\s*([@;])\s*|(?<=\d)\s+(?=[(+])|(?<=[(+])\s+(?=\d)", r"\1", spelled)
    return re.sub(SEPARATORS, _joined, spelled) or "none"


def bare(text: str) -> str:
    """Return words without case, hyphens, spaces and periods, for comparison: `stomer` for `St. Omer`."""
    return re.sub(r"[\W_]", "", text.casefold())


def nearest(word: str, known: Collection[str], count: int = 3) -> list[str]:
    """Return the known words closest to a word, best match first; a prefix of three letters is enough."""
    import difflib

    begun = [each for each in known if len(word) > 2 < len(each) and (each.startswith(word) or word.startswith(each))]
    return list(dict.fromkeys([*begun, *difflib.get_close_matches(word, list(known), count, 0.7)]))[:count]


def did_you_mean(near: list[str], otherwise: str = "") -> str:
    """Return the hint of an error about an unknown word: the known words nearest to it; `otherwise` if none is near."""
    return f"Did you mean {one_of(near)}?" if near else otherwise


DASH = "[\u2010-\u2015\u2212]"
SEPARATORS = r"[^\w.:@;()+]+|_+(?:[^\w.:@;()+]|_)*"


def _joined(between: re.Match[str]) -> str:
    """Return the separator in an outcome for the text between two words: a hyphen, a sign, nothing."""
    before, after = between.string[: between.start()][-1:], between.string[between.end() :][:1]
    if before in ("", "@", ";") or after in ("", "@", ";"):
        return "-" if between[0] == "-" and after.isdigit() else ""
    return "," if before.isdigit() and after.isdigit() and between[0].strip() != "-" else "-"
