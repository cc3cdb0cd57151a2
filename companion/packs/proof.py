"""Proving a pack: its form, every sentence, every roll lands on a row, every name exists, and it can be flown.

A file without the form that is declared is not looked into further, and without a sheet nothing can be.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.engine.sequence import END
from companion.engine.sheet import Sheet, pattern_of
from companion.engine.tables import Column, Table
from companion.files.reading import text_of
from companion.packs.faults import slips
from companion.packs.forms import kind_of
from companion.packs.lines import Where, lines, under, unreadable
from companion.packs.overlays import is_patch
from companion.packs.pack import NOT_TABLES, Pack, read_file, tables_folder
from companion.problems import Problem, understood
from companion.words import one_of, slug

NEEDED = {
    "step": ("it says which step of the sequence was taken last", 'step = {label = "Step of the turn"}'),
    "mission.number": (
        "a campaign and the screen count the missions by it",
        '"mission.number" = {label = "Mission", kind = "count", limit = [1], default = 1}',
    ),
}
"""The fields without which no game can be flown: why, and how each may be declared."""

Found = tuple[Where, str]  # where in a file, and what is wrong there


class Fault:
    """Something wrong with a pack: the file, the line (0 where none can be told), and a sentence."""

    def __init__(self, path: Path | None, line: int, told: str) -> None:
        self.path, self.line, self.told = path, line, told

    def __str__(self) -> str:
        if self.path is None:
            return self.told
        ours = tables_folder()
        named = f"tables/{self.path.relative_to(ours)}" if self.path.is_relative_to(ours) else str(self.path)
        return f"{named}{f', line {self.line}' if self.line else ''}: {self.told}"


def check(pack: Pack) -> list[str]:
    """Everything that is wrong with a pack, one sentence each; empty when it is sound."""
    return list(dict.fromkeys(map(str, faults(pack))))


def faults(pack: Pack) -> Iterator[Fault]:
    """Everything that is wrong with a pack, file by file."""
    malformed = set()
    for key in sorted(pack.layers):
        for each in _form(pack, key):
            malformed.add(key)
            yield each
    if "sheet" not in pack.layers:
        yield Fault(None, 0, f"{pack.name} has no sheet.toml, which declares the fields of its log sheet")
    elif "sheet" not in malformed:
        yield from Checker(pack, malformed).run()


# -- the form ----------------------------------------------------------------------------------------------------------


def _form(pack: Pack, key: str) -> Iterator[Fault]:
    """What is wrong with the form of a file: every layer by itself, then what they come to."""
    kind, sound = kind_of(key), True
    for path in pack.layers[key]:
        try:
            with understood(str(path)):
                doc = read_file(path)
                found = list(slips(doc, kind))
        except Problem as problem:
            sound = False
            yield _unread(path, problem)
            continue
        where = lines(text_of(path.read_bytes())) if found else {}
        for at, told in found:
            sound = False
            yield Fault(path, _line(where, at), told)
    top = pack.layers[key][0]
    if not sound or not (is_patch(read_file(top)) or key == "pack"):
        return
    try:
        with understood(str(top)):
            whole = {name: part for name, part in pack.read(key).items() if name != "patched"}
    except Problem as problem:
        yield _misfit(pack.layers[key], str(problem))
        return
    for _, told in slips(whole, kind):
        yield Fault(top, 0, f"with what it lies over, {told}")
    if key == "pack" and not whole.get("title"):
        yield Fault(top, 0, 'it lacks title, which every screen and sheet shows: title = "…"')


def _misfit(paths: Sequence[Path], told: str) -> Fault:
    """A patch that does not fit what it lies over, with the line where it begins."""
    path = next((each for each in paths if told.startswith(f"{each}: ")), paths[0])
    number = re.match(r"patch (\d+) ", told.removeprefix(f"{path}: "))
    where = lines(text_of(path.read_bytes())) if number else {}
    return Fault(path, where.get(("patch", int(number[1]) - 1), 0) if number else 0, told.removeprefix(f"{path}: "))


def _unread(path: Path, problem: Problem) -> Fault:
    """A file that cannot be read, with the line and a reason that helps."""
    told = str(problem).removeprefix(f"{path}: ")
    head = f"{path} is not valid TOML: "
    if told.startswith(head):
        at = re.search(r"at line (\d+)", told)
        return Fault(path, int(at[1]) if at else 0, f"it is not valid TOML: {unreadable(told[len(head) :])}")
    return Fault(path, 0, told.removeprefix(f"{path} "))


def _line(where: Mapping[Where, int], at: Where) -> int:
    """The line of a thing, else of what it stands in."""
    while at and at not in where:
        at = at[:-1]
    return where.get(at, 0)


def placed(pack: Pack, file: str, told: str) -> str:
    """What is wrong with a sentence of a file, with the file's name and its line before it."""
    checker = Checker(pack, set())
    checker.file = file
    fault = checker._sentence(told)
    return f"{fault.path or pack.layers[file][0]}{f', line {fault.line}' if fault.line else ''}: {fault.told}"


# -- what the files say ------------------------------------------------------------------------------------------------


class Checker:
    """One pass over the files of a pack whose form is right."""

    def __init__(self, pack: Pack, malformed: set[str]) -> None:
        self.pack, self.malformed = pack, malformed
        self.file = "sheet"
        self._where: dict[Path, dict[Where, int]] = {}
        self._docs: dict[Path, Mapping[str, Any]] = {}
        self._tables: dict[str, Table | None] = {}

    def run(self) -> Iterator[Fault]:
        """Go through the sheet, the sentences, the tables, the rules, the choices, the sequence and the pack."""
        try:
            with understood("sheet.toml"):
                self.names = self.pack.names
                self.sheet = Sheet.read(self.pack.name, self.pack.read("sheet"))
        except Problem as problem:
            yield self._about_names(str(problem))
            return
        yield from self._needed()
        for key in sorted(self.pack.layers):
            if key not in self.malformed:
                self.file = key
                check_one = {
                    "sheet": self._sheet,
                    "rules": self._rules,
                    "choices": self._choices,
                    "sequence": self._steps,
                    "pack": self._about,
                }.get(key, self._table_file)
                yield from self._sentences()
                try:
                    with understood("what stands there"):
                        yield from (self._fault(at, told) for at, told in check_one())
                except Problem as problem:
                    yield self._fault((), str(problem))

    def _needed(self) -> Iterator[Fault]:
        for name, (why, how) in NEEDED.items():
            if name not in self.sheet.fields:
                told = f"the sheet lacks the field {name}: {why}; such as, in [fields.working]: {how}"
                yield Fault(self.pack.files["sheet"], 0, told)

    # -- where things stand ----------------------------------------------------------------------------------------

    def _fault(self, at: Where, told: str) -> Fault:
        """Something wrong at a place of the file as it comes to; the line is that of the layer it stands in."""
        paths = self.pack.layers[self.file]
        named = said_place(self.file, self.pack.read(self.file), at)
        said = self._shown(f"{named}: {told}") if named else told
        for path in paths:
            where, own = self._lines(path)
            if not is_patch(own):
                return Fault(path, _line(where, at), said)
            for inside in where if at else ():
                if said_place(self.file, own, inside) == named:
                    return Fault(path, where[inside], said)
        return Fault(paths[0], 0, said)

    def _shown(self, told: str) -> str:
        """An error with its place as a player knows it."""
        if self.file == "choices":
            return self._of_choice(told)
        return f"step {told}" if self.file == "sequence" else told

    def _lines(self, path: Path) -> tuple[dict[Where, int], Mapping[str, Any]]:
        if path not in self._where:
            text = text_of(path.read_bytes())
            self._where[path], self._docs[path] = lines(text), tomllib.loads(text)
        return self._where[path], self._docs[path]

    def _sentences(self) -> Iterator[Fault]:
        """What is wrong with the sentences of a file."""
        try:
            with understood("what stands there"):
                _, found, _ = self.pack.compiled(self.file)
        except Problem as problem:
            yield self._sentence(str(problem))
            return
        for told in found:
            yield self._sentence(told)

    def _sentence(self, told: str) -> Fault:
        """The line of a sentence: of those with the marked line, the one at the place that is named."""
        marked = re.search(r"\n    (.*)\n +\^$", told)
        said = marked[1].strip() if marked else ""
        named = told.partition("\n")[0]
        best: tuple[int, Path, int] | None = None
        for path in self.pack.layers[self.file]:
            where, doc = self._lines(path)
            for at, line in where.items():
                value = under(doc, at)
                if isinstance(value, str) and (not said or said in value):
                    likely = _alike(said_place(self.file, doc, at), named)
                    if likely and (best is None or likely > best[0]):
                        best = likely, path, line + _further(path, line, value, said)
            if not is_patch(doc) and self.file != "pack":
                break
        if best is None:
            return Fault(self.pack.files[self.file], 0, self._shown(told))
        return Fault(best[1], best[2], self._shown(told))

    def _of_choice(self, told: str) -> str:
        """`altitude, stay, when: …` as `choice altitude, option stay, when: …`."""
        name, _, rest = told.partition(", ")
        options = self.pack.read("choices").get("choice", {}).get(name, {}).get("option", ())
        own = next((each["name"] for each in options if rest.startswith(f"{each['name']}, ")), None)
        return f"choice {name}, {'option ' if own is not None else ''}{rest}"

    def _about_names(self, told: str) -> Fault:
        """What is wrong with the names that the sheet declares."""
        for path in self.pack.layers["sheet"]:
            where, _ = self._lines(path)
            for at, line in where.items():
                if at and re.search(rf"(^|\W){re.escape(str(at[-1]))}(\W|$)", told) and "[" in str(at[-1]):
                    return Fault(path, line, told)
        return Fault(self.pack.files["sheet"], 0, told)

    # -- the sheet -------------------------------------------------------------------------------------------------

    def _sheet(self) -> Iterator[Found]:
        events = self._events()
        for name, field in self.sheet.families.items():
            at: Where = ("fields", field.section, name)
            for word in field.known:
                if not field.values and (not field.words or word != slug(word)):
                    yield at, f"the known {word!r} is never met; words in lower case, joined by hyphens, are"
            if field.default is not None and not isinstance(field.limit, str):
                try:
                    field.accept(name, field.default)
                except Problem as problem:
                    yield at, f"its default: {problem}"
            if field.section not in self.sheet.sections and field.section != "working":
                yield at, f"it stands in a section {field.section!r} that [sections] does not name"
            if field.until and field.until.casefold() not in events:
                yield at, f"it lasts until {field.until}, which never happens"
            if isinstance(field.limit, str):
                index, _, key = field.limit.partition(".")
                if not any(key in has for has in self.sheet.index.get(index, {}).values()):
                    yield at, f"its boxes are {field.limit}, which the sheet says of nobody"

    def _events(self) -> set[str]:
        """What a rule can wait for and a field can last until."""
        return {*self.pack.files, "mission", *self.sheet.known, *self.sheet.families, *self.names.singles}

    def _known(self, name: str) -> bool:
        names = self.names
        return (
            name in self.sheet.known
            or name in names.singles
            or pattern_of(name) in names.fields
            or pattern_of(name) in names.facts
        )

    def _name(self, at: Where, name: str, what: str = "it names") -> Iterator[Found]:
        if not self._known(name):
            yield at, f"{what} {name}, which the sheet does not declare{_near(name, self.names.known())}"

    # -- tables ----------------------------------------------------------------------------------------------------

    def _table_file(self) -> Iterator[Found]:
        doc = self.pack.read(self.file)
        if str(doc.get("id", "")).casefold() != self.file:
            yield ("id",), f"its id is {doc.get('id')!r}, not its file's name"
            return
        unnamed = [(at, each) for at, each in _unknown_modifiers(doc)]
        if unnamed:
            yield from unnamed
            return
        table = Table(doc, self.sheet)
        yield from self._table(table, ())
        yield from self._parts(doc, ())

    def _table(self, table: Table, at: Where) -> Iterator[Found]:
        if not table.cite:
            yield at, 'it does not say where the book has it: cite = "4.2"'
        if "ask" in table.doc and table.doc["ask"] not in self.sheet.index:
            yield (*at, "ask"), f"it is about one {table.doc['ask']}, and there is no such index"
        happens = any(key in table.doc for key in ("text", "do", "then", "cases"))
        if table.procedure and not happens:
            yield at, "it has no rows, does nothing, and is not marked as an owner table"
        elif not table.columns and not table.owner and not table.formula and not table.procedure:
            yield at, "it has no rows and is not marked as an owner table"
        for number, column in enumerate(table.columns):
            mine: Where = ("column", number) if number < len(table.doc.get("column", ())) else ("rows",)
            yield from (
                (each if len(each) > len(at) else (*at, *mine), told)
                for each, told in self._rows(table, column, (*at, *mine))
            )
        yield from self._unreached(table, at)
        for name in [*table.doc.get("sub", {}), *_rolling(table)]:
            inside: Where = (*at, "sub" if name in table.doc.get("sub", {}) else "outcome", name)
            try:
                with understood("what stands there"):
                    found = table.sub(name)
            except Problem as problem:
                yield inside, str(problem)
                continue
            if found is None:
                yield inside, "this sub-roll cannot be built"
            elif not found.formula:
                yield from self._table(found, inside)

    def _rows(self, table: Table, column: Column, at: Where) -> Iterator[Found]:
        dice = column.dice or table.dice
        fixed = [modifier.add for modifier in column.modifiers if isinstance(modifier.add, int)]
        low, high = sum(min(0, add) for add in fixed), sum(max(0, add) for add in fixed)
        totals = [total for total, _ in dice.readings()] if dice.count != 0 else []
        nets = range(min(totals) + low, max(totals) + high + 1) if totals and not dice.tens else totals
        missing = [net for net in nets if column.rows.find(net) is None]
        printed = {total for total in totals if column.rows.find(total) is None}
        if printed:
            yield at, f"a roll of {min(printed)} lands on no row"
        elif missing and fixed and not _capped(table, column, missing):
            yield at, f"a net {missing[0]} lands on no row"
        for row, result in column.rows.written.items():
            for each in result if isinstance(result, list) else [result]:
                name = each.get("as") if isinstance(each, Mapping) else each
                if isinstance(name, str) and name != "owner" and "{" not in name and not table.outcome(name)[0]:
                    yield (
                        (*at, row),
                        f'the result {name!r} does nothing and has no text; such as: [outcome.{_key(name)}] text = "…"',
                    )

    def _unreached(self, table: Table, at: Where) -> Iterator[Found]:
        """Results that no row comes to, most likely misspelt; where a book, a number or a sentence decides, all may."""
        if table.owner or not table.columns or table.number is not None or table.adjust is not None:
            return
        said = {str(each) for each in _results(table)} | {str(each.outcome) for each in table.naturals}
        if any("{" in each or each == "owner" for each in said):
            return
        for name in table.outcomes:
            inner = self._landed_within(table, name)
            if name not in said and not inner:
                yield (*at, "outcome", name), f"no row comes to it{_near(name, said)}"

    def _landed_within(self, table: Table, name: str) -> bool:
        """Whether a sub-roll of the table, which falls back on its results, comes to it."""
        for sub in [*table.doc.get("sub", {}), *_rolling(table)]:
            found = table.sub(sub)
            if found is not None and (
                found.owner or name in map(str, _results(found)) or self._landed_within(found, name)
            ):
                return True
        return False

    # -- rules, choices, steps -------------------------------------------------------------------------------------

    def _rules(self) -> Iterator[Found]:
        events = self._events()
        for number, rule in enumerate(self.pack.read("rules").get("rule", ())):
            at: Where = ("rule", number)
            happens = rule.get("on", ())
            for event in [happens] if isinstance(happens, str) else happens:
                if event.casefold() not in events:
                    yield (*at, "on"), f"it waits for {event}, which never happens{_near(event, events)}"
            if "on" not in rule and not rule.get("when"):
                yield at, "it has neither `on` nor a condition"
            yield from self._parts(rule, at)

    def _choices(self) -> Iterator[Found]:
        for name, choice in self.pack.read("choices").get("choice", {}).items():
            if not choice.get("option"):
                yield ("choice", name), "it has no option to choose"
            for number, option in enumerate(choice.get("option", ())):
                at: Where = ("choice", name, "option", number)
                of = re.search(r" of ([\w.:-]+)$", option.get("for", ""))
                if of:
                    yield from self._rolled((*at, "for"), of[1])
                yield from self._parts(option, at)

    def _steps(self) -> Iterator[Found]:
        steps = self.pack.read("sequence").get("step", ())
        ids = [step["id"] for step in steps]
        for number, step in enumerate(steps):
            at: Where = ("step", number)
            if step["id"] in ids[:number]:
                yield at, f"two steps have the id {step['id']}"
            go = step.get("go")
            if go is not None and go != END and go not in ids:
                yield (*at, "go"), f"it goes to {go}, which there is not{_near(go, [*ids, END])}"
            yield from self._parts(step, at)

    def _parts(self, part: Any, at: Where) -> Iterator[Found]:
        """What is asked for, anywhere in a file: tables and choices that there must be, slots that are filled."""
        if isinstance(part, Mapping):
            for key, value in part.items():
                inside: Where = (*at, key)
                if key == "then" and isinstance(value, list):
                    for number, spec in enumerate(value):
                        yield from self._then((*inside, number), spec)
                elif key == "do" and isinstance(value, list):
                    for number, line in enumerate(value):
                        added = re.match(r"\s*add\s+([\w-]+)", line)
                        if added and added[1] in self.sheet.index and f"slots.{added[1]}" not in self.sheet.fields:
                            yield (
                                (*inside, number),
                                f"it adds one {added[1]}: the sheet needs slots.{added[1]}, which counts those in use",
                            )
                elif key != "patched":
                    yield from self._parts(value, inside)
        elif isinstance(part, list):
            for number, each in enumerate(part):
                yield from self._parts(each, (*at, number))

    def _then(self, at: Where, spec: Any) -> Iterator[Found]:
        if isinstance(spec, str):
            yield from self._rolled(at, spec)
            return
        if "roll" in spec:
            yield from self._rolled((*at, "roll"), spec["roll"])
        if "choose" in spec and "{" not in spec["choose"]:
            known = self.pack.read("choices").get("choice", {})
            if spec["choose"] not in known:
                near = _near(spec["choose"], known)
                yield (*at, "choose"), f"it asks for a choice {spec['choose']}, which there is not{near}"

    def _rolled(self, at: Where, name: str) -> Iterator[Found]:
        if (
            "{" not in name
            and name.casefold().partition(".")[0] not in self.malformed
            and self._find(name.casefold()) is None
        ):
            known = [each for each in self.pack.files if each not in NOT_TABLES]
            yield at, f"it sends the player to {name}, which there is not{_near(name.casefold(), known)}"

    def _find(self, key: str) -> Table | None:
        """The table or sub-roll of that number, from its source."""
        if key not in self._tables:
            self._tables[key] = None
            try:
                with understood(key):
                    self._tables[key] = self._made(key)
            except Problem:
                self._tables[key] = Table(
                    {"id": key, "owner": True}, self.sheet
                )  # it is there; its own file says what is wrong
        return self._tables[key]

    def _made(self, key: str) -> Table | None:
        if key in self.pack.files and key not in NOT_TABLES:
            return Table(self.pack.read(key), self.sheet)
        head, dot, tail = key.rpartition(".")
        above = self._find(head) if dot and head else None
        return above.sub(tail) if above is not None else None

    # -- the pack --------------------------------------------------------------------------------------------------

    def _about(self) -> Iterator[Found]:
        about = self.pack.read("pack")
        status, log, layout = about.get("status", {}), about.get("log", {}), about.get("print", {})
        people = status.get("people", {})
        for at, names in (
            (("briefing",), about.get("briefing", ())),
            (("debrief",), about.get("debrief", ())),
            (("status", "lines"), [name for line in status.get("lines", ()) for name in line]),
            (("status", "boxes"), status.get("boxes", ())),
            (
                ("status", "people"),
                [*people.get("states", ()), *(people[key] for key in ("name", "boxes") if key in people)],
            ),
            (("status", "beside"), status.get("beside", {}).get("fields", ())),
            (("reveal", "facts"), about.get("reveal", {}).get("facts", ())),
            (("damage",), [name for key, name in about.get("damage", {}).items() if key not in ("known", "note")]),
            (("log", "columns"), [name for name, _ in log.get("columns", ())]),
            *((("log", key), [log[key]]) for key in ("result", "average", "aircraft-end") if key in log),
        ):
            for name in names:
                yield from self._name(at, name)
        sections = {*self.sheet.sections, "working", "book"}
        for at, names in (
            (("status", "elsewhere"), status.get("elsewhere", ())),
            (("print", "join"), [*layout.get("join", {}), *layout.get("join", {}).values()]),
            (("print", "when-filled"), layout.get("when-filled", ())),
            (("print", "without"), layout.get("without", ())),
        ):
            for name in names:
                if name not in sections:
                    yield at, f"it names a section {name} that the sheet does not declare{_near(name, sections)}"
        positions = self.sheet.index.get("position", {})
        for name in about.get("names", {}):
            if name not in positions:
                yield ("names", name), f"there is no position {name}{_near(name, positions)}"
        for name in about.get("landing", ()):
            yield from self._rolled(("landing",), name)
        yield from self._log(log)

    def _log(self, log: Mapping[str, Any]) -> Iterator[Found]:
        if "position" not in self.sheet.index:
            for key in ("flew", "lost", "standing", "unsettled"):
                if key in log:
                    yield ("log", key), "it speaks of men, and the sheet has no index position"
        values = self._values(log.get("result", ""))
        for value in log.get("sides", {}):
            if values and value not in values:
                yield (
                    ("log", "sides", value),
                    f"a side has the result {value}, which there never is; it is {one_of(values)}",
                )
        for number, each in enumerate(log.get("unsettled", ())):
            yield from self._rolled(("log", "unsettled", number, "roll"), each["roll"])

    def _values(self, name: str) -> list[str]:
        try:
            kind = self.names.fields[name][1] if name in self.names.fields else self.names.fact(name).kind
        except (KeyError, Problem):
            return []
        return list(kind.values)


# -- places and near names -------------------------------------------------------------------------------------------


def said_place(file: str, doc: Any, at: Where) -> str:
    """A place of a file as the compiler names it: `modifier ace, when`, `outcome.crew, case 2, do 3`."""
    made: list[str] = []
    if at[:1] == ("patch",):
        doc, at = under(doc, at[:2]), at[2:]
    skip = 0
    for number, step in enumerate(at):
        if skip:
            skip -= 1
            continue
        after = at[number + 1] if number + 1 < len(at) else None
        if step in ("outcome", "sub", "with") and after is not None:
            made.append(f"{step}.{after}")
            skip = 1
        elif step == "rows" and after is not None:
            made.append(f"row {after}")
            skip = 1
        elif step in ("choice", "standing", "sides") and after is not None:
            made.append(str(after) if file != "choices" or step != "choice" else str(after))
            skip = 1
        elif step == "facts" and after is not None:
            made.append(f"the fact {pattern_of(str(after))}")
            skip = 1
        elif step == "fields":
            made += [str(each) for each in at[number + 2 :]]
            skip = len(at)
        elif isinstance(after, int):
            spec = under(doc, at[: number + 2])
            own = spec.get("id") or spec.get("title") or spec.get("name") if isinstance(spec, Mapping) else None
            if step == "rule" or step not in ("modifier", "natural", "column", "option", "step"):
                own = None
            word = {"cases": "case"}.get(str(step), str(step))
            made.append(str(own) if step in ("option", "step") and own else f"{word} {own or after + 1}")
            skip = 1
        elif step != "log":
            made.append(str(step))
    return ", ".join(made)


def _alike(named: str, told: str) -> int:
    """How far a place is the one that an error begins with: longer is better; 0 where it is another."""
    begun = 0
    for one, other in zip(named.split(", "), told.split(", "), strict=False):
        if one != other.partition(":")[0] and one != other:
            break
        begun += 1
    return begun + 1


def _further(path: Path, line: int, value: str, said: str) -> int:
    """How many lines further on a sentence of several lines the marked one stands."""
    if "\n" not in value or not said:
        return 0
    text = text_of(path.read_bytes()).splitlines()[line - 1 :]
    return next((at for at, each in enumerate(text) if said in each), 0)


def _near(word: str, names: Any) -> str:
    import difflib

    near = difflib.get_close_matches(word, list(names), 2, 0.6)
    return f"; did you mean {one_of(near)}?" if near else ""


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f"'{name}'"


# -- tables ------------------------------------------------------------------------------------------------------------


def _unknown_modifiers(doc: Any, at: Where = ()) -> Iterator[Found]:
    """Columns that name modifiers which the table does not have."""
    if not isinstance(doc, Mapping):
        return
    known = [each["id"] for each in doc.get("modifier", ())]
    for number, column in enumerate(doc.get("column", ())):
        for name in column.get("modifier", ()):
            if name not in known:
                yield (*at, "column", number), f"it names a modifier {name}, which there is not{_near(name, known)}"
    for kind in ("outcome", "sub"):
        for name, each in doc.get(kind, {}).items():
            yield from _unknown_modifiers(each, (*at, kind, name))


def _capped(table: Table, column: Column, missing: Sequence[int]) -> bool:
    """Whether the extremes cannot come up together: modifiers of one fact exclude each other."""
    by_fact: dict[str, list[int]] = {}
    for modifier in column.modifiers:
        if isinstance(modifier.add, int):
            said = re.findall(r"[a-z][\w.:\[\]-]*", re.sub(r"\b(not|some|no|every|count)\b", "", str(modifier.when)))
            by_fact.setdefault(modifier.group or (said[0] if said else modifier.id), []).append(modifier.add)
    low = sum(min(0, *adds) for adds in by_fact.values())
    high = sum(max(0, *adds) for adds in by_fact.values())
    totals = [total for total, _ in (column.dice or table.dice).readings()]
    return all(net < min(totals) + low or net > max(totals) + high for net in missing)


def _results(table: Table) -> Iterator[Any]:
    """Every result that the rows of a table name."""
    for column in table.columns:
        for result in column.rows.results():
            for each in result if isinstance(result, list) else [result]:
                yield each.get("as", "owner") if isinstance(each, Mapping) else each


def _rolling(table: Table) -> list[str]:
    """The rows that ask for a further die of their own."""
    found = []
    for name, does in table.doc.get("outcome", {}).items():
        parts = [does, *does.get("cases", ())]
        if "{" not in name and any("rows" in part or "column" in part or "is" in part for part in parts):
            found.append(name)
    return found
