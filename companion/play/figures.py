"""Figures with what is known of them: a share of many missions, a mean, each with its 95 percent interval."""

from __future__ import annotations

from math import sqrt

SURE = 1.959964  # standard deviations to either side that hold 95 in 100


class Share:
    """How often something came about, `hits` times of `of`."""

    def __init__(self, hits: int = 0, of: int = 0) -> None:
        self.hits, self.of = hits, of

    def add(self, hits: int, of: int) -> None:
        """So many more."""
        self.hits += hits
        self.of += of

    @property
    def p(self) -> float:
        """How likely it is."""
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true chance lies, 95 times in 100 (Wilson).

        >>> [round(end, 3) for end in Share(0, 100).interval], [round(end, 3) for end in Share(50, 100).interval]
        ([0.0, 0.037], [0.404, 0.596])
        """
        if not self.of:
            return 0.0, 1.0
        p, more = self.p, SURE * SURE / self.of
        middle, reach = p + more / 2, sqrt(p * (1 - p) * more + more * more / 4)
        low, high = (middle - reach) / (1 + more), (middle + reach) / (1 + more)
        return 0.0 if not self.hits else low, 1.0 if self.hits == self.of else high


class Mean:
    """A figure as it is on average: from the sum of the figures and of their squares, and the least of them."""

    def __init__(self, total: int = 0, squares: int = 0, of: int = 0, least: int = 0) -> None:
        self.total, self.squares, self.of, self.least = total, squares, of, least

    def add(self, total: int, squares: int, of: int, least: int) -> None:
        """So many more."""
        self.least = min(self.least, least) if self.of else least
        self.total += total
        self.squares += squares
        self.of += of

    @property
    def mean(self) -> float:
        """The average."""
        return self.total / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true average lies, 95 times in 100; what is never below nothing is not so on average."""
        if self.of < 2:
            return self.mean, self.mean
        spread = max(0.0, self.squares - self.total * self.total / self.of) / (self.of - 1)
        reach = SURE * sqrt(spread / self.of)
        low = self.mean - reach
        return max(low, 0.0) if self.least >= 0 else low, self.mean + reach
