"""`companion status`, the bomber on one screen, and `companion next`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.commands import Json, print_json
from companion.cli.terminal import broken, cells, cropped, screen_width, show, wrapped
from companion.engine.fields import FREE, Value
from companion.packs import games
from companion.play.conversation import next_asked
from companion.play.mission import Mission, turn_is_over
from companion.play.plan import aimed, decisions, joint, key_of, wave_of
from companion.problems import UserError
from companion.render.plan_prompt import bearing, said
from companion.render.sheet_model import SheetModel, landings
from companion.render.situation import (
    Line,
    Piece,
    goes_on,
    has_started,
    joined,
    pending_line,
    players,
    seen_by,
    sight,
    standing,
    step_of,
    viewers,
)
from companion.store.campaigns import campaign_in_use
from companion.store.files import home, present
from companion.store.session import Session, campaign_needed, open_mission, open_session
from companion.words import counted, one_of, unhyphened

if TYPE_CHECKING:
    from companion.engine.rules import Step


ROWS, WIDE = 23, 80  # the rows of a screen without the input line
WAITING = 3  # the most pending things listed
TOGETHER = 3  # the most fighters on a line


def status_command(
    side: Annotated[str | None, Argument(help="With --hide: the side that may look, e.g. axis.")] = None,
    json: Json = False,
    hide: Annotated[bool, Option("--hide", help="Show only what both players may know.")] = False,
    everything: Annotated[bool, Option("--all", help="Show everything, including undamaged items.")] = False,
) -> None:
    """Show the bomber on one screen. Flight, fuel, damage, wounds and pending rolls."""
    with open_mission(record=False) as session:
        facts = revealed_facts(session, (side or "").casefold(), hide=hide) if hide or side else {}
        shown = as_object(session) if json else {}
    if json:
        print_json({**{key: shown[key] for key in ("campaign", "game", "mission")}, "facts": facts} if hide else shown)
    elif hide:
        show_revealed(session, side or "", facts)
    elif everything:
        show_sheet(session)
    else:
        show_status(session)


def revealed_facts(session: Session, side: str, *, hide: bool) -> dict[str, Value]:
    """Return the facts that both players may know, and with a side also those of its own."""
    pack, mission = session.pack, session.mission
    if not pack.about.reveal:
        raise UserError(f"{pack.title} has no secrets from a second player. See all with: companion status")
    sides = players(pack)[1] if viewers(mission) else {}
    names = {each for own, label in sides.items() for each in (own, label.casefold())}
    if side and (not hide or side not in names):
        right = f"companion status --hide {one_of(list(sides))}" if sides else "companion status --hide"
        raise UserError(f"There is no view of {side!r} here. Type {right}." if hide else f"Type {right}.")
    viewer = next((own for own, label in sides.items() if side in (own, label.casefold())), "")
    facts = mission.facts()
    return {name: facts[name] for name in seen_by(pack, viewer)}


def show_revealed(session: Session, side: str, facts: dict[str, Value]) -> None:
    """Print the facts of a view that have a value, without the box and what others sum up."""
    sheet, about = session.pack.sheet, session.pack.about
    public, told = seen_by(session.pack, ""), {name for line in about.status.lines for name in line}
    summed = ("working", "book", *about.status.elsewhere) if about.box else ()
    label = players(session.pack)[1].get(side.casefold(), side.capitalize())
    print(f"What the {label} may know" if side else about.reveal.title or "What the second player may know")
    seen = list[str]()
    for name, value in facts.items():
        declared = sheet.fields.get(name)
        section = "" if declared is None or name in told else declared.section
        shown = section not in (summed if name in public else ("working",))
        blank = value in ("", "none", "no") or not str(value).strip("0 ")  # a row of zeros
        if shown and not blank and (declared is None or value != declared.default):
            seen.append(f"{sheet.text(name)}: {sheet.say(name, value)}")
    for each in seen or ["Nothing yet."]:
        wrapped(each, "  ")


def as_object(session: Session) -> dict[str, object]:
    """Return the whole state: every field and worked-out fact, including defaults."""
    campaign, facts = session.campaign, session.mission.facts()
    return {
        "campaign": campaign.name if campaign else None,
        "game": session.pack.name,
        "mission": session.mission.number,
        "facts": {name: facts[name] for name in [*facts.sheet.fields, *facts.sheet.derived]},
        "pending": [item.as_object(session.pack) for item in session.mission.pending],
    }


def next_command(json: Json = False) -> None:
    """Show what to roll next. Also orders in force and upcoming steps."""
    with open_mission(record=False) as session:
        pends, coming, facts = session.mission.pending, session.mission.coming(), session.mission.facts()
    if json:
        shown = {
            "step": session.mission.state.get("step") or None,
            "pending": [item.as_object(session.pack) for item in pends],
            "coming": [{"step": each.id, "title": each.title(facts), "cite": each.cite} for each in coming],
        }
        print_json(shown)
        return
    told = [pending_line(item, session.pack, session.mission.state) for item in pends if not item.waits]
    (ahead, joins), waits = next_asked(session.mission), session.mission.waiting() is not None
    asked = session.mission if waits else ahead
    first = [_told(coming[0], session.mission)] if joins and not waits else []
    how = "companion roll, or companion fly"
    head = f"Pending (start with: {how})" if waits else f"Next (with {how})"
    items = [item for item in asked.pending if item.waits]
    rolls = list(dict.fromkeys(pending_line(item, session.pack, asked.state) for item in items))
    if not waits and joint(ahead, same := decisions(ahead)):
        heading, cite = step_of(ahead)
        rolls = [f"{heading} ({cite}): {', '.join(unhyphened(key_of(item)) for item in same)}", *rolls[len(same) :]]
    rest = [_told(step, ahead) for step in ahead.coming()]
    for title, lines, mark in (
        ("First", first, "  ·  "),
        (head, rolls, ""),
        ("Orders (tick one off with: companion done N)", told, ""),
        ("Upcoming steps", rest, "  ·  "),
    ):
        if lines:
            show([Line("", [(title, "")])])
        for number, text in enumerate(lines, 1):
            show([Line(mark or f"{number:3d}  ", [(text, "")])])
    if not asked.waiting() and not rest:
        print("Nothing is pending. Roll a table: companion roll TABLE")


def print_next(session: Session) -> None:
    """Print what comes next in a flight or on a board in mid-mission, in a line."""
    mission = session.mission
    ahead, joins = next_asked(mission)
    item = ahead.waiting()
    if item is None or not (joins or has_started(session)):
        return
    line = _told(mission.coming(1)[0], mission) if joins else pending_line(item, session.pack, ahead.state)
    when = "Next turn  " if not joins and turn_is_over(mission) else "Next  "
    show([Line("", [(when, "next"), (line, ""), ("  (companion roll)", "dim")])])


def _told(step: Step, mission: Mission) -> str:
    return step.title(mission.facts()) + (f"  ({step.cite})" if step.cite else "")


# -- the screen --------------------------------------------------------------------------------------------------------


def show_status(session: Session, below: int = 0) -> None:
    """Print the status screen, leaving room for a question of `below` rows."""
    show(status_lines(session, min(WIDE, screen_width()), below))


def show_sheet(session: Session) -> None:
    """Print the whole sheet, then everything pending."""
    from companion.render.sheet_text import heading, mission_sheet

    pack, mission = session.pack, session.mission
    title = heading("mission", pack, session.campaign.name if session.campaign else "")
    model = SheetModel(pack, mission.state, mission, seen=sight(mission, ""))
    print(mission_sheet(title, model, landings(mission)))
    for item in mission.pending:
        text = pending_line(item, pack, mission.state)
        show([Line("› " if item.waits else "! ", [(text, "")])])


def called(session: Session) -> str:
    """Return the mission as its sheet numbers it: `mission 12`."""
    return f"{session.pack.sheet.flight} {session.mission.facts()['mission.number']}"


def show_place() -> int:
    """Print the current campaign and mission and the next command; return the exit status."""
    campaign = campaign_in_use()
    if campaign is None and not present(home() / "settings.json"):
        print(
            f'No campaign yet. Start one: companion new "Lucky Thirteen" --game b29\nThe games: {", ".join(games())}.'
        )
        print("New here? companion guide      All commands: companion --help")
        return 0
    campaign_needed()
    with open_session(record=False) as session:
        mission, flight = session.mission, session.pack.sheet.flight
        over = has_started(session) and not goes_on(session)
        if mission.number is None or over:
            told = [f"{called(session)} is over" if over else f"no {flight} yet"]
            hints = ["Start one: companion mission start"]
            if over:
                hints = ["Fly on: companion mission start", "Read it: companion story"]
        else:
            where = standing(session, keys=False).text.partition(" · ")[0]
            kinds = [item.kind for item in mission.pending]
            counts = {"order": kinds.count("order"), "roll": kinds.count("roll")}
            counts["decision"] = len(kinds) - sum(counts.values())
            waiting = ", ".join(counted(number, kind) for kind, number in counts.items() if number)
            told = [", ".join(filter(None, (called(session), where))), waiting and f"{waiting} waiting"]
            hints = ["Continue with: companion fly", "See the sheet: companion status"]
    texts = ("      ".join(hints), "All commands: companion --help")
    show([_heading(session, *told), *(Line("", [(each, "")]) for each in texts)])
    return 0


def _heading(session: Session, *told: str) -> Line:
    named = [session.campaign.name if session.campaign else "", session.pack.title, *told]
    return Line("", [(" · ".join(filter(None, named)), "strong")])


def status_lines(session: Session, width: int = WIDE, below: int = 0) -> list[Line]:
    """Return the lines of the screen. Where it is too small for them the flight makes room, then the men who are well;
    damage never does. A question of some rows `below` says itself who attacks and what is asked; the
    key for the orders is in the line of the state."""
    model = SheetModel(session.pack, session.mission.state)
    head, waiting = _head(session, width, keys=below > 0), _waiting(session, width) if not below else []
    damage = [
        line for title, told in model.damage() for line in flowing(title, [[(each, "bad")] for each in told], width)
    ]
    item, aim = session.mission.waiting(), session.pack.about.at_table.wave.aim
    fighters = _fighters(session.mission, width) if not (below and item and item.is_for("choose", aim)) else []
    boxes = flowing("", _boxes(model), width, "   ")
    flight = flowing("", _flight(model, over=has_started(session) and not goes_on(session)), width, "  ")
    for everybody in (True, False):
        crew = flowing(model.crew.title, _crew(model, everybody=everybody), width)
        over = len(head + damage + crew + fighters + flight + boxes + waiting) - (ROWS - below)
        if over <= len(flight):
            break
    if over > 0 and model.crew and flight:  # a game without a crew has nothing else to show
        flight = [*flight[: max(0, len(flight) - over - 1)], Line("", [("… the rest: companion status", "dim")])]
    return [*head, *damage, *crew, *fighters, *flight, *boxes, *waiting]


def _head(session: Session, width: int, *, keys: bool) -> list[Line]:
    head = cropped(_heading(session, called(session)), width)
    if has_started(session) and not goes_on(session):
        return [head, *(part for line in _debriefed(session) for part in broken(line, width))]
    state = standing(session, keys=keys)
    return [head, *broken(state, screen_width())] if state.text else [head]


def ending(session: Session) -> list[Line]:
    """Return how the mission ended and the commands that come next."""
    from companion.store.crew import losses
    from companion.store.log import CampaignLog

    steps = [("Read it", "companion story"), ("Print it", "companion sheet mission -o sheet.pdf")]
    if session.campaign is not None:
        steps[:0] = losses(CampaignLog.of(session.pack, session.campaign))[1]
    steps.append(("Next", "companion mission start"))
    wide = max(len(what) for what, _ in steps) + 2
    return [*_debriefed(session), *(Line(f"{what + ':':{wide}}", [(how, "")]) for what, how in steps)]


def _debriefed(session: Session) -> list[Line]:
    from companion.render.report import debrief

    return [Line("", [(told, "" if at else "strong")]) for at, told in enumerate(debrief(session))]


def _crew(model: SheetModel, *, everybody: bool) -> Iterable[Sequence[Piece]]:
    """Yield each seat and its man's state, for `everybody` or only for those in trouble, with a count of the others."""
    seats = list(model.seats().values())
    everybody = everybody and any(each["name"] for each in seats)
    well = 0
    for each in seats:
        place, post = each["position"] or "No seat", f" ({each['post'].lower()})" if each["post"] else ""
        if not (everybody or each["amiss"] or post or not each["position"]):
            well += 1
            continue
        empty = "" if each["name"] or each["amiss"] or not everybody else " empty"
        name = f" {each['name']}" if each["name"] else empty
        yield (f"{place}{post}", ""), (name, "dim"), (f" {', '.join(each['amiss'])}" if each["amiss"] else "", "bad")
    if well:
        yield [(f"all {well} well" if well == len(seats) else f"the other {well} well", "dim")]


def _fighters(mission: Mission, width: int) -> list[Line]:
    """Return a line for each fighter, or for all that are alike, with the guns that bear and their required rolls."""
    index, wave = wave_of(mission)
    guns, rows = aimed(mission) if wave else (), list[tuple[list[str], str, str]]()
    for member, text in wave.items():
        shots = said(bearing(guns, member)) or "no gun bears"
        alike = [members for members, *told in rows if told == [text, shots] and len(members) < TOGETHER]
        if alike:
            alike[0].append(member)
        else:
            rows.append(([member], text, shots))
    heads = [f"{index.capitalize()} {', '.join(members)}: " for members, *_ in rows]
    wide, broad = max(map(len, wave.values()), default=0), max(map(len, heads), default=0)
    told = zip(heads, rows, strict=True)
    lines = [Line(f"{head:{broad}}{text:{wide}}  ", [(shots, "")]) for head, (_, text, shots) in told]
    return [part for line in lines for part in broken(line, width)]


def _flight(model: SheetModel, *, over: bool) -> Iterable[Sequence[Piece]]:
    """Yield the status fields that have a value worth showing; where the bomber is only until the flight is `over`."""
    about = model.pack.about
    zone, sheet = about.print.zones.zone, model.sheet
    names = [name for line in about.status.lines if not (over and zone in line) for name in line]
    if zone and not model.facts[zone]:  # at the base, nothing that is not rolled or set yet
        names = [name for name in names if name in model.facts.given or name not in sheet.fields]
    for name in names:
        value = model.facts[name]
        if value not in (*FREE, "no", 0):
            yield (f"{model.sheet.text(name)} ", "dim"), (model.word(name, str(value)), "")


def _boxes(model: SheetModel) -> Iterable[Sequence[Piece]]:
    """Yield the boxes left of each row: `Wing tanks ☒☒☐☐ 29 left`; of many rows only the numbers."""
    rows = model.boxes()
    for name, left, limit in rows:
        drawn = "☒" * (limit - left) + "☐" * left
        row = " ".join(drawn[at : at + 10] for at in range(0, limit, 10)) + " " if len(rows) <= 3 else ""
        said = f"{left} left" if row else f"{left} of {limit}"
        yield (f"{model.sheet.under(name)} ", "dim"), (row, ""), (said, "bad" if left * 4 <= limit else "")


def _waiting(session: Session, width: int) -> list[Line]:
    """List pending things, orders first, with the number of the rest."""
    mission = session.mission
    orders = [pending_line(item, session.pack) for item in mission.pending if not item.waits]
    items = [(True, text) for text in joined(orders)]
    asked = [item for item in mission.pending if item.waits]
    for _, group in groupby(asked, key=lambda item: (item.kind, item.line or item.name)):
        first, *rest = group
        more = f" ({len(rest)} more of these)" if rest and not first.line else ""
        items.append((False, pending_line(first, session.pack, mission.state) + more))
    listed = items if len(items) <= WAITING else items[: WAITING - 1]
    lines = list[Line]()
    for order, text in listed:
        line = f"{'' if lines else 'Pending':8}{'!' if order else '›'} {text}"
        lines.append(cropped(Line("", [(line, "bad" if order else "")]), width))
    if len(items) > len(listed):
        lines.append(Line("", [(f"{'':8}› {len(items) - len(listed)} more (companion next)", "dim")]))
    return lines


def flowing(title: str, parts: Iterable[Sequence[Piece]], width: int, between: str = "; ") -> list[Line]:
    """Return `Title: one; two`, wrapped between the parts if possible."""
    lines: list[list[Piece]] = []
    for part in parts:
        if not lines:
            lines.append([(f"{title}: ", "change")] if title else [])
        elif _wide(lines[-1]) + len(between) + _wide(part) + len(between.rstrip()) > width:
            lines[-1].append((between.rstrip(), ""))
            lines.append([("  ", "")])
        else:
            lines[-1].append((between, ""))
        lines[-1] += part
    return [each for pieces in lines for each in broken(Line("", pieces), width, "    ")]


def _wide(pieces: Sequence[Piece]) -> int:
    return cells("".join(text for text, _ in pieces))
