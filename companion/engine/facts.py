"""The facts as tables see them: what stands on the sheet, with defaults, worked-out facts and bindings filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from companion.engine.fields import FREE, Field, Value
from companion.engine.sheet import Attribute, Bound, Derived, Member, Sheet
from companion.problems import MissingAnswer, Question, SystemFault


class FactQuestion(Question):
    """A fact that only the player knows is needed to go on."""

    def __init__(self, name: str, declared: Field, usual: Value | None = None, *, why: str = "") -> None:
        self.name, self.declared, self.why = name, declared, why
        self.usual = declared.default if usual is None else usual  # what Enter takes
        self.key, self.subject = f"fact {name}", declared.heading

    def sentence(self) -> str:
        """Return what to say where nobody is there to be asked."""
        if self.declared.kind == "choice" and not self.declared.values:
            return f"No {self.name} is on the sheet: say in words which one, with --{self.name}"
        return (
            self.why or f"{self.name} is not known; say --with {self.name}=VALUE, where VALUE is {self.declared.span}"
        )


NOTHING: Mapping[str, Value] = {}


class Binding:
    """Names that are bound in facts; at the end of a `with` what they covered is back."""

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

    Facts that are given (by the sheet, `--with` or the pending item) are plain entries; the others are found when
    first read and kept until something that they are worked out from may have changed. `assumed` collects those that
    took their default when they were first read; None where nobody wants to know. Of these `unsaid` are the ones that
    no sheet tells: what a player is asked for, and what belongs to a fighter that is not there.
    """

    __slots__ = (
        "asking", "assumed", "by_hand", "given", "index", "known", "meant", "readers", "sheet", "unsaid", "worked_out",
    )  # fmt: skip

    def __init__(self, sheet: Sheet, *layers: Mapping[str, Value], asking: bool = False, noting: bool = False) -> None:
        super().__init__()
        for layer in layers:
            self.update(layer)
        self.sheet, self.known, self.index = sheet, sheet.known, sheet.index
        self.given = set(self)
        self.worked_out: dict[str, list[str]] = {}  # single names by their pattern
        self.assumed: dict[str, Value] | None = {} if noting else None
        self.unsaid: dict[str, Field] = {}
        self.asking = asking
        self.by_hand = False  # whether a roll is resolved that the player named: which fighter it is for is his to say
        self.meant: dict[str, Value] = {}  # by hand: the one that is there, where the roll has read of it
        self.readers = sheet.readers

    def __missing__(self, name: str) -> Value:
        known = self.known.get(name)
        if type(known) is Derived:
            if self.assumed is not None:
                value = self._noted(name, known)
            elif known.count == 1:
                value = known.work(self, known.first)
            elif known.count:
                value = known.work(self, *known.members)
            else:
                value = known.work(self)
        elif isinstance(known, Field):
            if self.assumed is None and not self.asking:
                value = self[name] = known.blank
                return value
            value = self[name] = self._untouched(name, known)
            if self.asking and known.ask:
                self._remember(name)
            return value
        elif isinstance(known, Bound):
            single = known.names.get(str(self[known.index]) if self.assumed is None else self._member_of(known.index))
            value = self._untouched(name, known.declared, known.index) if single is None else self[single]
        elif isinstance(known, Attribute):  # `none` where nothing is bound or the member has no such attribute
            value = known.members.get(str(self[known.index]), {}).get(known.key, "none")
        elif isinstance(known, Member):
            value = self._only(name, known)
        else:
            raise SystemFault(f"the pack names a fact {name} that its sheet does not declare")
        self[name] = value
        pattern = known.pattern if type(known) is Derived else name
        names = self.worked_out.get(pattern)
        if names is None:
            self.worked_out[pattern] = [name]
        else:
            names.append(name)
        return value

    def _remember(self, name: str) -> None:
        self.worked_out.setdefault(self.readers.patterns.get(name, name), []).append(name)

    def _untouched(self, name: str, field: Field, unbound: str = "") -> Value:
        """Return the value of an untouched field: asked for if it must be, else its default, noted as assumed.
        `unbound` is the index of which no member is meant."""
        if self.asking and (field.ask or (unbound and not field.unasked)) and not self.sheet.empty(name, self):
            raise MissingAnswer(self._question(name, field, unbound))
        if self.assumed is not None:
            index = self.sheet.slot(name)
            if index and self.sheet.empty(name, self):  # of the slots where nothing is
                if not self.there(index):
                    self.assumed.setdefault(index, "none")
            else:
                self.assumed[name] = field.blank  # a figure of the player's book reads as 0
                if field.ask or unbound or (index and self.sheet.free(name, self)):
                    question = self._question(name, field, unbound)
                    self.unsaid.setdefault(question.name, question.declared)
        return field.blank

    def _question(self, name: str, field: Field, unbound: str) -> FactQuestion:
        """Return what to ask for: where several are there, first which of them is meant."""
        there = self.there(unbound) if unbound else []
        if len(there) > 1:
            field, name = self.sheet.declared(unbound).among(tuple(there)), unbound
        return FactQuestion(name, field)

    def speaks_of(self, index: str) -> bool:
        """Return whether something was said of a thing that need not be on the sheet: `fighter.clock = 6`."""
        return any(isinstance(known := self.known.get(name), Bound) and known.index == index for name in self.given)

    def _noted(self, name: str, fact: Derived) -> Value:
        """Work out a fact and note what is assumed for it; a count of many fields of one family by its own name."""
        outer, self.assumed = self.assumed, {}
        before = set(self)
        try:
            value: Value = fact.work(self, *fact.members)
            inner = self.assumed
        finally:
            self.assumed = outer
        if outer is None or not inner:
            return value
        families = {declared.name for each in inner if isinstance(declared := self.sheet.known.get(each), Field)}
        if fact.numeric and len(inner) > 1 and len(families) == 1 and all(each in self.sheet.fields for each in inner):
            outer[name] = value
            for each in self.keys() - before - self.given:  # whoever reads one of them by itself notes it
                del self[each]
        else:
            outer.update(inner)
        return value

    def there(self, index: str) -> list[str]:
        """Return the members of an index that are there: the fighters on the chart."""
        member = self.sheet.known[index]
        if not isinstance(member, Member) or not member.present:
            return []
        return [each for each in member.declared.values if self.get(member.present.format(each), "") not in FREE]

    def _member_of(self, index: str) -> str:
        """Return which member is meant; that nobody says which is noted with what is read of it."""
        if self.assumed is None or index in self.given:
            return str(self[index])
        outer, self.assumed = self.assumed, None
        try:
            return str(self[index])
        finally:
            self.assumed = outer
            self.pop(index, None)

    def _only(self, name: str, member: Member) -> Value:
        """Unbound, a thing is the only one that is there (the one fighter on the chart), else it is asked for."""
        if member.present:
            there = self.there(name)
            if self.by_hand and (len(there) > 1 or (there and self.asking)) and not self.speaks_of(name):
                raise MissingAnswer(FactQuestion(name, self.sheet.declared(name).among(tuple(there))))
            if len(there) == 1:
                if self.by_hand and not self.speaks_of(name):
                    self.meant[name] = there[0]
                return there[0]
        elif member.declared.ask and self.asking:
            raise MissingAnswer(FactQuestion(name, member.declared))
        if self.assumed is not None:
            self.assumed[name] = "none"
            if not member.present:
                self.unsaid[name] = member.declared
        return "none"

    @contextmanager
    def noting(self, assumed: dict[str, Value], unsaid: dict[str, Field]) -> Iterator[None]:
        """Meanwhile what is read and nobody has said is noted in these."""
        self._start_over()
        self.assumed, self.unsaid = assumed, unsaid
        try:
            yield
        finally:
            self.assumed, self.unsaid = None, {}

    def _start_over(self) -> None:
        """Forget all that was worked out or took its default."""
        self.worked_out.clear()
        for name in self.keys() - self.given:
            del self[name]

    def described(self, member: Member) -> str:
        """Return how the thing that is bound is told of: `george from 6 level`."""
        return (member.text(self) if callable(member.text) else member.text).strip()

    def change(self, name: str, value: Value | None) -> None:
        """Write a field (None empties it) and forget what was worked out from the old value."""
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
            stale = self.readers.known[self.asking].get(name)
            if stale is None:
                stale = self.readers.stale(name, self.asking)
            if stale:
                for pattern in stale & worked_out.keys():
                    for each in worked_out.pop(pattern):
                        if each not in given:
                            self.pop(each, None)

    def roll_by_hand(self, by_hand: bool) -> None:
        """Note whether the player named the roll, in which case the fighter that it is for is asked for anew."""
        if by_hand != self.by_hand:
            self.by_hand, self.meant = by_hand, {}
            self._start_over()

    def ask(self, asking: bool) -> None:
        """Note whether fields that only the player knows are asked for, and forget the defaults read before."""
        if asking != self.asking:
            self.asking = asking
            self._start_over()

    def bind(self, names: Mapping[str, Value]) -> Binding:
        """Bind names, for as long as a `with` lasts or for good."""
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

    def hold(self, name: str) -> Value | None:
        """Return what a name is bound to, for `change` to put back when members have been gone through."""
        return self[name] if name in self.given else None

    def but(self, name: str, value: Value) -> Facts:
        """Return the same given facts but for this one."""
        return Facts(self.sheet, {each: self[each] for each in self.given}, {name: value})

    def afresh(self) -> Facts:
        """Return the same given facts with nothing worked out yet, so that reading them shows what is assumed."""
        return Facts(self.sheet, {name: self[name] for name in self.given}, noting=True)
