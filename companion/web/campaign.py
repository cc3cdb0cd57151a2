"""Campaigns, missions and names from a phone, and the fields of the sheet that a tap may change."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.fields import Value, line
from companion.engine.sheet import cut, of_member
from companion.packs import Pack, games
from companion.play.phrases import written
from companion.problems import UserError
from companion.render.sheet_model import SheetModel
from companion.render.situation import unfinished
from companion.store import campaigns, crew
from companion.store.campaigns import Campaign
from companion.store.log import CampaignLog
from companion.store.session import Session

MANY = 24  # the most values shown as buttons


def menu(now: Campaign | None, part: str) -> dict[str, object]:
    """Return the data of the menu: the campaigns and games, and the crew and options of the next mission."""
    shown: dict[str, object] = {
        "part": part,
        "now": now.name if now else "",
        "aircraft": "",
        "flight": "mission",
        "crew": [],
        "briefing": [],
        "open": [],
        "lost": False,
    }
    shown |= {
        "campaigns": campaigns.campaigns()[0],
        "games": [(name, Pack(name).title) for name in games()],
        "unfinished": unfinished(now) if now else "",
    }
    if now:
        pack = Pack(now.game)
        log = CampaignLog.of(pack, now)
        shown["aircraft"], shown["flight"] = log.aircraft, pack.sheet.flight
        shown["crew"] = [(at, log.label(at), log.roster[at], _gone(log, at)) for at in log.positions]
        shown["lost"], shown["open"] = log.bomber().lost, crew.unsettled(log)
        fields = pack.sheet.fields
        shown["briefing"] = [
            (name, fields[name].label, list(fields[name].values) or ["no", "yes"], str(fields[name].blank))
            for name in crew.to_ask(pack, now, {})
        ]
    return shown


def _gone(log: CampaignLog, position: str) -> str:
    man = log.man(position)
    return "lost: name another man" if man.lost else "goes home: name another man" if log.home(man) else ""


def new(sent: Mapping[str, object]) -> Campaign:
    """Start a campaign with the default names, and use it."""
    name, game = line("the campaign's name", str(sent.get("name", ""))), str(sent.get("game", ""))
    if game not in games():
        raise UserError(f"Choose a game. There is no game {game or 'without a name'}.")
    pack = Pack(game)
    return Campaign.create(name, {"game": game, "aircraft": pack.about.aircraft, "roster": dict(pack.about.names)})


def begin(now: Campaign, sent: Mapping[str, object]) -> None:
    """Name the crew and the aircraft, and start the next mission with these options."""
    text = {str(key): " ".join(str(value).split()) for key, value in sent.items()}
    pack = Pack(now.game)
    with crew.changed(now, pack) as roster:
        for position, present in dict(roster.names).items():
            if (name := text.get(f"man.{position}", present)) not in ("", present):
                roster.put(position, name)
        if text.get("aircraft", roster.aircraft) not in ("", roster.aircraft):
            roster.take(text["aircraft"])
    asked = crew.to_ask(pack, now, {})
    facts: dict[str, Value] = written(pack, [f"{name}={text[name]}" for name in asked if name in text])
    crew.begin(now, pack, facts, mend=text.get("mend") == "yes", seen=now.missions())


def entries(session: Session, name: str) -> list[dict[str, object]]:
    """Return the field of that name; for a man, a fighter or the like also the other fields of the same kind.

    Raises:
        UserError: There is no such field.
    """
    sheet = session.pack.sheet
    if name not in sheet.fields:
        raise UserError("There is no such box on this sheet.")
    model = SheetModel(session.pack, session.mission.state)
    family, index = sheet.fields[name].name, cut(sheet.fields[name].name)[1]
    people, wave = session.pack.about.status.people, session.pack.about.at_table.wave
    alike = [family]
    if people and family in people.states:
        alike = [*people.states, people.name, people.boxes]
    elif wave and index == wave.index:
        alike = [each for each in sheet.families if cut(each)[1] == index and sheet.families[each].section != "working"]
    zones = session.pack.about.print.zones
    if zones and name == zones.zone:
        alike = [zones.zone, zones.leg, zones.target]
    member = name.rpartition(".")[2] if index else ""
    names = [of_member(each, index, member) if index and "[" in each else each for each in alike if each]
    return [_entry(model, each if each in sheet.fields else name) for each in dict.fromkeys(names)]


def _entry(model: SheetModel, name: str) -> dict[str, object]:
    """Return a field with its value in words, and its values or what may be typed."""
    field, sheet = model.sheet.fields[name], model.sheet
    values = list(field.values) or (["no", "yes"] if field.kind == "flag" else [])
    present = model.written(name) or str(field.blank)
    if not values and field.limit is not None and field.limit - field.low < 4:
        values = [str(each) for each in range(field.low, field.limit + 1)]
    options = [(each, str(sheet.say(name, each))) for each in values] if len(values) <= MANY else []
    shown = dict(options).get(present, model.word(name, present)) if present != "none" else ""
    span = "" if options else field.span
    return {
        "name": name,
        "label": sheet.text(name),
        "value": shown,
        "options": options,
        "number": field.numeric,
        "span": span,
    }


def fates(session: Session) -> list[tuple[str, str, str]]:
    """Return each man of the last mission: his name, his position, and what became of him."""
    seats = SheetModel(session.pack, session.mission.state).seats()
    return [(seat["name"], seat["post"] or seat["position"], ", ".join(seat["amiss"])) for seat in seats.values()]
