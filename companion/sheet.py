"""The log sheet: what fields it has, what may stand in them, and what is worked out from them.

The state of a mission is one flat map from field to value. `Sheet` is the declaration that printing, `set`,
`mark`, validation and completion share; `Facts` is the state as tables see it, with defaults, worked-out facts
and the things bound by the pending item (which fighter, which gun, which area) filled in when they are read.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from companion.engine.conditions import Quantifier, Test, compile_condition, compile_quantifier, put_in
from companion.engine.templates import names_in, render
from companion.problems import Problem, Trouble, figure, one_of

if TYPE_CHECKING:
    from companion.engine.steps import Steps

Value = str | int
Put = tuple[str, str, Mapping[str, Value]]  # an index, its member put in for it, and what the pack says of that member
LONGEST_NAME, LONGEST_TEXT = 80, 500


def line(what: str, text: str, longest: int = LONGEST_NAME) -> str:
    """One line that can be shown, kept and brought back; raises a Problem that says so."""
    text = text.strip()
    if len(text) > longest or not text.isprintable():
        raise Problem(f"{what} takes one line of up to {longest} characters, none of them unprintable")
    return text


class Field:
    """One field, or one family of fields (`oxygen.{position}`). `kind` is choice, count, boxes, number, text or list.

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

    @property
    def heading(self) -> str:
        """The label without the member: `Attacks from` for `Fighter {fighter}, attacks from`."""
        label = self.label
        while "{" in label:
            start, end = label.index("{"), label.index("}")
            head = label[:start].removesuffix(f"{label[start + 1 : end].capitalize()} ")
            label = f"{head.rstrip(' ,')} {label[end + 1 :].lstrip(' ,')}".strip()
        return label[:1].upper() + label[1:] if label else self.name.partition(".")[0].capitalize()

    @property
    def naming(self) -> bool:
        """Whether it is one of the fields that all games share: who flies, and in what."""
        return self.name == "aircraft.name" or self.name.startswith("name.{")

    @property
    def numeric(self) -> bool:
        """Whether the field holds a number."""
        return self.kind in ("count", "boxes", "number")

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
        from companion.engine.needs import slug

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

    def __init__(self, declared: Field, present: str = "", told: str = "") -> None:
        self.declared, self.present, self.told = declared, present, told

    def read(self, facts: Facts, name: str) -> Value:
        """Unbound, a thing is the only one that is there (the one fighter on the chart), else it is asked for."""
        if self.present:
            read = Reading(facts, name)
            there = [each for each in self.declared.values if read.get(self.present.format(each), "none") != "none"]
            if len(there) == 1:
                return there[0]
            return "none"
        if self.declared.ask and facts.asking:
            raise NeedFact(name, self.declared)
        return "none"


class Bound:
    """`fighter.clock`: that field of the bound fighter, or of the one fighter meant when none is bound."""

    def __init__(self, index: str, family: str, declared: Field) -> None:
        self.index, self.family, self.declared = index, family, declared

    def read(self, facts: Facts, name: str) -> Value:
        """The bound member's field."""
        member = facts.read_for(name, self.index)
        if member == "none":
            return self.declared.read(facts, name)
        return facts.read_for(name, self.family.replace("{" + self.index + "}", str(member)))


class Attribute:
    """`area.table`: what the pack says of the bound member."""

    def __init__(self, index: str, members: Mapping[str, Mapping[str, Value]], key: str) -> None:
        self.index, self.members, self.key = index, members, key
        self.numeric = any(isinstance(has.get(key), int) for has in members.values())

    def read(self, facts: Facts, name: str) -> Value:
        """The attribute, or `none` where nothing is bound or the member has no such attribute."""
        return self.members.get(str(facts.read_for(name, self.index)), {}).get(self.key, "none")


class Derived:
    """A fact worked out from others: `cases`, `count`, `sum` or `value`, or looked up in a `table` without dice."""

    def __init__(self, name: str, written: Mapping[str, Any], sheet: Sheet, put: Sequence[Put] = ()) -> None:
        self.name, self.sheet = name, sheet
        self._written, self._put = written, put
        self.label: str = self._for_members(written.get("label", name))
        self.values: tuple[str, ...] = tuple(self._for_members(written.get("values", [])))
        default = self._for_members(written.get("default"))
        self.numeric = bool({"count", "sum", "value"} & set(written)) or isinstance(default, int)
        self._cases: list[tuple[Test | None, Any]] | None = None
        self._count: Quantifier | None = None
        self._sum: list[str] | None = None
        self._steps: Steps | None = None
        self._ready = False

    @cached_property
    def spec(self) -> Mapping[str, Any]:
        """What is declared, with the members put in: few of a family are ever asked for in one command."""
        found: Mapping[str, Any] = self._for_members(self._written)
        return found

    def _for_members(self, part: Any) -> Any:
        for index, member, has in self._put:
            part = put_in(part, index, member, has)
        return part

    def compile(self) -> None:
        """Compile the conditions once, at first use."""
        sheet = self.sheet
        if "count" in self.spec:
            self._count = compile_quantifier(self.spec["count"], sheet)
        elif "value" in self.spec:
            from companion.engine.steps import Steps

            self._steps = Steps(self.spec["value"], sheet)
        elif "sum" in self.spec:
            self._sum = [name for each in self.spec["sum"] for name in sheet.expand(each)]
        else:
            self._cases = [
                (compile_condition(case.get("when", {}), sheet), case["is"]) for case in self.spec.get("cases", [])
            ]
        self._ready = True

    def work_out(self, facts: Facts) -> Value:
        """The value from the facts as they stand."""
        if "table" in self.spec:
            return self._looked_up(self.sheet.look_up(self.spec["table"], self.spec["part"], facts))
        if not self._ready:
            self.compile()
        if self._count is not None:
            return self._count.count(facts)
        if self._steps is not None:
            return self._steps.work(0, facts)[0]
        if self._sum is not None:
            return sum(int(facts[name]) for name in self._sum)
        for test, value in self._cases or ():
            if test is None or test(facts):
                return self._plain(value, facts)
        return self._plain(self.spec.get("default", 0 if self.numeric else "none"), facts)

    def _looked_up(self, found: str | None) -> Value:
        """The part of the row, or the default where the table has no row as things stand."""
        if found is None:
            return self.spec.get("default", 0 if self.numeric else "none")
        return int(found) if self.numeric else found

    @staticmethod
    def _plain(value: Any, facts: Facts) -> Value:
        if isinstance(value, str) and "{" in value:
            return render(value, facts)
        return value

    def read(self, facts: Facts, name: str) -> Value:
        """Worked out, and noted as assumed (by its own name) when every fact behind it was."""
        outer = facts.assumed
        if outer is None:
            return self.work_out(Reading(facts, name))
        facts.assumed = {}
        try:
            value = self.work_out(Reading(facts, name))
            inner = facts.assumed
            known = any(each in facts.given for each in self.sheet.inputs(name))
        finally:
            facts.assumed = outer
        if inner and not known:
            outer[name] = value
        return value


Known = Field | Member | Bound | Attribute | Derived


class Facts(dict[str, Value]):
    """The facts as a table sees them.

    Facts that are given (by the sheet, `--with` or the pending item) are plain entries; the others are found when
    first read and kept until something that they were worked out from changes. `assumed` collects those that took
    their default when they were first read; None where nobody wants to know.
    """

    __slots__ = ("asking", "assumed", "behind", "given", "sheet")

    def __init__(self, sheet: Sheet, *layers: Mapping[str, Value], asking: bool = False, noting: bool = True) -> None:
        super().__init__()
        for layer in layers:
            self.update(layer)
        self.sheet = sheet
        self.given = set(self)
        self.behind: dict[str, set[str]] = {}  # which worked-out facts have read a name
        self.assumed: dict[str, Value] | None = {} if noting else None
        self.asking = asking

    def __missing__(self, name: str) -> Value:
        known = self.sheet.known.get(name)
        if known is None:
            raise Trouble(f"the pack names a fact {name} that its sheet does not declare")
        value = self[name] = known.read(self, name)
        return value

    def read_for(self, worked_out: str, name: str) -> Value:
        """What `worked_out` reads: it is forgotten when that changes."""
        behind = self.behind.get(name)
        if behind is None:
            self.behind[name] = {worked_out}
        else:
            behind.add(worked_out)
        return self[name]

    def change(self, name: str, value: Value | None) -> None:
        """Write a field (None empties it) and forget what was worked out from the old value."""
        if value is None:
            if name not in self.given:
                return
            self.given.discard(name)
            del self[name]
        else:
            self.given.add(name)
            if self.get(name) == value:
                return
            self[name] = value
        if name in self.behind:
            self._forget(name)

    def _forget(self, name: str) -> None:
        for each in self.behind.pop(name, ()):
            if each not in self.given:
                self.pop(each, None)
            if each in self.behind:
                self._forget(each)

    def ask(self, asking: bool) -> None:
        """Whether what only the player knows is asked for; a default read before counts no longer when it is."""
        if asking != self.asking:
            self.asking = asking
            for name in self.keys() - self.given:
                del self[name]
            self.behind.clear()

    def bind(self, names: Mapping[str, Value]) -> dict[str, Value | None]:
        """Bind names for a while; hand the result to `unbind`."""
        before: dict[str, Value | None] = {name: self[name] if name in self.given else None for name in names}
        for name, value in names.items():
            self.change(name, value)
        return before

    def unbind(self, before: Mapping[str, Value | None]) -> None:
        """Put back what `bind` covered."""
        for name, value in before.items():
            self.change(name, value)

    def afresh(self) -> Facts:
        """The same given facts with nothing worked out yet, so that reading them shows what is assumed."""
        return Facts(self.sheet, {name: self[name] for name in self.given})


class Reading(Facts):
    """Facts as one worked-out fact reads them: it is forgotten when any of what it read changes."""

    __slots__ = ("name", "of")

    def __init__(self, of: Facts, name: str) -> None:
        self.of, self.name = of, name

    def __getitem__(self, name: str) -> Value:
        of = self.of
        try:
            of.behind[name].add(self.name)
        except KeyError:
            of.behind[name] = {self.name}
        return of[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Like that of a dict: nothing is worked out."""
        self.of.behind.setdefault(name, set()).add(self.name)
        return self.of.get(name, default)


WRITTEN = (Field, Bound)  # what stands on the sheet itself
CROSSED = ("boxes", "count")


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
        # whether a table has a column, and what its row reads, as things stand: the pack puts its tables behind these
        self.has_column: Callable[[str, Facts], bool] = lambda table, facts: False
        self.look_up: Callable[[str, str, Facts], str | None] = lambda table, part, facts: None
        self.compiled: dict[int, tuple[Any, Any]] = {}
        self._inputs: dict[str, tuple[str, ...]] = {}

    @classmethod
    def read(cls, game: str, doc: Mapping[str, Any]) -> Sheet:
        """Build a sheet from the parsed `sheet.toml`."""
        sheet = cls(game)
        sheet.sections = dict(doc.get("section", {}))
        for name, spec in doc.get("index", {}).items():
            sheet._add_index(name, spec)
        for name, spec in doc.get("field", {}).items():
            sheet._add_field(name, spec)
        for name, spec in doc.get("derive", {}).items():
            for each, put in sheet.family(name):
                sheet.derived[each] = sheet.known[each] = Derived(each, spec, sheet, put)
        return sheet

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
        self.known[name] = Member(asked, present, str(details.get("told", "")))
        for key in {key: 0 for has in members.values() for key in has}:
            self.known[f"{name}.{key}"] = Attribute(name, members, key)

    def _add_field(self, name: str, spec: Mapping[str, Any]) -> None:
        declared = Field(
            name,
            spec.get("kind", "text"),
            spec.get("label", name),
            tuple(spec.get("values", ())),
            spec.get("default", 0 if spec.get("kind") in ("count", "boxes") and not spec.get("ask") else None),
            spec.get("limit"),
            spec.get("low", -99 if spec.get("kind") == "number" else 0),
            bool(spec.get("ask")),
            spec.get("until"),
            spec.get("section", ""),
            spec.get("cite", ""),
            bool(spec.get("words")),
            dict(spec.get("known", {})),
        )
        self.families[name] = declared
        for each in self.expand(name):
            self.fields[each] = self.known[each] = declared
        for index in self.index:
            hole = "{" + index + "}."
            if hole in name and name.startswith(index + "."):
                short = name.replace(hole, "")
                self.known.setdefault(short, Bound(index, name, declared))

    def expand(self, name: str) -> list[str]:
        """Every single name of a family: `oxygen.{position}` gives one for each position."""
        start = name.find("{")
        if start < 0:
            return [name]
        end = name.index("}", start)
        index = name[start + 1 : end]
        if index not in self.index:
            raise Trouble(f"{self.game}: the field {name} names an index {index} that the sheet does not declare")
        return [found for member in self.index[index] for found in self.expand(name[:start] + member + name[end + 1 :])]

    def family(self, name: str) -> list[tuple[str, list[Put]]]:
        """Every single name of a family, with the members to be put into its declaration."""
        start = name.find("{")
        if start < 0:
            return [(name, [])]
        index = name[start + 1 : name.index("}", start)]
        if index not in self.index:
            raise Trouble(f"{self.game}: the fact {name} names an index {index} that the sheet does not declare")
        return [
            (found, [(index, member, has), *put])
            for member, has in self.index[index].items()
            for found, put in self.family(put_in(name, index, member, has))
        ]

    def empty(self, name: str, facts: Facts) -> bool:
        """Whether a field belongs to a slot where nothing is (`fighter.3.clock`), unless that slot is the one meant."""
        index, _, rest = name.partition(".")
        slot, member = rest.partition(".")[0], self.known.get(index)
        if not isinstance(member, Member) or not member.present or slot not in self.index[index]:
            return False
        read = Reading(facts, name)
        return read.get(member.present.format(slot), "none") == "none" and read.get(index) != slot

    def tells_presence(self, name: str) -> bool:
        """Whether a field tells a used slot from a free one: `fighter.3.type`."""
        index, _, rest = name.partition(".")
        member = self.known.get(index)
        return isinstance(member, Member) and name == member.present.format(rest.partition(".")[0])

    def inputs(self, name: str) -> tuple[str, ...]:
        """The fields behind a derived fact, all the way down."""
        found = self._inputs.get(name)
        if found is None:
            self._inputs[name] = ()
            names: dict[str, None] = {}
            for each in self.names_in(self.derived[name].spec):
                for one in self.expand_any(each):
                    if one in self.derived:
                        names.update(dict.fromkeys(self.inputs(one)))
                    names[one] = None
            found = self._inputs[name] = tuple(names)
        return found

    def expand_any(self, name: str) -> list[str]:
        """Like `expand`, but a hole that is no index stands for every index member that makes a known name."""
        if "{" not in name:
            return [name]
        start, end = name.find("{"), name.rfind("}")
        head, tail = name[:start], name[end + 1 :]
        return [each for each in self.known if each.startswith(head) and each.endswith(tail)]

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
        start = family.find("{")
        if start < 0:
            return {}
        end = family.index("}", start)
        index = family[start + 1 : end]
        for member in sorted(self.index[index], key=len, reverse=True):
            head = family[:start] + member
            if name.startswith(head) and len(family) > end:
                rest = self._members(family[end + 1 :], name[len(head) :])
                if (head + family[end + 1 :] == name) or ("{" in family[end + 1 :] and rest):
                    return {index: member, **rest}
        return {}

    def names_in(self, spec: Any) -> list[str]:
        """Every fact name that a condition, or a derived fact's cases and counts, can read."""
        found: list[str] = []
        if isinstance(spec, Mapping):
            for key, value in spec.items():
                if key not in _WORDS:
                    found.append(key)
                if key == "sum":
                    found += value
                else:
                    found += self.names_in(value)
        elif isinstance(spec, list):
            for each in spec:
                found += self.names_in(each)
        elif isinstance(spec, str) and "{" in spec:
            found += names_in(spec)
        return found


_WORDS = frozenset(
    "any all not some none count each as where when is min max sum value column cases default label values cite note"
    " add less times halve half-again dice why table part".split()
)
