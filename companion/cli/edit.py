"""`companion set`, `mark`, `erase`, `done`, `undo`, `redo` and `log`."""

from __future__ import annotations

from typing import Annotated, Any

from typer import Argument, Option

from companion.cli.session import Session, flying
from companion.engine.needs import Result
from companion.engine.sheet import Sheet, Value
from companion.packs import Pack
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.problems import Problem


def set_command(
    facts: Annotated[list[str], Argument(help="FACT=VALUE, one or more.")],
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """Write facts on the log sheet."""
    with flying() as found:
        values = found.pack.sheet.given(facts, written=True)
        result = found.mission.write(values)
    _show(result, found, json)


def mark_command(
    field: Annotated[str, Argument(help="The boxes or the count, such as fuel.wing.")],
    count: Annotated[int, Argument(help="How many.")] = 1,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """Cross off boxes, or count hits."""
    _boxes(field, count, "mark", json)


def erase_command(
    field: Annotated[str, Argument(help="The boxes or the count, such as fuel.wing.")],
    count: Annotated[int, Argument(help="How many.")] = 1,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """Take crosses back: a tailwind, or a slip of the pencil."""
    _boxes(field, count, "erase", json)


def _boxes(field: str, count: int, verb: str, json: bool) -> None:
    with flying() as found:
        result = found.mission.cross(field, count, verb)
    _show(result, found, json)


def _show(result: Result, found: Session, json: bool) -> None:
    if json:
        import json as form

        changes = [{"field": name, "before": before, "after": after} for name, before, after in result.shown]
        notes = [{"text": text, "cite": cite} for text, cite in result.notes]
        print(form.dumps({"changes": changes, "then": result.then, "notes": notes}))
        return
    for name, before, after in result.shown:
        print(f"{found.pack.sheet.text(name)}: {_plain(before)} → {_plain(after)}")
    if not result.shown:
        print("Nothing changed: it stood so already.")
    for text, cite in result.notes:
        print(f"{text} ({cite})" if cite else text)
    for item in found.mission.pending:
        if "order" in item and item["order"] in result.then:
            print(f"Order: {item['order']} ({item['cite']})")


def done_command(
    order: Annotated[int, Argument(help="Which order, counted as `companion next` lists them.")] = 1,
) -> None:
    """Strike a standing order that you have carried out."""
    with flying() as found:
        struck = found.mission.done(order)
    print(f"Done: {struck['order']}")


def undo_command(count: Annotated[int, Argument(min=1, help="How many of them.")] = 1) -> None:
    """Take back the last roll, decision or mark. Again and again, to the start of the mission."""
    with flying() as found:
        entries = found.mission.take_back(count)
    for made in shown(entries):
        print(f"Undone: {taken_back(made, found.pack.sheet)}")


def redo_command(count: Annotated[int, Argument(min=1, help="How many of them.")] = 1) -> None:
    """Put forward again what was undone."""
    with flying() as found:
        entries = found.mission.put_forward(count)
    for made in shown(entries):
        print(f"Redone: {taken_back(made, found.pack.sheet)}")


def shown(entries: list[Entry]) -> list[Entry]:
    """Without the steps walked in between, unless there is nothing else."""
    return [made for made in entries if made["v"] != "step"] or entries[:1]


def log_command(
    json: Annotated[bool, Option("--json", help="All entries for programs, newest last.")] = False,
    last: Annotated[int | None, Option("--last", min=1, help="Only so many of the newest.")] = None,
    replay: Annotated[bool, Option("--replay", help="As a script for fly --dice-from.")] = False,
) -> None:
    """The journal of the mission, newest last."""
    with flying(record=False) as found:
        journal, sheet = found.mission.journal, found.pack.sheet
        standing = journal.entries[: journal.stand]
    start = max(0, len(standing) - last) if last else 0
    if replay:
        _replayed(found.mission)
        return
    if json:
        import json as form

        print(form.dumps([_object(number, made, found.pack) for number, made in enumerate(standing, 1)][start:]))
        return
    if not standing:
        print("Nothing has been recorded in this mission.")
    for number, made in list(enumerate(standing, 1))[start:]:
        print(f"{number:4d}  {line(made, sheet)}")


def _replayed(mission: Mission) -> None:
    """The script on standard output; where it differs from the journal is said beside it too."""
    import sys

    from companion.play.script import lines

    script = lines(mission)
    print("\n".join(script))
    if odd := sum(line.startswith("#") for line in script):
        print(f"the replay differs where # stands: {odd} of {mission.journal.stand} entries", file=sys.stderr)


def line(made: Entry, sheet: Sheet) -> str:
    """One entry in a line, the fields by their labels: `5-9: 4,4 +1 = 9 hit`."""
    told = changed(made, sheet)
    if made["v"] == "ask":
        return told or f"{sheet.text(made['t'])}: {made.get('o', '')}"
    head = made["v"] if made["t"] == made["v"] else f"{made['v']} {made['t']}"
    if made["v"] == "done":
        struck = made.get("p", [0, [], []])[1]
        head = f"done: {'; '.join(each['order'] for each in struck if 'order' in each)}"
    elif made["v"] in ("roll", "choose"):
        dice = ",".join(map(str, made.get("d", [])))
        added = "".join(f" {add:+d}" for _, add in made.get("m", []))
        net = f" = {made['net']}" if made.get("m") and "net" in made else ""
        bind = "".join(f" [{name} {value}]" for name, value in made.get("b", {}).items() if name in ("fighter", "gun"))
        head = " ".join(f"{made['t']}{bind}: {dice}{added}{net} {made.get('o', '')}".split())
    return f"{head}  {told}" if told else head


def taken_back(made: Entry, sheet: Sheet) -> str:
    """One entry in a line for the player who takes it back: a step has no name of its own."""
    if made["v"] != "step":
        return line(made, sheet)
    told = changed(made, sheet)
    return f"the step  {told}" if told else "the step"


def changed(made: Entry, sheet: Sheet) -> str:
    """What an entry changed on the sheet; of the working fields only those that the player wrote himself."""
    by_hand = made["v"] in ("set", "mark", "erase")
    told = []
    for name, pair in made.get("c", {}).items():
        declared = sheet.fields.get(name)
        if declared is None or (declared.section == "working" and not by_hand):
            continue
        before, after = (_plain(declared.blank if value is None else value) for value in pair)
        if before != after:
            told.append(f"{sheet.text(name)}: {before} → {after}")
    return "; ".join(told)


def _plain(value: Value | None) -> str:
    return "–" if value in (None, "") else str(value)


def _object(number: int, made: Entry, pack: Pack) -> dict[str, Any]:
    """An entry with its keys spelled out, as `roll --json` spells them."""
    return {
        "number": number,
        "verb": made["v"],
        "table": made["t"] if made["v"] in ("roll", "choose", "ask") else None,
        "dice": made.get("d", []),
        "given": made.get("w", {}),
        "bind": made.get("b", {}),
        "modifiers": modifiers(made, pack),
        "net": made.get("net"),
        "outcome": made.get("o"),
        "changes": changes(made, pack.sheet),
    }


def modifiers(made: Entry, pack: Pack) -> list[dict[str, Any]]:
    """The modifiers that counted, with the reasons that the table gives for them now."""
    if not made.get("m"):
        return []
    try:
        known = {each.id: each for each in pack.table(made["t"]).modifiers}
    except Problem:
        known = {}
    told = [(name, add, known.get(name)) for name, add in made["m"]]
    return [
        {"id": name, "add": add, "why": of.why if of else name, "cite": of.cite if of else made["t"]}
        for name, add, of in told
    ]


def changes(made: Entry, sheet: Sheet) -> list[dict[str, Any]]:
    """What an entry changed, a blank field as it reads: the same as the roll itself told."""
    told = []
    for name, pair in made.get("c", {}).items():
        declared = sheet.fields.get(name)
        before, after = ((declared.blank if declared else "none") if value is None else value for value in pair)
        if before != after:
            told.append({"field": name, "before": before, "after": after})
    return told
