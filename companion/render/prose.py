"""How a story is put into words: lists, fields in the middle of a sentence, and the small things of English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.packs import Pack

TIMES = {2: "twice", 3: "three times", 4: "four times"}


class Prose:
    """The sentences of one game's stories; the values in them are in words already (`packs/wording.py`)."""

    def __init__(self, pack: Pack) -> None:
        self.sheet = pack.sheet
        self.capital = set(map(str, pack.unit("story").get("capital", ())))
        labels = {str(each.get("label", "")) for members in pack.sheet.index.values() for each in members.values()}
        small = (each for each in labels - self.capital if each and not _capital(each.split()[0]))
        within = "|".join(map(re.escape, sorted(small, key=len, reverse=True)))
        self._small = re.compile(rf"(?<=\b[Tt]he )({within})\b") if within else None

    def what(self, name: str) -> str:
        """A field in the middle of a sentence: `port flap`, `engine 1`, `oxygen system`."""
        field = self.sheet.fields.get(name)
        if field is None:
            return ""
        label = self.sheet.text(name)
        head, comma, member = label.rpartition(", ")
        label = f"{member} {head}" if comma and "[" in field.name else label
        return " ".join(word if word in self.capital or _capital(word) else word.lower() for word in label.split())

    def polished(self, text: str, *, begins: bool = True) -> str:
        """A sentence without doubled blanks, whatever its braces have left empty; a capital where it `begins`."""
        if self._small is not None:
            text = self._small.sub(lambda each: each[1][0].lower() + each[1][1:], text)
        text = re.sub(r"\b([Aa]) (?=[aeioAEIO](?!ne\b))", r"\1n ", text)
        text = re.sub(r" +([,.;:])", r"\1", " ".join(text.split()))
        return text[:1].upper() + text[1:] if begins else text


def _capital(word: str) -> bool:
    """Whether a word keeps its capitals within a sentence: `LORAN`, `Nav/Radio`."""
    return any(letter.isupper() for letter in word[1:])


def times(many: int) -> str:
    """How often: `twice`, `5 times`."""
    return TIMES.get(many, f"{many} times")


def together(parts: Sequence[str]) -> str:
    """Things in a row; those of the same words are counted.

    >>> together(["the nose gun"]), together(["a", "b", "b"]), together(["a", "b", "c"])
    ('the nose gun', 'a and b (twice)', 'a, b and c')
    """
    counts: dict[str, int] = {}
    for each in parts:
        counts[each] = counts.get(each, 0) + 1
    named = [each if many == 1 else f"{each} ({times(many)})" for each, many in counts.items()]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
