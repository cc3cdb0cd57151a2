"""The log sheet: what fields it has, what may stand in them, and what is worked out from them.

The state of a mission is one flat map from field to value. `Sheet` is the declaration that printing, `set`,
`mark`, validation and completion share; `Facts` is the state as tables see it, with defaults, worked-out facts
and the things bound by the pending item (which fighter, which gun, which area) filled in when they are read.
"""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from companion.problems import Problem, Trouble
from companion.words import figure, one_of

Value = str | int
LONGEST_NAME, LONGEST_TEXT = 80, 500
FREE = ("", "none")  # what tells a free slot from a used one


def line(what: str, text: str, longest: int = LONGEST_NAME) -> str:
    """One line that can be shown, kept and brought back; raises a Problem that says so."""
    text = text.strip()
    if len(text) > longest or not text.isprintable():
        raise Problem(f"{what} takes one line of up to {longest} characters, none of them unprintable")
    return text


class Field:
    """One field, or one family of fields (`oxygen[position]`). `kind` is choice, count, boxes, number, text or list.

    `limit` is the highest number that can stand there (None: no limit), `low` the lowest. `values` are the accepted
    words of a choice. `ask` marks what a person is asked for when neither the sheet nor the player has said it.
    `words` is a text that is a name and no bare number; `known` says how some of them are spelled, and which word of
    a choice is meant by what the sheet calls it.
    """

    def __init__(
        self,
        name: str,
        kind: str = "text",
        label: str = "",
        values: tuple[str, ...] = (),
        default: Value | None = None,
        limit: int | None = None,
        low: int = 0,
        ask: bool = False,
        until: str | None = None,
        section: str = "",
        cite: str = "",
        words: bool = False,
        known: Mapping[str, str] | None = None,
    ) -> None:
        self.name, self.kind, self.label, self.values, self.default = name, kind, label, values, default
        self.limit, self.low, self.ask, self.until = limit, low, ask, until
        self.section, self.cite = section, cite
        self.words, self.known = words, known or {}
        self.numeric = kind in ("count", "boxes", "number")  # whether it holds a number

    @property
    def heading(self) -> str:
        """The label without the member: `Attacks from` for `Fighter {fighter}, attacks from`."""
        label = self.label
        while "{" in label:
            start, end = label.index("{"), label.index("}")
            head = label[:start].removesuffix(f"{label[start + 1 : end].capitalize()} ")
            label = f"{head.rstrip(' ,')} {label[end + 1 :].lstrip(' ,')}".strip()
        return label[:1].upper() + label[1:] if label else re.split(r"[.\[]", self.name)[0].capitalize()

    @property
    def naming(self) -> bool:
        """Whether it is one of the fields that all games share: who flies, and in what."""
        return self.name == "aircraft.name" or self.name.startswith("name[")

    @property
    def blank(self) -> Value:
        """What an untouched field reads as."""
        if self.default is not None:
            return self.default
        if self.kind == "choice":
            return "none"
        return 0 if self.numeric else ""

    def accept(self, name: str, value: Value, *, kept: bool = False) -> Value:
        """`value` as it may stand in the field `name`; raises a Problem that says what is accepted.

        `kept` values stand in a file already: words stay as they are, and an untouched field may be written out.
        """
        if kept and value == self.blank:
            return value
        if self.numeric:
            return self._number(name, value)
        text = str(value).strip()
        if self.kind == "choice" and self.values:
            if text in self.values or (text == "none" and self.default is None):
                return text
            for known in self.values:
                if known.casefold() == text.casefold():
                    return known
            if text.casefold() in self.known:
                return self.known[text.casefold()]
            if text.casefold() == "none" and self.default is None:
                return "none"
            raise Problem(f"{name} cannot be {text or 'empty'}; it is {one_of(self.values)}")
        if kept:
            if any(ord(letter) < 32 for letter in text) or len(text) > LONGEST_TEXT:
                raise Problem(f"{name} takes one line of up to {LONGEST_TEXT} characters")
            return text
        text = line(name, text, LONGEST_NAME if self.naming else LONGEST_TEXT)
        return self._spelled(name, text) if self.words else text

    def _spelled(self, name: str, text: str) -> str:
        from companion.words import slug

        if text and not any(letter.isalpha() for letter in text):
            raise Problem(f"{name} cannot be {text}; it takes {self.span}")
        return self.known.get(slug(text), text)

    def _number(self, name: str, value: Value) -> int:
        number = figure(str(value))
        if number is None:
            raise Problem(f"{name} is a number, not {value}; it takes {self.span}")
        if number < self.low or (self.limit is not None and number > self.limit):
            raise Problem(f"{name} cannot be {number}; it takes {self.span}")
        return number

    @property
    def span(self) -> str:
        """What the field takes, in words."""
        if self.numeric:
            return f"{self.low} to {self.limit}" if self.limit is not None else f"{self.low} upward"
        if self.words:
            names = list(dict.fromkeys(self.known.values()))[:3]
            return f"words such as {one_of(names)}" if names else "words"
        return one_of(self.values) if self.values else "any text"

    def read(self, facts: Facts, name: str) -> Value:
        """The value of the untouched field: asked for if it must be, else its default, noted as assumed."""
        if self.ask and facts.asking and not facts.sheet.empty(name, facts):
            raise NeedFact(name, self)
        assumed = facts.assumed
        if assumed is not None and (self.default is not None or (self.ask and self.numeric)):
            assumed[name] = self.blank  # a figure of the player's book reads as 0
        return self.blank


class NeedFact(Problem):
    """A fact that only the player knows is needed to go on."""

    def __init__(self, name: str, declared: Field) -> None:
        super().__init__(f"{name} is not known; say --with {name}=VALUE, where VALUE is {declared.span}")
        self.name = name
        self.declared = declared


class Member:
    """The bare name of an indexed thing (`gun`, `area`): the member that is bound at the moment.

    `present` is the field that tells a used slot from a free one, `told` how the thing in it is described.
    """

    def __init__(self, declared: Field, present: str = "", told: Any = "") -> None:
        self.declared, self.present, self.told = declared, present, told

    def read(self, facts: Facts, name: str) -> Value:
        """Unbound, a thing is the only one that is there (the one fighter on the chart), else it is asked for."""
        if self.present:
            there = [each for each in self.declared.values if facts.get(self.present.format(each), "") not in FREE]
            return there[0] if len(there) == 1 else "none"
        if self.declared.ask and facts.asking:
            raise NeedFact(name, self.declared)
        return "none"

    def describe(self, facts: Facts) -> str:
        """How the thing that is bound is told of: `george from 6 level`."""
        return (self.told(facts) if callable(self.told) else str(self.told)).strip()


class Bound:
    """`fighter.clock`: that field of the bound fighter, or of the one fighter meant when none is bound."""

    def __init__(self, index: str, names: Mapping[str, str], declared: Field) -> None:
        self.index, self.names, self.declared = index, names, declared

    def read(self, facts: Facts, name: str) -> Value:
        """The bound member's field."""
        single = self.names.get(str(facts[self.index]))
        return self.declared.read(facts, name) if single is None else facts[single]


class Attribute:
    """`area.table`: what the pack says of the bound member."""

    def __init__(self, index: str, members: Mapping[str, Mapping[str, Value]], key: str) -> None:
        self.index, self.members, self.key = index, members, key
        self.numeric = any(isinstance(has.get(key), int) for has in members.values())

    def read(self, facts: Facts, name: str) -> Value:
        """The attribute, or `none` where nothing is bound or the member has no such attribute."""
        return self.members.get(str(facts[self.index]), {}).get(self.key, "none")


class Derived:
    """A fact worked out from others by its sentence: a function of the facts and of its members."""

    def __init__(
        self, work: Callable[..., Value], members: tuple[str, ...], kind: str, values: Sequence[str], label: str
    ) -> None:
        self.work, self.members, self.label = work, members, label
        self.numeric = kind == "number"
        self.values = tuple(values)

    def read(self, facts: Facts, name: str) -> Value:
        """Worked out, and noted as assumed (by its own name) when every fact behind it was."""
        outer = facts.assumed
        if outer is None:
            return self.work(facts, *self.members)
        facts.assumed = {}
        try:
            value = self.work(facts, *self.members)
            inner = facts.assumed
        finally:
            facts.assumed = outer
        if inner and not any(each in facts.given for each in facts.sheet.inputs(name)):
            outer[name] = value
        return value


Known = Field | Member | Bound | Attribute | Derived


class Facts(dict[str, Value]):
    """The facts as a table sees them.

    Facts that are given (by the sheet, `--with` or the pending item) are plain entries; the others are found when
    first read and kept until something that they are worked out from changes: what that is was settled when the pack
    was compiled. `assumed` collects those that took their default when they were first read; None where nobody wants
    to know.
    """

    __slots__ = ("asking", "assumed", "forget", "given", "sheet", "worked_out")

    def __init__(self, sheet: Sheet, *layers: Mapping[str, Value], asking: bool = False, noting: bool = True) -> None:
        super().__init__()
        for layer in layers:
            self.update(layer)
        self.sheet = sheet
        self.forget = sheet.forget
        self.given = set(self)
        self.worked_out: set[str] = set()
        self.assumed: dict[str, Value] | None = {} if noting else None
        self.asking = asking

    def __missing__(self, name: str) -> Value:
        known = self.sheet.known.get(name)
        if known is None:
            raise Trouble(f"the pack names a fact {name} that its sheet does not declare")
        if known.__class__ is Field:
            value = self[name] = known.read(self, name)
            if self.asking and known.ask:
                self.worked_out.add(name)
            return value
        if self.assumed is None and known.__class__ is Derived:
            value = self[name] = known.work(self, *known.members)
        else:
            value = self[name] = known.read(self, name)
        self.worked_out.add(name)
        return value

    def change(self, name: str, value: Value | None) -> None:
        """Write a field (None empties it) and forget what was worked out from the old value."""
        given = self.given
        if value is None:
            if name not in given:
                return
            given.discard(name)
            del self[name]
        else:
            given.add(name)
            self.worked_out.discard(name)
            if self.get(name) == value:
                return
            self[name] = value
        worked_out = self.worked_out
        if worked_out:
            stale = worked_out & self.forget[name]
            if stale:
                worked_out -= stale
                for each in stale:
                    if each not in given:
                        del self[each]

    def ask(self, asking: bool) -> None:
        """Whether what only the player knows is asked for; a default read before counts no longer when it is."""
        if asking != self.asking:
            self.asking = asking
            self.worked_out.clear()
            for name in self.keys() - self.given:
                del self[name]

    def bind(self, names: Mapping[str, Value]) -> dict[str, Value | None]:
        """Bind names for a while; hand the result to `unbind`."""
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
        return before

    def unbind(self, before: Mapping[str, Value | None]) -> None:
        """Put back what `bind` covered."""
        for name, value in before.items():
            if value is None or self.get(name) != value:
                self.change(name, value)

    def hold(self, name: str) -> Value | None:
        """What a name is bound to, for `release` to put back when members have been gone through."""
        return self[name] if name in self.given else None

    def bind_one(self, name: str, value: Value) -> None:
        """Bind one name."""
        self.change(name, value)

    def release(self, name: str, before: Value | None) -> None:
        """Put back what `hold` gave."""
        self.change(name, before)

    def afresh(self) -> Facts:
        """The same given facts with nothing worked out yet, so that reading them shows what is assumed."""
        return Facts(self.sheet, {name: self[name] for name in self.given})


WRITTEN = (Field, Bound)  # what stands on the sheet itself
CROSSED = ("boxes", "count")


class Forget(dict[str, frozenset[str]]):
    """For a name that changes: the worked-out facts that count no longer, as sets when they are first asked for."""

    def __init__(self, readers: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self.readers = readers

    def __missing__(self, name: str) -> frozenset[str]:
        made = self[name] = frozenset(self.readers.get(name, ()))
        return made


class Single(dict[str, str]):
    """The single names of a family by its member; what is bound to nobody has none."""

    def __missing__(self, member: str) -> str:
        like = next(iter(self.values()), "nothing")
        raise Trouble(f"the pack means one of {like} and the like, for {member or 'nobody'}")


class Sheet:
    """What a pack's `sheet.toml` declares, worked out to single names."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.index: dict[str, dict[str, dict[str, Value]]] = {}
        self.fields: dict[str, Field] = {}
        self.families: dict[str, Field] = {}
        self.derived: dict[str, Derived] = {}
        self.known: dict[str, Known] = {}
        self.sections: dict[str, str] = {}
        self.belongings: dict[str, list[str]] = {}
        self.forget = Forget({})
        # whether a table has a column, and what its row reads, as things stand: the pack puts its tables behind these
        self.has_column: Callable[[str, Facts], bool] = lambda table, facts: False
        self.look_up: Callable[[str, str, Facts], str] = lambda table, part, facts: "none"
        self._names: dict[str, Any] = {}

    @classmethod
    def read(cls, game: str, doc: Mapping[str, Any]) -> Sheet:
        """Build a sheet from the compiled `sheet.toml`."""
        sheet = cls(game)
        sheet.sections = dict(doc.get("sections", {}))
        for name, spec in doc.get("index", {}).items():
            sheet._add_index(name, spec)
        for section, fields in doc.get("fields", {}).items():
            for name, spec in fields.items():
                sheet._add_field(name, spec, section)
        for written, (work, kind, values) in doc.get("#facts", {}).items():
            sheet._add_fact(written, work, kind, values, doc["facts"][written])
        sheet.forget = Forget(doc.get("#forget", {}))
        if "#link" in doc:
            doc["#link"](sheet)
        return sheet

    def names(self, pattern: str) -> Any:
        """The single names of a family (`crew[position]`) by its member, of several indexes one within the other."""
        made = self._names.get(pattern)
        if made is None:
            made = self._names[pattern] = self._nested(pattern)
        return made

    def _nested(self, family: str) -> Any:
        if "[" not in family:
            return family
        head, index, tail = cut(family)
        return Single({member: self._nested(f"{head}{member}{tail}") for member in self.index[index]})

    def members(self, index: str) -> tuple[str, ...]:
        """The members of an index, in the sheet's order."""
        return tuple(self.index[index])

    def attribute(self, index: str, key: str) -> dict[str, Value]:
        """What the pack says of each member that it says this of."""
        return {member: has[key] for member, has in self.index[index].items() if key in has}

    def _add_fact(self, written: str, work: Any, kind: str, values: Sequence[str], spec: Any) -> None:
        label = spec.get("label", "") if isinstance(spec, Mapping) else ""
        if "[" not in written:
            self.derived[written] = self.known[written] = Derived(work, (), kind, values, label or written)
            return
        label = label or pattern_of(written)
        for single, members in self.family(written):
            told = label
            if "{" in label:
                for index, member in members:
                    told = told.replace("{" + index + "}", str(self.index[index][member].get("label", member)))
            made = Derived(work, tuple([member for _, member in members]), kind, values, told)
            self.derived[single] = self.known[single] = made

    def _add_index(self, name: str, spec: Any) -> None:
        if isinstance(spec, int):
            spec = {"count": spec}
        if isinstance(spec, Mapping) and isinstance(spec.get("count"), int):
            if spec["count"] > 1000:
                raise Trouble(f"{self.game}: the index {name} has more members than any sheet holds")
            members: dict[str, dict[str, Value]] = {str(n): {} for n in range(1, spec["count"] + 1)}
        elif isinstance(spec, list):
            members, spec = {member: {} for member in spec}, {}
        else:
            members = {member: dict(has) for member, has in spec.items() if isinstance(has, Mapping)}
        self.index[name] = members
        details = spec if isinstance(spec, Mapping) else {}
        labels = [str(has["label"]).casefold() for has in members.values() if "label" in has]
        labelled = {str(has["label"]).casefold(): member for member, has in members.items() if "label" in has}
        called = {label: member for label, member in labelled.items() if labels.count(label) == 1}
        asked = Field(name, "choice", name, tuple(members), None, ask=bool(details.get("ask")), known=called)
        present = f"{name}.{{}}.{details['present']}" if "present" in details else ""
        self.known[name] = Member(asked, present, details.get("#text", details.get("text", "")))
        for key in {key: 0 for has in members.values() for key in has}:
            self.known[f"{name}.{key}"] = Attribute(name, members, key)

    def _add_field(self, name: str, spec: Mapping[str, Any], section: str) -> None:
        values = spec.get("values", ())
        kind = spec.get("kind", "choice" if values else "boxes" if "boxes" in spec else "text")
        default = spec.get("default", 0 if kind in ("count", "boxes") and not spec.get("ask") else None)
        if kind == "flag":
            kind, values, default = "choice", "yes no", spec.get("default", "no")
        limit, low = spec.get("boxes", spec.get("limit")), -99 if kind == "number" else 0
        if isinstance(limit, list):
            low, limit = limit[0], limit[1] if len(limit) > 1 else None
        declared = Field(
            name,
            "text" if kind == "name" else kind,
            spec.get("label", name),
            tuple(values.split() if isinstance(values, str) else values),
            default,
            limit,
            low,
            bool(spec.get("ask")),
            spec.get("until"),
            section,
            spec.get("cite", ""),
            kind == "name",
            dict(spec.get("known", {})),
        )
        self.families[name] = declared
        if "[" not in name:
            self.fields[name] = self.known[name] = declared
            return
        for each, members in self.family(name):
            self.fields[each] = self.known[each] = self._limited(declared, members)
        head, index, tail = cut(name)
        if head == f"{index}.":
            short = f"{index}{tail}"
            if short not in self.known and "[" not in tail:
                single = {member: f"{head}{member}{tail}" for member in self.index[index]}
                self.known[short] = Bound(index, single, declared)

    def _limited(self, declared: Field, members: list[tuple[str, str]]) -> Field:
        """The field of one member: as many boxes as the pack says of it (`boxes = "gun.bursts"`)."""
        if not isinstance(declared.limit, str):
            return declared
        made = copy.copy(declared)
        of, _, key = declared.limit.partition(".")
        made.limit = int(next(self.index[index][member].get(key, 0) for index, member in members if index == of))
        return made

    def expand(self, name: str) -> list[str]:
        """Every single name of a family: `oxygen[position]` gives one for each position."""
        return [single for single, _ in self.family(name)]

    def family(self, name: str) -> list[tuple[str, list[tuple[str, str]]]]:
        """Every single name of a family, with the indexes and the members that it stands for."""
        if "[" not in name:
            return [(name, [])]
        head, index, tail = cut(name)
        if index not in self.index:
            raise Trouble(f"{self.game}: {name} names an index {index} that the sheet does not declare")
        return [
            (single, [(index, member), *members])
            for member in self.index[index]
            for single, members in self.family(f"{head}{member}{tail}")
        ]

    def empty(self, name: str, facts: Facts) -> bool:
        """Whether a field belongs to a slot where nothing is (`fighter.3.clock`), unless that slot is the one meant."""
        index, _, rest = name.partition(".")
        slot, member = rest.partition(".")[0], self.known.get(index)
        if not isinstance(member, Member) or not member.present or slot not in self.index[index]:
            return False
        return facts.get(member.present.format(slot), "") in FREE and facts.get(index) != slot

    def tells_presence(self, name: str) -> bool:
        """Whether a field tells a used slot from a free one: `fighter.3.type`."""
        index, _, rest = name.partition(".")
        member = self.known.get(index)
        return isinstance(member, Member) and name == member.present.format(rest.partition(".")[0])

    @cached_property
    def _behind(self) -> dict[str, list[str]]:
        made: dict[str, list[str]] = {}
        for name, readers in self.forget.readers.items():
            for each in readers:
                made.setdefault(each, []).append(name)
        return made

    def inputs(self, name: str) -> Sequence[str]:
        """The names behind a worked-out fact, all the way down."""
        return self._behind.get(name, ())

    def find(self, name: str, kinds: tuple[type, ...] = (), crossed: bool = False) -> str:
        """The declared name a player means, without regard to case; raises a Problem that offers near ones.

        Where only some `kinds` of names will do, or only what can be `crossed` off, no others are offered.
        """
        wanted = name.strip().casefold()
        if wanted in self.known:
            return wanted
        for index in self.index:  # `crew.tail gunner`, as the screen calls him
            called = self.declared(index).known
            meant = ".".join(called.get(part, part) for part in wanted.split("."))
            if meant in self.known:
                return meant
        names = [
            each
            for each, known in self.known.items()
            if not kinds or (isinstance(known, kinds) and not (crossed and self.declared(each).kind not in CROSSED))
        ]
        part = wanted.replace(" ", "-")
        parts = [each for each in names if kinds and part in each.split(".")]
        parts.sort(key=lambda each: not each.endswith(f".{part}"))
        near = (parts + [each for each in difflib.get_close_matches(wanted, names, 3, 0.6) if each not in parts])[:3]
        hint = f"did you mean {one_of(near)}?" if near else "see the field list with: companion status --json"
        raise Problem(f"{self.game} has no fact {name.strip() or '(empty)'}; {hint}")

    def declared(self, name: str) -> Field:
        """What may stand in the named fact; a derived fact or a binding is checked like a field."""
        known = self.known[name]
        if isinstance(known, Field):
            return known
        if isinstance(known, Bound | Member):
            return known.declared
        if isinstance(known, Derived):
            kind = "number" if known.numeric else "choice" if known.values else "text"
            return Field(name, kind, known.label or name, known.values, low=-99)
        raise Problem(f"{name} belongs to the game and cannot be set")

    def writable(self, name: str) -> str:
        """A known name that something can be written under; a Problem for what is worked out or only bound."""
        known = self.known[name]
        if isinstance(known, Derived):
            raise Problem(f"{name} is worked out from other facts and cannot be set; use --with for a single roll")
        if not isinstance(known, WRITTEN):
            raise Problem(f"{name} only says which one is meant and is not on the sheet; use --with for a single roll")
        return name

    def given(self, pairs: Iterable[str], *, written: bool = False) -> dict[str, Value]:
        """`FACT=VALUE` as typed, checked and in the pack's own spelling; `written` is for the sheet itself."""
        facts: dict[str, Value] = {}
        for pair in pairs:
            name, equals, value = pair.partition("=")
            if not equals:
                raise Problem(f"{pair!r} is not FACT=VALUE, such as altitude=hi")
            found = self.find(name, WRITTEN if written else ())
            facts[found] = self.declared(found).accept(found, value)
        return facts

    def text(self, name: str) -> str:
        """The label of a single field: `Oxygen, Pilot` for `oxygen.pilot`."""
        declared = self.fields.get(name) or (self.known.get(name) and self.declared(name))
        if not declared:
            return name
        label = declared.label
        if "{" not in label:
            return label
        for index, member in self._members(declared.name, name).items():
            label = label.replace("{" + index + "}", str(self.index[index][member].get("label", member)))
        return label

    def under(self, name: str) -> str:
        """A field's label below that of its section: `Nose gun` for `Bursts fired, nose gun` among the bursts fired."""
        inner = self.text(name).removeprefix(f"{self.sections.get(self.fields[name].section, '')}, ")
        return inner[:1].upper() + inner[1:]

    def _members(self, family: str, name: str) -> dict[str, str]:
        """Which member of each index a single name of a family stands for."""
        return next((dict(members) for single, members in self.family(family) if single == name), {})

    def names_in(self, sentence: str) -> list[str]:
        """The declared names that a sentence says, for telling a player what it looks at."""
        bare = re.sub(r"'[^']*'", " ", sentence)
        said = re.findall(r"[A-Za-z0-9]+(?:[.:-][A-Za-z0-9]+)*(?:\[[^\]]*\](?:\.[a-z-]+)?)*", bare)
        return [each for each in dict.fromkeys(said) if each in self.known]


def cut(name: str) -> tuple[str, str, str]:
    """`crew[position]` as what stands before its first bracket, the index in it, and what follows."""
    head, _, rest = name.partition("[")
    inner, _, tail = rest.partition("]")
    return head + "." if head else "", inner.partition(" as ")[0].strip(), tail


def of_member(family: str, index: str, member: str) -> str:
    """The field of a family that belongs to a member: `crew.pilot` of `crew[position]`."""
    return family.replace(f"[{index}]", f".{member}")


def pattern_of(name: str) -> str:
    """`mover[position as p]` as `mover[position]`: the name of a family, whatever its members are called in it."""
    return re.sub(r" as [^\]]*", "", name) if " as " in name else name
