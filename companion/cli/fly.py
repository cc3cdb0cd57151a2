"""`companion fly`: the mission step by step."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

from typer import Option

from companion.cli import status
from companion.cli.commands import Json, print_json
from companion.cli.flyer import HELP, Flyer, Narrator, TypedCommand, all_help_of, help_of
from companion.cli.player import HandRoller
from companion.cli.show import show_table
from companion.cli.terminal import Cancelled, asks, rows_of, say, show, wrapped
from companion.engine.resolution import Result
from companion.play.conversation import Chance, move
from companion.play.dice_tray import reroll_command, reroll_last
from companion.play.members import moved, taken_at_any_time
from companion.play.mission import MOVES, Answers
from companion.play.phrases import roll_said, written
from companion.play.script import Script, ScriptEnded
from companion.problems import SystemFault, UserError
from companion.render.describe import by_hand
from companion.render.explanation import explain
from companion.render.history import entry_lines, shown, undone
from companion.render.situation import Line, goes_on, has_started, pending_line, skipped, step_of
from companion.store.campaigns import campaign_in_use
from companion.store.files import bytes_of, text_of
from companion.store.session import ChangedElsewhere, Place, Session, ensure_sound, open_mission
from companion.words import figure, sentence

WRITES = ("undo", "redo", "mark", "move", "again", "roll", "skip")  # commands that record something


def fly_command(
    dice_from: Annotated[
        Path | None, Option("--dice-from", help="Read dice and answers from a file, one per line.")
    ] = None,
    auto: Annotated[bool, Option("--auto", help="Let the computer roll and choose the default answers.")] = False,
    seed: Annotated[int | None, Option(help="Random seed, for repeatable --auto results.")] = None,
    json: Json = False,
) -> None:
    """Fly the mission step by step. It names each step, asks for your dice and goes on."""
    if (campaign := campaign_in_use()) is not None:
        ensure_sound(campaign.game)
    if dice_from is not None:
        try:
            script = Script(text_of(bytes_of(dice_from)), str(dice_from))
        except UnicodeDecodeError as error:
            raise UserError(f"{dice_from} isn't a text file: {error.reason}.") from None
        fly_automatically(script, json)
    elif auto or seed is not None:
        fly_automatically(Chance(random.Random(seed)), json)
    elif asks(json):
        at_the_table()
    else:
        raise UserError("fly needs a terminal to ask for dice. Without one use --dice-from FILE or --auto.")


def fly_automatically(by: Script | Chance, json: bool) -> None:
    """Fly from a file or automatically: record and then show everything, or nothing after an error."""
    told = list[Line]()
    teller = Narrator(told.extend, asked=False)
    with open_mission() as session:
        teller.begun = has_started(session)
        try:
            for _ in range(MOVES):
                results = move(session.mission, by)
                if not results:
                    break
                if not json:
                    teller.add(results)
                    teller.tell(session)
            else:
                raise SystemFault(f"{session.pack.name}: the flight never ends. Check its sequence.toml.")
            if not isinstance(by, Chance) and by.at < len(by.lines):
                raise by.beyond()
        except ScriptEnded:
            pass
        except UserError as problem:
            raise problem if isinstance(by, Chance) else by.wrong(problem) from None
    if json:
        print_json(status.as_object(session))
    else:
        show(told)
        print("".join(f"{each}\n" for each in getattr(by, "unasked", ())), end="")
        if not goes_on(session):
            print_end(session)


def go_on(hand: HandRoller | None = None) -> bool:
    """Fly on to the end of the turn, or through the pending things after a roll by `hand`; then print what is next.

    Returns:
        Whether everything pending is done and the mission is not over.
    """
    by = sit_down()
    by.until = hand.done if hand else by.ends_turn
    if hand is not None:
        by.tray.lying += hand.tray.lying
        by.teller.step = ("", "")
    else:
        say(HELP, "dim")
    if not by.until(by.mission):
        if not at_the_table(by):
            return False
    elif by.mission.waiting() is not None:  # shown with the roll
        return True
    if dice := by.discard_typed():
        wrapped(f"Unused dice: {dice}")
    with open_mission(record=False, place=place_of(by)) as session:
        status.print_next(session)
    return True


def at_the_table(by: Flyer | None = None) -> bool:
    """Fly with the player; every move is on disk before the next is asked for.

    Returns:
        Whether the stopping point (`Flyer.until`) is reached.
    """
    helps, by = by is None, by or sit_down()
    campaign, number = place = place_of(by)
    teller = by.teller
    if helps:
        say(help_of(by.mission.game), "dim")
    try:
        while True:
            try:
                with open_mission(hold=False, place=place, before=by.session) as session:
                    by.session = session
                    report_other_terminal(by, session)
                    moved = by.moves(session.mission)
                by.stamp = campaign.stamp(number)
                for results in moved:
                    teller.add(results)
                if moved and not moved[-1]:
                    teller.tell(session)
                    if by.until and goes_on(session):
                        return True
                    print_end(session)
                    if not offer_reroll(by):
                        return False
                by.put()
            except ChangedElsewhere as problem:
                say(sentence(str(problem)))
                by.stamp = campaign.stamp(number)
                by.fresh()
            except TypedCommand as aside:
                if not run_command(aside, by):
                    return False
                if aside.word in WRITES:
                    by.stamp = campaign.stamp(number)
    except KeyboardInterrupt:
        say(f"\nStopped. Continue later with: companion {by.command}", "dim")
        return False


def sit_down() -> Flyer:
    """Return the player, after showing the current step."""
    with open_mission(record=False) as session:
        by = Flyer(session, Narrator())
        by.teller.begun, by.teller.step = has_started(session), step_of(session.mission)
        return by


def place_of(by: Flyer) -> Place:
    """Return the campaign and the mission of a flight."""
    campaign, number = by.session.campaign, by.session.mission.number
    assert campaign is not None and number is not None
    return campaign, number


def report_other_terminal(by: Flyer, session: Session) -> None:
    """Report that another terminal has changed the mission; the answer was for the earlier sheet."""
    if session.mission is not by.mission:
        by.question = None  # the sheet has changed since it was asked
    if session.stamp != by.stamp:
        by.stamp = session.stamp
        draft = by.draft
        again = " Your last answers are asked again." if draft.answers or draft.plan else ""
        say(f"Another terminal has changed this {session.pack.sheet.flight} (see companion log).{again}")
        draft.plan.clear()
        by.fresh()


def run_command(aside: TypedCommand, by: Flyer) -> bool:
    """Carry out a command typed instead of an answer; return False to quit."""
    word, rest = aside.word, aside.rest
    if word == "quit":
        say(f"Continue later with: companion {by.command}", "dim")
        return False
    if word == "help":
        say(all_help_of(by.mission), "dim")
        if by.prompt and by.prompt.help:
            wrapped(by.prompt.help)
        return True
    if word in ("undo", "redo"):
        if dice := by.discard_typed():
            say(f"Discarded: {dice}", "dim")
        count = int(rest or 1)
        if word == "undo" and by.draft.answers:
            left = max(len(by.draft.answers) - count, 0)
            struck, by.question = by.draft.answers[left:], None
            del by.draft.answers[left:]
            say("\n".join(f"Undone: {each.words()}" for each in reversed(struck)))
            count -= len(struck)
            if not count:
                return True
            rest = str(count)
        by.fresh()
    elif word in WRITES:
        by.question = None
    try:
        with open_mission(record=word in WRITES, hold=word != "roll", place=place_of(by)) as session:
            carry_out(word, rest, session, by)
    except UserError as problem:
        say(sentence(str(problem)))
    return True


def carry_out(word: str, rest: str, session: Session, by: Flyer) -> None:
    """Carry out a typed command; show its results before the question is repeated.

    Raises:
        UserError: It is not possible; nothing has changed.
    """
    mission, results = session.mission, list[Result]()
    if word == "undo":
        _undo(rest, session, by)
    elif word == "redo":
        entries = shown(mission.redo(int(rest or 1)))
        say("\n".join(f"Redone: {each}" for each in entry_lines(mission, entries)))
    elif word == "forecast":
        from companion.cli.forecast import at_the_table

        at_the_table(session, rest.casefold())
    elif word == "status" and rest:
        status.show_sheet(session)
    elif word == "status":
        status.show_status(session, rows_of(by.prompt) if by.prompt else 2)
    elif word == "next":
        told = {pending_line(item, session.pack, mission.state): item.waits for item in mission.pending}
        say("\n".join(f"{'›' if waits else '!'} {text}" for text, waits in told.items()))
    elif word == "mark":
        if not (results := taken_at_any_time(mission, rest)):
            marked = written(mission.game, [rest], mission.state)
            show(by_hand(mission.write(marked), mission, marked))
    elif word == "move":
        who, _, where = rest.partition(">")
        results = moved(mission, who.strip(), where.strip())
    elif word == "again":
        entry = reroll_last(mission, int(rest or 1), by.tray)
        field = mission.game.about.at_table.again.field
        say(f"Rerolled: {entry_lines(mission, [entry])[0]}")
        say(f"{session.pack.sheet.text(field)} left: {mission.state.get(field, 0)}")
        by.forget()
        by.fresh()
    elif word == "roll":
        table, groups, words = roll_said(session.pack, rest)
        hand = HandRoller(session)
        try:
            results = hand.roll(table.id, Answers(groups), words)
        except Cancelled:
            raise UserError("Cancelled. Nothing was saved.") from None
        by.tray.lying += hand.tray.lying
    elif word == "skip":
        say(f"Skipped: {skipped(mission.skip(figure(rest or '1') or 0), session.pack)}")
        by.fresh()
    elif word == "show":
        show_table(session, rest)
    else:
        show(explain(session, rest or None).lines())
    by.teller.add(results)


def _undo(rest: str, session: Session, by: Flyer) -> None:
    """Undo the last action, or several, showing each one."""
    entries = session.mission.undo(int(rest or 1))
    left = session.mission.journal.position
    since, by.since = by.since - left, min(by.since, left)  # the first `since` entries are older
    when = [" (from an earlier session)" if at <= since else "" for at in range(len(entries), 0, -1)]
    told = [(each, at) for each, at in zip(entries, when, strict=True) if each in shown(entries)]
    taken = [each for each, _ in told]
    words = entry_lines(session.mission, taken)
    if not rest:
        words = undone(taken, words)
    say("\n".join(f"Undone{at}: {each}" for each, (_, at) in zip(words, told, strict=False)))


def offer_reroll(by: Flyer) -> bool:
    """Return whether the player rerolls the last dice at the end of the mission, if a reroll is left."""
    if not (left := reroll_command(by.mission)):
        return False
    try:
        return by.ask(f"Enter ends the {by.mission.game.sheet.flight}; {left} rerolls the last dice: ") != ""
    except TypedCommand as aside:
        if aside.word == "quit":
            return False
        raise


def print_end(session: Session) -> None:
    """Print how the mission ended."""
    flight = session.pack.sheet.flight
    flown_here = any("step" in entry.get("c", {}) for entry in session.mission.journal.entries)
    if not flown_here:  # on paper, even if its last sheet was edited later
        wrapped(f"No {flight} started here yet. Start one with: companion mission start")
        return
    show(status.ending(session))
