"""What there is in a pack: its names, its sheet, its tables, what can happen. Proofs ask here what a file may name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.engine.sheet import Sheet, pattern_of
from companion.engine.spec import Spec
from companion.engine.subrolls import sub
from companion.engine.tables import Table
from companion.packs.language.compiler import names_of
from companion.packs.layers import NOT_TABLES, Layers
from companion.packs.lines import Where
from companion.packs.places import near
from companion.packs.proof_shape import misshapen_table
from companion.problems import Problem

Slip = tuple[Where, str]  # where in a file, and what is wrong there


class Known:
    """What the files of a pack may name; `malformed` are those whose form is wrong, which are not looked into.

    `advising` is whether what is only untidy, and breaks nothing, is said too. Raises Trouble for what its sheet
    cannot declare.
    """

    def __init__(self, pack: Layers, malformed: set[str], advising: bool = True) -> None:
        self.pack, self.malformed, self.advising = pack, malformed, advising
        self.names = names_of(pack.read("sheet"), self._table_file)
        self.sheet = Sheet.read(pack.name, pack.read("sheet"))
        self._tables: dict[str, Table | None] = {}

    def _table_file(self, key: str) -> Spec | None:
        """A parsed table, for what a look-up in it depends on; of one that is malformed only that it is there."""
        return {"id": key} if key in self.malformed else self.pack.read(key) or None

    # -- names -----------------------------------------------------------------------------------------------------

    @property
    def events(self) -> set[str]:
        """What a rule can wait for and a field can last until."""
        return {*self.pack.files, "mission", *self.sheet.fields}

    def unknown_name(self, at: Where, name: str) -> Iterator[Slip]:
        """A field or a fact that the sheet does not declare."""
        pattern = pattern_of(name)
        declared = name in self.sheet.known or name in self.names.singles or self.names.declared(pattern) is not None
        if not declared:
            yield at, f"it names {name}, which the sheet does not declare{near(name, self.names.known())}"

    # -- tables ----------------------------------------------------------------------------------------------------

    def unknown_table(self, at: Where, name: str) -> Iterator[Slip]:
        """A table that a player is sent to, and that there is not."""
        if "{" not in name and self.table(name.casefold()) is None:
            names = [each for each in self.pack.files if each not in NOT_TABLES]
            yield at, f"it sends the player to {name}, which there is not{near(name.casefold(), names)}"

    def table(self, key: str) -> Table | None:
        """The table or sub-roll of that number, from its source; one that is not sound is a table of nothing."""
        if key not in self._tables:
            self._tables[key] = self._table(key)
        return self._tables[key]

    def _table(self, key: str) -> Table | None:
        whole = key
        while whole not in self.pack.files or whole in NOT_TABLES:
            whole = whole.rpartition(".")[0]
            if not whole:
                return None
        nothing = Table({"id": key, "owner": True}, self.sheet)  # its own file says what is wrong with it
        if whole in self.malformed or any(misshapen_table(self.pack.read(whole))):
            return nothing
        try:
            table: Table | None = Table(self.pack.read(whole), self.sheet)
            for name in key.removeprefix(whole).split(".")[1:]:
                table = sub(table, name) if table is not None else None
        except Problem:
            return nothing
        return table

    # -- what is asked for, anywhere in a file ---------------------------------------------------------------------

    def asked_for(self, part: object, at: Where) -> Iterator[Slip]:
        """Tables and choices that there must be, and slots that must be counted, in a part of any file."""
        if isinstance(part, Mapping):
            for key, value in part.items():
                inside: Where = (*at, key)
                if key == "then" and isinstance(value, list):
                    for number, spec in enumerate(value):
                        yield from self._then((*inside, number), spec)
                elif key == "do" and isinstance(value, list):
                    for number, line in enumerate(value):
                        yield from self._adds((*inside, number), line)
                elif key != "patched":
                    yield from self.asked_for(value, inside)
        elif isinstance(part, list):
            for number, each in enumerate(part):
                yield from self.asked_for(each, (*at, number))

    def _adds(self, at: Where, line: str) -> Iterator[Slip]:
        added = re.match(r"\s*add\s+([\w-]+)", line)
        if added and added[1] in self.sheet.index and f"slots.{added[1]}" not in self.sheet.fields:
            yield at, f"it adds one {added[1]}: the sheet needs slots.{added[1]}, which counts those in use"

    def _then(self, at: Where, spec: str | Spec) -> Iterator[Slip]:
        if isinstance(spec, str):
            yield from self.unknown_table(at, spec)
            return
        if "roll" in spec:
            yield from self.unknown_table((*at, "roll"), spec["roll"])
        if "choose" in spec and "{" not in spec["choose"]:
            known = self.pack.read("choices").get("choice", {}) if "choices" not in self.malformed else {spec["choose"]}
            if spec["choose"] not in known:
                likely = near(spec["choose"], known)
                yield (*at, "choose"), f"it asks for a choice {spec['choose']}, which there is not{likely}"
