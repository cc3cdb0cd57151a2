"""Facts: worked out, looked up, assumed, and forgotten when one of their inputs changes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from companion.problems import SystemFault
from tests.support import FACTS, asks, pack, sheet_of


def test_assumed_lists_facts_that_were_not_given(turrets: Pack) -> None:
    facts = Facts(turrets.sheet, {"gun.top": "jammed"}, noting=True)
    assert (facts["height"], facts["jammed"], facts["city"]) == ("low", 1, "")
    assert facts.assumed == {"height": "low", "gun.tail": "ok", "city": ""}
    untouched = Facts(turrets.sheet, noting=True)
    assert untouched["jammed"] == 0
    assert untouched.assumed == {"jammed": 0}


def test_a_change_forgets_what_was_worked_out(turrets: Pack) -> None:
    facts = Facts(turrets.sheet)
    assert facts["jammed"] == 0
    facts.change("gun.tail", "jammed")
    assert facts["jammed"] == 1


def test_a_worked_out_fact_applies_to_every_member(kites: Pack) -> None:
    facts = Facts(kites.sheet, {"out.left": 3})
    assert (facts["line.left.left"], facts["line.left.right"]) == (5, 5)
    facts.change("out.right", 4)
    assert facts["line.left.right"] == 1


def test_a_fact_is_looked_up_in_a_table_and_may_be_given_instead(kites: Pack) -> None:
    north: dict[str, str | int] = {"beach": "north", "hour": 1}
    facts = Facts(kites.sheet, north)
    assert (facts["wind"], facts["sand"]) == (2, "dunes")
    facts.change("hour", 2)
    assert (facts["wind"], facts["sand"]) == (-1, "flats")
    assert Facts(kites.sheet, north, {"wind": 4})["wind"] == 4


@pytest.mark.parametrize("known", [{}, {"beach": "south", "hour": 1}, {"beach": "north", "hour": 3}])
def test_without_a_row_it_has_its_default(kites: Pack, known: dict[str, str | int]) -> None:
    facts = Facts(kites.sheet, known)
    assert (facts["wind"], facts["sand"]) == (0, "stones")


def test_a_hyphenated_part_is_looked_up_and_has_a_default_beyond_the_rows(tmp_path: Path) -> None:
    look = (
        'dice = "-"\n[[modifier]]\nadd = "hour"\nid = "h"\n[[column]]\nwhen = "light = on"\n'
        'rows = {1 = "veering", 2 = "backing"}\n[outcome."{wind-shift}"]\ntext = "The wind is {wind-shift}"\n'
    )
    game = pack(tmp_path, look=look)
    facts = [Facts(game.sheet, {"light": "on", "hour": hour}) for hour in (1, 2, 3)]
    assert [each["wind-shift"] for each in facts] == ["veering", "backing", "steady"]
    assert Facts(game.sheet, {"light": "off", "hour": 1})["wind-shift"] == "steady"
    result = settle(Play(game, {"light": "on", "hour": 1}).roll("look", Hand()))
    assert (result.outcome, result.text) == ("veering", "The wind is veering")


def test_an_empty_slot_is_never_asked_for(tmp_path: Path) -> None:
    asked = sheet_of("sortie").replace("[fields.more]", "[fields.more]\n" + '"fighter[fighter].clock" = {ask = true}')
    game = pack(tmp_path, "sortie", sheet=asked)
    same = game.condition("some fighter (fighter[fighter].clock = '12')")
    facts = Facts(game.sheet, {"fighter.1.type": "zeke", "fighter.1.clock": "6"}, asking=True)
    assert not same(facts)  # the second slot is empty: nobody has to say from where nothing attacks
    facts.change("fighter.2.type", "zeke")
    with asks(FactQuestion):
        same(facts)
    meant = Facts(game.sheet, {"fighter": "2"}, asking=True)
    with asks(FactQuestion):
        assert meant["fighter.clock"]


def test_a_worked_out_fact_speaks_of_the_member_that_is_gone_through(raid: Pack) -> None:
    state = {"fighter.1.fca": 1, "fighter.1.type": "zeke", "fighter.2.fca": 3, "fighter.2.type": "tojo"}
    facts = Facts(raid.sheet, state)
    for sentence, count in (("count fighter (bears)", 1), ("count fighter as f (bears)", 0)):
        assert raid.condition(f"{sentence} = {count}")(facts)
    assert (facts["fighter"], facts["bears"]) == ("none", "no")  # nobody is bound any more
    facts.change("fighter", "2")
    for sentence, count in (("count fighter (bears)", 1), ("count fighter as f (bears)", 2), ("count side (bears)", 2)):
        assert raid.condition(f"{sentence} = {count}")(facts)
    assert (facts["fighter"], facts["bears"]) == ("2", "yes")
    assert raid.condition("bears and no fighter (bears and fighter = 1) and bears")(facts)


STATES: list[dict[str, Value]] = [
    {},
    {"zone": 3, "light": "on", "hits.port": 2, "fighter.1.type": "zeke", "fighter.1.fca": 2},
    {"side": "port", "fighter": "2", "fighter.2.fca": 1, "crossed": "yes", "zone": 1},
    {"fighter.1.type": "zeke", "fighter.2.type": "tojo", "fighter.2.fca": 5, "hits.starboard": 3, "zone": 5},
]
READING = [
    "late", "half = 2", "told = 'at 3'", "bears", "some fighter (bears)", "worn.port", "some side (worn[side])",
    "fighter.fca = 2", "fighter = 1", "far[fighter] >= 4", "row('sky') = 'clear'", "row('sky', 'part') = 'x'",
    "column('sky')", "sum fighter (far[fighter]) = 6", "fighter.type = 'zeke' and far[fighter] = 5",
    "count side (worn[side] = late) = 1",
]  # fmt: skip
SKY = """
[[column]]
when = "light = on"
rows = {0 = "clear", "1..9" = "thick-x"}
[[modifier]]
add = "half"
when = "crossed"
[[column]]
when = "zone >= 5"
rows = {"..9" = "thick-x"}
[outcome."thick-{part}"]
"""


def test_a_worked_out_fact_is_forgotten_when_an_input_changes(tmp_path: Path) -> None:
    """Change each sheet to each other one, field by field in any order: facts always equal a fresh reading."""
    raid = pack(tmp_path, facts=FACTS + "sky = {is = \"row('sky') = 'clear'\"}\n", sky='dice = "-"\n' + SKY)
    rng = random.Random(7)
    tests = [raid.condition(sentence) for sentence in [*READING, "sky"]]

    def seen(facts: Facts) -> list[Any]:
        results = []
        for test in tests:
            try:
                results.append(test(facts))
            except SystemFault:  # it refers to a fighter, and none is bound
                results.append("nobody")
        return results

    for before in STATES:
        for after in STATES:
            for way in range(8):
                facts = Facts(raid.sheet, before, noting=way % 2 == 0)
                seen(facts)
                for name in rng.sample(sorted({*before, *after}), len({*before, *after})):
                    facts.change(name, after.get(name))
                    if rng.random() < 0.3:
                        seen(facts)
                assert seen(facts) == seen(Facts(raid.sheet, after)), (before, after)


def test_an_empty_text_tells_no_used_slot(raid: Pack) -> None:
    facts = Facts(raid.sheet, {"fighter.1.type": "zeke"})
    assert (facts["fighter.2.type"], facts["fighter"]) == ("", "1")
