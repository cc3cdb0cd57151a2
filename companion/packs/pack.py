"""A game: its sheet, tables, rules, steps and choices, each built from its file on first use."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.engine.facts import Facts
from companion.engine.fields import Spec, Value
from companion.engine.rules import Rules, Steps, events_of
from companion.engine.sheet import Sheet, cut
from companion.engine.tables import Table, sub
from companion.packs.folders import (
    REASON,
    Doc,
    cached,
    folders_of_game,
    game_named,
    is_patch,
    players_folder,
    read_file,
    stamp,
    tables_folder,
)
from companion.packs.language import Language, Sentence
from companion.packs.linking import File, condition, language_of, linked, watched
from companion.problems import SystemFault, UserError
from companion.store.files import names_in, opened
from companion.words import did_you_mean, natural_order, nearest, unhyphened

if TYPE_CHECKING:
    from companion.engine.about import About

Condition = Callable[[Facts], bool]

NOT_TABLES = {"pack", "sheet", "rules", "sequence", "choices", "rulings", "story"}  # the files that are not tables
LISTED = r"(?<![^;,] )(?<![^;, ])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?: \([a-z0-9-]+\))?(?=[;,]|$)"  # one of several words
WORD = r"[a-z0-9]+(?:-[a-z0-9]+)*"


class HouseRule:
    """One change that a player made to a game: its file, its reason, and why it does not count, if so."""

    def __init__(self, path: Path, reason: str, left_out: str = "") -> None:
        self.path, self.reason, self.left_out = path, reason, left_out

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.reason}{f' ({self.left_out})' if self.left_out else ''}"


class Pack:
    """One game. `pack.table("5-9")` builds a table on first use; `pack.sheet` has the conditions.

    Raises UserError if there is no such game.
    """

    def __init__(self, name: str, folders: list[Path] | None = None) -> None:
        self.name = game_named(name)
        self.folders = folders if folders is not None else folders_of_game(self.name)
        self._parsed: dict[Path, Spec] = {}
        self._docs: dict[str, Doc] = {}
        opened[self.name] = self.folders
        self._tables: dict[str, Table] = {}
        self._conditions: dict[str, Condition] = {}
        self._linked: dict[str, File] = {}

    # -- its files -----------------------------------------------------------------------------------------------------

    @cached_property
    def layers(self) -> dict[str, list[Path]]:
        """Return all layers of every file by its name in lower case, topmost first."""
        layers: dict[str, list[Path]] = {}
        for folder in self.folders:
            for file in os.listdir(folder):
                if file.endswith(".toml"):
                    layers.setdefault(file[:-5].casefold(), []).append(folder / file)
        return layers

    def generation(self) -> list[list[str | int]]:
        """Return the path, time and size of each file, to detect later changes."""
        return stamp([folder / name for folder in self.folders for name in names_in(folder) if name.endswith(".toml")])

    def parsed(self, path: Path) -> Spec:
        """Parse one file without its overlays; raise SystemFault if it cannot be read."""
        if path not in self._parsed:
            self._parsed[path] = read_file(path)
        return self._parsed[path]

    def read(self, name: str) -> Doc:
        """Return the file of that name with its overlays, from the cache or from its sources; empty if there is none.

        Its sentences have functions once it was asked for as a `unit` of the pack.
        """
        if name not in self._docs and name in self.layers:
            also = ("choices", "sequence", "rules", "pack") if name == "sheet" else ("pack",)
            sources = [*self.layers[name], *(path for each in also for path in self.layers.get(each, ()))]
            self._docs[name] = cached(self.name, name, sources, lambda: self.merged(name))
        return self._docs.get(name, {})

    def merged(self, name: str) -> Doc:
        """Merge the overlays of a file; raise SystemFault if one cannot be read or a patch does not fit."""
        from companion.packs import overlays  # not needed for a file in the cache

        paths, doc = self.layers[name], self.parsed(self.layers[name][0])
        if (len(paths) > 1 and name == "pack") or "patch" in doc:
            doc = overlays.laid(name, paths, [*map(self.parsed, paths)], tables_folder())
        if name != "pack" and (steps := self.read("pack").get("cites")):
            doc = overlays.with_steps(doc, steps)
        if name == "sheet":
            choices, sequence, rules = map(self.read, ("choices", "sequence", "rules"))
            with suppress(AttributeError, TypeError, LookupError):  # files of another form, which get their own fault
                events = [event for rule in rules.get("rule", ()) for event in events_of(rule)]
                earlier = overlays.earlier_words(choices, sequence)
                doc = {**overlays.with_answers(doc, choices), "#earlier": earlier, "#events": events}
        whole: Doc = deepcopy(dict(doc))
        return whole

    def house_rules(self) -> Iterator[HouseRule]:
        """Yield the changes to the game in the player's folder; tables from their rulebook are none."""
        for key, paths in sorted(self.layers.items()):
            own = [path for path in paths if players_folder() in path.parents and path.parent != self.folders[-1]]
            for path in reversed(own if key != "pack" else ()):
                doc, misfits = self.parsed(path), self.read(key).get("misfits", ())
                if not is_patch(doc):
                    replaces = path != paths[-1]
                    whole = "your version in place of the built-in one" if replaces else doc.get("cite", "yours")
                    yield HouseRule(path, f"{doc['title']} ({whole})" if "title" in doc else whole)
                for number, patch in enumerate(doc["patch"] if is_patch(doc) else (), 1):
                    if patch.get("reason") != REASON:
                        why = next((why for *at, why in misfits if at == [str(path), number]), "")
                        yield HouseRule(path, str(patch.get("reason", "")), why)

    # -- files with sentences ------------------------------------------------------------------------------------------

    def linked(self, name: str) -> File:
        """Return the file of that name, except the sheet, with its sentences linked."""
        if name not in self._linked:
            self._linked[name] = linked(self.language, name, self.read(name))
        return self._linked[name]

    def unit(self, name: str) -> Spec:
        """Return the file of that name with its sentences linked; empty if the pack has no such file."""
        return self.linked(name).doc if name in self.layers and name != "sheet" else self.read(name)

    @cached_property
    def language(self) -> Language:
        """Return the language of its sentences; raise SystemFault if the sheet cannot be declared."""

        def counting(table: str) -> list[Sentence] | None:
            return self.linked(table).counting if table in self.layers else None

        try:
            return language_of(self.name, self.read("sheet"), lambda value: self.wording.value(value), counting)
        except SystemFault as fault:
            raise SystemFault(f"{self.layers['sheet'][0]}: {fault}") from None

    def condition(self, sentence: str) -> Condition:
        """Compile a condition that is not in a file to a function of the facts; raise SystemFault."""
        if sentence not in self._conditions:
            self._conditions[sentence] = condition(self.language, sentence)
        return self._conditions[sentence]

    def until(self, done: str, by: str) -> Condition:
        """Return the condition that ends an order, from the file that gave the order if still there."""
        test = self.linked(by).untils.get(done) if by in self.layers else None
        try:
            return self.condition(done) if test is None else test
        except SystemFault:  # a field that is gone; the player ticks the order off
            return lambda facts: False

    # -- parts of the game ---------------------------------------------------------------------------------------------

    @cached_property
    def about(self) -> About:
        """Return `pack.toml`: title, sources, contents of screens and sheets."""
        from companion.engine.about import About

        return About(self.unit("pack"))

    @property
    def title(self) -> str:
        """Return the title of the game."""
        return self.about.title or self.name

    @property
    def root(self) -> str:
        """Return the name of the lowest pack that this one extends; variants of one game share it."""
        pack = self
        while pack.about.extends:
            pack = Pack(pack.about.extends)
        return pack.name

    @cached_property
    def sheet(self) -> Sheet:
        """The declared log sheet."""
        sheet = self.language.sheet
        sheet.has_column = lambda table, facts: self.table(table).holding(facts) is not None
        sheet.look_up = lambda table, part, facts: self.table(table).says(part, facts)
        sheet.say = lambda name, value: self.wording.of(name, value)
        sheet.read_out = lambda row: self.wording.row(row)
        return sheet

    @cached_property
    def wording(self) -> Wording:
        """Return the words for values on the sheet."""
        return Wording(self)

    @cached_property
    def rules(self) -> Rules:
        """The standing rules."""
        sources = sorted((path for paths in self.layers.values() for path in paths), key=str)
        by_field = cached(self.name, "watched", sources, lambda: watched(self.language, self.unit("rules")))
        return Rules(self.read("rules"), self.sheet, by_field, lambda: self.unit("rules"))

    @cached_property
    def sequence(self) -> Steps:
        """The steps of a mission."""
        return Steps(self.unit("sequence").get("step", ()))

    def choice(self, name: str) -> Spec:
        """Return the declared choice of that name; one that is gone from the game can only be left out."""
        choice: Spec = self.unit("choices").get("choice", {}).get(name, {})
        gone = {"gone": True, "title": f"{name}, no longer in the game", "option": [{"name": "left-out"}]}
        return choice or gone

    def among(self, name: str) -> set[str]:
        """Return the indexes that a choice's options loop over: the decision picks one of their members."""
        return {spec["#for"][0] for spec in self.choice(name).get("option", ()) if "#for" in spec}

    # -- tables --------------------------------------------------------------------------------------------------------

    def table(self, name: str) -> Table:
        """Return the table or sub-roll with that number, ignoring case; raise a UserError with similar numbers."""
        table = self.find(name.strip())
        if table is None:
            near = nearest(name.casefold(), self.headings)
            hint = did_you_mean([self.headings[each][0] for each in near], "List them with: companion tables list")
            raise UserError(f"{self.name} has no table {name.strip() or '(empty)'}. {hint}")
        return table

    def find(self, name: str) -> Table | None:
        """Return the table or sub-roll with that number, ignoring case; None if there is none."""
        key = name.casefold()
        if key not in self._tables:
            table = self._table(key)
            if table is None:
                return None
            self._tables[key] = table
        return self._tables[key]

    def stand_in(self, names: Iterable[str]) -> list[str]:
        """Put a table without effects in the place of each that a mission uses and the game no longer has."""
        gone = []
        for name in filter(None, names):
            parts = name.casefold().split(".")
            wholes = {".".join(parts[:number]) for number in range(1, len(parts) + 1)}
            if wholes.isdisjoint(self.layers) and wholes.isdisjoint(self.renamed):
                gone.append(name)
                left_out = {"id": name, "title": "no longer in the game", "text": "Left out"}
                self._tables[name.casefold()] = Table(left_out, self.sheet)
        return gone

    def _table(self, key: str) -> Table | None:
        """Return a table from its file, or a sub-roll: `4-9.doors` is in `4-9`, and may contain others."""
        whole = key
        while whole not in self._tables and (whole not in self.layers or whole in NOT_TABLES):
            whole = whole.rpartition(".")[0]
            if not whole:
                old = next((each for each in self.renamed if f"{key}.".startswith(f"{each}.")), None)
                return None if old is None else self._table(self.renamed[old] + key.removeprefix(old))
        table: Table | None = self._tables.get(whole) or Table(self.unit(whole), self.sheet)
        for name in key.removeprefix(whole).split(".")[1:]:
            if table is None:
                return None
            self._tables.setdefault(whole, table)
            table, whole = sub(table, name), f"{whole}.{name}"
        return table

    @cached_property
    def _heads(self) -> dict[str, Spec]:
        """Return the decoded file of each table."""
        return {name: self.read(name) for name in self.layers if name not in NOT_TABLES}

    @cached_property
    def renamed(self) -> dict[str, str]:
        """Return the file of each table by its earlier number (`was`)."""
        return {str(doc["was"]).casefold(): name for name, doc in self._heads.items() if "was" in doc}

    @cached_property
    def headings(self) -> dict[str, tuple[str, str]]:
        """Return the number and title of each table by file."""
        return {
            name: (str(doc.get("id", name)), f"{doc.get('number', '')} {doc.get('title', '')}".strip())
            for name, doc in self._heads.items()
        }

    def all_tables(self) -> Iterator[Table]:
        """Yield the tables with their own file, in rulebook order; raise SystemFault for an invalid one."""
        for number in sorted((number for number, _ in self.headings.values()), key=natural_order):
            yield self.table(number)

    @property
    def uses_dice(self) -> bool:
        """Return whether the game uses dice."""
        return any(table.dice.count != 0 for table in self.all_tables())


# -- words for values --------------------------------------------------------------------------------------------------


class Wording:
    """The words of one game: those of its pack (`[print.words]`), then the known spellings of its fields, then the slug
    without its hyphens.
    """

    def __init__(self, pack: Pack) -> None:
        self.pack = pack

    @cached_property
    def words(self) -> dict[str, str]:
        """Return the name of each word."""
        spelled = {
            word: name
            for field in self.pack.sheet.families.values()
            if field.spellings
            for word, name in field.known.items()
            if name != word and not name.islower()
        }
        own = self.pack.read("pack").get("print", {}).get("words", {})  # all of `pack.toml` that a lookup needs
        return {**spelled, **self._members(), **{word: name for word, name in own.items() if isinstance(name, str)}}

    def _members(self) -> dict[str, str]:
        """Return the names of hyphenated members that are the same in all indexes."""
        labels: dict[str, set[str]] = {}
        for members in self.pack.sheet.index.values():
            for member, has in members.items():
                labels.setdefault(member, set()).add(str(has.get("label", "")))
        alone = {member: one for member, (one, *others) in labels.items() if one and not others and "-" in member}
        return {
            member: label if any(map(str.isupper, label[1:])) else label[:1].lower() + label[1:]
            for member, label in alone.items()
        }

    def value(self, value: Value) -> Value:
        """Return a value in words for a sentence; numbers are unchanged."""
        if not isinstance(value, str) or not re.fullmatch(WORD, value):
            return value
        word = self.words.get(value)
        return unhyphened(value) if word is None else word

    def of(self, name: str, value: Value) -> str:
        """Return a field's value in words; text written by the player is unchanged."""
        own = self.pack.about.print.words.get(name)
        if isinstance(own, Mapping) and value in own:
            return str(own[str(value)])
        sheet, log, people = self.pack.sheet, self.pack.about.log, self.pack.about.status.people
        field = sheet.fields.get(name)
        family = field.name if field is not None else ""
        if family and value in log.fates and family in log.lost and family not in people.states:
            return log.fates[str(value)]
        if family and family == people.seat and value in (men := sheet.index[cut(family)[1]]):
            return str(men[str(value)].get("label", value))
        if field is not None and (index := sheet.nicknames.index_of(value, field.values)):
            return sheet.label(index, str(value))
        if field is not None and field.kind == "list":  # several values separated by semicolons, written by rolls
            return re.sub(LISTED, lambda each: re.sub(WORD, lambda word: str(self.value(word[0])), each[0]), str(value))
        if field is not None and field.kind == "text" and not field.words:
            return str(value)
        return str(self.value(value))

    def row(self, outcome: str) -> str:
        """Return a row in words: `Me 109 from 12 level; Fw 190 from 3 high` for `me109@12-level;fw190@3-high`."""
        outcome = re.sub(r"\{(\w+)[^}]*\}", r"\1", outcome)  # a worked-out part, such as the attacking side
        told: list[tuple[str, list[str]]] = []
        for part in outcome.split(";"):
            kind, at, place = part.partition("@")
            if at and told and told[-1][0] == kind and told[-1][1]:  # another of the same kind
                told[-1][1].append(self._all(place))
            else:
                told.append((kind, [self._all(place)] if at else []))
        return "; ".join(
            f"{self._all(kind)} from {', '.join(places)}" if places else self._all(kind) for kind, places in told
        )

    def _all(self, words: str) -> str:
        said = [(word, str(self.value(word))) for word in words.split()]
        return " ".join(re.sub(r"(?<=\w)-(?=[a-z])", " ", word) if told == word else told for word, told in said)
