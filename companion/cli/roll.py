"""`companion roll`."""

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

from typer import Argument, Option

from companion.cli.asking import Cancelled, asks
from companion.cli.commands import Game, Json, print_json
from companion.engine import dice as throws
from companion.engine.fields import Value
from companion.engine.tables import Table
from companion.packs import game_named
from companion.play.conversation import Answers, Player, resolve, with_implied
from companion.problems import UserError
from companion.store.campaigns import campaign_in_use
from companion.store.session import Session, open_session


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
    if asks(json) and not any(said) and (used := campaign_in_use()) and (game is None or game_named(game) == used.game):
        from companion.cli.fly import go_on

        go_on()
        return
    if outcome:
        from companion.render.prompt import answer_line, takes_line
    try:
        with open_session(game, record=not dry_run, hold=not asks(json)) as session:
            groups = throws.groups(dice) if dice is not None else []
            found, typed, words, facts = _understood(session, table or (), given or ())
            if twice := (typed and groups and "The dice are") or (words and fighter and f"{words!r} is"):
                raise UserError(f"{twice} given twice. Leave out one of them.")
            name, groups, fighter = found.id if found else None, groups or typed, fighter or words
            answers = Answers(groups, with_implied(session.mission, facts), outcome)
            if auto and seed is None:
                seed = int.from_bytes(os.urandom(4))
            by = None
            if asks(json):
                from companion.cli.player import roll_on

                by = roll_on(session, name, seed, answers, fighter or "", further=not groups and seed is None)
            elif fighter:
                from companion.cli.player import described_roll

                results = described_roll(session, name, Player(seed), answers, fighter)
            elif outcome and not (name or groups or facts) and takes_line(session.mission):
                results = answer_line(session.mission, outcome)
            else:
                results = resolve(session.mission, name, Player(seed), answers)
        if by is not None and not groups and seed is None:
            from companion.cli.fly import go_on

            if (not session.recording or go_on(by)) and (another := by.another(session)):
                known = [f"{fact}={value}" for fact, value in by.said.items()]
                roll_command(table, game, fighter=another, given=[*(given or ()), *known], dry_run=dry_run)
    except Cancelled:
        print("Cancelled. Nothing was saved.")
        return
    if by is not None:
        return
    if json:
        from companion.render.describe import results_object

        print_json(results_object(results, session.pack))
    else:
        from companion.cli.terminal import show_results

        show_results(results, session, recorded=session.recording)


def _understood(
    session: Session, table: Sequence[str], given: Sequence[str]
) -> tuple[Table | None, list[list[int]], str, dict[str, Value]]:
    """Return the table named, the dice and the fighter after it, and the facts given; exact names need no parser."""
    pack = session.pack
    exact = len(table) < 2 and all(each in pack.files for each in table)
    if exact and all(re.fullmatch(r"[a-z0-9.-]+=([a-z][a-z0-9-]*|\d+)", each) for each in given):
        with suppress(UserError):
            return pack.table(table[0]) if table else None, [], "", pack.sheet.given(given)
    from companion.play import phrases

    facts = phrases.given(pack, given, session.mission.state)
    found, groups, words = phrases.roll_said(pack, " ".join(table)) if table else (None, [], "")
    return found, groups, words, facts
