"""The prompt for each kind of question, for terminal, single command and page alike: dice, a row of the player's own
book, a decision, a field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, cast

from companion.engine.dice import named
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Field, UnknownName, Value
from companion.engine.pending import alike, restored
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, Option, RowQuestion
from companion.engine.sheet import Member
from companion.engine.tables import Applied, Table
from companion.packs import Pack
from companion.play.dice_tray import Tray, together
from companion.play.mission import Mission
from companion.play.plan import Answer, decisions, joint
from companion.problems import Question, Unconfirmed, UserError
from companion.render.options import Offer, OptionsPrompt, Prompt, keys, matching, meant, numbered, numbers_of
from companion.render.plan_prompt import PlanPrompt
from companion.render.situation import binding, title_of, whom_each
from companion.words import bare, figure, headed, nearest, one_of, printed, slug, unhyphened

COUNTED = 20  # figures that are buttons; a field of more is typed
SUGGESTED = 200  # names of a field that are offered while one is typed
MOST_LINES = 5  # of tables in a question; more are joined in one
DOUBTFUL = ("11", "12")  # two dice, or the total of two dice
EVERYBODY = "all"


def prompt_of(question: Question, mission: Mission, tray: Tray, wishes: Mapping[str, str]) -> Prompt:
    """Return the prompt for a question.

    Args:
        tray: Dice that lie ready; those typed along with the first are laid there.
        wishes: Changes made to a plan before it is carried out.
    """
    if isinstance(question, DiceQuestion):
        return dice_prompt(question, mission, tray)
    if isinstance(question, ChoiceQuestion):
        items = decisions(mission)
        if items and items[0].is_for("choose", question.name) and joint(mission, items):
            return PlanPrompt(mission, items, wishes)
        return choice_prompt(question, mission)
    if isinstance(question, RowQuestion):
        return RowPrompt(question, mission)
    assert isinstance(question, FactQuestion | FieldQuestion)
    return FieldPrompt(question)


# -- dice --------------------------------------------------------------------------------------------------------------


def dice_prompt(
    question: DiceQuestion, mission: Mission, tray: Tray, likely: Sequence[DiceQuestion] = ()
) -> DicePrompt:
    """Return the prompt for a roll, and for those that are rolled together with it or are `likely` to follow."""
    rolls = [question, *tray.unserved(together(mission, question)[1:])]
    return DicePrompt(rolls, mission, tray, tray.unserved(likely))


class DicePrompt(Prompt):
    """The dice of these rolls, and of those that are `likely` to follow."""

    kind = "dice"

    def __init__(
        self, rolls: Sequence[DiceQuestion], mission: Mission, tray: Tray, likely: Sequence[DiceQuestion] = ()
    ) -> None:
        self.rolls, self.mission, self.tray, self.likely = rolls, mission, tray, likely
        self.title = rolls[0].table.called
        self.part = tray.part_of(rolls[0])

    @property
    def throws(self) -> list[tuple[DiceQuestion, str]]:
        """The rolls one by one for the page, with whose each is."""
        whom = [whose(each.bind, self.mission) + which(each, self.mission, self.rolls) for each in self.rolls]
        return [(each, whom.removeprefix(" – ")) for each, whom in zip(self.rolls, whom, strict=True)]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The roll with its reasons; several by table, what neighbors need said once: `M-1 Defensive fire: hit on 6 –
        nose 1, tail 2; hit on 5 or more – top 1`."""
        if len(self.rolls) == 1:
            return [("", headline(self.rolls[0], self.mission))]
        lines = []
        for table, group in groupby(self.rolls, key=lambda each: each.table):
            each = list(group)
            whom = whom_each([roll.bind for roll in each], self.mission.game, table.title)
            needs = [f"{roll.needed}{reasons(roll.applied)}".strip() for roll in each]
            many = f" ({len(each)})" if len(set(whom)) == 1 else ""
            runs = groupby(zip(needs, whom, strict=True), lambda pair: pair[0])
            parts = [" – ".join(filter(None, [need, _names(who for _, who in run)])) for need, run in runs]
            told = "; ".join(filter(None, dict.fromkeys(parts)))
            head = f"{table.called}{which(each[0], self.mission) if len(each) == 1 else many}"
            lines.append(headed(head, told) if told else head)
        return [("", line) for line in (lines if len(lines) <= MOST_LINES else ["; ".join(lines)])]

    @property
    def line(self) -> str:  # type: ignore[override]
        """`Roll 5 x 1D: `, `Roll 2D (+1), then 4-4 2D: `."""
        question = self.rolls[0]
        if question.dice.count is None:
            return f"Dice, as your book says{sum_of(question.applied)}: "
        alone = sum_of(question.applied) if len(self.rolls) == 1 else ""
        runs = groupby(self.likely, key=lambda each: each.table)
        then = [f"{table.number_printed} {named([each.dice for each in group])}" for table, group in runs]
        follows = f", then {', '.join(then)}" if then else ""
        lies = f" ({''.join(map(str, self.part))} lies there)" if self.part else ""
        return f"Roll {named([each.dice for each in self.rolls])}{alone}{follows}{lies}: "

    def read(self, text: str) -> Answer:
        """Return the dice of the first roll, and lay those of the others on the tray; two dice that may be a total are
        doubtful until the mission has two that cannot be one."""
        dice = self.rolls[0].dice
        doubtful = [token for token in text.split() if token in DOUBTFUL]
        if doubtful and dice.count == 2 and not dice.tens and not self.part and not knows_dice(self.mission):
            told = " and ".join(f"{token} is a {token[0]} and a {token[1]}" for token in dict.fromkeys(doubtful))
            line = "Enter if so, or type each die: "
            raise Unconfirmed(f"{told}, not a total.", _apart(text), line=line, enter=_apart(text), instead=_apart)
        thrown, shared = self.tray.typed(text, self.rolls, self.likely)
        if not thrown and text:
            raise UserError("Type the dice, or Enter where your book asks for none.")
        self.told = f"Taken: {shared}." if shared else ""
        return thrown


def knows_dice(mission: Mission) -> bool:
    """Return whether two dice have been typed in this mission."""
    return any(len(entry.get("d", ())) > 1 for entry in mission.journal.entries[: mission.journal.stand])


def _apart(text: str) -> str:
    """Return dice with a comma in each pair that might be a total."""
    return " ".join(",".join(token) if token in DOUBTFUL else token for token in text.split())


def _names(names: Iterable[str]) -> str:
    """Join names, the same one once: `nose 1, top 2`, `Tail, fighter 1; Nose, fighter 2`."""
    each = list(dict.fromkeys(names))
    return ("; " if any("," in name for name in each) else ", ").join(each)


def headline(question: DiceQuestion, mission: Mission) -> str:
    """Return `5-7 Defensive fire – Tail guns, fighter 2 (george from 6 low): hit on 7 or more (+2 from 6)`."""
    whom = whose(question.bind, mission, title=question.table.title) + which(question, mission)
    needs, why = question.needed, reasons(question.applied)
    head = f"{question.table.called}{whom}"
    return headed(head, f"{needs}{why}") if needs else f"{head}{why}"


def reasons(applied: Sequence[Applied]) -> str:
    """Return the modifiers with their reasons: ` (+2 from 6, -1 evasive)`."""
    return f" ({', '.join(f'{each.add:+d} {each.why}' for each in applied)})" if applied else ""


def sum_of(applied: Sequence[Applied]) -> str:
    """Return the sum of the modifiers: ` (+1)`."""
    return f" ({sum(each.add for each in applied):+d})" if applied else ""


def whose(bind: Mapping[str, Value], mission: Mission, *, title: str = "") -> str:
    """Return which gun, man or fighter the dice are for, without what the `title` begins with:
    ` – Tail guns, fighter 1 (george from 6 level)`."""
    sheet = mission.game.sheet
    facts, described = Facts(sheet, mission.state, bind), {}
    for name, value in bind.items():
        member = sheet.known.get(name)
        if (
            value != "none"
            and isinstance(member, Member)
            and member.text
            and facts[member.present.format(value)] != "none"
        ):
            described[name] = facts.described(member)
    return binding(bind, mission.game, described, title)


def which(question: DiceQuestion, mission: Mission, waiting: Sequence[DiceQuestion] = ()) -> str:
    """Return which of several equal rolls the dice are for: ` (2 of 3)`; of those `waiting`, by its place there."""
    item, journal = mission.asked(question.table.id), mission.journal
    if item is None:
        return ""

    def among(items: Iterable[Mapping[str, Any]]) -> int:
        return sum(alike(each, item) for each in restored(items))

    done = sum(
        entry["t"] == question.table.id and "p" in entry and among(entry["p"][1]) > among(entry["p"][2])
        for entry in journal.entries[item.born : journal.stand]
    )
    of = done + sum(alike(each, item) for each in mission.pending)
    equal = [each for each in waiting if (each.table.id, each.bind) == (question.table.id, question.bind)]
    at = done + 1 + next((at for at, each in enumerate(equal) if each is question), 0)
    return f" ({at} of {of})" if of > 1 else ""


# -- a decision --------------------------------------------------------------------------------------------------------


def choice_prompt(question: ChoiceQuestion, mission: Mission | None = None) -> OptionsPrompt:
    """Return the prompt of one decision, whose options keep their numbers through the mission.

    What cannot be taken back in the story Enter takes only where it was the player's last word on the question; one of
    many alike (a card, a square) it never takes.
    """
    enter = enter_of(question, mission)
    can_be_final = mission is not None and question.name in mission.game.about.at_table.final
    own = all(each.number for each in question.options)
    options = []
    for each, key in zip(question.options, keys([each.name for each in question.options]), strict=True):
        text, number = beside(each, mission), each.number if own else key
        hidden = each.name == number or (text and each.name not in ("yes", "no")) or bare(each.name) in bare(text)
        final = can_be_final and each.name != enter and each.usual
        word = "" if hidden else unhyphened(each.name)
        options.append(Offer(each.name, number, word, text, usual=each.name == enter, final=final))
    item = mission.waiting() if mission else None
    title = question.title
    if mission and item and item.is_for("choose", question.name) and len(decisions(mission)) > 1:
        title = title_of(item, cast(Pack, mission.game), mission.state)  # the same is asked of others: whose it is
    return OptionsPrompt(title, options, enter, many=asked_again(question, mission))


def asked_again(question: ChoiceQuestion, mission: Mission | None) -> bool:
    """Return whether a decision is asked more than once: an option leads back to it, or it waits again behind."""
    waiting = [item for item in mission.pending if item.is_for("choose", question.name)] if mission else []
    return any(item.bind == waiting[0].bind for item in waiting[1:]) or any(
        isinstance(item, Mapping) and item.get("choose") == question.name
        for option in question.options
        for item in option.spec.get("then", ())
    )


def enter_of(question: ChoiceQuestion, mission: Mission | None) -> str:
    """Return the option that Enter takes; empty where it takes none."""
    written = mission.game.about.at_table.final.get(question.name, ()) if mission else ()
    never = [each.name for each in question.options if each.bind and each.spec.get("name") in written]
    final = [each.name for each in question.options if each.name in written or each.name in never]
    usual = question.options[0].name
    if mission is None or usual not in final:
        return usual
    if len(final) == len(question.options):
        return ""
    journal = mission.journal
    own = [each for each in journal.entries[: journal.stand] if (each["v"], each["t"]) == ("choose", question.name)]
    last = next((each.get("o") for each in reversed(own) if "a" not in each), None)
    if last == usual and usual not in never:
        return usual
    return next(each.name for each in question.options if each.name not in final)


def beside(option: Option, mission: Mission | None) -> str:
    """Return what is next to an option's name: its text, else what the man or gun of that name is called."""
    if option.text != option.name:
        return option.text
    own = mission is not None and option.name in option.bind.values()
    return binding(option.bind, mission.game).removeprefix(" – ") if mission and own else ""


# -- a row of the player's own book ------------------------------------------------------------------------------------


class RowPrompt(Prompt):
    """The row that the player's own book prints, by number or in words; `all` before it says it for every man who waits
    for the same table."""

    kind = "words"
    free = True

    def __init__(self, question: RowQuestion, mission: Mission | None = None) -> None:
        self.question, table = question, question.table
        asked = asked_of(question)
        names, texts = question.options, [str(table.outcomes[name].get("text", "")) for name in question.options]
        whom = binding(question.bind, mission.game, title=table.title) if mission else ""
        head = table.called + ("" if bare(whom.removeprefix(" – ")) in bare(question.asked) else whom)
        self.title = headed(head, f"{_capital(asked)}?")
        self.note = str(table.doc.get("note", "")) if table.patterns else ""
        self.figures = figures_only(table)
        offers = numbered(names, texts)
        self.options = [each._replace(word=each.word and table.sheet.read_out(each.value)) for each in offers]
        if self.figures:  # a typed number is the row, never a place in a list
            self.options = [each._replace(number="") for each in self.options]
        alike = [item for item in mission.pending if item.is_for("roll", table.id) and item.bind] if mission else []
        self.many = len(alike) if names and open_dice(question) and len(alike) > 1 else 0
        self.for_all = False  # whether the last answer was for all
        self.alone = bool(question.asked) and not names  # nothing to choose from: the question is the line
        own = "Your answer" if question.asked else "Its words"
        self.label = "A number, as the book prints it" if self.figures else f"Or {own.lower()}" if names else own
        self.span = "such as 2 or -1" if self.figures else ""
        self.suggestions = () if self.figures else _likely(table)[:SUGGESTED]
        if self.alone:
            self.line = f"{asked}: "
        elif self.figures:
            meaning = f" ({texts[0][:1].lower()}{texts[0][1:]})" if texts[0] else ""
            self.line = f"A number (2, -1), or Enter for {names[0]}{meaning}: "
        else:
            every = f'; "{EVERYBODY} 1" is for all {self.many}' if self.many else ""
            words = "Number, or its words" if names else "Its words, or none"
            self.line = f"{words}{every}: "

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The question, where it is not the line that is answered."""
        return [] if self.alone else [("", self.title)]

    def read(self, text: str) -> Answer:
        """Return the row; `=` before it insists on words that are not known."""
        table, options = self.question.table, self.question.options
        word, _, rest = text.partition(" ")
        self.for_all = bool(self.many) and word.casefold() == EVERYBODY and bool(meant(self.options, rest.strip()))
        text = rest.strip() if self.for_all else text
        if not text and not self.figures and not self.alone:
            raise UserError(f"Type {f'{numbers_of(self.options)}, or ' if options else ''}what the row says.")
        text = text or (options[0] if self.figures else "")
        row = table.parted(meant(self.options, text) or text)
        if self.figures and row not in options and not isinstance(printed(row), int):
            raise UserError(f"Type a number such as 2 or -1, or {options[0]}.")
        if not table.takes(printed(row)):
            why = "no answer here" if table.question else "only a number; type the words of your book"
            raise UserError(f"{row or 'Nothing'} is {why}.")
        if options and not table.works(printed(row)):
            if row.startswith("="):
                return row.removeprefix("=").strip()
            near = like(self.options, row)
            meaning = f"; did you mean {one_of(near)}?" if near else "."
            told = f"'{row}' is none of these{meaning} It would be noted in your words, and nothing changes."
            line = "Enter to note it so, or another answer: "
            raise Unconfirmed(told, f"={row}", near, line=line, enter=f"={row}")
        return heard(table, row)


def heard(table: Table, row: str) -> str:
    """Return a row of the player's own book once every name in it is known or insisted on."""
    try:
        table.hear(row)
    except UnknownName as strange:
        parts = [part.strip() for part in row.split(";")]
        typed = next((part for part in parts if slug(part) == strange.typed), strange.typed)
        raise doubt_of(
            strange,
            typed,
            lambda name: name if ";" in name else ";".join(name if part == typed else part for part in parts),
        ) from None
    return row


def open_dice(question: RowQuestion) -> bool:
    """Return whether only the player's book knows which dice are rolled for a row."""
    return question.table.dice.count is None


def asked_of(question: RowQuestion) -> str:
    """Return what is asked of the player's book: the table's own question, or for which net roll or row."""
    at = ""
    if question.net is not None and question.dice:
        at = f" for a net {question.net}"
    elif question.net is not None and question.table.dice.count:
        at = f" in row {question.net}"
    return question.asked or f"your own book has the rows. What does it say{at}"


def like(options: Sequence[Offer], row: str) -> list[str]:
    """Return the rows that may be meant by words that are not among them: a slip in the name, or a shared word."""
    slips = nearest(bare(row), [bare(each.value) for each in options])
    words = {word for word in slug(row).split("-") if len(word) > 2}
    shared = [each.value for each in options if words & set(slug(f"{each.value} {each.text}").split("-"))]
    return list(dict.fromkeys([*(each.value for each in options if bare(each.value) in slips), *shared]))[:3]


def figures_only(table: Table) -> bool:
    """Tell if the rows are numbers, but for one word: there a typed number is the row, never a place in a list."""
    owner = table.numbers()[0]
    return len(table.outcomes) == 1 and (owner.number is not None or owner.adjust is not None)


def _likely(table: Table) -> list[str]:
    """Return the rows that are known, and the names that may be in one."""
    fields = [table.sheet.fields[name] for _, _, spec in table.patterns for name in spec.get("#takes", {}).values()]
    names = [name for declared in fields for name in known_names(declared)]
    return list(dict.fromkeys([*map(unhyphened, table.outcomes), *names]))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- a field -----------------------------------------------------------------------------------------------------------


class FieldPrompt(Prompt):
    """The value of a field, or of a fact that a table needs; Enter takes the usual one where there is one."""

    def __init__(self, question: FactQuestion | FieldQuestion) -> None:
        self.question, declared = question, question.declared
        self.fact = isinstance(question, FactQuestion)
        self.label = declared.heading if isinstance(question, FactQuestion) else question.label
        self.title, self.free = f"{self.label}?", declared.words
        self.numeric, figures = declared.numeric, figures_of(declared)
        usual = "" if question.usual is None else str(question.usual)
        if not self.fact and usual == "none" and declared.default != "none":
            usual = ""  # nothing is written there
        self.enter, shown = usual, f" [{unhyphened(usual)}]" if usual else ""
        if declared.section == "book" and declared.numeric and declared.low < 0:
            self.note = "A modifier that only your book prints; type 0 if it has none. You are asked once."
        values = list(declared.values)
        self.options = numbered(values, usual=usual)
        self.listed = bool(values) and not figures and not self.fact
        if self.listed:
            self.line = OptionsPrompt("", self.options, usual if usual in values else "").line
            return
        span = f"{values[0]} to {values[-1]}" if figures and not self.fact else declared.span
        self.line = f"{self.label} ({span}){shown}: "
        if values and self.fact and declared.default is None and usual == "none":
            values.append("none")
        elif declared.numeric and declared.limit is not None and declared.limit - declared.low < COUNTED:
            values = [str(each) for each in range(declared.low, declared.limit + 1)]
        self.small = figures or declared.numeric
        self.options = [Offer(each, "", unhyphened(each), usual=each == usual) for each in values]
        if not values or len(values) > 12 and figures:
            self.kind, self.options = "words", []
            self.span = f"{'in ' if declared.words else ''}{' '.join(map(unhyphened, declared.span.split(' ')))}"
            self.usual, self.suggestions = "" if usual == "none" else usual, known_names(declared)

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The question, where its options are listed below."""
        return [("", self.title)] if self.listed else []

    def read(self, text: str) -> Answer:
        """Return the value: of a fact as it is used, of a field as it is recorded; `=` before a name insists on it."""
        declared, usual = self.question.declared, self.question.usual
        if not text and self.fact:
            if usual is not None:
                return usual
            if declared.numeric:
                raise UserError(f"{self.label} takes a number, {declared.span}; type 0 where your book adds nothing")
        if self.fact:
            return declared.accept(self.label, known_name(declared, self.label, text))
        if self.listed:
            try:
                return OptionsPrompt("", self.options, self.enter if self.enter in declared.values else "").read(text)
            except UserError:
                if text and not matching(self.options, text, inside=True):
                    with suppress(UserError):  # in other words for a value, such as `dead`
                        return str(declared.accept(self.label, text))
                raise
        text = text or self.enter
        if figures_of(declared):
            text = str(printed(text))  # `+1` is the value 1 of the list, not the first of its lines
        return text if text == str(usual) and declared.words else known_name(declared, self.label, text)


def figures_of(declared: Field) -> bool:
    """Tell if all values of a choice are numbers: such a one is typed as it is, not picked from a list."""
    return bool(declared.values) and all(figure(each) is not None for each in declared.values)


def known_name(declared: Field, label: str, text: str) -> str:
    """Return what was typed for a field as it takes it, `=` before a name that is insisted on.

    Raises:
        Unconfirmed: The name is not known.
        UserError: The field does not take it at all.
    """
    try:
        value = str(declared.accept(label, text))
    except UnknownName as strange:
        raise doubt_of(strange, text) from None
    return text if declared.words and text.startswith("=") else value


def doubt_of(strange: UnknownName, typed: str, whole: Callable[[str], str] = str) -> Unconfirmed:
    """Return the doubt about a name that is not known; `whole` makes the answer from another name for it. Enter never
    makes a slip a fact."""
    likely = strange.near[0] if len(strange.near) == 1 else ""
    enter = f"Enter takes {likely}, = keeps what you typed" if likely else "Type = to keep what you typed"
    return Unconfirmed(
        strange.doubt.replace(strange.typed, typed, 1), whole(f"={typed}"), [whole(name) for name in strange.near],
        line=f"{enter}, or type another: ", enter=likely,
        instead=lambda name: whole(f"={typed}" if name == "=" else name),
    )  # fmt: skip


def known_names(declared: Field) -> list[str]:
    """Return the names that a field knows, each once."""
    names: dict[str, str] = {}
    for name in declared.known.values() if declared.words else ():
        names.setdefault(bare(name), unhyphened(name))
    return list(names.values())[:SUGGESTED]
