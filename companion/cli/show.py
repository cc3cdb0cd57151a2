"""`companion show TABLE`, `why` and `rulings`: a table, what decided a roll, and how the rules are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from rich.table import Table as Grid
from rich.text import Text
from typer import Argument, Option

from companion.cli.commands import Game, Json, print_json
from companion.cli.terminal import console, show
from companion.engine.facts import Facts
from companion.engine.fields import Spec
from companion.engine.rules import words as text_of
from companion.packs import Pack, games
from companion.play.conversation import with_implied
from companion.play.phrases import given as given_facts
from companion.play.phrases import table_named
from companion.problems import MissingAnswer, UserError
from companion.render.describe import in_a_line, in_full
from companion.render.explanation import Explanation, explain
from companion.render.situation import Line
from companion.store.session import Session, campaign_in_use, open_mission, open_session
from companion.words import one_of, unhyphened

if TYPE_CHECKING:
    from rich.console import Console

    from companion.engine.tables import Cell, Column, Table
    from companion.store.session import Session

SIDE_BY_SIDE = 4  # columns of a block
WIDE = 78  # what there is room for in a grid
ACROSS = 8  # a table of more columns and no more rows is turned over


def show_command(
    table: Annotated[list[str], Argument(help="Its number, or words of its title: 5-9, flak over the target.")],
    game: Game = None,
    given: Annotated[list[str] | None, Option("--with", help="FIELD=VALUE to look at it with.")] = None,
) -> None:
    """A table, with the column and modifiers of now marked."""
    with open_session(game, record=False) as session:
        show_table(session, " ".join(table), given or ())


def show_table(session: Session, table: str, given: Sequence[str] = (), out: Console | None = None) -> None:
    """A table as it stands, the column and modifiers of now marked."""
    shown = table_named(session.pack, table)
    facts = Facts(session.pack.sheet, session.mission.state)
    more = with_implied(session.mission, given_facts(session.pack, given, session.mission.state))
    facts = Facts(session.pack.sheet, shown.bind(facts), session.mission.state, more)
    out = out or console()
    dice = "no dice" if shown.dice.count == 0 else shown.dice.name
    head = Text.assemble(
        (shown.number_printed, "bold"),
        "" if shown.number_printed == shown.title else f"  {shown.title}",
        f", {dice}",
        (f"  ({shown.cite})" if shown.cite else "", "dim"),
    )
    out.print(head)
    words = Words(shown, facts)
    if shown.columns:
        if len(shown.columns) > ACROSS and len(_lines(shown.columns, shown)) <= ACROSS:
            out.print(_lying(shown, facts, words))
        else:
            for block in _blocks(shown):
                out.print(_grid(block, shown, facts, words))
    else:
        if shown.question:
            own = f"You are asked each time: {text_of(shown.doc, 'owner', facts)}."
        elif shown.owner:
            own = "The rows are in your own book."
        else:
            own = "It has no rows: what it comes to follows from the sheet."
        out.print(f"  {own}")
    _modifiers(shown, facts, out)
    for natural in shown.naturals:
        rolls = ", ".join(map(str, sorted(natural.rolls)))
        always = "is always" if natural.test is None else "may be, as the note says"
        out.print(Text(f"  An unmodified {rolls} {always}: {words.row(str(natural.outcome))}."))
    for row, answer in _remembered(shown, facts):
        out.print(Text(f"  A {row} is {facts.sheet.read_out(answer)}, as you said."))
    if shown.doc.get("note"):
        out.print(Text(f"  {shown.doc['note']}", style="dim"))


def _remembered(shown: Table, facts: Facts) -> list[tuple[str, str]]:
    """The cells of the column of now that ask once, and have been answered."""
    now = _current(shown, facts)
    answered = []
    for row, result in now.rows.written.items() if now is not None else ():
        name = result["#ask-once"](facts) if isinstance(result, dict) and "#ask-once" in result else None
        if name is not None and facts[name] != "none":
            answered.append((row, str(facts[name])))
    return answered


class Words:
    """What stands in the cells and over the columns, as a person reads it."""

    def __init__(self, shown: Table, facts: Facts) -> None:
        self.table, self.sheet = shown, facts.sheet
        told = [str(each.get("text", "")) for each in shown.outcomes.values()]
        # there is room for what a row does beside what it is called, and it says the same of everybody
        self.texts = len(shown.columns) <= SIDE_BY_SIDE and not any("{" in text for text in told)

    def row(self, name: str) -> str:
        """A row: its text where there is room for it, else its name."""
        text = str(self.table.outcomes.get(name, {}).get("text", ""))
        return text if text and self.texts else self.sheet.read_out(name)

    def cell(self, result: Cell) -> str:
        """What stands in one cell."""
        if result is None:
            return ""
        if isinstance(result, list):
            return self.places(result) or ", ".join(map(self.cell, result))
        if isinstance(result, dict):
            return self.row(str(result["as"])) if "as" in result else "your book, asked once"
        return "your book" if result == "owner" else self.places([result]) or self.row(str(result))

    def places(self, results: list[Any]) -> str:
        """Several of one kind with their places (`Me 109 12 high, 3 level; Fw 190 dive`); empty for anything else."""
        names = [str(each.get("as", "")) if isinstance(each, dict) else str(each) for each in results]
        if not all(each.count("@") == 1 for each in names):
            return ""
        kinds: list[tuple[str, list[str]]] = []
        for kind, _, place in (each.partition("@") for each in names):
            if not kinds or kinds[-1][0] != kind:
                kinds.append((kind, []))
            kinds[-1][1].append(self.sheet.read_out(place))
        return "; ".join(f"{self.sheet.read_out(kind)} {', '.join(each)}" for kind, each in kinds)

    def title(self, column: Column) -> str:
        """A column's title, or when it counts."""
        if column.title:
            return column.title
        if not column.when:
            return "otherwise" if len(self.table.columns) > 1 else "result"
        return ", ".join(self.condition(part.strip()) for part in column.when.split(" and "))

    def condition(self, sentence: str) -> str:
        """`12` for `fighter.clock = 12`, `high or low` for `fighter.angle in (high, low)`."""
        same = re.fullmatch(r"([\w.\[\]-]+) (?:= ([^()]+)|in \(([^()]+)\))", sentence)
        bound = re.fullmatch(r"([\w.\[\]-]+) (<=|>=|!=) (\S+)", sentence)
        if bound is not None:
            value = self.sheet.say(bound[1], bound[3].strip("'"))
            told = {"<=": f"{value} or less", ">=": f"{value} or more", "!=": f"not {value}"}[bound[2]]
            return f"{self.sheet.text(bound[1])} {told}"
        if same is None:
            negated, name = sentence.startswith("not "), sentence.removeprefix("not ")
            return f"{'not ' if negated else ''}{self.sheet.text(name) if name in self.sheet.known else name}"
        values = (same[2] or same[3]).replace("'", "").split(",")
        return one_of([self.sheet.say(same[1], each.strip()) for each in values])


def _lying(shown: Table, facts: Facts, words: Words) -> Grid:
    """A table of many columns and few rows, turned over: a line a column."""
    now = _current(shown, facts)
    lines = _lines(shown.columns, shown)
    cells = {column: [words.cell(column.rows.find(net)) for _, net in lines] for column in shown.columns}
    needed = max(len(words.title(column)) for column in shown.columns) + sum(
        3 + max(len(each[at]) for each in cells.values()) for at in range(len(lines))
    )
    if needed > WIDE:
        return _told(shown, now, words)
    grid = Grid(show_edge=False, pad_edge=True, header_style="bold")
    grid.add_column("")
    for label, _ in lines:
        grid.add_column(label)
    for column in shown.columns:
        style = "bold" if column is now else ""
        title = Text(f"{'▸ ' if column is now else ''}{words.title(column)}", style=style)
        grid.add_row(title, *(Text(each, style=style) for each in cells[column]))
    return grid


def _told(shown: Table, now: Column | None, words: Words) -> Grid:
    """A line a column, with its own rows in it: for what has no room in a grid."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    for column in shown.columns:
        style = "bold" if column is now else ""
        rows = [f"{label}: {words.cell(column.rows.find(net))}" for label, net in _lines([column], shown)]
        mark = "▸ " if column is now else "  "
        grid.add_row(Text(mark + words.title(column), style=style), Text("; ".join(rows), style=style))
    return grid


def _blocks(shown: Table, wide: int = SIDE_BY_SIDE) -> list[list[Column]]:
    """The columns in blocks that fit a screen side by side."""
    return [shown.columns[at : at + wide] for at in range(0, len(shown.columns), wide)]


def _current(shown: Table, facts: Facts) -> Column | None:
    for column in shown.columns:
        try:
            if column.test is None or column.test(facts):
                return column
        except MissingAnswer:
            return None
    return None


def _grid(block: list[Column], shown: Table, facts: Facts, words: Words) -> Grid:
    """The rows of some columns, one line for each figure where a result changes."""
    now = _current(shown, facts)
    grid = Grid(show_edge=False, pad_edge=True, header_style="bold")
    grid.add_column("net" if shown.modifiers else shown.dice.name, justify="right")
    for column in block:
        mark = "▸ " if column is now and len(shown.columns) > 1 else ""
        grid.add_column(f"{mark}{words.title(column)}", style="bold" if column is now and mark else "")
    for label, net in _lines(block, shown):
        grid.add_row(label, *(Text(words.cell(column.rows.find(net))) for column in block))
    return grid


def _lines(block: list[Column], shown: Table) -> list[tuple[str, int]]:
    """Which net rolls to print, neighbours with the same results joined: `4-6`."""
    nets: set[int] = {total for total, _ in shown.dice.readings()} if shown.dice.count else set()
    for column in block:
        nets |= set(column.rows.exact)
        for edge in (column.rows.below, column.rows.above):
            if edge:
                nets.add(edge[0])
    low = min(nets, default=0)
    high = max(nets, default=0)
    runs: list[list[int]] = []
    for net in sorted(nets):
        cells = [_cell(column.rows.find(net)) for column in block]
        if all(cell == "" for cell in cells):
            continue
        if runs and [_cell(column.rows.find(runs[-1][-1])) for column in block] == cells:
            runs[-1].append(net)
        else:
            runs.append([net])
    lines = []
    for run in runs:
        first, last = run[0], run[-1]
        open_low = first == low and any(column.rows.below for column in block)
        open_high = last == high and any(column.rows.above for column in block)
        if open_low and open_high:
            lines.append(("any", first))
        elif open_low:
            lines.append((f"≤{last}", last))
        elif open_high:
            lines.append((f"{first}+", first))
        else:
            lines.append((str(first) if first == last else f"{first}-{last}", first))
    return lines


def _cell(result: Cell) -> str:
    if result is None:
        return ""
    if isinstance(result, list):
        return ", ".join(map(_cell, result))
    if isinstance(result, dict):
        return str(result["as"]) if "as" in result else "your book, asked once"
    return "your book" if result == "owner" else str(result)


def _worked_out(sentence: str, facts: Facts) -> str:
    """An amount that is worked out; one that only the player's book prints is a figure once he has said it."""
    known = facts.sheet.fields.get(sentence)
    if known is None or known.section != "book":
        name = sentence.removeprefix("-")
        sign = "-" if sentence.startswith("-") else "+"
        return f"{sign}{facts.sheet.declared(name).heading}" if name in facts.sheet.known else "varies"
    return f"{int(facts[sentence]):+d}" if sentence in facts.given else "your book"


def _modifiers(shown: Table, facts: Facts, out: Console) -> None:
    if not shown.modifiers:
        return
    out.print(Text("  Modifiers, those that apply now marked:", style="dim"))
    grid = Grid.grid(padding=(0, 1, 0, 0))
    total = 0
    now = _current(shown, facts)
    listed = now.modifiers if now else shown.modifiers
    for modifier in shown.modifiers:
        amount = modifier.amount(facts) if modifier in listed else 0
        total += amount
        printed = f"{modifier.add:+d}" if isinstance(modifier.add, int) else _worked_out(modifier.add, facts)
        style = "bold green" if amount else ""
        grid.add_row(
            "  ▸" if amount else "   ",
            Text(f"{amount:+d}" if amount else printed, style=style),
            Text.assemble((modifier.why, style), (f"  {modifier.cite}" if modifier.cite != shown.id else "", "dim")),
        )
    out.print(grid)
    out.print(f"  Together now: {total:+d}")


def why_command(
    number: Annotated[
        list[str] | None,
        Argument(help="Entry number from `companion log`, or a table for its last roll. Default: the latest entry."),
    ] = None,
    json: Json = False,
) -> None:
    """An entry of the journal, with all that went into it."""
    with open_mission(record=False) as session:
        explained = explain(session, " ".join(number) if number else None)
        if json:
            print_json(explained.as_object(session.pack))
        else:
            tell(session, explained, console())


def tell(session: Session, explained: Explanation, out: Console) -> None:
    """Show an entry with all that went into it."""
    told = explained.told
    lines = [Line("", [(f"Entry {explained.number} of {session.mission.journal.stand}", "dim")])]
    if explained.result is None:
        lines += [Line("  ", [("Set by you", "")]), *(Line("  ", [(each, "")]) for each in told.changes.arrows())]
    elif told.verb == "step":
        lines += [Line("", [(f"{told.title}  {told.cite}".rstrip(), "")]), Line("  ", [(in_a_line(told), "")])]
    else:
        lines += in_full(told, arrows=True)
        lines += [Line("  ", [(each, "")]) for each in explained.because]
        if explained.row:
            lines.append(Line("  ", [(f"row: {explained.row_in_words}", "dim")]))
        if explained.given:
            lines.append(Line("  ", [(f"given with it: {explained.given}", "dim")]))
    show(lines, out)


KEYS = ("id", "section", "title", "reading", "otherwise", "setting")


def rulings_command(
    game: Annotated[str | None, Option(help="Which game, when it is not that of the campaign in use.")] = None,
    json: Json = False,
) -> None:
    """How places in doubt are read, and what else they could mean."""
    campaign = campaign_in_use() if game is None else None
    named = campaign.game if campaign is not None else game
    packs = [Pack(named)] if named is not None else [Pack(each) for each in games()]
    listed = [(pack, ruling) for pack in packs for ruling in rulings_of(pack, with_below=named is not None)]
    if json:
        objects = [{"game": pack.name, **{key: ruling.get(key, "") for key in KEYS}} for pack, ruling in listed]
        print_json(objects)
        return
    if not listed:
        raise UserError(f"{packs[0].name if named else 'no game'} has no rulings")
    out, heading = console(), ""
    for pack, ruling in listed:
        if pack.name != heading:
            heading = pack.name
            out.print(Text(pack.title, style="bold cyan"))
        head = Text.assemble("\n", (ruling["id"], "bold"), f"  {ruling['title']}", (f"  ({ruling['section']})", "dim"))
        out.print(head)
        for before, words in (("", ruling["reading"]), ("else: ", ruling["otherwise"]), ("", _choice(pack, ruling))):
            if words:
                show([Line("    ", [(before, "dim"), (words, "")])], out)


def rulings_of(pack: Pack, *, with_below: bool = True) -> list[Spec]:
    """The rulings of a game, in the order of its books; without those of the game that it extends, if so wished."""
    rulings: list[Spec] = list(pack.read("rulings").get("ruling", ()))
    below = pack.about.extends
    if with_below or not below:
        return rulings
    others = rulings_of(Pack(below))
    return [each for each in rulings if each not in others]


def _choice(pack: Pack, ruling: Spec) -> str:
    """How the player says what he reads there."""
    setting = ruling.get("setting", "")
    if not setting:
        return ""
    if setting not in pack.sheet.known:
        return ""
    label, values = pack.sheet.text(setting), [unhyphened(each) for each in pack.sheet.declared(setting).values]
    return f'yours to choose: companion set "{label}={" | ".join(values) or "…"}"'
