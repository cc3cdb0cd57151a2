"""The story of a mission, told from its journal in the words of `story.toml`.

The journal is processed entry by entry: each entry is an event (its table, choice or step), and so is every field that
it changed. A sentence of the pack is triggered by such an event (`on`); the first one whose condition holds is used.
Events with `as` are gathered and told together when something else happens (`later`: at the end of the paragraph).
Every sentence keeps its events, and nothing is told that is not in the journal.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from zlib import crc32

from companion.engine.facts import Facts
from companion.engine.fields import FREE, Spec, Value
from companion.engine.rules import words
from companion.packs import Pack
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.play.replay import rewound, scenes
from companion.problems import UserError
from companion.render.changes import pairs_of
from companion.render.sheet_text import totals
from companion.store.log import CampaignLog
from companion.store.session import Session
from companion.words import figure, series


@dataclass(eq=False)
class Event:
    """An event: its journal entry, its table or family of fields, and its subject. For a field also its name, its
    values before and after, and the increase.
    """

    number: int
    on: str
    bind: Mapping[str, Value]
    name: str = ""
    was: Value = "none"
    value: Value = "none"
    more: int = 0


@dataclass(eq=False)
class Sentence:
    """A sentence of the story with its events."""

    text: str
    events: list[Event] = field(default_factory=list)


@dataclass(eq=False)
class Chapter:
    """A part of the story: its heading and its paragraphs."""

    title: str
    paragraphs: list[list[Sentence]] = field(default_factory=list)


@dataclass(eq=False)
class Story:
    """The story of a mission: a title, chapters, the aftermath, and a short version."""

    title: str
    chapters: list[Chapter]
    end: list[Sentence | list[Sentence]]  # a list repeats its text for men or cards
    short: list[Sentence]

    def sentences(self) -> Iterator[Sentence]:
        """Yield every sentence of the chapters."""
        for chapter in self.chapters:
            for paragraph in chapter.paragraphs:
                yield from paragraph


class Place(NamedTuple):
    """A place in the story of a mission: the chapter, the opening of its paragraphs, and what separates them."""

    chapter: str
    first: str
    by: str


@dataclass(eq=False)
class GatheredEvents:
    """The events gathered for one sentence, each with its facts."""

    events: list[Event] = field(default_factory=list)
    facts: list[Mapping[str, Value]] = field(default_factory=list)
    sums: dict[str, Event] = field(default_factory=dict)

    def add(self, event: Event, facts: Mapping[str, Value]) -> None:
        """Add an event; changes of the same field are summed."""
        self.events.append(event)
        key = event.name or str(len(self.events))
        earlier = self.sums.get(key)
        whole = event
        if earlier is not None:
            self.facts = [each for each in self.facts if each["#key"] != key]
            whole = Event(event.number, event.on, event.bind, event.name, earlier.was, event.value)
            whole.more = earlier.more + event.more
        self.sums[key] = whole
        self.facts.append({**facts, **_said(whole), "#key": key})


class Storyteller:
    """The narrator of one mission; raises UserError if the game's pack has no `story.toml`."""

    def __init__(self, pack: Pack, mission: Mission) -> None:
        self.pack, self.mission, self.sheet = pack, mission, pack.sheet
        self.spec: Spec = pack.unit("story")
        if not self.spec:
            raise UserError(f"{pack.title} has no story.toml, which tells a mission in words.")
        self.prose = Prose(pack)
        self._turns: dict[int, list[str]] = {}
        entries = mission.journal.entries[: mission.journal.position]
        self._chance = random.Random(crc32(repr([each.get("d") for each in entries]).encode()))
        self._waiting: dict[tuple[bool, str], list[Spec]] = {}  # by kind (field or not) and name
        for spec in self.spec.get("line", ()):
            for on in _ons(spec):
                self._waiting.setdefault((on in self.sheet.families, on.casefold()), []).append(spec)
        self._gathered: dict[int, tuple[Spec, GatheredEvents]] = {}
        self._paragraph: list[Sentence] = []
        self._opening: tuple[Spec, Mapping[str, Value]] | None = None  # the opening of the next paragraph
        self._summed: dict[int, GatheredEvents] = {}
        self._members = self._families()

    def _families(self) -> dict[str, tuple[str, dict[str, str]]]:
        """Return the family and members of every single field that triggers a sentence."""
        every = [on for key in ("line", "end", "short") for spec in self.spec.get(key, ()) for on in _ons(spec)]
        return {
            single: (family, dict(members))
            for family in dict.fromkeys(every)
            if family in self.sheet.families
            for single, members in self.sheet.family(family)
        }

    def tell(self) -> Story:
        """Tell the whole story."""
        chapters: list[Chapter] = []
        place, state, begun = Place("", "", ""), dict[str, Value](rewound(self.mission, 0).state), False
        for scene in scenes(self.mission):
            begun = begun or scene.entry["v"] != "set"
            state = dict(scene.state)
            if not begun:  # the setup of the sheet is not part of the mission
                continue
            if "c" in scene.entry or not chapters:
                place = self._move(place, state, chapters)
            for event in self._events(scene.number, scene.entry):
                facts = self._facts(state, scene.entry, event)
                self._note(event, facts)
                self._sum(event, facts)
        self._flush()
        chapters = [each for each in chapters if any(each.paragraphs)]
        for chapter in chapters:
            chapter.paragraphs = [each for each in chapter.paragraphs if each]
        head = {**state, **_said(Event(0, "", {}))}
        end = [each for spec in self.spec.get("end", ()) for each in self._whole(spec, head)]
        short = [each for spec in self.spec.get("short", ()) for each in self._whole(spec, head)]
        flat = [one for each in short for one in (each if isinstance(each, list) else [each])]
        return Story(self._words(self.spec, "title", head), chapters, end, flat)

    # -- events --------------------------------------------------------------------------------------------------------

    def _events(self, number: int, entry: Entry) -> Iterator[Event]:
        bind: Mapping[str, Value] = entry.get("b", {})
        yield Event(number, str(entry["t"]), bind, value=entry.get("o", "none"), more=entry.get("net", 0))
        pairs = pairs_of(entry, self.sheet)
        moved = {name.rpartition(".")[2] for name, *_ in pairs if self._naming(name)}  # everything goes with them
        for name, was, value in pairs:
            if name not in self._members:
                continue
            family, members = self._members[name]
            if not self._naming(name) and moved & set(members.values()):
                continue
            more = int(value) - int(was) if isinstance(was, int) and isinstance(value, int) else 0
            yield Event(number, family, {**bind, **members}, name, was, value, more)

    def _naming(self, name: str) -> bool:
        declared = self.sheet.fields.get(name)
        return declared is not None and declared.naming and "." in name and name != "aircraft.name"

    def _facts(self, state: Mapping[str, Value], entry: Entry, event: Event) -> dict[str, Value]:
        """Return the sheet after an entry, with its bindings; a member that has just left its slot is kept."""
        gone = {
            name: before
            for name, (before, after) in entry.get("c", {}).items()
            if before is not None and (after is None or after in FREE) and self.sheet.slot(name)
        }
        return {**state, **gone, **event.bind, **_said(event), "#what": self.prose.what(event.name)}

    # -- chapters and paragraphs ---------------------------------------------------------------------------------------

    def _move(self, place: Place, state: Mapping[str, Value], chapters: list[Chapter]) -> Place:
        """Return the current place in the story: a new chapter, a new paragraph, or the same."""
        facts = Facts(self.sheet, {**state, **_said(Event(0, "", {}))})
        spec = next((each for each in self.spec.get("chapter", ()) if _holds(each, facts)), None)
        if spec is None:
            return place
        first = words(spec["texts"][0], "text", facts) if spec["texts"] else ""
        place_now = Place(words(spec, "title", facts), first, words(spec, "by", facts))
        if place_now == place:
            return place
        self._flush()
        if place_now.chapter != place.chapter or not chapters:
            chapters.append(Chapter(self._words(spec, "title", facts)))
        if place_now[:2] != place[:2]:
            self._opening = (spec, dict(facts))
        self._paragraph = []
        chapters[-1].paragraphs.append(self._paragraph)
        return place_now

    def _say(self, spec: Spec, facts: Mapping[str, Value], events: list[Event]) -> None:
        if self._opening is not None:
            opening, self._opening = self._opening, None
            if opening[0]["texts"]:
                self._paragraph.append(Sentence(self._worded(*opening)))
        self._paragraph.append(Sentence(self._worded(spec, facts), events))

    def _note(self, event: Event, facts: dict[str, Value]) -> None:
        """Tell the sentence triggered by an event, or gather the event."""
        waiting = self._waiting.get((bool(event.name), event.on.casefold()))
        if waiting is None:
            return
        read = Facts(self.sheet, facts)
        spec = next((each for each in waiting if _holds(each, read)), None)
        if spec is None:
            return
        self._flush(event.on if "as" in spec else "#said")
        if "as" not in spec:
            self._say(spec, facts, [event])
            return
        self._gathered.setdefault(id(spec), (spec, GatheredEvents()))[1].add(event, facts)

    def _flush(self, on: str = "") -> None:
        """Tell the gathered events, unless they continue or wait for the end of the paragraph."""
        in_turn = sorted(self._gathered.items(), key=lambda each: bool(each[1][0].get("later")))
        for key, (spec, gathered) in in_turn:
            if on and (spec.get("later") or on in _ons(spec)):
                continue
            del self._gathered[key]
            if (facts := self._told(spec, gathered)) is not None:
                self._say(spec, facts, gathered.events)

    def _told(self, spec: Spec, gathered: GatheredEvents) -> Mapping[str, Value] | None:
        """Return the facts for gathered events, including `told`; None if they cancel out."""
        kept = [each for each in gathered.facts if self._came_to_something(gathered.sums[str(each["#key"])])]
        if not kept:
            return None
        told = together([self._words(spec, "as", each) for each in kept])
        more = sum(int(each["more"]) for each in kept)
        return {**kept[-1], "told": told, "more": more}

    @staticmethod
    def _came_to_something(event: Event) -> bool:
        return not event.name or event.was != event.value

    # -- the whole mission ---------------------------------------------------------------------------------------------

    def _sum(self, event: Event, facts: dict[str, Value]) -> None:
        """Collect the totals for the end and the short version."""
        for key in ("end", "short"):
            for spec in self.spec.get(key, ()):
                field = event.on in self.sheet.families
                if event.on in _ons(spec) and field == bool(event.name) and _holds(spec, Facts(self.sheet, facts)):
                    self._summed.setdefault(id(spec), GatheredEvents()).add(event, facts)

    def _whole(self, spec: Spec, head: Mapping[str, Value]) -> Iterator[Sentence | list[Sentence]]:
        if "on" in spec:
            gathered = self._summed.get(id(spec))
            facts = self._told(spec, gathered) if gathered is not None else None
            if gathered is not None and facts is not None:
                yield Sentence(self._worded(spec, facts), gathered.events)
        elif "for" in spec:
            index = str(spec["for"])
            members = [{**head, index: member} for member in self.sheet.index[index]]
            those = [facts for facts in members if _holds(spec, Facts(self.sheet, facts))]
            if those and "as" in spec:
                told = together([self._words(spec, "as", facts) for facts in those])
                yield Sentence(self._worded(spec, {**head, "told": told}))
            elif those:
                yield [Sentence(self._worded(spec, facts)) for facts in those]
        elif _holds(spec, Facts(self.sheet, head)):
            yield Sentence(self._worded(spec, head))

    # -- words ---------------------------------------------------------------------------------------------------------

    def _worded(self, spec: Spec, facts: Mapping[str, Value]) -> str:
        """Return a text in one of its wordings, using all before repeating one."""
        texts: Sequence[Spec] = spec["texts"]
        turns = self._turns.setdefault(id(spec), [])
        if not turns:
            turns += [str(at) for at in range(len(texts))]
            self._chance.shuffle(turns)
        return self._words(texts[int(turns.pop())], "text", facts)

    def _words(self, spec: Spec, key: str, facts: Mapping[str, Value]) -> str:
        read = Facts(self.sheet, facts, {"what": facts.get("#what", "")})
        return self.prose.polished(words(spec, key, read), begins=key != "as")


def _ons(spec: Spec) -> list[str]:
    on = spec.get("on", [])
    return [on] if isinstance(on, str) else list(on)


def _said(event: Event) -> dict[str, Value]:
    """Return the facts for a sentence in addition to the sheet."""
    number = figure(str(event.value))
    return {
        "was": event.was,
        "value": event.value,
        "more": event.more,
        "times": f"({times(event.more)})" if event.more > 1 else "",
        "net": event.more,
        "roll": event.more,
        "result": number if number is not None else 0,
        "told": "",
    }


def _holds(spec: Spec, facts: Facts) -> bool:
    return "#when" not in spec or bool(spec["#when"](facts))


def story_of(pack: Pack, mission: Mission) -> Story:
    """Return the story of a mission."""
    return Storyteller(pack, mission).tell()


def debrief(session: Session) -> list[str]:
    """Return the outcome of the mission: its result, casualties by name, and its value for the campaign."""
    pack, sheet, facts = session.pack, session.pack.sheet, Facts(session.pack.sheet, session.mission.state)
    if pack.unit("story"):
        told = [each.text for each in story_of(pack, session.mission).short]
    else:
        named = [name for name in pack.about.debrief if facts[name] != ""]
        told = [f"{sheet.text(name)}: {sheet.say(name, facts[name])}" for name in named]
    if session.campaign is not None and pack.about.log.counts:
        told.append(totals(CampaignLog.of(pack, session.campaign))[0])
    return told


# -- English -----------------------------------------------------------------------------------------------------------


TIMES = {2: "twice", 3: "three times", 4: "four times"}


class Prose:
    """Grammar for one game's stories; values are already in words (`packs/wording.py`)."""

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
        label = f"{member} {head}" if comma and "[" in field.name else label
        return " ".join(word if word in self.capital or _capital(word) else word.lower() for word in label.split())

    def polished(self, text: str, *, begins: bool = True) -> str:
        """Return a sentence without double spaces from empty braces, capitalized if it `begins`."""
        if self._small is not None:
            text = self._small.sub(lambda each: each[1][0].lower() + each[1][1:], text)
        text = re.sub(r"\b([Aa]) (?=[aeioAEIO](?!ne\b))", r"\1n ", text)
        text = re.sub(r" +([,.;:])", r"\1", " ".join(text.split()))
        return text[:1].upper() + text[1:] if begins else text


def _capital(word: str) -> bool:
    """Return whether a word keeps its capitals within a sentence: `LORAN`, `Nav/Radio`."""
    return any(letter.isupper() for letter in word[1:])


def times(many: int) -> str:
    """Return a frequency in words: `twice`, `5 times`."""
    return TIMES.get(many, f"{many} times")


def together(parts: Sequence[str]) -> str:
    """Return a list in words; repeated items are counted.

    >>> together(["the nose gun"]), together(["a", "b", "b"]), together(["a", "b", "c"])
    ('the nose gun', 'a and b (twice)', 'a, b and c')
    """
    counts = Counter(parts)
    return series([each if many == 1 else f"{each} ({times(many)})" for each, many in counts.items()])
