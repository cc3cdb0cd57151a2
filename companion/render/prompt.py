"""The prompt for each kind of question: dice, a row of the player's rulebook, a decision, a field. The terminal, single
commands and the page all use it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import cast

from companion.engine.facts import FactQuestion
from companion.engine.fields import Field, UnknownName
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, Option, Pending, RowQuestion
from companion.play.dice_tray import AUTO, Tray
from companion.play.mission import Mission
from companion.play.plan import decisions, joint, likely_after, together
from companion.problems import Question, UserError
from companion.render.dice_prompt import DicePrompt, OwnPrompt, RowPrompt, doubt_of, known_names
from companion.render.options import Answer, Offer, OptionsPrompt, Prompt, fitting, keys, numbered
from companion.render.plan_prompt import PlanPrompt
from companion.render.situation import binding, pending_line
from companion.words import bare, figure, printed, series, slug, unhyphened

COUNTED = 20  # the most numbers shown as buttons; others are typed


def prompt_of(question: Question, mission: Mission, tray: Tray, wishes: Mapping[str, str]) -> Prompt:
    """Return the prompt for a question; extra dice of its answer go on the `tray`, `wishes` change a plan."""
    if isinstance(question, DiceQuestion):
        likely = None if question.table.unwritten else likely_after(mission, question)
        return dice_prompt(question, mission, tray, likely or ())
    if isinstance(question, ChoiceQuestion):
        items = decisions(mission)
        if items and items[0].is_for("choose", question.name) and joint(mission, items):
            return PlanPrompt(mission, items, wishes)
        return choice_prompt(question, mission)
    if isinstance(question, RowQuestion):
        return RowPrompt(question, mission)
    assert isinstance(question, FactQuestion | FieldQuestion)
    return field_prompt(question, mission)


# -- dice --------------------------------------------------------------------------------------------------------------


def dice_prompt(
    question: DiceQuestion, mission: Mission, tray: Tray, likely: Sequence[DiceQuestion] = ()
) -> DicePrompt:
    """Return the prompt for a roll, the rolls made with it, and those that are `likely` to follow."""
    rolls = [question, *tray.unserved(together(mission, question)[1:])]
    if question.table.unwritten and not tray.part_of(question):
        return OwnPrompt(rolls, mission, tray)
    return DicePrompt(rolls, mission, tray, tray.unserved(likely))


# -- a decision --------------------------------------------------------------------------------------------------------


def choice_prompt(question: ChoiceQuestion, mission: Mission | None = None) -> OptionsPrompt:
    """Return the prompt of one decision, whose options keep their numbers throughout the mission.

    Enter takes an irreversible option only if it was the player's last answer to the question, and never one of many
    similar options (a card, a square).
    """
    enter = enter_of(question, mission)
    can_be_final = mission is not None and question.name in mission.game.about.at_table.final
    own = all(each.number for each in question.options)
    options = []
    for each, key in zip(question.options, keys([each.name for each in question.options]), strict=True):
        text, number = option_note(each, mission), each.number if own else key
        hidden = each.name == number or (text and each.name not in ("yes", "no")) or bare(each.name) in bare(text)
        final = can_be_final and each.name != enter and each.usual
        word = "" if hidden else unhyphened(each.name)
        options.append(Offer(each.name, number, word, text, usual=each.name == enter, final=final))
    item = mission.waiting() if mission else None
    title = question.title
    if mission and item and item.is_for("choose", question.name) and len(decisions(mission)) > 1:
        title = pending_line(item, mission.game, mission.state)  # others are asked too
    how = str(mission.game.choice(question.name).get("line", "")) if mission else ""
    return OptionsPrompt(title, options, enter, times=times_asked(question, mission), line=how, only=question.name)


def times_asked(question: ChoiceQuestion, mission: Mission | None) -> int:
    """Return how often a decision waits; 0 where an option leads back to it, so that nobody knows how often."""
    waiting = [item for item in mission.pending if item.is_for("choose", question.name)] if mission else []
    alike = sum(item.bind == waiting[0].bind for item in waiting)
    follow = [item for option in question.options for item in option.spec.get("then", ())]
    leads_back = any(item.get("choose") == question.name for item in follow)
    return alike if alike > 1 else int(not leads_back)


def enter_of(question: ChoiceQuestion, mission: Mission | None) -> str:
    """Return the default option; empty if there is none."""
    written = mission.game.about.at_table.final.get(question.name, ()) if mission else ()
    never = [each.name for each in question.options if each.bind and each.spec.get("name") in written]
    final = [each.name for each in question.options if each.name in written or each.name in never]
    usual = question.options[0].name
    if mission is None or usual not in final:
        return usual
    if len(final) == len(question.options):
        return ""
    own = [each for each in mission.journal.recorded if (each["v"], each["t"]) == ("choose", question.name)]
    last = next((each.get("o") for each in reversed(own) if "a" not in each), None)
    if last == usual and usual not in never:
        return usual
    return next(each.name for each in question.options if each.name not in final)


def option_note(option: Option, mission: Mission | None) -> str:
    """Return the text next to an option's name: its own text, else the label of the man or gun of that name."""
    if option.text != option.name:
        return option.text
    own = mission is not None and option.name in option.bind.values()
    return binding(option.bind, mission.game).removeprefix(" – ") if mission and own else ""


# -- a field -----------------------------------------------------------------------------------------------------------


def field_prompt(question: FactQuestion | FieldQuestion, mission: Mission) -> Prompt:
    """Return the prompt for a field, or for those that are asked for on one line with it."""
    item = mission.waiting()
    if isinstance(question, FieldQuestion) and item is not None and item.line and item.name == question.name:
        together = takewhile(lambda each: each.kind == "ask" and each.line and each.born == item.born, mission.pending)
        items = list(together)
        return LinePrompt(mission, items) if len(items) > 1 else FieldPrompt(question, mission, item.line)
    return FieldPrompt(question, mission)


class LinePrompt(Prompt):
    """A prompt for several fields in one line, such as the figures of a card (`2 5 slow night`).

    Numbers and words are in the order of the fields, except words that only one field accepts; a field with a default
    may be left out; `-` leaves all of them out, and so does `0` where no number is asked for. Several cards are
    separated by semicolons.
    """

    kind, free, label = "words", True, "All on one line"

    def __init__(self, mission: Mission, items: Sequence[Pending]) -> None:
        self.asked = [(item, cast(FieldQuestion, mission.question(item))) for item in items]
        groups: dict[str, list[tuple[Pending, FieldQuestion]]] = {}
        for each in self.asked:
            groups.setdefault(each[0].line, []).append(each)
        self.groups = list(groups.values())
        self.title = "; ".join(group[0][0].line for group in self.groups)
        words = any(question.declared.values for _, question in self.asked)
        self.help = f"Type them in this order{'; words may come anywhere, - is nothing to add' if words else ''}."
        self.label = "In this order, with ; between them" if len(groups) > 1 else self.label
        self.line = f"{self.label}: "

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return a line for each card."""
        return [("", group[0][0].line) for group in self.groups]

    def leading(self, parts: Sequence[str]) -> tuple[str, list[str]]:
        return " ".join(parts), []

    def read(self, text: str) -> Answer:
        """Return the value of the first field, and keep those of the others in `rest`."""
        parts = text.split(";") if text.strip() else [""] * len(self.groups)  # Enter takes the defaults of all
        if len(parts) > len(self.groups):
            raise UserError(f"Too many parts: {len(parts)} separated by semicolons, and {len(self.groups)} asked for.")
        rest = dict[str, str]()
        for part, group in zip(parts, self.groups, strict=False):
            rest |= {item.key: value for (item, _), value in zip(group, values_in(part, group), strict=True)}
        first, self.rest = rest.pop(self.asked[0][0].key), rest
        return first


def values_in(text: str, group: Sequence[tuple[Pending, FieldQuestion]]) -> list[str]:
    """Return the value of each field in a line; a text is what is left between the others."""
    questions, words = [question for _, question in group], text.split()
    numeric = [each.declared.numeric for each in questions]
    if words[-1:] == ["-"] or text.strip() == "0" and not any(numeric):
        words = words[:-1]
    texts = [at for at, each in enumerate(questions) if not numeric[at] and not each.declared.values]
    found: dict[int, str] = {}
    flags = {at: each.declared.heading.casefold() for at, each in enumerate(questions) if "yes" in each.declared.values}
    for at, question in enumerate(questions):  # words that belong to one field wherever they are: `slow`, `high`
        own, known = question.declared.values, question.declared.known
        for each in sorted(filter(bare, words), key=lambda each: each not in own):  # `axis`, else `Axis` or `allies`
            named = _named(each, flags) == [at]
            short = {"y": "yes", "n": "no"} if [*flags] == [at] and not texts else {}
            value = "yes" if named else known.get(slug(each), short.get(each.casefold(), each.casefold()))
            if value in own and (named or at not in found):
                found[at] = value
                words.remove(each)
    free = texts[0] if texts else len(questions)
    for at in [*range(free), *range(len(questions) - 1, free, -1)]:  # numbers before the text, and after it
        edge = 0 if at < free else -1
        if at not in found and numeric[at] and words and figure(words[edge]) is not None:
            found[at] = words.pop(edge)
    behind = next((at for at, each in enumerate(reversed(words)) if figure(each) is not None), 0)
    if texts and behind and any(number and at not in found for at, number in enumerate(numeric) if at > free):
        words = words[-behind:]  # not of the text, which ends before the numbers
    elif texts and not (words and not any(numeric) and figure(words[0]) is not None):
        found[free], words = " ".join(words), []
    for at, question in enumerate(questions):  # a value by its number in the list, or 0 for no
        own = question.declared.values
        if at not in found and own and words and (place := figure(words[0])) is not None and 0 <= place <= len(own):
            found[at] = own[place - 1] if place else "no"
            del words[0]
    usual = ["" if item.usual in (None, "none") else str(item.usual) for item, _ in group]  # what the pack gives
    lacking = [each.declared.heading for at, each in enumerate(questions) if not found.get(at) and not usual[at]]
    if words or lacking:
        told = f"Your line lacks {series(lacking)}."
        if all(numeric) and not any(usual):
            told = f"You typed {len(found)} of {len(numeric)} numbers."
        raise UserError(f"{_strange(words, numeric) or told} {group[0][0].line}.")
    return [str(each.declared.accept(each.subject, found.get(at) or usual[at])) for at, each in enumerate(questions)]


def _named(word: str, flags: Mapping[int, str]) -> list[int]:
    """Return the yes-or-no fields that a word names: with the start of the label, else with a word of it."""
    starts = [at for at, label in flags.items() if bare(label).startswith(bare(word))]
    return starts or [at for at, label in flags.items() if word.casefold() in label.split()]


def _strange(words: Sequence[str], numeric: Sequence[bool]) -> str:
    """Return what is wrong with the words of a line that no field takes."""
    numbers = [each for each in words if figure(each) is not None]
    if numbers and not any(numeric):
        return f"{numbers[0]} doesn't fit: no number is asked for."
    if strange := [each for each in words if each not in numbers]:
        return f"I don't know '{strange[0]}'."
    return f"{numbers[0]} is one number too many." if numbers else ""


class FieldPrompt(Prompt):
    """A prompt for the value of a field, or of a fact that a table needs; Enter takes the default, if any."""

    def __init__(self, question: FactQuestion | FieldQuestion, mission: Mission | None = None, asked: str = "") -> None:
        self.question, declared = question, question.declared

        def say(value: str) -> str:
            return mission.game.sheet.say(question.name, value) if mission else unhyphened(value)

        self.fact = isinstance(question, FactQuestion)
        self.label = question.subject
        section = f" ({declared.cite})" if declared.section == "options" and declared.cite else ""
        self.title, self.free = asked or f"{self.label}{section}?", declared.words
        self.numeric, values = declared.numeric, list(declared.values)
        self.figures = bool(values) and all(figure(each) is not None for each in values)  # typed, not picked
        usual = "" if question.usual is None else str(question.usual)
        if not self.fact and usual == "none" and declared.default != "none":
            usual = ""  # the field is blank
        self.enter, shown = usual, f" [{say(usual)}]" if usual else ""
        in_book = declared.section == "book" and declared.numeric and declared.low < 0
        if in_book and not (mission and mission.game.about.box):
            self.note = "This modifier is printed only in your rulebook. Type it (0 if none). You are asked only once."
        self.options = numbered(values, [said if (said := say(each)) != each else "" for each in values], usual)
        self.listed = bool(values) and not self.figures and not self.fact
        if self.listed:
            self.picked = OptionsPrompt("", self.options, usual if usual in values else "")
            self.line = self.picked.line
            return
        span = f"{values[0]} to {values[-1]}" if self.figures and not self.fact else declared.span
        self.line = f"{asked or f'{self.label} ({span})'}{shown}: "
        if values and self.fact and declared.default is None and usual == "none":
            values.append("none")
        elif declared.numeric and declared.limit is not None and declared.limit - declared.low < COUNTED:
            values = [str(each) for each in range(declared.low, declared.limit + 1)]
        self.small = self.figures or declared.numeric
        self.options = [Offer(each, "", say(each), usual=each == usual) for each in values]
        if not values or len(values) > 12 and self.figures:
            self.kind, self.options = "words", []
            self.span = f"{'in ' if declared.words else ''}{' '.join(map(unhyphened, declared.span.split(' ')))}"
            self.usual, self.suggestions = "" if usual == "none" else usual, known_names(declared)

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return the question, if its options are listed below."""
        return [("", self.title)] if self.listed else []

    def read(self, text: str) -> Answer:
        """Return the value of a fact as used, or of a field as recorded; a leading `=` insists on a name."""
        declared, usual = self.question.declared, self.question.usual
        if not text and self.fact:
            if usual is not None:
                return usual
            if declared.numeric:
                raise UserError(f"{self.label} must be a number, {declared.span} (0 if your rulebook adds nothing).")
        if self.fact:
            return declared.accept(self.label, known_name(declared, self.label, text))
        if self.listed:
            try:
                return self.picked.read(text)
            except UserError:
                if text and not fitting(self.options, text, inside=True):
                    with suppress(UserError):  # a synonym for a value, such as `dead`
                        return str(declared.accept(self.label, text))
                raise
        text = text or self.enter
        if not text and declared.words and declared.section == "book":
            raise UserError("Type the name that is printed on it.")
        if declared.words and text.casefold() in AUTO:
            raise UserError(f"No dice are rolled for {self.label}. Type the name.")
        if self.figures:
            text = str(printed(text))  # `+1` is the value 1, not the first line of the list
        return text if text == str(usual) and declared.words else known_name(declared, self.label, text)


def known_name(declared: Field, label: str, text: str) -> str:
    """Return typed text in the field's form (a leading `=` insists on a name); raise Unconfirmed for unknown names."""
    try:
        value = str(declared.accept(label, text))
    except UnknownName as strange:
        raise doubt_of(strange, text) from None
    return text if declared.words and text.startswith("=") else value
