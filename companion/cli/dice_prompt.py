"""Asking for dice in flight: all that one hand throws in one line, and the number that is needed in the question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from companion.cli.picking import Ask, wrapped
from companion.engine.dice import named
from companion.engine.questions import DiceQuestion
from companion.play.dice_tray import Tray
from companion.play.mission import Mission
from companion.problems import Problem
from companion.render.questions import headline, reasons, sum_of, which
from companion.words import headed

MOST_LINES = 5  # of tables in a question; more stand one behind the other
DOUBTFUL = ("11", "12")  # two dice, or the total of two dice


def throw(
    rolls: Sequence[DiceQuestion], likely: Sequence[DiceQuestion], tray: Tray, mission: Mission, ask: Ask
) -> list[int]:
    """Return the dice of the first of these rolls; those of the others that were typed with them lie on the tray."""
    question, *others = rolls
    if others:
        several(rolls, mission)
    else:
        wrapped(headline(question, mission))
    part = tray.part_of(question)
    prompt = prompt_of(rolls, likely, part)
    while True:
        text = ask(prompt)
        if not part:
            text = sure_of(text, question, mission, ask)
        try:
            dice, taken = tray.typed(text, rolls, likely)
        except Problem as problem:
            wrapped(str(problem), "  ")
            continue
        if not dice and text:  # only a note of the player's book may need no dice
            continue
        if taken:
            wrapped(f"Taken: {taken}.", "  ")
        return dice


def sure_of(text: str, question: DiceQuestion, mission: Mission, ask: Ask) -> str:
    """Ask back where two dice were typed that may be a total, until the mission has two dice that cannot be one."""
    dice, doubtful = question.dice, [token for token in text.split() if token in DOUBTFUL]
    if not doubtful or dice.count != 2 or dice.tens or knows_dice(mission):
        return text
    told = " and ".join(f"{token} is a {token[0]} and a {token[1]}" for token in dict.fromkeys(doubtful))
    return ask(f"{told}, not a total. Enter if so, or type each die: ") or text


def knows_dice(mission: Mission) -> bool:
    """Return whether two dice have been typed in this mission."""
    return any(len(entry.get("d", ())) > 1 for entry in mission.journal.entries[: mission.journal.stand])


def several(rolls: Sequence[DiceQuestion], mission: Mission) -> None:
    """Print the rolls of one line, by table: `M-1 Defensive fire: hit on 6 – nose 1, tail 2; hit on 5 or more – top 1`;
    what neighbours need is said once."""
    from companion.render.situation import whom_each

    lines = []
    for table, group in groupby(rolls, key=lambda each: each.table):
        each = list(group)
        whom = whom_each([roll.bind for roll in each], mission.game, table.title)
        needs = [f"{roll.needed}{reasons(roll.applied)}".strip() for roll in each]
        count = which(each[0], mission) if len(each) == 1 else f" ({len(each)})" if len(set(whom)) == 1 else ""
        runs = [
            (need, [who for _, who in run])
            for need, run in groupby(zip(needs, whom, strict=True), lambda pair: pair[0])
        ]
        parts = [" – ".join(filter(None, [need, alike(names)])) for need, names in runs]
        told = "; ".join(filter(None, dict.fromkeys(parts)))
        head = f"{table.called}{count}"
        lines.append(headed(head, told) if told else head)
    for line in lines if len(lines) <= MOST_LINES else ["; ".join(lines)]:
        wrapped(line)


def alike(names: Sequence[str]) -> str:
    """`nose 1, top 2`; the same one is named once.

    >>> alike(["nose 1", "top 2"]), alike(["Tail, fighter 1", "Tail, fighter 1", "Nose, fighter 2"])
    ('nose 1, top 2', 'Tail, fighter 1; Nose, fighter 2')
    """
    each = list(dict.fromkeys(names))
    return ("; " if any("," in name for name in each) else ", ").join(each)


def prompt_of(rolls: Sequence[DiceQuestion], likely: Sequence[DiceQuestion], part: Sequence[int]) -> str:
    """`Roll 5 x 1D: `, `Roll 2D (+1), then 4-4 2D: `."""
    question = rolls[0]
    if question.dice.count is None:
        return f"Dice, as your book says{sum_of(question.applied)}: "
    asked = f"Roll {named([each.dice for each in rolls])}{sum_of(question.applied) if len(rolls) == 1 else ''}"
    runs = [(table, [each.dice for each in group]) for table, group in groupby(likely, key=lambda each: each.table)]
    then = f", then {', '.join(f'{table.number_printed} {named(dice)}' for table, dice in runs)}" if likely else ""
    lies = f" ({''.join(map(str, part))} lies there)" if part else ""
    return f"{asked}{then}{lies}: "
