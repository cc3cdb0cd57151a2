"""The log sheet as a pack declares it: every field, index and worked-out fact by its single name.

The state of a mission is one flat map from field to value. `Sheet` is the declaration shared by printing, `set`,
`mark`, validation and completion; its contents as tables see them are the `Facts`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from companion.engine.fields import FREE, Field, Nicknames, Spec, Value
from companion.problems import SystemFault, UserError
from companion.words import figure, one_of


def cut(name: str) -> tuple[str, str, str]:
    """Split `crew[position]` into the text before the first bracket, the index in it, and the rest."""
    head, _, rest = name.partition("[")
    inner, _, tail = rest.partition("]")
    return head + "." if head else "", inner.partition(" as ")[0].strip(), tail


def of_member(family: str, index: str, member: str) -> str:
    """Return the field of a family that belongs to a member: `crew.pilot` of `crew[position]`."""
    return family.replace(f"[{index}]", f".{member}")


def pattern_of(name: str) -> str:
    """Return `mover[position]` for `mover[position as p]`: the family's name without loop variables."""
    return re.sub(r" as [^\]]*", "", name) if " as " in name else name


def indexes_of(pattern: str) -> list[str]:
    """Return the indexes in the name of a family: `["leg", "zone"]` for `log[leg][zone].rolls`."""
    return [each.partition("]")[0].partition(" as ")[0].strip() for each in pattern.split("[")[1:]]


def reads_of(work: Callable[..., Any] | None) -> set[str]:
    """Return the patterns that a function of a pack reads; empty if it combines several conditions."""
    sentence = (getattr(work, "__kwdefaults__", None) or {}).get("_sentence")
    reads: set[str] = sentence.reads if sentence is not None else set()
    return reads


class Member:
    """The bare name of an index (`gun`, `area`): the currently bound member.

    `present` is the field that marks a slot as used, `text` the description of the slot's contents.
    """

    def __init__(self, declared: Field, present: str = "", text: str | Callable[..., str] = "") -> None:
        self.declared, self.present, self.text = declared, present, text


class Bound:
    """`fighter.clock`: a field of the bound fighter, or of the only fighter if none is bound."""

    def __init__(self, index: str, names: Mapping[str, str], declared: Field) -> None:
        self.index, self.names, self.declared = index, names, declared


class Attribute:
    """`area.table`: an attribute that the pack gives to the bound member."""

    def __init__(self, index: str, members: Mapping[str, Mapping[str, Value]], key: str) -> None:
        self.index, self.members, self.key = index, members, key


class Derived:
    """A fact worked out from others by a sentence, which a pack compiles when the fact is first read.

    Attributes:
        work: A function of the facts and of its members.
        kind: The kind of its value, with a `name` (`number`, `flag` …) and possible `values`.
    """

    pattern: str
    label: str
    work: Any
    kind: Any

    @property
    def touched(self) -> frozenset[str]:
        """Return the patterns that it depends on, directly or indirectly."""
        return frozenset()

    @property
    def numeric(self) -> bool:
        return bool(self.kind.name == "number")

    @property
    def values(self) -> tuple[str, ...]:
        """Return its possible words, as far as they are known."""
        return tuple(self.kind.values)


Known = Field | Member | Bound | Attribute | Derived
WRITTEN = (Field, Bound)  # a field on the sheet itself
CROSSED = ("boxes", "count")


class Sheet:
    """The declarations of a pack's `sheet.toml`, expanded to single names."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.index: dict[str, dict[str, dict[str, Value]]] = {}
        self.fields: dict[str, Field] = {}
        self.families: dict[str, Field] = {}
        self.known: dict[str, Known] = {}
        self.sections: dict[str, str] = {}
        self.belongings: dict[str, list[str]] = {}
        self.patterns: dict[str, Field | Derived] = {}  # every field and worked-out fact: `crew[position]`
        self.facts: dict[str, Derived] = {}
        self.shapes: dict[str, list[str]] = {}  # the patterns of each shape: `crew[]`
        self.members_of: dict[str, list[tuple[str, str]]] = {}  # the member of each index in a single name
        self.until: dict[str, list[str]] = {}  # the fields that end with each event
        self.eventful: set[str] = set()  # the events that end a field or trigger a rule
        self.arguments: dict[str, tuple[str, ...]] = {}  # the members of each worked-out fact that has some
        self._readers: dict[str, set[str]] = {}  # the patterns that read each pattern
        self._slots: dict[str, set[str]] = {}  # those to forget when a slot of their index is filled, emptied or bound
        self.stale: dict[bool, dict[str, frozenset[str]]] = {False: {}, True: {}}  # cache of `depending`
        self.nicknames = Nicknames(self.index)
        # set by the pack: test for a column, current row of a table, wording of a value and of a row
        self.has_column: Callable[..., bool] = lambda table, facts: False
        self.look_up: Callable[..., str] = lambda table, part, facts: "none"
        self.say: Callable[[str, Value], str] = lambda name, value: str(value)
        self.read_out: Callable[[str], str] = str
        self.earlier: dict[str, str] = {}  # the present name of a field by an earlier one (`was`)
        self.earlier_words: dict[str, dict[str, str]] = {}  # the present words of a field, index or choice
        self._pairs: dict[str, dict[str, list[tuple[str, str]]]] = {}  # by index: each member with it

    @classmethod
    def read(cls, game: str, doc: Spec) -> Sheet:
        """Build a sheet from `sheet.toml`; its worked-out facts are added by `add_fact`."""
        sheet = cls(game)
        sheet.sections = dict(doc.get("sections", {}))
        for name, spec in doc.get("index", {}).items():
            sheet._add_index(name, spec)
        earlier: dict[str, str | dict[str, str]] = {}
        for section, fields in doc.get("fields", {}).items():
            for name, spec in fields.items():
                sheet._add_field(name, spec, section)
                earlier[name] = spec.get("was", "")
        for field in sheet.families.values():
            sheet._note(field)
            if sheet.earlier_words or earlier[field.name]:
                sheet._note_earlier(field, earlier[field.name])
        sheet.earlier_words |= doc.get("#earlier", {})
        sheet.eventful.update(sheet.until, *(sheet.expand(each) for each in doc.get("#events", ())))
        return sheet

    def attribute(self, index: str, key: str) -> dict[str, Value]:
        """Return the values of an attribute by member, for the members that have it."""
        return {member: has[key] for member, has in self.index[index].items() if key in has}

    def add_fact(self, fact: Derived) -> None:
        """Declare a worked-out fact."""
        pattern = fact.pattern
        self.facts[pattern] = fact
        self._declare(pattern, fact)
        for single, members in self.family(pattern):
            self.known[single] = fact
            if members:
                self.members_of[single] = members
                self.arguments[single] = tuple([member for _, member in members])

    def _declare(self, pattern: str, known: Field | Derived) -> None:
        self.patterns[pattern] = known
        if "[" in pattern:
            self.shapes.setdefault(re.sub(r"\[[^]]*\]", "[]", pattern), []).append(pattern)

    def _note(self, field: Field) -> None:
        """Note the facts that depend on a slot's field: `fighter.clock`, for the bound or only fighter."""
        pattern = pattern_of(field.name)
        index, _, key = pattern.partition("[")[2].partition("]")
        member = self.known.get(index)
        if pattern != f"{index}[{index}]{key}" or not isinstance(member, Member):
            return
        self.note_reads(f"{index}{key}", [index, pattern])
        if member.present:
            present = member.present.replace(".{}", f"[{index}]", 1)
            self.note_reads(index, [present])
            if field.ask:
                self.note_reads(pattern, [index, present], asked=True)

    def note_reads(self, pattern: str, reads: Iterable[str], *, asked: bool = False) -> None:
        """Note what a pattern depends on; `asked` is true for a field that is asked for."""
        for each in reads:
            (self._slots if asked else self._readers).setdefault(each, set()).add(pattern)
        for stale in self.stale.values():
            stale.clear()

    def depending(self, name: str, asking: bool) -> frozenset[str]:
        """Return the patterns that may have changed when a name did; those of empty slots only while asking."""
        reached, ahead = set[str](), [self.pattern(name)]
        while ahead:
            each = ahead.pop()
            further = self._readers.get(each, set()) | (self._slots.get(each, set()) if asking else set())
            ahead += further - reached
            reached |= further
        self.stale[asking][name] = frozenset(reached)
        return self.stale[asking][name]

    def _add_index(self, name: str, spec: Spec | list[str] | int) -> None:
        details = spec if isinstance(spec, Mapping) else {}
        members: dict[str, dict[str, Value]]
        if isinstance(count := details.get("count", spec), int):
            members = {str(number): {} for number in range(1, count + 1)}
        elif isinstance(spec, list):
            members = {str(member): {} for member in spec}
        else:
            members = {str(member): dict(has) for member, has in details.items() if isinstance(has, Mapping)}
        if was := {str(has.pop("was")): member for member, has in members.items() if "was" in has}:
            self.earlier_words[name] = was
        self.index[name], self._pairs[name] = members, {member: [(name, member)] for member in members}
        self.belongings[name] = str(details.get("belongings", "")).split()
        labels = [(str(has["label"]).casefold(), member) for member, has in members.items() if "label" in has]
        called = {label: member for label, member in labels if [each for each, _ in labels].count(label) == 1}
        asked = Field(name, "choice", name, values=tuple(members), ask=bool(details.get("ask")), spellings=called)
        present = f"{name}.{{}}.{details['present']}" if "present" in details else ""
        by_nickname = not present and self.nicknames.declare(name, str(details.get("text", "")))
        self.known[name] = Member(asked, present, "" if by_nickname else details.get("#text", details.get("text", "")))
        for key in {key: 0 for has in members.values() for key in has}:
            self.known[f"{name}.{key}"] = Attribute(name, members, key)
            self.note_reads(f"{name}.{key}", [name])

    def _note_earlier(self, field: Field, was: str | dict[str, str]) -> None:
        """Note the earlier names of a field and of its values: its own (`was`) and those of members."""
        own = {field.name: was} if isinstance(was, str) and was else was or {}
        words = {old: new for new, old in own.items() if new != field.name}
        for index in self.index:
            renamed = self.earlier_words.get(index, {})
            words |= {old: new for old, new in renamed.items() if new in field.values and old not in field.values}
        for single, members in self.family(field.name):
            for family in {field.name, own.get(field.name, field.name)}:
                ways = [pattern_of(family)]
                for index, member in members:
                    olds = [old for old, new in self.earlier_words.get(index, {}).items() if new == member]
                    ways = [way.replace(f"[{index}]", f".{each}", 1) for way in ways for each in (member, *olds)]
                ways = [way.removeprefix(".") for way in ways]
                self.earlier |= {way: single for way in ways if way != single}
            if words:
                self.earlier_words[single] = words

    def _add_field(self, name: str, spec: Spec, section: str) -> None:
        values = spec.get("values", ())
        kind = spec.get("kind", "choice" if values else "boxes" if "boxes" in spec else "text")
        default = spec.get("default", 0 if kind in ("count", "boxes") and not spec.get("ask") else None)
        if kind == "flag":
            kind, values, default = "choice", "yes no", spec.get("default", "no")
        limit, low = spec.get("boxes", spec.get("limit")), -99 if kind == "number" else 0
        if isinstance(limit, list):
            low, limit = limit[0], limit[1] if len(limit) > 1 else None
        if isinstance(limit, int) and (limit < low or spec.get("boxes") == 0):
            raise SystemFault(f"{name}: it can hold {low} to {limit}")
        declared = Field(
            name,
            "text" if kind == "name" else kind,
            spec.get("label", name),
            values=tuple(values.split() if isinstance(values, str) else values),
            default=default,
            limit=limit,
            low=low,
            ask=bool(spec.get("ask")),
            until=spec.get("until"),
            section=section,
            cite=spec.get("cite", ""),
            words=kind == "name",
            spellings=spec.get("known", ""),
            unasked=spec.get("ask") is False,
        )
        self.families[name] = declared
        self._declare(pattern_of(name), declared)
        family = self.family(name)
        for event in (declared.until or "").split():
            self.until.setdefault(event, []).extend(each for each, _ in family)
        if "[" not in name:
            self.fields[name] = self.known[name] = declared
            return
        for each, members in family:
            self.members_of[each] = members
            self.fields[each] = self.known[each] = self._limited(declared, members)
        head, index, tail = cut(name)
        if head == f"{index}.":
            short = f"{index}{tail}"
            if short not in self.known and "[" not in tail:
                single = {member: f"{head}{member}{tail}" for member in self.index[index]}
                self.known[short] = Bound(index, single, declared)

    def _limited(self, declared: Field, members: list[tuple[str, str]]) -> Field:
        """Return the field of one member, with the number of boxes that the pack gives it (`boxes = "gun.bursts"`)."""
        if not isinstance(declared.limit, str):
            return declared
        limited = copy.copy(declared)
        of, _, key = declared.limit.partition(".")
        given = self.attribute(of, key) if of in dict(members) else {}
        limited.limit = figure(str(given.get(dict(members)[of], 0))) if given else None
        if limited.limit is None:
            raise SystemFault(f"{declared.name}: its boxes are {declared.limit}, which isn't a number for every {of}")
        return limited

    @cached_property
    def derived(self) -> dict[str, Derived]:
        """Return the worked-out facts by single name."""
        return {name: known for name, known in self.known.items() if isinstance(known, Derived)}

    def pattern(self, name: str) -> str:
        """Return the pattern of a single name: `crew[position]` for `crew.pilot`."""
        known = self.known.get(name)
        declared = known.declared if isinstance(known, Bound) else known
        if isinstance(declared, Derived):
            return declared.pattern
        return pattern_of(declared.name) if isinstance(declared, Field) else name

    def expand(self, name: str) -> list[str]:
        """Return every single name of a family: `oxygen[position]` gives one for each position."""
        return [single for single, _ in self.family(name)]

    def family(self, name: str) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return every single name of a family, with its indexes and members."""
        if "[" not in name:
            return [(name, [])]
        head, index, tail = cut(name)
        if name.count("[") != name.count("]"):
            raise SystemFault(f"the name {name!r} has an unmatched bracket")
        if index not in self.index:
            raise SystemFault(f"{name} uses an index {index} that the sheet doesn't declare")
        if "[" not in tail:  # the common case
            return [(f"{head}{member}{tail}", pair) for member, pair in self._pairs[index].items()]
        return [
            (single, [(index, member), *members])
            for member in self.index[index]
            for single, members in self.family(f"{head}{member}{tail}")
        ]

    def slot(self, name: str) -> str:
        """Return the index of a field's slot: `fighter` for `fighter.3.clock`; empty for other fields."""
        index, _, rest = name.partition(".")
        member = self.known.get(index)
        used = isinstance(member, Member) and member.present and rest.partition(".")[0] in self.index[index]
        return index if used else ""

    def free(self, name: str, facts: Mapping[str, Value]) -> bool:
        """Return whether a field belongs to an empty slot."""
        index = self.slot(name)
        member = self.known[index] if index else None
        return isinstance(member, Member) and facts.get(member.present.format(name.split(".")[1]), "") in FREE

    def empty(self, name: str, facts: Mapping[str, Value]) -> bool:
        """Return whether a field belongs to an empty slot (`fighter.3.clock`) other than the bound one."""
        return self.free(name, facts) and facts.get(self.slot(name)) != name.split(".")[1]

    @cached_property
    def presence(self) -> Mapping[str, tuple[str, str]]:
        """Return the fields that mark a slot as used, each with its index and slot: `fighter.3.type`."""
        return {
            member.present.format(slot): (index, slot)
            for index, slots in self.index.items()
            if isinstance(member := self.known.get(index), Member) and member.present
            for slot in slots
        }

    def touched(self, reads: Iterable[str], opened: Collection[str] = ()) -> frozenset[str]:
        """Return the patterns that these reads ultimately depend on, including through worked-out facts other than
        the `opened` ones.
        """
        patterns = frozenset(reads)
        return patterns.union(*(self.facts[each].touched for each in patterns & self.facts.keys() - {*opened}))

    def exact(self, name: str) -> str | None:
        """Return the declared name for typed text in any case, accepting member labels (`crew.tail gunner`)."""
        wanted = name.strip().casefold()
        if wanted in self.known:
            return wanted
        for index in self.index if "." in wanted else ():
            called = self.declared(index).known
            parts = [called.get(each) or self.nicknames.member(each, self.index[index]) for each in wanted.split(".")]
            if (single := ".".join(parts)) in self.known:
                return single
        return None

    def inner(self, name: str) -> bool:
        """Return whether a field is hidden from players and never asked for; the step of the turn is not."""
        known = self.known[name]
        field = known.declared if isinstance(known, Bound) else known
        return isinstance(field, Field) and field.section == "working" and not field.ask and name != "step"

    def declared(self, name: str) -> Field:
        """Return the field that checks the named fact; a derived fact or a binding is checked like a field."""
        known = self.known[name]
        if isinstance(known, Field):
            return known
        if isinstance(known, Bound | Member):
            return known.declared
        if isinstance(known, Derived):
            kind = "number" if known.numeric else "choice" if known.values else "text"
            return Field(name, kind, known.label or name, values=known.values, low=-99)
        raise UserError(f"{name} belongs to the game and can't be set")

    def choice(self, name: str) -> Field | None:
        """Return the choice field with this known name, for any member; None for other kinds of field."""
        known = self.known[name]
        declared = known.declared if isinstance(known, Bound) else known
        return declared if isinstance(declared, Field) and declared.kind == "choice" and declared.values else None

    def changed(self, pairs: Mapping[str, Sequence[Value | None]]) -> list[tuple[str, Value, Value]]:
        """Return the changes worth showing, with the default of a blank field in its place."""
        told = []
        for name, pair in pairs.items():
            blank = self.fields[name].blank if name in self.fields else "none"
            before, after = (blank if value is None else value for value in pair)
            if before != after:
                told.append((name, before, after))
        return told

    def writable(self, name: str) -> str:
        """Return a known name that can be written; raise a UserError for a worked-out fact or a binding."""
        known = self.known[name]
        if isinstance(known, Derived):
            raise UserError(f"{name} is worked out from other fields and can't be set. Use --with for a single roll")
        if not isinstance(known, WRITTEN):
            raise UserError(f"'{name}' isn't on the log sheet. Use --with for a single roll")
        return name

    def given(self, pairs: Iterable[str]) -> dict[str, Value]:
        """Parse `FIELD=VALUE` with exact names, as in scripts; check it and use the pack's spelling."""
        facts: dict[str, Value] = {}
        with self.nicknames.along_with(facts):
            for pair in pairs:
                typed, equals, value = pair.partition("=")
                name = self.exact(typed)
                if not equals or name is None:
                    raise UserError(
                        f"{self.game} has no field {pair!r}"
                        if equals
                        else f"Type FIELD=VALUE, e.g. zone=5, not {pair!r}"
                    )
                declared = self.declared(name)
                facts[name] = declared.accept(name, self.nicknames.member(value.strip(), declared.values))
        return facts

    def text(self, name: str) -> str:
        """Return the label of a single field: `Oxygen, Pilot` for `oxygen.pilot`."""
        declared = self.fields.get(name) or (self.known.get(name) and self.declared(name))
        if not declared:
            return name
        label = declared.label
        if "{" not in label:
            return label
        for index, member in self.members_of.get(name, ()):
            label = label.replace("{" + index + "}", self.label(index, member, declared.name))
        return declared.heading if "{" in label else label  # of any member

    @property
    def flight(self) -> str:
        """Return the game's word for one sheet: `mission`, `game`."""
        declared = self.fields.get("mission.number")
        label = declared.label if declared is not None else ""
        return label.casefold() if label not in ("", "mission.number") else "mission"

    def label(self, index: str, member: str, of: str = "") -> str:
        """Return a member's name: the players' own (except for the field `of` that asks for it), else the pack's."""
        return self.nicknames.name(index, member, of) or str(self.index[index][member].get("label", member))

    def takes(self, name: str) -> str:
        """Return the accepted values of a field in words."""
        declared = self.declared(name)
        return one_of([self.say(name, value) for value in declared.values]) or declared.span

    def under(self, name: str) -> str:
        """Return a field's label within its section: `Nose gun` for `Bursts fired, nose gun` under Bursts fired."""
        inner = self.text(name).removeprefix(f"{self.sections.get(self.fields[name].section, '')}, ")
        return inner[:1].upper() + inner[1:]
