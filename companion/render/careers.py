"""The careers of the men in a campaign: what each did and what became of him, mission by mission, and his luck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.packs import Pack
from companion.play.dice_stats import Account, accounts_of, luck_of
from companion.render.beats import Beat
from companion.render.prose import PERSON, one_sentence, several
from companion.render.story import Story
from companion.store.log import CampaignLog, Man
from companion.words import counted

if TYPE_CHECKING:
    from companion.play.dice_stats import LuckRoll
    from companion.store.campaigns import Campaign

TOLD = 5  # the least weight of an event that is part of a career


@dataclass(eq=False)
class Career:
    """A man's record: his service, a line for each mission in which something happened to him, and his luck."""

    man: Man
    post: str
    fate: str
    missions: list[tuple[str, str]] = field(default_factory=list)  # the title of a mission, and what happened
    rolls: list[LuckRoll] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """Return the man in one line: `Tail gunner Sam Reed: 5 missions, 3 fighters, killed`."""
        kills = [counted(self.man.kills, "fighter")] if self.man.kills else []
        told = [counted(self.man.flown, "mission"), *kills, *([self.fate] if self.fate else [])]
        return f"{self.post} {self.man.name}: {', '.join(told)}"

    @property
    def luck(self) -> list[Account]:
        """Return his rolls of luck by kind."""
        return accounts_of(self.rolls)


def careers_of(campaign: Campaign) -> list[Career]:
    """Return the career of everyone who has flown in a campaign, by position."""
    log = CampaignLog.of(Pack(campaign.game), campaign)
    found = {name: Career(man, log.label(man.position), _fate(log, man)) for name, man in log.men.items()}
    missions = []
    for row in log.rows:
        pack, mission = campaign.flown(row.mission)
        missions.append(mission)
        story = Story(pack, mission)
        happened: dict[str, list[str]] = {}
        shot: dict[str, list[str]] = {}
        for beat in (each for stage in story.stages for each in stage.beats if each.weight >= TOLD):
            for name, told in _about(story, beat):
                (shot if beat.part == "claim" else happened).setdefault(name, []).append(told)
        for name in dict.fromkeys([*shot, *happened]):
            if name in found:
                claims = [f"shot down {several(shot[name])}"] if name in shot else []
                told = "; ".join([*claims, *happened.get(name, ())])
                found[name].missions.append((story.title, one_sentence(told)))
    for roll in luck_of(missions, log.pack.unit("story").get("luck", ())).rolls:
        if roll.whose in found:
            found[roll.whose].rolls.append(roll)
    return sorted(found.values(), key=lambda each: (log.positions.index(each.man.position), each.man.mission))


def _about(story: Story, beat: Beat) -> Iterator[tuple[str, str]]:
    """Yield the men that an event is about, each with what happened to him."""
    key = next((each for each in ("did", "as", "text") if each in beat.spec), "text")
    told = story.words_of(beat, key)
    for name, _ in PERSON.findall(told):
        if beat.part == "claim":
            yield name, story.words_of(beat, "foe")
        elif key == "did" and (by := story.words_of(beat, "cause")):
            verb, _, whom = told.partition("|")
            yield name, f"{' '.join([verb, *PERSON.sub('', whom).split()])} by {by}"
        else:
            yield name, PERSON.sub(name, story.words_of(beat, "text"))


def _fate(log: CampaignLog, man: Man) -> str:
    return log.fate(man) if man.lost else ", ".join(log.standing(man))


def told(career: Career) -> str:
    """Return a career as a paragraph of the campaign's story."""
    happened = [f"{title}: {told}" for title, told in career.missions]
    return " ".join([f"{career.summary}.", *happened])
