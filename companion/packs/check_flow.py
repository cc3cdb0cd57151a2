"""Validation of what a pack asks for next: circles without an end and indexes that nothing binds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from companion.engine.rules import END
from companion.engine.sheet import Member, reads_of
from companion.engine.tables import Table
from companion.packs.check_tables import PackNames, Slip, results_of
from companion.packs.layers import NOT_TABLES
from companion.packs.linking import copied, linked
from companion.packs.overlays import NOTES
from companion.packs.toml_files import Where, places

ASKING = ("then", "shot")
STEP = re.compile(r"^step\s*=\s*'?([\w-]+)'?")
LOOP = re.compile(r"\bfor\s+([\w-]+)(?:\s+as\s+([\w-]+))?")


class Part(NamedTuple):
    """A part of a file with its sentences linked, and the names that are bound in it."""

    file: str
    at: Where
    spec: Mapping[str, Any]
    bound: frozenset[str]


class Flow:
    """The requests and bindings of each part of a pack, which must be valid otherwise."""

    def __init__(self, known: PackNames) -> None:
        self.known, self.sheet, self.language = known, known.sheet, known.language
        files = [file for file in known.pack.files if file != "sheet"]
        self.docs = {file: copied(known.pack.read(file)) for file in files}
        for file, doc in self.docs.items():
            linked(self.language, file, doc)
        self.bound: dict[str, set[str]] = {}  # by table, sub-roll or choice that is asked for
        about = known.pack.read("pack")
        for move in about.get("at-table", {}).get("move", ()):
            for choice in (move.get("seat"), move.get("man")):
                self.bound.setdefault(f"choice {choice}", set()).add(move["index"])
        for each in about.get("log", {}).get("unsettled", ()):
            self.bound.setdefault(str(each["roll"]).casefold(), set()).add("position")
        for name in about.get("landing", ()):
            self.bound.setdefault(name.casefold(), set())
        while not all([*map(self._noted, self.parts())]):
            pass

    def parts(self) -> Iterator[Part]:
        """Yield every part of every file except the sheet."""
        for file, doc in self.docs.items():
            if file not in NOT_TABLES:
                cells = (str(at[-1]) for at, _ in places(doc) if "rows" in at and "with" in at[-2:-1])
                bound = frozenset((*self.bound.get(file, ()), *cells))
                yield from self._within(Part(file, (), doc, bound))
            elif file == "choices":
                for name, choice in doc.get("choice", {}).items():
                    bound = frozenset(self.bound.get(f"choice {name}", ()))
                    yield from self._within(Part(file, ("choice", name), choice, bound))
            else:
                yield from self._within(Part(file, (), doc, frozenset()))

    def _within(self, part: Part) -> Iterator[Part]:
        file, at, spec, bound = part
        looped = spec.get("#for", ())[1:2]
        bound |= {*looped, *spec.get("with", {}), *([spec["ask"]] if spec.get("ask") in self.sheet.index else ())}
        if file == "rules" and "on" in spec:  # the roll or the change binds its own
            bound |= {*self.sheet.index}
        yield Part(file, at, spec, bound)
        for key, value in spec.items():
            if key in ("outcome", "sub") and isinstance(value, Mapping):
                for slug, inner in value.items():
                    name = f"{file}.{'.'.join(map(str, at[1::2]))}.{slug}".replace("..", ".").casefold()
                    holes = {*re.findall(r"\{([a-z-]+)\}", slug), *self.bound.get(name, ())}
                    yield from self._within(Part(file, (*at, key, slug), inner, bound | holes))
            elif isinstance(value, list) and key[0] != "#" and key not in NOTES:
                for number, inner in enumerate(value):
                    if isinstance(inner, Mapping):
                        yield from self._within(Part(file, (*at, key, number), inner, bound))

    def asks(self, part: Part) -> Iterator[tuple[str, set[str], bool]]:
        """Yield what a part asks for: a table or choice, what is bound then, and whether it always does."""
        for key in ASKING:
            for item in part.spec.get(key, ()):
                spec = {"roll": item} if isinstance(item, str) else item
                loop = LOOP.match(f"for {spec.get('for', '')}")
                binds = {*part.bound, *spec.get("with", {}), *([loop[2] or loop[1]] if loop else ())}
                always = not spec.keys() & {"when", "for", "times"} and key == "then"
                if "roll" in spec or "choose" in spec:
                    name = str(spec["roll"]).casefold() if "roll" in spec else f"choice {spec['choose']}"
                    yield name, binds, always

    def _noted(self, part: Part) -> bool:
        """Note what a part binds for what it asks for; return whether all of it was known."""
        known = True
        for name, binds, _ in self.asks(part):
            names = [name]
            if "{" in name:
                pattern = re.compile("".join(".*" if each[:1] == "{" else re.escape(each) for each in
                                             re.split(r"(\{[^}]*\})", name)))  # fmt: skip
                names = [file for file in self.docs if file not in NOT_TABLES and pattern.fullmatch(file)]
            for each in names:
                bound = self.bound.setdefault(each, set())
                known = known and each in self.bound and binds <= bound
                bound |= binds
        return known

    # -- indexes that nothing binds ------------------------------------------------------------------------------------

    def unbound(self) -> Iterator[tuple[str, Slip]]:
        """Yield the sentences that need a member which nothing names."""
        told = set()
        asked = {name for name in self.sheet.index if name in self.sheet.fields or self._asked(name)}
        for part in self.parts():
            if part.file in ("pack", "story", "rulings") or (part.file == "rules" and not part.at):
                continue
            if part.file not in NOT_TABLES and part.file not in self.bound and not part.spec.get("ask"):
                continue  # only rolled by hand, with --with
            bound = {*part.bound, *(name for key in ASKING for name in _looped(part.spec.get(key, ())))}
            bound |= {alias or index for line in part.spec.get("do", ()) for index, alias in LOOP.findall(line)}
            for key, work in part.spec.items():
                if key.startswith("#") and callable(work) and key not in ("#untils",):
                    needed = self.language.touched(reads_of(work)) & self.sheet.index.keys()
                    named = key == "#name" and part.file == "choices"  # an option for each needs its `for`
                    for index in sorted(needed - bound - (set() if named else asked)):
                        if (part.file, index) not in told:
                            told.add((part.file, index))
                            why = f"nothing says which {index} this is; add for, with or ask, or name the {index}"
                            yield part.file, ((*part.at, key[1:]), why)

    def _asked(self, index: str) -> bool:
        """Return whether a member of an index needs no binding: a slot, or one that the player is asked for."""
        known = self.sheet.known.get(index)
        return isinstance(known, Member) and bool(known.present or known.declared.ask)

    # -- circles -------------------------------------------------------------------------------------------------------

    def endless_tables(self) -> Iterator[tuple[str, Slip]]:
        """Yield the first table of each circle that every result of its tables leads back to."""
        always: dict[str, set[str]] = {}
        for part in self.parts():
            place = ".".join([part.file, *map(str, part.at)])
            always.setdefault(place, set()).update(name for name, _, sure in self.asks(part) if sure)
        tables = {file: self.known.table(file) for file in self.docs if file not in NOT_TABLES}
        ends: set[str] = set()

        def can_end(file: str, table: Table | None) -> bool:
            if table is None or not all(name in ends or name not in tables for name in always[file]):
                return table is None
            results = set() if table.owner or not table.columns else results_of(table)
            certain = [always.get(f"{file}.outcome.{each}", set()) for each in results]
            return not certain or any(all(name in ends or name not in tables for name in each) for each in certain)

        while fresh := {file for file, table in tables.items() if file not in ends and can_end(file, table)}:
            ends |= fresh
        endless = tables.keys() - ends
        leads = {
            file: endless & set().union(*(to for at, to in always.items() if at == file or at.startswith(f"{file}.")))
            for file in endless
        }
        for file in sorted(endless):
            circle = _reached(file, leads)
            if file in circle and not any(other < file and file in _reached(other, leads) for other in circle):
                yield file, (("then",), "every result leads to a roll that leads here again, so it never ends")

    def endless_steps(self) -> Iterator[tuple[str, Slip]]:
        """Yield the steps from which the end of the mission cannot be reached, or in which nothing ever happens."""
        steps = self.docs.get("sequence", {}).get("step", [])
        place = {step["id"]: at for at, step in enumerate(steps)} | {END: len(steps)}
        ways = {at: {at + 1} if "go" not in step else {place[step["go"]], *([at + 1] if "when" in step else [])}
                for at, step in enumerate(steps)}  # fmt: skip
        ends = {len(steps)}
        while fresh := {at for at, to in ways.items() if at not in ends and to & ends}:
            ends |= fresh
        for at in sorted(ways.keys() - ends)[:1]:
            yield "sequence", (("step", at), f"from the step {steps[at]['id']} on, the mission never ends")
        reached, ahead = set[int](), [0] if steps else []
        joined = {word for part in self.parts() for line in part.spec.get("do", ()) for word in STEP.findall(str(line))}
        ahead += [place[each] + 1 for each in joined if each in place]
        while ahead:
            at = ahead.pop()
            ahead += ways.get(at, set()) - reached
            reached.add(at)
        for at in sorted(ways.keys() - reached)[:1]:
            yield (
                "sequence",
                (("step", at), f"the step {steps[at]['id']} is never reached; the one before it always goes on"),
            )


def _looped(items: object) -> Iterator[str]:
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            if loop := LOOP.match(f"for {item.get('for', '')}"):
                yield loop[2] or loop[1]
            yield from item.get("with", {})


def _reached(file: str, leads: Mapping[str, set[str]]) -> set[str]:
    """Return the files that a file leads to, itself among them only if it is in a circle."""
    reached, ahead = set[str](), [file]
    while ahead:
        ahead += (fresh := leads[ahead.pop()] - reached)
        reached |= fresh
    return reached


def flow(known: PackNames) -> Iterator[tuple[str, Slip]]:
    """Yield the faults in the flow of a valid pack: its file, and its place and sentence."""
    whole = Flow(known)
    yield from (*whole.unbound(), *whole.endless_tables(), *whole.endless_steps())
