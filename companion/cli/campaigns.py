"""`companion new`, `campaigns`, `use`, `mission` and `doctor`: campaigns and their files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar, cast

from typer import Argument, Option

from companion.cli.commands import Json, group, print_json
from companion.cli.terminal import answered, asks, confirmed, wrapped
from companion.engine.fields import Value, line
from companion.packs import Pack, games
from companion.packs import beginning as how_to_begin
from companion.play.mission import Mission
from companion.play.phrases import written as written_fields
from companion.problems import SystemFault, UserError
from companion.render import situation
from companion.store import campaigns, crew
from companion.store.doctor import Finding, examine, restore
from companion.store.files import MISSING
from companion.store.log import CampaignLog
from companion.store.session import campaign_needed, ensure_sound
from companion.words import counted, did_you_mean, nearest, one_of, plain, quoted, unhyphened

Answer = TypeVar("Answer")


def new_command(
    name: Annotated[str, Argument(help="The campaign's name.")],
    game: Annotated[str | None, Option(help="The game, e.g. b29.")] = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Use the default names and ask nothing.")] = False,
    at_mission: Annotated[
        int | None, Option("--at-mission", help="Continue a paper campaign. Give the number of its next mission.")
    ] = None,
) -> None:
    """Start a campaign, or continue one you have kept on paper."""
    if game is None:
        raise UserError(f"Name the game: companion new {quoted(name)} --game b29. The games are {one_of(games())}.")
    pack = Pack(game)
    name = line("the campaign's name", name)
    campaigns.folder_of(name)
    roster = dict(pack.about.names)
    aircraft = pack.about.aircraft
    if not yes and asks():
        if pack.about.aircraft:
            aircraft = _named("Aircraft", aircraft, "companion bomber NAME")
        for position, has in pack.sheet.index.get("position", {}).items():
            label = str(has.get("label", position))
            later = f"companion crew --set {quoted(f'{label}=NAME')}"
            roster[position] = _named(label, roster.get(position, ""), later)
    flown: list[Mission] = []
    if at_mission is not None:
        paper = crew.Paper(pack, at_mission)
        if not yes and asks():
            _ask_paper(paper, roster, aircraft)
        flown = paper.sheets(roster, aircraft)
    campaign = campaigns.Campaign.create(name, {"game": pack.name, "aircraft": aircraft, "roster": roster}, flown)
    wrapped(f"{campaign.name}: a campaign of {pack.title} in {campaign.folder}")
    if flown:
        wrapped(f"Flown on paper: {counted(len(flown), 'mission')}; see: companion campaign")
    wrapped("Start with: companion mission start")


def _named(label: str, usual: str, later: str) -> str:
    """Ask for a name; Enter takes the default. `u` or `?` is a mistake: those are for companion fly."""

    def name(text: str) -> str:
        given = line(label, text)
        if len(given) == 1:
            taken = f"Enter keeps {usual}" if usual else "Enter leaves it empty"
            raise UserError(f"A name needs at least two letters. {taken}. To change it later: {later}")
        return given or usual

    return answered(name, f"{label} [{usual}]: ")


def campaigns_command(json: Json = False) -> None:
    """List your campaigns. A star marks the one in use."""
    used, wrong = None, None
    try:
        used = campaigns.in_use()
    except UserError as problem:  # the settings are damaged; the list of names helps to fix that
        wrong = problem
    sound, damaged = campaigns.campaigns()
    rows: list[dict[str, object]] = [
        {"campaign": each.name, "game": each.game, "missions": len(each.missions()), "in_use": used == each.folder,
         "damaged": None}
        for each in sound
    ]  # fmt: skip
    rows += [
        {"campaign": folder.name, "game": None, "missions": None, "in_use": used == folder, "damaged": cause}
        for folder, cause in damaged.items()
    ]
    if json:
        print_json(rows)
    elif not rows:
        wrapped(f"No campaigns yet. Start one with: {how_to_begin()}")
    for row in rows if not json else ():
        flown = f"{row['game']}, {counted(cast(int, row['missions']), 'mission')}" if row["game"] else ""
        wrapped(f"{'*' if row['in_use'] else ' '} {row['campaign']}  {flown or plain(str(row['damaged']))}")
    if wrong is not None:
        raise wrong


def use_command(name: Annotated[str, Argument(help="The campaign's name.")]) -> None:
    """Switch to another campaign."""
    campaign = campaigns.find(name)
    campaigns.use(campaign)
    wrapped(f"Now in use: {campaign.name} ({campaign.game})")


def start(
    yes: Annotated[bool, Option("--yes", "-y", help="Don't ask anything.")] = False,
    facts: Annotated[
        list[str] | None, Option("--with", help="FIELD=VALUE on the new sheet. Use == to force a name.")
    ] = None,
    game: Annotated[str | None, Option(help="Switch to a variant of the campaign's game from this mission on.")] = None,
) -> None:
    """Start a mission with a fresh log sheet."""
    campaign = campaign_needed()
    seen = campaign.missions()
    pack = crew.variant(campaign.game, game)
    ensure_sound(pack.name)
    on_sheet: dict[str, Value] = written_fields(pack, facts or ())
    for name in on_sheet:
        if name not in pack.sheet.fields:
            raise UserError(f"'{name}' isn't a field of the log sheet. List the fields with: companion status --all")
    before = CampaignLog.of(pack, campaign)
    unfinished = situation.unfinished(campaign)
    if unfinished and not yes and asks():
        if not confirmed(f"{unfinished}. Start the next one anyway?"):
            wrapped("Nothing was started. Continue with: companion fly")
            return
        unfinished = ""
    try:
        crew.check_ready(before, mend=yes)
    except UserError as problem:
        if not unfinished:
            raise
        raise UserError(f"{unfinished}. Continue it with: companion fly. To abandon it anyway: {problem}") from None
    if not yes and asks():
        on_sheet.update(_briefing(pack, crew.to_ask(pack, campaign, on_sheet)))
    mission, log, changes = crew.begin(campaign, pack, on_sheet, mend=yes, seen=seen)
    unit = mission.game.sheet.text("mission.number").casefold()
    if unfinished:
        wrapped(f"{unfinished}. It is kept as it is.")
    if mission.number in seen:
        wrapped(f"Nothing was recorded in this {unit}, so it starts again.")
    for change in changes:
        wrapped(change)
    if log.over:
        wrapped(f"The campaign has its {log.length} missions; this one is extra.")
    wrapped(f"{campaign.name}, {unit} {mission.state.get('mission.number', mission.number)}: the sheet is ready.")
    values = [(pack.sheet.fields[name], str(mission.state.get(name, "no"))) for name in pack.about.briefing]
    agreed = [each.label if value == "yes" else f"{each.label}: {value}" for each, value in values if value != "no"]
    if agreed:
        wrapped(f"Options: {'; '.join(agreed)}")
    for item in mission.pending:
        if not item.waits:
            wrapped(f"! {item.name}")
    if not yes and asks() and pack.uses_dice:
        wrapped("Rolled something already? Enter it first: companion set target zone 5")
    wrapped("Continue with: companion fly")


def _briefing(pack: Pack, names: Sequence[str]) -> Mapping[str, Value]:
    """Ask for everything that the players agree on, on one line."""
    fields = pack.sheet.fields
    for name in names:
        section = f" ({fields[name].cite})" if fields[name].section == "options" else ""
        wrapped(f"{fields[name].label}{section}: {fields[name].blank} ({fields[name].span})", "  ")

    short = {name: unhyphened(name.rpartition(".")[2]) for name in names if fields[name].values}

    def read(text: str) -> Mapping[str, Value]:
        alone = [name for name in names if fields[name].reaches(text)]
        if text and len(alone) == 1:
            return written_fields(pack, [f"{alone[0]}={text}"])
        return {name: value for part in re.split("[,;]", text) for name, value in agreed_to(part.strip()).items()}

    def agreed_to(part: str) -> Mapping[str, Value]:
        """Return the changes of a part; rules that are only named (`slow`, or `all`) have their first other value."""
        word = unhyphened(part.casefold())
        exact = [name for name in short if word in ("all", name, short[name])]
        begun = [name for name in short if len(word) > 2 and f" {word}" in f" {fields[name].label}".casefold()]
        meant = exact or (begun if len(begun) == 1 else [])
        if not meant and (word == "?" or word.isalpha()):
            how = f"Type what you agree on, e.g. {', '.join([*short.values()][:2])}, or all."
            near = did_you_mean(nearest(word, short.values()), how)
            raise UserError(near if word == "?" else f"I don't know '{part}'. {near}")
        other = {name: [each for each in fields[name].values if each != fields[name].blank][0] for name in meant}
        return written_fields(pack, [f"{name}={value}" for name, value in other.items()] or [part]) if part else {}

    line = "Enter accepts these. Or type changes, separated by commas: "
    return answered(read, line) if names else {}


mission_command = group("Start a mission.", start=start)


def _ask_paper(paper: crew.Paper, roster: Mapping[str, str], aircraft: str) -> None:
    """Ask for the contents of the paper log; Enter assumes that everyone flew all missions, and skips the rest."""
    pack, count = paper.pack, paper.missions
    flown = counted(count, "mission")
    wrapped(f"Flown: {flown}. For each man type missions, kills and wound: 9 2 light. Enter for {count} 0 ok.")
    if aircraft:
        paper.bomber = answered(lambda text: paper.record(text).missions, f"{aircraft}, missions [{count}]: ")
    for position, name in roster.items():
        label = str(pack.sheet.index["position"][position].get("label", position))
        paper.men[position] = answered(paper.record, f"{label}, {name} [{count} 0 ok]: ")
    ours, theirs = pack.about.log.sides.values()
    won = f"Missions won by the {ours} and by the {theirs}, e.g. 7 2 (Enter: unknown): "
    paper.results = answered(paper.score, won)
    if pack.about.log.average:
        paper.percent = answered(paper.average, "Average bombing result in percent (Enter: unknown): ")
    if pack.about.damage:
        wrapped("Cities with boxes crossed off, e.g. Tokyo 3 of 5. Press Enter when done.")
        while hit := answered(lambda text: paper.city(text) if text else None, "City: "):
            paper.cities[hit[0]] = hit[1:]


def doctor_command(
    repair: Annotated[bool, Option("--repair", help="Replace damaged files with their backup.")] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Repair without asking.")] = False,
    json: Json = False,
) -> None:
    """Check every saved file. A damaged one can be replaced with its backup."""
    mended: dict[Path, Path | None] = {}  # where the damaged ones are kept
    for each in [each for each in examine() if repair and each.mendable]:
        if not yes and not asks(json):
            raise UserError("doctor --repair asks before it replaces a file. Without a terminal, add --yes")
        if not yes:
            wrapped(plain(f"{each.path}: {each.cause}"))
        if yes or confirmed("Replace it with its backup?"):
            mended[each.path] = restore(each)
    findings = list(examine())
    if json:
        print_json([_object(each, mended) for each in findings])
    else:
        for each in findings:
            wrapped(_line(each, mended))
        if all(each.kind == "pack" for each in findings):
            print("There are no campaigns yet.")
    if bad := [each for each in findings if each.cause]:
        how = ". Repair them with: companion doctor --repair" if any(each.mendable for each in bad) else ""
        if not how and all(each.kind == "pack" for each in bad):
            how = ". Go back to the built-in table with: companion tables reset TABLE --game GAME"
        raise SystemFault(f"{len(bad)} of {len(findings)} files can't be used{how}")


def _line(each: Finding, mended: dict[Path, Path | None]) -> str:
    if each.path in mended:
        kept = mended[each.path]
        return f"repaired {each.path}{f'. The damaged one is kept as {kept}' if kept else ''}"
    state, hint = "missing" if each.cause == MISSING else each.state, ""
    if each.mendable:
        hint = f". Its backup is intact: {each.backup}"
    elif each.state == "damaged" and each.kind == "settings":
        hint = ". Choose a campaign with: companion use NAME"
    elif each.state == "damaged":
        hint = f". {each.backup} is damaged too: {each.backup_cause}" if each.backup else ". It has no backup"
    return f"{state:8} {plain(f'{each.path}: {each.cause or each.contents}{hint}')}"


def _object(each: Finding, mended: dict[Path, Path | None]) -> dict[str, object]:
    kept = mended.get(each.path)
    return {
        "file": str(each.path),
        "kind": each.kind,
        "state": "mended" if each.path in mended else each.state,
        "sound": not each.cause,
        "cause": each.cause,
        "tells": each.contents,
        "backup": str(each.backup) if each.backup else None,
        "backup_sound": bool(each.backup) and not each.backup_cause,
        "repaired": each.path in mended,
        "damaged_kept": str(kept) if kept else None,
    }
