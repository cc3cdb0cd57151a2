"""Leaving the bomber, landing, ditching: who is saved (8.0)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.games.b29.table import ALL, DAY, HIGH, HOME
from tests.support import set_up


@pytest.mark.section("b29 8.2", "b29 4.2 B")
def test_opened_up_before_the_jump(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "8-4.crew")
    moment.fly("open-to-jump: yes\n8-2: 3,3 = calm\n8-4 pilot: 4,4 = safe")
    assert moment["pressurized"] == "no"
    assert "4.2D" not in [item.get("roll") for item in moment.mission.pending]  # 4.2 D: not for a bail out
    assert not any(entry["t"] == "7-11" for entry in moment.mission.journal.entries)


@pytest.mark.section("b29 8.2", "b29 4.2 B")
def test_jumping_from_a_closed_bomber(b29: Pack) -> None:
    """7-11 for each closed room with men in it: not for the holed Waist, not for the empty Tail."""
    moment = set_up(b29, HIGH + "pressure.waist=compromised crew.tail-gunner=kia", "8-4.crew")
    moment.fly("open-to-jump: no\n7-11: 3,3 = none\n8-2: 3,3 = calm\n8-4 pilot: 4,4 = safe")


@pytest.mark.section("b29 8.2", "b29 4.2 B")
def test_nobody_left_to_open_up_before_the_jump(b29: Pack) -> None:
    dead = " ".join(f"crew.{man}=kia" for man in ALL if man not in ("bombardier", "tail-gunner"))
    moment = set_up(b29, HIGH + dead, "8-4.crew")
    moment.fly("7-11: 3,3 = none\n7-11: 3,3 = none\n8-2: 3,3 = calm\n8-4 bombardier: 4,4 = safe")


SEA = DAY + "turn=20 zone=4 leg=inbound altitude=lo bombs=dropped bomb-run=on formation=out below=sea sea=calm "


@pytest.mark.section("b29 8.6")
def test_six_men_in_the_one_raft(b29: Pack) -> None:
    moment = set_up(b29, SEA + "rafts.fwd=hit book.8-3.sea-state=0", "8-3")
    six = ["pilot", "bombardier", "engineer", "cfc", "left-gunner", "tail-gunner"]
    moment.fly("8-3: 4,4 = successful\n" + "\n".join(f"raft-man: {man}" for man in six))
    assert moment["raft-places"] == 6
    for man in ALL:
        moment.fly(f"8-6 {man}: 3,3 = rescued")
        assert sum(add for _, add in moment.modifiers("8-6")) == (1 if man in six else 0)


@pytest.mark.section("b29 8.6")
@pytest.mark.parametrize(("rafts", "add"), [("", 1), ("rafts.fwd=hit rafts.aft=hit", 0)])
def test_both_rafts_or_none(b29: Pack, rafts: str, add: int) -> None:
    moment = set_up(b29, SEA + rafts + " book.8-3.sea-state=0", "8-3")
    moment.fly("8-3: 4,4 = successful\n8-6 pilot: 3,3 = rescued")
    assert sum(each for _, each in moment.modifiers("8-6")) == add


def test_six_survivors_need_no_choice(b29: Pack) -> None:
    dead = " ".join(f"crew.{man}=kia" for man in ALL[:5])
    moment = set_up(b29, SEA + "rafts.aft=hit book.8-3.sea-state=0 " + dead, "8-3")
    moment.fly("8-3: 4,4 = successful\n8-6 radio-operator: 3,3 = rescued")
    assert sum(add for _, add in moment.modifiers("8-6")) == 1


@pytest.mark.section("b29 8.6")
def test_the_sea_is_known_before_ditching_or_jumping(b29: Pack) -> None:
    moment = set_up(b29, SEA)
    moment.mission.pending = [{"choose": "forced-down", "bind": {}, "born": 1}]
    moment.mission.write({"sea": ""})
    moment.fly("forced-down: ditch\n8-2: 1,1 = heavy-swell")  # 8.6
    assert moment.options == ["ditch", "jump"]
    moment.fly("ditch-or-jump: jump\n8-4 pilot: 4,4 = safe\n8-6 pilot: 4,4 = captured")
    assert moment["fate.pilot"] == "duty"  # captivity threatens in Zones 10-14 only


@pytest.mark.section("b29 7-3 f", "b29 8.1")
@pytest.mark.parametrize(
    ("state", "options"),
    [
        ("bombs=dropped", ["land", "pilot-lands", "bail-out"]),
        ("bombs=aboard", ["land", "pilot-lands"]),
        ("bombs=aboard controls.pilots=out", ["bail-out"]),
        ("bombs=aboard crew.pilot=kia crew.copilot=serious", ["land", "pilot-lands"]),  # the engineer flies (7.6 F)
        ("bombs=aboard crew.pilot=kia crew.copilot=serious crew.engineer=kia", ["land"]),
    ],
)
def test_with_bombs_aboard_the_pilot_lands_her(b29: Pack, state: str, options: list[str]) -> None:
    """7-3 f, 8-1 c: the rest may jump; 8.1: without controls everybody must. On Iwo Jima it is no other (B61)."""
    assert set_up(b29, HOME + state).legal("landing") == options
    assert sorted(set_up(b29, HOME.replace("zone=0", "zone=6") + state).legal("iwo-jima")) == sorted(
        [*options, "fly-on"]
    )


@pytest.mark.section("b29 7.6 F")
@pytest.mark.parametrize(
    ("lost", "stays"),
    [("", "pilot"), ("crew.pilot=serious", "copilot"), ("crew.pilot=kia frostbite.copilot=yes", "engineer")],
)
def test_whoever_flies_her_stays_aboard(b29: Pack, lost: str, stays: str) -> None:
    """8-1 c, 7.6 F"""
    moment = set_up(b29, HOME + f"bombs=aboard {lost}")
    moment.mission.pending = [{"choose": "landing", "bind": {}, "born": 1}]
    moment.fly("landing: pilot-lands")
    jump = [item["bind"]["position"] for item in moment.mission.pending if item.get("roll") == "8-4"]
    assert set(jump) == {man for man in ALL if man != stays and f"crew.{man}=kia" not in lost}
    assert moment.mission.pending[-1]["roll"] == "8-1"
