"""`companion odds TABLE`, and `companion luck`: the dice so far."""

from __future__ import annotations

import sys
from textwrap import wrap
from typing import Annotated

from typer import Argument, Option

from companion.cli.commands import Game, Given, Json, print_json
from companion.cli.terminal import say, show
from companion.engine.odds import Odds, odds
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.conversation import with_implied
from companion.play.dice_stats import DOUBT, FEW, Account, DiceCounts, Luck, LuckRoll, accounts_of, luck_of
from companion.play.phrases import given as given_facts
from companion.play.phrases import table_named
from companion.problems import OwnerTable, UserError
from companion.render.describe import describe_entry
from companion.render.situation import Line
from companion.store.session import campaign_needed, mission_numbers, open_session
from companion.words import counted, fitted

WIDE = 30  # of the longest bar
WIDEST = 36  # the most characters of an outcome on one line


def odds_command(
    table: Annotated[list[str], Argument(help="Table number or words from its title.")],
    game: Game = None,
    given: Given = None,
    compare: Annotated[list[str] | None, Option("--compare", help="FIELD=VALUE for a second case to compare.")] = None,
    json: Json = False,
) -> None:
    """Show the exact odds of every result, right now."""
    with open_session(game, record=False) as session:
        pack, state = session.pack, session.mission.state
        typed, other = (given_facts(pack, each or (), state) for each in (given, compare))
        facts = with_implied(session.mission, typed)
        others = with_implied(session.mission, {**typed, **other})
        shown = table_named(pack, " ".join(table))
        asked = session.mission.asked(shown.id)
    item = asked or Pending("roll", shown.id)
    cases = [facts, others] if compare else [facts]
    try:
        results = [odds(pack, state, each, item) for each in cases]
    except OwnerTable as owner:  # without a roll there is nobody to ask
        if shown.question:  # the player's cards: there is no table to copy
            raise UserError(f"{shown.called} depends on your cards or rulebook, so its odds are unknown") from None
        raise UserError(f"{owner}. Copy its rows with: companion tables change {item.name}") from None
    if json:
        cases_shown = [_object(each) for each in results]
        more = {"compared": {"with": other, **cases_shown[1]}} if compare else {}
        print_json({"game": pack.name, **cases_shown[0], **more})
        return
    known = [(each.ways, each.of, [(one.add, one.why) for one in each.applied]) for each in results]
    same = len(known) > 1 and known[0] == known[1]
    _bars(results[:1] if same else results, compare or [], pack)
    if same:
        say(f"  {', '.join(compare or ())} makes no difference to this table right now.")


def _object(odds: Odds) -> dict[str, object]:
    return {
        "table": odds.table,
        "outcomes": {
            slug: {"ways": ways, "of": odds.of, "p": round(ways / odds.of, 4)} for slug, ways in odds.ways.items()
        },
        "modifiers": [{"add": each.add, "why": each.why, "cite": each.modifier.cite} for each in odds.applied],
        "assumed": odds.assumed,
    }


def _bars(results: list[Odds], compare: list[str], pack: Pack) -> None:
    """Print every outcome with its chance, a second case below the first."""
    first = results[0]
    show([Line("", [(pack.table(first.table).called, "strong"), (f", {first.dice}", "")])])
    for number, each in enumerate(results):
        if len(results) > 1:
            total = sum(applied.add for applied in each.applied)
            say(f"  {'ab'[number]}  {', '.join(compare) if number else 'right now'}  ({total:+d})")
        for applied in each.applied:
            show([Line("  ", [(f"{applied.add:+4d}  {applied.why}", ""), (f"  {applied.modifier.cite}", "dim")])])
    slugs = list(dict.fromkeys(slug for each in results for slug in each.ways))
    names = {slug: pack.sheet.read_out(slug) for slug in slugs}
    wide = min(WIDEST, max(map(len, names.values())))
    for slug in slugs:
        lines = wrap(names[slug], wide) or [""]
        for number, each in enumerate(results):
            ways = each.ways.get(slug, 0)
            name = lines[0] if not number else ""
            case = f"{'ab'[number]} " if len(results) > 1 else ""
            share = ways / each.of
            bar = "█" * round(share * min(WIDE, 54 - wide)) or "▏" * bool(share)
            told = [(f"{name:{wide}} {case}{share:7.2%} ", ""), (f"{f'{ways}/{each.of}':>12}  ", "dim"), (bar, "step")]
            show([Line("  ", told)])
        show(Line("  ", [(line, "")]) for line in lines[1:])
    if first.assumed:
        facts = ", ".join(f"{pack.sheet.text(name)} {pack.sheet.say(name, v)}" for name, v in first.assumed.items())
        say(f"  assumed: {facts}", "dim")


LISTED = 5  # the number of lucky rolls, and of unlucky ones
BAR = 40


def luck_command(
    number: Annotated[int | None, Option("--mission", help="Mission number. Default: the whole campaign.")] = None,
    json: Json = False,
) -> None:
    """Show how your dice have rolled, and whether they look fair."""
    used = campaign_needed()
    pack = Pack(used.game)
    missions = [used.flown(each) for each in mission_numbers(used, number)]
    luck = luck_of(missions)
    if not luck.faces.count:
        raise UserError("No dice have been rolled yet." if pack.uses_dice else f"{pack.title} has no dice.")
    if json:
        print_json(luck_object(luck, pack))
    else:
        _show_luck(luck, f"{used.name}, mission {number}" if number is not None else used.name, pack)


# -- in words ----------------------------------------------------------------------------------------------------------


def verdict(faces: DiceCounts) -> str:
    """Return the verdict on the dice in a sentence."""
    fairness = faces.fairness()
    if faces.count < FEW or fairness is None:
        return f"{faces.count} dice are too few to tell whether they are fair; it takes {FEW}."
    if fairness >= DOUBT:
        many = _of_100(fairness)
        return f"Your dice look fair: about {many} of 100 fair sets would be at least this uneven."
    least, *_, most = sorted(faces.ways, key=lambda face: faces.counts[face] - faces.expected(face))
    rare = "fewer than one" if fairness < 0.01 else f"about {_of_100(fairness)}"
    runs = f"You roll too many {most}s and too few {least}s."
    return f"Fair dice rarely do this: {rare} of 100 fair sets would be this uneven. {runs}"


def _of_100(fairness: float) -> int:
    return max(1, round(fairness * 100))


def comparison(account: Account) -> str:
    """Return one account in a line: `Our guns: 7 of 41 rolls, 9.2 expected (bad luck)`."""
    ours = account.strays if account.good else -account.strays
    much = "very " if abs(ours) >= 2 else ""
    word = "about average" if abs(ours) < 1 else f"{much}{'good' if ours > 0 else 'bad'} luck"
    due = f"{account.expected:.1f} expected"
    return f"{account.title}: {account.came} of {counted(account.rolls, 'roll')}, {due} ({word})"


def described(roll: LuckRoll, pack: Pack) -> str:
    """Return a roll in a line: `M-1 Defensive fire, Tail guns: 6, hit (1 in 6; mission 2, entry 71)`."""
    told, odds = describe_entry(roll.entry, pack), f"{roll.odds.numerator} in {roll.odds.denominator}"
    about, dice = (
        ", ".join(filter(None, (f"{roll.table.id} {roll.table.title}", told.whom))),
        " ".join(map(str, told.dice)),
    )
    return f"{about}: {dice}, {told.row} ({odds}; mission {roll.mission}, entry {roll.number})"


def _show_luck(luck: Luck, of: str, pack: Pack) -> None:
    def say(text: str, margin: str = "") -> None:
        print(fitted(text, sys.stdout, margin, margin * 2))

    print(f"{of}: {luck.faces.count} dice in {counted(luck.missions, 'mission')}")
    if luck.by_companion:
        more = f"{luck.by_companion} more were rolled by the companion and are left out."
        say("The companion rolled all of them." if luck.only else more)
    print()
    _face_bars("Each face", luck.faces)
    say(verdict(luck.faces))
    if luck.two.count:
        print()
        _face_bars("Two dice together", luck.two)
        if (fairness := luck.two.fairness()) is not None:
            say(f"About {_of_100(fairness)} of 100 fair sets of pairs would be at least this uneven.")
    if accounts := accounts_of(luck.rolls):
        print("\nCompared with the odds")
        for account in accounts:
            say(comparison(account), "  ")
    for title, best in (("Luckiest", luck.best(LISTED)), ("Unluckiest", luck.best(LISTED, lucky=False))):
        if best:
            print(f"\n{title} rolls")
            for roll in best:
                say(described(roll, pack), "  ")


def _face_bars(title: str, fall: DiceCounts) -> None:
    """Print a bar for each total, with a `|` at the count expected of fair dice."""
    print(f"{title} ({counted(fall.count, 'roll')}; fair dice in brackets)")
    most = max(max(fall.counts[each], fall.expected(each)) for each in fall.ways)
    for reading in fall.ways:
        count, due = fall.counts[reading], fall.expected(reading)
        bar, mark = "█" * round(count / most * BAR), round(due / most * BAR)
        line = f"{bar[:mark]:{mark}}|{bar[mark + 1 :]}"
        print(f"  {reading:2} {line:{BAR + 1}} {count} ({due:.1f})")


# -- JSON --------------------------------------------------------------------------------------------------------------


def luck_object(luck: Luck, pack: Pack) -> dict[str, object]:
    """Return the statistics as JSON; `fair` is the share of fair dice that differ as much, None for too few rolls."""

    def fall(each: DiceCounts) -> dict[str, object]:
        return {
            "thrown": each.count,
            "counts": {str(reading): each.counts[reading] for reading in each.ways},
            "expected": {str(reading): round(each.expected(reading), 4) for reading in each.ways},
            "fair": each.fairness(),
        }

    def rolls(lucky: bool) -> list[dict[str, object]]:
        return [
            {
                "mission": roll.mission,
                "entry": roll.number,
                "table": roll.table.id,
                "dice": roll.entry["d"],
                "outcome": str(roll.entry["o"]),
                "chance": round(float(roll.odds), 6),
                "text": described(roll, pack),
            }
            for roll in luck.best(LISTED, lucky=lucky)
        ]

    against = [
        {"title": each.title, "good": each.good, "rolls": each.rolls, "came": each.came}
        | {"expected": round(each.expected, 4)}
        for each in accounts_of(luck.rolls)
    ]
    return {
        "missions": luck.missions,
        "dice": luck.faces.count,
        "auto": luck.by_companion,
        "faces": fall(luck.faces),
        "two": fall(luck.two),
        "verdict": verdict(luck.faces),
        "against": against,
        "luckiest": rolls(True),
        "unluckiest": rolls(False),
    }
