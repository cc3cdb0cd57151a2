"""The printed sheets and the card of a mission as data for their templates, typeset by typst; files, and QR codes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from companion.engine.fields import Value
from companion.engine.sheet import of_member
from companion.packs import Pack
from companion.play.mission import Mission, rewound
from companion.problems import UserError
from companion.render.bomber_svg import for_card, for_paper, side_view
from companion.render.history import ZoneEntries, by_zone
from companion.render.sheet_model import Bomber, Heading, Landing, Section, SheetModel, landings
from companion.render.situation import sight
from companion.store.files import give
from companion.store.log import BLANK, CampaignLog, Man, Row
from companion.words import one_of, unhyphened

if TYPE_CHECKING:
    from qrcode.main import QRCode  # type: ignore[import-untyped,unused-ignore]

    from companion.store.campaigns import Campaign

Data = dict[str, object]  # the data of a template


class CityLine(TypedDict):
    """A line of the Target Damage Sheet: boxes in total and crossed off, missions, best percentage."""

    city: str
    boxes: int
    crossed: int
    missions: str
    best: str


EMPTY: CityLine = {"city": "", "boxes": 10, "crossed": 0, "missions": "", "best": ""}
WIDTHS = {"box": 7, "num": 10, "fit": 10, "text": 22, "name": 24, "long": 80}  # column widths in millimeters
UNCOUNTED = 30  # the lines for a campaign without a fixed length
LINES = {"a4": 44, "letter": 41}  # cities per page
TEMPLATES = Path(__file__).parent / "templates"
FORMS = ("pdf", "png", "svg", "txt")
CARD_FORMS = ("png", "svg")
PAPERS = ("a4", "letter")
DOTS = 200  # dots per inch in a PNG


def title(pack: Pack, kind: str) -> str:
    """Return the game's name for a sheet."""
    return str(getattr(pack.about.print, kind, "Campaign Poster"))


def head(kind: str, pack: Pack, campaign: str = "", paper: str = "a4") -> Data:
    """Return the head and foot of every sheet; one without a campaign is blank."""
    return {"game": pack.title, "title": title(pack, kind), "campaign": campaign, "blank": not campaign, "paper": paper}


def lacking(pack: Pack, kind: str) -> bool:
    """Return whether the game has no such sheet."""
    return (kind == "damage" and not pack.about.damage) or (kind == "crew" and not pack.about.status.people)


def mission(model: SheetModel, landing: Sequence[Landing] = (), rolls: Sequence[ZoneEntries] = ()) -> Data:
    """Return the Mission Log Sheet: a page of the mission (zones, men, hits), and a page of the bomber."""
    pack = model.pack
    beside = pack.about.print.bomber
    sections = model.sections(pack.about.print.told)
    notes = [each for each in sections if not each["tables"] and all(one["k"] == "list" for one in each["fields"])]
    top, *rest = [each for each in sections if each not in notes]
    page = [each for each in rest if each["id"] not in beside]
    bomber = model.bomber()
    return {
        "top": top,
        "zones": model.zones(),
        "wide": [each for each in page if _wide(each)],
        "narrow": [each for each in page if not _wide(each)],
        "whose": model.named(),
        "bomber": _drawn(bomber),
        "systems": [each for each in rest if each["id"] in beside],
        "hits": model.hits(),
        "notes": notes,
        "landing": list(landing),
        "rolls": list(rolls),
    }


def _drawn(bomber: Bomber | None) -> Data | None:
    """Return the bomber with its drawing, for a template."""
    return bomber and {**bomber, "outline": {"size": bomber["outline"].size}, "svg": for_paper(bomber)}


def _wide(section: Section) -> bool:
    """Return whether a section needs the full page width, for its columns or a long row of boxes."""
    if not section["tables"]:
        return False

    def across(head: Heading) -> int:
        return sum(max(WIDTHS["box"], len(one)) for one in head["options"]) or WIDTHS[head["w"]]

    widest = max(26 + sum(map(across, table["head"])) for table in section["tables"])
    cells = [cell for table in section["tables"] for row in table["rows"] for cell in row["cells"]]
    return (
        widest > 80
        or any(each["k"] == "list" or each.get("limit", 0) > 20 for each in section["fields"])
        or any(each.get("limit", 0) > 12 for each in cells)
    )


def campaign(log: CampaignLog, *, blank: bool) -> Data:
    """Return the Campaign Log Sheet: missions, crew and service; then the men and bombers of earlier missions."""
    columns = [("Sheet", "number"), *((label, _kind(log, fact)) for fact, label in log.columns)]
    bombers = [
        [each.name, str(each.missions), str(each.flown), unhyphened(_entry(each.end))] for each in log.bombers.values()
    ]
    past = len(log.bombers) > 1 or any(man.lost for man in log.men.values())
    return {
        "totals": [] if blank else totals(log),
        "columns": [{"label": label, "kind": kind} for label, kind in columns],
        "rows": mission_rows(log, blank),
        "length": log.length or 0,
        "score": [] if blank else [{"label": who, "many": log.results[side]} for side, who in log.sides.items()],
        "crew": [
            {"position": log.label(man.position), "name": man.name, "missions": man.missions, "kills": man.kills}
            | {"standing": "" if blank else _fate(log, man)}
            for position in log.positions
            for man in [Man("", position=position) if blank else log.man(position)]
        ],
        "men": men(log, blank) if past or blank and log.positions else [],
        "bombers": [[""] * 4] * 4 if blank and log.positions else bombers if past else [],
    }


def _kind(log: CampaignLog, fact: str) -> str:
    """Return how a column is drawn: percent (a bar), marks (for a derived number), number, word (of a few) or text."""
    if fact == log.spec.average:
        return "percent"
    declared = log.sheet.declared(fact)
    if not declared.numeric:
        return "word" if declared.values else "text"
    return "marks" if fact in log.sheet.derived and log.positions else "number"


def _fate(log: CampaignLog, man: Man) -> str:
    return f"{log.fate(man)}, mission {man.number}" if man.lost else ", ".join(log.standing(man))


def mission_rows(log: CampaignLog, blank: bool) -> list[list[str]]:
    """Return a row per mission, and empty ones to the end of the campaign: its number and the pack's columns."""
    model = SheetModel(log.pack, {})

    def told(row: Row, fact: str) -> str:
        value = row.facts[fact]
        return "" if fact in row.unsaid and value == 0 else model.word(fact, _entry(value))  # never written

    rows = [[str(row.mission), *(told(row, fact) for fact, _ in log.columns)] for row in ([] if blank else log.rows)]
    empty = [""] * len(log.columns)
    return rows + [[str(at), *empty] for at in range(len(rows) + 1, (log.length or UNCOUNTED) + 1)]


def men(log: CampaignLog, blank: bool) -> list[list[str]]:
    """Return everyone who has held each position, the current man last; on a blank sheet four empty lines each."""
    rows: list[list[str]] = []
    for position in log.positions:
        label = log.label(position)
        if blank:
            rows += [[label if at == 0 else "", "", "", "", "", ""] for at in range(4)]
            continue
        holders = [man for man in log.men.values() if man.position == position]
        if log.roster[position] and log.roster[position] not in log.men:
            holders.append(Man(log.roster[position], position=position))
        for at, man in enumerate(sorted(holders, key=lambda each: (not each.lost, each.mission))):
            figures = [str(man.missions), str(man.flown), _entry(man.kills or "")]
            rows.append([label if at == 0 else "", man.name, *figures, _fate(log, man)])
    return rows


def crew(model: SheetModel) -> Data:
    """Return the Crew Placement Sheet: the bomber in outline, its seats and its hits."""
    bomber = model.bomber()
    return {
        "whose": model.named(),
        "seats": [] if bomber else list(model.seats().values()),
        "bomber": _drawn(bomber),
        "systems": [each for each in model.sections() if each["id"] in model.pack.about.print.bomber],
    }


def damage(log: CampaignLog, paper: str, *, blank: bool) -> Data:
    """Return the Target Damage Sheet: the boxes crossed off each city, and empty lines to the end of the page."""
    rows = [] if blank else cities(log)
    used = sum(max(-(-each["boxes"] // 10), -(-len(each["missions"]) // 58)) for each in rows)  # lines per row
    rows += [EMPTY] * (LINES[paper] - used)
    return {"cities": rows, "note": log.pack.about.damage.note}


def poster(log: CampaignLog) -> Data:
    """Return the campaign on one page: missions as bombs, claims as flags, each man's time as a bar."""
    outline, model = log.pack.about.print.outline, SheetModel(log.pack, {})
    lost_on = {each.mission for each in log.bombers.values() if each.lost}
    sides, percent = list(log.sides), log.spec.average
    places = {row.mission: at for at, row in enumerate(log.rows)}
    return {
        "totals": totals(log),
        "length": max(log.length or 0, len(log.rows)),
        "flown": len(log.rows),
        "svg": side_view(outline) if outline.profile else "",
        "flag": log.pack.about.print.flag,
        "bombs": [
            {
                "number": str(row.number if row.counts else "–"),
                "city": model.word(log.pack.about.damage.city or "target.city", str(row.facts.get("target.city", ""))),
                "percent": "" if percent in row.unsaid else str(row.facts.get(percent, "")),
                "side": sides.index(row.result) if row.result in sides else 3 if row.result in BLANK else 2,
                "down": row.mission in lost_on,
            }
            for row in log.rows
        ],
        "claims": sorted(((man.name, man.kills) for man in log.men.values() if man.kills), key=lambda each: -each[1]),
        "crew": [
            (
                log.label(position),
                [
                    {"name": man.name, "from": places[man.first], "to": places[man.mission] + 1, "lost": man.lost}
                    for man in sorted(log.men.values(), key=lambda each: each.first)
                    if man.position == position
                ],
            )
            for position in log.positions
        ],
        "lost": [
            (man.name, lowered(log.label(man.position)), log.fate(man), str(man.number)) for man in log.lost_men()
        ],
    }


def totals(log: CampaignLog) -> list[str]:
    """Return the number of counted missions, the average, the score, the leading side, and the house rules."""
    of = f" of {log.length}" if log.length is not None else ""
    word = log.rating("percent", log.average)
    average = f" Bombs on target: {log.average:g} percent on average" if log.average is not None else ""
    average += f" ({word})." if average and word else "." if average else ""
    called = log.sheet.text("mission.number")
    lines = [f"{'Mission' if called == 'mission.number' else called}s counted: {log.counting}{of}.{average}"]
    if log.sides:
        others = sum(many for result, many in log.results.items() if result not in log.sides)
        score = ", ".join(f"{who} {log.results[result]}" for result, who in log.sides.items())
        lines.append(f"{score}, draws {others}.")
        ahead = log.sides[log.ahead] if log.ahead else ""
        how = "Winner of the campaign:" if log.over else "Leading:"
        level = "The campaign is a draw." if log.over else "Neither side is ahead."
        lines.append(f"{how} {ahead}." if ahead else level)
    if rules := list(map(str, log.pack.house_rules())):
        lines.append(f"House rules: {'; '.join(rules)}.")
    return lines


def lowered(label: str) -> str:
    """Return a label for the middle of a sentence."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def cities(log: CampaignLog) -> list[CityLine]:
    """Return the damage of each city, by name."""
    lines: list[CityLine] = []
    for _, each in sorted(log.cities.items()):
        missions = ", ".join(f"{number} ({percent})" if percent else str(number) for number, percent in each.bombed)
        best, boxes = _entry(max(percent for _, percent in each.bombed) or ""), max(10, each.crossed + 2)
        city = unhyphened(each.name).title()
        lines.append({"city": city, "boxes": boxes, "crossed": each.crossed, "missions": missions, "best": best})
    return lines


def _entry(value: Value) -> str:
    """Return a value as text, empty if there is none."""
    return "" if value in BLANK else str(value)


def card_picture(mission: Mission, form: str = "png", campaign: str = "") -> bytes:
    """Return the card of a mission, 1200 by 630 pixels, as a PNG or an SVG."""
    picture = typeset("card", card(mission, campaign), form, dots=72)[0]
    return picture.replace(b'width="1200pt" height="630pt"', b'width="1200" height="630"')


def card(mission: Mission, campaign: str = "") -> Data:
    """Return the card of a mission as data for its template."""
    from companion.render.story import Story  # a sheet has none

    pack = mission.game
    model = SheetModel(pack, mission.state, mission)
    log = CampaignLog(pack, {}, [(0, mission.state)])
    row, bomber, story = log.rows[0], model.bomber(), Story(mission)
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


# -- files -------------------------------------------------------------------------------------------------------------


def form_of(path: Path, forms: Sequence[str] = FORMS) -> str:
    """Return the file format for a name; raise UserError with the supported formats."""
    form = path.suffix.lower().removeprefix(".")
    if form not in forms:
        raise UserError(f"{path.name} should end in {one_of([f'.{each}' for each in forms])}")
    return form


def typeset(template: str, data: Mapping[str, object], form: str, dots: float = DOTS) -> list[bytes]:
    """Return the pages of a sheet; a PDF is always one file, a PNG has that many dots per inch."""
    import typst

    pages = typst.compile(
        str(TEMPLATES / f"{template}.typ"),
        root=str(TEMPLATES),
        ignore_system_fonts=True,
        format=cast(Literal["pdf", "png", "svg"], form),
        ppi=float(dots),
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )
    return list(pages) if isinstance(pages, list) else [pages or b""]


def printed(
    kind: str, pack: Pack, used: Campaign | None, form: str, flown: Mission | None = None, *,
    paper: str = "a4", rolls: bool = False,
) -> list[bytes]:  # fmt: skip
    """Return the pages of a sheet of a campaign and its mission, with the codes that restore them; else a blank one."""
    from companion.store.snapshot import codes, of_campaign, of_mission

    blank, kept = used is None, None
    if kind in ("mission", "crew"):
        seen = sight(flown, "") if flown and kind == "mission" else None
        model = SheetModel(pack, flown.state, flown, seen=seen) if flown else SheetModel(pack, {}, blank=True)
        told = by_zone(flown, model.history) if flown and rolls else ()
        data = crew(model) if kind == "crew" else mission(model, landings(flown) if flown else (), told)
        kept = of_mission(used, flown) if used and flown and kind == "mission" else None
    else:
        log = CampaignLog.of(pack, used) if used else CampaignLog(pack, {}, ())
        if kind == "campaign":
            data, kept = campaign(log, blank=blank), of_campaign(pack, used) if used else None
        else:
            data = poster(log) if kind == "poster" else damage(log, paper, blank=blank)
    data["codes"] = pictures(codes(kept)) if kept else []
    return typeset(kind, {**head(kind, pack, used.name if used else "", paper), **data}, form)


def write(path: Path, pages: list[bytes]) -> list[Path]:
    """Write one file, or NAME-1, NAME-2… for pictures of several pages; return the paths.

    Raise SystemFault if a file cannot be written.
    """
    numbered = [path.with_stem(f"{path.stem}-{at}") for at in range(1, len(pages) + 1)]
    files = numbered if len(pages) > 1 else [path]
    for file, page in zip(files, pages, strict=True):
        give(file, page)
    return files


# -- codes -------------------------------------------------------------------------------------------------------------


def code(text: str) -> QRCode:  # type: ignore[type-arg,unused-ignore]
    """Return a QR code of level M, so that it survives a crease."""
    from qrcode.constants import ERROR_CORRECT_M  # type: ignore[import-untyped,unused-ignore]
    from qrcode.main import QRCode

    symbol = QRCode(error_correction=ERROR_CORRECT_M, border=4)  # type: ignore[var-annotated,unused-ignore]
    symbol.add_data(text)
    symbol.make(fit=True)
    return symbol


def pictures(texts: list[str]) -> list[str]:
    """Return a QR code for each text, as an SVG of one path."""
    from qrcode.image.svg import SvgPathImage  # type: ignore[import-untyped,unused-ignore]

    return [code(each).make_image(image_factory=SvgPathImage).to_string(encoding="unicode") for each in texts]


def blocks(text: str) -> str:
    """Return a code for the terminal, two rows per line, light on dark."""
    out = StringIO()
    code(text).print_ascii(out, invert=True)
    return out.getvalue().replace("\xa0", " ").rstrip("\n")
