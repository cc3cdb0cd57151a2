"""`companion tables edit`, `reset`, `diff`, `transcribe`, `export`, `import` and `schema`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from companion.cli.asking import listed, picked, prompt, wrapped
from companion.cli.session import asks, campaign_in_use
from companion.engine import dice as throws
from companion.engine.tables import Table
from companion.files.disk import give
from companion.packs import Pack, own
from companion.problems import Problem
from companion.words import printed

Game = Annotated[str | None, Option(help="Which game, when no campaign is in use.")]


def meant(game: str | None) -> Pack:
    """The pack that a command is about."""
    if game is None:
        campaign = campaign_in_use()
        if campaign is None:
            raise Problem("no campaign is in use; name a game with --game b29")
        game = campaign.game
    return Pack(game.casefold())


def edit(table: Annotated[str, Argument(help="Table number, or sheet, rules, …")], game: Game = None) -> None:
    """Change a table for yourself in $EDITOR. A copy that does not hold together is refused."""
    pack = meant(game)
    key = own.key_of(pack, table)
    copy = own.own_file(pack, key)
    draft = own.draft_file(pack, copy.name)
    origin = draft.with_name(f"{draft.name}.from")  # what the copy was when the draft was begun
    stood, before = own.stamp(copy), own.beginning(pack, key)
    if draft.exists() and not (origin.exists() and origin.read_text(errors="replace") == stood):
        print(f"The draft you left was of another copy; it is kept as {own.aside(draft)}.")
    if not draft.exists():
        own.keep(origin, stood)
        own.keep(draft, before)
    text = _sound(pack, key, table, draft, before)
    if text is None:
        print("Nothing was changed.")
    elif own.stamp(copy) != stood:
        raise Problem(f"{copy} was changed by another command meanwhile and stays so; what you wrote is {draft}")
    else:
        own.keep(copy, text)
        print(f"{copy} is in force for {pack.name}.")
    draft.unlink()
    origin.unlink(missing_ok=True)


def _sound(pack: Pack, key: str, table: str, draft: Path, before: str) -> str | None:
    """What the player has written, once it holds together; None where he changed nothing."""
    name, unchanged = own.own_file(pack, key).name, before.partition(own.BELOW)[0].rstrip()
    while True:
        _editor(draft)
        text = own.edited(draft)
        if text.rstrip() == unchanged:
            return None
        if text.strip():
            wrong = own.faults(pack, key, text, before)
        else:
            wrong = [f"{name}: nothing is left in it; ours counts again with: companion tables reset {table}"]
        if not wrong:
            return text
        print("\n".join(wrong[:5]))
        if asks() and prompt(f"{name} as it was still counts. Open it again? [Y/n] ").casefold() in ("", "y", "yes"):
            continue
        many = "one thing is wrong" if len(wrong) == 1 else f"{len(wrong)} things are wrong"
        how = f"companion tables edit {table} (the draft is {draft})"
        raise Problem(f"{many}; your copy stays as it was; go on with: {how}")


def reset(
    table: Annotated[str, Argument(help="Table number, or sheet, rules, …")],
    game: Game = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Without asking.")] = False,
) -> None:
    """Take your copy of a table out, so that ours counts again. Your file is kept beside."""
    pack = meant(game)
    key = own.key_of(pack, table)
    copy = own.own_file(pack, key)
    if not copy.exists():
        raise Problem(f"you have no {copy.stem} of your own for {pack.name}; what you have: companion tables diff")
    if not own.below(pack, key):
        raise Problem(f"{copy} is yours alone: nothing of ours lies below it")
    if not yes:
        if not asks():
            raise Problem("tables reset asks before it takes a file out and nobody is there; add --yes")
        if prompt(f"Take {copy} out, so that ours counts again? [y/N] ").casefold() not in ("y", "yes"):
            print("Nothing was changed.")
            return
    print(f"{copy.stem} of {pack.name} is ours again. Yours is kept as {own.aside(copy)}.")


def _editor(path: Path) -> None:
    import os
    import shlex
    import subprocess

    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not named:
        raise Problem("no editor is named; set EDITOR, such as EDITOR=nano")
    try:
        done = subprocess.run([*shlex.split(named), str(path)], check=False)
    except (OSError, ValueError) as error:
        raise Problem(f"cannot start {named}: {error}") from None
    if done.returncode:
        raise Problem(f"{named} ended with {done.returncode}; nothing was changed")


def diff(
    game: Annotated[str | None, Argument(help="Which game; that of the campaign when none is named.")] = None,
) -> None:
    """Where your tables differ from ours."""
    pack = meant(game)
    lines = list(own.differences(pack))
    print("\n".join(lines) if lines else f"{pack.name}: you have changed nothing.")


def export(file: Annotated[Path, Argument(help="Where to write it.")], game: Game = None) -> None:
    """Write the tables you took down to a file. For another machine of yours."""
    pack = meant(game)
    text = own.exported(pack)
    give(file, text.encode())
    print(f"{', '.join(own.transcribed(pack))}: written to {file}")


def take_in(
    file: Annotated[Path, Argument(help="A file that `tables export` wrote.")],
    game: Game = None,
    replace: Annotated[bool, Option("--replace", help="Also where you have your own.")] = False,
) -> None:
    """Take in such a file, once its tables are proved sound."""
    doc = own.read_export(file)
    pack = Pack(doc["game"]) if game is None else meant(game)
    names = own.imported(pack, doc, replace=replace)
    print(f"{', '.join(names)}: imported" if names else "All of them were here already.")


def schema() -> None:
    """The table format as a JSON Schema, for your editor."""
    import json

    from companion.packs import forms

    print(json.dumps(forms.schema(), indent=2))


# -- taking a table down -------------------------------------------------------------------------------------------


SENTENCE = re.compile(r"[<>!()]|(^| )(and|or|not|some|every|count) ")


class Stop(Exception):
    """The player goes on another day."""


def transcribe(table: Annotated[str, Argument(help="Table number.")], game: Game = None) -> None:
    """Take down a table of your own book, row by row. Stop with q, go on by the same command."""
    pack = meant(game)
    found = pack.table(table)
    gaps = [(c.title, row) for c in found.columns for row, cell in c.rows.written.items() if own.unknown(cell)]
    if len(found.columns) == 1 and len(gaps) == len(found.columns[0].rows.written):
        gaps = []  # nothing of it is known: it is taken down row by row
    elif not found.unwritten and not gaps:
        raise Problem(f"the rows of {found.id} are known; to change one: companion tables edit {table}")
    if not asks():
        raise Problem("taking a table down needs a terminal")
    draft = Draft(pack, found)
    print(f"{found.id} {found.title}. q stops, b takes the last row back; what you typed is kept.")
    draft.recall()
    try:
        draft.ask_dice()
        draft.ask_gaps(gaps) if gaps else draft.ask_rows()
        draft.ask_modifiers()
        draft.show()
        if prompt("Is that what your book says? [Y/n]: ").casefold() not in ("", "y", "yes"):
            if draft.doc.get("rows"):
                print("Type b at the next row to take rows back.")
            draft.doc["done"] = False
            draft.keep()
            raise Stop
    except Stop:
        print(f"Kept. Go on with: companion tables transcribe {table}")
        return
    own.add_patch(pack, own.key_of(pack, found.id), own.patch_of(found, draft.doc))
    draft.file.unlink(missing_ok=True)
    print(f"{found.id} is in the companion now: it resolves like any other table.")


class Draft:
    """A table half taken down, kept after every answer."""

    def __init__(self, pack: Pack, table: Table) -> None:
        self.pack, self.table = pack, table
        self.file = own.draft_file(pack, f"{table.id.casefold()}.json")
        self.doc: dict[str, Any] = {"rows": [], "gaps": [], "modifiers": []}

    def recall(self) -> None:
        """Take up what was kept; a damaged draft is begun anew."""
        import json

        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            rows = [(str(row), str(text), str(effect)) for row, text, effect in kept["rows"]]
            self.doc = {**self.doc, **kept, "rows": [list(row) for row in rows]}
            self.doc["modifiers"] = [self._in_words(each) for each in self.doc["modifiers"]]
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError, AttributeError, Problem):
            self.doc = {"rows": [], "gaps": [], "modifiers": []}
            print("The draft cannot be read; we begin anew.")
            return
        print(f"Going on: {len(rows) + len(self.doc['gaps'])} rows are down.")

    def _in_words(self, modifier: dict[str, Any]) -> dict[str, Any]:
        """A modifier that was taken down; in a draft of an older companion its condition is a table of facts."""
        when = modifier.get("when") or ""
        made = {name: value for name, value in modifier.items() if name != "when"}
        said = own.condition(self.pack, when) if isinstance(when, dict) else str(when)
        return {**made, "when": said} if said else made

    def keep(self) -> None:
        """Write the draft."""
        import json

        own.keep(self.file, json.dumps(self.doc, ensure_ascii=False))

    @property
    def dice(self) -> throws.Dice:
        """What the table throws."""
        return throws.parse(self.doc["dice"])

    def ask_dice(self) -> None:
        """Which dice, where we do not know."""
        if self.table.dice.count is not None:
            self.doc["dice"] = self.table.dice.name
        while "dice" not in self.doc:
            try:
                said = throws.parse(answer("Dice (1D, 2D, 3D, D66): ").upper())
                if said.count:
                    self.doc["dice"] = said.name
            except Problem as problem:
                wrapped(str(problem), "  ")
        self.keep()

    def ask_rows(self) -> None:
        """Rows until every roll has one."""
        rows: list[list[str]] = self.doc["rows"]
        while True:
            left = own.missing([row for row, _, _ in rows], self.dice)
            if not left and self.doc.get("done", True):
                return
            self.doc["done"] = True
            said = answer(f"Row for {left[0]} (7, 3-5, 12+): " if left else "b, or Enter when all is right: ")
            if not said and not left:
                return
            if said.casefold() == "b":
                print(f"  Taken back: {rows.pop()[0]}" if rows else "  No row is down.")
                self.doc["done"] = not rows
            else:
                try:
                    row = own.reach(said)
                    self._apart(row)
                except Problem as problem:
                    wrapped(str(problem), "  ")
                    continue
                rows.append([row, *self._result()])
            self.keep()

    def ask_gaps(self, gaps: list[tuple[str, str]]) -> None:
        """The cells that only the player's book has."""
        for title, row in gaps:
            if any(each[:2] == [title, row] for each in self.doc["gaps"]):
                continue
            print(f"{title or 'The column'}, row {row}")
            self.doc["gaps"].append([title, row, *self._result()])
            self.keep()

    def _apart(self, row: str) -> None:
        low, high = own.span(row)
        for other, _, _ in self.doc["rows"]:
            first, last = own.span(other)
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
        said = printed(text)
        numbers, _ = self.table.numbers()
        own_words = (
            numbers.number is not None or numbers.adjust is not None
            if isinstance(said, int)
            else bool(self.table.outcome(said)[0])
        )
        options = [*self.table.outcomes]
        if own_words or not options:
            return [text, ""]
        print("  What happens?")
        told = [(name, str(self.table.outcomes[name].get("text", ""))) for name in options]
        listed([*told, ("other", "nothing of these")])
        effect = picked([*options, "other"], [text for _, text in told], free=False)
        return [text, "" if effect == "other" else effect]

    def ask_modifiers(self) -> None:
        """Modifiers that we do not know of."""
        known = self.table.modifiers
        if known:
            print("Modifiers we know:")
            for modifier in known:
                much = f"{modifier.add:+d}" if isinstance(modifier.add, int) else "? "  # worked out, or in the book
                print(f"  {much}  {modifier.why}")
        while said := answer("A further modifier (-1, +2; Enter when there is none): "):
            try:
                add = int(said)
                if not -20 <= add <= 20 or not add:
                    raise ValueError
            except ValueError:
                print("  Type a number such as -1.")
                continue
            why = answer("  Why: ") or "a modifier of your book"
            number = len(self.doc["modifiers"]) + 1
            spec = {"id": f"book-{number}", "add": add, "when": self._when(), "why": why}
            self.doc["modifiers"].append(self._in_words(spec))
            self.keep()

    def _when(self) -> str:
        while True:
            said = answer("  When (FACT=VALUE, several with a comma, or a sentence such as zone >= 2; Enter: always): ")
            try:
                if SENTENCE.search(said):
                    self.pack.condition(said)
                    return said
                pairs = [part.strip() for part in said.split(",") if part.strip()]
                return own.condition(self.pack, self.pack.sheet.given(pairs))
            except Problem as problem:
                head, *mark = str(problem).splitlines()
                wrapped(head, "  ")
                print("".join(f"{line}\n" for line in mark), end="")

    def show(self) -> None:
        """The table as taken down."""
        print(f"{self.table.id} {self.table.title}, {self.doc['dice']}")
        rows = sorted(self.doc["rows"], key=lambda row: own.span(row[0]))
        shown = [
            *[(row, *rest) for row, *rest in rows],
            *[(f"{t} {r}".strip(), *rest) for t, r, *rest in self.doc["gaps"]],
        ]
        wide = max((len(row[0]) for row in shown), default=1)
        for row, text, effect in shown:
            print(f"  {row:>{wide}}  {text}" + (f"  [{effect}]" if effect else ""))
        for modifier in self.doc["modifiers"]:
            when = modifier.get("when")
            print(f"  {modifier['add']:+d}  {modifier['why']}" + (f"  ({when})" if when else ""))


def answer(text: str) -> str:
    """One line; q stops."""
    said = prompt(text)
    if said.casefold() == "q":
        raise Stop
    return said
