"""The status screen: one look at the bomber, 80 columns wide."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from companion.cli.present import console, said
from companion.cli.session import Session
from companion.sheet import Facts, Field

GOOD, BAD = "green", "bold red"


def show_status(found: Session) -> None:
    """Print the screen."""
    out = console()
    sheet, facts = found.pack.sheet, Facts(found.pack.sheet, found.mission.state)
    head = f"{found.campaign.name if found.campaign else ''} · {found.pack.about.get('title', found.pack.name)}"
    out.print(Text.assemble((head, "bold"), f" · mission {facts['mission.number']}"))
    groups = found.pack.about.get("status", {})
    for line in groups.get("lines", ()):
        told = [
            _word(name, sheet.fields.get(name), facts) for name in line if _worth(name, sheet.fields.get(name), facts)
        ]
        for row in _rows(told, out.width):
            out.print(Text("  ").join(row))
    names = groups.get("boxes", ())
    wide = max((len(sheet.text(name)) for name in names), default=0)
    for name in names:
        out.print(boxes(sheet.text(name).ljust(wide), int(facts[name]), sheet.fields[name].limit or 0))
    _people(found, facts, out)
    _troubles(found, facts, out)
    if found.mission.pending:
        state = found.mission.state
        listed = [(("!" if "order" in item else "›"), said(item, found.pack, state)) for item in found.mission.pending]
        lines = [Text(f"{mark} {words}") for mark, words in listed]
        out.print(Panel(Group(*lines), title="Pending", title_align="left", width=min(80, out.width)))


def _rows(told: list[Text], width: int) -> list[list[Text]]:
    """As many to a line as there is room for; a label never loses its value to the next line."""
    rows: list[list[Text]] = []
    used = width
    for each in told:
        used += 2 + each.cell_len
        if used > width:
            rows.append([])
            used = each.cell_len
        rows[-1].append(each)
    return rows


def _worth(name: str, declared: Field | None, facts: Facts) -> bool:
    return facts[name] not in ("", "none") or declared is None


def _word(name: str, declared: Field | None, facts: Facts) -> Text:
    label = facts.sheet.text(name)
    return Text.assemble((f"{label} ", "dim"), str(facts[name]))


def boxes(label: str, crossed: int, limit: int) -> Text:
    """A row of boxes, crossed from the left, in groups of five."""
    text = Text(f"{label} ", no_wrap=True, overflow="crop")
    for at in range(limit):
        text.append("☒" if at < crossed else "☐", style="dim" if at < crossed else "")
        if at % 10 == 9:
            text.append(" ")
    text.append(f" {limit - crossed} left")
    return text


def _people(found: Session, facts: Facts, out: Console) -> None:
    sheet = found.pack.sheet
    if not any(index in sheet.index for index in ("position", "engine", "gun")):
        return
    grid = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    breathes = any(name.startswith("oxygen.") for name in sheet.fields)
    for title in ("Crew", "", "", "oxygen" if breathes else ""):
        grid.add_column(title)
    for position, has in sheet.index.get("position", {}).items():
        state = str(facts[f"crew.{position}"])
        told = [state] + [word for word in ("frostbite",) if facts.get(f"{word}.{position}") == "yes"]
        hits = int(facts[f"oxygen.{position}"]) if f"oxygen.{position}" in sheet.fields else 0
        grid.add_row(
            Text(str(has.get("label", position))),
            Text(str(facts[f"name.{position}"]) if f"name.{position}" in sheet.fields else "", style="dim"),
            Text(", ".join(told), style=GOOD if state == "ok" else BAD),
            Text("☒" * hits + "☐" * (2 - hits) if breathes else "", style=BAD if hits == 2 else "dim"),
        )
    side = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    side.add_column("Engines and guns")
    side.add_column("")
    for index in ("engine", "gun"):
        for member, has in sheet.index.get(index, {}).items():
            value = str(facts[f"{index}.{member}"])
            label = str(has.get("label", f"{index.capitalize()} {member}"))
            side.add_row(label, Text(value, style=GOOD if value == "ok" else BAD))
    out.print(Columns([grid, side], padding=(0, 4)))


def _troubles(found: Session, facts: Facts, out: Console) -> None:
    """Everything that is no longer as it left the base, by section of the sheet."""
    sheet, state = found.pack.sheet, found.mission.state
    shown = {"working", "book", "engines", "guns", "crew", "oxygen", "header", "flight", "formation", "zones"}
    named = {name for line in found.pack.about.get("status", {}).get("lines", ()) for name in line}
    named |= set(found.pack.about.get("status", {}).get("boxes", ()))
    told: dict[str, list[str]] = {}
    for name, declared in sheet.fields.items():
        if declared.section == "settings" and declared.default is None:
            continue  # an answer kept for the campaign: `companion campaign` lists them
        if name in state and state[name] != declared.blank and declared.section not in shown and name not in named:
            told.setdefault(declared.section, []).append(f"{sheet.text(name)} {state[name]}")
    for section, words in told.items():
        out.print(Text.assemble((f"{sheet.sections.get(section, section)}: ", "yellow"), "; ".join(words)))
