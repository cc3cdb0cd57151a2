"""The answers of the page: each is held against its question and kept, and the next move is made of them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.facts import FactQuestion
from companion.engine.fields import Field, Strange
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.play.conversation import next_move
from companion.play.dice_tray import together
from companion.play.mission import Mission
from companion.play.plan import Answer, Answered, Plan, decisions, joint, key_of, planned
from companion.problems import Problem, Question
from companion.render.questions import figures_of, like
from companion.web.memory import Memory
from companion.words import bare, one_of, printed, slug

LONGEST = 500  # letters of an answer


class Doubtful(Problem):
    """Words that are none of those known: they count when the player insists. `near` are those that may be meant."""

    def __init__(self, text: str, near: list[str], kept: str) -> None:
        super().__init__(text)
        self.near, self.kept = near, kept


def remember(question: Question, sent: Mapping[str, object], mission: Mission, memory: Memory) -> None:
    """Keep the answer that was sent; raises a Problem where it is none, and nothing is remembered then."""
    if isinstance(question, ChoiceQuestion) and isinstance(wishes := sent.get("wishes"), Mapping):
        _plan(question, {str(key): str(option) for key, option in wishes.items()}, mission, memory)
        return
    answer = _answer(question, sent, mission, memory)
    memory.answers.append(Answered(question.key, question.subject, answer))


def _answer(question: Question, sent: Mapping[str, object], mission: Mission, memory: Memory) -> Answer:
    value = sent.get("value")
    if not isinstance(value, str | int) or len(str(value)) > LONGEST:
        raise Problem(f"an answer is one line of up to {LONGEST} characters; nothing was recorded")
    text = str(value).strip()
    if isinstance(question, DiceQuestion):
        return _dice(question, text, mission, memory)
    if isinstance(question, RowQuestion):
        return _row(question, text, insist=bool(sent.get("insist")))
    if isinstance(question, ChoiceQuestion):
        if text not in [option.name for option in question.options]:
            raise Problem(f"{text or 'Nothing'} cannot be chosen now; nothing was recorded")
        return text
    if isinstance(question, FactQuestion):
        if not text and question.usual is not None:
            return question.usual
        label = question.declared.heading
        return question.declared.accept(label, _named(question.declared, label, text, insist=bool(sent.get("insist"))))
    assert isinstance(question, FieldQuestion)
    text = text or str(question.usual)
    if figures_of(question.declared):
        text = str(printed(text))
    if text == str(question.usual) and question.declared.words:
        return text
    return _named(question.declared, question.label, text, insist=bool(sent.get("insist")))


def _dice(question: DiceQuestion, text: str, mission: Mission, memory: Memory) -> list[int]:
    rolls = [question, *memory.tray.unserved(together(mission, question)[1:])]
    return memory.tray.typed(text, rolls)[0]


def _row(question: RowQuestion, text: str, *, insist: bool) -> str:
    table = question.table
    spelled = {bare(option): option for option in question.options}
    row = spelled.get(bare(text), text) if text else text
    if not table.takes(printed(row)):
        raise Problem(f"{row or 'Nothing'} is no answer here; type the words of your book, or its number")
    if question.options and not table.works(printed(row)) and not insist:
        texts = [str(table.outcomes[option].get("text", "")) for option in question.options]
        near = like(question.options, texts, row)
        raise Doubtful(f"{row} is none of the rows. It would be noted in your words, and nothing changes.", near, row)
    try:
        table.hear(row)
    except Strange as strange:
        parts = [part.strip() for part in row.split(";")]
        if insist:
            return ";".join(f"={part}" if slug(part) == strange.typed else part for part in parts)
        meant = [[name if slug(part) == strange.typed else part for part in parts] for name in strange.near]
        raise Doubtful(strange.doubt, [";".join(each) for each in meant], row) from None
    return row


def _named(declared: Field, label: str, text: str, *, insist: bool) -> str:
    """What was typed for a field as it takes it, `=` before a name that is insisted on."""
    if not text and declared.numeric:
        raise Problem(f"{label} takes a number, {declared.span}; 0 where your book adds nothing")
    try:
        value = str(declared.accept(label, text))
    except Strange as strange:
        if insist:
            return f"={text}"
        raise Doubtful(strange.doubt, strange.near, text) from None
    return text if declared.words and text.startswith("=") else value


def _plan(question: ChoiceQuestion, wishes: dict[str, str], mission: Mission, memory: Memory) -> None:
    items = decisions(mission)
    if not joint(mission, items) or not items[0].is_for("choose", question.name):
        raise Problem("this is decided one by one now; nothing was recorded")
    keys = [key_of(item) for item in items]
    if strange := [key for key in wishes if key not in keys]:
        raise Problem(f"{one_of(strange)} has nothing to decide now; nothing was recorded")
    options = {key_of(place.item): place.planned.name for place in planned(mission, items, wishes)}
    memory.plan = Plan.of(items, options)


def make_move(mission: Mission, memory: Memory) -> list[Result] | Question:
    """Make the next move from what the phones have answered.

    Returns:
        What the move came to (nothing when the mission is over), or the question that has no answer yet; then nothing
        has been done, and the answers of the move are kept.
    """
    memory.plan.settle(mission)
    remembered, used = list(memory.answers), list[Answered]()
    talk = next_move(mission, memory.beside or None)
    try:
        question = next(talk)
        while (answer := _ready(question, remembered, mission, memory)) is not None:
            used.append(Answered(question.key, question.subject, answer))
            question = talk.send(answer)
    except StopIteration as done:
        memory.answers, memory.beside = [], ""
        return done.value  # type: ignore[no-any-return]
    finally:
        talk.close()
    memory.answers = [*used, *remembered]
    return question


def _ready(question: Question, remembered: list[Answered], mission: Mission, memory: Memory) -> Answer | None:
    """The answer that was given before, else the dice on the tray or the plan; None where there is none."""
    for at, each in enumerate(remembered):
        if each.key == question.key:
            del remembered[: at + 1]
            return each.answer
    if isinstance(question, DiceQuestion):
        return memory.tray.take(question)
    return memory.plan.take(question, mission) if isinstance(question, ChoiceQuestion) else None
