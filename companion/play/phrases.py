"""Parsing of phrases that a player types: fields with values, fighters, men and seats, tables.

The shell, flights, scripts and the page all use it, with the words of `vocabulary.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from companion.engine import dice as throws
from companion.engine.fields import Value
from companion.engine.sheet import CROSSED
from companion.play.members import GONE, Fighters, Pair, UnknownWord
from companion.play.mission import Mission
from companion.play.vocabulary import MOST, Vocabulary, everyday_values, plain, words_of
from companion.problems import UserError
from companion.words import bare, did_you_mean, figure, natural_order, one_of, quoted

if TYPE_CHECKING:
    from companion.engine.tables import Table
    from companion.packs import Pack

NO = ("no", "not", "without")
IDLE_TABLE = ("table", "chart", "on", "the", "roll")
SEVERAL_DICE = r"(?!12$)[1-6]{2,}|[1-6](?:[,/][1-6]+)+"  # not the direction of a fighter
WITH_MODIFIERS = r"(?i)\s+with\s+(?:all\s+)?(?:the\s+)?modifiers?(?:\s+now)?\s*$"


def given(game: Pack, typed: Sequence[str], state: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Parse the facts given for one roll, including worked-out facts and the gun."""
    return dict(Phrases(game, state or {}, written=False).read(typed)) if typed else {}


def written(game: Pack, typed: Sequence[str], state: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Return the fields that a line, or the words of a command, writes on a sheet in that state.

    Raise a UserError that names the unknown phrase, or the fields that an ambiguous word may mean.
    """
    return dict(Phrases(game, state or {}).read(typed)) if typed else {}


def boxes_said(mission: Mission, typed: Sequence[str]) -> tuple[str, int]:
    """Parse a boxes or count field and a number (`wing tanks 2`); the default is one.

    Raise a UserError if there is no such field, or several.
    """
    words = " ".join(typed).split()
    count = figure(words[-1]) if len(words) > 1 else None
    said = " ".join(words if count is None else words[:-1])
    vocabulary, sheet = Vocabulary(mission.game, mission.state), mission.game.sheet
    names = vocabulary.meant(said)
    crossed = [name for name in names if sheet.declared(name).kind in CROSSED]
    if len(crossed) == 1:
        return crossed[0], count or 1
    if crossed:
        raise UserError(f"{said} could be {one_of([*map(sheet.text, crossed[:MOST])])}.")
    if names:
        raise UserError(f"{sheet.text(names[0])} has no boxes. Use: companion set {quoted(sheet.text(names[0]))} …")
    labels = vocabulary.labels.items()
    vocabulary.labels = {name: label for name, label in labels if sheet.declared(name).kind in CROSSED}
    hint = did_you_mean(vocabulary.like(said), "List the fields: companion fields")
    raise UserError(f"There are no boxes {said!r}. {hint}")


class Unclear(UserError):
    """Raised for ambiguous words; `pairs` are the fields and values that they may mean."""

    def __init__(self, typed: str, pairs: Sequence[Pair]) -> None:
        super().__init__(typed)
        self.typed, self.pairs = typed, list(dict.fromkeys(pairs))


class Phrases:
    """A line about a sheet, parsed phrase by phrase.

    Args:
        written: It is for the sheet itself, not for one roll.
        alone: Accept a value without its field (`10,000 feet`).
    """

    def __init__(self, game: Pack, state: Mapping[str, Value], *, written: bool = True, alone: bool = True) -> None:
        self.game, self.sheet, self.state, self.written = game, game.sheet, state, written
        self.vocabulary = Vocabulary(game, state, written=written)
        self.alone = alone
        self._facts: dict[str, Value] = {}  # what the line has written so far
        self._odd: UserError | None = None  # an unknown word after `fighter 1`

    def read(self, typed: Sequence[str]) -> list[Pair]:
        """Read the words of a command, as separate phrases or as one line."""
        lines: list[str] = []
        loose = False
        for word in typed:
            alone = not re.search(r"[\s=]", word.strip())
            lines[-1:] = [f"{lines[-1]} {word}"] if alone and loose else [*lines[-1:], word]
            loose = alone
        if not any(line.strip(" ,") for line in lines):
            raise UserError("Type a field and its value, e.g. tail guns jammed.")
        ways, whole = [lines], [" ".join(typed)]
        if (equals := next((at for at, word in enumerate(typed) if "=" in word), 0)) and len(lines) > 1:
            ways.insert(0, [" ".join(typed[: equals + 1]), *typed[equals + 1 :]])  # wing tanks=20
        problems = list[UserError]()
        for way in [*ways, whole]:
            try:
                return self._all(way)
            except UserError as problem:
                problems.append(problem)
        told = problems[-1 if whole[0].count("=") == 1 else -2 if len(lines) > 1 else 0]
        if isinstance(told, Unclear):
            meant = [self.example(*pair) for pair in told.pairs[: MOST + 1]]
            raise UserError(f"{told.typed!r} could be {self._some(meant)}.")
        raise told

    def _some(self, choices: Sequence[str]) -> str:
        """Return the first few meanings, for an error message."""
        each = list(dict.fromkeys(choices))
        return one_of([*each[:MOST], *(["another"] if len(each) > MOST else [])])

    def example(self, name: str, value: Value) -> str:
        """Return one way to type that value of a field."""
        said, label = self.vocabulary.say(name, value), words_of(self.sheet.text(name))
        members = " ".join(each for each in name.split(".")[:-1] if each.isalpha() and each not in label)
        for each in (said, f"{members} {said}"):  # outbound weather, zone 1 poor
            with suppress(UserError):
                if self.phrase(each) == [(name, value)]:
                    return each
        return f"{name}={value}"

    def _all(self, lines: Sequence[str]) -> list[Pair]:
        self._facts, found = {}, list[Pair]()
        with self.sheet.nicknames.along_with(self._facts):
            for line in lines:
                for pair in self._line(line):
                    found.append(pair)
                    self._facts.update([pair])
                    if pair[0].partition(".")[0] in self.sheet.nicknames.families.values():  # known from here on
                        self.vocabulary = Vocabulary(self.game, self.state, written=self.written)
        return found

    def _line(self, line: str) -> Iterator[Pair]:
        """Read one line of phrases, separated by commas that are not part of a text, a label or a number."""
        head, equals, value = line.partition("=")
        names = self.vocabulary.named(head.strip()) if equals and "," in line else []
        field = self.sheet.declared(names[0]) if len(names) == 1 else None
        if field is not None and not field.words and field.kind in ("text", "list"):  # `notes=one, two`
            yield names[0], field.accept(names[0], value.strip())
            return
        line = re.sub(r"(?i)(\d+ (?:boxes )?(?:crossed off|erased)), (?=\d+ left)", r"\1 ", line)
        for label in {label for label in self.vocabulary.labels.values() if "," in label}:
            if label.casefold() in line.casefold():
                line = re.sub(
                    rf"(?i)(?:^|[,;]\s*){re.escape(label)}\b", lambda said: re.sub(r"(?<=\w),", "", said[0]), line
                )
        parts = [part.strip(" .") for part in re.split(r",(?!\d{3}\b)|;|\. ", line) if part.strip(" .")]
        head = parts[0].partition(": ")[0] if ": " in parts[0] else ""  # `Shell hits: nose 1, waist 2`
        at = 0
        while at < len(parts):
            readings = [(end, " ".join(parts[at:end])) for end in range(at + 1, len(parts) + 1)]
            problem: UserError | None = None
            for end, said in [*([(at + 1, f"{head} {parts[at]}")] if at and head else []), *readings]:
                try:
                    found = self.phrase(said)
                except UserError as wrong:
                    problem, found = problem or wrong, []
                if found:
                    yield from found
                    at = end
                    break
            else:
                raise problem or self._refusal(parts[at])

    def phrase(self, text: str) -> list[Pair]:
        """Return the fields that one phrase writes; empty if it is not understood.

        Readings are tried from most to least certain: a label with its value, a value alone, several phrases without a
        comma, some words of a label with a value before, after or among them.
        """
        text = text.strip()
        self._odd = None
        if insisted := re.fullmatch(r"([^=]+?)\s+(=\S.*)", text):  # `target =New Kofu`: a literal name
            if found := self._field(insisted[1], insisted[2]):
                return found
        elif "=" in text:
            return self._pair(text)
        said = [each.split() for each in dict.fromkeys([text, self._normalized(text)]) if each]
        in_any_order = partial(self._best_match, most=0)
        readings = self._exact, in_any_order, self._several, self._refused, self._best_match, self._each
        return _first(reading(words) for reading in readings for words in said)

    def _normalized(self, text: str) -> str:
        """Normalize a phrase: `26 fuel left` becomes `fuel left 26`, a colon becomes a space."""
        text = re.sub(r":(?=\s)|:$", "", text)
        text = re.sub(r"(?i)^(\d+) (\D+) (left|crossed off|used)$", r"\2 \1 \3", text)
        for said, words in self.vocabulary.phrases.words.items():
            text = re.sub(rf"(?i)\b{re.escape(said)}\b", words, text)
        return text

    def _exact(self, words: list[str]) -> list[Pair]:
        """Read a phrase with the full name or label of one field, or a fighter, or a value of one field."""
        no, typed = self._denied(words)
        named = [name for name in self.vocabulary.named(typed) if name in self.vocabulary.labels]
        if flag := next(filter(self.vocabulary.is_flag, named), ""):
            return [(flag, no)]
        cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(len(words) - 1, 0, -1)]
        return (
            _first(self._field(head, value, texts=False) for head, value in cuts)
            or _first(self._field(head, value, texts=False) for value, head in cuts if plain(head))
            or self._member(words)
            or self._value(" ".join(words))
            or next((self._field(head, value) for head, value in cuts if self.vocabulary.named(head)), [])
        )

    def _denied(self, words: list[str]) -> tuple[str, str]:
        """Return the value of a flag with these words, and the words that name it: no for `not evasive action`."""
        no = words[0].casefold() in NO and len(words) > 1
        return ("no", " ".join(words[1:])) if no else ("yes", " ".join(words))

    def _pair(self, text: str) -> list[Pair]:
        """Read FIELD=VALUE, the field by its name or its label."""
        head, _, value = (part.strip() for part in text.partition("="))
        names = self.vocabulary.meant(head)
        fitting = [(name, values) for name in names if (values := self.vocabulary.values(name, value))]
        if len(names) == 1 and not fitting:
            self.sheet.declared(names[0]).accept(self.sheet.text(names[0]), value)  # raises the error
        elif names and not fitting:
            raise self._wrong_value(names[0], value)
        if len(fitting) > 1:
            fitting = [each for each in fitting if len(each[1]) == 1] or fitting
        return self._one(f"{head} {value}", [(name, each) for name, values in fitting for each in values])

    def _field(self, head: str, value: str, *, texts: bool = True) -> list[Pair]:
        """Read a field by its name or label, and its value; `texts` includes free-text fields.

        Raise UserError if several fields or values may be meant.
        """
        words = self.vocabulary
        pairs = [
            (name, each)
            for name in words.named(head)
            if texts or words.has_values(name)
            for each in words.values(name, value)
        ]
        return self._one(f"{head} {value}", pairs)

    def _one(self, typed: str, pairs: Sequence[Pair]) -> list[Pair]:
        """Return the one field with its value, if any. Raise Unclear if there are several."""
        if len(dict.fromkeys(pairs)) > 1:
            raise Unclear(typed, pairs)
        return list(pairs[:1])

    def _member(self, words: list[str]) -> list[Pair]:
        """Read `fighter 1 Me 109 12 high` in its slot, `Tojo 6 level ace` in the next free one, `Me 109 gone`."""
        fighters = Fighters(Mission(self.game, {**self.state, **self._facts}))
        index = fighters.index
        slot = words[1] if len(words) > 2 and plain(words[0]) == plain(index) else ""
        if not index or slot and slot not in fighters.slots:
            return []
        rest = words[2:] if slot else words
        ends = range(not slot, len(rest)) if slot or self.written else ()
        gone = next((at for at in ends if plain(" ".join(rest[at:])) in GONE), None)
        try:
            values = fighters.values_of(" ".join(rest[:gone]))
        except UserError as odd:
            if gone is None and not isinstance(odd, UnknownWord):
                raise
            self._odd = odd if slot else self._odd
            return []
        if slot and gone is None:
            return [(f"{index}.{slot}.{key}", value) for key, value in values.items()]
        if gone is not None:
            slots = [slot] if slot else fighters.matching(values)
            if not slots:
                self._odd = UserError(f"There is no {' '.join(rest[:gone])} on the sheet.")
            return self._one(" ".join(words), [(fighters.member.present.format(each), "none") for each in slots])
        if not values or fighters.unsaid(values):
            return []
        if not self.written:
            return [(f"{index}.{key}", value) for key, value in values.items()]
        return list(fighters.placed(values, another=True)[1].items())

    def _value(self, text: str) -> list[Pair]:
        """Read a value that only one field accepts: `10,000 feet`, `Kobe`, `outbound`."""
        fitting = list[Pair]()
        words = self.vocabulary
        for name in words.with_value(text) if self.alone and bare(text) and not words.named(text) else ():
            known = {*self.sheet.declared(name).known.values()} if self.sheet.declared(name).words else {}
            values = [each for each in known if plain(each) == plain(text)] or words.meanings(name, text)
            fitting += [(name, value) for value in values]
        first = next((name for name in words.phrases.alone if name in dict(fitting)), "")
        likely = {value: at for at, some in enumerate(everyday_values(text)) for value in re.split("[>&]", some)}
        fitting.sort(key=lambda pair: likely.get(str(pair[1]), 0))
        return self._one(text, [pair for pair in fitting if not first or pair[0] == first])

    def _several(self, words: list[str]) -> list[Pair]:
        """Read two or more phrases without commas: `zone 5 outbound`."""
        for at in range(1, len(words)):
            with suppress(UserError):
                if (begun := self._exact(words[:at])) and (
                    more := self._exact(words[at:]) or self._several(words[at:])
                ):
                    return [*begun, *more]
        return []

    def _best_match(self, words: list[str], most: int = 9) -> list[Pair]:
        """Read some words of a label, and a value before, after or among them; the best match wins.

        The words of a flag alone mean yes; `two engines out` does not name the engines.

        Args:
            most: The most words of the label that may be left out.
        """
        vocabulary, found = self.vocabulary, list[tuple[int, Pair]]()
        number = "" if len(words) < 3 else plain(words[0])
        no, typed = self._denied(words)
        for name in vocabulary.with_words(typed):
            if vocabulary.may_be_flag(name, typed):
                found.append((vocabulary.unsaid(name, typed), (name, no)))
        for start in range(len(words)):
            for end in range(start + 1, len(words) + (start > 0)):
                head, value = " ".join([*words[:start], *words[end:]]), " ".join(words[start:end])
                if number.isdigit() and start and len(words_of(head)) == 2:
                    head = " ".join(head.split()[1:])
                for name in vocabulary.with_words(head):
                    with suppress(UserError):
                        unsaid = vocabulary.unsaid(name, head)
                        found += [(unsaid, (name, each)) for each in vocabulary.values(name, value)]
        least = min([most, *(unsaid for unsaid, _ in found)])
        return self._one(" ".join(words), [pair for unsaid, pair in found if unsaid == least])

    def _each(self, words: list[str]) -> list[Pair]:
        """Read `engines 2 and 3 out`, `pilot and copilot dead`: one value for two fields, or two phrases."""
        if "and" not in words[1:-1]:
            return []
        at = words.index("and", 1)
        before, after = words[:at], words[at + 1 :]
        with suppress(UserError):
            if (one := self.phrase(" ".join(before))) and (other := self.phrase(" ".join(after))):
                return [*one, *other]
        one = self.phrase(" ".join([*before, *after[1:]]))
        return [*one, *self.phrase(" ".join([*before[:-1], *after]))] if one else []

    def _refusal(self, text: str) -> UserError:
        """Return the error for unknown words: about the value if a field was recognized, else about the name."""
        vocabulary, pair = self.vocabulary, "=" in text
        words = text.partition("=")[0].split()
        if problem := self._odd or self._unwritable(words, rest=len(words)):
            return problem
        for find in (vocabulary.named, vocabulary.with_words):
            for count in range(len(words), 0, -1):
                head, rest = " ".join(words[:count]), " ".join(words[count:])
                names = find(head)
                if len(names) > 1 and not rest:
                    return UserError(f"{head!r} could be {self._some([*map(vocabulary.called, names)])}.")
                if names:
                    return self._wrong_value(names[0], rest)
                shorter = bare(" ".join(words[: count - 1]))
                meant = [label for label in vocabulary.like(head) if bare(label) != shorter]
                if (
                    meant and not vocabulary.with_words(head) and (pair or count < max(2, len(words)))
                ):  # a value comes last
                    return UserError(f"There is no field {head!r}. {did_you_mean(meant)}")
        example = ", e.g. engine 2 out" if vocabulary.named("engine 2") else ""
        own = [self.sheet.families[f"{name}[{index}]"].heading for index, name in self.sheet.nicknames.families.items()]
        listed = (
            f"companion fields{f'. Give names of your own first: companion fields {own[0].lower()}' if own else ''}"
        )
        return UserError(f"I don't know {text!r}. Type a field and its value{example}. List the fields: {listed}")

    def _refused(self, words: list[str]) -> list[Pair]:
        """Refuse a read-only field before it is mistaken for a similar one."""
        if problem := self._unwritable(words, rest=1):
            raise problem
        names = self.vocabulary.named(" ".join(words[:-1]))
        if names and figure(words[-1]) is not None and self.sheet.declared(names[0]).numeric:
            raise self._wrong_value(names[0], words[-1])
        return []

    def _unwritable(self, words: list[str], rest: int) -> UserError | None:
        """Return whether words name a read-only field: a worked-out fact, a list of rolled results.

        Args:
            rest: The most words that the value may have.
        """
        sheet, fields = self.sheet, self.vocabulary.by_label
        why = {sheet.text(name): "is calculated from other fields" for name in sheet.derived}
        why |= {sheet.text(name): "records your rolls" for name, each in sheet.fields.items() if each.kind == "list"}
        by_words = {plain(label): label for label in why if "[" not in label}
        for count in range(len(words), max(0, len(words) - rest - 1), -1):
            head = plain(" ".join(words[:count]))
            if head in fields:
                return None
            if label := by_words.get(head):
                return UserError(f"{label} {why[label]}. It can't be set.")
        return None

    def _wrong_value(self, name: str, typed: str) -> UserError:
        declared, label = self.sheet.declared(name), self.sheet.text(name)
        span = self.sheet.takes(name)
        if typed and not declared.values:
            try:
                declared.accept(label, typed)
            except UserError as problem:
                return problem
        return UserError(f"{label} must be {span}, not {typed}." if typed else f"{label} needs a value: {span}.")


def _first(readings: Iterator[list[Pair]]) -> list[Pair]:
    """Return the first reading that found something."""
    return next(filter(None, readings), [])


# -- tables ------------------------------------------------------------------------------------------------------------


def table_named(pack: Pack, typed: str) -> Table:
    """Return the table with that number (`5.9`, `59`, `p4`, `table 5-9`), or with those words in its title.

    Raise a UserError that lists the tables if there are several, or similar ones if there is none.
    """
    words = re.sub(WITH_MODIFIERS, "", typed.strip()).split()
    while len(words) > 1 and words[0].casefold() in IDLE_TABLE:
        words = words[1:]
    said = " ".join(words)
    if said.casefold() in pack.layers or "." in said:
        with suppress(UserError):
            return pack.table(said)
    numbers = {each: number for each, (number, _) in pack.headings.items()}
    titles = {each: title for each, (_, title) in pack.headings.items()}
    wanted = {bare(said), bare(said.replace("to", "2")) if not any(map(str.isdigit, said)) else ""} - {""}
    parts = words_of(said)
    same = [each for each, number in numbers.items() if bare(number) in wanted or bare(each) in wanted]
    dashed = said.casefold().replace(".", "-")  # books print both
    same = [each for each in same if each.casefold().replace(".", "-") == dashed] or same
    same = same or [each for each, title in titles.items() if plain(title) == plain(said)]
    same = same or [each for each, title in titles.items() if parts and parts <= words_of(title.replace("/", " "))]
    if len(same) > 1:
        told = [f"{numbers[each]} {titles[each]}".strip() for each in sorted(same, key=natural_order)]
        raise UserError(f"{said} could be {one_of(told)}.")
    return pack.table(same[0] if same else said)  # the error offers similar ones


def roll_said(pack: Pack, text: str) -> tuple[Table, list[list[int]], str]:
    """Return the table of a phrase, and the dice or the fighter after it: `5-9 44`, `table 5-9 Zeke 6 level`."""
    words = re.sub(WITH_MODIFIERS, "", text.strip()).split()
    wrong: UserError | None = None
    for count in range(len(words), 0, -1):
        try:
            table = table_named(pack, " ".join(words[:count]))
        except UserError as problem:
            wrong = problem
        else:
            return table, *_dice_said(words[count:])
    raise wrong or UserError("Name a table, e.g. roll 5-9.")


def _dice_said(words: list[str]) -> tuple[list[list[int]], str]:
    """Return the dice after a table, one group for each roll (`44`, `3,4/2`), and the words for a fighter.

    >>> _dice_said("44 another nick 12 high".split()), _dice_said("zeke 6 level 3,5".split())
    (([[4, 4]], 'another nick 12 high'), ([[3, 5]], 'zeke 6 level'))
    """
    dice = list[str]()
    if re.fullmatch(r"[\d,/ ]+", " ".join(words)):
        words, dice = [], words
    elif words and re.fullmatch(SEVERAL_DICE, words[0]):
        words, dice = words[1:], words[:1]
    elif words and re.fullmatch(SEVERAL_DICE, words[-1]):
        words, dice = words[:-1], words[-1:]
    return [throws.loose(part) for group in dice for part in group.split("/") if part], " ".join(words)
