"""The journal as text: an entry in a line, all rolls of a mission for the sheet."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.fields import Value
from companion.engine.sheet import Sheet
from companion.play.journal import Entry, settled


def line(entry: Entry, sheet: Sheet) -> str:
    """One entry in a line, the fields by their labels: `5-9: 4,4 +1 = 9 hit`."""
    changes_line = changed(entry, sheet)
    if entry["v"] == "ask":
        return changes_line or f"{sheet.text(entry['t'])}: {entry.get('o', '')}"
    head = entry["v"] if entry["t"] == entry["v"] else f"{entry['v']} {entry['t']}"
    if entry["v"] == "done":
        struck = entry.get("p", [0, [], []])[1]
        head = f"done: {'; '.join(each['order'] for each in struck if 'order' in each)}"
    elif entry["v"] in ("roll", "choose"):
        dice = ",".join(map(str, entry.get("d", [])))
        added = "".join(f" {add:+d}" for _, add in entry.get("m", []))
        net = f" = {entry['net']}" if entry.get("m") and "net" in entry else ""
        bind = "".join(f" [{name} {value}]" for name, value in entry.get("b", {}).items() if name in ("fighter", "gun"))
        head = " ".join(f"{entry['t']}{bind}: {dice}{added}{net} {entry.get('o', '')}".split())
    return f"{head}  {changes_line}" if changes_line else head


def entry_line(entry: Entry, sheet: Sheet) -> str:
    """One entry in a line for the player who takes it back: a step has no name of its own."""
    if entry["v"] != "step":
        return line(entry, sheet)
    changes_line = changed(entry, sheet)
    return f"the step  {changes_line}" if changes_line else "the step"


def changed(entry: Entry, sheet: Sheet) -> str:
    """What an entry changed on the sheet; of the working fields only those that the player wrote himself."""
    by_hand = entry["v"] in ("set", "mark", "erase")
    changed_fields = []
    for name, pair in entry.get("c", {}).items():
        declared = sheet.fields.get(name)
        if declared is None or (declared.section == "working" and not by_hand):
            continue
        before, after = (written(declared.blank if value is None else value) for value in pair)
        if before != after:
            changed_fields.append(f"{sheet.text(name)}: {before} → {after}")
    return "; ".join(changed_fields)


def written(value: Value | None) -> str:
    """A value as a line shows it, a dash for nothing."""
    return "–" if value in (None, "") else str(value)


def rolls(entries: Sequence[Entry], sheet: Sheet) -> list[str]:
    """Every roll and decision in a line without what it changed, which the sheet shows; marks by hand as they are."""
    asked = [(number, entry) for number, entry in enumerate(entries, 1) if not settled(entry)]
    lines = [
        f"{number} {_asked(entry, sheet) or line({**entry, 'c': {}} if 'o' in entry else entry, sheet)}"
        for number, entry in asked
    ]
    lines = [each.replace("[fighter ", "#").replace("[gun ", "").replace("]", "") for each in lines]
    return [each.replace("; ", ";").replace(";", "; ") for each in lines]


def _asked(entry: Entry, sheet: Sheet) -> str:
    """A question with its answer: `Target zone: 12`."""
    return f"{sheet.text(entry['t'])}: {entry['o']}" if entry["v"] == "ask" and "o" in entry else ""
