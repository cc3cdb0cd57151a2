"""`companion set`, `mark`, `erase`, `done`, `undo`, `redo` and `log`."""

from __future__ import annotations

from typing import Annotated, Any

from typer import Argument, Option

from companion.cli.session import Session, flying
from companion.engine.needs import Result
from companion.engine.play import Play
from companion.journal import Entry
from companion.problems import Problem
from companion.sheet import Sheet, Value


def set_command(
    facts: Annotated[list[str], Argument(help="FACT=VALUE, one or more.")],
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """Write facts on the log sheet."""
    with flying() as found:
        values = found.pack.sheet.given(facts)
        derived = [name for name in values if name in found.pack.sheet.derived]
        if derived:
            raise Problem(
                f"{derived[0]} is worked out from other facts and cannot be set; use --with for a single roll"
            )
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
    if count < 1:
        raise Problem(f"cannot {verb} {count}; give a number from 1 upward")
    with flying() as found:
        sheet = found.pack.sheet
        name = sheet.find(field)
        name = Play(found.pack, found.mission.state).concrete(name) if name not in sheet.derived else name
        declared = sheet.fields.get(name)
        if declared is None or declared.kind not in ("boxes", "count"):
            raise Problem(f"{name} has no boxes; use: companion set {name}=VALUE")
        before = int(found.mission.state.get(name, declared.blank))
        after = before + count if verb == "mark" else before - count
        if after < declared.low:
            raise Problem(f"{sheet.text(name)}: only {before - declared.low} can be erased, not {count}")
        if declared.limit is not None and after > declared.limit:
            left = declared.limit - before
            raise Problem(f"{sheet.text(name)}: {left} of {declared.limit} boxes are left, not {count}")
        result = found.mission.write({name: after}, verb)
    _show(result, found, json)


def _show(result: Result, found: Session, json: bool) -> None:
    if json:
        import json as form

        changes = [{"field": name, "before": before, "after": after} for name, before, after in result.shown]
        notes = [{"text": text, "cite": cite} for text, cite in result.notes]
        print(form.dumps({"changes": changes, "then": result.then, "notes": notes}, ensure_ascii=False))
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
    """Strike a standing order that you have carried out on the board."""
    with flying() as found:
        struck = found.mission.done(order)
    print(f"Done: {struck['order']}")


def undo_command(count: Annotated[int, Argument(min=1, help="How many of them.")] = 1) -> None:
    """Take back the last roll, decision or mark; again and again, to the start of the mission."""
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
    last: Annotated[int, Option("--last", help="Only so many of the newest.")] = 0,
    replay: Annotated[bool, Option("--replay", help="As a script for fly --dice-from.")] = False,
) -> None:
    """The journal of the mission, newest last."""
    with flying(record=False) as found:
        journal = found.mission.journal
        standing = journal.entries[: journal.stand]
    start = max(0, len(standing) - last) if last else 0
    if replay:
        from companion.script import lines

        print("\n".join(lines(standing, found.pack)))
        return
    if json:
        import json as form

        print(
            form.dumps([_object(number, made) for number, made in enumerate(standing, 1)][start:], ensure_ascii=False)
        )
        return
    if not standing:
        print("Nothing has been recorded in this mission.")
    for number, made in list(enumerate(standing, 1))[start:]:
        print(f"{number:4d}  {line(made)}")


def line(made: Entry) -> str:
    """One entry in a line: `5-9: 4,4 +1 = 9 hit`."""
    if made["v"] in ("roll", "choose"):
        dice = ",".join(map(str, made.get("d", [])))
        added = "".join(f" {add:+d}" for _, add in made.get("m", []))
        net = f" = {made['net']}" if made.get("m") and "net" in made else ""
        bind = "".join(f" [{name} {value}]" for name, value in made.get("b", {}).items() if name in ("fighter", "gun"))
        return " ".join(f"{made['t']}{bind}: {dice}{added}{net} {made.get('o', '')}".split()) + _changed(made)
    return f"{made['v']}{_changed(made)}" if made.get("c") else f"{made['v']} {made.get('t', '')}".strip()


def taken_back(made: Entry, sheet: Sheet) -> str:
    """One entry in a line for the player who takes it back: the fields by their labels."""
    changes = made.get("c", {})
    told = ", ".join(
        f"{sheet.text(name)}: {_plain(before)} → {_plain(after)}"
        for name, (before, after) in changes.items()
        if name in sheet.fields
        and sheet.fields[name].section != "working"
        and {before, after} - {None, sheet.fields[name].blank}  # not from blank to blank
    )
    if made["v"] == "ask" and told:
        return told
    head = line({key: value for key, value in made.items() if key != "c"}).removesuffix(" –")
    head = "the step" if made["v"] == "step" else head
    return f"{head}  {told}" if told else head


def _changed(made: Entry) -> str:
    changes = made.get("c", {})
    told = ", ".join(f"{name} {_plain(before)}→{_plain(after)}" for name, (before, after) in changes.items())
    return f"  {told}" if told else ""


def _plain(value: Value | None) -> str:
    return "–" if value in (None, "") else str(value)


def _object(number: int, made: Entry) -> dict[str, Any]:
    """An entry with its keys spelled out."""
    return {
        "number": number,
        "verb": made["v"],
        "table": made["t"] if made["v"] in ("roll", "choose") else None,
        "dice": made.get("d", []),
        "given": made.get("w", {}),
        "bind": made.get("b", {}),
        "modifiers": [{"id": name, "add": add} for name, add in made.get("m", [])],
        "net": made.get("net"),
        "outcome": made.get("o"),
        "changes": [{"field": name, "before": b, "after": a} for name, (b, a) in made.get("c", {}).items()],
    }
