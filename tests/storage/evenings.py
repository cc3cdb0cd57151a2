"""Missions of a campaign and their endings."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.packs import Pack
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.store import campaigns
from companion.store.crew import Paper
from companion.store.log import CampaignLog
from tests.support import Run

HIT = ["bomber.fate=returned", "bombs=dropped", "bomb-run=on", "bomb-run.percent=30", "credit=yes"]  # 9.3 A
MISSED = ["bomber.fate=returned", "bombs=dropped", "bomb-run=off", "bomb-run.percent=3", "credit=yes"]  # 9.3 C
ENGINE_TROUBLE = ["bomber.fate=returned", "bombs=jettisoned", "aborted=yes", "credit=no"]  # B22: gives nothing
DITCHED = ["bomber.fate=ditched", "bombs=jettisoned", "aborted=yes", "credit=yes"]  # 9.3 B


def fly(companion: Run, *end: str) -> None:
    """Fly a mission from a fresh sheet to its end."""
    started = companion("mission", "start")
    assert started.code == 0, started.err
    ended = companion("set", *end)
    assert ended.code == 0, ended.err


def man(companion: Run, position: str) -> dict[str, object]:
    return next(each for each in companion("crew", "--json").json["crew"] if each["position"] == position)


def facts(companion: Run) -> dict[str, object]:
    found: dict[str, object] = companion("status", "--json").json["facts"]
    return found


def flown(pack: Pack, count: int, campaign: campaigns.Campaign | None = None, lost: int = 0) -> campaigns.Campaign:
    """Save finished missions, the last `lost` of them wrecked on landing, the others on target with ten percent."""
    campaign = campaign or campaigns.Campaign.create(
        "Long Haul", {"game": "b29", "roster": dict(pack.about.names), "aircraft": "Lucky Thirteen"}
    )
    begun = len(campaign.missions())
    for at in range(count):
        log = CampaignLog.of(pack, campaign)
        wrecked = at >= count - lost
        end = {"bombs": "dropped", "bomb-run": "on", "bomb-run.percent": 10, "credit": "yes"}
        end["bomber.fate"] = "wrecked" if wrecked else "returned"
        journal = Journal([{"v": "roll", "t": "5-1", "d": [3, 4], "o": "light"} for _ in range(286)])
        campaign.save(Mission(pack, log.carried() | end, [], journal, begun + at + 1))
    return campaign


MISSION = Path("campaigns") / "owls" / "mission-01.json"


def boxes(companion: Run) -> int:
    return int(companion("status", "--json").json["facts"]["fuel.wing"])


def document(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "companion": 1, "kind": "mission", "game": "b29", "name": "Owls", "aircraft": "Lucky", "roster": {"pilot": "A"},
        "missions": [{"number": 1, "facts": {"altitude": "hi"}, "pending": [{"roll": "5-1", "bind": {}, "born": 1}]}],
    }  # fmt: skip
    made.update(changes)
    return made


def mission(**changes: Any) -> dict[str, Any]:
    return document(missions=[{"number": 1, "facts": {}, "pending": [], **changes}])


def held(pack: Pack) -> tuple[Any, Any]:
    used = campaigns.campaign_in_use()
    assert used is not None
    mission = used.flown(used.missions()[-1])
    return mission.state, mission.pending


def paper_campaign(
    game: str,
    number: int,
    men: Mapping[str, str] | None = None,
    *,
    bomber: int | None = None,
    score: str = "",
    percent: int | None = None,
    cities: Iterable[str] = (),
) -> None:
    """Return a paper campaign whose next mission has that number, as `companion new --at-mission` asks for it."""
    pack = Pack(game)
    told = Paper(pack, number)
    told.men = {position: told.record(text) for position, text in (men or {}).items()}
    told.results, told.bomber, told.percent = told.score(score), bomber, percent
    for text in cities:
        name, *boxes = told.city(text)
        told.cities[name] = (boxes[0], boxes[1])
    roster, aircraft = dict(pack.about.names), pack.about.aircraft
    sheets = told.sheets(roster, aircraft)
    campaigns.Campaign.create("Paper", {"game": game, "aircraft": aircraft, "roster": roster}, sheets)
