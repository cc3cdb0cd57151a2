"""`companion set`, `mark`, `erase`, `done`, `skip`, `undo`, `redo` and `log`: edits of the sheet and its journal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from typer import Argument, Option

from companion.cli.asking import wrapped
from companion.cli.commands import Json, print_json
from companion.engine.fields import Value
from companion.engine.resolution import Result
from companion.play.journal import Entry, settled
from companion.play.moving import taken_at_any_time
from companion.play.phrases import boxes_said, written
from companion.render.describe import (
    BY_HAND,
    by_hand,
    change_objects,
    describe_entry,
    entry_object,
    note_objects,
    skipped,
)
from companion.render.history import entry_lines
from companion.store.session import Session, open_mission

Boxes = Annotated[list[str], Argument(help="Boxes or hits, then how many, e.g. wing tanks 2.")]
LAST = 20  # entries that `log` shows


def set_command(
    change: Annotated[
        list[str], Argument(help='engine 2 out, zone=5, "tail guns jammed". Use == to force an unknown name.')
    ],
    json: Json = False,
) -> None:
    """Change anything on the log sheet. `companion fields` lists what you can change."""
    with open_mission() as session:
        if taken := taken_at_any_time(session.mission, " ".join(change)):
            _show(taken[0], session, json)
            return
        values = written(session.pack, change, session.mission.state)
        result = session.mission.write(values)
    _show(result, session, json, values)


def mark_command(field: Boxes, json: Json = False) -> None:
    """Cross off boxes or add hits. `companion fields` lists them."""
    _boxes(field, "mark", json)


def erase_command(field: Boxes, json: Json = False) -> None:
    """Un-cross boxes, e.g. for a tailwind or a mistake."""
    _boxes(field, "erase", json)


def _boxes(typed: list[str], verb: str, json: bool) -> None:
    with open_mission() as session:
        result = session.mission.cross(*boxes_said(session.mission, typed), verb)
    _show(result, session, json)


def _show(result: Result, session: Session, json: bool, written: Mapping[str, Value] | None = None) -> None:
    """Print the edit and its consequences."""
    if json:
        print_json({"changes": change_objects(result.shown), "then": result.then, "notes": note_objects(result.notes)})
        return
    mission = session.mission
    marked = {name: mission.state[name] for name in result.changes if name in mission.state}
    for line in by_hand(result, mission, marked if written is None else written):
        wrapped(line.text)
    for item in mission.pending:
        if not item.waits and item.name in result.then:
            wrapped(f"Order: {item.name} ({item.cite})")
    if session.pack.sequence.steps and mission.journal.position == 1 and mission.journal.entries[0]["v"] in BY_HAND:
        print("Continue with: companion fly")


def done_command(order: Annotated[int, Argument(help="Number of the order in companion next.")] = 1) -> None:
    """Tick off an order you have carried out."""
    with open_mission() as session:
        struck = session.mission.done(order)
    wrapped(f"Done: {struck.name}")


def skip_command(place: Annotated[int, Argument(help="Number of the roll or decision in companion next.")] = 1) -> None:
    """Skip a pending roll or decision."""
    with open_mission() as session:
        struck = session.mission.skip(place)
    wrapped(f"Skipped: {skipped(struck, session.pack)}")


def undo_command(count: Annotated[int, Argument(min=1, help="How many steps.")] = 1) -> None:
    """Undo your last step. Repeat to go back to the start of the mission."""
    _step("Undone", count)


def redo_command(count: Annotated[int, Argument(min=1, help="How many steps.")] = 1) -> None:
    """Redo what you just undid."""
    _step("Redone", count)


def _step(told: str, count: int) -> None:
    with open_mission() as session:
        mission = session.mission
        entries = mission.undo(count) if told == "Undone" else mission.redo(count)
    for line in entry_lines(mission, shown(entries)):
        wrapped(f"{told}: {line}")


def shown(entries: list[Entry]) -> list[Entry]:
    """Return the entries without the steps between them, unless there is nothing else."""
    return [entry for entry in entries if entry["v"] != "step"] or entries[:1]


def log_command(
    json: Json = False,
    last: Annotated[int | None, Option("--last", min=1, help=f"Show the last N entries (default {LAST}).")] = None,
    everything: Annotated[bool, Option("--all", help="Show every entry.")] = False,
) -> None:
    """Show the mission's journal, latest entry last."""
    with open_mission(record=False) as session:
        journal = session.mission.journal
        entries = list(enumerate(journal.recorded, 1))
    if json:
        listed = entries[-last:] if last else entries
        print_json([entry_object(number, entry, session.pack) for number, entry in listed])
    elif not entries:
        wrapped(f"Nothing has been recorded in this {session.pack.sheet.flight}.")
    else:
        told = [(number, entry) for number, entry in entries if _tells(entry, session)]
        listed = told if everything else told[-(last or LAST) :]
        if len(told) > len(listed):
            print(f"      {len(told) - len(listed)} earlier: companion log --all")
        texts = entry_lines(session.mission, [entry for _, entry in listed])
        for (number, _), text in zip(listed, texts, strict=True):
            wrapped(text, f"{number:4d}  ")


def _tells(entry: Entry, session: Session) -> bool:
    """Return whether an entry is worth a line; an automatic one only if it changed the sheet."""
    return entry["v"] == "roll" or not settled(entry) or bool(describe_entry(entry, session.pack).changes.events())
