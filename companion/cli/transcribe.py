"""`companion tables transcribe`: a table of the player's own book, taken down row by row."""

from __future__ import annotations

import re
from typing import Annotated, Required, TypedDict

from typer import Argument

from companion.cli import asking
from companion.cli.own_tables import Game, pack_of
from companion.cli.picking import listed, picked, prompt, wrapped
from companion.cli.session import asks
from companion.engine import dice as throws
from companion.engine.fields import Strange, unmarked
from companion.engine.tables import Table, span
from companion.packs import Pack, own, transcribing
from companion.problems import Problem
from companion.words import counted, printed

SENTENCE = re.compile(r"[<>!()]|(^| )(and|or|not|some|every|count) ")


class Stop(Exception):
    """The player goes on another day."""


def transcribe(table: Annotated[str, Argument(help="Table number.")], game: Game = None) -> None:
    """Take down a table of your own book, row by row. Stop with q, go on by the same command."""
    pack = pack_of(game)
    owner_table = pack.table(table)
    gaps = [
        (c.title, row)
        for c in owner_table.columns
        for row, cell in c.rows.written.items()
        if transcribing.unknown(cell)
    ]
    if len(owner_table.columns) == 1 and len(gaps) == len(owner_table.columns[0].rows.written):
        gaps = []  # nothing of it is known: it is taken down row by row
    elif not owner_table.unwritten and not gaps:
        raise Problem(f"the rows of {owner_table.id} are known; to change one: companion tables edit {table}")
    if owner_table.question:
        raise Problem(f"{owner_table.called} is asked for each time; there are no rows to take down")
    if not asks():
        raise Problem("taking a table down needs a terminal")
    draft = Draft(pack, owner_table)
    print(f"{owner_table.id} {owner_table.title}. q stops, b takes the last row back; what you typed is kept.")
    draft.recall()
    try:
        draft.ask_dice()
        draft.ask_gaps(gaps) if gaps else draft.ask_rows()
        draft.ask_modifiers()
        draft.show()
        if prompt("Is that what your book says? [Y/n]: ").casefold() not in ("", "y", "yes"):
            if draft.notes.get("rows"):
                print("Type b at the next row to take rows back.")
            draft.notes["done"] = False
            draft.keep()
            raise Stop
    except (Stop, KeyboardInterrupt) as stop:
        newline = "\n" if isinstance(stop, KeyboardInterrupt) else ""
        print(f"{newline}Kept. Go on with: companion tables transcribe {table}")
        return
    transcribing.add_patch(pack, own.key_of(pack, owner_table.id), transcribing.patch_of(owner_table, draft.notes))
    own.drop(draft.file)
    print(f"{owner_table.id} is in the companion now: it resolves like any other table.")


class Modifier(TypedDict, total=False):
    """A modifier of the player's book, as a pack's file has it; `when` is a sentence, absent where it always counts."""

    id: Required[str]
    add: Required[int]
    why: Required[str]
    when: str


class Notes(TypedDict, total=False):
    """What was taken down: rows are (range, text, effect), gaps (column, range, text, effect)."""

    rows: Required[list[list[str]]]
    gaps: Required[list[list[str]]]
    modifiers: Required[list[Modifier]]
    dice: str
    done: bool  # whether the player has said that all rows are right


class Draft:
    """A table half taken down, kept after every answer."""

    def __init__(self, pack: Pack, table: Table) -> None:
        self.pack, self.table = pack, table
        self.file = own.draft_file(pack, f"{table.id.casefold()}.json")
        self.notes: Notes = {"rows": [], "gaps": [], "modifiers": []}

    def recall(self) -> None:
        """Take up what was written down before; a damaged draft is begun anew."""
        import json

        try:
            earlier = json.loads(self.file.read_text(encoding="utf-8"))
            rows = [(str(row), str(text), str(effect)) for row, text, effect in earlier["rows"]]
            self.notes = {**self.notes, **earlier, "rows": [list(row) for row in rows]}
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError, AttributeError, Problem):
            self.notes = {"rows": [], "gaps": [], "modifiers": []}
            print("The draft cannot be read; we begin anew.")
            return
        print(f"Going on: {counted(len(rows) + len(self.notes['gaps']), 'row')} down already.")

    def keep(self) -> None:
        """Write the draft."""
        import json

        own.keep(self.file, json.dumps(self.notes, ensure_ascii=False))

    @property
    def dice(self) -> throws.Dice:
        """What the table throws."""
        return throws.parse(self.notes["dice"])

    def ask_dice(self) -> None:
        """Which dice, where we do not know."""
        if self.table.dice.count is not None:
            self.notes["dice"] = self.table.dice.name
        while "dice" not in self.notes:
            try:
                dice = throws.parse(answer("Dice (1D, 2D, 3D, D66): ").upper())
                if dice.count:
                    self.notes["dice"] = dice.name
            except Problem as problem:
                wrapped(str(problem), "  ")
        self.keep()

    def ask_rows(self) -> None:
        """Rows until every roll has one."""
        rows = self.notes["rows"]
        while True:
            left = transcribing.missing([row for row, _, _ in rows], self.dice)
            if not left and self.notes.get("done", True):
                return
            self.notes["done"] = True
            text = answer(f"Row for {left[0]} (7, 3-5, 12+): " if left else "b, or Enter when all is right: ")
            if not text and not left:
                return
            if text.casefold() == "b":
                print(f"  Taken back: {rows.pop()[0]}" if rows else "  No row is down.")
                self.notes["done"] = not rows
            else:
                try:
                    row = transcribing.reach(text)
                    self._apart(row)
                except Problem as problem:
                    wrapped(str(problem), "  ")
                    continue
                rows.append([row, *self._result()])
            self.keep()

    def ask_gaps(self, gaps: list[tuple[str, str]]) -> None:
        """The cells that only the player's book has."""
        for title, row in gaps:
            if any(each[:2] == [title, row] for each in self.notes["gaps"]):
                continue
            print(f"{title or 'The column'}, row {row}")
            self.notes["gaps"].append([title, row, *self._result()])
            self.keep()

    def _apart(self, row: str) -> None:
        low, high = span(row)
        for other, _, _ in self.notes["rows"]:
            first, last = span(other)
            if low <= last and first <= high:
                raise Problem(f"the row {other} has that already")

    def _result(self) -> list[str]:
        text = ""
        while not text:
            text = answer("  What it says, in short: ")
            if len(text) > 300 or not text.isprintable():
                print("  One line of up to 300 letters.")
                text = ""
            elif text and not self.table.takes(printed(text)) and not self.table.question:
                print("  Only a number; type the words of your book.")
                text = ""
            text = self._known(text)
        outcome = printed(text)
        numbers, _ = self.table.numbers()
        own_words = (
            numbers.number is not None or numbers.adjust is not None
            if isinstance(outcome, int)
            else bool(self.table.outcome(outcome)[0])
        )
        options = [*self.table.outcomes]
        if own_words or not options:
            return [text, ""]
        print("  What happens?")
        texts = [str(self.table.outcomes[name].get("text", "")) for name in options]
        listed([*zip(options, texts, strict=True), ("other", "nothing of these")])
        effect = picked([*options, "other"], texts, free=False)
        return [text, "" if effect == "other" else effect]

    def _known(self, text: str) -> str:
        """A row with the names in it looked at; nothing when it must be typed again."""
        while text:
            try:
                self.table.hear(text)
            except Strange as strange:
                text = asking.other(text, strange, answer)
            except Problem as problem:
                wrapped(str(problem), "  ")
                text = ""
            else:
                break
        return unmarked(text)

    def ask_modifiers(self) -> None:
        """Modifiers that we do not know of."""
        known = self.table.modifiers
        if known:
            print("Modifiers we know:")
            for modifier in known:
                much = f"{modifier.add:+d}" if isinstance(modifier.add, int) else "? "  # worked out, or in the book
                print(f"  {much}  {modifier.why}")
        while text := answer("A further modifier (-1, +2; Enter when there is none): "):
            try:
                add = int(text)
                if not -20 <= add <= 20 or not add:
                    raise ValueError
            except ValueError:
                print("  Type a number such as -1.")
                continue
            why = answer("  Why: ") or "a modifier of your book"
            number = len(self.notes["modifiers"]) + 1
            own_modifier: Modifier = {"id": f"book-{number}", "add": add, "when": self._when(), "why": why}
            self.notes["modifiers"].append(own_modifier)
            self.keep()

    def _when(self) -> str:
        while True:
            text = answer("  When (FACT=VALUE, several with a comma, or a sentence such as zone >= 2; Enter: always): ")
            try:
                if SENTENCE.search(text):
                    self.pack.condition(text)
                    return text
                pairs = [part.strip() for part in text.split(",") if part.strip()]
                return transcribing.condition(self.pack, self.pack.sheet.given(pairs))
            except Problem as problem:
                head, *mark = str(problem).splitlines()
                wrapped(head, "  ")
                print("".join(f"{line}\n" for line in mark), end="")

    def show(self) -> None:
        """The table as taken down."""
        print(f"{self.table.id} {self.table.title}, {self.notes['dice']}")
        rows = sorted(self.notes["rows"], key=lambda row: span(row[0]))
        shown = [
            *[(row, *rest) for row, *rest in rows],
            *[(f"{t} {r}".strip(), *rest) for t, r, *rest in self.notes["gaps"]],
        ]
        wide = max((len(row[0]) for row in shown), default=1)
        for row, text, effect in shown:
            print(f"  {row:>{wide}}  {text}" + (f"  [{effect}]" if effect else ""))
        for modifier in self.notes["modifiers"]:
            when = modifier.get("when")
            print(f"  {modifier['add']:+d}  {modifier['why']}" + (f"  ({when})" if when else ""))


def answer(question: str) -> str:
    """One line; q stops."""
    text = prompt(question)
    if text.casefold() == "q":
        raise Stop
    return text
