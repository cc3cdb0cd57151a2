"""The bomber at a glance: the status folded by what is wrong, into one screen of 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from companion.cli.present import console
from companion.cli.screen import BAD, boxes_of, hole, people_of, troubles
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.sheet import of_member
from companion.render.lines import standing
from companion.render.results import joined, pending_line
from companion.store.session import Session
from companion.words import counted

ROWS, WIDE = 23, 80  # a screen without the line where the next command is typed
BETWEEN = 19  # rows between two questions of a flight
DRAWN = 3  # rows of boxes that are drawn; of more only the figures stand there
WAITING = 3  # pending things that are listed
EMPTY = ("", "none", "no", 0)
MORE = "companion status --all"


def show_glance(session: Session, rows: int = ROWS) -> None:
    """Print the screen, in so many rows."""
    out = console()
    for line in glance(session, min(WIDE, out.width), rows):
        out.print(line, no_wrap=True, overflow="ellipsis", crop=True)


def glance(session: Session, width: int = WIDE, rows: int = ROWS) -> list[Text]:
    """The rows of the screen; what the rows have no room for is counted in the last one of its part."""
    facts = Facts(session.pack.sheet, session.mission.state)
    parts = [
        _head(session, facts, width),
        _flight(session, facts, width),
        _boxed(session, facts, width),
        _people(session, facts, width),
        _machines(session, facts, width),
        _damage(session, facts, width),
        _waiting(session, width),
    ]
    over = sum(map(len, parts)) - rows
    for at in (5, 1, 3, 4, 2, 6):  # the detail of the damage first
        if over > 0 and len(parts[at]) > 2:
            cut = min(over + 1, len(parts[at]) - 1)
            hidden = parts[at][-cut:]
            parts[at][-cut:] = [Text(f"… {counted(len(hidden), 'line')} more: {MORE}", style="dim")]
            over -= cut - 1
    return [line for part in parts for line in part]


def _head(session: Session, facts: Facts, width: int) -> list[Text]:
    title = str(session.pack.about.get("title", session.pack.name))
    named = session.campaign.name if session.campaign else ""
    head = Text(" · ".join(filter(None, [named, title])), style="bold")
    if "mission.number" in facts.sheet.fields:
        head.append(f" · {facts.sheet.text('mission.number').casefold()} {facts['mission.number']}")
    head.truncate(width, overflow="ellipsis")
    state = standing(session)
    return [head, *state.wrap(console(), width)] if state.plain else [head]


def flowing(title: str, parts: Iterable[Text | str], width: int, between: str = "; ") -> list[Text]:
    """`Title  one; two; three` over as many lines as it takes, broken between the parts where they fit."""
    lead = Text(f"{title}: " if title else "", style="yellow")
    indent = "  "
    lines, line, empty = [], lead, True
    for each in parts:
        part = each if isinstance(each, Text) else Text(each)
        gap = "" if empty else between
        if not empty and line.cell_len + len(gap) + part.cell_len + len(gap.rstrip()) > width:
            line.append(gap.rstrip())
            lines.append(line)
            line, gap = Text(indent), ""
        line.append(gap).append_text(part)
        empty = False
    lines += [] if empty else [line]
    return [piece for whole in lines for piece in (_broken(whole, width) if whole.cell_len > width else [whole])]


def _broken(line: Text, width: int) -> list[Text]:
    """A part that is longer than a line."""
    broken = line.wrap(console(), width - 4)
    for each in broken:
        each.rstrip()
    return [broken[0], *(Text("    ").append_text(each) for each in broken[1:])]


def _flight(session: Session, facts: Facts, width: int) -> list[Text]:
    """What the pack's status names, as far as something stands there."""
    sheet = facts.sheet
    names = [name for line in session.pack.about.get("status", {}).get("lines", ()) for name in line]
    told = [
        Text.assemble((f"{sheet.text(name)} ", "dim"), sheet.say(name, facts[name]))
        for name in names
        if facts[name] not in EMPTY
    ]
    return flowing("", told, width, "  ")


def _boxed(session: Session, facts: Facts, width: int) -> list[Text]:
    """The rows of boxes; where they are many, what is left of those that have been used."""
    names = session.pack.about.get("status", {}).get("boxes", ())
    drawn = boxes_of(names, facts, width)
    if len(drawn) <= DRAWN:
        return drawn
    used = [name for name in names if int(facts[name])]
    sheet = facts.sheet
    left = [
        Text(
            f"{sheet.under(name)} {limit - int(facts[name])} of {limit}",
            style=BAD if (limit - int(facts[name])) * 4 <= limit else "",
        )
        for name, limit in ((name, sheet.fields[name].limit or 0) for name in used)
    ]
    section = sheet.sections.get(sheet.fields[names[0]].section, "")
    rest = [] if len(used) == len(names) else [Text("the others full" if used else "none", style="dim")]
    return flowing(f"{section}, left" if used else section, [*left, *rest], width)


def _people(session: Session, facts: Facts, width: int) -> list[Text]:
    """The men with whom something is wrong, and how many are well."""
    layout = session.pack.about.get("status", {}).get("people")
    if layout is None:
        return []
    amiss, well = people_of(layout, facts)
    told = [
        Text.assemble((f"{place} ", ""), (f"{name} " if name else "", "dim"), state) for place, name, state in amiss
    ]
    others = f"{'the other ' if amiss else 'all '}{well} well" if well else ""
    return flowing(str(layout.get("title", "")), [*told, *([Text(others, style="dim")] if others else [])], width)


def _machines(session: Session, facts: Facts, width: int) -> list[Text]:
    """Of what stands beside the people that which is not as it left the base."""
    layout = session.pack.about.get("status", {}).get("beside")
    if layout is None:
        return []
    sheet, wrong, total = facts.sheet, [], 0
    for family in layout["fields"]:
        index = hole(family)
        for member, has in sheet.index[index].items():
            name = of_member(family, index, member)
            total += 1
            if facts[name] != sheet.fields[name].blank:
                label = str(has.get("label", f"{index.capitalize()} {member}"))
                wrong.append(Text.assemble(f"{label} ", (sheet.say(name, facts[name]), BAD)))
    rest = "all in order" if not wrong else "the others in order" if len(wrong) < total else ""
    return flowing(str(layout.get("title", "")), [*wrong, *([Text(rest, style="dim")] if rest else [])], width)


def _damage(session: Session, facts: Facts, width: int) -> list[Text]:
    """What else is no longer as it left the base, by section; members of a family stand together."""
    lines: list[Text] = []
    for label, fields in troubles(session, facts).items():
        lines += flowing(label, together(fields, facts), width)
    return lines


def together(fields: Sequence[tuple[str, Value]], facts: Facts) -> list[str]:
    """`Shell hits: Nose 1, Waist 2` for two fields of one family."""
    sheet = facts.sheet
    families: dict[str, list[str]] = {}
    alone: dict[str, str] = {}
    for name, value in fields:
        label, said = sheet.text(name), sheet.say(name, value)
        family = sheet.fields[name].name
        head, comma, member = label.partition(", ")
        if "[" in family and comma and sheet.families[family].label.startswith(f"{head}, "):
            families.setdefault(head, []).append(f"{member}{'' if said == 'yes' else f' {said}'}")
        else:
            alone[label] = "" if said == "yes" else f" {said}"
    grouped = [f"{head}: {', '.join(members)}" for head, members in families.items()]
    return [*(f"{label}{said}" for label, said in alone.items()), *grouped]


def _waiting(session: Session, width: int) -> list[Text]:
    """What is pending, orders first, and how much more there is."""
    told: dict[bool, list[str]] = {True: [], False: []}
    for item in session.mission.pending:
        told["order" in item].append(pending_line(item, session.pack, session.mission.state))
    items = [*((True, text) for text in joined(told[True])), *((False, text) for text in told[False])]
    lines = list[Text]()
    listed = items if len(items) <= WAITING else items[: WAITING - 1]
    for order, text in listed:
        lead = f"{'' if lines else 'Pending':8}{'!' if order else '›'} "
        line = Text(lead + text, style=BAD if order else "")
        line.truncate(width, overflow="ellipsis")
        lines.append(line)
    if len(items) > len(listed):
        lines.append(Text(f"{'':8}› {len(items) - len(listed)} more (companion next)", style="dim"))
    return lines
