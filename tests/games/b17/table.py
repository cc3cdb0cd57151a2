"""Starting sheets of B-17 moments, and the ten men."""

from companion.engine.fields import Value

# Mission 11, homeward bound or over the target, all well aboard
LILLE = {"mission.number": 11, "target.city": "Lille", "target.type": "industry", "target.zone": 3, "squadron": "high"}
BREMEN = {**LILLE, "target.city": "Bremen", "target.type": "aircraft", "target.zone": 7}
OVER_LILLE = {**LILLE, "turn": 3, "zone": 3, "zone.turns": 1, "wave": 1, "cover": "poor"}
OVER_BREMEN = {**BREMEN, "turn": 7, "zone": 7, "zone.turns": 1, "wave": 1}
HOMEWARD = {**BREMEN, "turn": 11, "zone": 4, "zone.turns": 1, "wave": 1, "leg": "inbound", "bombs": "dropped"}
NO_GUNS = {f"gun.{gun}": "broken" for gun in "nose port-cheek starboard-cheek top radio ball tail".split()} | {
    "gun.port-waist": "broken",
    "gun.starboard-waist": "broken",
}
MEN = ("pilot copilot bombardier navigator engineer radio-operator ball-gunner port-waist starboard-waist "
       "tail-gunner").split()  # fmt: skip


def at(sheet: dict[str, int | str], words: str) -> dict[str, Value]:
    """Return a sheet with further facts (`step=turn engine.1=out`)."""
    return {**sheet, **dict(word.split("=") for word in words.split())}
