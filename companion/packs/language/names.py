"""The names that the sentences of a pack may use, from its sheet: fields, worked-out facts, indexes and their members.

What a worked-out fact reads and comes to is settled when its sentence is written as Python; `Names` is handed what
does that (`facts.worked_out`), and what says which facts a table depends on (`compiler.names_of`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.engine.spec import Spec
from companion.problems import Trouble

Argument = tuple[str, str | int] | None  # ("=", member), ("$", variable or place of an argument), or whoever is bound
Read = tuple[str, tuple[Argument, ...]]  # what a sentence reads: a name's pattern, and of its members each or which
NAME = re.compile(r"[A-Za-z0-9]+([.:-][A-Za-z0-9]+)*")
MOST = 1000  # members of an index, more than any sheet holds
MOST_NAMES = 20_000  # single names of a family
MOST_INDEXES = 9  # in one name
DEEPEST = 60  # facts that are worked out one through the other


class Kind:
    """What a name or an expression is: `flag`, `number`, `word` (one of `values`), `member` (of `index`), `text`."""

    __slots__ = ("index", "name", "values")

    def __init__(self, name: str, values: Iterable[str] = (), index: str = "") -> None:
        self.name, self.values, self.index = name, tuple(values), index

    def knows(self, word: str) -> str | None:
        """The word as it is written among the values; None when it is none of them."""
        return next((each for each in self.values if each.casefold() == word.casefold()), None)

    @property
    def article(self) -> str:
        """What it is, in words: `a number`, `one of several words` is `a word`."""
        return {"flag": "yes or no", "number": "a number", "member": f"a {self.index}", "text": "a text"}.get(
            self.name, "a word"
        )


FLAG, NUMBER, TEXT, ANY = Kind("flag", ("yes", "no")), Kind("number"), Kind("text"), Kind("any")


class Named:
    """A declared name: `crew[position as p]` has the pattern `crew[position]`, the shape `crew[]`, and one index.

    Raises Trouble where its brackets do not close, or a member is called by what is no word.
    """

    def __init__(self, written: str) -> None:
        self.written = written
        self.parts, self.indexes, self.aliases = [""], list[str](), list[str]()
        rest = written
        while "[" in rest:
            head, _, rest = rest.partition("[")
            inner, closed, rest = rest.partition("]")
            if not closed:
                raise Trouble(f"the name {written!r} has a bracket without its partner")
            index, _, alias = inner.partition(" as ")
            self.parts[-1] += f"{head}." if head or len(self.parts) > 1 else ""
            self.indexes.append(index.strip())
            self.aliases.append((alias or index).strip())
            if not NAME.fullmatch(self.aliases[-1]):
                raise Trouble(f"the name {written!r} calls a member {self.aliases[-1]!r}; a word stands there")
            self.parts.append("")
        self.parts[-1] += rest
        self.pattern = re.sub(r" as [^\]]*", "", written)
        self.shape = re.sub(r"\[[^\]]*\]", "[]", written)

    def single(self, members: Sequence[str]) -> str:
        """The name for these members: `crew.pilot`."""
        name = self.parts[0]
        for member, part in zip(members, self.parts[1:], strict=True):
            name += member + part
        return name


class TooDeep(Trouble):
    """A worked-out fact below which lie more others than any rule needs."""

    def __init__(self, pattern: str) -> None:
        super().__init__(f"the fact {pattern} is worked out from others, and those from others, over {DEEPEST} deep")


class Fact:
    """A worked-out fact: its sentence, the variables of its members, its kind, and what it reads.

    `touched` are the names without members that its reads come down to; `depth` says how many facts lie below it.
    """

    def __init__(self, named: Named, sentence: str, arguments: list[str], kind: Kind, reads: set[Read]) -> None:
        self.named, self.sentence, self.arguments, self.kind, self.reads = named, sentence, arguments, kind, reads
        self.touched: set[str] = set()
        self.depth = 1


class Names:
    """Every name that the sentences of a pack may use, from its parsed `sheet.toml`.

    `table_reads` gives what a table of that name depends on, None where there is no such table; until it is set any
    table may be named. Raises Trouble for a name whose index is not declared, or that stands for too many.
    """

    def __init__(self, sheet: Spec, work_out: Callable[[Names, Named, Spec], Fact]) -> None:
        _refuse_marked(sheet)
        indexes = sheet.get("index", {})
        self.index: dict[str, dict[str, Spec]] = {name: members_of(spec) for name, spec in indexes.items()}
        for name, spec in indexes.items():
            present = spec.get("present", name) if isinstance(spec, Mapping) else name
            for word in (name, present):
                if not NAME.fullmatch(str(word)):
                    raise Trouble(f"the index {name!r} has the name {word!r}; a word stands there")
        self.fields: dict[str, tuple[Named, Kind]] = {}
        self.facts: dict[str, tuple[Named, Spec]] = {}
        self.singles: dict[str, str] = {}
        self.shapes: dict[str, list[str]] = {}
        self.asked: list[str] = []
        for fields in sheet.get("fields", {}).values():
            for written, spec in fields.items():
                named = self._named(written)
                self.fields[named.pattern] = named, kind_of(spec)
                if spec.get("ask"):
                    self.asked.append(named.pattern)
                self._remember(named)
        for written, spec in sheet.get("facts", {}).items():
            named = self._named(written)
            self.facts[named.pattern] = named, spec if isinstance(spec, Mapping) else {"is": spec}
            self._remember(named)
        self.present = {
            name: f"{name}[{name}].{spec['present']}"
            for name, spec in indexes.items()
            if isinstance(spec, Mapping) and "present" in spec
        }
        self.belongings: dict[str, list[str]] = {
            name: str(spec["belongings"]).split()
            for name, spec in indexes.items()
            if isinstance(spec, Mapping) and "belongings" in spec
        }
        self.table_reads: Callable[[str], set[Read] | None] | None = None
        self.looked_up: dict[str, set[Read] | None] = {}  # what the tables depend on that sentences have asked of
        self._work_out = work_out
        self._worked_out: dict[str, Fact] = {}
        self._open: list[str] = []

    def _named(self, written: str) -> Named:
        named = Named(written)
        if len(named.indexes) > MOST_INDEXES:
            raise Trouble(f"{written[:80]} names {len(named.indexes)} indexes; no name has more than {MOST_INDEXES}")
        often = 1
        for index in named.indexes:
            if index not in self.index:
                raise Trouble(f"{written} names an index {index} that the sheet does not declare")
            often *= len(self.index[index])
        if often > MOST_NAMES:
            raise Trouble(f"{written} would be {often} names; no sheet holds more than {MOST_NAMES}")
        return named

    def _remember(self, named: Named) -> None:
        """Which pattern a single name belongs to; of what is bound: `fighter.clock`, the clock of the one meant."""
        if not named.indexes:
            return
        self.shapes.setdefault(named.shape, []).append(named.pattern)
        for members in every([list(self.index[index]) for index in named.indexes]):
            self.singles.setdefault(named.single(members), named.pattern)

    def declared(self, pattern: str) -> Named | None:
        """The field or the worked-out fact of that pattern."""
        field_or_fact = self.fields.get(pattern) or self.facts.get(pattern)
        return field_or_fact[0] if field_or_fact else None

    def kind(self, pattern: str) -> Kind:
        """What the field or the worked-out fact of that pattern is; raises KeyError where there is none."""
        return self.fields[pattern][1] if pattern in self.fields else self.fact(pattern).kind

    def bound(self, name: str) -> tuple[str, str] | None:
        """The index and the pattern of `fighter.clock`; None for a name that is not so written."""
        index, dot, rest = name.partition(".")
        pattern = f"{index}[{index}].{rest}"
        return (index, pattern) if dot and index in self.index and pattern in self.fields else None

    def says(self, index: str, key: str) -> bool:
        """Whether the pack says this of some member of the index."""
        return any(key in attributes for attributes in self.index.get(index, {}).values())

    def known(self) -> list[str]:
        """Every name that can be said, for suggestions."""
        return [*self.fields, *self.facts, *self.index]

    def fact(self, pattern: str) -> Fact:
        """A worked-out fact, read once; raises Trouble where facts go round in a circle, or too far down."""
        fact = self._worked_out.get(pattern)
        if fact is None:
            if pattern in self._open:
                raise Trouble(f"the fact {pattern} is worked out from itself: {' from '.join([*self._open, pattern])}")
            if len(self._open) >= DEEPEST:
                raise TooDeep(pattern)
            self._open.append(pattern)
            try:
                fact = self._work_out(self, *self.facts[pattern])
                fact.touched = self.touched(fact.reads)
                below = [name for name, _ in fact.reads if name in self.facts and name not in self._open]
                fact.depth += max((self.fact(name).depth for name in below), default=0)
            except RecursionError:
                raise TooDeep(pattern) from None
            finally:
                self._open.pop()
            if fact.depth > DEEPEST:
                raise TooDeep(pattern)
            self._worked_out[pattern] = fact
        return fact

    def touched(self, reads: Iterable[Read]) -> set[str]:
        """The names without members that these reads come down to, through worked-out facts too."""
        names: set[str] = set()
        for pattern, _ in reads:
            names.add(pattern)
            if pattern in self.facts and pattern not in self._open:
                names |= self.fact(pattern).touched
        return names


def _refuse_marked(part: object) -> None:
    """Raise Trouble for a name that begins with the sign under which compiled functions stand."""
    if isinstance(part, Mapping):
        for key, each in part.items():
            if str(key).startswith("#"):
                raise Trouble(f"the sheet has the name {key!r}; a name does not begin with #")
            _refuse_marked(each)


def every(members: Sequence[Sequence[str]]) -> list[list[str]]:
    """One of each, in all ways: `[["a", "b"], ["1"]]` gives `[["a", "1"], ["b", "1"]]`."""
    ways: list[list[str]] = [[]]
    for each in members:
        ways = [[*head, one] for head in ways for one in each]
    return ways


def variable_of(alias: str) -> str:
    """The variable of Python for a member that a sentence calls so."""
    return "m_" + re.sub(r"[^A-Za-z0-9]", "_", alias)


def members_of(spec: object) -> dict[str, Spec]:
    """The members of an index as it is declared: a number, a list, or a table of members with what is said of each."""
    if isinstance(spec, Mapping) and isinstance(spec.get("count"), int):
        spec = spec["count"]
    if isinstance(spec, int):
        return {str(n): {} for n in range(1, min(spec, MOST) + 1)}
    if isinstance(spec, Mapping):
        return {str(member): attributes for member, attributes in spec.items() if isinstance(attributes, Mapping)}
    return {str(member): {} for member in spec} if isinstance(spec, list) else {}


def kind_of(spec: Spec) -> Kind:
    """What a declared field is."""
    if "values" in spec:
        values = spec["values"]
        return Kind("word", values.split() if isinstance(values, str) else values)
    name = spec.get("kind", "boxes" if "boxes" in spec else "text")
    return {"flag": FLAG, "count": NUMBER, "number": NUMBER, "boxes": NUMBER}.get(name, TEXT)


def numeric(word: str) -> bool:
    """Whether a word is a number in digits."""
    return word.lstrip("+-").isdigit()


def named_member(argument: Argument) -> str | None:
    """The member that a sentence itself names; None where that is settled elsewhere."""
    return str(argument[1]) if argument is not None and argument[0] == "=" else None
