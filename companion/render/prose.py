"""The parts of a story, and its English: numbers in words, lists, the names of men, the final polish of sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from companion.engine.fields import Spec, Value
from companion.words import series

if TYPE_CHECKING:
    from companion.packs import Pack

TIMES = {2: "twice", 3: "three times", 4: "four times"}
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()
OTHERS = ("one", "another", "a third", "a fourth", "a fifth", "a sixth")
AGAIN = ("", "again ", "once more ", "yet again ")
MORE = re.compile(rf"^(?:then )?(a|{'|'.join(NUMBERS[2:])})(?= [A-Z].* (?:attacked|came up))")  # of fighters
PLACE = "\x04"  # of a name in a sentence
PERSON = re.compile("\x01([^\x01\x02]*)\x02([^\x01\x03]*)\x03")


class Event(NamedTuple):
    """An event: its journal entry, its table or family of fields, the name of its field, and what it adds to the facts
    of the sheet: its subject; for a field also its values, the increase, and whether it has had that value before.
    """

    number: int
    on: str
    name: str
    facts: Mapping[str, Value]


@dataclass(eq=False)
class Beat:
    """An event with the sentence of the pack that it triggers, and the facts for it."""

    event: Event
    spec: Spec
    facts: Mapping[str, Value]
    foe: str = ""  # the fighter it belongs to
    cause: Beat | None = None  # what else did the damage

    @property
    def part(self) -> str:
        """Return the part of this event in a fight, if any."""
        return str(self.spec.get("part", ""))

    @property
    def weight(self) -> int:
        """Return how much this matters."""
        return int(self.spec.get("weight", 1))


@dataclass(eq=False)
class Stage:
    """A stretch of the mission, such as a zone: its paragraph, its beats, and the sheet at its end."""

    spec: Spec
    key: tuple[str, str]
    facts: Mapping[str, Value]
    beats: list[Beat] = field(default_factory=list)


@dataclass(eq=False)
class Foe:
    """A fighter in one wave: what became of it, and what it did to the bomber."""

    name: str
    beats: list[Beat] = field(default_factory=list)

    @property
    def away(self) -> bool:
        """Return whether it was driven off before it attacked."""
        return bool(self.of("leaves")) and {each.part for each in self.beats} <= {"comes", "leaves"}

    def of(self, part: str) -> list[Beat]:
        """Return its beats of one kind."""
        return [each for each in self.beats if each.part == part]


@dataclass(eq=False)
class Item:
    """Beats that are told together: fighters, flak with its damage, or several events of one kind."""

    kind: str
    beats: list[Beat] = field(default_factory=list)
    foes: list[Foe] = field(default_factory=list)
    waves: int = 0


@dataclass(eq=False)
class Sentence:
    """A sentence of the story with its place, how much it matters, and its beats; without capitals until it is told."""

    text: str
    weight: int = 1
    beats: Sequence[Beat] = field(default_factory=list)
    where: str = ""
    after: str = ""  # the field that changes in the sentence that it continues


class Round(NamedTuple):
    """Turns of a game with the same news: their last stages, the news of each, the last score, and the weight."""

    stages: list[Stage]
    news: list[str]
    score: list[Beat]
    weight: int


def numeral(number: int) -> str:
    """Return a small number in words.

    >>> numeral(3), numeral(30)
    ('three', '30')
    """
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


def times(many: int) -> str:
    """Return a frequency in words: `twice`, `five times`."""
    return TIMES.get(many, f"{numeral(many)} times")


def several(names: Sequence[str]) -> str:
    """Return things by kind, counted.

    >>> several(["Fw 190", "Me 110", "Fw 190"])
    'two Fw 190s and a Me 110'
    """
    counts = Counter(names)
    return series([f"a {each}" if many == 1 else f"{numeral(many)} {each}s" for each, many in counts.items()])


def together(parts: Sequence[str]) -> str:
    """Return a list in words; repeated items are counted.

    >>> together(["the nose gun"]), together(["a", "b", "b"]), together(["a", "b", "c"])
    ('the nose gun', 'a and b (twice)', 'a, b and c')
    """
    counts = Counter(parts)
    return series([each if many == 1 else f"{each} ({times(many)})" for each, many in counts.items()])


class FighterWords:
    """The words for the fighters of a wave: `the Me 110` where there is one, else `one Fw 190`, `another Fw 190`."""

    def __init__(self, kinds: Sequence[str], *, known: bool) -> None:
        self.kinds, self.known, self.named = Counter(kinds), known, Counter[str]()

    def one(self, name: str) -> str:
        """Return the words for the next fighter of its kind."""
        self.named[name] += 1
        if not self.known:
            return f"a {name}" if self.named[name] == 1 else f"another {name}"
        if self.kinds[name] == self.named[name] <= 2:
            return f"the {'other ' * (self.named[name] - 1)}{name}"
        return f"{OTHERS[min(self.named[name], len(OTHERS)) - 1]} {name}"

    def several(self, names: Sequence[str]) -> str:
        """Return the words for some fighters, by kind."""
        told = []
        for name, many in Counter(names).items():
            every = "both" if many == 2 else f"all {numeral(many)}"
            whole = self.known and many == self.kinds[name]
            told.append(self.one(name) if many == 1 else f"{every if whole else numeral(many)} {name}s")
        return together(told)


def joined(parts: list[str]) -> str:
    """Return the parts of a sentence as a list, with commas where a part before a verb has an `and` of its own."""
    verb = len(parts) == 2 and parts[1][:1].islower()
    if len(parts) < 2 or not any(" and " in each for each in (parts[:1] if verb else parts)):
        return series(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}"


def person(name: str, post: str) -> str:
    """Return a mark for a man, who is named in full once and then by his last name."""
    return f"\x01{name}\x02{post if _capital(post.split(' ')[0]) else post[:1].lower() + post[1:]}\x03"


class Prose:
    """Grammar for one game's stories; values are already in words (`packs/pack.py`)."""

    def __init__(self, pack: Pack) -> None:
        self.sheet = pack.sheet
        self.capital = set(map(str, pack.unit("story").get("capital", ())))
        labels = {str(each.get("label", "")) for members in pack.sheet.index.values() for each in members.values()}
        small = (each for each in labels - self.capital if each and not _capital(each.split()[0]))
        within = "|".join(map(re.escape, sorted(small, key=len, reverse=True)))
        self._small = re.compile(rf"(?:(?<=\b[Tt]he )|(?<=\())({within})\b") if within else None

    def what(self, name: str) -> str:
        """Return a field's name for the middle of a sentence: `port flap`, `engine 1`, `oxygen system`."""
        field = self.sheet.fields.get(name)
        if field is None:
            return ""
        label = self.sheet.text(name)
        head, comma, member = label.rpartition(", ")
        label = f"{member} {head}" if comma else label
        return " ".join(word if word in self.capital or _capital(word) else word.lower() for word in label.split())

    def polished(self, text: str) -> str:
        """Return a text without double spaces from empty braces, and counted things (`<2 man|men>`) in words."""
        if self._small is not None:
            text = self._small.sub(lambda each: each[1][0].lower() + each[1][1:], text)
        text = re.sub(r"<(\d+) ([^<>|]*)\|([^<>]*)>", _in_words, text)
        return re.sub(r" +([,.;:])", r"\1", " ".join(text.split()))

    def told(self, parts: Sequence[Sequence[Sentence]]) -> list[list[Sentence]]:
        """Return paragraphs whose sentences are complete: men named, capitals, a period, none said twice."""
        every = [each for part in parts for each in part]
        said, had = Counter[str](), set[tuple[str, str]]()
        for each in every:
            again, said[each.text] = said[each.text], said[each.text] + 1
            more = MORE.sub(lambda first: "another" if first[1] == "a" else f"{first[1]} more", each.text)
            fresh = f"{AGAIN[min(again, 3)]}{each.text}"
            fresh = more if again and more != each.text and (more, each.where) not in had else fresh
            had.add((fresh, each.where))
            each.text = f"{each.where} {fresh}".strip()
        for each, text in zip(every, self.named([each.text for each in every]), strict=True):
            each.text = text
        return [list(part) for part in parts]

    def named(self, texts: Sequence[str]) -> list[str]:
        """Return texts as sentences with the men in full where they first appear, then by last name."""
        full = {name for text in texts for name, _ in PERSON.findall(text)}
        last = Counter(name.split()[-1] for name in full if name.split())
        seen, places = list[str](), list[str]()

        def shown(mark: re.Match[str]) -> str:
            name, post = mark[1], mark[2]
            if not name:
                return f"the {post}"
            family = name.split()[-1] if name.split() else ""
            short = name in seen and last[family] == 1 and family.isalpha() and family[0].isupper()
            first = "" if name in seen else f"{post} "
            seen.append(name)
            places.append(family if short else name)
            return f"{first}{PLACE}"

        whole = [one_sentence(PERSON.sub(shown, text)) for text in texts]
        named = iter(places)  # put in last: a name stays as the player wrote it
        return [re.sub(PLACE, lambda each: next(named), each) for each in whole]


def _in_words(counted: re.Match[str]) -> str:
    number = int(counted[1])
    return f"{numeral(number)} {counted[2] if number == 1 else counted[3]}"


def one_sentence(text: str) -> str:
    """Return a text as a sentence: `an` before a vowel or an initial said like one, a capital, a period."""
    text = re.sub(r"\b([Aa]) (?=[aeioAEIO](?!ne\b)|Me \d|Fw )", r"\1n ", text).strip()
    text = re.sub(r"(^|[.!?] )([a-z])", lambda each: each[1] + each[2].upper(), text)
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def _capital(word: str) -> bool:
    """Return whether a word keeps its capitals within a sentence: `LORAN`, `Nav/Radio`."""
    return any(letter.isupper() for letter in word[1:])
