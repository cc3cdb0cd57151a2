"""Stories as plain text, Markdown, HTML or data for the printed template; the careers of the men in a campaign."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from companion.packs import Pack
from companion.play.dice_stats import Account, accounts_of, luck_of
from companion.render.prose import PERSON, Beat, one_sentence, several
from companion.render.sheets import totals
from companion.render.story import PARAGRAPH, Story
from companion.store.log import CampaignLog, Man
from companion.store.session import Session
from companion.words import counted

if TYPE_CHECKING:
    from companion.play.dice_stats import LuckRoll
    from companion.store.campaigns import Campaign

WIDE = 80
TOLD = 5  # the least weight of an event that is part of a career
FORMS = ("md", "html", "bbcode", "pdf", "txt")
PASTED = ("md", "bbcode", "html")
STYLE = (
    "body{max-width:42em;margin:2em auto;padding:0 1em;font:17px/1.5 Georgia,serif;color:#222}"
    "h1,h2{line-height:1.2}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}}"
)


class Block(NamedTuple):
    """A piece of a report: a heading (`1` or `2`), or a paragraph (`p`, in italics `i`)."""

    kind: str
    text: str


Report = list[Block]


def mission(story: Story) -> Report:
    """Return a full mission report."""
    told = [" ".join(each.text for each in paragraph) for paragraph in story.paragraphs()]
    return [Block("2", story.title), Block("i", story.headline), *(Block("p", each) for each in told)]


def short(story: Story) -> Report:
    """Return a report of one paragraph, with the title and what mattered most."""
    return [Block("p", f"{story.title}: {story.headline} {' '.join(story.sentences(PARAGRAPH))}")]


def line(story: Story) -> Report:
    """Return the headline in one line."""
    return [Block("p", f"{story.title}: {story.headline}")]


def text(report: Report) -> str:
    """Return plain text, 80 columns wide."""
    lines: list[str] = []
    for block in report:
        told = textwrap.wrap(block.text, WIDE, break_on_hyphens=False) or [""] * (block.kind not in "pi")
        rule = {"1": "=", "2": "-"}.get(block.kind, "") * max(map(len, told), default=0)
        lines += ["", *told, *([rule] if block.kind not in "pi" else [])]
    return "\n".join(lines).strip("\n")


def markdown(report: Report) -> str:
    """Return Markdown as forums and repositories read it."""
    parts = []
    for block in report:
        plain = re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", block.text)  # names come from the player
        plain = re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+=])", r"\\\1", plain))
        before, after = {"p": ("", ""), "i": ("*", "*")}.get(block.kind) or (f"{'#' * int(block.kind)} ", "")
        parts.append(f"{before}{plain}{after}")
    return "\n\n".join(parts)


def bbcode(report: Report) -> str:
    """Return BBCode for forums; a zero-width space breaks a tag in a player's own words."""
    sizes, parts = {"1": 6, "2": 5}, []
    for block in report:
        told = block.text.replace("[", "[\u200b")
        if block.kind in sizes:
            parts.append(f"[size={sizes[block.kind]}][b]{told}[/b][/size]")
        else:
            parts.append(f"[i]{told}[/i]" if block.kind == "i" else told)
    return "\n\n".join(parts)


def html(report: Report) -> str:
    """Return a self-contained HTML page."""
    from markdown_it import MarkdownIt

    title = next((block.text for block in report if block.kind == "1"), "")

    body = MarkdownIt("commonmark").render(markdown(report))
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}</body></html>'


def data(report: Report, *, game: str, title: str, campaign: str, paper: str = "a4") -> dict[str, object]:
    """Return the data for the template `story`."""
    blocks = [block._asdict() for block in report]
    return {"game": game, "title": title, "campaign": campaign, "paper": paper, "blocks": blocks}


def debrief(session: Session) -> list[str]:
    """Return the outcome of the mission: its result, casualties by name, and its value for the campaign."""
    pack, sheet, facts = session.pack, session.pack.sheet, session.mission.facts()
    if pack.unit("story"):
        told = Story(session.mission).summary
    else:
        named = [name for name in pack.about.debrief if facts[name] != ""]
        told = [f"{sheet.text(name)}: {sheet.say(name, facts[name])}" for name in named]
    if session.campaign is not None and pack.about.log.counts:
        told.append(totals(CampaignLog.of(pack, session.campaign))[0])
    return told


# -- careers -----------------------------------------------------------------------------------------------------------


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
    def told(self) -> str:
        """Return the career as a paragraph of the campaign's story."""
        return " ".join([f"{self.summary}.", *(f"{title}: {told}" for title, told in self.missions)])

    @property
    def luck(self) -> list[Account]:
        """Return his rolls of luck by kind."""
        return accounts_of(self.rolls)


def careers_of(campaign: Campaign) -> list[Career]:
    """Return the career of everyone who has flown in a campaign, by position."""
    log = CampaignLog.of(Pack(campaign.game), campaign)
    fates = {name: log.fate(man) if man.lost else ", ".join(log.standing(man)) for name, man in log.men.items()}
    found = {name: Career(man, log.label(man.position), fates[name]) for name, man in log.men.items()}
    missions = [campaign.flown(row.mission) for row in log.rows]
    for mission in missions:
        story = Story(mission)
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
    for roll in luck_of(missions).rolls:
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
