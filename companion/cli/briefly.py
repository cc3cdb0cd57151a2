"""What a long move came to, told in few lines: a paragraph a table, and the sum of what changed on the sheet."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from companion.play.ahead import decisions
from companion.render.lines import of_what
from companion.render.results import binding, bindings_of, told_changes
from companion.words import counted

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.play.mission import Mission
    from companion.store.session import Session

SCREEN = 20  # lines between two questions
LEAST = 5  # lines that a move has in any case
MOST_ROLLS = 6  # lines of the rolls that are asked for together
IN_COLUMNS = 9  # options from which they stand beside each other


def room(mission: Mission, below: int) -> int:
    """How many lines there are for what a move came to, above so many others and the next question."""
    item = mission.waiting() or {}
    lines = 3 + min(MOST_ROLLS, sum("roll" in each for each in mission.pending))
    if "choose" in item:
        items = decisions(mission)
        index = mission.game.about.get("at-table", {}).get("wave", {}).get("index", "")
        if len(items) > 1:
            many = {str(each.bind.get(index)) for item in items for each in mission.options(item)}
            lines = 5 + len(many)
        else:
            lines = 2 + min(IN_COLUMNS, len(mission.options(item)))
    return max(LEAST, SCREEN - below - lines)


def lines_of(tell: Callable[[Console], None], width: int) -> int:
    """How many lines something takes on a console of that width."""
    page = io.StringIO()
    tell(Console(file=page, width=width, color_system=None, highlight=False, markup=False, emoji=False))
    return page.getvalue().count("\n")


def briefly(results: Sequence[Result], session: Session, out: Console, most: int) -> None:
    """The results in paragraphs; what still has no room is counted, and stands in the log. What became of a man is told
    in any case, and so are the last row and what the last steps say, which have led to the question."""
    rolled = _wrapped(_rows(results, session), out)
    lines = [*rolled, *_wrapped([*_changes(results, session), *_notes(results)], out)]
    if len(lines) > most:
        fates = _fates(results, session)
        men = _wrapped([(fates, 2)] if fates else [], out)
        last = _wrapped(_rows([each for each in results if not each.step][-1:], session), out)
        says = _wrapped(_notes(_last_steps(results)), out)
        shown = max(0, most - 1 - len(men) - len(says))
        if shown < len(rolled):
            shown = max(0, shown - len(last))
        else:
            last = []
        last += says
        more = Text(f"  … {counted(len(lines) - shown - len(last), 'line')} more in the log", style="dim")
        lines = [*lines[:shown], *men, more, *last]
    for line in lines:
        line.rstrip()
        out.print(line, no_wrap=True, overflow="ellipsis")


def _last_steps(results: Sequence[Result]) -> list[Result]:
    """The steps behind the last roll or decision."""
    return list(reversed(list(takewhile(lambda each: each.step, reversed(results)))))


def _wrapped(paragraphs: Sequence[tuple[Text, int]], out: Console) -> list[Text]:
    return [
        line
        for paragraph, indent in paragraphs
        for line in _indented(paragraph.wrap(out, out.width - indent - 2), indent)
    ]


def _indented(lines: Iterable[Text], indent: int) -> list[Text]:
    return [Text(" " * (indent if at == 0 else indent + 2)).append_text(line) for at, line in enumerate(lines)]


def _rows(results: Sequence[Result], session: Session) -> list[tuple[Text, int]]:
    """`B-5 Where the shells strike – fighter 1: Tail; Waist; fighter 4: Nose`, a paragraph for each run of a table."""
    runs: list[tuple[str, str, list[str]]] = []
    whom = ""
    for result in results:
        row = result.text or session.pack.sheet.read_out(result.outcome)
        if result.step:
            continue
        head = "→" if result.decision else session.pack.table(result.table).called
        about = binding(bindings_of(result, session), session.pack).removeprefix(" – ") if not result.decision else ""
        dice = f"{result.net} " if result.dice else ""
        if result.decision and result.settled and (what := of_what(result)):
            row = f"{what.rstrip()}: {row}"
        if not runs or runs[-1][0] != head:
            runs.append((head, about, []))
            whom = about
            runs[-1][2].append(f"{about}: {dice}{row}" if about else f"{dice}{row}")
        else:
            runs[-1][2].append(f"{about}: {dice}{row}" if about != whom else f"{dice}{row}")
            whom = about
    return [
        (Text.assemble((head, "dim"), " " if head == "→" else " – ", ("; ".join(rows), "green")), 2)
        for head, _, rows in runs
    ]


def _fates(results: Sequence[Result], session: Session) -> Text:
    """What has become of the men, each with what was last written of him: `serious: Copilot; KIA: Pilot, Navigator`."""
    sheet, men = session.pack.sheet, dict[str, str]()
    lost = str(session.pack.about.get("log", {}).get("lost", ""))
    for result in results:
        for name, _, after in result.shown:
            family, _, position = name.rpartition(".")
            if f"{family}[position]" in lost and position in sheet.index["position"] and after not in ("", "none"):
                men[position] = sheet.say(name, after)
    fates: dict[str, list[str]] = {}
    for position, fate in men.items():
        fates.setdefault(fate, []).append(sheet.label("position", position))
    return Text("; ".join(f"{fate}: {', '.join(names)}" for fate, names in fates.items()), style="bold yellow")


def _changes(results: Sequence[Result], session: Session) -> list[tuple[Text, int]]:
    """What changed in all, each field once: as it was before all this, and as it is now."""
    told = told_changes(results, session)
    return [(Text("; ".join(told), style="yellow"), 4)] if told else []


def _notes(results: Sequence[Result]) -> list[tuple[Text, int]]:
    """Standing rules that spoke, each once."""
    notes = dict.fromkeys(note for result in results for note in result.notes)
    return [(Text.assemble((text, "magenta"), (f"  {cite}" if cite else "", "dim")), 2) for text, cite in notes]
