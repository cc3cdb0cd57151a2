"""The bomber: lost, abandoned and replaced."""

from __future__ import annotations

import pytest

from tests.storage.evenings import DITCHED, HIT, facts, fly, man
from tests.support import Run


@pytest.mark.slow
def test_the_bomber_is_lost_and_another_one_taken(owls: Run) -> None:
    fly(owls, *HIT)
    refused = owls("bomber", "Second Wind")
    assert refused.code == 2
    assert "Lucky Thirteen is still airworthy" in refused.err
    assert owls("bomber", " ", "--yes").code == 2
    fly(owls, *DITCHED)
    shown = owls("bomber", "--json").json["bomber"]
    assert (shown["name"], shown["missions"], shown["lost"], shown["fate"]) == ("Lucky Thirteen", 2, True, "ditched")
    refused = owls("mission", "start")
    assert refused.code == 2
    assert "Lucky Thirteen is lost. Name another bomber: companion bomber NAME. " in refused.err
    assert owls("bomber", "lucky thirteen").code == 2
    assert owls("bomber", "Second Wind").code == 0
    fly(owls, *HIT)
    shown = owls("bomber", "--json").json
    assert (shown["bomber"]["name"], shown["bomber"]["missions"]) == ("Second Wind", 1)
    assert [each["name"] for each in shown["former"]] == ["Lucky Thirteen"]
    assert owls("campaign", "--json").json["bomber"] == shown["bomber"]
    assert man(owls, "pilot")["missions"] == 3  # the crew goes on in another plane
    assert "x Lucky Thirteen: 2 missions, 1 won; ditched, mission 2" in owls("bomber").out


def test_yes_replaces_the_lost_and_says_so(owls: Run) -> None:
    fly(owls, *DITCHED, "crew.pilot=kia", "fate.pilot=las", "fate.navigator=cas")
    refused = owls("mission", "start")
    assert '2 men and Lucky Thirteen are lost. Name the replacements: companion crew pilot "NAME"' in refused.err
    assert "companion crew --random, Name another bomber: companion bomber NAME" in refused.err
    started = owls("mission", "start", "--yes")
    assert started.code == 0
    assert "for Harlan Beck" in started.out
    assert "for Gus Lindqvist" in started.out
    assert "Bomber: Lucky Thirteen II for Lucky Thirteen" in started.out
    sheet = facts(owls)
    assert (sheet["aircraft.name"], sheet["missions.pilot"], sheet["missions.copilot"]) == ("Lucky Thirteen II", 0, 1)
    assert [each["name"] for each in owls("crew", "--json").json["lost"]] == ["Harlan Beck", "Gus Lindqvist"]
