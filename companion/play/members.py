"""Members of an index in a player's words: fighters that come and go, crewmen and their seats.

`tojo 6 level ace` describes a fighter with its fields; `left gunner to nose` moves a man by the pack's choices.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.questions import Option, Pending, asks_the_same
from companion.engine.resolution import Result
from companion.engine.sheet import Bound, Member, Sheet
from companion.play.journal import join
from companion.play.mission import Mission, rehearsal
from companion.play.vocabulary import words_of
from companion.problems import Question, UserError
from companion.words import bare, did_you_mean, figure, nearest, one_of, sentence, slug

if TYPE_CHECKING:
    from companion.engine.about import Moving

LONGEST = 3  # words of one value: `Fw 190 A`
ANOTHER = ("another", "second")
IDLE = ("a", "an", "the", "and", "at", "in", "is", "oclock", "o")
GONE = ("gone", "destroyed", "shotdown", "drivenoff", "none", "away")
MOVE = r"(?i)(?:move\s+)?(.+?)\s+(?:to|into)\s+(.+)"
NOBODY = "nobody"  # if no option is left

Pair = tuple[str, Value]  # a field and its value


# -- fighters ----------------------------------------------------------------------------------------------------------


class UnknownWord(UserError):
    """An unknown word in the description of a fighter, with similar known words."""


class Fighters:
    """The members of a mission that come and go and are described in words.

    Attributes:
        index: Their index; empty if a game has none.
        fields: The fields that describe one, by the last part of their names.
        slots: All members of the index.
    """

    def __init__(self, mission: Mission) -> None:
        self.mission, self.sheet = mission, mission.game.sheet
        self.index, self.slots = "", list[str]()
        for name, known in self.sheet.known.items():
            if isinstance(known, Member) and known.present and known.text:
                self.index, self.member, self.slots = name, known, list(self.sheet.index[name])
                break
        head = f"{self.index}[{self.index}]."
        families = [(name, field) for name, field in self.sheet.families.items() if field.section != "working"]
        self.fields = {name.removeprefix(head): field for name, field in families if name.startswith(head)}

    def example(self) -> str:
        """Return the words of a complete description."""
        values = dict[str, Value]()
        while missing := self.unsaid(values):
            field = self.fields[missing[0]]
            values[missing[0]] = field.values[0] if field.values else 1
        return " ".join(self._told(key, value) for key, value in values.items())

    def _told(self, key: str, value: Value) -> str:
        """Return a value in everyday words: `Me 109`."""
        return self.sheet.say(f"{self.index}.{self.slots[0]}.{key}", value)

    def wanted(self, question: Question) -> bool:
        """Return whether a question is about a member that is not yet described, with none on the sheet."""
        known = self.sheet.known.get(question.name) if isinstance(question, FactQuestion) and self.index else None
        return isinstance(known, Bound) and known.index == self.index and self.mission.facts()[self.index] == "none"

    def values_of(self, text: str) -> dict[str, Value]:
        """Return the described values by the last part of each field's name.

        Raise UnknownWord for an unknown word, UserError for an ambiguous one.
        """
        words, result = re.findall(r"[^\s,;]+", text.replace("’", "'")), dict[str, Value]()
        while words:
            count, pairs = self._meant(words)
            different = list(dict.fromkeys(pairs))
            if len(different) > 1:
                raise UserError(f"{words[0]} could be {one_of([self._told(*each) for each in different])}.")
            for key, value in different:
                if result.get(key, value) != value:
                    told = [self._told(key, each) for each in (result[key], value)]
                    raise UserError(f"The {self.index} can't be both {told[0]} and {told[1]}.")
                result[key] = value
            del words[:count]
        return result

    def _meant(self, words: list[str]) -> tuple[int, list[Pair]]:
        """Return how many of the words belong together, and the fields with values that they may mean; none for a
        filler. The first letters of a value are enough (`ge`), or the number at its end (`109`).
        """
        spoken = list[tuple[str, Pair]]()
        for key, field in self.fields.items():
            if set(field.values) == {"yes", "no"}:
                spoken += [(bare(word), (key, "yes")) for word in (key, field.heading)]
            else:
                known = [*zip(field.values, field.values, strict=True), *field.known.items()]
                spoken += [(bare(word), (key, value)) for word, value in known]
        for count in range(min(LONGEST, len(words)), 0, -1):
            if exact := [pair for word, pair in spoken if word == bare("".join(words[:count]))]:
                return count, exact
        typed, following = bare(words[0]), words[1] if len(words) > 1 else ""
        denied: list[Pair] = [(key, "no") for word, (key, value) in spoken if (word, value) == (bare(following), "yes")]
        if typed == "not" and denied:
            return 2, denied
        for key, field in self.fields.items():
            if field.numeric and typed in (bare(key), bare(field.heading)):
                number = figure(following)
                return (1, [(key, 1)]) if number is None else (2, [(key, field.accept(field.heading, number))])
        begins, long = (str.endswith, 2) if typed.isdigit() else (str.startswith, 1)
        begun = [pair for word, pair in spoken if pair[1] != "yes" and len(typed) > long and begins(word, typed)]
        headings = [bare(word) for field in self.fields.values() for word in field.heading.split()]
        if begun or typed in ("", *IDLE, bare(self.index), *headings):
            return 1, begun
        by_word = dict(spoken)
        meant = [(each, by_word[each]) for each in nearest(typed, by_word)]
        near = [each if value == "yes" else self._told(key, value) for each, (key, value) in meant]
        lists = [(key, field.values) for key, field in self.fields.items() if len(field.values) > 2]
        accepted = "; ".join(one_of([self._told(key, value) for value in values]) for key, values in lists)
        hint = did_you_mean(near, f"Describe the {self.index} with {accepted}.")
        raise UnknownWord(f"I don't understand {words[0]!r}. {hint}")

    def unsaid(self, values: Mapping[str, Value]) -> list[str]:
        """Return the fields missing from a description (its type, where it comes from)."""
        head, assumed = f"{self.index}.{self.slots[0]}", dict[str, Value]()
        state = {f"{head}.{key}": value for key, value in values.items()}
        facts = Facts(self.sheet, state, {self.index: self.slots[0]})
        facts.note(assumed, {})
        facts.described(self.member)
        needed = {self.member.present.format(self.slots[0]), *assumed}
        return [key for key in self.fields if key not in values and f"{head}.{key}" in needed]

    def matching(self, values: Mapping[str, Value]) -> list[str]:
        """Return the slots on the sheet that have all of these values."""
        facts, pairs = self.mission.facts(), values.items()
        there = facts.there(self.index)
        return [slot for slot in there if all(facts[f"{self.index}.{slot}.{key}"] == value for key, value in pairs)]

    def on_the_sheet(self, slot: str) -> str:
        """Return the slot of that number; raise UserError if it is empty."""
        there = self.matching({})
        if slot not in there:
            only = f", only {one_of(there)}" if there else ""
            new = self.example()
            raise UserError(f"There is no {self.index} {slot} on the sheet{only}. Describe a new one, e.g. {new}.")
        return slot

    def placed(self, values: Mapping[str, Value], *, another: bool) -> tuple[str, dict[str, Value]]:
        """Return the slot of a member with these values, and the fields to write for it.

        There are no fields if one like it is on the sheet already (unless it is `another`); else they are those of the
        next free slot. Raise UserError if no slot is free.
        """
        if not another and (fitting := self.matching(values)):
            return fitting[0], {}
        there, counter, slots = self.matching({}), f"slots.{self.index}", self.slots
        used = int(self.mission.facts()[counter]) if counter in self.sheet.fields else 0
        slot = next((slot for slot in [*slots[used:], *slots[:used]] if slot not in there), "")
        if not slot:
            raise UserError(f"The sheet has room for only {len(slots)} {self.index}s, and all are in use.")
        written: dict[str, Value] = {f"{self.index}.{slot}.{key}": value for key, value in values.items()}
        if counter in self.sheet.fields and slots.index(slot) + 1 > used:
            written[counter] = slots.index(slot) + 1
        return slot, written


# -- men and seats -----------------------------------------------------------------------------------------------------


def move_said(text: str) -> tuple[str, str] | None:
    """Parse `move navigator to bombardier`, with or without `move`; None for anything else."""
    match = re.fullmatch(MOVE, text.strip())
    return (match[1], match[2]) if match else None


def members_named(sheet: Sheet, index: str, typed: str) -> list[str]:
    """Return the men, seats or guns for these words: a name or label, a prefix, or a location."""
    wanted, parts = bare(re.sub(r"(?i)^the ", "", typed.strip())), words_of(typed)
    ranks: tuple[list[str], ...] = [], [], []
    for member, has in sheet.index[index].items():
        names = bare(member), bare(_label(sheet, index, member))
        places = [bare(_label(sheet, key, str(of))) for key, of in has.items() if key != "label"]
        ranks[0].extend([member] * (wanted in names))
        ranks[1].extend([member] * (wanted in places or any(name.startswith(wanted) for name in names)))
        ranks[2].extend([member] * (parts <= words_of(_label(sheet, index, member))))
    return next(filter(None, ranks), []) if wanted else []


def moved(mission: Mission, who: str, where: str) -> list[Result]:
    """Move a man to a seat and return the results.

    A pack has one or more ways to do this: `seat` is the choice of the seat to fill, `man` the choice of who fills it.
    Without `seat`, `man` and `when` refer to the given seat.

    Raises:
        UserError: The move is not allowed, with the reason; nothing has changed.
    """
    ways, sheet = ways_of(mission, who, where), mission.game.sheet
    meant = {member for typed in (who, where) for member in members_named(sheet, ways[0].index, typed)}
    for item in mission.pending:
        member = str(item.bind.get(ways[0].index))
        if item.kind == "roll" and member in meant:  # it asks about the man found there
            raise UserError(f"{_label(sheet, ways[0].index, member)}: {item.name} comes first")
    refusals: list[str] = []
    for way in ways:
        try:
            seats = members_named(sheet, way.index, where)
            if len(seats) > 1 and not way.seat:
                raise UserError(f"{where} could be {one_of([_label(sheet, way.index, each) for each in seats])}.")
            bind: dict[str, Value] = {} if way.seat else {way.index: seats[0]}
            facts = Facts(sheet, mission.state, bind)
            if way.when(facts):
                _move(rehearsal(mission), way, bind, who, where)  # raises the error
                position = mission.journal.position
                results = _move(mission, way, bind, who, where)
                join(mission.journal.entries[position:])
                return results
            refusals += [why] if (why := way.why(facts)) else []
        except UserError as problem:
            refusals.append(str(problem))
    telling = [each for each in refusals if not each.endswith(NOBODY)] or refusals
    raise UserError(" ".join(map(sentence, dict.fromkeys(telling))))


def ways_of(mission: Mission, who: str, where: str) -> Sequence[Moving]:
    """Return the ways to change seats. Raise UserError if there are none, or for words that match no man or seat."""
    ways = mission.game.about.at_table.move
    if not ways:
        raise UserError("The crew can't change places in this game.")
    sheet, index = mission.game.sheet, ways[0].index
    for typed in (who, where):
        if not members_named(sheet, index, typed):
            seats = one_of([_label(sheet, index, each) for each in sheet.index[index]])
            raise UserError(f"{typed!r} isn't a crew position. Use {seats}.")
    return ways


def _move(mission: Mission, way: Moving, bind: dict[str, Value], who: str, where: str) -> list[Result]:
    """Take one way: choose the seat, if it is a choice, then the man."""
    sheet, item, results = mission.game.sheet, Pending("choose", way.man, bind), list[Result]()
    if way.seat:
        seats = Pending("choose", way.seat)
        seat = _option(sheet, way.index, mission.options(seats), where, "These seats can be filled")
        results = _decide(mission, seats, seat.name)
        following = mission.waiting()
        if following is None or not following.is_for("choose", way.man):
            raise UserError(f"Nobody can move to {where} right now.")
        item = following
    man = _option(sheet, way.index, mission.options(item), who, "These can move there")
    return results + _decide(mission, item, man.name)


def _decide(mission: Mission, item: Pending, option: str) -> list[Result]:
    """Choose an option, answering the pending decision if it matches."""
    waiting = mission.waiting()
    if waiting is not None and asks_the_same(waiting, item):
        return mission.roll(None, Hand(), outcome=option)
    return mission.decide(item, option)


def _label(sheet: Sheet, index: str, member: str) -> str:
    """Return the label of a member of an index: the compartment of a seat."""
    return str(sheet.index.get(index, {}).get(member, {}).get("label", member))


def _option(sheet: Sheet, index: str, options: Sequence[Option], typed: str, which: str) -> Option:
    """Return the option for a man or seat; raise UserError with the available ones."""
    people = [
        (each, name if name in sheet.index else index, member) for each in options for name, member in each.bind.items()
    ]
    fitting = [each for each in people if each[2] in members_named(sheet, each[1], typed)]
    if len({each.name for each, _, _ in fitting}) == 1:
        return fitting[0][0]
    told = one_of([*dict.fromkeys(_label(sheet, name, member) for _, name, member in fitting or people)])
    raise UserError(f"{typed} could be {told}." if fitting else f"Not {typed} right now. {which}: {told or NOBODY}.")


def taken_at_any_time(mission: Mission, text: str) -> list[Result]:
    """Take the option that a player may type at any time (`Allies play a card`); nothing for other words."""
    for words, choice in mission.game.about.at_table.any_time.items():
        if bare(words) == bare(text):
            return mission.decide(Pending("choose", choice), slug(words))
    return []
