"""The campaign log for programs: what `companion campaign`, `crew` and `bomber` print with `--json`, and the CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from companion.campaign.log import Bomber, CampaignLog, Man, Row
from companion.words import figure

if TYPE_CHECKING:
    from companion.engine.fields import Value

Record = dict[str, object]  # one JSON object
FORMULA = {*"=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"}  # what a formula begins with, or hides behind; wide signs too


def of_log(log: CampaignLog, name: str) -> Record:
    """The whole log. `mission` is which sheet it is, `number` what the sheet says; `facts` are the columns."""
    return {
        "campaign": name,
        "game": log.pack.name,
        "missions": [_of_row(row) for row in log.rows],
        "totals": {
            "counting": log.counting,
            "of": log.length,
            "over": log.over,
            "results": log.results,
            "ahead": log.ahead,
            "average": log.average,
            **log.rated("percent", log.average),
        },
        "bomber": of_one(log, log.bomber()),
        **of_people(log),
    }


def of_one(log: CampaignLog, each: Man | Bomber) -> Record:
    """A man or a bomber: `missions` count, `flown` are all of them; `mission` is the last sheet, null before it."""
    own: Record
    if isinstance(each, Bomber):
        own = {"name": each.name, "fate": each.end}
    else:
        own = {
            "position": each.position,
            "name": each.name,
            "standing": log.standing(each),
            "state": each.state,
            "fate": each.fate,
            "kills": each.kills,
        }
    return {
        **own,
        "missions": each.missions,
        "flown": each.flown,
        "victories": each.victories,
        "lost": each.lost,
        "mission": each.mission or None,
        "number": each.number or None,
        **log.rated("missions", each.survived if isinstance(each, Bomber) else each.missions),
    }


def of_people(log: CampaignLog) -> Record:
    """The present crew by position, and the lost."""
    crew = [{**of_one(log, log.man(position)), "position": position} for position in log.positions]
    return {"crew": crew, "lost": [of_one(log, man) for man in log.lost_men()]}


def _of_row(row: Row) -> Record:
    return {
        "mission": row.mission,
        "number": row.number,
        "counts": row.counts,
        "result": row.result,
        "facts": row.facts,
        "lost": [man.name for man in row.lost],
    }


def settings(log: CampaignLog) -> dict[str, Value | None]:
    """How the campaign is played: every option, None where nobody has been asked yet, and the figures of the book."""
    options: dict[str, Value | None] = {}
    for name, declared in log.sheet.fields.items():
        alone = declared.name == name  # of a family only those that have been answered
        if name in log.latest and declared.section in ("settings", "book"):
            options[name] = log.latest[name]
        elif declared.section == "settings" and alone:
            options[name] = declared.default
    return options


def write_csv(log: CampaignLog, out: TextIO) -> None:
    """A line a mission, headed by the facts; `lost` has the names."""
    from csv import writer

    sheet = writer(out, lineterminator="\n")
    names = [name for name, _ in log.columns]
    sheet.writerow(["mission", *map(_cell, names), "lost"])
    for row in log.rows:
        lost = "; ".join(str(_cell(man.name)) for man in row.lost)
        sheet.writerow([row.mission, *(_cell(row.facts[name]) for name in names), lost])


def _cell(value: Value) -> Value:
    """A value as a spreadsheet shows it and does nothing else with: a text that it would work out as a formula stands
    behind an apostrophe.

    >>> _cell("=1+1"), _cell("Osaka"), _cell(-1), _cell("-1"), _cell(" @x")
    ("'=1+1", 'Osaka', -1, '-1', "' @x")
    """
    text = str(value)
    return f"'{value}" if figure(text) is None and {text[:1], text.lstrip()[:1]} & FORMULA else value
