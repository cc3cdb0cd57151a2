"""`companion show TABLE`, `why` and `rulings`: a table, what decided a roll, and how the rules are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.commands import Game, Given, Json, print_json
from companion.cli.terminal import console, show
from companion.engine.facts import Facts
from companion.engine.fields import Spec
from companion.engine.tables import FAR, HOUSE, Cell, Column, Modifier, Table
from companion.packs import Pack, games
from companion.play.conversation import with_implied
from companion.play.phrases import given as given_facts
from companion.play.phrases import table_named
from companion.problems import UserError
from companion.render.explanation import explain
from companion.render.situation import Line
from companion.store.campaigns import campaign_in_use
from companion.store.session import Session, open_mission, open_session
from companion.words import one_of

if TYPE_CHECKING:
    from rich.table import Table as Grid

SIDE_BY_SIDE = 4  # the most columns of a block
MOST = 12  # the most columns shown in blocks; a table with more gets a line for each column


def show_command(
    table: Annotated[list[str], Argument(help="Table number or words from its title, e.g. 5-9, flak.")],
    game: Game = None,
    given: Given = None,
    json: Json = False,
) -> None:
    """Show a table, with the current column and modifiers highlighted."""
    with open_session(game, record=False) as session:
        if json:
            print_json(as_object(session, *_looked_at(session, " ".join(table), given or ())))
        else:
            show_table(session, " ".join(table), given or ())


def show_table(session: Session, typed: str, given: Sequence[str] = ()) -> None:
    """Print a table, marking the current column and modifiers."""
    table, facts = _looked_at(session, typed, given)
    now, words = table.holding(facts), Words(table, facts)
    number, title = table.number_printed, "" if table.number_printed == table.title else f"  {table.title}"
    dice = "no dice" if table.dice.count == 0 else table.dice.name
    cite = f"  ({table.cite})" if table.cite else ""
    show([Line("", [(number, "strong"), (f"{title}, {dice}", ""), (cite, "dim")])])
    if len(table.columns) > MOST:
        wide = max(len(words.title(column)) for column in table.columns)
        for column in table.columns:
            rows = [f"{label}: {words.cell(column.rows.find(net))}" for label, net in _rows([column], table)]
            margin = f"{'▸' if column is now else ' '} {words.title(column):{wide}}  "
            show([Line(margin, [("; ".join(rows), "strong" if column is now else "")])])
    else:
        for at in range(0, len(table.columns), SIDE_BY_SIDE):
            console().print(_grid(table.columns[at : at + SIDE_BY_SIDE], table, now, words))
    show(_remarks(table, facts, now, words))


def _looked_at(session: Session, typed: str, given: Sequence[str]) -> tuple[Table, Facts]:
    """Return the table that was typed, and the facts for showing it."""
    table, state = table_named(session.pack, typed), session.mission.state
    more = with_implied(session.mission, given_facts(session.pack, given, state))
    return table, Facts(session.pack.sheet, table.bind(Facts(session.pack.sheet, state)), state, more)


def as_object(session: Session, table: Table, facts: Facts) -> dict[str, object]:
    """Return a table for scripts: rows by column, modifiers, the current ones and their sum."""
    now, words = table.holding(facts), Words(table, facts)
    applied = {each.modifier: each.add for each in table.applying(facts, now)}
    return {
        "game": session.pack.name,
        "table": table.id,
        "title": table.title,
        "dice": table.dice.name,
        "cite": table.cite,
        "owner": table.unwritten and not table.question,
        "columns": [
            {
                "title": words.title(column),
                "applies": column is now,
                "rows": {
                    at.replace("≤", "<="): words.name(column.rows.find(net)) for at, net in _rows([column], table)
                },
            }
            for column in table.columns
        ],
        "modifiers": [
            {
                "add": applied.get(each, each.add if isinstance(each.add, int) else _printed(each, facts)),
                "why": each.why,
                "cite": each.cite,
                "applies": each in applied,
            }
            for each in table.modifiers
        ],
        "together": sum(applied.values()),
        "note": str(table.doc.get("note", "")),
    }


def _remarks(table: Table, facts: Facts, now: Column | None, words: Words) -> Iterator[Line]:
    """Yield the lines under the rows: modifiers, natural rolls, the player's answers, the note."""
    if not table.columns:
        own = "It has no rows; the result follows from the log sheet."
        if table.question:
            own = f"You are asked each time: {table.asked(facts)}."
        elif table.owner:
            own = "The rows are in your rulebook."
        yield Line("  ", [(own, "")])
    if table.modifiers:
        yield from _modifiers(table, facts, now)
    for natural in table.naturals:
        rolls = ", ".join(map(str, sorted(natural.rolls)))
        always = "is always" if natural.test is None else "may be (see the note)"
        yield Line("  ", [(f"An unmodified {rolls} {always}: {words.row(str(natural.outcome))}.", "")])
    for row, result in now.rows.written.items() if now is not None else ():
        with facts.bind({"net": row}):
            asked = result["#ask-once"](facts) if isinstance(result, dict) and "#ask-once" in result else ""
        if asked in facts.sheet.fields and facts[asked] != "none":
            yield Line("  ", [(f"A {row} is {facts.sheet.read_out(str(facts[asked]))}, as you entered.", "")])
    if table.doc.get("note"):
        yield Line("  ", [(str(table.doc["note"]), "dim")])


class Words:
    """The words of a table's cells and columns."""

    def __init__(self, table: Table, facts: Facts) -> None:
        self.table, self.sheet = table, facts.sheet
        told = [str(each.get("text", "")) for each in table.outcomes.values()]
        # there is room for the effects, and they are the same for everybody
        self.texts = len(table.columns) <= SIDE_BY_SIDE and not any("{" in text for text in told)

    def row(self, name: str) -> str:
        """Return the text of a row if there is room for it, else its name."""
        text = str(self.table.outcomes.get(name, {}).get("text", ""))
        return text if text and self.texts else self.sheet.read_out(name)

    def cell(self, result: Cell) -> str:
        if result is None:
            return ""
        if isinstance(result, list):
            return self.sheet.read_out(self.name(result))
        name = self.name(result)
        return "your rulebook" if name == "owner" else self.row(name)

    def name(self, result: Cell) -> str:
        """Return the outcome of one cell, several with semicolons between them."""
        if isinstance(result, list):
            return ";".join(map(self.name, result))
        return str(result.get("as", "your rulebook, asked once")) if isinstance(result, dict) else str(result)

    def title(self, column: Column) -> str:
        if column.title:
            return column.title
        if not column.when:
            return "otherwise" if len(self.table.columns) > 1 else "result"
        return ", ".join(self._condition(part.strip()) for part in column.when.split(" and "))

    def _condition(self, sentence: str) -> str:
        """Return `12` for `fighter.clock = 12`, `high or low` for `fighter.angle in (high, low)`."""
        if same := re.fullmatch(r"([\w.\[\]-]+) (?:= ([^()]+)|in \(([^()]+)\))", sentence):
            values = (same[2] or same[3]).replace("'", "").split(",")
            return one_of([self.sheet.say(same[1], each.strip()) for each in values])
        if bound := re.fullmatch(r"([\w.\[\]-]+) (<=|>=|!=) (\S+)", sentence):
            value = self.sheet.say(bound[1], bound[3].strip("'"))
            told = {"<=": f"{value} or less", ">=": f"{value} or more", "!=": f"not {value}"}[bound[2]]
            return f"{self.sheet.text(bound[1])} {told}"
        negated, name = "not " * sentence.startswith("not "), sentence.removeprefix("not ")
        return f"{negated}{self.sheet.text(name) if name in self.sheet.known else name}"


def _grid(block: list[Column], table: Table, now: Column | None, words: Words) -> Grid:
    """Return some columns side by side, with a row for each number at which a result changes."""
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(show_edge=False, pad_edge=True, header_style="bold")
    grid.add_column("net" if table.modifiers else table.dice.name, justify="right")
    for column in block:
        marked = column is now and len(table.columns) > 1
        grid.add_column(f"{'▸ ' if marked else ''}{words.title(column)}", style="bold" if marked else "")
    for label, net in _rows(block, table):
        grid.add_row(label, *(Text(words.cell(column.rows.find(net))) for column in block))
    return grid


def _rows(block: list[Column], table: Table) -> list[tuple[str, int]]:
    """Return the net rolls of the rows as printed, and one roll of each: `4-6` for equal results."""
    nets: set[int] = {total for total, _ in table.dice.readings()} if table.dice.count else set()
    spans = [span for column in block for span, _ in column.rows.spans]
    for low, high in spans:
        nets |= {*range(low if low > -FAR else high, (high if high < FAR else low) + 1)}
    cells = {net: [column.rows.find(net) for column in block] for net in sorted(nets)}
    filled = [net for net in cells if any(cell not in (None, []) for cell in cells[net])]
    rows = []
    for _, run in groupby(filled, cells.get):
        first, *more = run
        last = more[-1] if more else first
        downward = first == min(nets) and any(low <= -FAR for low, _ in spans)
        upward = last == max(nets) and any(high >= FAR for _, high in spans)
        label = str(first) if first == last else f"{first}-{last}"
        if downward or upward:
            label = f"{first}+" if not downward else f"≤{last}" if not upward else "any"
        rows.append((label, last if downward and not upward else first))
    return rows


def _modifiers(table: Table, facts: Facts, now: Column | None) -> Iterator[Line]:
    """Yield the modifiers, marking those that apply now, and their sum."""
    yield Line("  ", [("Modifiers (▸ applies now):", "dim")])
    listed = now.modifiers if now else table.modifiers
    amounts = [each.amount(facts) if each in listed else 0 for each in table.modifiers]
    printed = [
        f"{add:+d}" if add else _printed(each, facts) for each, add in zip(table.modifiers, amounts, strict=True)
    ]
    wide = max(map(len, printed))
    for modifier, amount, told in zip(table.modifiers, amounts, printed, strict=True):
        style = "row" if amount else ""
        cite = f"  {modifier.cite}" if modifier.cite != table.id else ""
        yield Line(f"  {'▸' if amount else ' '} ", [(f"{told:{wide}} {modifier.why}", style), (cite, "dim")])
    yield Line("  ", [(f"Total now: {sum(amounts):+d}", "")])


def _printed(modifier: Modifier, facts: Facts) -> str:
    """Return an amount as printed; one only in the player's rulebook is a number once entered."""
    add = modifier.add
    if isinstance(add, int):
        return f"{add:+d}"
    known = facts.sheet.fields.get(add)
    if known is not None and known.section == "book":
        return f"{int(facts[add]):+d}" if add in facts.given else "your rulebook"
    name = add.removeprefix("-")
    sign = "minus " if add.startswith("-") else ""
    return f"{sign}{facts.sheet.declared(name).heading}" if name in facts.sheet.known else "varies"


def why_command(
    number: Annotated[
        list[str] | None,
        Argument(help="Entry number from companion log, or a table to see its last roll. Default: the latest entry."),
    ] = None,
    json: Json = False,
) -> None:
    """Explain a result. Its dice, modifiers and changes, from the journal."""
    with open_mission(record=False) as session:
        explained = explain(session, " ".join(number) if number else None)
        if json:
            print_json(explained.as_object(session.pack))
        else:
            show(explained.lines())


KEYS = ("id", "section", "title", "reading", "otherwise", "setting")


def rulings_command(
    game: Annotated[str | None, Option(help="The game. Default: that of the campaign in use.")] = None,
    json: Json = False,
) -> None:
    """Show how ambiguous rules are read, and the alternatives."""
    campaign = campaign_in_use() if game is None else None
    named = campaign.game if campaign is not None else game
    packs = [Pack(named)] if named is not None else [Pack(each) for each in games()]
    listed = [(pack, ruling) for pack in packs for ruling in rulings_of(pack, with_below=named is not None)]
    house = [(pack, each) for pack in packs for each in pack.house_rules() if each.path.stem != "rulings"]
    if json:
        objects = [{"game": pack.name, **{key: ruling.get(key, "") for key in KEYS}} for pack, ruling in listed]
        rules = [(pack, (each.path.stem, HOUSE, each.reason, each.left_out, "", "")) for pack, each in house]
        print_json([*objects, *({"game": pack.name, **dict(zip(KEYS, rule, strict=True))} for pack, rule in rules)])
        return
    if not listed and not house:
        raise UserError(f"{packs[0].name if named else 'no game'} has no rulings")
    for at, (pack, ruling) in enumerate(listed):
        if at == 0 or pack is not listed[at - 1][0]:
            show([Line("", [(pack.title, "next")])])
        head = [(ruling["id"], "strong"), (f"  {ruling['title']}", ""), (f"  ({ruling['section']})", "dim")]
        choice, setting, sheet = "", ruling.get("setting", ""), pack.sheet
        if setting and setting in sheet.known:
            values = [sheet.say(setting, each) for each in sheet.declared(setting).values]
            choice = f'your choice: companion set "{sheet.text(setting)}={" | ".join(values) or "…"}"'
        told = ("", ruling["reading"]), ("Other reading: ", ruling["otherwise"]), ("", choice)
        lines = [Line("    ", [(before, "dim"), (words, "")]) for before, words in told if words]
        show([Line("", []), Line("", head), *lines])
    for at, (pack, rule) in enumerate(house):
        if at == 0 or pack is not house[at - 1][0]:
            show([Line("", []), Line("", [(f"{pack.title}: your house rules", "next")])])
        show([Line("    ", [(str(rule), "")])])


def rulings_of(pack: Pack, *, with_below: bool = True) -> list[Spec]:
    """Return the rulings of a game in rulebook order, with or without those of the game that it extends."""
    rulings: list[Spec] = list(pack.read("rulings").get("ruling", ()))
    below = pack.about.extends
    if with_below or not below:
        return rulings
    others = rulings_of(Pack(below))
    return [each for each in rulings if each not in others]
