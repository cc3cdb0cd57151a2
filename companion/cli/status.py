"""`companion status` and `companion next`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Option

from companion.cli.commands import Json, print_json
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.problems import UserError
from companion.store.session import Session, open_mission

if TYPE_CHECKING:
    from companion.engine.pending import Pending
    from companion.engine.rules import Step
    from companion.packs import Pack


def status_command(
    json: Json = False,
    hide: Annotated[bool, Option("--hide", help="Only what the second player may know.")] = False,
    everything: Annotated[bool, Option("--all", help="The whole sheet, box by box.")] = False,
) -> None:
    """The state of the bomber on one screen. Flight, fuel, what is wrong with crew and bomber, what is pending."""
    with open_mission(record=False) as session:
        facts = revealed_facts(session) if hide else {}
        shown = as_object(session) if json else {}
    if json:
        print_json({**{key: shown[key] for key in ("campaign", "game", "mission")}, "facts": facts} if hide else shown)
    elif hide:
        show_revealed(session, facts)
    elif everything:
        from companion.cli.status_screen import show_sheet

        show_sheet(session)
    else:
        from companion.cli.status_screen import show_status

        show_status(session)


def revealed_facts(session: Session) -> dict[str, Value]:
    """Return the facts that the pack reveals to a second player."""
    reveal = session.pack.about.reveal
    if not reveal:
        raise UserError(f"{session.pack.title} keeps nothing secret from a second player")
    facts = Facts(session.pack.sheet, session.mission.state)
    return {name: facts[name] for family in reveal.facts for name in session.pack.sheet.expand(family)}


def show_revealed(session: Session, facts: dict[str, Value]) -> None:
    """Print the changes that can be seen from outside."""
    sheet = session.pack.sheet
    print(session.pack.about.reveal.title or "What the second player may know")
    for name, value in facts.items():
        declared = sheet.fields.get(name)
        if value not in ("", "none", 0) and (
            declared is None or declared.kind != "choice" or value != declared.default
        ):
            print(f"  {sheet.text(name)}: {sheet.say(name, value)}")


def as_object(session: Session) -> dict[str, object]:
    """Return the whole state: every field and worked-out fact, defaults included."""
    campaign = session.campaign
    return {
        "campaign": campaign.name if campaign else None,
        "game": session.pack.name,
        "mission": session.mission.number,
        "facts": facts_of(session),
        "pending": [pending(item, session.pack) for item in session.mission.pending],
    }


def facts_of(session: Session) -> dict[str, Value]:
    """Return every single field and worked-out fact."""
    facts = Facts(session.pack.sheet, session.mission.state)
    return {name: facts[name] for name in [*session.pack.sheet.fields, *session.pack.sheet.derived]}


def pending(item: Pending, pack: Pack) -> dict[str, object]:
    """Return a pending item for scripts."""
    bind = {name: value for name, value in item.bind.items() if name not in ("roll", "net")}
    if item.kind == "order":
        return {"order": item.name, "cite": item.cite}
    if item.kind == "choose":
        return {"choose": item.name, "title": str(pack.choice(item.name)["title"]), "bind": bind}
    if item.kind == "ask":
        return {"ask": item.name, "title": pack.sheet.text(item.name), "bind": bind}
    table = pack.table(item.name)
    roll: dict[str, object] = {"table": table.id, "title": table.title, "dice": table.dice.name, "bind": bind}
    if item.take is not None:
        roll["row"] = item.take
    return roll


def next_command(json: Json = False) -> None:
    """What is pending, standing orders, and the steps to come."""
    with open_mission(record=False) as session:
        items = session.mission.pending
        coming = session.mission.coming()
    if json:
        shown = {
            "step": session.mission.state.get("step") or None,
            "pending": [pending(item, session.pack) for item in items],
            "coming": [{"step": step.id, "title": _title(step, session), "cite": step.cite} for step in coming],
        }
        print_json(shown)
        return
    from companion.cli.picking import wrapped
    from companion.render.situation import pending_line

    told = [(item, pending_line(item, session.pack, session.mission.state)) for item in items]
    rolls = [text for item, text in told if item.kind != "order"]
    orders = [text for item, text in told if item.kind == "order"]
    ahead = [_title(step, session) + (f"  ({step.cite})" if step.cite else "") for step in coming]
    rest = "Coming steps" if rolls else "Nothing is pending. Coming steps (companion fly takes them)"
    for head, lines in (
        ("Pending (take the first with: companion roll, or companion fly)", rolls),
        ("Orders (tick one off with: companion done N)", orders),
        (rest, ahead),
    ):
        if lines:
            wrapped(head)
        for number, text in enumerate(lines, 1):
            wrapped(text, "  ·  " if lines is ahead else f"{number:3d}  ")
    if not rolls and not coming:
        print("Nothing is pending. Roll a table: companion roll TABLE")


def _title(step: Step, session: Session) -> str:
    return step.title(Facts(session.pack.sheet, session.mission.state))
