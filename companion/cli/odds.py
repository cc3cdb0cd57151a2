"""`companion odds TABLE`."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

from rich.text import Text
from typer import Argument, Option

from companion.cli.commands import Game, Json, print_json
from companion.cli.terminal import console
from companion.engine.odds import Odds, odds
from companion.engine.questions import Pending
from companion.play.conversation import with_implied
from companion.play.phrases import given as given_facts
from companion.play.phrases import table_named
from companion.problems import OwnerTable, UserError
from companion.store.session import open_session

if TYPE_CHECKING:
    from rich.console import Console

    from companion.packs import Pack

WIDE = 30  # of the longest bar
WIDEST = 36  # the most characters of an outcome on one line


def odds_command(
    table: Annotated[list[str], Argument(help="Table number or words from its title.")],
    game: Game = None,
    given: Annotated[list[str] | None, Option("--with", help="FIELD=VALUE to assume for this table.")] = None,
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
            raise UserError(f"{shown.called} is printed only in your rulebook, so its odds are unknown") from None
        raise UserError(f"{owner}. Copy its rows with: companion tables change {item.name}") from None
    if json:
        cases_shown = [_object(each) for each in results]
        more = {"compared": {"with": other, **cases_shown[1]}} if compare else {}
        print_json({"game": pack.name, **cases_shown[0], **more})
        return
    out = console()
    same = len(results) > 1 and _known(results[0]) == _known(results[1])
    _bars(results[:1] if same else results, compare or [], out, pack)
    if same:
        out.print(f"  {', '.join(compare or ())} makes no difference to this table right now.")


def _object(odds: Odds) -> dict[str, object]:
    return {
        "table": odds.table,
        "outcomes": {
            slug: {"ways": ways, "of": odds.of, "p": round(ways / odds.of, 4)} for slug, ways in odds.ways.items()
        },
        "modifiers": [{"add": each.add, "why": each.why, "cite": each.modifier.cite} for each in odds.applied],
        "assumed": odds.assumed,
    }


def _known(odds: Odds) -> object:
    """Return the chances and the modifiers, for comparing two cases."""
    return odds.ways, odds.of, [(each.add, each.why) for each in odds.applied]


def _bars(results: list[Odds], compare: list[str], out: Console, pack: Pack) -> None:
    """Print every outcome with its chance, a second case below the first."""
    first = results[0]
    out.print(Text.assemble((pack.table(first.table).called, "bold"), f", {first.dice}"))
    for number, each in enumerate(results):
        if len(results) > 1:
            total = sum(applied.add for applied in each.applied)
            out.print(Text(f"  {'ab'[number]}  {', '.join(compare) if number else 'right now'}  ({total:+d})"))
        for applied in each.applied:
            out.print(Text.assemble(f"  {applied.add:+4d}  {applied.why}", (f"  {applied.modifier.cite}", "dim")))
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
            out.print(
                Text.assemble(
                    f"  {name:{wide}} {case}{share:7.2%} ",
                    (f"{f'{ways}/{each.of}':>12}  ", "dim"),
                    ("█" * round(share * min(WIDE, 54 - wide)) or "▏" * bool(share), "cyan"),
                )
            )
        for line in lines[1:]:
            out.print(f"  {line}")
    if first.assumed:
        facts = ", ".join(f"{pack.sheet.text(name)} {pack.sheet.say(name, v)}" for name, v in first.assumed.items())
        out.print(Text(f"  assumed: {facts}", style="dim"))
