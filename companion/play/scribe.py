"""Writing a mission down as a script that replays it."""

from __future__ import annotations

import re

from companion.engine.fields import Strange, Value, insisted
from companion.engine.pending import Pending
from companion.engine.sheet import Sheet
from companion.play.conversation import move
from companion.play.journal import Entry, settled
from companion.play.mission import Mission, stood
from companion.play.script import BY_HAND, REMARK, OutOfLines, Script
from companion.problems import Problem


def lines(mission: Mission) -> list[str]:
    """The script that replays a mission's journal on the sheet it began with.

    Each line is tried out as it is written; a remark stands before one that does not come to what was recorded (a
    table has changed since).
    """
    entries = mission.journal.entries[: mission.journal.stand]
    twin, written, quiet = stood(mission, 0), list[str](), 0
    while (at := twin.journal.stand) < len(entries):
        alone, answer = settled(entries[at]), list[str]()
        try:
            answer = ["go on"] if alone else _lines_of(entries[at], twin)
            script = Script("\n".join(answer))
            script.acts(twin)
            if script.at < len(script.lines) and twin.waiting() is not None:
                move(twin, script)
            same = script.at == len(script.lines) and _same(twin.journal.entries[at:], entries[at:])
        except (Problem, LookupError, StopIteration, TypeError, ValueError):  # an entry may lack what its verb needs
            same = False
        if not same:
            written.append(f"# entry {at + 1} comes to something else when it is replayed")
            twin = stood(mission, at + 1)
        if alone:
            quiet += 1
            continue
        if answer and answer[0].partition(" ")[0] in BY_HAND:
            written += ["go on"] * quiet
        written += answer
        quiet = 0
    return [*written, *["go on"] * quiet, "end"] if _goes_on(twin) else written


def _same(replayed: list[Entry], recorded: list[Entry]) -> bool:
    """Whether entries are those recorded, whatever was said in one line (`j`)."""
    pairs = zip(replayed, recorded, strict=False)
    return 0 < len(replayed) <= len(recorded) and all({**one, "j": 0} == {**other, "j": 0} for one, other in pairs)


def _goes_on(twin: Mission) -> bool:
    """Whether a replay would do more by itself when the lines are used up, or stumble over what waits."""
    try:
        return bool(move(twin, Script("")))
    except OutOfLines:
        return False
    except Problem:
        return True


def _lines_of(entry: Entry, twin: Mission) -> list[str]:
    """One entry as lines; `twin` is the mission just before it."""
    verb, changed, sheet = entry["v"], entry.get("c", {}), twin.game.sheet
    if verb == "set":
        written = entry.get("w") or {name: after for name, (_, after) in changed.items() if after is not None}
        facts = [_fact(name, value, sheet) for name, value in written.items()]
        return [f"{'and' if at else 'set'} {fact}" for at, fact in enumerate(facts)]
    if verb in ("mark", "erase"):
        name, (before, after) = next(iter(changed.items()))
        before = twin.game.sheet.fields[name].blank if before is None else before
        return [f"{verb} {name} {abs(after - before)}"]
    if verb == "done":
        place, (stored, *_), _ = entry["p"]
        struck = Pending.of(stored)
        of_it = [item for item in twin.pending[:place] if (item.kind == "order") == (struck.kind == "order")]
        return [f"{'done' if struck.kind == 'order' else 'skip'} {len(of_it) + 1}"]
    given = [f"with {_fact(name, value, sheet)}" for name, value in entry.get("w", {}).items()]
    item = twin.waiting()
    taken = [Pending.of(each) for each in entry["p"][1]] if "p" in entry else []
    if verb == "choose" and not (item and item.is_for("choose", entry["t"]) and item in taken):
        bound = [f"{name}={value}" for name, value in entry.get("b", {}).items()]
        return [f"{' '.join(['choose', entry['t'], *bound])}: {entry['o']}"]
    if verb != "roll":
        answer = str(entry["o"])
        if given or (item and item.kind == "choose" and len(twin.options(item)) == 1):
            return [*given, f"roll: = {answer}"]
        if verb == "ask":
            answer = _named(entry["t"], answer, sheet)
        raw = "= " if verb == "ask" and (REMARK.search(f" {answer}") or answer.startswith("=")) else ""
        return [f"{_label(entry)}: {raw}{answer}"]
    return [*given, _roll(entry, item, twin)]


def _roll(entry: Entry, item: Pending | None, twin: Mission) -> str:
    table, dice = twin.game.table(entry["t"]), ",".join(map(str, entry.get("d", [])))
    row_said = entry.get("s")
    own_row = row_said if isinstance(row_said, str) else str(entry["o"])
    try:
        table.hear(own_row)
    except Strange:
        own_row = insisted(own_row)
    row = f" = {own_row}" if row_said or table.unwritten else ""
    asked = item is not None and item.is_for("roll", entry["t"]) and "w" not in entry
    untold = table.dice.count != 0 and "net" not in entry  # the row was said and no dice
    bare = not dice and (not row or untold)
    return f"{_label(entry) if asked and not bare else 'roll ' + str(entry['t'])}: {dice}{row}".rstrip()


def _label(entry: Entry) -> str:
    words = [str(entry["b"][key]) for key in ("fighter", "gun", "position", "area") if key in entry.get("b", {})]
    return " ".join([entry["t"], *words])


def _named(name: str, value: str, sheet: Sheet) -> str:
    """A value that was taken for a field, to be taken again: a name that is not known has `=` before it."""
    declared = sheet.declared(name) if name in sheet.known else None
    try:
        return value if declared is None or not declared.words or declared.accept(name, value) == value else f"={value}"
    except Problem:
        return f"={value}"


def _fact(name: str, value: Value, sheet: Sheet) -> str:
    """A fact as a line takes it: a value with blanks stands apart, and nothing in it is a remark."""
    value = _named(name, str(value), sheet)
    return f"{name} = {value}" if re.search(r"\s", str(value)) else f"{name}={value}"
