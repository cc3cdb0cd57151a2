"""Output of a flight typed as input: every label with its value, every sentence of a change, every option.

`python -m tests.echo b29 0 200` flies the missions of these seeds and prints text that is not understood.
"""

import random
import sys
from collections.abc import Iterator, Mapping

from companion.engine.facts import FactQuestion
from companion.engine.fields import FREE, Value
from companion.engine.questions import ChoiceQuestion, FieldQuestion, RowQuestion
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.phrases import written
from companion.problems import UserError
from companion.render.describe import Pair, changes_of
from companion.render.dice_prompt import RowPrompt
from companion.render.options import LEAD, Prompt
from companion.render.prompt import FieldPrompt, choice_prompt
from companion.render.sheet_model import SheetModel
from companion.words import bare
from tests.support import walk
from tests.watch import VaryingChance, book

PLAIN = ("could be", "can't be set")  # several meanings, each as it may be typed; what nobody writes


class Echo(VaryingChance):
    """An automatic player that types everything a mission prints; `misread` is text not understood."""

    def __init__(self, pack: Pack, seed: int, known: set[object]) -> None:
        super().__init__(random.Random(seed))
        self.pack, self.known, self.misread = pack, known, list[str]()
        self.numbers: dict[tuple[str, str], str] = {}  # the option of each number of a question
        self.mission = Mission(pack, number=1)
        self.mission.write(book(pack.name).begin(random.Random(seed)))

    def fly(self, moves: int) -> list[str]:
        """Fly a number of moves and return the text not understood."""
        before = dict(self.mission.state)
        for count, _ in enumerate(walk(self.mission, self)):
            now = dict(self.mission.state)
            self._changes(before, now)
            if count % 20 == 0:
                self._screen(now)
            before = now
            if count == moves:
                break
        return self.misread

    def _changes(self, before: Mapping[str, Value], now: Mapping[str, Value]) -> None:
        fields = self.pack.sheet.fields
        names = [name for name in {**before, **now} if name in fields]
        pairs: list[Pair] = [
            (name, before.get(name, fields[name].blank), now.get(name, fields[name].blank)) for name in names
        ]
        for each in changes_of(pairs, self.pack).fields:
            declared = fields[each.name]
            if declared.kind != "list" and (declared.kind != "text" or declared.words) and each.name in now:
                for said in (f"{each.label} {each.now}", f"{each.label}: {each.now}", each.event, f"{each.sentence}."):
                    self._mark(said, each.name)

    def _screen(self, now: Mapping[str, Value]) -> None:
        model = SheetModel(self.pack, dict(now))
        for _, told in model.damage():
            for said in told:
                self._mark(said)
        named = {name for line in self.pack.about.status.lines for name in line}
        for name in [each for each in named if model.facts[each] not in (*FREE, "no", 0)]:
            self._mark(f"{self.pack.sheet.text(name)} {model.word(name, str(model.facts[name]))}")

    def _mark(self, said: str, name: str = "") -> None:
        if (said, name) in self.known:
            return
        self.known.add((said, name))
        try:
            found = written(self.pack, [said], self.mission.state)
        except UserError as problem:
            if not any(each in str(problem) for each in PLAIN):
                self.misread.append(f"{said!r}: {problem}")
            return
        told = bare(str(self.mission.state.get(name)))
        if name and {key: bare(str(value)) for key, value in found.items()} != {name: told}:
            self.misread.append(f"{said!r} is {found}, not {name}={told}")

    def choice(self, question: ChoiceQuestion) -> str:
        self._typed(question.name, question.title, choice_prompt(question, self.mission))
        return super().choice(question)

    def row(self, question: RowQuestion) -> str:
        self._numbers(question.table.id, RowPrompt(question, self.mission))
        return super().row(question)

    def fact(self, question: FactQuestion) -> Value:
        self._numbers(question.declared.name, FieldPrompt(question))
        return super().fact(question)

    def field(self, question: FieldQuestion) -> str:
        prompt = FieldPrompt(question)
        if prompt.listed:
            self._typed(question.declared.name, question.subject, prompt)
        return super().field(question)

    def _numbers(self, name: str, prompt: Prompt) -> None:
        """Check that an option keeps its number through the mission: the fighter's, 0 for none, or its own."""
        for each in prompt.options:
            fighter = LEAD.match(each.value)
            if each.number in ("", "0") or fighter and fighter[1] == each.number.rstrip("abcdefghijk"):
                continue
            meant = self.numbers.setdefault((name, each.number), each.value)
            if meant != each.value:
                self.misread.append(f"{prompt.title} {each.number} is {each.value}, and was {meant}")

    def _typed(self, name: str, title: str, prompt: Prompt) -> None:
        self._numbers(name, prompt)
        for each in prompt.options:
            for said in filter(None, {each.number, each.word, each.text, each.label}):
                key = (name, said, each.value, *(other.value for other in prompt.options))
                if key in self.known:
                    continue
                self.known.add(key)
                try:
                    answer = prompt.read(said)
                except UserError as problem:
                    answer = each.value if "could be" in str(problem) else str(problem)
                if answer != each.value:
                    self.misread.append(f"{title} {said!r} is {answer}, not {each.value}")


def misread(pack: Pack, seeds: range, moves: int = 20_000) -> Iterator[str]:
    """Yield the text that missions of these seeds print but do not understand."""
    known = set[object]()
    for seed in seeds:
        for line in Echo(pack, seed, known).fly(moves):
            yield f"{seed}: {line}"


if __name__ == "__main__":
    for line in misread(Pack(sys.argv[1]), range(int(sys.argv[2]), int(sys.argv[3]))):
        print(line, flush=True)
