"""Starting sheets of B-29 moments, and the eleven men."""

from typing import Any

from companion.engine.dice import Hand
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.mission import Mission
from tests.support import begun

DAY = "mission.number=12 mission.time=day mission.altitude=hi target.city=kobe target.type=airfield target.zone=12 "
NIGHT = (
    "mission.number=14 mission.time=night mission.altitude=lo target.city=tokyo target.type=airfield target.zone=12 "
)
HIGH = DAY + "turn=9 zone=8 altitude=hi pressurized=yes formation=out weather=good below=sea book.7-12.depressurized=2 "
ALL = (
    "pilot copilot bombardier navigator engineer radio-operator cfc left-gunner right-gunner radar-operator tail-gunner"
).split()
HANGING = DAY + (
    "turn=13 zone=12 leg=inbound altitude=hi pressurized=yes formation=out weather=good fuel.wing=20 bomb-run=on "
    "step=repair log.gazetteer.12=0 log.below.12=land "
)
THIN = DAY + (
    "turn=9 zone=8 altitude=hi pressurized=no pressurization=lost cold.since=9 formation=out weather=good fuel.wing=18 "
    "oxygen.navigator=2 name.navigator=Gus name.bombardier=Miles step=take-off "
)
OVER = DAY + (
    "turn=12 zone=12 altitude=hi pressurized=no formation=in weather=good fuel.wing=20 visibility=slightly "
    "log.gazetteer.12=0 log.below.12=land target.asterisk=no "
)
# combat is over, the bomb run comes next
RUN = OVER + "zone.turns=1 moved=yes step=after-combat "
HOME = DAY + "turn=25 zone=0 leg=inbound altitude=lo formation=out weather=good "
NO_ENGINE = "engine.1=out engine.2=out engine.3=out engine.4=out"
WAIST = ["radar-operator", "cfc", "left-gunner", "right-gunner"]


def flying(pack: Pack, **facts: Any) -> Mission:
    return begun(pack, {name.replace("__", ".").replace("_", "-"): value for name, value in facts.items()})


def roll(mission: Mission, table: str | None, *dice: int, **facts: Any) -> Result:
    given = {name.replace("__", "."): value for name, value in facts.items()}
    return mission.roll(table, Hand([list(dice)] if dice else []), given)[0]


def pending(mission: Mission) -> list[str]:
    return [item.name if item.kind != "order" else "!" for item in mission.pending]
