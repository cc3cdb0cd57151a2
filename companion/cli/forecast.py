"""`companion forecast`, and the chart of `companion campaign --chart`: the results of many missions flown ahead."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated

from typer import Option

from companion.cli.commands import Assume, Game, Json, print_json
from companion.cli.terminal import console, say, screen_width, show
from companion.packs import Pack
from companion.play.lookahead import (
    FIGURES,
    MOST,
    TOURS,
    Curve,
    EvenChance,
    Expectation,
    ForecastRun,
    Mean,
    Outlook,
    Share,
    cores,
    end_of,
    mission_with,
    values_so_far,
)
from companion.play.phrases import given as given_facts
from companion.problems import OwnerTable, UserError
from companion.render.situation import Line
from companion.store.campaigns import Campaign, figures
from companion.store.log import CampaignLog
from companion.store.session import Session, open_session
from companion.words import counted, unhyphened

if TYPE_CHECKING:
    from rich.table import Table as Grid

USUAL = 1000  # missions
PATIENCE = 5.0  # the time limit of a forecast during a flight, in seconds
WIDE = 24
NARROW = 7  # the width of a number without its interval
ABOVE = 2  # the most grids on a screen
HIGH = 8  # lines of a chart
LONG = 50  # columns of the longest tour
OURS, MEAN, LIKELY = "●", "─", "·"


def forecast_command(
    missions: Annotated[int, Option("--missions", help="How many missions to simulate.")] = USUAL,
    seed: Annotated[int | None, Option(help="Random seed, for a repeatable forecast.")] = None,
    given: Annotated[list[str] | None, Option("--with", help="FIELD=VALUE to assume on the sheet.")] = None,
    assume: Assume = None,
    game: Game = None,
    json: Json = False,
) -> None:
    """Show how the mission is likely to end, for each choice open to you."""
    if not 1 <= missions <= MOST:
        raise UserError(f"--missions must be a number from 1 to {MOST:,}, not {missions}.")
    with open_session(game, record=False) as session:
        mission = mission_with(session.mission, given_facts(session.pack, given or (), session.mission.state))
        ahead = ForecastRun(mission, seeded(seed))
    stopped = _fly(ahead, missions, "" if assume else "companion forecast --assume even.")
    if json:
        print_json(as_object(ahead))
    else:
        show_forecast(ahead, stopped=stopped)


def seeded(seed: int | None) -> int:
    return SystemRandom().randrange(1_000_000) if seed is None else seed


def at_the_table(session: Session, said: str) -> None:
    """Show the forecast for the current question of a flight, with as many missions as time allows.

    Args:
        said: `even` to treat results only in the player's rulebook as equally likely.
    """
    ahead = ForecastRun(mission_with(session.mission, {}), seeded(None))
    try:
        _fly(ahead, USUAL, "" if said else "f even", PATIENCE)
    except KeyboardInterrupt:
        raise UserError("Stopped before the first result. Type f and wait a little longer.") from None
    show_forecast(ahead)


# -- flying ------------------------------------------------------------------------------------------------------------


@contextmanager
def progress(missions: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on the terminal while missions are flown; yields a function that moves it on."""
    if not sys.stderr.isatty():
        yield lambda flown: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = "Simulating", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), "Ctrl-C to stop"
    bar = Progress(*columns, console=Console(stderr=True, markup=False, emoji=False), transient=True)
    task = bar.add_task("", total=missions)

    def advance(flown: int) -> None:
        bar.start()  # after the workers, which are forked
        bar.advance(task, flown)

    try:
        yield advance
    finally:
        bar.stop()


def _fly(ahead: ForecastRun, missions: int, agree: str, patience: float = math.inf) -> bool:
    """Fly missions for at most `patience` seconds; return whether the player has stopped it.

    Raise OwnerTable as soon as something is only in the player's rulebook, unless the player agrees (`agree` is empty,
    else what to type for this) that its results are equally likely.
    """
    until = time.monotonic() + patience
    try:
        with progress(missions * len(ahead.starts)) as tick:
            for flown in ahead.fly(missions, cores()):
                if agree and (what := needed(ahead.pack, ahead.by)):
                    where = "printed only in your rulebook" if ahead.pack.uses_dice else "of your cards"
                    them = "their" if what[:2] != "1 " or " and " in what else "its"
                    how = f"To treat {them} results as equally likely type: {agree}"
                    raise OwnerTable(f"The forecast needs {what} {where}. {how}")
                tick(flown)
                if time.monotonic() > until:
                    break
    except KeyboardInterrupt:
        if not all(each.missions for each in ahead.outlooks.values()):
            raise
        return True
    return False


# -- the results -------------------------------------------------------------------------------------------------------


def needed(pack: Pack, by: EvenChance) -> str:
    """Count the parts only in the player's rulebook: `23 tables and 2 figures`; or only in the cards: `1 draw`."""
    figures = sum(pack.sheet.declared(name).section == "book" for name in by.taken)
    each = ((len(by.met), "table" if pack.uses_dice else "draw"), (figures, "figure"))
    return " and ".join(counted(many, word) for many, word in each if many)


def as_object(ahead: ForecastRun) -> dict[str, object]:
    """Return a forecast as JSON; at a decision that of the default option, with each under `options`."""
    outlooks = ahead.outlooks
    first = next(iter(outlooks.values()))
    assumed: list[dict[str, object]] = [
        {"table": name, "title": ahead.pack.table(name).title, "met": round(often, 4)}
        for name, often in ahead.met().items()
    ]
    assumed += [{"fact": name, "value": value} for name, value in sorted(ahead.by.taken.items())]
    shown: dict[str, object] = {"game": ahead.pack.name, "seed": ahead.seed, **_outlook_object(first)}
    if ahead.question is not None:
        shown["decision"] = ahead.question.name
    shown["options"] = {name: _outlook_object(each) for name, each in outlooks.items() if name}
    return {**shown, "assumed": assumed}


def _outlook_object(outlook: Outlook) -> dict[str, object]:
    shown: dict[str, object] = {"missions": outlook.missions}
    for name, each in outlook.estimates.items():
        low, high = each.interval
        key = "p" if isinstance(each, Share) else "mean"
        shown[name] = {key: round(each.mean, 4), "low": round(low, 4), "high": round(high, 4)}
    return shown


def show_forecast(ahead: ForecastRun, *, stopped: bool = False) -> None:
    """Print a forecast, the answer first."""
    if ahead.question is not None:
        say(ahead.question.title, "strong")
    console().print(*grids_of(ahead, min(80, screen_width())))
    missions = min(each.missions for each in ahead.outlooks.values())
    flown = f"{'Stopped after ' if stopped else ''}{counted(missions, ahead.pack.sheet.flight)}"
    flown += " for each option" if ahead.options else ""
    told = f"{flown} from here with the default choices, seed {ahead.seed}; 95 percent intervals. Nothing was saved."
    if what := needed(ahead.pack, ahead.by):
        say(
            f"{what} of your {'rulebook' if ahead.pack.uses_dice else 'cards'}: all results treated as equally likely.",
            "bad",
        )
    say(f"{told} {ahead.counted.note}".rstrip(), "dim")


def grids_of(ahead: ForecastRun, width: int) -> list[Grid]:
    """Return a line for each thing counted and a column for each option, as many as there is room for in one grid.

    Many options have a line each, without intervals. The default option is marked; without a decision there is one
    column without a head.
    """
    texts = [*(each.text for each in ahead.counted.chance), *(each.text for each in ahead.counted.mean)]
    heads = [(each.text or unhyphened(name)) + " *" * each.usual for name, each in ahead.options.items()] or [""]
    columns = [list(map(_cell, each.estimates.values())) for each in ahead.outlooks.values()]
    wide = min(WIDE, max(14, *map(len, heads)))
    many = max(1, (width - max(map(len, texts)) - 1) // (wide + 2))
    if len(heads) > ABOVE * many:
        lines = [(head, *(cell.partition(" ")[0] for cell in own)) for head, own in zip(heads, columns, strict=True)]
        return [_grid(texts, lines, NARROW)]
    firsts = range(0, len(heads), many)
    return [_grid(heads[at : at + many], zip(texts, *columns[at : at + many], strict=True), wide) for at in firsts]


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> Grid:
    from rich.table import Table as Grid

    grid = Grid(show_edge=False, pad_edge=False, box=None, header_style="bold", show_header=any(heads))
    grid.add_column("", no_wrap=True, overflow="ellipsis")
    for head in heads:
        grid.add_column(head, justify="right", width=width)
    for row in rows:
        grid.add_row(*row)
    return grid


def _cell(estimate: Mean) -> str:
    """Return a figure of one option: `84% (79-88)`, `2.2 ±0.5`."""
    low, high = estimate.interval
    if isinstance(estimate, Share):
        return f"{estimate.mean:.0%} ({100 * low:.0f}-{100 * high:.0f})"
    return f"{estimate.mean:.1f} ±{(high - low) / 2:.1f}"


# -- the campaign compared with expected tours -------------------------------------------------------------------------


def chart_command(
    campaign: Campaign, log: CampaignLog, *, seed: int | None, assume: str | None, json: bool, file: Path | None = None
) -> None:
    """Print the charts or a JSON object, or draw them in a file."""
    from companion.render.sheets import form_of, typeset, write

    form = form_of(file, ("pdf", "png", "svg")) if file is not None else ""
    length = log.length or len(log.rows)
    spec = log.spec
    needs = {"crew": spec.lost, "percent": spec.average, "lost": spec.lost, "bombers": spec.aircraft_lost}
    shown = [name for name in FIGURES if needs[name]]
    if not length or not shown:
        raise UserError(f"There is no chart for {log.pack.title}.")
    expected = Expectation(log.pack, length, figures(log.pack, campaign), seeded(seed))
    with progress(length * expected.flights) as tick:
        for flown in expected.fly(cores()):
            if (own := needed(log.pack, expected.by)) and assume is None:
                how = "To treat their results as equally likely add --assume even"
                raise OwnerTable(f"The chart needs {own} printed only in your rulebook. {how}")
            tick(flown)
    sheets = [end_of(log.pack, each.facts()) for each in campaign.all_flown(log.pack)]
    ours, curves = values_so_far(sheets), expected.curves()
    if json:
        chart = {name: {"so_far": ours[name], **curves[name]._asdict()} for name in shown}
        print_json({"campaign": campaign.name, "tours": TOURS, "seed": expected.seed, "chart": chart})
        return
    tops = {name: 100 if name == "crew" else max(1.0, *curves[name].high, *ours[name]) for name in shown}
    even = f"{own} of your rulebook: all results treated as equally likely." if own else ""
    missions = f"{length * expected.flights:,} missions with the default choices, seed {expected.seed}"
    drawn = f"{TOURS:,} tours drawn from {missions}."
    if file is not None:
        about = {"title": "Chart", "game": log.pack.title, "campaign": campaign.name, "note": f"{drawn} {even}".strip()}
        charts = [
            {"title": FIGURES[name].removesuffix(":"), "ours": ours[name][: len(curves[name].mean)], "top": tops[name]}
            | {**curves[name]._asdict(), "expected": compared(ours[name], curves[name])}
            for name in shown
        ]
        for each in write(file, typeset("chart", {**about, "charts": charts}, form)):
            say(f"Saved {each}")
        return
    if even:
        say(even, "strong")
    for name in shown:
        show(plot(FIGURES[name], ours[name], curves[name], tops[name]))
        print()
    say(f"{OURS} this campaign   {MEAN} tours on average   {LIKELY} nine tours in ten", "dim")
    say(f"{drawn} Nothing was saved.", "dim")


def compared(ours: list[float], curve: Curve) -> str:
    """Return the campaign so far and the tours in words: `4, after 2 (tours 2, 0 to 4)`."""
    place = min(len(ours), len(curve.mean)) or len(curve.mean)
    told = f"{_figure(ours[place - 1])}, " if ours else ""
    expected = ", ".join(_figure(each[place - 1]) for each in (curve.mean, curve.low))
    return f"{told}after {place} (tours {expected} to {_figure(curve.high[place - 1])})"


def plot(title: str, ours: list[float], curve: Curve, most: float) -> list[Line]:
    """Return a chart in lines, up to `most`: the likely range as dots, the mean as a dash, this campaign on top."""
    wide = max(1, LONG // len(curve.mean))
    lines = [Line("", [(title, "strong"), (f" {compared(ours, curve)}", "")])]

    def row(value: float) -> int:
        return min(HIGH, max(0, round(value / most * HIGH)))

    for level in range(HIGH, -1, -1):
        label = _figure(most * level / HIGH) if level in (0, HIGH // 2, HIGH) else ""
        pieces = [(f"{label:>6} │", "dim")]
        for mission, mean in enumerate(curve.mean):
            if mission < len(ours) and row(ours[mission]) == level:
                sign, style = OURS, "next"
            elif row(mean) == level:
                sign, style = MEAN, ""
            elif row(curve.low[mission]) <= level <= row(curve.high[mission]):
                sign, style = LIKELY, "dim"
            else:
                sign, style = " ", ""
            pieces.append((sign.ljust(wide, MEAN if sign == MEAN else " "), style))
        lines.append(Line("", pieces))
    numbers = "".join(str(number).ljust(wide * 5) for number in range(1, len(curve.mean) + 1, 5))
    return [*lines, Line("", [(f"{'':6} └{numbers.rstrip()}  missions", "dim")])]


def _figure(value: float) -> str:
    """Return a figure as short as possible: `12`, `3.4`."""
    return f"{value:.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"
