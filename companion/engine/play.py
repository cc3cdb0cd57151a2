"""Playing a mission: rolls, decisions, answers, steps and marks on a working copy.

`Play` is handed a game (tables, rules, choices), the flat state and the pending list. A roll, a decision and an answer
are conversations (`Talk`): each yields a question when only the player knows the answer (dice, a fact, the row of an
owner table, an option), is sent the answer and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.engine.fields import FREE, Spec, Value
from companion.engine.questions import ChoiceQuestion, FieldQuestion, GivenAnswers, Option, Pending, Talk, alike
from companion.engine.resolution import Resolution, Result, Work
from companion.engine.roll import Roll, carry_out
from companion.engine.rules import END, START, Step, words
from companion.engine.sheet import Bound, Member, Sheet
from companion.engine.tables import Table
from companion.problems import MissingAnswer, SystemFault, UserError
from companion.words import one_of

MOST_STEPS = 10_000  # consecutive steps that ask for nothing


class Play(Work):
    """A working copy on which things are resolved, each by a `Resolution` of its own."""

    def talk(self, item: Pending, hand: Hand, answer: str | None = None, *, by_hand: bool = False) -> Talk[Result]:
        """Resolve a pending thing, asking for what only the player knows.

        When a fact is missing, the changes to the sheet are rolled back before the next try; the dice and the row
        already given are kept.

        Args:
            hand: Dice already given.
            answer: The row of the player's rulebook, the option or the value, if the player has given it.
            by_hand: Whether it is not pending, but a table that the player named.
        """
        said = GivenAnswers(answer)
        while True:
            mark = self.mark()
            try:
                if item.kind == "roll":
                    return (yield from self._rolled(item, hand, said, by_hand))
                if item.kind == "choose":
                    return (yield from self._chosen(item, said))
                return (yield from self._answered(item, said))
            except MissingAnswer as missing:
                self.take_back(mark)
                question = missing.question
            yield question

    # -- rolls ---------------------------------------------------------------------------------------------------------

    def roll(
        self, name: str, hand: Hand, bind: Mapping[str, Value] | None = None, *, outcome: str | None = None
    ) -> Talk[Result]:
        """Roll on a table that the player named, for the fighter, gun or man of `bind`."""
        return self.talk(Pending("roll", name, bind or {}), hand, outcome, by_hand=True)

    def _rolled(self, item: Pending, hand: Hand, said: GivenAnswers, by_hand: bool) -> Talk[Result]:
        table, given = self.game.table(item.name), self.given
        bound = {**table.bind(self.facts), **item.bind} if table.binds else dict(item.bind)
        if given:
            bound.update({name: value for name, value in given.items() if self._stays(name)})
        with self.facts.bind({key: value for key, value in bound.items() if key not in given} if given else bound):
            try:
                if by_hand and not self.recorded:
                    self.facts.roll_by_hand(True)
                if about := table.about:
                    self._check_about(table, about, by_hand)
                result = Result(table.id, table.title, bind=bound)
                result.cite = table.cite
                resolution = Resolution(self, result)
                resolution.by_hand = by_hand
                if by_hand and "until" in table.doc:
                    resolution.begin(table.doc["until"])
                yield from Roll(table, resolution, hand, said, item.take).resolve()
                if not by_hand and not self.bare:  # everything else comes from the sheet
                    result.assumed = {name: declared.blank for name, declared in result.unsaid.items()}
                result.said = said.answer
                finished = resolution.finish(None if by_hand else item, table.id)
                if given and not by_hand:
                    self._share_given_facts(item, bound)
                return finished
            finally:
                if by_hand:
                    self.facts.roll_by_hand(False)
                if "again" in self.facts.given:
                    self.facts.change("again", None)

    def make_sense(self, item: Pending) -> None:
        """Refuse a table that makes no sense here, such as one for a gun that cannot bear."""
        table = self.game.table(item.name)
        if table.about and not item.bind:
            self._check_about(table, table.about, by_hand=True)

    def _check_about(self, table: Table, about: Spec, by_hand: bool) -> None:
        """Ask which fighter, gun or crewman a roll is for; if the player named one that makes no sense, list those that
        do.
        """
        facts, index = self.facts, str(about["ask"])
        test = about.get("#when") if by_hand and not self.recorded else None
        member_given = str(facts[index]) if index in facts.given else "none"
        if test is None and member_given != "none":
            return
        declared, known = self.sheet.declared(index), self.sheet.known[index]
        if isinstance(known, Member) and known.present:
            if not (there := facts.there(index)):  # a lookup without any fighter
                return
            declared = declared.among(tuple(there))
        if test is None or (member_given == "none" and not facts.asking):
            if member_given == "none" and (facts.asking if test is None else not test(facts)):
                raise MissingAnswer(FactQuestion(index, declared))
            return
        fitting = [member for member in declared.values if facts.holds(test, {index: member})]
        if member_given in fitting:
            return
        if member_given == "none" and fitting:
            raise MissingAnswer(FactQuestion(index, declared.among(tuple(fitting))))
        why = words(about, "why", facts) if member_given != "none" else ""
        labels = [self.sheet.label(index, each) for each in fitting]
        can = f"Choose {one_of(labels)}" if fitting else f"No {index} fits"
        raise UserError(f"{table.id}: {f'{why}. ' if why else ''}{can}")

    def _share_given_facts(self, item: Pending, bound: Mapping[str, Value]) -> None:
        """Copy facts about a fighter that is not on the sheet to the other rolls asked for with this one."""
        described = {name: bound[name] for name in self.given if name in bound and name not in self.sheet.index}
        if described:
            self.pending = [
                each._replace(bind={**each.bind, **described}) if alike(each, item) else each for each in self.pending
            ]

    def _stays(self, name: str) -> bool:
        """Return whether a given fact also applies to follow-ups: the gun, facts about a fighter on no sheet."""
        known = self.sheet.known.get(name)
        return name in self.sheet.index or (isinstance(known, Bound) and self.facts[known.index] == "none")

    # -- decisions -----------------------------------------------------------------------------------------------------

    def options_of(self, item: Pending) -> list[Option]:
        """Return the legal answers to a pending decision, the default first."""
        with self.facts.bind(self._bound(item)):
            return self._options(item)[1]

    def _chosen(self, item: Pending, said: GivenAnswers) -> Talk[Result]:
        """Take one option of a decision; if several are legal and none is given, ask which."""
        with self.facts.bind(self._bound(item)):
            declared, options = self._options(item)
            if not options:
                raise SystemFault(f"{self.game.name}: the choice {item.name} has no legal option right now")
            title = words(declared, "title", self.facts) if self.noting else ""
            option = options[0] if len(options) == 1 and said.answer is None else None
            while option is None:
                if said.answer is None:
                    said.answer = yield ChoiceQuestion(item.name, title, options, dict(item.bind))
                name = self.sheet.nicknames.member(str(said.answer), [each.name for each in options])
                option = next((each for each in options if each.name.casefold() == name.casefold()), None)
                said.answer = None if option is None else said.answer
            bind = dict(item.bind)
            result = Result(item.name, title, outcome=option.name, bind=bind)
            result.cite, result.decision = str(declared.get("cite", "")), True
            with self.facts.bind(option.bind):
                resolution = Resolution(self, result)
                carry_out(resolution, None, option.name, option.spec, {**bind, **option.bind})
                return resolution.finish(item, item.name)

    def _bound(self, item: Pending) -> Mapping[str, Value]:
        bind = item.bind
        return {key: bind[key] for key in bind if key not in self.given} if self.given else bind

    def _options(self, item: Pending) -> tuple[Spec, list[Option]]:
        """Return the declared choice for a pending decision and its legal answers, the default first."""
        if self.legal is not None and self.legal[0] is item:
            return self.legal[1:]
        declared = self.game.choice(item.name)
        legal: list[Option] = []
        for spec in declared.get("option", ()):
            if "#for" in spec:
                self._options_for(spec, legal)
            else:
                self._option(spec, {}, legal)
        if self.noting:
            number(declared, legal, self.sheet)
        legal.sort(key=lambda option: not option.usual)
        self.legal = (item, declared, legal)
        return declared, legal

    def _options_for(self, spec: Spec, legal: list[Option]) -> None:
        """Add an option for every eligible member of an index."""
        index, alias, row, table = spec["#for"]
        others, other = spec.get("#and", ("", row))
        for member in self.facts.through(alias, tuple(self.sheet.index[index])):
            if not other:
                self._option(spec, {alias: member}, legal)
            elif not row or not self.sheet.free(f"{index}.{member}", self.state):  # no table lookup for an empty slot
                named = self._named_in(table) if row else tuple(self.sheet.index[others])
                for each in self.facts.through(other, named):
                    self._option(spec, {alias: member, other: each}, legal)

    def _option(self, spec: Spec, bind: dict[str, str], legal: list[Option]) -> None:
        facts = self.facts
        if "#when" in spec and not spec["#when"](facts):
            return
        name = words(spec, "name", facts)
        text = words(spec, "text", facts) if "text" in spec and self.noting else name
        usual: bool = spec["#usual"](facts) if "#usual" in spec else spec.get("usual") is True
        legal.append(Option(name, text, spec, bind, usual))

    def _named_in(self, name: str) -> list[str]:
        """Return all names in the column that applies.

        A row is one name, or several when its pattern splits it (`{by}-or-{other}`: two). Empty when no column applies.
        """
        table = self.game.table(name)
        if (column := table.holding(self.facts)) is None:
            return []
        rows = map(str, column.rows.written.values())
        return list(dict.fromkeys(name for row in rows for name in table.outcome(row)[1].values() or [row]))

    # -- questions about a field ---------------------------------------------------------------------------------------

    def _answered(self, item: Pending, said: GivenAnswers) -> Talk[Result]:
        """Take the answer to a question about one field, asking for it if none is given."""
        name, declared = item.name, self.sheet.fields[item.name]
        label = self.sheet.text(name) if self.noting else name
        usual = self.state.get(name, declared.blank) if item.usual is None else item.usual
        if said.answer is None:
            required = declared.ask and declared.numeric and item.usual is None and name not in self.state
            known = usual != "" and not required and declared.reaches(usual)  # a worked-out fact may be no legal value
            said.answer = str((yield FieldQuestion(name, declared, label, usual if known else "")))
        value = declared.accept(name, said.answer, sure=said.answer == str(usual))
        result = Result(name, label, outcome=str(value))
        result.cite, result.decision = declared.cite, True
        resolution = Resolution(self, result)
        resolution.change(name, value)
        return resolution.finish(item, name)

    # -- steps ---------------------------------------------------------------------------------------------------------

    def advance(self) -> Result | None:
        """Take the next steps of the sequence until one asks for something; None when the mission is over."""
        steps, facts = self.game.sequence, self.facts
        at = steps.after(str(facts["step"]))
        if at >= len(steps.steps):
            return None
        result = Result("step")
        result.step = True
        resolution = Resolution(self, result)
        for _ in range(MOST_STEPS):
            at = steps.due(at, facts)
            if at >= len(steps.steps):
                resolution.change("step", END)
                break
            step = steps.steps[at]
            self._step(step, resolution)
            if step.go is not None:
                at = steps.target(step)
                resolution.change("step", steps.steps[at - 1].id if at else START)
            else:
                resolution.change("step", step.id)
                at += 1
            if resolution.waits:
                break
        else:
            raise RecursionError(f"the circle of steps at {result.table}")
        return resolution.finish(None, "step")

    def _step(self, step: Step, resolution: Resolution) -> None:
        """Carry out one step; if it asks for or says something, the result takes its name."""
        spec, result = resolution.case_of(step.spec), resolution.result
        bind: dict[str, Value] = {}
        if "#do" in spec:
            spec["#do"](resolution, bind)
        if "#order" in spec:
            spec["#order"](resolution, bind)
        before = resolution.asked
        if "#then" in spec:
            spec["#then"](resolution, bind)
        resolution.follow_rules()
        if self.noting and spec.get("text") and (text := words(spec, "text", self.facts)):
            result.notes.append((text, step.cite))
        if not result.title or resolution.asked > before:
            result.table, result.cite = step.id, step.cite
            result.title = step.title(self.facts) if self.noting else step.id

    # -- edits by the player -------------------------------------------------------------------------------------------

    def write(self, values: Mapping[str, Value], title: str) -> Result:
        """Write fields for the player (`set`, `mark`, `erase`), then follow standing rules as after a roll.

        Fields that end others (the zone) are written first, so they end nothing written with them.
        """
        resolution = Resolution(self, Result(title, title))
        before, reasons = list(self.pending), self._reasons(resolution)
        ends = self.sheet.until
        for name, value in sorted(values.items(), key=lambda each: each[0] not in ends):
            single = self.concrete(self.sheet.writable(name))
            if not single:
                head, _, tail = name.partition(".")
                raise UserError(f"{name} needs the number of the {head}, e.g. {head}.1.{tail}")
            accepted = self.sheet.fields[single].accept(single, value, sure=True)
            if single == "step" and accepted not in ("", START, END, *self.game.sequence.place):
                raise UserError(f"there is no step {accepted} in the order of play. See: companion next")
            resolution.change(single, accepted)
            if single in self.sheet.presence and accepted in FREE:
                resolution.empty(*self.sheet.presence[single])
            resolution.follow_rules()
        result = resolution.finish(None, title)
        gone = [item for item, holds in reasons if not holds()]
        self.pending = [item for item in self.pending if not any(item is each for each in gone)]
        struck = [item.asked(self.game, self.state) for item in before if item.waits and item not in self.pending]
        result.notes += [(f"No longer pending: {each}", "") for each in dict.fromkeys(struck)]
        return result

    def _reasons(self, resolution: Resolution) -> list[tuple[Pending, Callable[[], bool]]]:
        """Return the pending rolls and decisions that have a reason on the sheet, each with a test for that reason.

        Either the step or a standing rule asks for them, or a row did and they make sense for their gun or crewman.
        """
        steps = self.game.sequence
        at = steps.place.get(str(self.facts["step"]))
        step = None if at is None else steps.steps[at]
        reasons: list[tuple[Pending, Callable[[], bool]]] = []
        for item in self.pending:
            about = self.game.table(item.name).about if item.kind == "roll" else {}
            if item.waits and resolution.asks_for(item, step):
                reasons.append((item, partial(resolution.asks_for, item, step)))
            elif "#when" in about and about["ask"] in item.bind:
                reasons.append((item, partial(self.facts.holds, about["#when"], self._bound(item))))
        return [(item, holds) for item, holds in reasons if holds()]


# -- the number of an option, fixed for the whole mission --------------------------------------------------------------


def number(choice: Spec, legal: Sequence[Option], sheet: Sheet) -> None:
    """Give each option its number.

    Written options are numbered in file order, from 0 if there are also options for an index (guns, men, fighters). An
    option for an index has the number of its member: a fighter its own, a man or a gun their position in the sheet's
    list, and one for two members both: `2@14`. Several options for one member get letters: `2a`, `2b`.
    """
    specs: Sequence[Spec] = choice.get("option", ())
    start, size = dict[str, int](), 0  # the offset of each index, and the members of all of them
    for index in dict.fromkeys(spec["#for"][0] for spec in specs if "#for" in spec):
        start[index] = size
        size += len(sheet.index[index])
    written = list(dict.fromkeys(str(spec.get("name", "")) for spec in specs if "#for" not in spec))
    by_number: dict[str, list[Option]] = {}
    for option in legal:
        if "#for" in option.spec:
            loops = [option.spec["#for"][:2], *([option.spec["#and"]] if "#and" in option.spec else ())]
            places = []
            for index, alias in loops:
                member = option.bind[alias]
                place = int(member) if member.isdigit() else 1 + list(sheet.index[index]).index(member)
                places.append(str(place + (start[index] if len(loops) == 1 else 0)))
            option.number = "@".join(places)
        else:
            place_written = written.index(str(option.spec.get("name", "")))
            option.number = str(place_written + 1 if not size else 0 if not place_written else size + place_written)
        by_number.setdefault(option.number, []).append(option)
    for options in by_number.values():
        if len(options) > 1:
            for at, option in enumerate(options):
                option.number += chr(ord("a") + at)
