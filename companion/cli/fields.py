"""`companion fields`: editable fields with their current values; `help`: the meaning of a word; `guide`: the pages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, NamedTuple

from typer import Argument

from companion.cli import COMMANDS
from companion.cli.commands import Commands, Game, Json, print_json, run
from companion.cli.terminal import screen_width, show
from companion.engine.facts import Facts
from companion.engine.fields import FREE, Field, Value
from companion.packs import Pack, games
from companion.packs.folders import tables_folder
from companion.play.phrases import table_named, written
from companion.play.vocabulary import SIDES, Vocabulary, words_of
from companion.problems import UserError
from companion.render.situation import Line, secrets
from companion.store.campaigns import campaign_in_use
from companion.store.session import Session, open_session
from companion.words import did_you_mean, natural_order, nearest, one_of, quoted

if TYPE_CHECKING:
    from companion.engine.sheet import Sheet

GUIDE = Path(__file__).resolve().parent.parent / "guide"
SINGLY = 24  # the most fields listed one by one; of more each family gets one row
NAMED = 3  # the most members named in a family's row
FOUND = 6  # the most fields and tables that `help` lists for a word
LABEL, NOW = 30, 19  # column widths; the accepted values get the rest of the line


class Row(NamedTuple):
    """An editable field or a family of them: label, current value and accepted values."""

    section: str
    label: str
    now: str
    takes: str


def fields_command(
    word: Annotated[list[str] | None, Argument(help="Words from a label, section or value.")] = None,
    game: Game = None,
    json: Json = False,
) -> None:
    """List the fields you can change. Each with its current value and the values it accepts."""
    typed = " ".join(word or ())
    with open_session(game, record=False) as session:
        names = fields_with(session, typed)
        if json:
            sheet, facts = session.pack.sheet, session.mission.facts()
            listed = [
                {"field": name, "label": sheet.text(name), "section": sheet.sections[sheet.fields[name].section],
                 "takes": sheet.takes(name), "values": list(sheet.fields[name].values), "value": facts[name]}
                for name in names
            ]  # fmt: skip
            print_json(listed)
            return
        if not names:
            raise UserError(f"No field has the words {typed!r}. List all fields with: companion fields")
        show_fields(session, names)
        hint = "Narrow it with a word: companion fields fuel"
        if typed:
            hint = f"Change it with: {command}" if (command := example(session, names)) else ""
        show([Line("", [(hint, "dim")])] * bool(hint))


def fields_with(session: Session, typed: str) -> list[str]:
    """Return the editable fields that match these words or prefixes, in sheet order.

    A word may be from the label, the section, the name, or one value.
    """
    sheet, parts = session.pack.sheet, words_of(typed)
    shown = [name for name, declared in sheet.fields.items() if declared.section != "working"]
    if not parts:
        return shown
    known = dict[str, list[Set[str]]]()  # the search words of each field, and those of each of its values
    for name in shown:
        field, said = sheet.fields[name], session.pack.about.phrases.fields.items()
        called = [name, *(phrase for phrase, whose in said if whose == name)]
        label = f"{sheet.text(name)} {sheet.sections[field.section]} {re.sub('[.-]', ' ', ' '.join(called))}"
        known[name] = [words_of(label), *(words_of(sheet.say(name, value)) for value in field.values)]

    def whole(part: str, words: Set[str]) -> bool:
        return part in words or SIDES.get(part) in words

    def begun(part: str, words: Set[str]) -> bool:
        return any(each.startswith(part) for each in words)

    vocabulary = Vocabulary(session.pack, session.mission.state)
    meant = {name for name in shown if vocabulary.meanings(name, typed)}  # `wounded` is light or serious
    for fits in (whole, begun):
        if found := meant | {n for n in shown if any(all(fits(part, each) for part in parts) for each in known[n])}:
            return [name for name in shown if name in found]
    return []


# -- rows --------------------------------------------------------------------------------------------------------------


def show_fields(session: Session, names: Sequence[str]) -> None:
    """Print fields by section, one by one or family by family."""
    section = taken = ""
    rooms = (LABEL, NOW, max(25, min(screen_width(), 110) - LABEL - NOW - 6))
    show([Line("  ", [(f"{'':{LABEL}}  {'now':{NOW}}  values", "dim")])])
    for row in rows_of(session, names):
        if row.section != section:
            section = row.section
            show([Line("", [(section, "strong")])])
            taken = ""
        label, now, takes = (wrap(text, room) for text, room in zip(row[1:], rooms, strict=True))
        if row.takes == taken and len(takes) > 1:
            takes = ["as above"]
        taken = row.takes
        for first, second, third in zip_longest(label, now, takes, fillvalue=""):
            show([Line("  ", [(f"{first:{LABEL}}  ", ""), (f"{second:{NOW}}  ", "change"), (third, "dim")])])


def rows_of(session: Session, names: Sequence[str]) -> Iterator[Row]:
    """Yield the fields as rows; if there are many, one row per family that names the changed members."""
    pack, sheet, facts = session.pack, session.pack.sheet, session.mission.facts()
    secret = secrets(pack, facts)
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(sheet.fields[name].name if len(names) > SINGLY else name, []).append(name)
    for members in families.values():
        field = sheet.fields[members[0]]
        label, now = sheet.text(members[0]), told(pack, members[0], facts)
        if len(members) > 1:
            label, now = _together(sheet, field), _changed(pack, field, members, facts)
        now = "" if secret.issuperset(members) else now
        yield Row(sheet.sections[field.section], f"{label[:1].upper()}{label[1:]}", now, sheet.takes(members[0]))


def _together(sheet: Sheet, field: Field) -> str:
    """Return the label of a family: `Engine 1 to 4`, `Oxygen, Pilot and 10 more`, `Flap, port or starboard`."""

    def members(index: str) -> str:
        labels = [sheet.label(index, each) for each in sheet.index[index]]
        if all(map(str.isdigit, labels)):
            return f"{labels[0]} to {labels[-1]}"
        return one_of(labels) if len(labels) <= NAMED else f"{labels[0]} and {len(labels) - 1} more"

    return re.sub(r"\{(\w+)\}", lambda each: members(each[1]), field.label)


def _changed(pack: Pack, field: Field, names: Sequence[str], facts: Facts) -> str:
    """Return the changed members of a family: `2 out; 3 runaway`; else `all ok`."""
    whose = dict(pack.sheet.family(field.name))
    changed = [
        f"{' '.join(pack.sheet.label(*each, field.name) for each in whose[name])} {told(pack, name, facts)}"
        for name in names
        if facts[name] not in (field.blank, *FREE)
    ]
    if not changed and field.blank not in (*FREE, "no", 0):
        return f"all {told(pack, names[0], facts)}"
    return "; ".join([*changed[:NAMED], *[f"{len(changed) - NAMED} more"] * (len(changed) > NAMED)])


def told(pack: Pack, name: str, facts: Facts) -> str:
    """Return the contents of a field: its words, or the boxes crossed off and left."""
    field, value = pack.sheet.fields[name], facts[name]
    if field.kind != "boxes" or field.limit is None:
        unset = (value in FREE and value not in field.values) or not field.reaches(value)
        return "" if unset else pack.sheet.say(name, value)
    counted = {each[0]: each[1] for each in pack.about.status.boxes if not isinstance(each, str)}
    left = facts[counted[name]] if name in counted else field.limit - int(value)  # an uninstalled tank has none
    return f"{value} crossed, {left} left"


def example(session: Session, names: Iterable[str]) -> str:
    """Return a command that changes the first of these fields that can be changed in words."""
    pack, state = session.pack, session.mission.state
    facts = Facts(pack.sheet, state)
    for name in names:
        field = pack.sheet.fields[name]
        values: list[Value] = sorted(field.values, key=lambda each: each in (field.blank, *FREE))
        for value in values or ([int(facts[name]) + 1] if field.numeric else []):
            said = f"{pack.sheet.text(name)} {pack.sheet.say(name, value)}".lower()
            with suppress(UserError):
                if facts[name] != value and written(pack, [said], state) == {name: value}:
                    plain = all(each == quoted(each) for each in said.split())
                    return f"companion set {said if plain else quoted(said)}"
    return ""


# -- help --------------------------------------------------------------------------------------------------------------


def help_command(
    word: Annotated[list[str] | None, Argument(help="A command, a table, a field, or any word from one.")] = None,
    game: Game = None,
) -> None:
    """Explain a command, table, field or word. Without one, list all commands."""
    words = word or []
    if not words or words[0] in COMMANDS:
        run([*words, "--help"])
        return
    typed = " ".join(words)
    lines: list[Line] = []
    if game is None and campaign_in_use() is None:
        for each in games():
            pack = Pack(each)
            if told := [*_tables_with(pack, typed, f" --game {each}")]:
                lines += [Line("", [(pack.title, "change")]), *told]
    else:
        with open_session(game, record=False) as session:
            lines = [
                *_tables_with(session.pack, typed, f" --game {game}" if game else ""),
                *_fields_with(session, typed),
            ]
    read = [name for name in pages() if words_of(typed) & words_of(name.replace("-", " "))]
    lines += [Line("Guide ", [(f"companion guide {name}", "next")]) for name in read]
    near = nearest(typed.casefold(), COMMANDS)
    parts, commands = words_of(typed), Commands()
    named = near or [name for name in COMMANDS if parts and parts <= words_of(commands.about(name))]
    lines = [*(Line("Command ", [(name, "strong"), (f"  {commands.about(name)}", "")]) for name in named), *lines]
    if not lines:
        raise UserError(f"There is no {typed!r}. See all commands: companion --help")
    if near:
        print(did_you_mean(near))
    show(lines)


def _tables_with(pack: Pack, typed: str, game: str) -> Iterator[Line]:
    """Yield the tables with these words, and commands for the first."""
    try:
        tables = [table_named(pack, typed)]
    except UserError:
        parts = words_of(typed)
        numbers = sorted(
            (number for number, title in pack.headings.values() if parts and parts <= words_of(title)),
            key=natural_order,
        )
        tables = [pack.table(each) for each in numbers]
    for table in tables[:FOUND]:
        yield Line("Table ", [(table.called, "strong"), (f", {table.dice.name}" if table.dice.count else "", "")])
    if tables:
        number = quoted(tables[0].number_printed)
        yield Line("  ", [(f"companion roll {number}{game}   companion show {number}{game}", "next")])


def _fields_with(session: Session, typed: str) -> Iterator[Line]:
    """Yield the fields with these words, and a command that changes one."""
    names = fields_with(session, typed)
    rows = list(rows_of(session, names))
    for row in rows[:FOUND]:
        yield Line("Field ", [(row.label, "strong"), (f": {row.takes}" + f", now {row.now}" * bool(row.now), "")])
    if names:
        every = f"companion fields {quoted(typed)}" if len(rows) > FOUND else ""
        hints = [each for each in (example(session, names), every) if each]
        yield from [Line("  ", [("   ".join(hints), "next")])] * bool(hints)


# -- the guide ---------------------------------------------------------------------------------------------------------


def pages() -> dict[str, Path]:
    """Return the pages by name, in reading order."""
    order = "flying by-hand tables campaigns paper phone scripts bombs-away house-rules writing json windows commands"
    return {
        name: tables_folder() / "README.md" if name == "writing" else GUIDE / f"{name}.md" for name in order.split()
    }


def guide_command(
    page: Annotated[list[str] | None, Argument(help="Name of a page. Default: the list of pages.")] = None,
) -> None:
    """Show a page of the guide."""
    known = pages()
    typed = "-".join(" ".join(page or ()).casefold().split())
    if not typed:
        for name, path in known.items():
            print(f"  {name:12} {path.read_text(encoding='utf-8').partition(chr(10))[0].removeprefix('# ')}")
        print("\nRead one with: companion guide flying")
        return
    fitting = [name for name in known if name.startswith(typed) or typed.startswith(f"{name}-")]
    if len(fitting) != 1:
        hint = did_you_mean(nearest(typed, known, 1), f"The pages are {', '.join(known)}.")
        raise UserError(f"There is no page {typed}. {hint}")
    text = known[fitting[0]].read_text(encoding="utf-8")
    if not sys.stdout.isatty():
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    with Console() as console:
        console.print(Markdown(text))
