"""A mission on one picture to share: the bomber with its hits, the target, the result, the losses and the claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.engine.sheet import of_member
from companion.play.replay import rewound
from companion.render.bomber_svg import for_card
from companion.render.history import History
from companion.render.sheet_model import SheetModel
from companion.render.sheets import Data, lowered
from companion.render.story import story_of
from companion.render.typeset import typeset
from companion.store.log import BLANK, CampaignLog

if TYPE_CHECKING:
    from companion.packs import Pack
    from companion.play.mission import Mission

FORMS = ("png", "svg")


def card_picture(pack: Pack, mission: Mission, form: str = "png", campaign: str = "") -> bytes:
    """Return the card of a mission, 1200 by 630 pixels, as a PNG or an SVG."""
    return typeset("card", card(pack, mission, campaign), form, dots=72)[0]


def card(pack: Pack, mission: Mission, campaign: str = "") -> Data:
    """Return the card of a mission as data for its template."""
    model = SheetModel(pack, mission.state, history=History(pack, mission))
    log = CampaignLog(pack, {}, [(0, mission.state)])
    row, bomber, story = log.rows[0], model.bomber(), story_of(pack, mission)
    started = CampaignLog(pack, {}, [(0, rewound(mission, 0).state)])
    before = {man.position: man.kills for man in started.men.values()}
    state = model.crew.states[0] if model.crew else ""
    shown = {log.spec.result, log.spec.average, "mission.number", "aircraft.name", "target.city", "credit", "crew.lost"}
    shown |= {name for name, _ in log.columns if bomber and pack.sheet.declared(name).numeric}  # claims are drawn
    figures = [(head, model.word(name, str(row.facts[name]))) for name, head in log.columns if name not in shown]
    percent = "" if log.spec.average in row.unsaid else str(row.facts.get(log.spec.average, ""))
    return {
        "game": pack.title,
        "campaign": campaign,
        "title": story.title,
        "headline": story.headline,
        "summary": [] if bomber else story.summary,
        "aircraft": str(mission.state.get("aircraft.name", "")),
        "svg": for_card(bomber) if bomber else "",
        "result": "" if row.result in BLANK else model.word(log.spec.result, row.result),
        "side": list(log.sides).index(row.result) if row.result in log.sides else 2,
        "percent": percent,
        "figures": [(head, value) for head, value in figures if value not in BLANK],
        "lost": [(man.name, lowered(log.label(man.position)), log.fate(man)) for man in row.lost],
        "hurt": [
            (man.name, model.word(of_member(state, model.posts, man.sat), man.state))
            for man in log.men.values()
            if man.state != "ok" and not man.lost
        ],
        "claims": [
            (man.name, many) for man in log.men.values() if (many := man.kills - before.get(man.position, 0)) > 0
        ],
    }
