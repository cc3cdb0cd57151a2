"""An entry of the journal as a line that a player reads: no key, no slug, the tables by number and title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.play.journal import Entry
from companion.problems import Problem
from companion.words import headed, unhyphened

if TYPE_CHECKING:
    from companion.engine.fields import Value
    from companion.engine.resolution import Result
    from companion.packs import Pack

BY_HAND = {"set": "by hand", "mark": "marked", "erase": "erased"}


def undone(entries: Sequence[Entry], pack: Pack) -> list[str]:
    """What was taken back at once, the last first: the decisions of a plan in one line, all else by itself."""
    told = [in_words(each, pack) for each in entries]
    if len(entries) < 2 or any((each["v"], each["t"]) != ("choose", entries[0]["t"]) for each in entries):
        return told
    return [f"{told[0].partition(' – ')[0]}, the whole plan of {len(told)}"]


def in_words(entry: Entry, pack: Pack, result: Result | None = None) -> str:
    """One entry in a line: `5-9 Fighter hits? – Tail guns, fighter 1: 4+4 +1 = 9, Fighter hit  Fighters: 0 → 1`.

    `result` is what it came to when it was worked out once more; without it the line has the row instead of its text.
    """
    verb = entry["v"]
    if verb == "step":
        head = _step(entry, pack, result)
    elif verb == "done":
        struck = entry.get("p", [0, [], []])[1]
        head = f"done: {'; '.join(each['order'] for each in struck if 'order' in each)}"
    elif verb == "ask":
        head = f"{pack.sheet.text(entry['t'])}: {pack.sheet.say(entry['t'], entry.get('o', ''))}"
    elif verb == "choose":
        head = f"{_choice(entry, pack, result)}: {_row(entry, pack, result)}"
    elif verb == "roll":
        head = _roll(entry, pack, result)
    else:
        head = str(BY_HAND.get(verb, verb))
    told = "; ".join(changes(entry, pack, but=entry["t"] if verb == "ask" else ""))
    return f"{head}  {told}" if told else head


def bound(bind: Mapping[str, Value], pack: Pack) -> str:
    """Which fighter, gun or man is meant."""
    labels: dict[str, None] = {}
    for name, value in bind.items():
        has = pack.sheet.index.get(name, {}).get(str(value))
        if has is not None:
            numbered = f"{name} {value}" if str(value).isdigit() else unhyphened(str(value))
            labels[pack.sheet.label(name, str(value)) if "label" in has else numbered] = None
    return f" – {', '.join(labels)}" if labels else ""


def changes(entry: Entry, pack: Pack, but: str = "") -> Iterator[str]:
    """What an entry changed on the sheet; of the working fields only those that the player wrote himself."""
    sheet = pack.sheet
    changed: Mapping[str, tuple[Value | None, Value | None]] = entry.get("c", {})
    by_hand: Mapping[str, Any] = (entry.get("w") or changed) if entry["v"] in BY_HAND else {}
    gone = {
        _slot(name) for name, (_, after) in changed.items() if after in (None, "none") and sheet.tells_presence(name)
    }
    for name, (was, now) in changed.items():
        declared = sheet.fields.get(name)
        if declared is None or name == but or (declared.section == "working" and name not in by_hand):
            continue
        if _slot(name) in gone and not sheet.tells_presence(name):  # it went with what it was about
            continue
        before = declared.blank if was is None else was
        after = declared.blank if now is None else now
        if before != after:
            yield f"{sheet.text(name)}: {_written(name, before, pack)} → {_written(name, after, pack)}"


def _slot(name: str) -> str:
    return name.rpartition(".")[0]


def _written(name: str, value: Value, pack: Pack) -> str:
    return "–" if value == "" else pack.sheet.say(name, value)


def _row(entry: Entry, pack: Pack, result: Result | None) -> str:
    if result is not None and result.text:
        return result.text
    for index in sorted(pack.among(entry["t"])) if entry["v"] == "choose" else ():
        if str(entry.get("o", "")) in pack.sheet.index[index]:
            return pack.sheet.label(index, str(entry["o"]))
    return pack.sheet.read_out(str(entry.get("o", "")))


def _step(entry: Entry, pack: Pack, result: Result | None) -> str:
    if result is not None and result.title:
        return f"── {result.title}"
    place = pack.sequence.place.get(entry["t"])
    step = pack.sequence.steps[place] if place is not None else None
    title = str(step.spec.get("title", "")) if step is not None else ""
    return f"── {title}" if title and "{" not in title else "── the next step"


def _choice(entry: Entry, pack: Pack, result: Result | None) -> str:
    among = pack.among(entry["t"])
    whom = bound({name: value for name, value in entry.get("b", {}).items() if name not in among}, pack)
    if result is not None and result.title:
        return result.title.rstrip("?:.")
    title = str(pack.choice(entry["t"]).get("title", "")) if pack.has_choice(entry["t"]) else ""
    return (title.rstrip("?:.") if title and "{" not in title else unhyphened(entry["t"]).capitalize()) + whom


def _roll(entry: Entry, pack: Pack, result: Result | None) -> str:
    try:
        called = pack.table(entry["t"]).called
    except Problem:  # a table that there is no more
        called = entry["t"]
    dice = "+".join(map(str, entry.get("d", [])))
    added = "".join(f" {add:+d}" for _, add in entry.get("m", []))
    net = f" = {entry['net']}" if entry.get("m") and "net" in entry else ""
    total = f"{dice}{added}{net}" if dice or net else ""
    told = ", ".join(filter(None, (total, _row(entry, pack, result))))
    return headed(f"{called}{bound(entry.get('b', {}), pack)}", told)
