"""`companion campaign --chart`: the campaign beside what tours come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from companion.cli.forecast import Watching, check_assumed, needed, seeded
from companion.cli.terminal import console
from companion.engine.facts import Facts
from companion.play.flights import cores
from companion.play.tour import FIGURES, TOURS, Curve, Expectation, end_of, so_far
from companion.problems import OwnerTable, Problem
from companion.store.crew import figures

if TYPE_CHECKING:
    from companion.store.campaigns import Campaign
    from companion.store.log import CampaignLog

HIGH = 8  # lines of a chart
WIDE = 50  # columns of the longest tour
OURS, MEAN, LIKELY = "●", "─", "·"


def chart_command(campaign: Campaign, log: CampaignLog, *, seed: int | None, assume: str | None, json: bool) -> None:
    """Print the charts, or one object for programs."""
    check_assumed(assume)
    length = log.length or len(log.rows)
    shown = _figures(log)
    if not length or not shown:
        raise Problem(f"{log.pack.about.get('title', log.pack.name)} does not say what a chart could show")
    expected = Expectation(log.pack, length, figures(log.pack, campaign), seeded(seed))
    own = needed(log.pack, expected.by.met, expected.by.taken)
    if own and assume is None:
        raise OwnerTable(f"{own} of your own book would be needed; --assume even takes all outcomes as equally likely")
    watching = Watching(length * expected.flights)
    try:
        expected.fly(cores(), watching.tick)
    finally:
        watching.stop()
    sheets = [end_of(log.pack, Facts(log.sheet, state)) for _, state in campaign.sheets(log.pack)]
    ours, curves = so_far(sheets), expected.curves()
    if json:
        import json as form

        chart = {
            name: {"so_far": ours[name], "mean": curves[name].mean, "low": curves[name].low, "high": curves[name].high}
            for name in shown
        }
        print(form.dumps({"campaign": campaign.name, "tours": TOURS, "seed": expected.seed, "chart": chart}))
        return
    out = console()
    if own:
        out.print(Text(f"Assumed, not known: {own} of your own book; its outcomes count as equally likely.", "bold"))
    for name in shown:
        for line in plot(FIGURES[name], ours[name], curves[name], top=100 if name == "crew" else None):
            out.print(line)
        out.print()
    out.print(Text(f"{OURS} this campaign   {MEAN} tours on average   {LIKELY} nine tours in ten", style="dim"))
    missions = f"{length * expected.flights:,} missions with the usual choices, seed {expected.seed}"
    out.print(Text(f"{TOURS:,} tours drawn from {missions}. Nothing was recorded.", style="dim"))


def _figures(log: CampaignLog) -> list[str]:
    """What the game's campaign log can tell."""
    needs = {"crew": "lost", "percent": "average", "lost": "lost", "bombers": "aircraft-lost"}
    return [name for name in FIGURES if needs[name] in log.spec]


def plot(title: str, ours: list[float], curve: Curve, top: float | None = None) -> list[Text]:
    """A chart in lines: what is likely as a field of dots, the mean as a stroke in it, this campaign on top."""
    most = top or max(1.0, *curve.high, *ours)
    wide = max(1, WIDE // len(curve.mean))
    place = min(len(ours), len(curve.mean)) or len(curve.mean)
    told = f"{_figure(ours[place - 1])}, " if ours else ""
    expected = ", ".join(_figure(each[place - 1]) for each in (curve.mean, curve.low))
    tours = f"tours {expected} to {_figure(curve.high[place - 1])}"
    lines = [Text.assemble((title, "bold"), f" {told}after {place} ({tours})")]

    def row(value: float) -> int:
        return min(HIGH, max(0, round(value / most * HIGH)))

    for level in range(HIGH, -1, -1):
        label = _figure(most * level / HIGH) if level in (0, HIGH // 2, HIGH) else ""
        line = Text(f"{label:>6} │", style="dim")
        for mission, mean in enumerate(curve.mean):
            if mission < len(ours) and row(ours[mission]) == level:
                sign, style = OURS, "bold cyan"
            elif row(mean) == level:
                sign, style = MEAN, ""
            elif row(curve.low[mission]) <= level <= row(curve.high[mission]):
                sign, style = LIKELY, "dim"
            else:
                sign, style = " ", ""
            line.append(sign.ljust(wide, MEAN if sign == MEAN and not style else " "), style=style)
        line.rstrip()
        lines.append(line)
    numbers = "".join(str(number).ljust(wide * 5) for number in range(1, len(curve.mean) + 1, 5))
    lines.append(Text(f"{'':6} └{numbers.rstrip()}  missions", style="dim"))
    return lines


def _figure(value: float) -> str:
    """A figure as short as it can be told: `12`, `3.4`."""
    return f"{value:.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"
