"""Answers of another player (a script, an automatic player) to each question on the page, and requests in process."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from httpx import Response
from starlette.applications import Starlette
from starlette.testclient import TestClient

from companion.engine.facts import FactQuestion
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.play.conversation import Player
from companion.play.mission import Mission
from companion.play.plan import decisions, key_of, planned
from companion.play.script import ScriptEnded
from companion.problems import Unconfirmed
from companion.render.dice_prompt import row_of
from companion.render.prompt import LinePrompt, field_prompt
from companion.store import campaigns
from companion.web.app import application
from companion.web.board import Board, View, load_answers


def board_of() -> Board:
    """Return the board of the campaign in use."""
    campaign = campaigns.campaign_in_use()
    assert campaign is not None
    return Board(campaign)


def mission_of(board: Board) -> Mission:
    """Return the mission on disk."""
    return board.present().mission


def tapped(board: Board, by: Player) -> dict[str, object]:
    """Return the request for the question on the page."""
    session = board.present()
    by.mission = mission = session.mission  # a script reads the men's names there
    question = board._ask(session, load_answers(board.campaign.folder, session.mission, session.stamp))
    assert question is not None
    if isinstance(question, DiceQuestion):
        dice = ",".join(map(str, by.dice(question)))
        return {"value": dice or by.row(row_of(question, mission_of(board)))}
    if isinstance(question, RowQuestion):
        return {"value": by.row(question)}
    if isinstance(question, ChoiceQuestion):
        items = decisions(mission)
        return {"value": by.choice(question)} if len(items) < 2 else {"wishes": _plan(question, mission, by)}
    if isinstance(question, FactQuestion):
        return {"value": str(by.fact(question))}
    assert isinstance(question, FieldQuestion)
    prompt = field_prompt(question, mission_of(board))
    if isinstance(prompt, LinePrompt):
        return {"value": "; ".join(" ".join(by.field(each) for _, each in group) for group in prompt.groups)}
    return {"value": by.field(question)}


def _plan(question: ChoiceQuestion, mission: Mission, by: Player) -> dict[str, str]:
    """Yield each decision of a plan, in the order in which the terminal asks for them."""
    wishes: dict[str, str] = {}
    while True:
        places = planned(mission, decisions(mission), wishes)
        place = next((each for each in places if len(each.options) > 1 and key_of(each.item) not in wishes), None)
        if place is None:
            return wishes
        one = ChoiceQuestion(question.name, question.title, list(place.options), place.item.bind)
        wishes[key_of(place.item)] = by.choice(one)


def fly(board: Board, by: Player, most: int = 5_000) -> View:
    """Tap until there are no more questions or script lines."""
    view = board.view()
    for _ in range(most):
        if view.prompt is None:
            break
        try:
            sent = tapped(board, by)
        except ScriptEnded:
            break
        view = send(board, view, sent)
    return view


def send(board: Board, view: View, sent: dict[str, object]) -> View:
    """Send an answer, insisting on unknown words."""
    while True:
        try:
            return board.answer(view.id, sent)
        except Unconfirmed as doubt:
            sent = {"value": doubt.kept}


KEY = "0123456789abcdef" * 2


class Caller(TestClient):
    """A visitor of the page, who comes in by its address."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(app, follow_redirects=False)
        self.page = app.state.page

    def come_in(self) -> Response:
        """Open the page by its address."""
        return self.get("/", params={"k": KEY})

    def tap(self, path: str, sent: Mapping[str, object] | None = None) -> Response:
        """Send the same request as the page after a tap."""
        return self.post(path, json=sent or {}, headers={"x-companion": "1"})

    def answer(self, value: object, **more: object) -> Response:
        """Answer the current question."""
        return self.tap("/answer", {"seen": self.seen, "value": value, **more})

    @property
    def seen(self) -> str:
        """Return the current question."""
        return self.get("/board").headers["x-view"]


@contextmanager
def calling() -> Iterator[Caller]:
    """Yield a visitor who has opened the page of the campaign in use."""
    with Caller(application(campaigns.campaign_in_use(), key=KEY)) as caller:
        caller.come_in()
        yield caller
