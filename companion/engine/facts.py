"""The facts as tables see them: the sheet's fields, with defaults, worked-out facts and bindings filled in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.engine.fields import FREE, Field, Value
from companion.engine.sheet import Attribute, Bound, Derived, Member, Sheet
from companion.problems import MissingAnswer, Question, SystemFault


class FactQuestion(Question):
    """A question for a fact that only the player knows."""

    kind = "fact"

    def __init__(self, name: str, declared: Field, usual: Value | None = None, *, why: str = "") -> None:
        self.name, self.declared, self.why = name, declared, why
        self.usual = declared.default if usual is None else usual  # the default for Enter
        self.subject = declared.heading

    def __str__(self) -> str:
        if self.declared.kind == "choice" and not self.declared.values:
            return f"No {self.name} is on the sheet. Describe it with --{self.name}"
        return self.why or f"A roll needs {self.declared.needed(self.name)}"


class Binding:
    """Names bound in facts; the end of a `with` restores the earlier bindings."""

    __slots__ = ("before", "facts")

    def __init__(self, facts: Facts, before: Mapping[str, Value | None]) -> None:
        self.facts, self.before = facts, before

    def __enter__(self) -> None:
        pass

    def __exit__(self, *raised: object) -> None:
        facts = self.facts
        for name, value in self.before.items():
            if value is None or facts.get(name) != value:
                facts.change(name, value)


class Facts(dict[str, Value]):
    """The facts as a table sees them.

    Given facts (from the sheet, `--with` or the pending item) are plain entries; the others are worked out when first
    read and cached until something they depend on may have changed. `assumed` collects the facts that took their
    default when first read; None turns this off. `unsaid` are those of them that are on no sheet: facts that a player
    is asked for, and fields of a fighter that is not on the sheet.
    """

    __slots__ = (
        "asking", "assumed", "by_hand", "given", "known", "meant", "sheet", "unsaid", "worked_out",
    )  # fmt: skip

    def __init__(self, sheet: Sheet, *layers: Mapping[str, Value], asking: bool = False, noting: bool = False) -> None:
        super().__init__()
        for layer in layers:
            self.update(layer)
        self.sheet, self.known = sheet, sheet.known
        self.given = set(self)
        self.worked_out = defaultdict[str, list[str]](list)  # single names by pattern
        self.assumed: dict[str, Value] | None = {} if noting else None
        self.unsaid: dict[str, Field] = {}
        self.asking = asking
        self.by_hand = False  # whether the player named the roll; then they also say which fighter it is for
        self.meant: dict[str, Value] = {}  # by hand: the only one there, once read by the roll

    def __missing__(self, name: str) -> Value:
        known = self.known.get(name)
        if isinstance(known, Derived):
            members = self.sheet.arguments.get(name, ())
            value = known.work(self, *members) if self.assumed is None else self._noted(name, known, members)
        elif isinstance(known, Field):
            if self.assumed is None and not self.asking:
                value = self[name] = known.blank
                return value
            value = self[name] = self._untouched(name, known)
            if self.asking and known.ask:
                self.worked_out[self.sheet.pattern(name)].append(name)
            return value
        elif isinstance(known, Bound):
            single = known.names.get(str(self[known.index]) if self.assumed is None else self._member_of(known.index))
            value = self._untouched(name, known.declared, known.index) if single is None else self[single]
        elif isinstance(known, Attribute):  # `none` if nothing is bound or the member has no such attribute
            value = known.members.get(str(self[known.index]), {}).get(known.key, "none")
        elif isinstance(known, Member):
            value = self._only(name, known)
        else:
            family = name.removesuffix(".none")
            for index in self.sheet.index:
                if f"{family}[{index}]" in self.sheet.facts:  # a fact about a member, and none is bound
                    raise MissingAnswer(self.which(index))
            raise SystemFault(f"the pack uses a field {name} that its sheet doesn't declare")
        self[name] = value
        self.worked_out[known.pattern if isinstance(known, Derived) else name].append(name)
        return value

    def _untouched(self, name: str, field: Field, unbound: str = "") -> Value:
        """Return the value of an untouched field: ask for it if required, else note its default as assumed.
        `unbound` is the index without a bound member."""
        if self.asking and (field.ask or (unbound and not field.unasked)) and not self.sheet.empty(name, self):
            raise MissingAnswer(self._question(name, field, unbound))
        if self.assumed is not None:
            index = self.sheet.slot(name)
            if index and self.sheet.empty(name, self):  # fields of empty slots
                if not self.there(index):
                    self.assumed.setdefault(index, "none")
            else:
                self.assumed[name] = field.blank  # a number found only in the player's rulebook reads as 0
                if field.ask or unbound or (index and self.sheet.free(name, self)):
                    question = self._question(name, field, unbound)
                    self.unsaid.setdefault(question.name, question.declared)
        return field.blank

    def _question(self, name: str, field: Field, unbound: str) -> FactQuestion:
        """Return the question for a fact; with several members present, first ask which one is meant."""
        return self.which(unbound) if unbound and len(self.there(unbound)) > 1 else FactQuestion(name, field)

    def which(self, index: str) -> FactQuestion:
        """Return the question which member of an index is meant, among those that are present if they come and go."""
        member, declared = self.sheet.known[index], self.sheet.declared(index)
        come_and_go = isinstance(member, Member) and member.present
        return FactQuestion(index, declared.among(tuple(self.there(index))) if come_and_go else declared)

    def is_given_about(self, index: str) -> bool:
        """Return whether a fact was given about a member that may not be on the sheet: `fighter.clock = 6`."""
        return any(isinstance(known := self.known.get(name), Bound) and known.index == index for name in self.given)

    def _noted(self, name: str, fact: Derived, members: tuple[str, ...]) -> Value:
        """Work out a fact and note its assumptions; a count over a whole family is noted by its own name."""
        outer, self.assumed = self.assumed, {}
        before = set(self)
        try:
            value: Value = fact.work(self, *members)
            inner = self.assumed
        finally:
            self.assumed = outer
        if outer is None or not inner:
            return value
        families = {declared.name for each in inner if isinstance(declared := self.known.get(each), Field)}
        if fact.numeric and len(inner) > 1 and len(families) == 1 and all(each in self.sheet.fields for each in inner):
            outer[name] = value
            for each in self.keys() - before - self.given:  # reading a single one of them notes it
                del self[each]
        else:
            outer.update(inner)
        return value

    def there(self, index: str) -> list[str]:
        """Return the members of an index that are present, such as the fighters on the chart."""
        member = self.sheet.known[index]
        if not isinstance(member, Member) or not member.present:
            return []
        return [each for each in member.declared.values if self.get(member.present.format(each), "") not in FREE]

    def _member_of(self, index: str) -> str:
        """Return the bound member; an unbound one is noted with the fields read from it."""
        if self.assumed is None or index in self.given:
            return str(self[index])
        outer, self.assumed = self.assumed, None
        try:
            return str(self[index])
        finally:
            self.assumed = outer
            self.pop(index, None)

    def _only(self, name: str, member: Member) -> Value:
        """Return the only member present (such as the one fighter on the chart) for an unbound index, else ask."""
        if member.present:
            there = self.there(name)
            if self.by_hand and (len(there) > 1 or (there and self.asking)) and not self.is_given_about(name):
                raise MissingAnswer(self.which(name))
            if len(there) == 1:
                if self.by_hand and not self.is_given_about(name):
                    self.meant[name] = there[0]
                return there[0]
        elif member.declared.ask and self.asking:
            raise MissingAnswer(self.which(name))
        if self.assumed is not None:
            self.assumed[name] = "none"
            if not member.present:
                self.unsaid[name] = member.declared
        return "none"

    def note(self, assumed: dict[str, Value] | None, unsaid: dict[str, Field]) -> None:
        """Collect facts that take their default from now on; None ends this."""
        if assumed is not None:
            self._start_over()
        self.assumed, self.unsaid = assumed, unsaid

    def _start_over(self) -> None:
        """Forget all facts that were worked out or took their default."""
        self.worked_out.clear()
        for name in self.keys() - self.given:
            del self[name]

    def described(self, member: Member) -> str:
        """Describe the bound member: `george from 6 level`."""
        return (member.text(self) if callable(member.text) else member.text).strip()

    def change(self, name: str, value: Value | None) -> None:
        """Write a field (None empties it) and forget the facts worked out from its old value."""
        given = self.given
        if value is None:
            if name not in given:
                return
            given.discard(name)
            del self[name]
        elif name in given:
            if self[name] == value:
                return
            self[name] = value
        else:
            given.add(name)
            if self.get(name) == value:
                return
            self[name] = value
        worked_out = self.worked_out
        if worked_out:
            stale = self.sheet.stale[self.asking].get(name)
            if stale is None:
                stale = self.sheet.depending(name, self.asking)
            if stale:
                for pattern in stale & worked_out.keys():
                    for each in worked_out.pop(pattern):
                        if each not in given:
                            self.pop(each, None)

    def roll_by_hand(self, by_hand: bool) -> None:
        """Note whether the player named the roll; if so, ask again which fighter it is for."""
        if by_hand != self.by_hand:
            self.by_hand, self.meant = by_hand, {}
            self._start_over()

    def ask(self, asking: bool) -> None:
        """Set whether to ask for fields that only the player knows, and forget the defaults read earlier."""
        if asking != self.asking:
            self.asking = asking
            self._start_over()

    def bind(self, names: Mapping[str, Value]) -> Binding:
        """Bind names, for the length of a `with` or permanently."""
        before: dict[str, Value | None] = {}
        given = self.given
        for name, value in names.items():
            if name in given:
                before[name] = self[name]
                if before[name] == value:
                    continue
            else:
                before[name] = None
            self.change(name, value)
        return Binding(self, before)

    def holds(self, test: Callable[[Facts], bool], names: Mapping[str, Value]) -> bool:
        """Return whether a condition holds with these names bound."""
        with self.bind(names):
            return test(self)

    def through(self, name: str, members: Sequence[str]) -> Iterator[str]:
        """Yield members, each bound to a name in turn; the end restores the earlier binding."""
        before = self[name] if name in self.given else None
        try:
            for member in members:
                self.change(name, member)
                yield member
        finally:
            self.change(name, before)

    def with_fact(self, name: str, value: Value) -> Facts:
        """Return a copy with this one given fact changed."""
        return Facts(self.sheet, {each: self[each] for each in self.given}, {name: value})

    def without_worked_out(self) -> Facts:
        """Return a copy of the given facts with nothing worked out, so that reading it shows the assumptions."""
        return Facts(self.sheet, {name: self[name] for name in self.given}, noting=True)
