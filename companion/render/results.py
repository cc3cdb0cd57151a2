"""What a roll, a decision and what is pending come to, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.sheet import Member, Sheet
from companion.words import headed, unhyphened

if TYPE_CHECKING:
    from companion.engine.game import Game
    from companion.engine.resolution import Result
    from companion.engine.work import Item
    from companion.packs import Pack
    from companion.store.session import Session


def assumed(result: Result, session: Session) -> str:
    """The facts that nobody has said, by their labels, with what they were taken for."""
    sheet = session.pack.sheet
    return ", ".join(
        f"{sheet.text(name)} {'none' if value == '' else sheet.say(name, value)}"
        for name, value in result.assumed.items()
    )


def bindings_of(result: Result, session: Session) -> Mapping[str, Value]:
    """What a roll was for: what was bound, and the only fighter there where the table asks about one; not where it
    goes through all of them (`for fighter`, `some fighter (…)`)."""
    sheet, bindings = session.pack.sheet, dict(result.bind)
    alone = [name for name, known in sheet.known.items() if isinstance(known, Member) and known.text]
    for name in [each for each in alone if each not in bindings]:
        doc = session.pack.table(result.table).doc
        through_all = re.compile(rf"\b(for|some|no|every|count) {name}\b")
        parts = [part for part in sentences(doc) if not through_all.search(part)]
        if any(each.startswith(f"{name}.") for part in parts for each in sheet.names_in(part)):
            bindings[name] = Facts(sheet, session.mission.state)[name]
    return bindings


def sentences(part: object) -> Iterator[str]:
    """Every text that stands in a table's file."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping | list):
        for each in part.values() if isinstance(part, Mapping) else part:
            yield from sentences(each)


def changed(result: Result, session: Session, but: str = "") -> list[tuple[str, str]]:
    """What a player can see on the sheet that was not so before: the label, and before and after."""
    working = {name for name, _, _ in result.shown if _section(session.pack, name) == "working"}
    sheet = session.pack.sheet
    emptied = tuple(_slot(name) for name, _, after in result.shown if after == "none" and sheet.tells_presence(name))
    return [
        (sheet.text(name), f"{_blank(sheet, name, before)} → {_blank(sheet, name, after)}")
        for name, before, after in result.shown
        # a fighter that is gone takes its clock, angle and pilot with it
        if not (name in working or name == but or (_slot(name) in emptied and not sheet.tells_presence(name)))
    ]


def news(result: Result, session: Session, but: str = "") -> list[str]:
    """The changes that are told in flight: not those that the line of the state or the wave shows anyhow."""
    quiet = session.pack.about.get("at-table", {}).get("quiet", ())
    places, gone_along = exchanged(result.shown, session.pack.sheet)
    silent = {name for name, _, _ in result.shown if name in quiet or name.partition(".")[0] in quiet}
    labels = {session.pack.sheet.text(name) for name in silent | gone_along}
    return places + [f"{label}: {change}" for label, change in changed(result, session, but) if label not in labels]


def exchanged(shown: Sequence[tuple[str, Value, Value]], sheet: Sheet) -> tuple[list[str], set[str]]:
    """Who has changed places, a line for each two, and the fields that say nothing else: what one has now that the
    other had. Who is better off than the man whose seat it was takes his place (B-29 7.6, B-17 14.1)."""
    fields = {name: (before, after) for name, before, after in shown}
    left = [each for each in sheet.index.get("position", ()) if f"seat.{each}" in fields]
    lines: list[str] = []
    gone_along: set[str] = set()
    while left:
        one = left.pop(0)
        for other in left:
            was, now = fields[f"seat.{one}"], fields[f"seat.{other}"]
            if (was[0] if was[0] != "none" else one, was[1]) != (now[1], now[0] if now[0] != "none" else other):
                continue
            left.remove(other)
            gone_along |= {f"seat.{one}", f"seat.{other}"}
            for name in [name for name in fields if name.endswith(f".{one}")]:
                twin = f"{_slot(name)}.{other}"
                if fields[name] == fields.get(twin, ())[::-1]:
                    gone_along |= {name, twin}
            lines.append(_places(one, other, fields, sheet))
            break
    return lines, gone_along


def _places(one: str, other: str, fields: Mapping[str, tuple[Value, Value]], sheet: Sheet) -> str:
    first, second = (f"the {sheet.label('position', each)}" for each in (one, other))
    worse = list(sheet.fields[f"crew.{one}"].values) if f"crew.{one}" in sheet.fields else []
    crew, frozen = (fields.get(f"{name}.{one}", ("", "")) for name in ("crew", "frostbite"))
    before, after = ((frozen[at] == "yes", worse.index(str(crew[at])) if crew[at] in worse else -1) for at in (0, 1))
    if before == after:
        sat = [str(fields[f"seat.{each}"][0]) for each in (one, other)]  # who sat there need not be whose seat it is
        men = [each if man == "none" else man for each, man in zip((one, other), sat, strict=True)]
        return f"The {sheet.label('position', men[0])} and the {sheet.label('position', men[1])} change places"
    if before < after:
        first, second = second, first
    return f"T{second[1:]} takes {first}'s place"


def told_changes(results: Sequence[Result], session: Session) -> list[str]:
    """What several moves changed in all, as it is told in flight: each field with what it was before the first."""
    sheet = session.pack.sheet
    quiet = session.pack.about.get("at-table", {}).get("quiet", ())
    whole: dict[str, tuple[Value, Value]] = {}
    for result in results:
        for name, before, after in result.shown:
            but = name == result.table and result.decision
            if not (
                but or name in quiet or name.partition(".")[0] in quiet or _section(session.pack, name) == "working"
            ):
                whole[name] = (whole.get(name, (before, after))[0], after)
    places, gone_along = exchanged([(name, *pair) for name, pair in whole.items()], sheet)
    groups: dict[str, list[str]] = {}
    for name, (before, after) in whole.items():
        if before != after and name not in gone_along:
            label, change = sheet.text(name), f"{_blank(sheet, name, before)} → {_blank(sheet, name, after)}"
            head, comma, member = label.partition(", ")
            groups.setdefault(f"{head}, " if comma else "", []).append(f"{member if comma else label}: {change}")
    return places + [f"{head}{', '.join(each)}" if head else "; ".join(each) for head, each in groups.items()]


def _section(pack: Pack, name: str) -> str:
    declared = pack.sheet.fields.get(name)
    return declared.section if declared else ""


def _slot(name: str) -> str:
    return name.rpartition(".")[0]


def _blank(sheet: Sheet, name: str, value: Value | None) -> str:
    return "–" if value in ("", None) else sheet.say(name, value or 0)


def pending_line(item: Item, pack: Pack, state: Mapping[str, Value] | None = None) -> str:
    """A pending thing in words: `5-10 Shell hits: roll 2D`; `state` fills the braces of a decision's title."""
    if "order" in item:
        return f"{item['order']} ({item['cite']})" if item.get("cite") else str(item["order"])
    from companion.engine.rules import words

    bound = binding(whom_of(item, pack), pack)
    if "choose" in item:
        choice = pack.choice(item["choose"]) if pack.has_choice(item["choose"]) else {}
        title = str(choice.get("title", ""))
        if state is not None and "#title" in choice:
            title = words(choice, "title", Facts(pack.sheet, state, item.get("bind", {})))
        return f"{title or item['choose'].replace('-', ' ')}{bound}"
    if "ask" in item:
        return f"{pack.sheet.text(item['ask'])}?"
    table = pack.table(item["roll"])
    if "take" in item:
        return headed(table.called, f"row {item['take']}, no dice{bound}")
    how = "no dice" if table.dice.count == 0 else f"roll {table.dice.name}"
    if table.owner and not table.columns:
        facts = Facts(pack.sheet, state or {}, item.get("bind", {}))
        how = words(table.doc, "owner", facts) if table.question else f"{how}, from your own book"
    return headed(table.called, f"{how}{bound}")


def joined(orders: Sequence[str]) -> list[str]:
    """Orders as they are told: what is ordered for each of several men or rooms is one line.

    >>> joined(["Pilot: no oxygen, down", "Out of fuel", "Navigator: no oxygen, down"])
    ['Pilot, Navigator: no oxygen, down', 'Out of fuel']
    """
    heads: dict[str, list[str]] = {}
    for order in orders:
        head, colon, what = order.partition(": ")
        heads.setdefault(f"{colon}{what}" if colon else order, []).extend([head] if colon else [])
    return [f"{', '.join(names)}{what}" for what, names in heads.items()]


def whom_of(item: Item, pack: Pack) -> Mapping[str, Value]:
    """Whom a pending thing is about: a decision about an aircraft is not about the one that was bound before it."""
    among = pack.among(item["choose"]) if "choose" in item else ()
    return {name: value for name, value in item.get("bind", {}).items() if name not in among}


def binding(
    bind: Mapping[str, Value], pack: Game | Pack, described: Mapping[str, str] | None = None, title: str = ""
) -> str:
    """Which fighter, gun, man or area is meant; what is called the same (an area, its compartment) is said once, and
    what the `title` begins with not again."""
    labels: dict[str, None] = {}
    headed = heads(title, pack)
    for name, value in bind.items():
        has = pack.sheet.index.get(name, {}).get(str(value))
        if has is not None:
            numbered = f"{name} {value}" if str(value).isdigit() else str(value)
            label = pack.sheet.label(name, str(value)) if "label" in has else numbered
            more = f" ({described[name]})" if described and name in described else ""
            if more or not heard(label, headed):
                labels[f"{label}{more}"] = None
    return f" – {', '.join(labels)}" if labels else ""


def heads(title: str, pack: Game | Pack) -> str:
    """The place, gun or man that a title begins with: `Pilot compartment` (not the Pilot) for that of its damage."""
    labels = (pack.sheet.label(name, member) for name, members in pack.sheet.index.items() for member in members)
    return max((label for label in labels if f"{title} ".startswith(f"{label} ")), key=len, default="") if title else ""


def heard(label: str, headed: str) -> bool:
    """Whether a title that begins with `headed` has named it; what has no name of its own (`aft`) in its first word.

    >>> heard("Pilot compartment", "Pilot compartment"), heard("Pilot", "Pilot compartment"), heard("aft", "Aft bay")
    (True, False, True)
    """
    return label == headed or label.islower() and headed.casefold().startswith(f"{label} ")


def whom_each(binds: Sequence[Mapping[str, Value]], pack: Game | Pack, title: str = "") -> list[str]:
    """What each of several rolls of a table is for: `top 2` where each is of another thing with a name and one with a
    number, `fighter 1` and then `2` where all are numbers of the same. The table's `title` stands before it."""
    whom = [binding(bind, pack, title=title).removeprefix(" – ") for bind in binds]
    headed = heads(title, pack)
    brief: list[str] = []
    for bind in binds:
        members = [
            str(value)
            for name, value in bind.items()
            if str(value) in pack.sheet.index.get(name, {}) and not heard(pack.sheet.label(name, str(value)), headed)
        ]
        names, numbers = (
            [each for each in dict.fromkeys(members) if each.isdigit() is digits] for digits in (False, True)
        )
        brief.append(f"{unhyphened(names[0])} {numbers[0]}" if len(names) == len(numbers) == 1 else "")
    if len(binds) > 1 and all(brief) and len({each.rpartition(" ")[0] for each in brief}) == len(brief):
        return brief
    parts = [each.rpartition(" ") for each in whom]
    if len({word for word, _, _ in parts}) == 1 and all(at.isdigit() for *_, at in parts):
        return [each if each == whom[0] else at for each, (*_, at) in zip(whom, parts, strict=True)]
    return whom
