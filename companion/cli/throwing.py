"""Asking for dice in flight: all that one hand throws in one line, and the number that is needed in the question."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from companion.cli.picking import Ask, wrapped
from companion.engine.questions import DiceQuestion
from companion.play.ahead import Foreseen
from companion.play.mission import Mission
from companion.play.tray import LISTED, Tray, pips, shared_out
from companion.problems import Problem
from companion.render.questions import headline, reasons, sum_of, which
from companion.words import headed, series

MOST_LINES = 5  # of tables in a question; more stand one behind the other


def throw(
    rolls: Sequence[DiceQuestion], likely: Sequence[Foreseen], tray: Tray, mission: Mission, ask: Ask
) -> list[int]:
    """The dice of the first of these rolls; those of the others that were typed with them lie on the tray."""
    question, *others = rolls
    if others:
        several(rolls, mission)
    else:
        wrapped(headline(question, mission))
    if news := tray.news():
        wrapped(f"On the tray: {news}; Enter takes the first where it fits, - puts them away.", "  ")
    due = {str(item["roll"]) for item in mission.pending if item.get("roll") not in (None, question.table.id)}
    part = tray.part_of(question)
    lies = "" if news or not tray else tray.pips()
    prompt = prompt_of(rolls, likely, part, lies)
    count = question.dice.count
    while True:
        text = ask(prompt)
        if text == "-":
            wrapped(f"Put away: {tray.clear()}" if tray else "Nothing lies on the tray.", "  ")
            part, prompt = [], prompt_of(rolls, likely, [])
            continue
        if not text and count and (ready := tray.first(count, due)):
            return ready
        if not text and count and tray:
            wrapped(f"What lies there is not for {question.dice.name} of this roll; type the dice.", "  ")
            continue
        try:
            dice = part + pips(text)
            if count is None or len(dice) < count:
                question.dice.check(dice)
                if dice or not text:  # a note of the player's book may need no dice
                    return dice
        except Problem as problem:
            wrapped(str(problem), "  ")
            continue
        if count is None:
            continue
        tray.lay(dice[count:], others, likely)
        if taken := shared_out(dice, rolls, likely):
            wrapped(f"Taken: {taken}.", "  ")
        over = [each for each in tray.lying if each.key is None]
        if over:
            alone = len(over) == len(tray.lying)
            how = " (Enter takes the first where it fits, - puts them away)" if alone and tray.news() else ""
            more = [f"{len(over) - LISTED} more"] if len(over) > LISTED else []
            wrapped(f"Over: {series([*(each.words() for each in over[:LISTED]), *more])}; kept on the tray{how}.", "  ")
        return dice[:count]


def several(rolls: Sequence[DiceQuestion], mission: Mission) -> None:
    """The rolls of one line, by table: `M-1 Defensive fire: hit on 6 – nose 1, tail 2; hit on 5 or more – top 1`; what
    neighbours need is said once."""
    from companion.render.results import whom_each

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


def prompt_of(rolls: Sequence[DiceQuestion], likely: Sequence[Foreseen], part: Sequence[int], tray: str = "") -> str:
    """`Roll 5 × 1D: `, `Roll 2D (+1), then 4-4 2D: `; with what is on the `tray` where no line above has said it."""
    question = rolls[0]
    if question.dice.count is None:
        return f"Dice, as your book says{sum_of(question.applied)}: "
    if len(rolls) == 1:
        asked = f"Roll {question.dice.name}{sum_of(question.applied)}"
    else:
        runs = [(name, len(list(group))) for name, group in groupby(rolls, key=lambda each: each.dice.name)]
        asked = "Roll " + ", ".join(f"{count} x {name}" if count > 1 else name for name, count in runs)
    then = f", then {', '.join(f'{each.number} {each.dice.name}' for each in likely)}" if likely else ""
    lies = f" ({''.join(map(str, part))} lies there)" if part else ""
    return f"{asked}{then}{lies}{f' (tray: {tray})' if tray else ''}: "
