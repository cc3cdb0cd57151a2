"""The Mission Log Sheet for a narrow screen, the fields that a tap may change, and the menu of campaigns and missions.

In a game with secrets between players the sheet shows each viewer only what they may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion.engine.fields import FREE, Value, line
from companion.engine.sheet import cut, of_member
from companion.packs import Pack, games
from companion.play.mission import Mission
from companion.play.phrases import written
from companion.problems import UserError
from companion.render import sheets
from companion.render.bomber_svg import for_screen
from companion.render.sheet_model import Cell, Row, Section, SheetModel, Table
from companion.render.situation import sight, unfinished, viewers
from companion.store import campaigns, crew
from companion.store.campaigns import Campaign
from companion.store.log import CampaignLog
from companion.store.session import Session

TEMPLATES = Path(__file__).parent / "templates"
WIDE = 3  # the most columns of a table; wider ones become cards
MANY = 12  # the most cards that show every box of a choice; of more each shows only the crossed one
BUTTONS = 24  # the most values of a field shown as buttons
BRIEF = 14  # the most characters of a label and its value that share a row


def sheet_html(mission: Mission, viewer: str = "") -> str:
    """Return the sheet as an HTML fragment, `<section class="sheet">`, with headings from the second level on.

    `viewer` is one of `viewers(mission)`; any other sees only public fields. In a game without secrets everything
    is public.
    """
    pack, seen = mission.game, sight(mission, viewer)
    whole, names, before = seen is None, pack.sheet.nicknames, pack.sheet.nicknames.state
    names.state = {name: value for name, value in mission.state.items() if seen is None or name in seen}
    try:
        labels = dict(viewers(mission))
        model = SheetModel(pack, mission.state, mission if whole else None, seen=seen)
        told = pack.about.print.told if whole else ()  # shown with the zones and the hits
        bomber = model.bomber()
        return render(
            "sheet.html",
            game=pack.title,
            title=sheets.title(pack, "mission"),
            who="" if whole else labels.get(viewer, labels[""]),
            bomber=for_screen(bomber) if bomber else "",
            blocks=[_block(each, model.posts) for each in model.sections(told)],
            hits=model.hits() if whole else [],
            zones=model.zones() if whole else None,
            reports=[  # worked-out facts
                (pack.sheet.text(name), model.word(name, str(model.facts[name])))
                for name in pack.sheet.derived
                if seen is not None and name in seen and model.facts[name] not in (*FREE, 0)
            ],
        )
    finally:
        names.state = before


def render(template: str, **data: object) -> str:
    """Return a template of the page with this data."""
    return templates().get_template(template).render(**data)


@cache
def templates() -> Environment:
    """Return the templates of the page, with all text escaped."""
    house = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    house.filters.update(flag_word=flag_word, brief=brief)
    return house


def brief(cell: Cell) -> bool:
    """Return whether a field needs only half a row."""
    short = cell["k"] == "fill" or len(cell.get("options", ())) == 1
    return short and len(cell["label"]) + len(flag_word(cell) or cell["value"]) <= BRIEF


def flag_word(cell: Cell) -> str:
    """Return the word next to a single box; a plain yes needs none."""
    return word if len(cell.get("options", ())) == 1 and (word := cell["options"][0]) != "yes" else ""


# -- sections for a narrow screen --------------------------------------------------------------------------------------


def _block(section: Section, posts: str) -> dict[str, Any]:
    """Return a section with its tables, the wide ones as cards; `bare` are the omitted cards without entries."""
    tables, cards, bare = list[Table](), list[list[dict[str, Any]]](), 0
    for table in section["tables"]:
        few = len(table["rows"]) <= MANY
        if len(table["head"]) <= WIDE and few:
            tables.append(table)
            continue
        rows = [_card(row, table, few) for row in table["rows"]]
        cards.append([each for each in rows if each["name"] or each["cells"] or table["title"].casefold() == posts])
        bare += len(rows) - len(cards[-1])
    fields = sorted(section["fields"], key=lambda each: each["k"] == "list")
    return {"label": section["label"], "fields": fields, "tables": tables, "cards": cards, "bare": bare}


def _card(row: Row, table: Table, few: bool) -> dict[str, Any]:
    """Return a row of a wide table (a man, an engine) with its entries and boxes; a leading name goes to its label."""
    cells = [cell.copy() for cell in row["cells"]]
    for cell, head in zip(cells, table["head"], strict=True):
        cell["label"] = head["label"] or "State"
        if len(cell.get("options", ())) > 1:
            cell["k"] = "choice" if few else "one"
            cell["options"] = [word for word in cell["options"] if word != "absent" or cell["value"] == word]
    name = cells.pop(0)["value"] if cells[0]["k"] == "fill" and not cells[0]["number"] else ""
    label = f"{table['title']} {row['label']}" if row["label"].isdigit() else row["label"]
    return {"label": label, "name": name, "cells": list(filter(_worth, cells)), "notes": row["notes"]}


def _worth(cell: Cell) -> bool:
    """Return whether a field belongs on a card: it has boxes or an entry."""
    if cell["k"] == "choice" and 1 < len(cell["options"]) <= 4:
        return True
    return cell["k"] == "boxes" or bool(cell.get("value") or cell.get("items"))


# -- the fields that a tap may change ----------------------------------------------------------------------------------


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
    values = list(field.values)
    present = model.written(name) or str(field.blank)
    if not values and field.limit is not None and field.limit - field.low < 4:
        values = [str(each) for each in range(field.low, field.limit + 1)]
    options = [(each, str(sheet.say(name, each))) for each in values] if len(values) <= BUTTONS else []
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


# -- the menu ----------------------------------------------------------------------------------------------------------


def menu(folder: Path | None, part: str) -> dict[str, object]:
    """Return the data of the menu: all campaigns and games, and the crew and options of the next mission."""
    sound, known = campaigns.campaigns()[0], [(name, Pack(name).title) for name in games()]
    shown: dict[str, object] = {"part": part, "now": "", "campaigns": sound, "games": known}
    if folder is None:
        return shown
    now = Campaign(folder)
    pack = Pack(now.game)
    log, fields = CampaignLog.of(pack, now), pack.sheet.fields

    def gone(position: str) -> str:
        man = log.man(position)
        return "lost: name another man" if man.lost else "goes home: name another man" if log.home(man) else ""

    return shown | {
        "now": now.name,
        "unfinished": unfinished(now),
        "aircraft": log.aircraft,
        "flight": pack.sheet.flight,
        "crew": [(at, log.label(at), log.roster[at], gone(at)) for at in log.positions],
        "lost": log.bomber().lost,
        "open": crew.unsettled(log),
        "briefing": [
            (name, fields[name].label, list(fields[name].values) or ["no", "yes"], str(fields[name].blank))
            for name in crew.to_ask(pack, now, {})
        ],
    }


def new(sent: Mapping[str, object]) -> Campaign:
    """Start a campaign with the default names, and use it."""
    name, game = line("the campaign's name", str(sent.get("name", ""))), str(sent.get("game", ""))
    if game not in games():
        raise UserError(f"Choose a game. There is no game {game or 'without a name'}.")
    pack = Pack(game)
    return Campaign.create(name, {"game": game, "aircraft": pack.about.aircraft, "roster": dict(pack.about.names)})


def begin(now: Campaign, sent: Mapping[str, object]) -> Campaign:
    """Name the crew and the aircraft, start the next mission with these options, and return the campaign."""
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
    return now
