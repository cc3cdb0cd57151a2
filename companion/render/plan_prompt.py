"""The prompt for decisions made together (targets of guns): a plan that Enter accepts and a few words change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from companion.engine.dice import named
from companion.engine.facts import Facts
from companion.engine.questions import DiceQuestion, Option, Pending
from companion.engine.resolution import Result
from companion.engine.rules import words
from companion.play.mission import Mission
from companion.play.plan import Place, dice_after, key_of, planned, wave_of
from companion.problems import UserError
from companion.render.dice_prompt import then
from companion.render.options import Answer, Offer, Prompt, meant
from companion.render.situation import binding, pending_line
from companion.words import bare, grouped, one_of, unhyphened

EVERYBODY = "all"


class Part(NamedTuple):
    """One decision of a plan on the page: its subject, and its options with the planned one marked."""

    title: str
    key: str
    options: Sequence[Offer]


class PlanPrompt(Prompt):
    """The default of each decision, with the player's changes (`wishes`, by subject); UserError if one is ruled out."""

    kind = "plan"

    def __init__(self, mission: Mission, items: Sequence[Pending], wishes: Mapping[str, str]) -> None:
        self.mission, self.items, self.wishes = mission, items, wishes
        self.pack = mission.game
        self.places = planned(mission, items, wishes)
        self._free = [place for place in self.places if len(place.options) > 1]
        self.settled: Sequence[Result] = ()  # decisions without a choice, already made
        self.index, members = wave_of(mission)
        aimed = any(self.index in each.bind for place in self.places for each in place.options)
        self.wave = list(members.items()) if aimed else []
        asked = {pending_line(place.item, self.pack, mission.state).rpartition(": ")[2] for place in self._free}
        self._common = asked.pop() if len(asked) == 1 and len(self._free) > 1 else ""  # same for each
        self.title = self._common[:1].upper() + self._common[1:]

    @cached_property
    def rolls(self) -> tuple[list[DiceQuestion], list[DiceQuestion]]:
        """Return the rolls whose dice also accept the plan, and those that will likely follow."""
        numbered = any(key_of(place.item)[:1].isdigit() for place in self.places)  # a number is not a die here
        return ([], []) if numbered else dice_after(self.mission, self.places)

    @property
    def plan(self) -> dict[str, str]:
        """Return the planned option of each decision, by subject."""
        return {key_of(place.item): place.planned.name for place in self.places}

    # -- parsing an answer ---------------------------------------------------------------------------------------------

    def read(self, text: str) -> Answer:
        """Return the option of the first decision, and keep those of the others in `rest`."""
        rest = {place.item.key: place.planned.name for place in self.change(text).places}
        first, self.rest = rest.pop(self.items[0].key), rest
        return first

    def change(self, text: str) -> PlanPrompt:
        """Return the plan with the typed changes (`top 2, nose -`, `all -`); itself if there are none."""
        wishes: dict[str, str] = {}
        for part in text.replace(";", ",").split(","):
            typed = part.split()
            if not typed:
                continue
            if typed[0] in (EVERYBODY, "-") and len(typed) > 1 or typed == ["-"]:
                wanted = typed[-1] if typed[-1] == "-" else " ".join(typed[1:])
                wishes.update({key_of(each.item): name for each in self.places if (name := option_of(each, wanted))})
                continue
            place, rest = self._addressed(typed)
            name = option_of(place, rest)
            if not name:
                can = [f"{spoken(place)} {key} ({each.text})" for key, each in typed_for(place)]
                if len(can) == 1:
                    raise UserError(f"{spoken(place).capitalize()} has no choice: {place.planned.text}.")
                raise UserError(f"'{' '.join(typed)}' isn't possible. Type {one_of(can)}.")
            wishes[key_of(place.item)] = name
        return PlanPrompt(self.mission, self.items, {**self.wishes, **wishes}) if wishes or text else self

    def _addressed(self, typed: Sequence[str]) -> tuple[Place, str]:
        """Return the decision named by the first words, and the remaining words."""
        keys = {bare(key_of(place.item)): place for place in self.places}
        for count in range(min(3, len(typed)), 0, -1):
            if typed[count - 1] == "-":
                continue
            name = bare("-".join(typed[:count]))
            fitting = [keys[name]] if name in keys else [place for key, place in keys.items() if key.startswith(name)]
            if len(fitting) == 1:
                return fitting[0], " ".join(typed[count:])
            if len(fitting) > 1 and count == 1:
                raise UserError(f"'{typed[0]}' could be {one_of(list(map(spoken, fitting)))}.")
        raise UserError(f"'{' '.join(typed)}' doesn't start with {one_of(list(map(spoken, self.places)))}.")

    # -- on the page ---------------------------------------------------------------------------------------------------

    @property
    def parts(self) -> list[Part]:
        """Return the decisions with a choice."""
        parts = []
        for place in self._free:
            options = []
            for each in place.options:
                number, text = self._short(each) if self.wave else each.number, each.text or unhyphened(each.name)
                options.append(Offer(each.name, number, "", text, usual=each is place.planned))
            if self.wave:  # in listed order, regardless of the planned one
                options.sort(key=lambda each: (not each.number[:1].isdigit(), each.number))
            title = pending_line(place.item, self.pack, self.mission.state).removesuffix(f": {self._common}")
            parts.append(Part(title, key_of(place.item), options))
        return parts

    @property
    def needs(self) -> dict[tuple[str, str], str]:
        """Return the rolls that hit, such as `5+`, by the subject and the option of a shot."""
        return {(key_of(place.item), each.name): place.hits_on(each) for place in self._free for each in place.options}

    @property
    def uncovered(self) -> list[str]:
        """Return the members of the wave at which nobody fires as planned: `3 (Me 109 from 12 level)`."""
        aimed = {str(place.planned.bind.get(self.index)) for place in self.places}
        return [f"{member} ({text})" for member, text in self.wave if member not in aimed]

    @property
    def idle(self) -> list[str]:
        """Return the subjects without a choice, with the reason."""
        alone = [place for place in self.places if len(place.options) == 1]
        whom = [binding(place.item.subject(self.pack), self.pack).removeprefix(" – ") for place in alone]
        return grouped((who or spoken(place), place.planned.text) for who, place in zip(whom, alone, strict=True))

    def _short(self, option: Option) -> str:
        """Return the label of a button when the wave is listed above: `2`, `2 passing`, `1 CFC`, `hold`."""
        if self.index not in option.bind:
            return unhyphened(option.name)
        return short(option, self.mission)

    # -- at the terminal -----------------------------------------------------------------------------------------------

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return a line for each fighter with its guns and their required rolls, then the idle guns with reasons."""
        if not self.wave:
            told = [("  ", f"{self._about(place)} {place.planned.text}{others(place)}") for place in self._free]
            return [*told, *self._silent()]
        wide = max(len(text) for _, text in self.wave)
        lines = [(f" {member:>2}  ", f"{text:{wide}}  {self._fire(member)}") for member, text in self.wave]
        return [*lines, *self._silent()]

    def _fire(self, member: str) -> str:
        """Return the guns that fire at a fighter as planned, and those that could: `top on 5+; or port cheek on 6`."""
        planned, other = list[Shot](), list[Shot]()
        for _, each in groupby(bearing(self.places, member), key=lambda shot: shot.gun):
            shots = list(each)
            if own := next((shot for shot in shots if shot.planned), None):
                ways = [own.way, *(shot.way for shot in shots if shot is not own and shot.way)]
                planned.append(own._replace(way=" or ".join(ways).strip()))
            else:
                other += shots
        return "; or ".join(filter(None, [said(planned) or "nobody" * bool(other), said(other)])) or "no gun bears"

    @property
    def line(self) -> str:  # type: ignore[override]
        """Return the line that explains how to change the plan, with an example."""
        changing, holding = ("re-aims", "holds fire") if self.wave else ("changes it", "declines")
        other = next(((spoken(place), typed) for place in self._free if (typed := other_than(place, self.index))), None)
        changes = [f'"{other[0]} {other[1]}" {changing}'] if other else []
        holds = [f'"{spoken(place)} -" {holding}' for place in self._free if idle_of(place)][:1]
        does = f"Enter {'fires as shown' if self.wave else 'accepts'}; {', '.join([*changes, *holds])}"
        rolls, likely = self.rolls  # their dice may be typed at once: `Roll 3 x 1D (top, ball, tail)`
        if not rolls:
            return f"{does}: "
        keys = self.items[0].bind
        whose = [" ".join(str(roll.bind.get(key, "")).replace("-", " ") for key in keys).strip() for roll in rolls]
        of = f" ({', '.join(whose)})" if all(whose) else f" for {rolls[0].table.number_printed}"
        return f"{does}.\nRoll {named([each.dice for each in rolls])}{of}{then(likely)}: "

    def _about(self, place: Place) -> str:
        """Return the subject of a decision; if that is a number, the question itself."""
        key = key_of(place.item)
        if not key.isdigit():
            return f"{spoken(place)}:"
        facts = Facts(self.mission.game.sheet, self.mission.state, place.item.bind)
        return words(self.mission.game.choice(place.item.name), "title", facts) or f"{key}:"

    def _silent(self) -> list[tuple[str, str]]:
        """Return those without a choice, and the guns that hold their fire, by the reason: `No target: nose, radio`."""
        idle = (each for each in self.places if len(each.options) == 1 or self.wave)
        told = [(", ".join(map(str, each.bind.values())).replace("-", " "), each.text) for each in self.settled]
        told += [(spoken(each), each.planned.text) for each in idle if self.index not in each.planned.bind]
        if not self.wave:
            return [("  - ", "; ".join(grouped(told)))] if told else []
        why: dict[str, list[str]] = {}
        for gun, text in told:  # first the decisions that left no choice and have been made
            why.setdefault(text, []).append(gun)
        return [("", f"{text[:1].upper()}{text[1:]}: {', '.join(guns)}") for text, guns in why.items()]


def short(option: Option, mission: Mission) -> str:
    """Return an option with its number in words: `2 passing`, `1 CFC`."""
    return " ".join(map(mission.game.sheet.read_out, option.name.removesuffix("-aimed").split("-")))


class Shot(NamedTuple):
    """A possible shot at a fighter: whether it is planned, how (by whom, in passing), and the rolls that hit."""

    gun: str
    planned: bool
    way: str
    needs: str


def bearing(places: Sequence[Place], member: str) -> Iterator[Shot]:
    for place in places:
        game = place.before.game
        for option in place.options:
            if str(option.bind.get(game.about.at_table.wave.index)) == member:
                way = game.sheet.read_out(option.name.removeprefix(member).strip("-"))
                yield Shot(spoken(place), option is place.planned, way, place.hits_on(option))


def said(shots: Iterable[Shot]) -> str:
    """Return shots in words: `top on 5+, tail (passing) on 6`; a gun that several men can fire appears once."""
    ways: dict[tuple[str, str], list[str]] = {}
    for shot in shots:
        ways.setdefault((shot.gun, shot.needs), []).extend([shot.way] if shot.way else [])
    told = []
    for (gun, needs), by in ways.items():
        men = f" ({', '.join(by)})" if by else ""
        told.append(f"{gun}{men}{f' on {needs}' if needs else ''}")
    return ", ".join(told)


def idle_of(place: Place) -> Option | None:
    """Return the option that does nothing, if there is one among others."""
    idle = [option for option in place.options if not option.bind]
    return idle[0] if len(idle) == 1 and len(place.options) > 1 else None


def typed_for(place: Place) -> list[tuple[str, Option]]:
    """Return the key to type for each option of a decision; `-` for the one that does nothing."""
    idle = idle_of(place)
    return [("-" if option is idle else option.number, option) for option in place.options]


def other_than(place: Place, index: str) -> str:
    """Return the key for a different option than the planned one: another fighter, if there is one."""
    others = [(key, option) for key, option in typed_for(place) if option is not place.planned and key != "-"]
    aimed = [option.bind[index] for _, option in others if index in option.bind]
    ways = [key if key.isdigit() else short(option, place.before) for key, option in others]
    return next((each for each in aimed if each != place.planned.bind.get(index)), ways[0] if ways else "")


def option_of(place: Place, text: str) -> str:
    """Return the option that matches a number, `-` or words; empty if none does."""
    if text == "-":
        idle = idle_of(place)
        return idle.name if idle else ""
    for each in place.options:
        shown = f"{each.number} {way_of(each)}"  # as shown on the screen
        if text in each.bind.values() or bare(text) == bare(shown):
            return each.name
    by_way = [each.name for each in place.options if bare(each.name.partition("-")[2]) == bare(text)]
    return (
        by_way[0]
        if len(by_way) == 1 and text
        else meant([Offer(each.name, each.number, "", each.text) for each in place.options], text)
    )


def others(place: Place) -> str:
    """Return the alternatives: ` [or 2 open, 3 the Navigator]`."""
    rest = [(key, option) for key, option in typed_for(place) if option is not place.planned and key != "-"]
    keys = [f"{key} {way_of(option)}" for key, option in rest]
    return f" [or {', '.join(keys)}]" if keys else ""


def way_of(option: Option) -> str:
    """Return the meaning of an option's number: `open`, `the Navigator`."""
    return option.text.partition(",")[0] if option.bind else option.name.replace("-", " ")


def spoken(place: Place) -> str:
    """Return the subject of a decision in words: `port cheek`."""
    return key_of(place.item).replace("-", " ")
