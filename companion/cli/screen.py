"""The whole status: every box, man, engine and gun, 80 columns wide (`companion status --all`)."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from companion.cli.present import console
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.sheet import of_member
from companion.engine.spec import Spec
from companion.render.results import pending_line
from companion.store.session import Session

GOOD, BAD = "green", "bold red"


def show_everything(session: Session) -> None:
    """Print all of it."""
    out = console()
    facts = Facts(session.pack.sheet, session.mission.state)
    head = f"{session.campaign.name if session.campaign else ''} · {session.pack.about.get('title', session.pack.name)}"
    number = f"{facts.sheet.text('mission.number').casefold()} {facts['mission.number']}"
    out.print(Text.assemble((head, "bold"), f" · {number}"))
    groups = session.pack.about.get("status", {})
    for line in groups.get("lines", ()):
        words = [_word(name, facts) for name in line if facts[name] not in ("", "none")]
        for row in _rows(words, out.width):
            out.print(Text("  ").join(row))
    for boxed in boxes_of(groups.get("boxes", ()), facts, min(80, out.width)):
        out.print(boxed)
    _people(session, facts, out)
    _troubles(session, facts, out)
    if session.mission.pending:
        state = session.mission.state
        listed = [
            (("!" if "order" in item else "›"), pending_line(item, session.pack, state))
            for item in session.mission.pending
        ]
        lines = [Text(f"{mark} {words}") for mark, words in listed]
        out.print(Panel(Group(*lines), title="Pending", title_align="left", width=min(80, out.width)))


def _rows(words: list[Text], width: int) -> list[list[Text]]:
    """As many to a line as there is room for; a label never loses its value to the next line."""
    rows: list[list[Text]] = []
    used = width
    for each in words:
        used += 2 + each.cell_len
        if used > width:
            rows.append([])
            used = each.cell_len
        rows[-1].append(each)
    return rows


def boxes_of(names: Sequence[str], facts: Facts, width: int) -> list[Text]:
    """These fields as rows of boxes."""
    sheet = facts.sheet
    return _box_rows([(sheet.under(name), int(facts[name]), sheet.fields[name].limit or 0) for name in names], width)


def _box_rows(counts: list[tuple[str, int, int]], width: int) -> list[Text]:
    """Rows of boxes, two to a line where both find room, the second from the middle on if it can."""
    pairs: list[list[tuple[str, int, int]]] = []
    for each in counts:
        used = sum(boxes(*one).cell_len for one in [*(pairs[-1] if pairs else []), each])
        if pairs and len(pairs[-1]) == 1 and used + 2 <= width:
            pairs[-1].append(each)
        else:
            pairs.append([each])
    wide = max((len(pair[0][0]) for pair in pairs if len(pair) == 1), default=0)
    rows = []
    for (label, *count), *beside in pairs:
        row = boxes(label if beside else label.ljust(wide), *count)
        for second in (boxes(*one) for one in beside):
            row.pad_right(max(2, min(width // 2, width - second.cell_len) - row.cell_len))
            row.append_text(second)
        rows.append(row)
    return rows


def _word(name: str, facts: Facts) -> Text:
    label = facts.sheet.text(name)
    return Text.assemble((f"{label} ", "dim"), facts.sheet.say(name, facts[name]))


def boxes(label: str, crossed: int, limit: int) -> Text:
    """A row of boxes, crossed from the left, in groups of ten."""
    text = Text(f"{label} ", no_wrap=True, overflow="crop")
    for at in range(limit):
        text.append(" " if at and at % 10 == 0 else "")
        text.append("☒" if at < crossed else "☐", style="dim" if at < crossed else "")
    text.append(f" {limit - crossed} left")
    return text


def _people(session: Session, facts: Facts, out: Console) -> None:
    """The men as `[status.people]` of the pack tells them, and beside them what `[status.beside]` names."""
    sheet, layout = session.pack.sheet, session.pack.about.get("status", {})
    beside = [_people_of(layout["people"], facts)] if "people" in layout else []
    if "beside" in layout:
        side = _columns(str(layout["beside"].get("title", "")), "")
        for family in layout["beside"]["fields"]:
            for label, name in _listed(family, facts):
                side.add_row(label, _state(sheet.say(name, facts[name]), facts[name] == sheet.fields[name].blank))
        beside.append(side)
    if beside:
        out.print(Columns(beside, padding=(0, 4)))


def _listed(family: str, facts: Facts) -> list[tuple[str, str]]:
    """The fields of a family, each with its label; members that are only numbers share a line when they are alike."""
    index = hole(family)
    names = {member: of_member(family, index, member) for member in facts.sheet.index[index]}
    labels = {member: has["label"] for member, has in facts.sheet.index[index].items() if "label" in has}
    alike: dict[str, list[str]] = {}
    for member, name in names.items():
        alike.setdefault(member if member in labels else f"={facts[name]}", []).append(member)
    lines = []
    for same in alike.values():
        span = f"{same[0]} to {same[-1]}" if len(same) == len(names) > 1 else ", ".join(same)
        lines.append((str(labels.get(same[0], f"{index.capitalize()} {span}")), names[same[0]]))
    return lines


def _people_of(layout: Spec, facts: Facts) -> Grid:
    """A line a man: his place, his name, how he is (the first of `states`, and what else is amiss), his boxes."""
    sheet, index = facts.sheet, hole(layout["states"][0])
    breath = sheet.families.get(layout.get("boxes", ""))
    grid = _columns(str(layout.get("title", "")), "", "", breath.heading.casefold() if breath else "")
    for member, has in sheet.index[index].items():
        states = [of_member(each, index, member) for each in layout["states"]]
        amiss, states_shown = _states(states, facts)
        name = of_member(layout.get("name", ""), index, member)
        crossed = int(facts[of_member(breath.name, index, member)]) if breath else 0
        limit = breath.limit or 0 if breath else 0
        grid.add_row(
            Text(str(has.get("label", member))),
            Text(str(facts[name]) if name else "", style="dim"),
            _state(", ".join(states_shown), states[0] not in amiss),
            Text(_crosses(crossed, limit), style=BAD if limit and crossed == limit else "dim"),
        )
    return grid


def _states(states: Sequence[str], facts: Facts) -> tuple[list[str], list[str]]:
    """The fields of a man in which something is amiss, and how he is in words."""
    amiss = [name for name in states if facts[name] != facts.sheet.fields[name].blank]
    shown = [_amiss(name, facts) for name in amiss] or [facts.sheet.say(states[0], facts[states[0]])]
    if amiss and amiss[0] != states[0]:
        shown.insert(0, facts.sheet.say(states[0], facts[states[0]]))
    return amiss, shown


def people_of(layout: Spec, facts: Facts) -> tuple[list[tuple[str, str, Text]], int]:
    """Each man with whom something is amiss: his place, his name and how he is; and how many are well."""
    sheet, index = facts.sheet, hole(layout["states"][0])
    breath, wrong, well = sheet.families.get(layout.get("boxes", "")), list[tuple[str, str, Text]](), 0
    for member, has in sheet.index[index].items():
        amiss, shown = _states([of_member(each, index, member) for each in layout["states"]], facts)
        crossed = int(facts[of_member(breath.name, index, member)]) if breath else 0
        if breath and crossed:
            shown = [*(shown if amiss else []), f"{breath.heading.casefold()} {crossed} of {breath.limit}"]
        if amiss or crossed:
            name = of_member(layout.get("name", ""), index, member)
            state = Text(", ".join(shown), style=BAD)
            wrong.append((str(has.get("label", member)), str(facts[name]) if name else "", state))
        else:
            well += 1
    return wrong, well


def _amiss(name: str, facts: Facts) -> str:
    """What is amiss: the word that stands in the field, or for a plain `yes` what the field is called."""
    yes = facts[name] == "yes"
    return facts.sheet.fields[name].heading.casefold() if yes else facts.sheet.say(name, facts[name])


def _columns(*titles: str) -> Grid:
    grid = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    for title in titles:
        grid.add_column(title)
    return grid


def _state(state: str, well: bool) -> Text:
    return Text(state, style=GOOD if well else BAD)


def _crosses(crossed: int, limit: int) -> str:
    return "☒" * crossed + "☐" * (limit - crossed)


def hole(family: str) -> str:
    """The index of a family: `position` of `crew[position]`."""
    return family.partition("[")[2].partition("]")[0]


def _troubles(session: Session, facts: Facts, out: Console) -> None:
    for section, fields in troubles(session, facts).items():
        words = [f"{facts.sheet.text(name)} {facts.sheet.say(name, value)}" for name, value in fields]
        out.print(Text.assemble((f"{section}: ", "yellow"), "; ".join(words)))


def troubles(session: Session, facts: Facts) -> dict[str, list[tuple[str, Value]]]:
    """Everything that is no longer as it left the base and stands nowhere else, by section of the sheet."""
    sheet, state = session.pack.sheet, session.mission.state
    layout = session.pack.about.get("status", {})
    shown = {"working", "book", *layout.get("elsewhere", ())}
    named = {name for line in layout.get("lines", ()) for name in line} | set(layout.get("boxes", ()))
    by_section: dict[str, list[tuple[str, Value]]] = {}
    for name, declared in sheet.fields.items():
        if declared.section == "settings" and declared.default is None:
            continue  # an answer kept for the campaign: `companion campaign` lists them
        if name in state and state[name] != declared.blank and declared.section not in shown and name not in named:
            label = sheet.sections.get(declared.section, declared.section)
            by_section.setdefault(label, []).append((name, state[name]))
    return by_section
