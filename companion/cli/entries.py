"""Entries of the journal: `roll`, `set`, `mark`, `erase`, `done` and `skip` make one; `undo`, `redo` and `log`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated

from typer import Argument, Option

from companion.cli.commands import Game, Json, print_json
from companion.cli.terminal import Cancelled, asks, show_results, wrapped
from companion.engine import dice as throws
from companion.engine.fields import Value
from companion.engine.resolution import Result
from companion.engine.tables import Table
from companion.packs import game_named
from companion.play.conversation import Player, resolve, with_implied
from companion.play.journal import settled
from companion.play.mission import Answers
from companion.problems import UserError
from companion.render.describe import (
    BY_HAND,
    by_hand,
    change_objects,
    describe_entry,
    entry_object,
    note_objects,
    results_object,
)
from companion.render.situation import skipped
from companion.store.campaigns import campaign_in_use
from companion.store.session import Session, open_mission, open_session


def roll_command(
    table: Annotated[
        list[str] | None,
        Argument(help="Table number or words from its title, then dice: 5-9 44. Default: the pending roll."),
    ] = None,
    game: Game = None,
    dice: Annotated[str | None, Option(help="Your dice, e.g. 3,4. Add / for follow-up rolls: 3,4/2.")] = None,
    auto: Annotated[bool, Option("--auto", help="Let the companion roll.")] = False,
    seed: Annotated[int | None, Option(help="Random seed, for repeatable --auto results.")] = None,
    fighter: Annotated[
        str | None,
        Option("--fighter", help="The attacking fighter: its number or a description, e.g. 'tojo 6 level ace'."),
    ] = None,
    given: Annotated[
        list[str] | None, Option("--with", help="FIELD=VALUE for this roll only. Use == to force an unknown name.")
    ] = None,
    outcome: Annotated[str | None, Option(help="The result printed in your rulebook.")] = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Preview only. Nothing is saved.")] = False,
    json: Json = False,
) -> None:
    """Roll on a table, with all modifiers. Without one, go on with what comes next."""
    said = (table, dice, auto, seed is not None, fighter, given, outcome, dry_run)
    # alone at a terminal it goes on through the turn, like `fly`
    if asks(json) and not any(said) and (used := campaign_in_use()) and (game is None or game_named(game) == used.game):
        from companion.cli.fly import go_on

        go_on()
        return
    try:
        with open_session(game, record=not dry_run, hold=not asks(json)) as session:
            groups = throws.groups(dice) if dice is not None else []
            found, typed, words, facts = _understood(session, table or (), given or ())
            if twice := (typed and groups and "The dice are") or (words and fighter and f"{words!r} is"):
                raise UserError(f"{twice} given twice. Leave out one of them.")
            name, groups, fighter = found.id if found else None, groups or typed, fighter or words
            if auto and seed is None:
                seed = int.from_bytes(os.urandom(4))
            answers = Answers(groups, with_implied(session.mission, facts), outcome, seed)
            item, by = session.mission.waiting(), None  # the person who has rolled, whose results are already printed
            if asks(json):
                from companion.cli.player import roll_on

                by = roll_on(session, name, answers, fighter or "", further=not groups and seed is None)
            elif outcome and not (name or groups or facts or fighter) and item and item.takes_line(session.pack):
                from companion.render.draft import answer_line

                results = answer_line(session.mission, outcome)
            else:
                if fighter:
                    from companion.cli.player import describe

                    describe(session, answers, fighter)
                results = resolve(session.mission, name, Player(), answers)
        if by is not None and not groups and seed is None:  # the roll is saved: go on with what follows from it
            from companion.cli.fly import go_on

            if (not session.recording or go_on(by)) and (another := by.another()):
                known = [f"{fact}={value}" for fact, value in by.said.items()]
                roll_command(table, game, fighter=another, given=[*(given or ()), *known], dry_run=dry_run)
    except Cancelled:
        print("Cancelled. Nothing was saved.")
        return
    if json:
        print_json(results_object(results, session.pack))
    elif by is None:
        show_results(results, session, recorded=session.recording)


def _understood(
    session: Session, table: Sequence[str], given: Sequence[str]
) -> tuple[Table | None, list[list[int]], str, dict[str, Value]]:
    """Return the table named, the dice and the fighter after it, and the facts given.

    Exact names (`5-9`, `fighter.clock=6`) are looked up without loading the parser of phrases.
    """
    pack = session.pack
    exact = len(table) < 2 and all(each in pack.layers for each in table)
    if exact and all(re.fullmatch(r"[a-z0-9.-]+=([a-z][a-z0-9-]*|\d+)", each) for each in given):
        with suppress(UserError):
            return pack.table(table[0]) if table else None, [], "", pack.sheet.given(given)
    from companion.play import phrases

    facts = phrases.given(pack, given, session.mission.state)
    found, groups, words = phrases.roll_said(pack, " ".join(table)) if table else (None, [], "")
    return found, groups, words, facts


Boxes = Annotated[list[str], Argument(help="Boxes or hits, then how many, e.g. wing tanks 2.")]
LAST = 20  # entries that `log` shows


def set_command(
    change: Annotated[
        list[str], Argument(help='engine 2 out, zone=5, "tail guns jammed". Use == to force an unknown name.')
    ],
    json: Json = False,
) -> None:
    """Change anything on the log sheet. `companion fields` lists what you can change."""
    from companion.play.members import taken_at_any_time
    from companion.play.phrases import written

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
    from companion.play.phrases import boxes_said

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
    from companion.render.history import entry_lines, shown

    with open_mission() as session:
        mission = session.mission
        entries = mission.undo(count) if told == "Undone" else mission.redo(count)
    for line in entry_lines(mission, shown(entries)):
        wrapped(f"{told}: {line}")


def log_command(
    json: Json = False,
    last: Annotated[int | None, Option("--last", min=1, help=f"Show the last N entries (default {LAST}).")] = None,
    everything: Annotated[bool, Option("--all", help="Show every entry.")] = False,
) -> None:
    """Show the mission's journal, latest entry last."""
    from companion.render.history import entry_lines

    with open_mission(record=False) as session:
        journal = session.mission.journal
        entries = list(enumerate(journal.recorded, 1))
    if json:
        listed = entries[-last:] if last else entries
        print_json([entry_object(number, entry, session.pack) for number, entry in listed])
    elif not entries:
        wrapped(f"Nothing has been recorded in this {session.pack.sheet.flight}.")
    else:
        told = [
            (number, entry)
            for number, entry in entries  # of the automatic ones only those that changed the sheet
            if entry["v"] == "roll" or not settled(entry) or describe_entry(entry, session.pack).changes.events()
        ]
        listed = told if everything else told[-(last or LAST) :]
        if len(told) > len(listed):
            print(f"      {len(told) - len(listed)} earlier: companion log --all")
        texts = entry_lines(session.mission, [entry for _, entry in listed])
        for (number, _), text in zip(listed, texts, strict=True):
            wrapped(text, f"{number:4d}  ")
