"""The prompts for dice (the rolls of one line, their required results, the distribution of typed dice) and for rows of
the player's rulebook, with or without dice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import groupby
from typing import Any

from companion.engine.dice import Rolled, named
from companion.engine.facts import Facts
from companion.engine.fields import Field, UnknownName, Value
from companion.engine.questions import DiceQuestion, Pending, RowQuestion, alike
from companion.engine.sheet import Member
from companion.engine.tables import Applied, Table
from companion.play.dice_tray import PIPS, KeptDice, Tray, dice_and_row, spoken
from companion.play.mission import Mission
from companion.problems import Unconfirmed, UserError
from companion.render.options import Answer, Offer, Prompt, meant, numbered, numbers_of, of_number
from companion.render.situation import binding, subjects_of_each
from companion.words import bare, did_you_mean, figure, headed, nearest, printed, series, slug, unhyphened

MOST_AHEAD = 2  # the most tables named after those rolled now
DOUBTFUL = ("11", "12")  # two dice, or the total of two dice
SUGGESTED = 200  # the most names of a field offered while typing
EVERYBODY = "all"
BY_STATE = re.compile(r"^\{[^}]*\}: |[: ]*\{.*")  # what only the state fills in: a leading name, all from another on


class DicePrompt(Prompt):
    """The prompt for these rolls, and for those that are `likely` to follow."""

    kind = "dice"
    known = True  # the numbers of dice, if known

    def __init__(
        self, rolls: Sequence[DiceQuestion], mission: Mission, tray: Tray, likely: Sequence[DiceQuestion] = ()
    ) -> None:
        self.rolls, self.mission, self.tray, self.likely = rolls, mission, tray, likely
        self.title = rolls[0].table.called
        self.part = tray.part_of(rolls[0])
        self.tables = [(table, list(own)) for table, own in groupby(rolls, key=lambda each: each.table)]

    @property
    def throws(self) -> list[tuple[DiceQuestion, str]]:
        """Return the rolls one by one for the page, each with its subject."""
        whom = [whose(each.bind, self.mission) + which(each, self.mission, self.rolls) for each in self.rolls]
        return [(each, whom.removeprefix(" – ")) for each, whom in zip(self.rolls, whom, strict=True)]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return `5-7 Defensive fire – Tail guns, fighter 2 (george from 6 low): hit on 7 or more (+2 from 6)`.

        Of several rolls the first table is shown in full, the most common requirement once: `M-1 Defensive fire, hit on
        6: nose 1, top 1 on 5+, tail 2`; later tables are only named.
        """
        if len(self.rolls) == 1:
            question, needs = self.rolls[0], self.rolls[0].needed
            whom = whose(question.bind, self.mission, title=question.table.title) + which(question, self.mission)
            head, why = f"{question.table.called}{whom}", reasons(question.applied)
            return [("", f"{headed(head, needs) if needs else head}{why}")]
        first, *others = [self._names(table, rolls) for table, rolls in self.tables]
        if not others:
            return [("", first)]
        many = [(table.called.rstrip("?"), len(rolls)) for table, rolls in self.tables]
        waiting = [f"{called} ({count})" if count > 1 else called for called, count in many]
        return [("", first), ("", others[0] if len(others) == 1 else f"Then {'; '.join(waiting[1:])}")]

    @property
    def explained(self) -> Sequence[DiceQuestion]:
        """Return the rolls whose modifiers are in the lines."""
        return self.rolls if len(self.tables) <= 2 else self.tables[0][1]

    def _names(self, table: Table, rolls: Sequence[DiceQuestion]) -> str:
        """Return the rolls of a table by subject."""
        whom = subjects_of_each([roll.bind for roll in rolls], self.mission.game, table.title)
        many = f" ({len(rolls)})" if len(set(whom)) == 1 else ""
        head = f"{table.called}{which(rolls[0], self.mission) if len(rolls) == 1 else many}"
        hit = self.mission.game.about.at_table.wave.hit
        needs = [(each.rolls_for(hit), each.needed, reasons(each.applied)) for each in rolls]
        usual, count = Counter(needs).most_common(1)[0]
        usual = needs[0] if count == 1 else usual
        rare = count * 2 < len(rolls) if count > 1 else len(rolls) > 1
        if rare or usual[:2] != needs[0][:2]:  # a requirement said first would be read of the first roll
            usual = ("", "", "")
        common = f"{hit} on {usual[0]}" if usual[0] else usual[1]
        parts = []
        for need, run in groupby(zip(needs, whom, strict=True), lambda pair: pair[0]):
            short, full, why = need if need[:2] != usual[:2] else ("", "", need[2])
            own = f" on {short}" if short else f" ({full})" if full else ""
            own = "" if need == usual else own + why
            names = [who for _, who in run]
            parts.append(f"{' and '.join(dict.fromkeys(names)) if own else names_of(names)}{own}")
        told = f"{common}{usual[2]}".strip()
        if not any(parts):
            return headed(head, told) if told else head
        between = " " if head.endswith("?") else ", "
        return headed(between.join(filter(None, [head, told])), names_of(parts))

    @property
    def line(self) -> str:  # type: ignore[override]
        """`Roll 5 x 1D: `, `Roll 2D (+1), then 4-4 2D: `."""
        question = self.rolls[0]
        applied = question.applied if len(self.rolls) == 1 else ()
        total = f" ({sum(each.add for each in applied):+d})" if applied else ""
        other = "die" if (question.dice.count or 0) - len(self.part) == 1 else "dice"
        kept = f" ({''.join(map(str, self.part))} kept; type the other {other})" if self.part else ""
        return f"Roll {named([each.dice for each in self.rolls])}{total}{kept or then(self.likely)}: "

    def read(self, text: str) -> Answer:
        """Return the dice of the first roll, and put those of the others on the tray.

        Two dice that may be a total are queried until the player has typed two that cannot be one.
        """
        dice, typed = self.rolls[0].dice, any(len(each.get("d", ())) > 1 for each in self.mission.journal.recorded)
        doubtful = [token for token in text.split() if token in DOUBTFUL]
        if doubtful and dice.count == 2 and not dice.tens and not self.part and not typed:
            told = " and ".join(f"{token} is a {token[0]} and a {token[1]}" for token in dict.fromkeys(doubtful))
            line = "Enter accepts, or type each die: "
            raise Unconfirmed(f"{told}, not a total.", _apart(text), line=line, enter=_apart(text), instead=_apart)
        before = list(self.tray.lying)
        thrown = self.tray.typed(text, self.rolls, self.likely)
        ahead = spoken([each for each in self.tray.lying if each.foreseen and each not in before])
        self.told = rolled_for_you(thrown, self.tray) or (f"Kept: {ahead}." if ahead else "")
        return thrown


def then(likely: Sequence[DiceQuestion]) -> str:
    """Name the rolls that will likely follow next: `, then 4-4 2D`."""
    runs = groupby(likely, key=lambda each: each.table)
    names = [f"{table.number_printed} {named([each.dice for each in group])}" for table, group in runs]
    return f", then {', '.join(names[:MOST_AHEAD])}" if names else ""


def rolled_for_you(dice: Sequence[int], tray: Tray) -> str:
    """Name the dice that the companion has just rolled, those of the next rolls too: `Rolled for you: 34, 5.`"""
    each = [dice, *(lying.dice for lying in tray.lying)] if isinstance(dice, Rolled) else []
    throws = ["".join(map(str, throw)) for throw in each if isinstance(throw, Rolled)]
    return f"Rolled for you: {', '.join(throws)}." if throws else ""


def _apart(text: str) -> str:
    """Return dice with a comma in each pair that might be a total."""
    return " ".join(",".join(token) if token in DOUBTFUL else token for token in text.split())


def names_of(names: Iterable[str]) -> str:
    """Join names without repetition: `nose 1, top 2`, `Tail, fighter 1; Nose, fighter 2`."""
    each = list(dict.fromkeys(names))
    return ("; " if any("," in name for name in each) else ", ").join(each)


def reasons(applied: Sequence[Applied]) -> str:
    """Return the modifiers with their reasons: ` (+2 from 6, -1 evasive)`."""
    return f" ({', '.join(f'{each.add:+d} {each.why}' for each in applied)})" if applied else ""


def whose(bind: Mapping[str, Value], mission: Mission, *, title: str = "") -> str:
    """Return the gun, man or fighter of a roll, without words already in the `title`:
    ` – Tail guns, fighter 1 (george from 6 level)`."""
    sheet = mission.game.sheet
    facts, described = Facts(sheet, mission.state, bind), {}
    for name, value in bind.items():
        member = sheet.known.get(name)
        if (
            value != "none"
            and isinstance(member, Member)
            and member.text
            and facts[member.present.format(value)] != "none"
        ):
            described[name] = facts.described(member)
    return binding(bind, mission.game, described, title)


def which(question: DiceQuestion, mission: Mission, waiting: Sequence[DiceQuestion] = ()) -> str:
    """Return the number of a roll among equal ones: ` (2 of 3)`, by its place in `waiting`."""
    item, journal = mission.asked(question.table.id), mission.journal
    if item is None:
        return ""

    def among(items: Iterable[Mapping[str, Any]]) -> int:
        return sum(alike(Pending.of(each), item) for each in items)

    done = sum(
        entry["t"] == question.table.id and "p" in entry and among(entry["p"][1]) > among(entry["p"][2])
        for entry in journal.entries[item.born : journal.position]
    )
    of = done + sum(alike(each, item) for each in mission.pending)
    equal = [each for each in waiting if (each.table.id, each.bind) == (question.table.id, question.bind)]
    at = done + 1 + next((at for at, each in enumerate(equal) if each is question), 0)
    return f" ({at} of {of})" if of > 1 else ""


# -- tables of the player's rulebook -----------------------------------------------------------------------------------


class OwnPrompt(DicePrompt):
    """A prompt for rows of the player's rulebook, with or without dice: `26 middle`, `middle`.

    Answers for several tables are separated by commas, in the order of the tables: `none, 34 -1, on`.
    """

    free = True

    def __init__(self, rolls: Sequence[DiceQuestion], mission: Mission, tray: Tray) -> None:
        plain = [each for each in rolls if not any(";" in row for _, row, _ in each.table.patterns)]
        super().__init__(plain if rolls[0] in plain else rolls[:1], mission, tray)  # a comma may be within a row
        self.rows = [RowPrompt(row_of(each, mission), mission) for each in self.rolls]
        self.note = self.help = " ".join(dict.fromkeys(each.note for each in self.rows if each.note))
        self.alike = len({each.table.id for each in self.rolls}) == 1
        self.options = self.rows[0].options if self.alike else ()
        binds = [{*roll.bind.items()} for roll in self.rolls]
        shared = set.intersection(*binds)  # if some are about something else too, only that is named
        self.shared: Set[tuple[str, Value]] = shared if any(bind > shared for bind in binds) else frozenset()
        self.counts = [dice_count(each, mission) for each in self.rolls]
        self.known = self.counts[0] is not None
        self.label, self.suggestions = self.rows[0].label, self.rows[0].suggestions

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return lines about the tables, each with its rows; tables with the same rows share a line."""
        if len(self.rolls) == 1:
            called = self.rolls[0].table.called
            return [("", self.rows[0].title.replace(called, f"{called}{reasons(self.rolls[0].applied)}", 1))]
        lines = []
        for rows, group in groupby(zip(self.rolls, self.rows, strict=True), key=lambda each: self._choices(each[1])):
            named = []
            for table, rolls in groupby((roll for roll, _ in group), key=lambda each: each.table):
                each = list(map(self._whose, rolls))
                head = f"{table.called} ({len(each)})" if len(each) > len(set(each)) else table.called
                named.append(headed(head, names_of(each)) if any(each) else head)
            lines.append(("", headed(", ".join(named), rows) if rows else ", ".join(named)))
        return lines

    def _whose(self, roll: DiceQuestion) -> str:
        bind = {name: value for name, value in roll.bind.items() if (name, value) not in self.shared}
        return f"{whose(bind, self.mission).removeprefix(' – ')}{reasons(roll.applied)}".strip()

    def _choices(self, row: RowPrompt) -> str:
        """Return the rows of a table in words, unless they are listed below."""
        names = [f"{each.number} {each.label}".strip() for each in row.options]
        return "" if self.alike else f"{row.question.options[0]} or a number" if row.figures else "; ".join(names)

    @property
    def line(self) -> str:  # type: ignore[override]
        """`The result (lead), your dice may come first (34 lead): `."""
        first, count = self.rows[0], self.counts[0]
        dice = "3456"[: count or 2]
        if len(self.rolls) > 1:
            row = [each.example(at) for at, each in enumerate(self.rows)]
            row = [*row[:2], "…"] if len(row) > 3 else row
            return f"Results in this order{first.every} ({', '.join(row)}; with dice {dice} {row[0]}, …): "
        roll = f"Roll {count}D, " if count else ""
        enter = f", or Enter for {first.question.options[0]}" if first.figures else ""
        result = f"{roll}type dice and result ({dice} {first.example(1)}) or the result alone{enter}{first.every}: "
        return f"{result[0].upper()}{result[1:]}"

    def read(self, text: str) -> Answer:
        """Return the dice of the first table and put all rows and the other dice on the tray.

        Raise Unconfirmed for an unknown row.
        """
        parts, said, at = self._parts(text), list[tuple[list[int], str | None]](), 0
        for number, part in enumerate(parts):
            if at == len(self.rolls):
                tables = names_of(each.table.number_printed for each in self.rolls)
                raise UserError(f"You typed {len(parts)} results, but only {tables} need one.")
            for skipped in self.rows[at : self._meant(at, part)]:
                said.append(([], skipped.question.options[0]))
                at += 1
            try:
                said.append(self._read(at, part))
            except Unconfirmed as doubt:
                raise self._within(doubt, parts, number, at) from None
            at += 1
        for question, (dice, row) in list(zip(self.rolls, said, strict=False))[1:]:
            self.tray.lying.append(KeptDice.of(question, dice, foreseen=False, row=row))
        (dice, self.tray.row), self.for_all = said[0], self.rows[0].for_all
        rows = zip(self.rolls, said, strict=False)
        taken = series([f"{unhyphened(str(row))} for {roll.table.number_printed}" for roll, (_, row) in rows])
        self.told = rolled_for_you(dice, self.tray) or (f"Taken: {taken}." if len(said) > len(parts) else "")
        return dice

    def _parts(self, text: str) -> list[str]:
        """Return the text for each table: by line (from the page), `/`, `;` or comma, or a word for each."""
        if len(self.rolls) == 1:
            return [text]
        if "\n" in text:
            return [part.strip() for part in text.split("\n")]
        parts = re.split(r"[/;]" if re.search("[/;]", text) else r",\s+|,(?!\d)|(?<!\d),", text)
        words = text.split()
        alone = len(parts) == 1 and len(words) == len(self.rolls)
        if alone and not PIPS.fullmatch(words[0]) and words[0].casefold() != EVERYBODY:
            parts = words
        return [part.strip() for part in parts]

    def _meant(self, at: int, part: str) -> int:
        """Return the table that a part is for.

        It is the next one, or the only one with that row after tables that accept a number or nothing.
        """
        row = dice_and_row(part)[1] if part else ""
        for place, prompt in enumerate(self.rows[at:], at):
            if row and meant(prompt.options, row):
                return place
            if not prompt.figures or not row or figure(row) is not None or row in prompt.question.options:
                return at
        return at

    def _read(self, at: int, text: str) -> tuple[list[int], str | None]:
        """Return the dice and the row for a table; no row if only dice were typed."""
        question, row, known = self.rolls[at], self.rows[at], self.counts[at]
        pips = len(re.sub(r"\D", "", text)) if PIPS.fullmatch(text) else 0
        listed = bool(of_number(row.options, text)) or (pips == 1 and row.question.table.takes(int(text)))
        if text.startswith("=") or pips != known and (listed or pips == 1):
            return [], str(row.read(text))
        dice, words = dice_and_row(text, question.table, known)
        if dice:
            question.dice.check(dice)
        return dice, str(row.read(words)) if words or not dice else None

    def _within(self, doubt: Unconfirmed, parts: Sequence[str], at: int, place: int) -> Unconfirmed:
        """Extend the doubt about one part to the whole line; a line typed in its place is read on its own."""
        table, count = self.rolls[place].table, self.counts[place]

        def whole(row: str) -> str:
            dice = parts[at].split()[: len(dice_and_row(parts[at])[0]) and 1]
            return ", ".join([*parts[:at], " ".join([*dice, row]), *parts[at + 1 :]])

        def instead(typed: str) -> str:
            alone = len(re.split("[,;/]", typed)) == len(self.rolls) > 1 or all(dice_and_row(typed, table, count))
            return typed if alone else whole(doubt.instead(typed))

        return Unconfirmed(
            str(doubt), whole(doubt.kept), list(map(whole, doubt.near)), line=doubt.line, enter=doubt.enter,
            instead=instead,
        )  # fmt: skip


def dice_count(question: DiceQuestion, mission: Mission) -> int | None:
    """Return the number of dice of a table; for one only in the player's rulebook, as many as last time."""
    entries = mission.journal.recorded
    last = (len(each["d"]) for each in reversed(entries) if each["t"] == question.table.id and "d" in each)
    return next(last, None) if question.dice.count is None else question.dice.count


def row_of(question: DiceQuestion, mission: Mission) -> RowQuestion:
    """Return the question for the row of a roll that has not been made yet."""
    table = question.table
    asked = table.asked(Facts(table.sheet, mission.state, question.bind))
    return RowQuestion(table, None, question.applied, question.bind, (), asked)


class RowPrompt(Prompt):
    """The row from the player's rulebook, by number or in words; a leading `all` applies it to every man who waits for
    the same table.
    """

    kind = "words"
    free = True

    def __init__(self, question: RowQuestion, mission: Mission | None = None) -> None:
        self.question, table = question, question.table
        a = "a net" if question.applied else "an" if question.net in (8, 11) else "a"
        at = f" for {a} {question.net}" if question.dice else f" in row {question.net}" * bool(table.dice.count)
        asked = question.asked or f"what does your rulebook say{at if question.net is not None else ''}"
        names = question.options
        texts = [BY_STATE.sub("", str(table.outcomes[name].get("text", ""))) for name in names]
        whom = binding(question.bind, mission.game, title=table.title) if mission else ""
        head = table.called + ("" if bare(whom.removeprefix(" – ")) in bare(question.asked) else whom)
        self.title = headed(head, f"{asked[:1].upper()}{asked[1:]}?")
        self.note = self.help = str(table.doc.get("note", "")) if table.patterns else ""
        owner = table.numbers()[0]  # only one row is a word, so that a typed number is the row, not a position
        self.figures = len(table.outcomes) == 1 and (owner.number is not None or owner.adjust is not None)
        offers = numbered(names, texts)
        self.options = [each._replace(word=each.word and table.sheet.read_out(each.value)) for each in offers]
        if self.figures:  # a typed number is the row, not a position in a list
            self.options = [each._replace(number="") for each in self.options]
        alike = [item for item in mission.pending if item.is_for("roll", table.id) and item.bind] if mission else []
        self.many = len(alike) if names and table.dice.count is None and len(alike) > 1 else 0
        all_of = "both" if self.many == 2 else f"all {self.many}"
        self.every = f'; "{EVERYBODY} 1" is for {all_of}' if self.many else ""
        self.alone = bool(question.asked) and not names  # without choices the question is the input line
        own = "Your answer" if question.asked else "The result in words"
        self.label = "The number printed in your rulebook" if self.figures else f"Or {own.lower()}" if names else own
        self.span = "e.g. 2 or -1" if self.figures else ""
        fields = [table.sheet.fields[name] for _, _, row in table.patterns for name in row.get("#takes", {}).values()]
        known = [name for declared in fields for name in known_names(declared)]
        likely = () if self.figures else dict.fromkeys([*map(unhyphened, table.outcomes), *known])
        self.suggestions = [*likely][:SUGGESTED]
        if self.alone:
            self.line = f"{asked}: "
        elif self.figures:
            meaning = f" ({texts[0][:1].lower()}{texts[0][1:]})" if texts[0] else ""
            self.line = f"A number (2, -1), or Enter for {names[0]}{meaning}: "
        else:
            words = "Number or words" if names else "The result in words, or none"
            self.line = f"{words}{self.every}: "

    def example(self, at: int) -> str:
        """Return an example of a row to type."""
        names = [
            unhyphened(each.value) if len(words := each.value.split("-")) == len(set(words)) else each.number
            for each in self.options
        ]
        return ("-1" if at % 2 else self.question.options[0]) if self.figures else names[0] if names else "…"

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return the question, unless it is the input line itself."""
        return [] if self.alone else [("", self.title)]

    def read(self, text: str) -> Answer:
        """Return the row; a leading `=` insists on unknown words."""
        table, options = self.question.table, self.question.options
        if table.question and table.dice.count == 0:
            text = re.sub(r"\s+(?=[+-])", "", text)
            words, self.further = text.replace(",", " ").split(), []
            one = "parts" not in table.doc and table.takes(printed(text))
            if len(words) > 1 and table.takes(printed(words[0])) and not one:
                text, *self.further = words
        word, _, rest = text.partition(" ")
        self.for_all = meant(self.options, rest.strip()) if self.many and word.casefold() == EVERYBODY else ""
        text = self.for_all or text
        if text and text[0] in str(table.doc.get("parts", "")):
            raise UserError(f"Type the number on the card first, e.g. 3{text[0]}1.")
        if not text and not self.figures and not self.alone:
            raise UserError(f"Type {f'{numbers_of(self.options)}, or ' if options else ''}the result in your rulebook.")
        text = text or (options[0] if self.figures else "")
        row = table.parted(meant(self.options, text) or text)
        if self.figures and row not in options and not isinstance(printed(row), int):
            raise UserError(f"Type a number, e.g. 2 or -1, or {options[0]}.")
        if not table.takes(printed(row)):
            why = "isn't an answer here" if table.question else "isn't a result. Type the words in your rulebook"
            raise UserError(f"{row or 'An empty line'} {why}.")
        if options and not table.works(printed(row)):
            if row.startswith("="):
                return row.removeprefix("=").strip()
            near = similar_rows(self.options, row)
            told = f"'{row}' isn't in the list. {did_you_mean(near)}".rstrip()
            told += " It will be kept as a note only. The sheet will not change."
            line = "Enter keeps the note, or type another answer: "
            raise Unconfirmed(told, f"={row}", near, line=line, enter=f"={row}")
        return checked_row(table, row)


def checked_row(table: Table, row: str) -> str:
    """Return a row of the player's rulebook once every name in it is known or insisted on."""
    try:
        table.check_row(row)
    except UnknownName as strange:
        parts = [part.strip() for part in row.split(";")]
        typed = next((part for part in parts if slug(part) == strange.typed), strange.typed)
        raise doubt_of(
            strange,
            typed,
            lambda name: name if ";" in name else ";".join(name if part == typed else part for part in parts),
        ) from None
    return row


def similar_rows(options: Sequence[Offer], row: str) -> list[str]:
    """Return the rows similar to unknown words: with a misspelled name or a shared word."""
    slips = nearest(bare(row), [bare(each.value) for each in options])
    words = {word for word in slug(row).split("-") if len(word) > 2}
    shared = [each.value for each in options if words & set(slug(f"{each.value} {each.text}").split("-"))]
    return list(dict.fromkeys([*(each.value for each in options if bare(each.value) in slips), *shared]))[:3]


# -- unknown names -----------------------------------------------------------------------------------------------------


def doubt_of(strange: UnknownName, typed: str, whole: Callable[[str], str] = str) -> Unconfirmed:
    """Return the doubt about an unknown name; `whole` makes the answer from a corrected name.

    Enter alone never accepts a misspelling.
    """
    likely = strange.near[0] if len(strange.near) == 1 else ""
    enter = f"Enter takes {likely}, = keeps what you typed" if likely else "Type = to keep what you typed"
    return Unconfirmed(
        strange.doubt.replace(strange.typed, typed, 1), whole(f"={typed}"), [whole(name) for name in strange.near],
        line=f"{enter}, or type another: ", enter=likely,
        instead=lambda name: whole(f"={typed}" if name == "=" else name),
    )  # fmt: skip


def known_names(declared: Field) -> list[str]:
    """Return the names that a field knows, each once."""
    names: dict[str, str] = {}
    for name in declared.known.values() if declared.words else ():
        names.setdefault(bare(name), unhyphened(name))
    return list(names.values())[:SUGGESTED]
