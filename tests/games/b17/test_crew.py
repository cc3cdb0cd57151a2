"""Changing places (14.2) and its costs, and oxygen (P-notes, 12.1)."""

from typing import Any

import pytest

from companion.engine.questions import Pending
from companion.packs import Pack
from tests.games.b17.table import HOMEWARD, OVER_LILLE, at
from tests.support import after_step, check, moments

HURT = at(OVER_LILLE, "step=no-engine-1 fought=yes crew.bombardier=serious")
HOME = {**HOMEWARD, "step": "end"}
MOVES = {**HOMEWARD, "step": "lost-2"}
GONE = at(MOVES, "oxygen.tail-gunner=2 crew.tail-gunner=kia oxygen.copilot=2 crew.copilot=kia oxygen.engineer=2 "
          "crew.engineer=serious oxygen.pilot=2")  # fmt: skip
SHORT = at(HOMEWARD, "step=no-engine-1 target.city=Paris formation=out fought=yes oxygen.engineer=2")


@pytest.mark.section("b17 14.0", "b17 14.1", "b17 12.1", "b17 14.2 d")
@moments(
    ("a move within a compartment costs nothing", HURT,
     "crew-move: bombardier; who-moves: navigator; crew-move: nobody", "man.bombardier=navigator duty.navigator=none"),
    ("both men of an exchange between two fire nothing in the next wave", HURT,
     "crew-move: other; other-move: tail-gunner; who-moves: radio-operator; crew-move: nobody",
     "man.tail-gunner=radio-operator man.radio-operator=tail-gunner duty.radio-operator=moved duty.tail-gunner=moved"),
    ("a man without oxygen brings her down", at(HOME, "oxygen.engineer=2"), "", "must-descend=yes"),
    ("a hit leaves some", at(HOME, "oxygen.engineer=1"), "", "must-descend=no"),
    ("a dead man's outlet serves him", at(HOME, "oxygen.engineer=2 crew.tail-gunner=kia"), "", "must-descend=no"),
    ("that of a pilot too", at(HOME, "oxygen.engineer=2 crew.copilot=kia"), "", "must-descend=no"),
    ("one does not serve two", at(HOME, "oxygen.engineer=2 oxygen.radio-operator=2 crew.tail-gunner=kia"), "",
     "must-descend=yes"),
    ("a pilot cannot leave for the tail", at(HOME, "oxygen.pilot=2 crew.tail-gunner=kia"), "", "must-descend=yes"),
    ("badly wounded he can", at(HOME, "oxygen.pilot=2 crew.pilot=serious crew.tail-gunner=kia"), "", "must-descend=no"),
    ("for the seat beside him too", at(HOME, "oxygen.pilot=2 crew.copilot=kia"), "", "must-descend=no"),
    ("which serves one", at(HOME, "oxygen.pilot=2 oxygen.engineer=2 crew.copilot=kia"), "", "must-descend=yes"),
    ("the dead copilot's place is for the engineer without oxygen", at(MOVES, "oxygen.engineer=2 crew.copilot=kia"),
     "crew-move: copilot", "options=engineer,nobody"),
    ("or the pilot", at(MOVES, "oxygen.pilot=2 crew.copilot=kia"), "crew-move: copilot", "options=pilot,nobody"),
    ("a dead gunner's for all but the pilots, the wounded too",
     at(MOVES, "oxygen.port-waist=2 crew.port-waist=serious crew.navigator=kia"), "crew-move: navigator",
     "options=nobody,bombardier,engineer,radio-operator,ball-gunner,port-waist,starboard-waist,tail-gunner"),
    ("an outlet that is out serves no pilot", GONE, "", "option!=copilot"),
    ("nor a wounded man", GONE, "crew-move: tail-gunner", "option!=engineer"),
    ("want of oxygen asks for a move that helps", {**SHORT, "crew.copilot": "kia"}, "", "asked=crew-move"),
    ("without one for none", SHORT, "", "asked=G-5"),
    ("in a quiet turn neither", {**SHORT, "fought": "no"}, "", "asked=G-5"),
    ("nor at 10,000 feet", at(SHORT, "crew.copilot=kia altitude=low"), "", "asked=O-3"),
)  # fmt: skip
def test_places_and_outlets(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 14.1", "b17 9.0")
def test_a_dead_man_has_not_changed_places(pack: Pack) -> None:
    ahead = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high"}
    dead = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "kia"}
    moment = after_step(pack, "no-engine-1", dead, "crew-move: bombardier\nwho-moves: tail-gunner\ncrew-move: nobody\n")
    assert (moment["duty.tail-gunner"], moment["duty.bombardier"]) == ("moved", "none")
    moment.mission.write({**ahead, "step": "attack", "pass": 1})
    options = moment.mission.options(Pending.of({"choose": "aim", "bind": {"gun": "tail"}}))
    assert [each.text for each in options] == ["nobody at the gun"]
