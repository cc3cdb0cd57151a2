"""Phrases that a player types, understood: fields with their values, fighters, men and seats, tables.

The shell, a flight, scripts and the page all read a line here, in the words of `vocabulary.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.engine import dice as throws
from companion.engine.fields import Value
from companion.engine.sheet import CROSSED, Member, Sheet
from companion.play.fighter_phrase import Pair, UnknownWord, index_of, placed, unsaid, values_of
from companion.play.mission import Mission
from companion.play.vocabulary import Vocabulary, plain, words_of
from companion.problems import UserError
from companion.words import bare, figure, natural_order, one_of

if TYPE_CHECKING:
    from companion.engine.rules import Game
    from companion.engine.tables import Table
    from companion.packs import Pack

NO = ("no", "not", "without")
GONE = ("gone", "destroyed", "shot down", "driven off", "none", "away")
MOVE = r"(?i)(?:move\s+)?(.+?)\s+(?:to|into)\s+(.+)"
IDLE_TABLE = ("table", "chart", "on", "the", "roll")
WITH_MODIFIERS = r"(?i)\s+with\s+(?:all\s+)?(?:the\s+)?modifiers?(?:\s+now)?\s*$"


def marks(mission: Mission, text: str, *, alone: bool = True) -> list[Pair]:
    """Return what a line writes on the sheet, several phrases with commas between them.

    Raises a UserError that says what is not understood, or which fields an ambiguous word may mean.

    Args:
        alone: Accept a value without its field (`10,000 feet`).
    """
    return Phrases(mission.game, mission.state, alone=alone).read([text])


def given(game: Game, typed: Sequence[str], state: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Return the facts given for one roll; worked-out facts and the gun that is meant are among them."""
    return dict(Phrases(game, state or {}, written=False).read(typed)) if typed else {}


def written(game: Game, typed: Sequence[str], state: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Return the fields that a line writes on a sheet of that state."""
    return dict(Phrases(game, state or {}).read(typed)) if typed else {}


def boxes_said(mission: Mission, typed: Sequence[str]) -> tuple[str, int]:
    """Return the boxes or the count that words mean (`wing tanks 2`), and how many; one unless said."""
    words = " ".join(typed).split()
    count = figure(words[-1]) if len(words) > 1 else None
    return _boxes(Vocabulary(mission.game, mission.state), " ".join(words if count is None else words[:-1])), count or 1


class Phrases:
    """A line about a sheet, read phrase by phrase. `written`: it is for the sheet itself, not for one roll."""

    def __init__(self, game: Game, state: Mapping[str, Value], *, written: bool = True, alone: bool = True) -> None:
        self.game, self.sheet, self.state, self.written = game, game.sheet, state, written
        self.vocabulary = Vocabulary(game, state, written=written)
        self.alone = alone
        self._odd: UserError | None = None  # a word after `fighter 1` that is not understood

    def read(self, typed: Sequence[str]) -> list[Pair]:
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

    def _all(self, lines: Sequence[str]) -> list[Pair]:
        found, facts = list[Pair](), dict[str, Value]()
        with self.sheet.nicknames.along_with(facts):
            for line in lines:
                for pair in self._line(line):
                    found.append(pair)
                    facts.update([pair])
        return found

    def _line(self, line: str) -> Iterator[Pair]:
        """Read one line: phrases with commas between them, where no comma is part of a label or of a number."""
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

    def _whole_text(self, line: str) -> Pair | None:
        """Read `notes=one, two`: a text that has commas itself."""
        head, equals, value = line.partition("=")
        names = self.vocabulary.named(head.strip()) if equals and "," in line else []
        texts = len(names) == 1 and self.sheet.declared(names[0])
        if not texts or texts.words or texts.kind not in ("text", "list"):
            return None
        return names[0], texts.accept(names[0], value.strip())

    def phrase(self, text: str) -> list[Pair]:
        """Return what one phrase writes; nothing where it is not understood."""
        text = text.strip()
        self._odd = None
        if insisted := re.fullmatch(r"([^=]+?)\s+(=\S.*)", text):  # `target =New Kofu`: a name to be taken as it is
            if found := self._field(insisted[1], insisted[2]):
                return found
        elif "=" in text:
            return self._pair(text)
        words = text.split()
        cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(len(words) - 1, 0, -1)]
        return (
            self._flag(words)
            or _first(self._field(head, value) for head, value in cuts)
            or _first(self._field(head, value, turned=True) for value, head in cuts)
            or self._member(words)
            or _first(self._field(head, value, loosely=True) for head, value in cuts)
            or self._value(text)
            or _first(self._both(*cut) for cut in cuts)
        )

    def _pair(self, text: str) -> list[Pair]:
        """Read FIELD=VALUE, the field by its name or its label."""
        head, _, value = (part.strip() for part in text.partition("="))
        names = self.vocabulary.meant(head)
        fitting = [(name, values) for name in names if (values := self.vocabulary.values(name, value))]
        if len(names) == 1 and not fitting:
            label = names[0] if bare(names[0]) == bare(head) else self.sheet.text(names[0])
            self.sheet.declared(names[0]).accept(label, value)  # raises what is wrong
        if len(names) > 1:
            fitting = [each for each in fitting if len(each[1]) == 1]
            if len(fitting) != 1:
                raise UserError(f"{head} may be {self.vocabulary.say_fields(names)}")
        return self._one_value(value, fitting)

    def _field(self, head: str, value: str, *, loosely: bool = False, turned: bool = False) -> list[Pair]:
        """Read a field and its value, also `turned` around: `out of formation`, `no evasive action`.

        Raises a UserError where several fields or values may be meant.
        """
        words = self.vocabulary
        names = words.named(head)
        if loosely:
            names = [] if names else words.with_words(head)
        elif turned:
            names = [name for name in names if plain(head) and words.has_values(name)]
        fitting = []
        for name in names:
            try:
                fitting += [(name, values)] if (values := words.values(name, value)) else []
            except UserError:
                if not loosely:
                    raise
        if len(fitting) > 1:
            raise UserError(f"{head} may be {words.say_fields([name for name, _ in fitting])}")
        return self._one_value(value, fitting)

    def _one_value(self, typed: str, fitting: Sequence[tuple[str, list[Value]]]) -> list[Pair]:
        """Return the one field with its value, if any. Raises a UserError where several values may be meant."""
        for name, values in fitting:
            if len(values) > 1:
                may_be = self.vocabulary.say_values(name, values)
                raise UserError(f"{self.sheet.text(name)} {typed} may be {may_be}")
            return [(name, values[0])]
        return []

    def _flag(self, words: list[str]) -> list[Pair]:
        """Read `evasive action` as yes, `not evasive action` as no."""
        no = words[0].casefold() in NO and len(words) > 1
        typed = " ".join(words[no:])
        exact = self.sheet.exact(typed.casefold()) or ""
        for name in [*self.vocabulary.by_label.get(plain(typed), ()), exact]:
            if name in self.vocabulary.labels and set(self.sheet.declared(name).values) == {"yes", "no"}:
                return [(name, "no" if no else "yes")]
        return []

    def _member(self, words: list[str]) -> list[Pair]:
        """Read `fighter 1 Me 109 12 high` in its slot, `fighter 2 gone`, `Tojo 6 level ace` in the next free one."""
        sheet, index = self.sheet, index_of(self.sheet)
        if not index or not self.written:
            return []
        slot = words[1] if len(words) > 2 and plain(words[0]) == plain(index) else ""
        if slot and slot not in sheet.index[index]:
            return []
        rest = " ".join(words[2:] if slot else words)
        member = sheet.known[index]
        assert isinstance(member, Member)
        if slot and plain(rest) in map(plain, GONE):
            return [(member.present.format(slot), "none")]
        try:
            values = values_of(sheet, index, rest)
        except UnknownWord as odd:
            self._odd = odd if slot else None
            return []
        if slot:
            return [(f"{index}.{slot}.{key}", value) for key, value in values.items()]
        if not values or unsaid(sheet, index, values):
            return []
        board = Mission(self.game, dict(self.state))
        return list(placed(board, index, values, another=True)[1].items())

    def _value(self, text: str) -> list[Pair]:
        """Read a value that only one field may have: `10,000 feet`, `Kobe`."""
        fitting = []
        for name in self.vocabulary.labels if self.alone else ():
            declared = self.sheet.declared(name)
            if declared.words and declared.known and "[" not in declared.name:
                values = [known for known in {*declared.known.values()} if plain(known) == plain(text)]
            else:
                values = self.vocabulary.own(name, text)
            fitting += [(name, values[0])] if values else []
        return list[Pair](fitting) if len(fitting) == 1 else []

    def _both(self, first: str, rest: str) -> list[Pair]:
        """Read two phrases and more without a comma between them."""
        words = first.split()
        begun = _first(self._field(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))
        return [*begun, *more] if begun and (more := self.phrase(rest)) else []

    def _refusal(self, text: str) -> UserError:
        """Return what is wrong with words that mean nothing: the value, where a field was meant, else the name."""
        vocabulary, pair = self.vocabulary, "=" in text
        words = text.partition("=")[0].split()
        whose = [] if pair else [name for name in vocabulary.labels if vocabulary.meanings(name, text)]
        if len(whose) > 1:
            return UserError(f"Say what is {text}, such as: {self.sheet.text(whose[0])} {text}")
        if self._odd is not None:
            return self._odd
        for find in (vocabulary.named, vocabulary.with_words):
            for count in range(len(words), 0, -1):
                head, rest = " ".join(words[:count]), " ".join(words[count:])
                if len(names := find(head)) > 1:
                    return UserError(f"{head} may be {vocabulary.say_fields(names)}")
                if names:
                    return self._wrong_value(names[0], rest)
                if (pair or count < max(2, len(words))) and (meant := vocabulary.like(head)):  # a value comes last
                    return UserError(f"There is no field {head!r}; did you mean {one_of(meant)}?")
        head = " ".join(words if pair else words[:-1] or words)
        return UserError(f"There is no field {head!r}. Name a line of the sheet and its value: engine 2 out, zone=5")

    def _wrong_value(self, name: str, typed: str) -> UserError:
        declared, label = self.sheet.declared(name), self.sheet.text(name)
        span = self.vocabulary.say_values(name, declared.values) or declared.span
        if typed and not declared.values:
            try:
                declared.accept(label, typed)
            except UserError as problem:
                return problem
        return UserError(
            f"{label} cannot be {typed}; it takes {span}." if typed else f"{label} takes {span}; say which"
        )


def _first(readings: Iterator[list[Pair]]) -> list[Pair]:
    """Return the first reading that found something."""
    return next(filter(None, readings), [])


def _boxes(vocabulary: Vocabulary, typed: str) -> str:
    """Return the one field with boxes or hits that is meant. Raises a UserError where there is none, or several."""
    sheet = vocabulary.sheet
    names = vocabulary.meant(typed)
    crossed = [name for name in names if sheet.declared(name).kind in CROSSED]
    if len(crossed) == 1:
        return crossed[0]
    if crossed:
        raise UserError(f"{typed} may be {vocabulary.say_fields(crossed)}")
    if names:
        raise UserError(f"{sheet.text(names[0])} has no boxes; use: companion set {names[0]}=VALUE")
    vocabulary.labels = {
        name: label for name, label in vocabulary.labels.items() if sheet.declared(name).kind in CROSSED
    }
    meant = vocabulary.like(typed)
    raise UserError(f"There are no boxes {typed!r}{f'; did you mean {one_of(meant)}?' if meant else '.'}")


# -- men and seats -----------------------------------------------------------------------------------------------------


def move_said(text: str) -> tuple[str, str] | None:
    """Return who moves where in `move navigator to bombardier`, also without `move`; None for anything else."""
    match = re.fullmatch(MOVE, text.strip())
    return (match[1], match[2]) if match else None


def members_named(sheet: Sheet, index: str, typed: str) -> list[str]:
    """Return the men, seats or guns that words mean: by name or label, by its beginning, or by where it is."""
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
    """Return the table of that number (`5.9`, `59`, `p4`, `table 5-9`), or with those words in its title.

    Raises a UserError that lists the tables where there are several, or near ones where there is none.
    """
    words = re.sub(WITH_MODIFIERS, "", typed.strip()).split()
    while len(words) > 1 and words[0].casefold() in IDLE_TABLE:
        words = words[1:]
    said = " ".join(words)
    if said.casefold() in pack.files or "." in said:
        with suppress(UserError):
            return pack.table(said)
    numbers = {each: number for each, (number, _) in pack.headings.items()}
    titles = {each: title for each, (_, title) in pack.headings.items()}
    wanted = {bare(said), bare(said.replace("to", "2")) if not any(map(str.isdigit, said)) else ""} - {""}
    parts = words_of(said)
    same = [each for each, number in numbers.items() if bare(number) in wanted or bare(each) in wanted]
    same = [each for each in same if _dashed(each) == _dashed(said)] or same
    same = same or [each for each, title in titles.items() if plain(title) == plain(said)]
    same = same or [each for each, title in titles.items() if parts and parts <= words_of(title.replace("/", " "))]
    if len(same) > 1:
        told = [f"{numbers[each]} {titles[each]}".strip() for each in sorted(same, key=natural_order)]
        raise UserError(f"{said} may be {one_of(told)}")
    return pack.table(same[0] if same else said)  # which offers near ones


def roll_said(pack: Pack, text: str) -> tuple[Table, str]:
    """Return the table of a phrase, and the dice or the fighter after it: `5-9 44`, `table 5-9 Zeke 6 level`."""
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
    """Return the dice after a table, a group for each roll (`44`, `3,4/2`); else the words for a fighter."""
    if re.fullmatch(r"[\d,/ ]+", text):
        return [throws.typed(part) for part in text.replace("/", " ").split()], ""
    return [], text


def _dashed(number: str) -> str:
    """Return `5.9` as `5-9`, for books that print both and players who type one."""
    return number.strip().casefold().replace(".", "-")
