"""`companion odds TABLE`."""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, TypedDict

from rich.text import Text
from typer import Argument, Option

from companion.cli.present import console
from companion.engine.chain import Chain
from companion.engine.odds import Odds, odds
from companion.play.conversation import with_implied
from companion.problems import OwnerTable, Problem
from companion.store.session import open_session

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from companion.engine.work import Item
    from companion.packs import Pack

WIDE = 30  # of the longest bar
WIDEST = 36  # letters of an outcome in one line


def odds_command(
    table: Annotated[str, Argument(help="Table number.")],
    game: Annotated[str | None, Option(help="The game, when no campaign is in use.")] = None,
    given: Annotated[list[str] | None, Option("--with", help="FACT=VALUE as things are.")] = None,
    compare: Annotated[list[str] | None, Option("--compare", help="FACT=VALUE of a second case beside it.")] = None,
    chain: Annotated[bool, Option("--chain", help="Follow what the results ask for.")] = False,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """The exact chance of every outcome as things stand."""
    with open_session(game, record=False) as session:
        pack, state = session.pack, session.mission.state
        typed = pack.sheet.given(given or ())
        facts = with_implied(session.mission, typed)
        others = with_implied(session.mission, {**typed, **pack.sheet.given(compare or ())})
        asked = session.mission.asked(table) or {}
    item: Item = {"roll": pack.table(table).id, **{key: asked[key] for key in ("bind", "take") if key in asked}}
    cases = [facts, others] if compare else [facts]
    with Waiting() as waiting:
        try:
            results = [odds(pack, state, each, item, waiting.tick) for each in cases]
        except OwnerTable as owner:  # nobody rolls here, so nobody could be asked
            if pack.table(table).question:  # cards of the player's: there is nothing to take down
                raise Problem(
                    f"{pack.table(table).called}: only you can say what it reads, so that its odds are not known"
                ) from None
            raise Problem(f"{owner}; to take it down: companion tables transcribe {item['roll']}") from None
        chains = [Chain(pack, each, waiting.tick).follow(state, item) for each in cases] if chain else []
    if json:
        import json as form

        cases_shown = [_object(each) for each in results]
        for shown, each in zip(cases_shown, chains, strict=False):
            shown["chain"] = chain_object(each, pack)
        more = {"compared": {"with": pack.sheet.given(compare), **cases_shown[1]}} if compare else {}
        print(form.dumps({"game": pack.name, **cases_shown[0], **more}))
        return
    out = console()
    same = len(results) > 1 and _known(results[0]) == _known(results[1])
    _bars(results[:1] if same else results, compare or [], out, pack)
    if same:
        out.print(f"  {', '.join(compare or ())} changes nothing for this table as things stand.")
    for each, title in zip(chains, ("", ", ".join(compare or ())), strict=False):
        _chain(each, pack, out, title)


class Waiting:
    """A bar on the terminal for work that takes longer than a second."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.bar: Progress | None = None

    def __enter__(self) -> Waiting:
        return self

    def tick(self, done: Fraction) -> None:
        """So much is done."""
        if self.bar is None:
            if time.monotonic() - self.begun < 1 or not sys.stderr.isatty():
                return
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True, markup=False, emoji=False), transient=True)
            self.bar.add_task("Counting the ways", total=1.0)
            self.bar.start()
        self.bar.update(self.bar.task_ids[0], completed=float(done))

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


def _p(chance: Fraction) -> float:
    return round(float(chance), 4)


def _object(odds: Odds) -> dict[str, object]:
    return {
        "table": odds.table,
        "outcomes": {
            slug: {"ways": ways, "of": odds.of, "p": _p(Fraction(ways, odds.of))} for slug, ways in odds.ways.items()
        },
        "modifiers": [{"add": each.add, "why": each.why, "cite": each.modifier.cite} for each in odds.applied],
        "assumed": odds.assumed,
    }


class ChainTable(TypedDict, total=False):
    """One table of a chain: how often it is rolled, what it gives in all, and each outcome with its chance."""

    title: str
    p: float
    rolls: float
    expected: float
    outcomes: dict[str, dict[str, float]]


class ChainShown(TypedDict):
    """A chain for programs."""

    tables: dict[str, ChainTable]
    struck: dict[str, dict[str, dict[str, float]]]
    ends: dict[str, str]


def chain_object(chain: Chain, pack: Pack) -> ChainShown:
    """A chain for programs: each table with how often it is rolled and what it gives, what is struck, where it ends."""
    some, mean = chain.tally.some, chain.tally.mean
    tables: dict[str, ChainTable] = {}
    struck: dict[str, dict[str, dict[str, float]]] = {}
    for key in some:
        if key[0] == "rolls":
            name = key[1]
            tables[name] = {"title": chain.titles.get(name, name), "p": _p(some[key]), "rolls": _p(mean[key])}
            if ("sum", name) in mean:
                tables[name]["expected"] = _p(mean["sum", name])
            tables[name]["outcomes"] = {
                each[2]: {"p": _p(some[each]), "expected": _p(mean[each])}
                for each in some
                if each[:2] == ("outcome", name)
            }
    for index, members in pack.sheet.index.items():
        keys = [("struck", index, member) for member in members if ("struck", index, member) in some]
        if keys:
            struck[index] = {key[2]: {"p": _p(some[key]), "expected": _p(mean[key])} for key in keys}
    return {"tables": tables, "struck": struck, "ends": dict(chain.ends)}


def _known(odds: Odds) -> object:
    """What two cases are compared by: the chances, and what counted."""
    return odds.ways, odds.of, [(each.add, each.why) for each in odds.applied]


def _bar(share: float, wide: int = WIDE) -> str:
    return "█" * round(share * wide) or ("▏" if share else "")


def _bars(results: list[Odds], compare: list[str], out: Console, pack: Pack) -> None:
    """Every outcome with its chance; a second case stands under the first."""
    first = results[0]
    out.print(Text.assemble((pack.table(first.table).called, "bold"), f", {first.dice}"))
    for number, each in enumerate(results):
        if len(results) > 1:
            total = sum(applied.add for applied in each.applied)
            out.print(Text(f"  {'ab'[number]}  {', '.join(compare) if number else 'as things stand'}  ({total:+d})"))
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
                    (_bar(share, min(WIDE, 54 - wide)), "cyan"),
                )
            )
        for line in lines[1:]:
            out.print(f"  {line}")
    if first.assumed:
        facts = ", ".join(f"{pack.sheet.text(name)} {pack.sheet.say(name, v)}" for name, v in first.assumed.items())
        out.print(Text(f"  assumed: {facts}", style="dim"))


def _chain(chain: Chain, pack: Pack, out: Console, title: str) -> None:
    """What follows, table by table, and what is struck."""
    chain_shown = chain_object(chain, pack)
    out.print(Text(f"What follows{f', with {title}' if title else ''}", style="bold"))
    for name, table in chain_shown["tables"].items():
        sums = f", {table['expected']:g} in all" if "expected" in table else ""
        out.print(f"  {pack.table(name).called}: rolled {table['p']:.2%}, {table['rolls']:g} times on average{sums}")
    for index, members in chain_shown["struck"].items():
        out.print(f"  {index.capitalize()} struck at least once (and how often on average)")
        for member, each in members.items():
            label = str(pack.sheet.index[index][member].get("label", member))[:24]
            out.print(
                Text.assemble(f"    {label:24} {each['p']:7.2%}  {each['expected']:6.4f}  ", (_bar(each["p"]), "cyan"))
            )
    for name, why in chain_shown["ends"].items():
        out.print(Text(f"  ends at {_called(name, pack)}: {why}", style="dim"))


def _called(name: str, pack: Pack) -> str:
    """What a table, a choice or a field is called."""
    if pack.has_choice(name):
        return str(pack.choice(name).get("title", name))
    return pack.sheet.text(name) if name in pack.sheet.known else pack.table(name).called
