"""Phrases that a player types, understood: fields with their values, fighters, men and seats, tables.

What the program prints it accepts: labels and values in words, printed letters, plurals, everyday words. The shell, a
flight, scripts and the page all read a line here. Words that one game alone has are in its pack (`[phrases]`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from companion.engine import dice as throws
from companion.engine.fields import Field, UnknownName, Value
from companion.engine.sheet import CROSSED, WRITTEN, Derived, Member, Sheet
from companion.packs.layers import NOT_TABLES
from companion.play.fighter_phrase import UnknownWord, index_of, placed, unsaid, values_of
from companion.problems import UserError
from companion.words import bare, figure, natural_order, one_of

if TYPE_CHECKING:
    from companion.engine.rules import Game
    from companion.engine.tables import Table
    from companion.packs import Pack
    from companion.play.mission import Mission

MOST = 4  # fields that an ambiguous word is told to mean
SMALL_WORDS = {"the", "a", "an", "of", "is", "are", "was", "were", "to", "at", "in", "and", "has", "been"}
EVERYDAY = {  # words for a value, and the values that each may be in a field
    "dead killed": "kia",
    "lightly-wounded light-wound": "light",
    "seriously-wounded serious-wound badly-wounded": "serious",
    "wounded hurt": "light&serious",
    "hit hurt": "hit",
    "gone lost": "gone out dropped jettisoned destroyed broken",
    "dropped away": "dropped",
    "inoperable inoperative knocked-out dead killed disabled shot-away damaged": "out damaged hit compromised",
    "back back-in rejoined": "in",
    "fine working works repaired fixed running unhurt healthy fit good undamaged": "ok in",
    "high": "high hi",
    "low": "low lo",
    "medium middle": "med medium middle",
    "outward": "outbound",
    "home back homeward return": "inbound",
    "used-up": "used",
    "stuck": "jammed jammed-shut jammed-open",
    "leaks": "leaking yes",
}
SIDES = {"left": "port", "right": "starboard"}
NO = ("no", "not", "without")
MOVE = r"(?i)(?:move\s+)?(.+?)\s+(?:to|into)\s+(.+)"
IDLE_TABLE = ("table", "chart", "on", "the", "roll")
WITH_MODIFIERS = r"(?i)\s+with\s+(?:all\s+)?(?:the\s+)?modifiers?(?:\s+now)?\s*$"


class Mark(NamedTuple):
    """A field and what is written there."""

    name: str
    value: Value


def marks(mission: Mission, text: str, *, alone: bool = True) -> list[Mark]:
    """Return what a line writes on the sheet, several phrases with commas between them.

    Where not even a value may be said `alone` (`10,000 feet`), its field must be named.

    Raises a UserError that says what is not understood, or which fields an ambiguous word may mean.
    """
    return Phrases(mission.game, mission.state, alone=alone).read([text])


def given(game: Game, typed: Sequence[str], state: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Return the facts that are given for one roll: a worked-out fact and a gun that is meant are among them."""
    return dict(Phrases(game, state or {}, written=False).read(typed)) if typed else {}


def written(game: Game, typed: Sequence[str], state: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Return the fields that a line writes on a sheet of that state."""
    return dict(Phrases(game, state or {}).read(typed)) if typed else {}


def boxes_said(mission: Mission, typed: Sequence[str]) -> tuple[str, int]:
    """Return the boxes or the count that words mean (`wing tanks 2`), and how many: one where none is said."""
    words = " ".join(typed).split()
    count = figure(words[-1]) if len(words) > 1 else None
    return Phrases(mission.game, mission.state).boxes(" ".join(words if count is None else words[:-1])), count or 1


class Phrases:
    """A line about a sheet, read phrase by phrase. `written`: it is for the sheet itself, not for one roll."""

    def __init__(self, game: Game, state: Mapping[str, Value], *, written: bool = True, alone: bool = True) -> None:
        self.game, self.sheet, self.state, self.written = game, game.sheet, state, written
        self.alone = alone
        self.fields = {_plain(said): name for said, name in game.about.phrases.fields.items()}
        self.values = game.about.phrases.values

    def read(self, typed: Sequence[str]) -> list[Mark]:
        """Read the words of a command: each a phrase of its own, or all of them one line."""
        lines: list[str] = []
        loose = False
        for word in typed:
            alone = not re.search(r"[\s=]", word.strip())
            lines[-1:] = [f"{lines[-1]} {word}"] if alone and loose else [*lines[-1:], word]
            loose = alone
        if not any(line.strip(" ,") for line in lines):
            raise UserError("Say what to write, such as: tail guns jammed")
        try:
            return self._all(lines)
        except UserError as problem:
            if len(lines) == 1:
                raise
            try:
                return self._all([" ".join(typed)])
            except UserError as joined:
                raise (joined if " ".join(typed).count("=") == 1 else problem) from None

    def _all(self, lines: Sequence[str]) -> list[Mark]:
        found, facts = list[Mark](), dict[str, Value]()
        with self.sheet.nicknames.along_with(facts):
            for line in lines:
                for mark in self._line(line):
                    found.append(mark)
                    facts.update([mark])
        return found

    def _line(self, line: str) -> Iterator[Mark]:
        """One line: phrases with commas between them, where no comma is part of a label or of a number."""
        if (whole := self._whole_text(line)) is not None:
            yield whole
            return
        parts = [part.strip() for part in re.split(r",(?!\d{3}\b)|;", line) if part.strip()]
        at = 0
        while at < len(parts):
            problem: UserError | None = None
            for end in range(at + 1, len(parts) + 1):
                try:
                    found = self.phrase(" ".join(parts[at:end]))
                except UserError as wrong:
                    found, problem = [], problem or wrong
                if found:
                    yield from found
                    at = end
                    break
            else:
                raise problem or self._refusal(parts[at])

    def _whole_text(self, line: str) -> Mark | None:
        """`notes=one, two`: a text that has its commas itself."""
        head, equals, value = line.partition("=")
        names = self.named(head.strip()) if equals and "," in line else []
        texts = len(names) == 1 and self.sheet.declared(names[0])
        if not texts or texts.words or texts.kind not in ("text", "list"):
            return None
        return Mark(names[0], texts.accept(names[0], value.strip()))

    def phrase(self, text: str) -> list[Mark]:
        """Return what one phrase writes; nothing where it is not understood."""
        text = text.strip()
        if insisted := re.fullmatch(r"([^=]+?)\s+(=\S.*)", text):  # `target =New Kofu`: a name to be taken as it is
            if found := self._said(insisted[1], insisted[2]):
                return found
        elif "=" in text:
            return self._pair(text)
        words = text.split()
        cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(len(words) - 1, 0, -1)]
        if (flag := self._flag(words)) is not None:
            return [flag]
        for head, value in cuts:
            if found := self._said(head, value):
                return found
        for value, head in cuts:  # `out of formation`, `no evasive action`
            if _plain(head) and (found := self._said(head, value, texts=False)):
                return found
        if found := self._member(words):
            return found
        for head, value in cuts:
            if not self.named(head) and (found := self._said(head, value, loosely=True)):
                return found
        return self._alone(text) or next(filter(None, (self._both(*cut) for cut in cuts)), [])

    def _both(self, first: str, rest: str) -> list[Mark]:
        """Two phrases and more without a comma between them."""
        words = first.split()
        begun = len(words) > 1 and next(
            filter(None, (self._said(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))), []
        )
        return [*begun, *more] if begun and (more := self.phrase(rest)) else []

    def _pair(self, text: str) -> list[Mark]:
        """FIELD=VALUE, the field by its name or its label."""
        head, _, value = (part.strip() for part in text.partition("="))
        names = self.named(head) or self.named(head, loosely=self._writable(head))
        if not names:
            return []
        for name in names if len(names) == 1 else ():
            taken = self.taken(name, value)
            if len(taken) == 1:
                return [Mark(name, taken[0])]
            if not taken:
                self.sheet.declared(name).accept(self._called(name, head), value)  # says what is wrong
            raise UserError(f"{self.sheet.text(name)} {value} may be {self._spoken(name, taken)}")
        fitting = [Mark(name, values[0]) for name in names if len(values := self.taken(name, value)) == 1]
        if len(fitting) == 1:
            return fitting
        raise UserError(f"{head} may be {self._labels(names)}")

    def _called(self, name: str, typed: str) -> str:
        """A field as the player typed it: by its name or by its label."""
        return name if bare(name) == bare(typed) else self.sheet.text(name)

    # -- fields ----------------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[str, str]:
        """Every field that a player sees, with its label; for a roll also what is worked out."""
        sheet = self.sheet
        labels = {
            name: sheet.text(name)
            for name, declared in sheet.fields.items()
            if declared.section != "working" and declared.kind != "list" and not sheet.free(name, self.state)
        }
        if not self.written:
            labels |= {name: derived.label for name, derived in sheet.derived.items() if derived.label != name}
        return labels

    @cached_property
    def _by_label(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, label in self.labels.items():
            found.setdefault(_plain(label), []).append(name)
        return found

    def named(self, typed: str, *, loosely: bool = False) -> list[str]:
        """The fields of that name or label; `loosely` those whose label has all of the words, in any order."""
        if loosely:
            parts = {each for each in map(_plain, typed.split()) if each}
            said = (name for name in self.labels if self._says(name))
            return [name for name in said if parts and self._has(name, parts)]
        wanted, sheet = typed.strip().casefold(), self.sheet
        if (name := sheet.exact(wanted)) is not None and (not self.written or isinstance(sheet.known[name], WRITTEN)):
            return [] if self.written and sheet.inner(name) else [name]
        if (plain := _plain(typed)) in self.fields:
            return [self.fields[plain]]
        same = self._by_label.get(plain, []) if plain else []
        exact = [name for name in same if bare(self.labels[name]) == bare(typed)]
        return [name for name in exact if self.labels[name].casefold() == wanted] or exact or same

    def _has(self, name: str, parts: set[str]) -> bool:
        """Whether the label of a field has these words, or its name has them (`fwd`), or says port for left."""
        words = _words(self.labels[name]) | _words(re.sub(r"[.-]", " ", name))
        return all(part in words or SIDES.get(part) in words for part in parts)

    def _writable(self, typed: str) -> bool:
        """Raise a UserError for the name of something that no one can write: a worked-out fact, a gun that is meant."""
        name = self.sheet.exact(typed) if self.written else None
        if name is not None:
            self.sheet.declared(name)
            if self.sheet.inner(self.sheet.writable(name)):
                raise UserError(f"{name} is worked out by the companion and cannot be written")
        return True

    def _says(self, name: str) -> bool:
        declared = self.sheet.declared(name)
        return bool(declared.values or declared.numeric)

    def _said(self, head: str, value: str, *, loosely: bool = False, texts: bool = True) -> list[Mark]:
        """The one field that the head means and that takes the value. Raises a UserError where there are several."""
        names = [name for name in self.named(head, loosely=loosely) if texts or self._says(name)]
        fitting = [(name, values) for name in names if (values := self.taken(name, value, loosely=loosely))]
        if len(fitting) > 1:
            raise UserError(f"{head} may be {self._labels([name for name, _ in fitting])}")
        for name, values in fitting:
            if len(values) > 1:
                raise UserError(f"{self.sheet.text(name)} {value} may be {self._spoken(name, values)}")
            return [Mark(name, values[0])]
        return []

    def taken(self, name: str, typed: str, *, loosely: bool = False) -> list[Value]:
        """The values that words may be in a field: as it is written, as it is printed, as people say it."""
        sheet, declared = self.sheet, self.sheet.declared(name)
        if declared.kind in CROSSED and (number := self._counted(name, declared, typed)) is not None:
            typed = str(number)
        try:
            return [declared.accept(sheet.text(name), sheet.nicknames.member(typed.strip(), declared.values))]
        except UnknownName:
            if not loosely:
                raise
            return []
        except UserError:
            wanted = _plain(typed)
        if not wanted:
            return []
        spoken = [value for value in declared.values if wanted in (_plain(sheet.say(name, value)), _plain(value))]
        return list(spoken or self._synonyms(name, typed))

    def _counted(self, name: str, declared: Field, typed: str) -> int | None:
        """`+2` and `-1` beside what is crossed off, `18 left` of the boxes there are."""
        number = figure(typed)
        if number is not None and typed[:1] in "+-":
            return number + int(self.state.get(name, declared.blank))
        left = re.fullmatch(r"left (\d+)|(\d+)(?: boxes)? left", typed.casefold())
        if left and isinstance(declared.limit, int):
            return declared.limit - int(left[1] or left[2])
        return None

    def _synonyms(self, name: str, typed: str) -> list[str]:
        """The values that a game's own words or everyday words mean in a field."""
        declared = self.sheet.declared(name)
        if own := self._own(name, declared, typed):
            return own
        wanted = _plain(typed)
        each = " ".join(values for said, values in EVERYDAY.items() if wanted in map(_plain, said.split())).split()
        means = {value for some in each if {*some.split("&")} <= {*declared.values} for value in some.split("&")}
        return [value for value in declared.values if value in means]

    def _own(self, name: str, declared: Field, typed: str) -> list[str]:
        """The value that the game's own words mean in a field: `0-12000 feet` is any altitude up to there."""
        own = self.values.get(name) or self.values.get(declared.name) or {}
        wanted, number = _plain(typed), figure(re.sub(r"\D", "", typed))
        for said, value in own.items():
            span = re.fullmatch(r"(\d+)-(\d+) (\w+)", said)
            measured = span is not None and number is not None and typed.casefold().split()[-1] == span[3]
            if _plain(said) == wanted or (span and measured and int(span[1]) <= number <= int(span[2])):  # type: ignore[operator]
                return [value]
        return []

    def _flag(self, words: list[str]) -> Mark | None:
        """`evasive action` is yes, `not evasive action` is no."""
        no = words[0].casefold() in NO and len(words) > 1
        wanted = _plain(" ".join(words[1:] if no else words))
        for name in self._by_label.get(wanted, ()):
            if set(self.sheet.declared(name).values) == {"yes", "no"}:
                return Mark(name, "no" if no else "yes")
        name = self.sheet.exact(" ".join(words[no:]).casefold()) or ""
        if name in self.labels and set(self.sheet.declared(name).values) == {"yes", "no"}:
            return Mark(name, "no" if no else "yes")
        return None

    def _member(self, words: list[str]) -> list[Mark]:
        """`fighter 1 Me 109 12 high` in its slot, `fighter 2 gone`, `Tojo 6 level ace` in the next free one."""
        sheet, index = self.sheet, index_of(self.sheet)
        if not index or not self.written:
            return []
        slot = words[1] if len(words) > 2 and _plain(words[0]) == _plain(index) else ""
        rest = " ".join(words[2:] if slot else words)
        if slot and slot not in sheet.index[index]:
            return []
        member = sheet.known[index]
        assert isinstance(member, Member)
        if slot and _plain(rest) in map(_plain, ("gone", "destroyed", "shot down", "driven off", "none", "away")):
            return [Mark(member.present.format(slot), "none")]
        try:
            values = values_of(sheet, index, rest)
        except UnknownWord:
            return []
        if not values or (not slot and unsaid(sheet, index, values)):
            return []
        if slot:
            return [Mark(f"{index}.{slot}.{key}", value) for key, value in values.items()]
        return [Mark(*pair) for pair in placed(self, index, values, another=True)[1].items()]

    def _alone(self, text: str) -> list[Mark]:
        """A value that says by itself which line it belongs to: `10,000 feet`, `Kobe`."""
        fitting = []
        for name in self.labels if self.alone else ():
            declared = self.sheet.declared(name)
            if declared.words and declared.known and "[" not in declared.name:
                values: Sequence[Value] = [name for name in {*declared.known.values()} if _plain(name) == _plain(text)]
            else:
                values = self._own(name, declared, text)
            fitting += [Mark(name, value) for value in values[:1]]
        return fitting if len(fitting) == 1 else []

    def boxes(self, typed: str) -> str:
        """The one field with boxes or hits that is meant. Raises a UserError where there is none, or several."""
        names = self.named(typed) or self.named(typed, loosely=self._writable(typed))
        crossed = [name for name in names if self.sheet.declared(name).kind in CROSSED]
        if len(crossed) == 1:
            return crossed[0]
        if crossed:
            raise UserError(f"{typed} may be {self._labels(crossed)}")
        if names:
            raise UserError(f"{self.sheet.text(names[0])} has no boxes; use: companion set {names[0]}=VALUE")
        meant = self._near(typed, CROSSED)
        raise UserError(f"There are no boxes {typed!r}{f'; did you mean {one_of(meant)}?' if meant else '.'}")

    # -- what is wrong ---------------------------------------------------------------------------------------------

    def _refusal(self, text: str) -> UserError:
        """Say what is wrong with words that mean nothing: the value, where a field was meant, else the name."""
        words = text.partition("=")[0].split() if "=" in text else text.split()
        if "=" not in text and len(whose := [name for name in self.labels if self._synonyms(name, text)]) > 1:
            return UserError(f"Say what is {text}, such as: {self.sheet.text(whose[0])} {text}")
        if (odd := self._odd(words)) is not None:
            return odd
        for loosely in (False, True):
            for count in range(len(words), 0, -1):
                head, rest = " ".join(words[:count]), " ".join(words[count:])
                named = self.named(head, loosely=loosely)
                if len(named) == 1:
                    return self._wrong(named[0], rest)
                if named:
                    return UserError(f"{head} may be {self._labels(named)}")
                if ("=" in text or count < max(2, len(words))) and (meant := self._near(head)):  # a value comes last
                    return UserError(f"There is no field {head!r}; did you mean {one_of(meant)}?")
        head = " ".join(words if "=" in text else words[:-1] or words)
        return UserError(f"There is no field {head!r}. Name a line of the sheet and its value: engine 2 out, zone=5")

    def _odd(self, words: list[str]) -> UserError | None:
        """A word after `fighter 1` that says nothing of a fighter."""
        index = index_of(self.sheet)
        if not index or len(words) < 3 or _plain(words[0]) != _plain(index) or words[1] not in self.sheet.index[index]:
            return None
        try:
            values_of(self.sheet, index, " ".join(words[2:]))
        except UserError as problem:
            return problem
        return None

    def _near(self, typed: str, kinds: Sequence[str] = ()) -> list[str]:
        """Labels of fields that may be meant by a slip, and names for somebody who types names."""
        import difflib

        by_name = "." in typed and " " not in typed
        labels = {
            name: label for name, label in self.labels.items() if not kinds or self.sheet.declared(name).kind in kinds
        }
        called = {name if by_name else bare(label): name for name, label in labels.items()}
        if by_name and not kinds:
            short = {name: name for name, known in self.sheet.known.items() if not self._unseen(name, known)}
            called = {**called, **short}
        wanted, like = (typed.casefold(), 0.7) if by_name else (bare(typed), 0.8)
        near = difflib.get_close_matches(wanted, called, 3, like)
        return list(dict.fromkeys(each if by_name else self.labels[called[each]] for each in near))

    def _unseen(self, name: str, known: object) -> bool:
        """A name that is not offered: an inner one, and on the sheet what is worked out or another's."""
        if self.sheet.inner(name) or (isinstance(known, Derived) and known.label == name):
            return True
        return self.written and not isinstance(known, WRITTEN)

    def _wrong(self, name: str, rest: str) -> UserError:
        sheet, declared = self.sheet, self.sheet.declared(name)
        label = sheet.text(name)
        span = self._spoken(name, declared.values) or declared.span
        if rest and not declared.values:
            try:
                declared.accept(label, rest)
            except UserError as problem:
                return problem
        return UserError(f"{label} cannot be {rest}; it takes {span}." if rest else f"{label} takes {span}; say which")

    def _spoken(self, name: str, values: Sequence[Value]) -> str:
        return one_of([self.sheet.say(name, value) for value in values])

    def _labels(self, names: Sequence[str]) -> str:
        """Fields by their labels, not more of them than one takes in."""
        labels = list(dict.fromkeys(self.sheet.text(name) for name in names))
        if len(labels) == 1:
            labels = list(names)  # the sheet has several of one label, and only their names tell them apart
        return one_of([*labels[:MOST], *(["another"] if len(labels) > MOST else [])])


def _plain(text: str) -> str:
    """Words without small words, case and hyphens, and without the `s` of a plural."""
    words = [bare(word) for word in re.split(r"[\s,]+", text) if word.casefold().strip(",.") not in SMALL_WORDS]
    return "".join(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    )


def _words(label: str) -> set[str]:
    """The words of a label: `Port outboard tank` is a port tank too."""
    return {_plain(word) for word in re.split(r"[\s,]+", label)} - {""}


# -- men and seats -----------------------------------------------------------------------------------------------------


def move_said(text: str) -> tuple[str, str] | None:
    """Who moves where, of `navigator to bombardier` with or without `move` before it; None for anything else."""
    match = re.fullmatch(MOVE, text.strip())
    return (match[1], match[2]) if match else None


def members_named(sheet: Sheet, index: str, typed: str) -> list[str]:
    """The men, seats or guns that words mean: by name or label, by the beginning of one, by where it is."""
    wanted = bare(re.sub(r"^the ", "", typed.strip(), flags=re.IGNORECASE))
    called = {member: (bare(member), bare(str(has.get("label", member)))) for member, has in sheet.index[index].items()}
    whole = [member for member, names in called.items() if wanted in names]
    begun = [member for member, names in called.items() if any(name.startswith(wanted) for name in names)]
    there = [
        member
        for member, has in sheet.index[index].items()
        if any(
            wanted == bare(str(sheet.index.get(key, {}).get(str(value), {}).get("label", value)))
            for key, value in has.items()
            if key != "label"
        )
    ]
    return whole or list(dict.fromkeys([*begun, *there])) if wanted else []


# -- tables ------------------------------------------------------------------------------------------------------------


def table_named(pack: Pack, typed: str) -> Table:
    """The table of that number however it is typed (`5.9`, `59`, `p4`, `table 5-9`), or with those words in its title.

    Raises a UserError that lists the tables where there are several, or near ones where there is none.
    """
    said = re.sub(WITH_MODIFIERS, "", typed.strip())
    words = said.split()
    while len(words) > 1 and words[0].casefold() in IDLE_TABLE:
        words = words[1:]
    said = " ".join(words)
    if (name := said.casefold()) in pack.files or "." in name:
        try:
            return pack.table(said)
        except UserError:
            pass
    numbers = {each: pack.heading(each)[0] or each for each in pack.files if each not in NOT_TABLES}
    wanted = {bare(said), bare(said.replace("to", "2"))} if not any(map(str.isdigit, said)) else {bare(said)}
    same = [each for each, number in numbers.items() if bare(number) in wanted or bare(each) in wanted]
    if len(same) > 1 and (like := [each for each in same if _dashed(each) == _dashed(said)]):
        same = like
    if not same:
        titles = {each: _plain(pack.heading(each)[1]) for each in numbers}
        parts = [part for part in map(_plain, words) if part]
        same = [each for each, title in titles.items() if title == _plain(said)]
        same = same or [
            each for each in numbers if parts and set(parts) <= _words(pack.heading(each)[1].replace("/", " "))
        ]
    if len(same) == 1:
        return pack.table(same[0])
    if same:
        told = [f"{numbers[each]} {pack.heading(each)[1]}".strip() for each in sorted(same, key=natural_order)]
        raise UserError(f"{said} may be {one_of(told)}")
    return pack.table(said)  # which offers near ones


def roll_said(pack: Pack, text: str) -> tuple[Table, str]:
    """The table of a phrase, and the dice or the fighter that follow it: `5-9 44`, `table 5-9 Zeke 6 level`."""
    words = re.sub(WITH_MODIFIERS, "", text.strip()).split()
    wrong: UserError | None = None
    for count in range(len(words), 0, -1):
        try:
            table = table_named(pack, " ".join(words[:count]))
        except UserError as problem:
            wrong = problem
        else:
            return table, " ".join(words[count:])
    raise wrong or UserError("Name a table, such as: roll 5-9")


def dice_said(text: str) -> tuple[list[list[int]], str]:
    """The dice that follow a table, a group for each roll (`44`, `3,4/2`); else the words, which tell of a fighter."""
    if re.fullmatch(r"[\d,/ ]+", text):
        return [throws.typed(part) for part in text.replace("/", " ").split()], ""
    return [], text


def _dashed(number: str) -> str:
    """`5.9` as `5-9`, for books that print both and players who type one."""
    return number.strip().casefold().replace(".", "-")
