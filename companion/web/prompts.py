"""What stands on the page for a question: dice to tap, options, a plan of several decisions, words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.engine.facts import FactQuestion
from companion.engine.fields import Field
from companion.engine.pending import Pending
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, Option, RowQuestion
from companion.engine.tables import Table
from companion.packs import Pack
from companion.play.dice_tray import together
from companion.play.mission import Mission
from companion.play.plan import Place, decisions, joint, key_of, planned, wave_of
from companion.problems import Question
from companion.render.questions import asked_of, beside, enter_of, figures_of, figures_only, which, whose
from companion.render.situation import binding, pending_line, whom_of
from companion.web.answers import Memory
from companion.words import bare, figure, unhyphened

COUNTED = 20  # figures that are buttons; a field of more is typed
SUGGESTED = 200  # names of a field that are offered while one is typed


@dataclass(frozen=True)
class Throw:
    """A roll that is asked for: what adds to it and why, what is needed, how many dice it takes (None: as the book
    says)."""

    title: str
    whom: str
    needed: str
    added: Sequence[tuple[str, str, str]]
    total: str
    name: str
    count: int | None
    tens: bool


@dataclass(frozen=True)
class Button:
    """Something that can be tapped: what is sent, the number it has at the terminal, what it says."""

    value: str
    number: str
    label: str
    usual: bool = False
    final: bool = False


@dataclass(frozen=True)
class Part:
    """One decision of a plan: whose, what is planned, and what else could be."""

    title: str
    key: str
    buttons: Sequence[Button]


@dataclass(frozen=True)
class Prompt:
    """A question as it stands on the page. `kind` is dice, options, plan or words."""

    kind: str
    title: str
    note: str = ""
    throws: Sequence[Throw] = ()
    buttons: Sequence[Button] = ()
    parts: Sequence[Part] = ()
    idle: Sequence[str] = ()  # those of a plan who have no choice, and why
    wave: Sequence[tuple[str, str]] = ()
    label: str = ""  # of what is typed; empty where nothing is
    span: str = ""
    usual: str = ""
    number: bool = False
    least: str = ""
    suggestions: Sequence[str] = ()


def prompt_of(question: Question, pack: Pack, mission: Mission, memory: Memory, wishes: Mapping[str, str]) -> Prompt:
    """The question on the page; `wishes` are the changes made to a plan before it is carried out."""
    if isinstance(question, DiceQuestion):
        return _dice(question, mission, memory)
    if isinstance(question, ChoiceQuestion):
        items = decisions(mission)
        if items and items[0].is_for("choose", question.name) and joint(mission, items):
            return _plan(planned(mission, items, wishes), pack, mission)
        return _choice(question, pack, mission)
    if isinstance(question, RowQuestion):
        return _row(question, mission)
    assert isinstance(question, FactQuestion | FieldQuestion)
    return _fact(question)


def _dice(question: DiceQuestion, mission: Mission, memory: Memory) -> Prompt:
    waiting = together(mission, question)
    rolls = [question, *memory.tray.unserved(waiting[1:])]
    throws = [
        Throw(
            title=each.table.called,
            whom=(whose(each.bind, mission) + which(each, mission, waiting)).removeprefix(" – "),
            needed=each.needed,
            added=[(f"{one.add:+d}", one.why, one.modifier.cite) for one in each.applied],
            total=f"{sum(one.add for one in each.applied):+d}" if each.applied else "",
            name=each.dice.name,
            count=each.dice.count,
            tens=each.dice.tens,
        )
        for each in rolls
    ]
    return Prompt("dice", question.table.called, throws=throws)


def _choice(question: ChoiceQuestion, pack: Pack, mission: Mission) -> Prompt:
    enter = enter_of(question, mission)
    texts = [beside(option, mission) for option in question.options]
    final = bool(mission.game.about.get("at-table", {}).get("final", {}).get(question.name))
    buttons = [
        Button(
            option.name,
            option.number,
            text or unhyphened(option.name),
            usual=option.name == enter,
            final=final and option.name != enter and option.usual,
        )
        for option, text in zip(question.options, texts, strict=True)
    ]
    item = mission.waiting()
    several = len(decisions(mission)) > 1 and item is not None and item.is_for("choose", question.name)
    title = _title(item, pack, mission) if item and several else question.title  # the same of others: whose it is
    return Prompt("options", title, buttons=_in_order(buttons))


def _in_order(buttons: Sequence[Button]) -> Sequence[Button]:
    """By their own numbers, which do not move, where all have one."""
    if not all(each.number for each in buttons):
        return buttons
    return sorted(buttons, key=lambda each: (int("".join(filter(str.isdigit, each.number)) or 0), each.number))


def _plan(places: Sequence[Place], pack: Pack, mission: Mission) -> Prompt:
    index, members = wave_of(mission)
    wave = list(members.items()) if any(index in each.bind for place in places for each in place.options) else []
    parts, idle = [], dict[str, list[str]]()
    for place in places:
        key = key_of(place.item)
        if len(place.options) == 1:
            idle.setdefault(place.planned.text, []).append(_whom(place, pack) or unhyphened(key))
            continue
        buttons = [
            Button(
                each.name,
                _short(each, index, pack) if wave else each.number,
                each.text or unhyphened(each.name),
                usual=each is place.planned,
            )
            for each in place.options
        ]
        if wave:  # in the order in which they are listed, wherever the planned one stands
            buttons.sort(key=lambda each: (not each.number[:1].isdigit(), each.number))
        parts.append(Part(_title(place.item, pack, mission), key, buttons))
    told = [f"{', '.join(names)}: {why}" for why, names in idle.items()]
    asked = {each.title.rpartition(": ")[2] for each in parts}
    title = asked.pop() if len(asked) == 1 and len(parts) > 1 else ""  # the same of each: asked once
    parts = [replace(each, title=each.title.removesuffix(f": {title}")) for each in parts]
    return Prompt("plan", _capital(title), parts=parts, idle=told, wave=wave)


def _capital(text: str) -> str:
    """A text as it stands at the beginning of a line."""
    return text[:1].upper() + text[1:]


def _title(item: Pending, pack: Pack, mission: Mission) -> str:
    """What is decided and whose decision it is, which is not named twice."""
    line, whom = pending_line(item, pack, mission.state), binding(whom_of(item, pack), pack)
    head = line.removesuffix(whom)
    return head if bare(whom.removeprefix(" – ")) in bare(head) else line


def _whom(place: Place, pack: Pack) -> str:
    """Whose decision it is: `Forward lower`."""
    return binding(whom_of(place.item, pack), pack).removeprefix(" – ")


def _short(option: Option, index: str, pack: Pack) -> str:
    """What stands on a button where the wave is listed above: `2`, `2 passing`, `1 CFC`, `hold`."""
    if index not in option.bind:
        return unhyphened(option.name)
    return " ".join(map(pack.sheet.read_out, option.name.removesuffix("-aimed").split("-")))


def _row(question: RowQuestion, mission: Mission) -> Prompt:
    table = question.table
    whom = whose(question.bind, mission, title=table.title)
    head = table.called + ("" if bare(whom.removeprefix(" – ")) in bare(question.asked) else whom)
    asked = asked_of(question)
    numbers, own = figures_only(table), "Your answer" if question.asked else "Its words"
    buttons = [
        Button(option, str(at), str(table.outcomes[option].get("text", "")) or _capital(table.sheet.read_out(option)))
        for at, option in enumerate(question.options, 1)
    ]
    note = str(table.doc.get("note", "")) if table.patterns else ""
    return Prompt(
        "words",
        f"{head}{'' if head.endswith('?') else ':'} {_capital(asked)}?",
        note=note,
        buttons=buttons,
        label="A number, as the book prints it" if numbers else f"Or {own.lower()}" if buttons else own,
        span="such as 2 or -1" if numbers else "",
        suggestions=() if numbers else _likely(table)[:SUGGESTED],
    )


def _fact(question: FactQuestion | FieldQuestion) -> Prompt:
    declared = question.declared
    label = declared.heading if isinstance(question, FactQuestion) else question.label
    usual = "" if question.usual in (None, "", "none") else str(question.usual)
    if declared.values and (not figures_of(declared) or len(declared.values) <= 12):
        values = list(declared.values)
        if declared.default is None and isinstance(question, FactQuestion) and question.usual == "none":
            values.append("none")
        buttons = [
            Button(value, "", unhyphened(value).capitalize(), usual=value == str(question.usual)) for value in values
        ]
        return Prompt("options", f"{label}?", buttons=buttons, number=all(figure(each) is not None for each in values))
    note = ""
    if declared.section == "book" and declared.numeric and declared.low < 0:
        note = "A modifier that only your book prints; 0 if it has none. You are asked once."
    if declared.numeric and declared.limit is not None and declared.limit - declared.low < COUNTED:
        figures = [str(each) for each in range(declared.low, declared.limit + 1)]
        buttons = [Button(each, "", each, usual=each == str(question.usual)) for each in figures]
        return Prompt("options", f"{label}?", note=note, buttons=buttons, number=True)
    return Prompt(
        "words",
        f"{label}?",
        note=note,
        label=label,
        span=f"{'in ' if declared.words else ''}{' '.join(map(unhyphened, declared.span.split(' ')))}",
        usual=usual,
        number=declared.numeric,
        least=str(declared.low) if declared.numeric else "",
        suggestions=_names(declared),
    )


def _likely(table: Table) -> list[str]:
    """The rows that are known, and the names that may stand in one."""
    fields = [table.sheet.fields[name] for _, _, spec in table.patterns for name in spec.get("#takes", {}).values()]
    names = [name for declared in fields for name in _names(declared)]
    return list(dict.fromkeys([*map(unhyphened, table.outcomes), *names]))


def _names(declared: Field) -> list[str]:
    names: dict[str, str] = {}
    for name in declared.known.values() if declared.words else ():
        names.setdefault(bare(name), unhyphened(name))
    return list(names.values())[:SUGGESTED]
