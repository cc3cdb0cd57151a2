"""`companion new`, `campaigns`, `use` and `mission start`."""

from __future__ import annotations

from random import Random
from typing import Annotated

from typer import Argument, Option

from companion.campaign import store
from companion.campaign.log import CampaignLog
from companion.campaign.roster import Roster, losses
from companion.cli.asking import prompt, wrapped
from companion.cli.commands import group
from companion.cli.session import asks, campaign_needed
from companion.engine.play import Play
from companion.engine.sheet import Value, line
from companion.packs import Pack, beginning, games
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import Problem
from companion.words import one_of


def new_command(
    name: Annotated[str, Argument(help="The campaign's name.")],
    game: Annotated[str | None, Option(help="Which game.")] = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Take the default names, ask nothing.")] = False,
) -> None:
    """Begin a campaign and use it."""
    if game is None:
        raise Problem(f"say which game: --game GAME, where GAME is {one_of(games())}")
    pack = Pack(game)
    name = line("the campaign's name", name)
    store.folder_name(name)
    roster = dict(pack.about.get("names", {}))
    aircraft = str(pack.about.get("aircraft", ""))
    if not yes and asks():
        if "aircraft" in pack.about:
            aircraft = _named("Aircraft", aircraft, "companion bomber NAME")
        for position, has in pack.sheet.index.get("position", {}).items():
            roster[position] = _named(
                str(has.get("label", position)), roster.get(position, ""), f"companion crew --set {position}=NAME"
            )
    campaign = store.Campaign.create(name, pack.name, {"aircraft": aircraft, "roster": roster})
    print(f"{campaign.name}: a campaign of {pack.about.get('title', pack.name)} in {campaign.folder}")
    print("Begin with: companion mission start")


def _named(label: str, usual: str, later: str) -> str:
    """Ask for a name until it is one; Enter takes the usual one. `u` or `?` is a slip: those are for companion fly."""
    while True:
        try:
            name = line(label, prompt(f"{label} [{usual}]: "))
            if len(name) == 1:
                taken = f"Enter takes {usual}" if usual else "Enter leaves it empty"
                raise Problem(f"a name has at least two letters; {taken}; to change it later: {later}")
            return name or usual
        except Problem as problem:
            wrapped(str(problem), "  ")


def campaigns_command(json: Annotated[bool, Option("--json", help="A list for programs.")] = False) -> None:
    """The campaigns on this machine; a star marks the one in use."""
    used, wrong = None, None
    try:
        used = store.in_use()
    except Problem as problem:  # the note of it is damaged; the names are what mends that
        wrong = problem
    found, damaged = store.campaigns()
    if json:
        import json as form

        told = [
            {
                "campaign": each.name,
                "game": each.game,
                "missions": len(each.missions()),
                "in_use": used == each.folder,
                "damaged": None,
            }
            for each in found
        ]
        lost = [
            {"campaign": each.name, "game": None, "missions": None, "in_use": used == each, "damaged": cause}
            for each, cause in damaged.items()
        ]
        print(form.dumps([*told, *lost], ensure_ascii=False))
    elif not found and not damaged:
        print(f"No campaigns yet; begin one with: {beginning()}")
    else:
        for each in found:
            print(f"{'*' if used == each.folder else ' '} {each.name}  {each.game}, {len(each.missions())} missions")
        for folder, cause in damaged.items():
            print(f"{'*' if used == folder else ' '} {folder.name}  {cause}")
    if wrong is not None:
        raise wrong


def use_command(name: Annotated[str, Argument(help="The campaign's name.")]) -> None:
    """Work on another campaign from now on."""
    campaign = store.find(name)
    store.use(campaign.folder.name)
    print(f"Now in use: {campaign.name} ({campaign.game})")


def start(
    yes: Annotated[bool, Option("--yes", "-y", help="Ask nothing.")] = False,
    given: Annotated[list[str] | None, Option("--with", help="FACT=VALUE on the new sheet.")] = None,
    game: Annotated[str | None, Option(help="From this mission on, a variant of the campaign's game.")] = None,
) -> None:
    """Take a new Mission Log Sheet."""
    campaign = campaign_needed()
    pack = variant(campaign.game, game)
    facts: dict[str, Value] = dict(pack.sheet.given(given or ()))
    for name in facts:
        if name not in pack.sheet.fields:
            raise Problem(f"{name} is not a field of the log sheet and cannot stand on a new one")
    if not yes:
        ready(CampaignLog.of(pack, campaign))
    if not yes and asks():
        known = known_figures(pack, campaign)
        print("What the board says already; Enter leaves the rest to the rolls of companion fly.")
        for name in pack.about.get("briefing", ()):
            if name not in facts and name not in known:
                _ask(pack, name, facts)
    with campaign.lock():
        campaign = store.Campaign(campaign.folder)
        log = CampaignLog.of(pack, campaign)
        settled(log)
        told = mend(log, campaign) if yes else ready(log)
        number = (campaign.missions() or [0])[-1] + 1
        mission = begun(log, campaign, number, facts)
        if told:
            campaign.keep(roster=log.roster, aircraft=log.aircraft)
        if pack.name != campaign.game:
            variants = campaign.about.get("variants") or {"1": campaign.game}
            campaign.keep(game=pack.name, variants={**variants, str(number): pack.name})
            told = [*told, f"From this mission on: {pack.about.get('title', pack.name)}"]
        campaign.begin(pack, mission)
    for each in told:
        print(each)
    if log.over:
        print(f"The campaign has its {log.length} missions; this one is beyond them.")
    print(f"{campaign.name}, mission {mission.state.get('mission.number', number)}: the sheet is ready.")
    for item in mission.pending:
        if "order" in item:
            print(f"! {item['order']}")
    print("Go on with: companion fly")


def ready(log: CampaignLog) -> list[str]:
    """Nothing to tell when everyone and the bomber can fly; a Problem names the lost and what mends it."""
    settled(log)
    who, how = losses(log)
    if not who:
        return []
    many = "are" if len(who) > 1 or len(log.lost_on_roster()) > 1 else "is"
    raise Problem(f"{' and '.join(who)} {many} lost; first: {', '.join(how)}; or: companion mission start --yes")


def settled(log: CampaignLog) -> None:
    """A Problem names the men of whom nobody has said yet whether they fly again, and what says it."""
    told, rolls = [], []
    for position in log.unsettled():
        man = log.man(position)
        why, table = man.unsettled or ("", "")
        told.append(f"{man.name} ({position}) came back {why}")
        rolls.append(f"companion roll {table} --with position={man.position}")  # where the sheet has him
    if told:
        raise Problem(f"{', '.join(told)}: settle it first with {', '.join(rolls)}")


def mend(log: CampaignLog, campaign: store.Campaign) -> list[str]:
    """Replace the lost in the log by names of our own, the same each time it is tried; what was done, in lines."""
    roster = Roster(log)
    roster.fill(Random(f"{campaign.folder.name} {len(log.rows)}"), lost_only=True)
    if log.bomber().lost:
        roster.next_bomber()
    log.roster, log.aircraft = roster.names, roster.aircraft
    return roster.told


def variant(game: str, wanted: str | None) -> Pack:
    """The pack of the next mission: the campaign's, or another that has the same game at its root."""
    present = Pack(game)
    if wanted is None or wanted.casefold() == game.casefold():
        return present
    other = Pack(wanted)
    if other.root != present.root:
        raise Problem(f"{other.name} is another game than {present.name}; begin a campaign of its own: companion new")
    return other


def begun(log: CampaignLog, campaign: store.Campaign, number: int, facts: dict[str, Value]) -> Mission:
    """A mission with what the log carries over and the given facts on its sheet; standing rules have acted on them."""
    pack, first = log.pack, log.carried()
    for name in pack.about.get("briefing", ()):
        default = pack.sheet.fields[name].default
        if default is not None:
            first.setdefault(name, default)
    fields = pack.sheet.fields
    called = [name for name in first if fields[name].naming]
    # names stay as the roster has them: an older companion took longer ones
    play = Play(pack, {name: fields[name].accept(name, first.pop(name), kept=True) for name in called})
    play.write({**first, **known_figures(pack, campaign), **log.damaged(facts), **facts}, "start")
    return Mission(pack, play.state, play.pending, Journal(), number)


def known_figures(pack: Pack, campaign: store.Campaign) -> dict[str, Value]:
    """The figures of the player's own book and the options of the mission before; nobody is asked twice."""
    flown = campaign.missions()
    before = campaign.load(Pack(campaign.game_of(flown[-1])), flown[-1]) if flown else None
    if before is None:
        return {}
    kept = {name for name, declared in pack.sheet.fields.items() if declared.section in ("book", "settings")}
    return {name: value for name, value in before.state.items() if name in kept}


def _ask(pack: Pack, name: str, facts: dict[str, Value]) -> None:
    declared = pack.sheet.fields[name]
    usual = f" [{declared.default}]" if declared.default not in (None, "") else ""
    while True:
        text = prompt(f"{declared.label} ({declared.span}){usual}: ")
        if not text:
            return
        try:
            facts[name] = declared.accept(declared.label, text)
            return
        except Problem as problem:
            wrapped(str(problem), "  ")


mission_command = group("Begin a mission.", start=start)
