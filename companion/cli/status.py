"""`companion status` and `companion next`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from companion.cli.session import Session, flying
from companion.engine.sheet import Facts, Value
from companion.problems import Problem

if TYPE_CHECKING:
    from companion.engine.needs import Item
    from companion.engine.sequence import Step
    from companion.packs import Pack


def status_command(
    json: Annotated[bool, Option("--json", help="Every fact, for programs.")] = False,
    hide: Annotated[bool, Option("--hide", help="Only what the second player may know.")] = False,
) -> None:
    """The state of the bomber on one screen. Flight, fuel, crew, engines, guns, damage, and what is pending."""
    with flying(record=False) as found:
        if json or hide:
            told = revealed(found) if hide else as_object(found)
    if json:
        import json as form

        print(form.dumps(told))
    elif hide:
        show_revealed(found, told["facts"])
    else:
        from companion.cli.screen import show_status

        show_status(found)


def revealed(found: Session) -> dict[str, Any]:
    """The state as the second player may see it: the facts that the pack reveals, and nothing that is pending."""
    names = found.pack.about.get("reveal", {}).get("facts")
    if names is None:
        raise Problem(f"{found.pack.about.get('title', found.pack.name)} keeps nothing secret from a second player")
    facts = Facts(found.pack.sheet, found.mission.state)
    campaign = found.campaign.name if found.campaign else None
    shown = {name: facts[name] for family in names for name in found.pack.sheet.expand(family)}
    return {"campaign": campaign, "game": found.pack.name, "mission": found.mission.number, "facts": shown}


def show_revealed(found: Session, facts: dict[str, Value]) -> None:
    """What can be seen from outside, in words; what is as it left the base is not worth a line."""
    sheet = found.pack.sheet
    print(found.pack.about["reveal"].get("title", "What the second player may know"))
    for name, value in facts.items():
        declared = sheet.fields.get(name)
        if value not in ("", "none", 0) and (
            declared is None or declared.kind != "choice" or value != declared.default
        ):
            print(f"  {sheet.text(name)}: {value}")


def as_object(found: Session) -> dict[str, Any]:
    """The whole state: every field and worked-out fact, defaults included."""
    campaign = found.campaign
    return {
        "campaign": campaign.name if campaign else None,
        "game": found.pack.name,
        "mission": found.mission.number,
        "facts": facts_of(found),
        "pending": [pending(item, found.pack) for item in found.mission.pending],
    }


def facts_of(found: Session) -> dict[str, Value]:
    """Every single field and worked-out fact."""
    facts = Facts(found.pack.sheet, found.mission.state)
    return {name: facts[name] for name in [*found.pack.sheet.fields, *found.pack.sheet.derived]}


def pending(item: Item, pack: Pack) -> dict[str, Any]:
    """A pending thing for programs."""
    bind = {name: value for name, value in item.get("bind", {}).items() if name not in ("roll", "net")}
    if "order" in item:
        return {"order": item["order"], "cite": item.get("cite", "")}
    if "choose" in item:
        return {"choose": item["choose"], "title": str(pack.choice(item["choose"])["title"]), "bind": bind}
    if "ask" in item:
        return {"ask": item["ask"], "title": pack.sheet.text(item["ask"]), "bind": bind}
    table = pack.table(item["roll"])
    made: dict[str, Any] = {"table": table.id, "title": table.title, "dice": table.dice.name, "bind": bind}
    if "take" in item:
        made["row"] = item["take"]
    return made


def next_command(json: Annotated[bool, Option("--json", help="The list for programs.")] = False) -> None:
    """What is pending, standing orders, and the steps to come."""
    with flying(record=False) as found:
        items = found.mission.pending
        coming = found.mission.coming()
    if json:
        import json as form

        made = {
            "step": found.mission.state.get("step") or None,
            "pending": [pending(item, found.pack) for item in items],
            "coming": [{"step": step.id, "title": _title(step, found), "cite": step.cite} for step in coming],
        }
        print(form.dumps(made))
        return
    from companion.cli.present import said

    rolls = [item for item in items if "order" not in item]
    orders = [item for item in items if "order" in item]
    if rolls:
        print("Pending (take the first with: companion roll, or companion fly)")
    for number, item in enumerate(rolls, 1):
        print(f"{number:3d}  {said(item, found.pack, found.mission.state)}")
    if orders:
        print("Orders (strike one with: companion done N)")
    for number, item in enumerate(orders, 1):
        print(f"{number:3d}  {said(item, found.pack, found.mission.state)}")
    if coming:
        print("Coming steps" if rolls else "Nothing is pending. Coming steps (companion fly takes them)")
    for step in coming:
        print(f"  ·  {_title(step, found)}" + (f"  ({step.cite})" if step.cite else ""))
    if not rolls and not coming:
        print("Nothing is pending. Roll a table: companion roll TABLE")


def _title(step: Step, found: Session) -> str:
    return step.title(Facts(found.pack.sheet, found.mission.state))
