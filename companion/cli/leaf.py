"""The Mission Log Sheet as one page at a terminal: what stands on it, section by section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from companion.cli.glance import WIDE, flowing, together
from companion.cli.present import console
from companion.engine.fields import Value
from companion.render.page import Page
from companion.words import counted

if TYPE_CHECKING:
    from companion.packs import Pack
    from companion.render.landing import Landing

PAGE = 60  # lines
REST = "companion status --all"


def show_page(title: str, pack: Pack, state: Mapping[str, Value], landings: Sequence[Landing]) -> None:
    """Print the page."""
    out = console()
    for line in page(title, pack, state, landings, min(WIDE, out.width)):
        out.print(line, no_wrap=True, overflow="ellipsis")


def page(
    title: str, pack: Pack, state: Mapping[str, Value], landings: Sequence[Landing], width: int = WIDE
) -> list[Text]:
    """The lines of the page; what it has no room for is counted at its end."""
    sheet = Page(pack.sheet, state, about=pack.about)
    lines = [*Text(title, style="bold").wrap(console(), width), Text("─" * width, style="dim")]
    for section, label in sheet.printed():
        filled = [
            (name, state[name])
            for family in sheet.families(section)
            for name in pack.sheet.expand(family)
            if name in state and state[name] != pack.sheet.fields[name].blank and not pack.sheet.free(name, state)
        ]
        lines += flowing(label, together(filled, sheet.facts), width)
    for each in landings:
        reasons = [f"{one['add']} {one['why']}" for one in each["modifiers"]]
        lines += flowing(f"{each['title']}, {each['total']}", reasons or ["nothing counts"], width)
    if len(lines) > PAGE:
        over = len(lines) - PAGE + 1
        lines = [*lines[: PAGE - 1], Text(f"… {counted(over, 'line')} more: {REST}", style="dim")]
    return lines
