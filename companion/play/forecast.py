"""What lies ahead of a mission: the rest of it flown many times with the usual choices, from here or for each option of
the decision that waits.

What is counted at the end is the pack's (`[forecast]` in `pack.toml`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, Option
from companion.packs import Pack
from companion.play.figures import Mean, Share
from companion.play.flights import PROBES, STRETCH, Ends, Start, Stretch, all_flown, ends_of, probed, use
from companion.play.mission import Mission, rehearsal
from companion.play.plan import decisions
from companion.problems import Problem

ROUND = 200  # missions after which is looked whether the interval is narrow enough
MOST = 1_000_000
Tick = Callable[[int], None]


@dataclass
class Outlook:
    """What so many missions came to. `met` are the tables of the player's own book: how many rows, in how many of the
    missions."""

    missions: int = 0
    chances: dict[str, Share] = field(default_factory=dict)
    means: dict[str, Mean] = field(default_factory=dict)
    met: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, ends: Ends) -> None:
        """A further stretch of missions."""
        self.missions += ends.missions
        for share, hits in zip(self.chances.values(), ends.hits, strict=True):
            share.add(hits, ends.missions)
        figures = zip(self.means.values(), ends.totals, ends.squares, ends.least, strict=True)
        for mean, total, squares, least in figures:
            mean.add(total, squares, ends.missions, least)
        for name, (rows, missions) in ends.met.items():
            before = self.met.get(name, (0, 0))
            self.met[name] = before[0] + rows, before[1] + missions

    def within(self, reach: float) -> bool:
        """Whether every chance is known to within so much to either side."""
        ends = (share.interval for share in self.chances.values())
        return all((high - low) / 2 <= reach for low, high in ends)


class Ahead:
    """The rest of a mission, and how often it is flown.

    `question` is the decision that waits, whose options are flown side by side; None where none does. `own` are the
    tables that only the player's book has and how often a few trial missions met each, `figures` the facts that nobody
    has said, with what they are taken as.
    """

    def __init__(self, mission: Mission, seed: int) -> None:
        assert isinstance(mission.game, Pack)
        self.pack, self.mission, self.seed = mission.game, mission, seed
        self.spec = self.pack.about.get("forecast", {})
        if not self.spec.get("chance") and not self.spec.get("mean"):
            title = self.pack.about.get("title", self.pack.name)
            raise Problem(f"{title} does not say what a forecast counts; it stands in its pack.toml under [forecast]")
        use(self.pack)
        self.question = _decision(mission)
        self.options: dict[str, Option] = {each.name: each for each in self.question.options} if self.question else {}
        self.starts: dict[str, Start] = self._starts()
        self.outlooks: dict[str, Outlook] = {name: self._outlook() for name in self.starts}
        trials = probed(list(self.starts.values()), seed)
        self.own: dict[str, float] = {name: rows / (PROBES * len(self.starts)) for name, rows in trials.met.items()}
        self.figures: dict[str, Value] = trials.taken

    def _outlook(self) -> Outlook:
        return Outlook(
            0,
            {each["name"]: Share() for each in self.spec.get("chance", ())},
            {each["name"]: Mean() for each in self.spec.get("mean", ())},
        )

    def _starts(self) -> dict[str, Start]:
        """Where the missions begin, by the option that is taken; under no name where there is nothing to decide."""
        if not self.options:
            return {"": start_of(self.mission)}
        starts = {}
        for name in self.options:
            trial = rehearsal(self.mission)
            trial.roll(None, Hand(), outcome=name, single=True)
            starts[name] = start_of(trial)
        return starts

    @property
    def unknown(self) -> bool:
        """Whether something on the way stands only in the player's own book."""
        return bool(self.own or of_the_book(self.pack, self.figures))

    def fly(
        self,
        missions: int,
        within: float | None,
        cores: int,
        tick: Tick = lambda missions: None,
        enough: Callable[[], bool] = lambda: False,
    ) -> None:
        """Fly each start so many times, or until all chances are known to `within` so much (`missions` at most), or
        it is `enough`.

        What is known so far stands in `outlooks`, also where it is interrupted.
        """
        names = list(self.starts)
        stretches = list(self._stretches(missions))
        ends = all_flown(ends_of, list(self.starts.values()), stretches, cores)
        try:
            for stretch, each in zip(stretches, ends, strict=True):
                self.outlooks[names[stretch.start]].add(each)
                tick(each.missions)
                if stretch.start == len(names) - 1 and (enough() or self._known(stretch.last, within)):
                    break
        finally:
            ends.close()
            for outlook in self.outlooks.values():
                for name in outlook.met:
                    self.own.setdefault(name, 0.0)

    def _known(self, flown: int, within: float | None) -> bool:
        """Whether all is known to within so much; looked at now and then, at the same missions on any machine."""
        if within is None or flown % ROUND:
            return False
        return all(each.within(within) for each in self.outlooks.values())

    def _stretches(self, missions: int) -> Iterator[Stretch]:
        """The missions in turn, the same numbers for each start: the dice of one are those of the others."""
        for first in range(0, missions, STRETCH):
            for at in range(len(self.starts)):
                yield Stretch(at, self.seed, first, min(first + STRETCH, missions))


def of_the_book(pack: Pack, facts: Collection[str]) -> list[str]:
    """The figures that only the player's own book has, of facts that nobody has said."""
    return sorted(name for name in facts if pack.sheet.declared(name).section == "book")


def start_of(mission: Mission) -> Start:
    """Where a mission stands."""
    pending = list(mission.pending)
    return Start(mission.game.name, dict(mission.state), pending, mission.journal.stand, mission.number or 1)


def _decision(mission: Mission) -> ChoiceQuestion | None:
    """The decision that waits, where it leaves several options and is not one of many (which gun fires at whom)."""
    item = mission.waiting()
    if item is None or item.kind != "choose" or len(decisions(mission)) > 1:
        return None
    trial = rehearsal(mission)
    trial.noting = True
    question = trial.question(item)
    return question if isinstance(question, ChoiceQuestion) else None


def supposed(mission: Mission, given: Mapping[str, Value]) -> Mission:
    """The mission to be forecast, with these facts on its sheet; the one of a campaign is not touched.

    Raises a Problem where it is over, or where a fact has no place on the sheet.
    """
    fields = mission.game.sheet.fields
    trial = rehearsal(mission)
    trial.number = mission.number or 1
    for name in given:
        if name not in fields:
            raise Problem(f"{name} is not on the sheet; a forecast takes its fields, as companion set does")
    if given:
        trial.write(given)
    following = rehearsal(trial)
    if following.waiting() is None and not following.advance():
        raise Problem(f"the {mission.game.sheet.flight} is over; nothing is left to forecast")
    return trial
