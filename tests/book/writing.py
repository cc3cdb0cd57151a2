"""Notation for the figures of the rulebooks: net rolls and outcomes, in ranges without gaps."""

Facts = dict[str, str | int]
Nets = dict[int, str]
Cell = tuple[str, Facts, Nets]


def span(lo: int, hi: int, outcome: str) -> Nets:
    """Return the same outcome for every net roll from lo to hi."""
    return dict.fromkeys(range(lo, hi + 1), outcome)


def join(*parts: Nets) -> Nets:
    """Merge ranges; an overlap or a gap is an error."""
    nets: Nets = {}
    for part in parts:
        if nets and min(part) != max(nets) + 1:
            raise ValueError(f"gap or overlap at {min(part)}")
        nets.update(part)
    return nets


def rows(first: int, *outcomes: str) -> Nets:
    """Return one outcome per row, counted up from the first row."""
    return dict(enumerate(outcomes, first))


def cell(table: str, facts: Facts, nets: Nets) -> Cell:
    return (table, facts, nets)
