"""Every figure of the B-29 charts, compared with the transcription in `book/b29.py`."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.engine.resolution import Result
from companion.engine.tables import Table
from companion.packs import Pack
from tests.book import b29 as book
from tests.book.reading import facts_for, printed
from tests.support import slow_but

# 4-2: the transcription marks the rows with wind; the printed result is the weather alone
WEATHER = {"good-wind": "good", "poor-wind": "poor", "bad-wind": "bad"}


def cells(listed: list[Any]) -> list[Any]:
    return [pytest.param(*each, id=f"{each[0]}-{'-'.join(map(str, each[1].values()))}"[:60]) for each in listed]


def hands(table: Table) -> list[list[int]]:
    seen: list[list[int]] = [[]]
    for _ in range(table.dice.count or 0):
        seen = [[*each, pip] for each in seen for pip in range(1, 7)]
    return seen


def resolve(pack: Pack, name: str, facts: dict[str, Any], dice: list[int]) -> Result:
    return settle(Play(pack, given=facts).roll(name, Hand([dice])))


def rolled(pack: Pack, name: str, facts: dict[str, Any], total: int) -> str:
    """Return the outcome with its notes applied, from dice that make the total."""
    table = pack.table(name)
    dice = next(each for each in hands(table) if sum(each) == total)
    return resolve(pack, name, facts, dice).outcome


@pytest.mark.section(
    "b29 4-2", "b29 4-3", "b29 5-?", "b29 5-??", "b29 6-?", "b29 7-?", "b29 4.2 D", "b29 4.3 A", "b29 4.5 C1",
    "b29 4.5 C4", "b29 5.2 A", "b29 5.8 D", "b29 5-2 *", "b29 5-3 e", "b29 5-3 d", "b29 5-3 f", "b29 5-3 h",
    "b29 5-3 c", "b29 5-3 b", "b29 5-7 a", "b29 5-11 a", "b29 5-11 b", "b29 5-11 c", "b29 5-11 g", "b29 5-12 b",
    "b29 5-14 b", "b29 5-15 a", "b29 5-15 b", "b29 5-15 d", "b29 7-1 a", "b29 7-1 b", "b29 7-1 c", "b29 7-1 d",
    "b29 7-2 note", "b29 7-3 a", "b29 7-3 c", "b29 7-3 d", "b29 7-3 e", "b29 7-3 f", "b29 7-4 g", "b29 8.4", "b29 8.5",
)  # fmt: skip
@pytest.mark.parametrize(("name", "facts", "nets"), slow_but(cells(book.CELLS), 50))
def test_every_printed_cell(b29: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    table = b29.table(name)
    seen = {net: printed(table, facts_for(b29, table, facts), net) for net in nets}
    expected = {net: WEATHER.get(outcome, outcome) if name == "4-2" else outcome for net, outcome in nets.items()}
    if name == "5-15.d" or name == "5-3.coordinated":
        seen = {net: rolled(b29, name, facts, net) for net in nets}
    assert seen == expected


@pytest.mark.section("b29 5-10 a", "b29 5-10 b", "b29 6-7 b", "b29 6-7 d", "b29 5-15 b")
@pytest.mark.parametrize(("name", "facts", "nets"), cells(book.AFTER_NOTES))
def test_cells_with_their_notes(b29: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    if name in ("5-10", "6-7"):
        assert {net: rolled(b29, name, facts, net) for net in nets} == nets
    else:
        table = b29.table(name)
        assert {net: printed(table, facts_for(b29, table, facts), net) for net in nets} == nets


# dice that the transcription had to name itself, and what the pack calls them
NAMED = {
    "5-3.b.fire": ("5-7", {"fighter.type": "baka", "fighter.clock": "6"}),
    "5-3.b.destroyed": ("5-8", {"fighter.type": "baka"}),
    "5-15.c.fire": ("5-7", {"fighter.type": "baka", "fighter.clock": "6"}),
    "5-15.c.destroyed": ("5-8", {"fighter.type": "baka"}), "5-15.c.blast": ("5-3.b.blast", {}),
    "5-15.c.collision": ("5-3.b.collision", {}), "5-15.a.shells": ("5-3.f.shells", {}),
    "5-15.a.area": ("5-3.f.area", {}), "7-1.b.decompression": ("7-1.b.compromised", {}),
    "7-2.a.decompression": ("7-2.a.compromised", {}),
}  # fmt: skip


@pytest.mark.section("b29 5-3 b", "b29 5-15 c", "b29 5-15 a", "b29 5-3 f", "b29 7-1 b", "b29 7-2 note", "b29 7-3 b")
@pytest.mark.parametrize(("name", "facts", "nets"), cells(book.UNNAMED))
def test_dice_inside_rows_and_notes(b29: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    ours, more = NAMED.get(name, (name, {}))
    table = b29.table(ours)
    if name == "7-3.b":  # halved upward before the pumps say anything
        facts = {"pumps.failed": 1}
        assert {net: rolled(b29, ours, facts, net) for net in nets} == nets
        return
    seen = {net: printed(table, facts_for(b29, table, {**facts, **more}), net) for net in nets}
    assert seen == nets


def applied(pack: Pack, name: str, facts: dict[str, Any]) -> dict[str, int]:
    table = pack.table(name)
    view = facts_for(pack, table, facts)
    column = table.column(view)
    return {modifier.id: amount for modifier in column.modifiers if (amount := modifier.amount(view))}


@pytest.mark.section(
    "b29 4.2 D", "b29 4-2", "b29 4-3", "b29 5-1", "b29 2.3 F", "b29 2.3 C", "b29 4.8 C", "b29 5-2", "b29 5-3 b",
    "b29 5-3 c", "b29 5-4", "b29 5-5", "b29 5-7", "b29 5-8", "b29 5.7 B", "b29 5.8 D", "b29 5-9", "b29 7.2 two",
    "b29 5-11 a", "b29 5-14", "b29 5-14 c", "b29 5-15", "b29 6-1", "b29 6-2", "b29 6-6", "b29 6-8", "b29 6-9",
    "b29 6.4", "b29 2.3 A",
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "base", "trigger", "amount", "label"),
    slow_but([pytest.param(*each, id=f"{each[0]}-{each[4]}"[:60]) for each in book.MODIFIERS], 20),
)
def test_every_modifier(
    b29: Pack, name: str, base: dict[str, Any], trigger: dict[str, Any], amount: int, label: str
) -> None:
    without, with_it = applied(b29, name, base), applied(b29, name, {**base, **trigger})
    fresh = {each: add for each, add in with_it.items() if without.get(each) != add}
    gone = {each: add for each, add in without.items() if each not in with_it}
    assert sum(with_it.values()) - sum(without.values()) == amount
    assert len(fresh) == 1, label
    assert not gone or len(gone) == len(fresh)


@pytest.mark.section("b29 5-1", "b29 6-6", "b29 5-9")
@pytest.mark.parametrize(
    ("name", "facts", "label"), [pytest.param(*each, id=f"{each[0]}-{each[2]}"[:60]) for each in book.NOT_APPLIED]
)
def test_every_exception_to_a_modifier(b29: Pack, name: str, facts: dict[str, Any], label: str) -> None:
    _, base, trigger, _, _ = next(each for each in book.MODIFIERS if each[0] == name and each[4] == label)
    without, with_it = applied(b29, name, base), applied(b29, name, {**base, **trigger})
    meant = next(each for each, add in with_it.items() if without.get(each) != add)
    assert meant not in applied(b29, name, facts)


@pytest.mark.section("b29 5-7 a", "b29 5-7 b", "b29 5-9", "b29 5-14 b")
@pytest.mark.parametrize(("name", "facts", "dice", "outcome"), book.NATURAL)
def test_unmodified_rolls_decide(
    b29: Pack, name: str, facts: dict[str, Any], dice: tuple[int, ...], outcome: str
) -> None:
    result = resolve(b29, name, facts, list(dice))
    assert (result.outcome, result.natural) == (outcome, True)


@pytest.mark.section("b29 6-6 note")
@pytest.mark.parametrize(("name", "facts", "outcome"), book.AUTOMATIC)
def test_what_needs_no_die(b29: Pack, name: str, facts: dict[str, Any], outcome: str) -> None:
    assert settle(Play(b29, given=facts).roll(name, Hand())).outcome == outcome
