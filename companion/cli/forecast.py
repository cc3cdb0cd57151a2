"""`companion forecast`: how the mission may end, and the options of a decision side by side."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

from rich.table import Table as Grid
from rich.text import Text
from typer import Option

from companion.cli.terminal import console
from companion.play.flights import cores
from companion.play.forecast import MOST, Ahead, Outlook, of_the_book, supposed
from companion.play.phrases import given as given_facts
from companion.problems import OwnerTable, Problem
from companion.store.session import open_session
from companion.words import natural_order, unhyphened

if TYPE_CHECKING:
    from collections.abc import Collection

    from rich.console import Console
    from rich.progress import Progress

    from companion.engine.questions import Option as Legal
    from companion.packs import Pack
    from companion.store.session import Session

USUAL = 1000  # missions
PATIENCE = 5.0  # seconds that a player waits for it in the midst of a flight
WIDE = 24


def forecast_command(
    missions: Annotated[int | None, Option("--missions", help="How many are flown.")] = None,
    within: Annotated[str | None, Option("--within", help="Fly until chances are known so well, such as 1%.")] = None,
    seed: Annotated[int | None, Option(help="Makes it repeatable.")] = None,
    given: Annotated[list[str] | None, Option("--with", help="FIELD=VALUE on the sheet.")] = None,
    assume: Annotated[str | None, Option("--assume", help="even: what only your book has is equally likely.")] = None,
    game: Annotated[str | None, Option(help="The game, when no campaign is in use.")] = None,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """How the mission may end, for each option you have. It is flown many times, nothing recorded."""
    reach = _reach(within)
    if missions is not None and not 1 <= missions <= MOST:
        raise Problem(f"--missions takes a number from 1 to {MOST:,}, not {missions}")
    check_assumed(assume)
    with open_session(game, record=False) as session:
        ahead = Ahead(
            supposed(session.mission, given_facts(session.pack, given or (), session.mission.state)), seeded(seed)
        )
    if ahead.unknown and assume is None:
        _own_book(ahead, json)
    most = missions or (USUAL if reach is None else MOST)
    stopped = _fly(ahead, most, reach)
    if json:
        import json as form

        print(form.dumps(as_object(ahead)))
    else:
        show(ahead, console(), stopped=stopped)


def check_assumed(assume: str | None) -> None:
    """Raise a Problem for anything but `even`."""
    if assume not in (None, "even"):
        raise Problem(f"--assume takes even, not {assume}")


def _reach(within: str | None) -> float | None:
    """`1%` or `0.01` as a share."""
    if within is None:
        return None
    number, percent, _ = within.strip().partition("%")
    try:
        reach = float(number) / (100 if percent else 1)
    except ValueError:
        reach = 0.0
    if not 0.001 <= reach < 0.5:
        raise Problem(f"--within takes a share from 0.1% to 50%, such as 1%, not {within}")
    return reach


def seeded(seed: int | None) -> int:
    """The seed that was given, else a new one."""
    if seed is not None:
        return seed
    from random import SystemRandom

    return SystemRandom().randrange(1_000_000)


def at_the_table(session: Session, out: Console, *, even: bool) -> None:
    """The forecast of a flight that is being flown, for the question that is asked: as many missions as there is time
    for. What only the player's own book has is taken as `even` when he says so."""
    ahead = Ahead(supposed(session.mission, {}), seeded(None))
    if ahead.unknown and not even:
        raise Problem(
            f"what lies ahead needs {_what(ahead)} of your own book; f even takes all outcomes as equally likely"
        )
    try:
        _fly(ahead, USUAL, None, PATIENCE)
    except KeyboardInterrupt:
        raise Problem("nothing is known yet; f again waits longer") from None
    show(ahead, out)


# -- flying ------------------------------------------------------------------------------------------------------------


class Watching:
    """A bar on the terminal while missions are flown, when that takes longer than half a second."""

    def __init__(self, missions: int, patience: float | None = None) -> None:
        self.missions, self.flown, self.begun = missions, 0, time.monotonic()
        self.patience = patience
        self.bar: Progress | None = None

    def tick(self, missions: int) -> None:
        """So many more have been flown."""
        self.flown += missions
        if self.bar is None:
            if time.monotonic() - self.begun < 0.5 or not sys.stderr.isatty():
                return
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

            self.bar = Progress(
                "Flying ahead",
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                "Ctrl-C: enough",
                console=Console(stderr=True, markup=False, emoji=False),
                transient=True,
            )
            self.bar.add_task("", total=self.missions)
            self.bar.start()
        self.bar.update(self.bar.task_ids[0], completed=self.flown)

    @property
    def enough(self) -> bool:
        """Whether it has taken as long as it may."""
        return self.patience is not None and time.monotonic() - self.begun > self.patience

    def stop(self) -> None:
        """Take the bar off the screen."""
        if self.bar is not None:
            self.bar.stop()


def _fly(ahead: Ahead, missions: int, reach: float | None, patience: float | None = None) -> bool:
    """Fly them, for so many seconds at most; gives whether the player has stopped it."""
    likely = missions if reach is None else min(missions, int(1 / reach**2))  # so many do for an even chance
    watching = Watching(likely * len(ahead.starts), patience)
    try:
        ahead.fly(missions, reach, cores(), watching.tick, lambda: watching.enough)
    except KeyboardInterrupt:
        if not all(each.missions for each in ahead.outlooks.values()):
            raise
        return True
    finally:
        watching.stop()
    return False


# -- what came of it ---------------------------------------------------------------------------------------------------


def _own_book(ahead: Ahead, json: bool) -> None:
    """Say what only the player's own book knows; raises OwnerTable."""
    if not json:
        out = console()
        out.print(Text("On the way stands what only your own book has:", style="bold"))
        for name, often in _tables(ahead).items():
            out.print(f"  {name:8} {ahead.pack.table(name).title}: {often:.1f} times a {ahead.pack.sheet.flight}")
        for name in of_the_book(ahead.pack, ahead.figures):
            out.print(f"  {_assumed(ahead, name)}")
    raise OwnerTable(
        f"{_what(ahead)} of your own book would be needed; take such a table down with: companion tables "
        "transcribe TABLE, or forecast with --assume even"
    )


def _what(ahead: Ahead) -> str:
    return needed(ahead.pack, ahead.own, ahead.figures)


def needed(pack: Pack, tables: Collection[str], facts: Collection[str]) -> str:
    """How much only the player's own book knows: `23 tables and 2 figures`; nothing where all is here."""
    each = ((len(tables), "table"), (len(of_the_book(pack, facts)), "figure"))
    return " and ".join(f"{many} {word if many == 1 else f'{word}s'}" for many, word in each if many)


def _tables(ahead: Ahead) -> dict[str, float]:
    return {name: ahead.own[name] for name in sorted(ahead.own, key=natural_order)}


def _met(ahead: Ahead) -> dict[str, float]:
    """How often a mission has met each table of the own book."""
    missions = sum(each.missions for each in ahead.outlooks.values())
    rows = {name: sum(each.met.get(name, (0, 0))[0] for each in ahead.outlooks.values()) for name in _tables(ahead)}
    return {name: many / missions for name, many in rows.items()}


def _assumed(ahead: Ahead, name: str) -> str:
    return f"{ahead.pack.sheet.text(name)}: nobody has said, taken as {ahead.figures[name]}"


def as_object(ahead: Ahead) -> dict[str, object]:
    """A forecast for programs; at a decision that of the usual option, and each under `options`."""
    outlooks = ahead.outlooks
    first = next(iter(outlooks.values()))
    assumed: list[dict[str, object]] = [
        {"table": name, "title": ahead.pack.table(name).title, "met": round(often, 4)}
        for name, often in _met(ahead).items()
    ]
    assumed += [{"fact": name, "value": value} for name, value in sorted(ahead.figures.items())]
    shown: dict[str, object] = {"game": ahead.pack.name, "seed": ahead.seed, **_outlook_object(first)}
    if ahead.question is not None:
        shown["decision"] = ahead.question.name
    shown["options"] = {name: _outlook_object(each) for name, each in outlooks.items() if name}
    return {**shown, "assumed": assumed}


def _outlook_object(outlook: Outlook) -> dict[str, object]:
    shown: dict[str, object] = {"missions": outlook.missions}
    for name, share in outlook.chances.items():
        low, high = share.interval
        shown[name] = {"p": round(share.p, 4), "low": round(low, 4), "high": round(high, 4)}
    for name, mean in outlook.means.items():
        low, high = mean.interval
        shown[name] = {"mean": round(mean.mean, 4), "low": round(low, 4), "high": round(high, 4)}
    return shown


def show(ahead: Ahead, out: Console, *, stopped: bool = False) -> None:
    """A forecast for people; what is assumed stands in the first line."""
    if ahead.unknown:
        even = f"Assumed, not known: {_what(ahead)} of your own book; its outcomes are taken as equally likely."
        out.print(Text(even, style="bold yellow"))
    missions = min(each.missions for each in ahead.outlooks.values())
    each_option = " for each option" if ahead.options else ""
    flight = ahead.pack.sheet.flight
    flown = f"{'Stopped after ' if stopped else ''}{missions:,} {flight}s{each_option} from here, the usual choices, "
    if ahead.question is not None:
        out.print(Text(ahead.question.title, style="bold"))
        for grid in side_by_side(ahead, min(80, out.width)):
            out.print(grid)
    else:
        out.print(alone(ahead, ahead.outlooks[""]))
    out.print(Text(f"{flown}seed {ahead.seed}; 95 percent intervals. Nothing was recorded.", style="dim"))
    for name, often in _met(ahead).items():
        out.print(Text(f"  {name:8} {ahead.pack.table(name).title}: {often:.2f} times a {flight}", style="dim"))
    for name in sorted(ahead.figures):
        out.print(Text(f"  {_assumed(ahead, name)}", style="dim"))


def alone(ahead: Ahead, outlook: Outlook) -> Grid:
    """One outlook: a line for each chance and each figure."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column()
    grid.add_column(justify="right", style="bold")
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(style="cyan", no_wrap=True)
    for each in ahead.spec.get("chance", ()):
        share = outlook.chances[each["name"]]
        low, high = share.interval
        bar = "█" * round(share.p * WIDE) or ("▏" if share.hits else "")
        grid.add_row(each["text"], f"{share.p:.1%}", f"{100 * low:.1f} to {high:.1%}", bar)
    for each in ahead.spec.get("mean", ()):
        mean = outlook.means[each["name"]]
        low, high = mean.interval
        grid.add_row(each["text"], f"{mean.mean:.2f}", f"{low:.2f} to {high:.2f}", "")
    return grid


def side_by_side(ahead: Ahead, width: int) -> list[Grid]:
    """The options beside each other, as many as there is room for: a column for each, the usual one marked, and a line
    for each thing that is counted."""
    texts = [each["text"] for each in (*ahead.spec.get("chance", ()), *ahead.spec.get("mean", ()))]
    heads = {name: head_of(ahead.options[name]) for name in ahead.outlooks}
    wide = min(WIDE, max(12, *map(len, heads.values())))
    many = max(1, (width - max(map(len, texts)) - 1) // (wide + 2))
    names, grids = list(heads), list[Grid]()
    for first in range(0, len(names), many):
        grid = Grid(show_edge=False, pad_edge=False, box=None, header_style="bold")
        grid.add_column("", width=max(map(len, texts)))
        columns = []
        for name in names[first : first + many]:
            grid.add_column(heads[name], justify="right", width=wide)
            columns.append(_cells(ahead.outlooks[name]))
        for text, *cells in zip(texts, *columns, strict=True):
            grid.add_row(text, *cells)
        grids.append(grid)
    return grids


def head_of(option: Legal) -> str:
    """An option as it stands in its question, the usual one marked."""
    return (option.text or unhyphened(option.name)) + (" *" if option.usual else "")


def _cells(outlook: Outlook) -> list[str]:
    """The figures of one option, in the order of the lines: `84% (79-88)`, `2.2 ±0.5`."""
    cells = []
    for share in outlook.chances.values():
        low, high = share.interval
        cells.append(f"{share.p:.0%} ({100 * low:.0f}-{100 * high:.0f})")
    for mean in outlook.means.values():
        low, high = mean.interval
        cells.append(f"{mean.mean:.1f} ±{(high - low) / 2:.1f}")
    return cells
