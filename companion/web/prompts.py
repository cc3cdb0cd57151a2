"""A question as the page shows it: dice to tap, options, a plan of several decisions, words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
from companion.render.questions import asked_of, beside, enter_of, figures_of, figures_only, sum_of, which, whose
from companion.render.situation import binding, pending_line, whom_of
from companion.web.answers import Memory
from companion.words import bare, grouped, headed, unhyphened

COUNTED = 20  # figures that are buttons; a field of more is typed
SUGGESTED = 200  # names of a field that are offered while one is typed


@dataclass(frozen=True)
class Throw:
    """A roll that is asked for: what is added and why, what is needed, how many dice (None: as the book says)."""

    title: str
    whom: str
    needed: str
    added: Sequence[tuple[str, str, str]]
    total: str
    name: str
    count: int | None
    tens: bool


class Button(NamedTuple):
    """Something to tap: what is sent, the number it has at the terminal, what it says."""

    value: str
    number: str
    label: str
    usual: bool = False
    final: bool = False


class Part(NamedTuple):
    """One decision of a plan: whose it is, and its options, the planned one marked."""

    title: str
    key: str
    buttons: Sequence[Button]


class Prompt(NamedTuple):
    """A question as the page shows it. `kind` is dice, options, plan or words."""

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
    """Return the question for the page; `wishes` are changes made to a plan before it is carried out."""
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
    throws = [
        Throw(
            each.table.called, (whose(each.bind, mission) + which(each, mission, waiting)).removeprefix(" – "),
            each.needed, [(f"{one.add:+d}", one.why, one.modifier.cite) for one in each.applied],
            sum_of(each.applied).strip(" ()"), each.dice.name, each.dice.count, each.dice.tens,
        )
        for each in [question, *memory.tray.unserved(waiting[1:])]
    ]  # fmt: skip
    return Prompt("dice", question.table.called, throws=throws)


def _choice(question: ChoiceQuestion, pack: Pack, mission: Mission) -> Prompt:
    enter = enter_of(question, mission)
    final = question.name in mission.game.about.at_table.final
    buttons = [
        Button(
            each.name, each.number, beside(each, mission) or unhyphened(each.name), usual=each.name == enter,
            final=final and each.name != enter and each.usual,
        )
        for each in question.options
    ]  # fmt: skip
    if all(each.number for each in buttons):  # by their own numbers, which do not move
        buttons.sort(key=lambda each: (int("".join(filter(str.isdigit, each.number)) or 0), each.number))
    item = mission.waiting()
    several = len(decisions(mission)) > 1 and item is not None and item.is_for("choose", question.name)
    title = _title(item, pack, mission) if item and several else question.title  # the same of others: whose it is
    return Prompt("options", title, buttons=buttons)


def _plan(places: Sequence[Place], pack: Pack, mission: Mission) -> Prompt:
    index, members = wave_of(mission)
    wave = list(members.items()) if any(index in each.bind for place in places for each in place.options) else []
    parts, idle = list[Part](), list[tuple[str, str]]()
    for place in places:
        key = key_of(place.item)
        if len(place.options) == 1:
            whom = binding(whom_of(place.item, pack), pack).removeprefix(" – ")
            idle.append((whom or unhyphened(key), place.planned.text))
            continue
        buttons = [
            Button(
                each.name, _short(each, index, pack) if wave else each.number, each.text or unhyphened(each.name),
                usual=each is place.planned,
            )
            for each in place.options
        ]  # fmt: skip
        if wave:  # in the order in which they are listed, wherever the planned one is
            buttons.sort(key=lambda each: (not each.number[:1].isdigit(), each.number))
        parts.append(Part(_title(place.item, pack, mission), key, buttons))
    asked = {each.title.rpartition(": ")[2] for each in parts}
    title = asked.pop() if len(asked) == 1 and len(parts) > 1 else ""  # the same of each: asked once
    parts = [each._replace(title=each.title.removesuffix(f": {title}")) for each in parts]
    return Prompt("plan", _capital(title), parts=parts, idle=grouped(idle), wave=wave)


def _capital(text: str) -> str:
    """Return a text with a capital first."""
    return text[:1].upper() + text[1:]


def _title(item: Pending, pack: Pack, mission: Mission) -> str:
    """Return what is decided and whose decision it is, which is not named twice."""
    line, whom = pending_line(item, pack, mission.state), binding(whom_of(item, pack), pack)
    head = line.removesuffix(whom)
    return head if bare(whom.removeprefix(" – ")) in bare(head) else line


def _short(option: Option, index: str, pack: Pack) -> str:
    """Return the label of a button where the wave is listed above: `2`, `2 passing`, `1 CFC`, `hold`."""
    if index not in option.bind:
        return unhyphened(option.name)
    return " ".join(map(pack.sheet.read_out, option.name.removesuffix("-aimed").split("-")))


def _row(question: RowQuestion, mission: Mission) -> Prompt:
    table, asked = question.table, asked_of(question)
    whom = whose(question.bind, mission, title=table.title)
    head = table.called + ("" if bare(whom.removeprefix(" – ")) in bare(question.asked) else whom)
    numbers, own = figures_only(table), "Your answer" if question.asked else "Its words"
    buttons = [
        Button(option, str(at), str(table.outcomes[option].get("text", "")) or _capital(table.sheet.read_out(option)))
        for at, option in enumerate(question.options, 1)
    ]
    return Prompt(
        "words", headed(head, f"{_capital(asked)}?"), note=str(table.doc.get("note", "")) if table.patterns else "",
        buttons=buttons,
        label="A number, as the book prints it" if numbers else f"Or {own.lower()}" if buttons else own,
        span="such as 2 or -1" if numbers else "", suggestions=() if numbers else _likely(table)[:SUGGESTED],
    )  # fmt: skip


def _fact(question: FactQuestion | FieldQuestion) -> Prompt:
    declared, usual = question.declared, str(question.usual)
    label = declared.heading if isinstance(question, FactQuestion) else question.label
    values, number, note = list(declared.values), figures_of(declared), ""
    if declared.section == "book" and declared.numeric and declared.low < 0:
        note = "A modifier that only your book prints; 0 if it has none. You are asked once."
    if values and declared.default is None and isinstance(question, FactQuestion) and usual == "none":
        values.append("none")
        number = False
    if declared.numeric and declared.limit is not None and declared.limit - declared.low < COUNTED:
        values, number = [str(each) for each in range(declared.low, declared.limit + 1)], True
    if values and (len(values) <= 12 or not figures_of(declared)):
        buttons = [Button(each, "", unhyphened(each).capitalize(), usual=each == usual) for each in values]
        return Prompt("options", f"{label}?", note=note, buttons=buttons, number=number)
    return Prompt(
        "words", f"{label}?", note=note, label=label,
        span=f"{'in ' if declared.words else ''}{' '.join(map(unhyphened, declared.span.split(' ')))}",
        usual="" if usual in ("None", "", "none") else usual, number=declared.numeric,
        least=str(declared.low) if declared.numeric else "", suggestions=_names(declared),
    )  # fmt: skip


def _likely(table: Table) -> list[str]:
    """Return the rows that are known, and the names that may be in one."""
    fields = [table.sheet.fields[name] for _, _, spec in table.patterns for name in spec.get("#takes", {}).values()]
    names = [name for declared in fields for name in _names(declared)]
    return list(dict.fromkeys([*map(unhyphened, table.outcomes), *names]))


def _names(declared: Field) -> list[str]:
    names: dict[str, str] = {}
    for name in declared.known.values() if declared.words else ():
        names.setdefault(bare(name), unhyphened(name))
    return list(names.values())[:SUGGESTED]
