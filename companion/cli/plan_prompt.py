"""Several answers in one line: decisions that are made together (which gun fires at whom), one decision that is asked
several times (`4 5`), and a row of the player's own book for several men (`all 1`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.cli import picking
from companion.cli.picking import Ask, wrapped
from companion.engine.facts import Facts
from companion.engine.questions import ChoiceQuestion, DiceQuestion, Option, RowQuestion
from companion.engine.rules import words
from companion.play.mission import Mission
from companion.play.plan import Place, key_of, planned, wave_of
from companion.problems import UserError
from companion.words import bare, grouped, series

if TYPE_CHECKING:
    from companion.engine.pending import Pending
    from companion.engine.resolution import Result

EVERYBODY = "all"
Occasion = tuple[str, object]  # a decision, and the step that it belongs to


def allocate(
    mission: Mission, items: Sequence[Pending], settled: Sequence[Result], ask: Ask, wishes: dict[str, str]
) -> dict[str, str]:
    """What each of these decisions comes to: the usual of each, as the player has changed it.

    `settled` are those that left no choice and have been made already, `wishes` the changes that were made before
    something else was typed, where they still fit; those that are made now are added.
    """
    try:
        planned(mission, items, wishes)
    except UserError:
        wishes.clear()
    while True:
        places = planned(mission, items, wishes)
        show(places, mission, settled)
        while True:
            text = ask(prompt_of(places))
            if not text:
                return {key_of(place.item): place.planned.name for place in places}
            try:
                changed = {**wishes, **wished(text, places)}
                planned(mission, items, changed)
            except UserError as problem:
                wrapped(f"{problem}.", "  ")
                continue
            wishes.update(changed)
            break


def prompt_of(places: Sequence[Place]) -> str:
    """How a plan is changed, with one of its own as the example."""
    free = [place for place in places if len(place.options) > 1]
    other = next(((key_of(place.item), number) for place in free if (number := other_than(place))), None)
    changes = [f'"{spoken(other[0])} {other[1]}" changes it'] if other else []
    holds = next((f'"{spoken(key_of(place.item))} -" holds' for place in free if idle_of(place)), "")
    return "; ".join(["Enter does so", ", ".join([*changes, *([holds] if holds else [])])]) + ": "


def other_than(place: Place) -> str:
    """What is typed for another option than the planned one."""
    idle = idle_of(place)
    return next((option.number for option in place.options if option is not place.planned and option is not idle), "")


def idle_of(place: Place) -> Option | None:
    """The option that does nothing, where there is one beside others that do."""
    idle = [option for option in place.options if not option.bind]
    return idle[0] if len(idle) == 1 and len(place.options) > 1 else None


def wished(text: str, places: Sequence[Place]) -> dict[str, str]:
    """The changes that were typed: `top 2, nose -`, `all -`. Raises UserError for what fits nothing."""
    wishes: dict[str, str] = {}
    for part in text.replace(";", ",").split(","):
        words_of = part.split()
        if not words_of:
            continue
        if words_of[0] in (EVERYBODY, "-") and words_of[-1] == "-":
            wishes.update({key_of(place.item): idle.name for place in places if (idle := idle_of(place))})
            continue
        if words_of[0] == EVERYBODY and len(words_of) > 1:
            rest = " ".join(words_of[1:])
            wishes.update({key_of(place.item): name for place in places if (name := option_of(place, rest))})
            continue
        place, rest = addressed(words_of, places)
        name = option_of(place, rest)
        if not name:
            can = series([f"{key} ({option.text})" if key else option.text for key, option in typed_for(place)])
            raise UserError(f"{spoken(key_of(place.item))} cannot do {rest or 'nothing'}: {can}, nothing was changed")
        wishes[key_of(place.item)] = name
    return wishes


def typed_for(place: Place) -> list[tuple[str, Option]]:
    """What is typed for each option of a place; `-` for the one that does nothing."""
    idle = idle_of(place)
    return [("-" if option is idle else option.number, option) for option in place.options]


def addressed(words_of: Sequence[str], places: Sequence[Place]) -> tuple[Place, str]:
    """Whose decision the first words name, and the words behind them."""
    for count in range(min(3, len(words_of)), 0, -1):
        if words_of[count - 1] == "-":
            continue
        name = bare("-".join(words_of[:count]))
        keys = {bare(key_of(place.item)): place for place in places}
        fitting = [place for key, place in keys.items() if key == name] or [
            place for key, place in keys.items() if key.startswith(name)
        ]
        if len(fitting) == 1:
            return fitting[0], " ".join(words_of[count:])
        if len(fitting) > 1 and count == 1:
            raise UserError(f"{words_of[0]} may be {series([spoken(key_of(place.item)) for place in fitting])}")
    names = series([spoken(key_of(place.item)) for place in places])
    raise UserError(f"{' '.join(words_of)!r} is none of {names}; nothing was changed")


def option_of(place: Place, text: str) -> str:
    """The option that a number, `-` or its words mean; empty where none does."""
    names = [option.name for option in place.options]
    idle = idle_of(place)
    if text == "-":
        return idle.name if idle else ""
    own = [option.name for option in place.options if text in option.bind.values()]
    if own:
        return own[0]
    shown = {bare(f"{option.number}{way_of(option, named=False)}"): option.name for option in place.options}
    if bare(text) in shown:  # as the screen has it, `3b spray`
        return shown[bare(text)]
    numbers = [option.number for option in place.options]
    name = picking.chosen(names, text, [option.text for option in place.options], numbers)
    return name if name in names else ""


# -- how it looks ------------------------------------------------------------------------------------------------------


def show(places: Sequence[Place], mission: Mission, settled: Sequence[Result]) -> None:
    """A line for each fighter with the guns that fire at it, then who does nothing and why."""
    index, wave = wave_of(mission)
    if any(index in option.bind for place in places for option in place.options):
        _wave(places, wave, index)
        _idle(places, settled, index)
    else:
        for place in [each for each in places if len(each.options) > 1]:
            wrapped(f"{_about(place, mission)} {place.planned.text}{others(place, named=True)}", "  ")
        _idle([each for each in places if len(each.options) == 1], settled, index)


def _about(place: Place, mission: Mission) -> str:
    """Whose decision it is; where that is only a number, the question: `Fighter 1 (Frank): does it attack again?`."""
    key = key_of(place.item)
    if not key.isdigit():
        return f"{spoken(key)}:"
    facts = Facts(mission.game.sheet, mission.state, place.item.bind)
    return words(mission.game.choice(place.item.name), "title", facts) or f"{key}:"


def _wave(places: Sequence[Place], wave: Mapping[str, str], index: str) -> None:
    wide = max(map(len, wave.values()), default=0)
    for member, text in wave.items():
        guns = [
            spoken(key_of(place.item)) + mode_of(place, member) + others(place)
            for place in places
            if str(place.planned.bind.get(index)) == member
        ]
        wrapped(f"{text:{wide}}  < {', '.join(guns) or 'nobody'}", f" {member:>2}  ")


def mode_of(place: Place, member: str) -> str:
    """How it does so, where there are several ways: ` (passing)`."""
    mode = place.planned.name.removeprefix(member).strip("-")
    return f" ({spoken(mode)})" if mode and mode != place.planned.name else ""


def others(place: Place, *, named: bool = False) -> str:
    """What else could be decided: ` [or 2, 3b spray]`."""
    rest = [(key, option) for key, option in typed_for(place) if option is not place.planned and key != "-"]
    keys = [f"{key}{way_of(option, named=named)}" for key, option in rest]
    return f" [or {', '.join(keys)}]" if keys else ""


def way_of(option: Option, *, named: bool) -> str:
    """What a letter behind a fighter's number means: ` spray`; what a number means that is nobody's: ` open`."""
    if not option.bind:
        return f" {spoken(option.name)}"
    if named:  # no list of the wave stands above it: ` the Navigator`
        return f" {option.text.partition(',')[0]}"
    ways = [option.name.removeprefix(f"{member}-") for member in option.bind.values()]
    return next((f" {spoken(way)}" for way in ways if way != option.name), "")


def _idle(places: Sequence[Place], settled: Sequence[Result], index: str) -> None:
    """Who does nothing, in a line: by his own choice, or for want of one."""
    told = [(spoken(", ".join(map(str, each.bind.values()))), each.text) for each in settled]
    for place in places:
        if index in place.planned.bind or (place.planned.bind and index):
            continue
        if index or len(place.options) == 1:
            told.append((spoken(key_of(place.item)) + others(place), place.planned.text))
    if told:
        wrapped("; ".join(grouped(told)), "  - ")


def spoken(name: str) -> str:
    """`port cheek` for `port-cheek`."""
    return name.replace("-", " ")


# -- one answer after the other ----------------------------------------------------------------------------------------


class Several:
    """The answers that were typed along with the first."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.occasion: Occasion = ("", "")

    def asking(self, question: ChoiceQuestion, mission: Mission, ask: Ask) -> Ask:
        """A way to ask that takes the first of several numbers and keeps the others."""
        if not again(question, mission):
            return ask

        def first(text: str) -> str:
            typed = ask(text)
            parts = typed.replace(",", " ").split()
            if len(parts) < 2 or any(numbered(question, part) is None for part in parts):
                return typed
            self.waiting, self.occasion = parts[1:], occasion(question, mission)
            return parts[0]

        return first

    def take(self, question: ChoiceQuestion, mission: Mission) -> str | None:
        """The next of the answers where the same decision is asked again; None where nothing waits for it."""
        if not self.waiting or question.name != self.occasion[0]:
            return None
        if occasion(question, mission) != self.occasion:
            self.clear()
            return None
        typed = self.waiting.pop(0)
        option = numbered(question, typed)
        if option is None:
            wrapped(f"{typed} is no longer possible; it and what stood behind it were not taken.", "  ")
            self.clear()
        return option

    def clear(self) -> None:
        """Forget what waits."""
        self.waiting = []


class ForAll:
    """Rows of the player's own book that were said for everybody at once. Each stands for the men behind the first as
    long as the same table is asked for, with the same modifiers, and its dice are not known to us."""

    def __init__(self) -> None:
        self.rows: dict[object, str] = {}
        self.about: set[str] = set()  # what their rolls are about: a man
        self._all = False  # whether the answer that is being typed is for all

    def asking(self, question: RowQuestion, mission: Mission, ask: Ask) -> Ask:
        """A way to ask that takes `all` before a row, where more men wait for the same table."""
        alike = [item for item in mission.pending if item.is_for("roll", question.table.id) and item.bind]
        options = question.options
        if not options or not open_dice(question) or not (len(alike) > 1 or self.rows):
            return ask
        many = f" {len(alike)}" if len(alike) > 1 else ""
        texts = [str(question.table.outcomes[option].get("text", "")) for option in options]

        def first(text: str) -> str:
            if not text.startswith("Number"):  # a row that is asked back
                return ask(text)
            typed = ask(f'{text.removesuffix(": ")}; "{EVERYBODY} 1" is for all{many}: ')
            word, _, row = typed.partition(" ")
            self._all = word.casefold() == EVERYBODY and picking.chosen(options, row.strip(), texts) in options
            return row.strip() if self._all else typed

        return first

    def keep(self, question: RowQuestion, row: str) -> str:
        """The row that was said; remembered where it was for all."""
        if self._all:
            self.rows[occasion_of(question)] = row
            self.about, self._all = set(question.bind), False
        return row

    def row(self, question: RowQuestion) -> str | None:
        """What was said for all, where it answers this question too."""
        return self.rows.get(occasion_of(question)) if open_dice(question) else None

    def dice(self, question: DiceQuestion) -> list[int] | None:
        """No dice, where the row is known without them."""
        return [] if question.dice.count is None and occasion_of(question) in self.rows else None

    def settle(self, mission: Mission) -> None:
        """Forget what was said once nothing of the kind is asked for any more."""
        if not any(item.kind == "roll" and self.about <= set(item.bind) for item in mission.pending):
            self.rows.clear()

    def clear(self) -> None:
        """Forget what was said."""
        self.rows.clear()


def open_dice(question: RowQuestion) -> bool:
    """Whether only the player's book knows which dice are thrown for a row."""
    return question.table.dice.count is None


def occasion_of(question: DiceQuestion | RowQuestion) -> object:
    """The table that is asked, and with what: the same question for one man as for the other."""
    return question.table.id, tuple((each.modifier.id, each.add) for each in question.applied)


def again(question: ChoiceQuestion, mission: Mission | None) -> bool:
    """Whether a decision is asked more than once: an option leads back to it, or it waits again behind this one."""
    waiting = [item for item in mission.pending if item.is_for("choose", question.name)] if mission else []
    return any(item.bind == waiting[0].bind for item in waiting[1:]) or any(
        isinstance(item, Mapping) and item.get("choose") == question.name
        for option in question.options
        for item in option.spec.get("then", ())
    )


def numbered(question: ChoiceQuestion, typed: str) -> str | None:
    """Return the option of that number."""
    numbers = [option.number for option in question.options]
    return picking.at([option.name for option in question.options], typed, numbers if all(numbers) else ())


def occasion(question: ChoiceQuestion, mission: Mission) -> Occasion:
    """The decision and the step that it is asked in."""
    return question.name, mission.state.get("step", "")
