"""The bomber on one screen of 80 columns: damage first, then the men, the fighters, the flight, and what is pending."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from companion.cli.picking import wrapped
from companion.cli.terminal import broken, console
from companion.engine.facts import Facts
from companion.engine.fields import FREE
from companion.play.plan import wave_of
from companion.render.sheet_model import SheetModel
from companion.render.situation import debrief, goes_on, has_begun, joined, pending_line, standing
from companion.store.session import Session

ROWS, WIDE = 23, 80  # a screen without the line where the next command is typed
BETWEEN = 19  # rows between two questions of a flight
WAITING = 3  # pending things that are listed
BAD, DIM = "bold red", "dim"


def show_status(session: Session, rows: int = ROWS) -> None:
    """Print the screen in about that many rows."""
    out = console()
    for line in status_lines(session, min(WIDE, out.width), rows):
        out.print(line, no_wrap=True, overflow="ellipsis", crop=True)


def show_sheet(session: Session) -> None:
    """Print the whole sheet as it is filled in, then what is pending."""
    from companion.render.history import History
    from companion.render.sheet_model import landings
    from companion.render.sheet_text import heading, mission_sheet

    pack, mission = session.pack, session.mission
    title = heading("mission", pack, session.campaign.name if session.campaign else "")
    model = SheetModel(pack, mission.state, history=History(pack, mission))
    print(mission_sheet(title, model, landings(pack, mission), filled=True))
    for item in mission.pending:
        wrapped(pending_line(item, pack, mission.state), "! " if item.kind == "order" else "› ")


def status_lines(session: Session, width: int = WIDE, rows: int = ROWS) -> list[Text]:
    """Return the lines of the screen. Where they are more than `rows` the men who are well and the flight make room;
    damage never does."""
    model = SheetModel(session.pack, session.mission.state)
    head, waiting = _head(session, width), _waiting(session, width)
    damage = [
        line for title, told in model.damage() for line in flowing(title, [Text(each, BAD) for each in told], width)
    ]
    index, wave = wave_of(session.mission)
    fighters = [Text(f"{index.capitalize()} {number}: {text}") for number, text in wave.items()]
    boxes = flowing("", _boxes(model), width, "   ")
    flight = flowing("", _flight(model), width, "  ")
    crew = flowing(str(model.crew.get("title", "")), _crew(model, everybody=True), width)
    over = len(head + damage + crew + fighters + flight + boxes + waiting) - rows
    if over > 0:
        crew = flowing(str(model.crew.get("title", "")), _crew(model, everybody=False), width)
        flight = flight[:1]
    return [*head, *damage, *crew, *fighters, *flight, *boxes, *waiting]


def _head(session: Session, width: int) -> list[Text]:
    title = session.pack.title
    number = Facts(session.pack.sheet, session.mission.state)["mission.number"]
    flight = f"{session.pack.sheet.flight} {number}"
    head = Text(
        " · ".join(filter(None, [session.campaign.name if session.campaign else "", title, flight])), style="bold"
    )
    head.truncate(width, overflow="ellipsis")
    if has_begun(session) and not goes_on(session):
        return [head, *flowing("", ending(session)[:1], width)]
    state = standing(session)
    return [head, *broken(state, console())] if state.text else [head]


def ending(session: Session) -> list[str]:
    """Return how the mission ended: its result, the men who are lost or hurt by name, and what to type next."""
    flight = session.pack.sheet.flight
    lost, hurt = SheetModel(session.pack, session.mission.state).losses()
    lines = [f"The {flight} is over. {'; '.join(debrief(session))}"]
    lines += [f"Lost: {'; '.join(lost)}."] * bool(lost) + [f"Hurt: {'; '.join(hurt)}."] * bool(hurt)
    if lost:
        lines.append('Replace them: companion crew --random, or companion crew --set "POSITION=NAME"')
    read = "Read it: companion story   Print it: companion sheet mission -o sheet.pdf"
    return [*lines, read, "Fly on: companion mission start"]


def _crew(model: SheetModel, *, everybody: bool) -> Iterable[Text]:
    """Yield each seat and how its man is: of `everybody`, or of those who are not well and the number of the others."""
    seats = list(model.seats().values())
    everybody = everybody and any(each["name"] for each in seats)
    well = 0
    for each in seats:
        place, post = each["position"] or "No seat", f" ({each['post'].lower()})" if each["post"] else ""
        if not (everybody or each["amiss"] or post or not each["position"]):
            well += 1
            continue
        empty = "" if each["name"] or each["amiss"] or not everybody else " empty"
        who = Text.assemble(f"{place}{post}", (f" {each['name']}" if each["name"] else empty, DIM))
        yield who.append(f" {', '.join(each['amiss'])}" if each["amiss"] else "", BAD)
    if well:
        yield Text(f"all {well} well" if well == len(seats) else f"the other {well} well", DIM)


def _flight(model: SheetModel) -> Iterable[Text]:
    """Yield the fields that the pack's status names, as far as they say something."""
    names = [name for line in model.pack.about.get("status", {}).get("lines", ()) for name in line]
    for name in names:
        value = model.facts[name]
        if value not in (*FREE, "no", 0):
            yield Text.assemble((f"{model.sheet.text(name)} ", DIM), model.word(name, str(value)))


def _boxes(model: SheetModel) -> Iterable[Text]:
    """Yield the boxes left of each row: `Wing tanks ☒☒☐☐ 29 left`; of many rows the figures alone."""
    rows = model.boxes()
    for name, left, limit in rows:
        drawn = "☒" * (limit - left) + "☐" * left
        row = " ".join(drawn[at : at + 10] for at in range(0, limit, 10)) + " " if len(rows) <= 3 else ""
        said = f"{left} left" if row else f"{left} of {limit}"
        yield Text.assemble((f"{model.sheet.under(name)} ", DIM), row, (said, BAD if left * 4 <= limit else ""))


def _waiting(session: Session, width: int) -> list[Text]:
    """List what is pending, orders first, and the number of the rest."""
    told: dict[bool, list[str]] = {True: [], False: []}
    for item in session.mission.pending:
        told[item.kind == "order"].append(pending_line(item, session.pack, session.mission.state))
    items = [*((True, text) for text in joined(told[True])), *((False, text) for text in told[False])]
    lines = list[Text]()
    listed = items if len(items) <= WAITING else items[: WAITING - 1]
    for order, text in listed:
        line = Text(f"{'' if lines else 'Pending':8}{'!' if order else '›'} {text}", style=BAD if order else "")
        line.truncate(width, overflow="ellipsis")
        lines.append(line)
    if len(items) > len(listed):
        lines.append(Text(f"{'':8}› {len(items) - len(listed)} more (companion next)", DIM))
    return lines


def flowing(title: str, parts: Iterable[Text | str], width: int, between: str = "; ") -> list[Text]:
    """Return `Title: one; two` over as many lines as it takes, broken between the parts where they fit."""
    lines = [Text(f"{title}: " if title else "", style="yellow")]
    empty = True
    for each in parts:
        part = each if isinstance(each, Text) else Text(each)
        if not empty and lines[-1].cell_len + len(between) + part.cell_len + len(between.rstrip()) > width:
            lines[-1].append(between.rstrip())
            lines.append(Text("  "))
        elif not empty:
            lines[-1].append(between)
        lines[-1].append_text(part)
        empty = False
    return [] if empty else [piece for whole in lines for piece in _broken(whole, width)]


def _broken(line: Text, width: int) -> list[Text]:
    """A line, in several where one part alone is longer than it."""
    if line.cell_len <= width:
        return [line]
    first, *others = line.wrap(console(), width - 4)
    first.rstrip()
    return [first, *(Text("    ").append_text(each) for each in others)]
