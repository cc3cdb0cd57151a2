"""The campaign in lines: its totals, its bombers, and the campaign, crew and damage sheets as text."""

from __future__ import annotations

from collections.abc import Sequence

from companion.packs import Pack
from companion.render import sheets
from companion.render.page import Page
from companion.render.seats import rooms
from companion.render.sheets import CityLine
from companion.store.log import Bomber, CampaignLog
from companion.words import counted

CREW = ("Position", "Name", "Missions", "Flown", "Claims", "Fate")


def heading(kind: str, pack: Pack, campaign: str = "") -> str:
    """The head of a sheet in a line: what it is, the game, the campaign where it is of one."""
    words = [sheets.title(pack, kind).upper(), str(pack.about.get("title", pack.name))]
    return " · ".join([*words, campaign] if campaign else words)


def totals(log: CampaignLog) -> list[str]:
    """How many count and the average, the score, who is ahead."""
    of = f" of {log.length}" if log.length is not None else ""
    word = log.rating("percent", log.average)
    average = f" Bombs on target: {log.average:g} percent on average" if log.average is not None else ""
    average += f" ({word})." if average and word else "." if average else ""
    called = log.sheet.text("mission.number")
    lines = [f"{'Mission' if called == 'mission.number' else called}s that count: {log.counting}{of}.{average}"]
    if log.sides:
        others = sum(many for result, many in log.results.items() if result not in log.sides)
        score = ", ".join(f"{who} {log.results[result]}" for result, who in log.sides.items())
        lines.append(f"{score}, draws {others}.")
        ahead = log.sides[log.ahead] if log.ahead else ""
        how = "Winner of the campaign:" if log.over else "Ahead:"
        level = "The campaign is a draw." if log.over else "Neither side is ahead."
        lines.append(f"{how} {ahead}." if ahead else level)
    return lines


def bomber_line(bomber: Bomber, log: CampaignLog) -> str:
    """One bomber in a line, a cross before a lost one."""
    many = counted(bomber.missions, "mission")
    end = f"; {bomber.end}, mission {bomber.number}" if bomber.lost else ""
    word = log.rating("missions", bomber.survived)
    rated = f", {word}" if word else ""
    return f"{'x' if bomber.lost else ' '} {bomber.name or '(no name)'}: {many}, {bomber.victories} won{rated}{end}"


def campaign_sheet(title: str, pack: Pack, log: CampaignLog, *, blank: bool = False) -> str:
    """The Campaign Log Sheet as text: totals, a row a mission, the men by position."""
    missions = [["Sheet", *(label for _, label in log.columns)], *sheets.mission_rows(pack, log, blank)]
    crew = [list(CREW), *sheets.men(log, blank)]
    lines = [title, "", *([] if blank else totals(log))]
    for rows in (missions, crew):
        lines += ["", *_columns(rows)]
    return "\n".join(lines)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def crew_sheet(title: str, pack: Pack, page: Page) -> str:
    """The Crew Placement Sheet as text: every compartment with who sits there."""
    compartments, elsewhere = rooms(pack, page)
    lines = [title, ""]
    for room in [*compartments, elsewhere]:
        if room["seats"]:
            lines.append(room["label"])
            lines += [
                f"  {seat['position']:26}{seat['name'] or '-'}{' (' + seat['post'] + ')' if seat['post'] else ''}"
                for seat in room["seats"]
            ]
    return "\n".join(lines)


def damage_sheet(title: str, cities: Sequence[CityLine]) -> str:
    """The Target Damage Sheet as text: a line a city, with a cross for every box."""
    lines = [
        f"{each['city'] or '_' * 16:18}{'X' * each['crossed'] or '-':14}{each['missions']}".rstrip() for each in cities
    ]
    return "\n".join([title, "", *lines])
