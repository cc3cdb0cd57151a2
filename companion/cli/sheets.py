"""`companion sheet …`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from companion.cli.commands import group
from companion.cli.edit import line
from companion.cli.session import Session, campaign_in_use, flying
from companion.engine.sheet import Facts, Sheet, Value
from companion.packs import Pack, beginning
from companion.play.journal import settled
from companion.play.mission import Mission
from companion.problems import Problem
from companion.words import one_of

if TYPE_CHECKING:
    from companion.campaign.store import Campaign
    from companion.play.journal import Entry


def _paper(paper: str) -> str:
    from companion.printing.typeset import PAPERS

    if paper.casefold() not in PAPERS:
        raise Problem(f"{paper} is not a paper we print on; it is {one_of(PAPERS)}")
    return paper.casefold()


Out = Annotated[Path | None, Option("-o", "--out", help="A .pdf, .png, .svg or .txt file; else the terminal.")]
Number = Annotated[int | None, Option("--mission", help="Which mission; the newest unless given.")]
Blank = Annotated[bool, Option("--blank", help="An empty sheet, to fill in by hand.")]
Paper = Annotated[str, Option("--paper", callback=_paper, help="a4 or letter.")]
Game = Annotated[str | None, Option("--game", help="Whose blank sheet, without a campaign.")]


def mission(
    number: Number = None, out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None
) -> None:
    """The Mission Log Sheet: every field, landing modifiers, every roll, and a code to bring it back."""
    from companion.printing import sheets
    from companion.printing.page import Page

    pack, campaign = _whose("mission", game, blank)
    if blank:
        if _text(out):
            from companion.printing.text import mission_sheet

            _put(out, mission_sheet(_title("mission", pack, None), Page(pack.sheet, {}, blank=True, about=pack.about)))
            return
        _write(out, "mission", sheets.mission(pack, {}, paper=paper, blank=True))
        return
    with flying(record=False) as found:
        pack, flown = _flown(found, number)
        standing = flown.journal.entries[: flown.journal.stand]
        rolls = [f"{n:3d}  {line(e, pack.sheet)}" for n, e in enumerate(standing, 1)]
    if _text(out):
        from companion.printing.text import mission_sheet

        title = _title("mission", pack, campaign)
        page = Page(pack.sheet, flown.state, about=pack.about)
        _put(out, mission_sheet(title, page, landing_modifiers(pack, flown.state), rolls))
        return
    assert campaign is not None
    data = sheets.mission(
        pack,
        flown.state,
        campaign=campaign.name,
        paper=paper,
        landing=landings(pack, flown.state),
        rolls=compact(standing, pack.sheet),
    )
    from companion.campaign import snapshot

    data["codes"] = _codes(snapshot.of_mission(campaign, flown))
    _write(out, "mission", data)


def campaign(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """The Campaign Log Sheet: every mission, the men by position and their fates, the bombers."""
    from companion.campaign import snapshot
    from companion.campaign.log import CampaignLog
    from companion.cli.campaign_log import show, totals
    from companion.printing import sheets

    pack, found = _whose("campaign", game, blank)
    log = CampaignLog(pack, {}, ()) if blank or found is None else CampaignLog.of(pack, found)
    name = found.name if found and not blank else ""
    if _text(out):
        if out is None:
            show(log, _title("campaign", pack, None if blank else found))
            return
        data = sheets.campaign(pack, log, totals(log), name=name, paper="a4", blank=blank)
        _put(out, _columns(_title("campaign", pack, None if blank else found), data))
        return
    data = sheets.campaign(pack, log, totals(log), name=name, paper=paper, blank=blank)
    if found is not None and not blank:
        data["codes"] = _codes(snapshot.of_campaign(pack, found))
    _write(out, "campaign", data)


def crew(out: Out = None, number: Number = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """The Crew Placement Sheet: the compartments in outline and who is where."""
    from companion.printing import sheets

    pack, found = _whose("crew", game, blank)
    state: Mapping[str, Value] = {}
    if not blank:
        with flying(record=False) as flown:
            pack, shown = _flown(flown, number)
            state = shown.state
    data = sheets.crew(pack, state, name=found.name if found else "", paper=paper, blank=blank)
    if not _text(out):
        _write(out, "crew", data)
        return
    lines = [_title("crew", pack, None if blank else found), ""]
    for room in [*data["compartments"], {"label": "Elsewhere", "seats": data["elsewhere"]}]:
        if room["seats"]:
            lines.append(room["label"])
            lines += [
                f"  {seat['position']:26}{seat['name'] or '-'}{' (' + seat['post'] + ')' if seat['post'] else ''}"
                for seat in room["seats"]
            ]
    _put(out, "\n".join(lines))


def damage(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """The Target Damage Sheet: the boxes crossed off each city."""
    from companion.printing import sheets

    pack, found = _whose("damage", game, blank)
    flown = list(found.sheets()) if found and not blank else []
    data = sheets.damage(pack, flown, name=found.name if found else "", paper=paper, blank=blank)
    if not _text(out):
        _write(out, "damage", data)
        return
    lines = [_title("damage", pack, None if blank else found), ""]
    for each in data["cities"]:
        if each["city"] or blank:
            lines.append(f"{each['city'] or '_' * 16:18}{'X' * each['crossed'] or '-':14}{each['missions']}".rstrip())
    _put(out, "\n".join(lines))


# -- which sheet, and where it goes ----------------------------------------------------------------------------------


def _whose(kind: str, game: str | None, blank: bool) -> tuple[Pack, Campaign | None]:
    """The pack, which must have such a sheet, and the campaign in use; a blank sheet needs no campaign."""
    from companion.printing.sheets import lacking, title

    pack, found = _of(game, blank)
    if lacking(pack, kind):
        raise Problem(f"{pack.about.get('title', pack.name)} has no {title(pack, kind)}")
    return pack, found


def _of(game: str | None, blank: bool) -> tuple[Pack, Campaign | None]:
    found = campaign_in_use()
    if game is not None and not (blank or (found and found.game.casefold() == game.casefold())):
        raise Problem(f"the campaign in use is not {game}; --game goes with --blank")
    if game is not None:
        return Pack(game.casefold()), found
    if found is None:
        hint = "name a game with --game b29" if blank else f"begin with: {beginning()}"
        raise Problem(f"no campaign is in use; {hint}")
    return Pack(found.game), found


def _flown(found: Session, number: int | None) -> tuple[Pack, Mission]:
    """The mission asked for, and the pack it was flown with."""
    campaign = found.campaign
    if number is None or campaign is None:
        return found.pack, found.mission
    if number not in campaign.missions():
        raise Problem(f"there is no mission {number}; {len(campaign.missions())} have begun")
    pack = Pack(campaign.game_of(number))
    return pack, campaign.load(pack, number) or found.mission


def _title(kind: str, pack: Pack, campaign: Campaign | None) -> str:
    from companion.printing.sheets import title

    what = title(pack, kind).upper()
    return " · ".join([what, str(pack.about.get("title", pack.name)), *([campaign.name] if campaign else [])])


def _text(out: Path | None) -> bool:
    if out is None:
        return True
    from companion.printing.typeset import form_of

    return form_of(out) == "txt"


def _put(out: Path | None, text: str) -> None:
    if out is None:
        print(text)
        return
    from companion.files.disk import give

    give(out, (text + "\n").encode())
    print(f"Written: {out}")


def _write(out: Path | None, template: str, data: Mapping[str, Any]) -> None:
    from companion.printing.typeset import clear, form_of, typeset, write

    assert out is not None
    written = write(out, typeset(template, data, form_of(out)))
    for file in written:
        print(f"Written: {file}")
    for file in clear(out, written):
        print(f"Removed: {file}, a page of the longer sheet that was there")


def _codes(document: Mapping[str, Any]) -> list[str]:
    from companion.campaign.snapshot import codes
    from companion.printing.codes import pictures

    return pictures(codes(document))


def _columns(title: str, data: Mapping[str, Any]) -> str:
    """The campaign log in a text file."""
    grids: list[tuple[Sequence[str], Sequence[Sequence[str]]]] = [
        ([each["label"] for each in data["missions"]["columns"]], data["missions"]["rows"]),
        (("Position", "Name", "Missions", "Flown", "Claims", "Fate"), data["crew"]),
    ]
    lines = [title, "", *data["totals"]]
    for head, rows in grids:
        widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
        lines += [
            "",
            *(
                "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
                for row in [head, *rows]
            ),
        ]
    return "\n".join(lines)


def compact(entries: Sequence[Entry], sheet: Sheet) -> list[str]:
    """Every roll and decision in a line without what it changed, which the sheet shows; marks by hand as they are."""
    told = [(n, made) for n, made in enumerate(entries, 1) if not settled(made)]
    lines = [
        f"{n} {_asked(made, sheet) or line({**made, 'c': {}} if 'o' in made else made, sheet)}" for n, made in told
    ]
    lines = [each.replace("[fighter ", "#").replace("[gun ", "").replace("]", "") for each in lines]
    return [each.replace("; ", ";").replace(";", "; ") for each in lines]


def _asked(made: Entry, sheet: Sheet) -> str:
    """A question with its answer: `Target zone: 12`."""
    return f"{sheet.text(made['t'])}: {made['o']}" if made["v"] == "ask" and "o" in made else ""


# -- landing modifiers -----------------------------------------------------------------------------------------------


def landings(pack: Pack, state: Mapping[str, Value]) -> list[dict[str, Any]]:
    """What would count on each landing table if the bomber came down now."""
    made = []
    for name in pack.about.get("landing", ()):
        table = pack.table(name)
        applied = table.applying(Facts(pack.sheet, state))
        total = f"{sum(each.add for each in applied):+d}" if applied else "none"
        made.append(
            {
                "title": f"{table.id} {table.title}",
                "total": total,
                "modifiers": [
                    {"add": f"{each.add:+d}", "why": each.why, "cite": str(each.modifier.cite)} for each in applied
                ],
            }
        )
    return made


def landing_modifiers(pack: Pack, state: Mapping[str, Value]) -> list[str]:
    """The same as lines of text."""
    lines = []
    for each in landings(pack, state):
        lines.append(f"{each['title']}: {each['total']}")
        lines += [f"  {one['add']}  {one['why']} ({one['cite']})" for one in each["modifiers"]]
    return lines


sheet_command = group(
    "The printed sheets: mission, campaign, crew, damage.", mission=mission, campaign=campaign, crew=crew, damage=damage
)
