"""A question in words: whose roll it is, what adds to it, what is needed, what Enter takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.engine.facts import Facts
from companion.engine.fields import Field, Value
from companion.engine.pending import alike, restored
from companion.engine.questions import ChoiceQuestion, DiceQuestion, Option, RowQuestion
from companion.engine.sheet import Member
from companion.engine.tables import Applied, Table
from companion.play.mission import Mission
from companion.render.situation import binding
from companion.words import bare, figure, headed, nearest, slug


def headline(question: DiceQuestion, mission: Mission) -> str:
    """Return `5-7 Defensive fire – Tail guns, fighter 2 (george from 6 low): hit on 7 or more (+2 from 6)`."""
    whom = whose(question.bind, mission, title=question.table.title) + which(question, mission)
    needs, why = question.needed, reasons(question.applied)
    head = f"{question.table.called}{whom}"
    return headed(head, f"{needs}{why}") if needs else f"{head}{why}"


def reasons(applied: Sequence[Applied]) -> str:
    """Return the modifiers with their reasons: ` (+2 from 6, -1 evasive)`."""
    return f" ({', '.join(f'{each.add:+d} {each.why}' for each in applied)})" if applied else ""


def sum_of(applied: Sequence[Applied]) -> str:
    """Return the sum of the modifiers: ` (+1)`."""
    return f" ({sum(each.add for each in applied):+d})" if applied else ""


def figures_of(declared: Field) -> bool:
    """Tell if all values of a choice are numbers: such a one is typed as it is, not picked from a list."""
    return bool(declared.values) and all(figure(each) is not None for each in declared.values)


def whose(bind: Mapping[str, Value], mission: Mission, *, short: bool = False, title: str = "") -> str:
    """Return which gun, man or fighter the dice are for: ` – Tail guns, fighter 1 (george from 6 level)`; `short`
    leaves out what the fighter is, `title` what it begins with."""
    sheet = mission.game.sheet
    facts, described = Facts(sheet, mission.state, bind), {}
    for name, value in bind.items():
        member = sheet.known.get(name)
        if (
            not short
            and value != "none"
            and isinstance(member, Member)
            and member.text
            and facts[member.present.format(value)] != "none"
        ):
            described[name] = facts.described(member)
    return binding(bind, mission.game, described, title)


def which(question: DiceQuestion, mission: Mission, waiting: Sequence[DiceQuestion] = ()) -> str:
    """Return which of several equal rolls the dice are for: ` (2 of 3)`; of those `waiting`, by its place there."""
    item, journal = mission.asked(question.table.id), mission.journal
    if item is None:
        return ""

    def among(items: Iterable[Mapping[str, Any]]) -> int:
        return sum(alike(each, item) for each in restored(items))

    done = sum(
        entry["t"] == question.table.id and "p" in entry and among(entry["p"][1]) > among(entry["p"][2])
        for entry in journal.entries[item.born : journal.stand]
    )
    of = done + sum(alike(each, item) for each in mission.pending)
    equal = [each for each in waiting if (each.table.id, each.bind) == (question.table.id, question.bind)]
    at = done + 1 + next((at for at, each in enumerate(equal) if each is question), 0)
    return f" ({at} of {of})" if of > 1 else ""


def asked_of(question: RowQuestion) -> str:
    """Return what is asked of the player's book: the table's own question, or for which net roll or row."""
    at = ""
    if question.net is not None and question.dice:
        at = f" for a net {question.net}"
    elif question.net is not None and question.table.dice.count:
        at = f" in row {question.net}"
    return question.asked or f"your own book has the rows. What does it say{at}"


def like(options: Sequence[str], texts: Sequence[str], row: str) -> list[str]:
    """Return the rows that may be meant by words that are not among them: a slip in the name, or a shared word."""
    slips = nearest(bare(row), [bare(option) for option in options])
    shared = [
        option
        for option, text in zip(options, texts, strict=True)
        if {word for word in slug(row).split("-") if len(word) > 2} & set(slug(f"{option} {text}").split("-"))
    ]
    return list(dict.fromkeys([*(each for each in options if bare(each) in slips), *shared]))[:3]


def figures_only(table: Table) -> bool:
    """Tell if the rows are numbers, but for one word: there a typed number is the row, never a place in a list."""
    owner = table.numbers()[0]
    return len(table.outcomes) == 1 and (owner.number is not None or owner.adjust is not None)


def enter_of(question: ChoiceQuestion, mission: Mission | None) -> str:
    """Return the option that Enter takes; empty where it takes none."""
    written = mission.game.about.at_table.final.get(question.name, ()) if mission else ()
    never = [each.name for each in question.options if each.bind and each.spec.get("name") in written]
    final = [each.name for each in question.options if each.name in written or each.name in never]
    usual = question.options[0].name
    if mission is None or usual not in final:
        return usual
    if len(final) == len(question.options):
        return ""
    journal = mission.journal
    own = [each for each in journal.entries[: journal.stand] if (each["v"], each["t"]) == ("choose", question.name)]
    last = next((each.get("o") for each in reversed(own) if "a" not in each), None)
    if last == usual and usual not in never:
        return usual
    return next(each.name for each in question.options if each.name not in final)


def beside(option: Option, mission: Mission | None) -> str:
    """Return what is next to an option's name: its text, else what the man or gun of that name is called."""
    if option.text != option.name:
        return option.text
    own = mission is not None and option.name in option.bind.values()
    return binding(option.bind, mission.game).removeprefix(" – ") if mission and own else ""
