"""`python -m tests.book [GAME…]`: the register of rules as a table, and how far it is."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from tests.book import register


def main(named: list[str]) -> int:
    """Print the books that are named, or all of them."""
    wide = 160 if not sys.stdout.isatty() else None
    out = Console(highlight=False, emoji=False, markup=False, width=wide)
    for game in named or register.games():
        if game not in register.games():
            print(f"there is no book {game}; there are {', '.join(register.games())}", file=sys.stderr)
            return 2
        table = Table("section", "what it demands", "tests", title=register.title(game), title_justify="left")
        for each in register.sections(game):
            tests = "\n".join(test.removeprefix("games/") for test in register.tests_of(each.name))
            without = f"(needs none: {each.none})" if each.none else f"(open) {each.open}"
            table.add_row(each.name.partition(" ")[2], each.demands or without, tests)
        out.print(table)
    for game in named or register.games():
        proved, none, left = register.count(game)
        out.print(f"{game}: {proved + none + left} sections, {proved} with tests, {none} need none, {left} open")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
