"""Where sentences are in the files of a pack: under each key that has one, `#key` gets a function of the facts.

A file is linked in one walk that compiles nothing; each function is compiled when it is first called. The same walk
with a strict language proves all of them at once (`faults`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any

from companion.engine.fields import Spec
from companion.engine.sheet import Sheet
from companion.engine.sheet_names import Read, reads_of
from companion.packs.expressions import Fact, Parser
from companion.packs.language import ANY, BY_ROLLS, NUMBER, TEXT, Draft, Kind, Language, Scope
from companion.packs.linking import Body, Doc, File, happens, own_names, table_file
from companion.packs.nodes import all_of, assigned, each_of, listed, listing, name, read, returned, variable_of, when
from companion.problems import SystemFault

DEEPEST = 20  # tables looked up one through another
OF_EVENTS: Mapping[str, Kind] = {"was": ANY, "value": ANY, "more": NUMBER, "times": TEXT, "what": TEXT, "told": TEXT}
"""The names a sentence of `story.toml` may use besides the sheet: a change before and after, its amount (`times` in
words: `(twice)`), its field, and all that is told together."""


def language_of(
    game: str,
    doc: Spec,
    table_file: Callable[[str], Spec | None],
    say: Callable[[Any], object] = str,
    *,
    strict: bool = False,
) -> Language:
    """Return the language of a pack with its sheet, whose `sheet.toml` is linked; `table_file` decodes a table by its
    name in lower case. Raises SystemFault for what the sheet cannot declare."""
    language = Language(f"<{game} sheet>", say, strict=strict)
    language.table_reads = lambda table: table_reads(language, table, table_file)
    if strict:
        doc = copied(doc)
    file = File(language, "sheet")
    for index, spec in doc.get("index", {}).items():
        if isinstance(spec, dict) and isinstance(spec.get("text"), str):
            with file.within(f"index {index}"):
                file.text(spec, "text", Scope())
    language.of_sheet = file.proved
    language.sheet = Sheet.read(game, doc)
    for written, spec in doc.get("facts", {}).items():
        fact = Fact(language, written, spec)
        language.sheet.add_fact(written, fact, "" if isinstance(spec, str) else str(spec.get("label", "")))
    return language


def table_reads(language: Language, table: str, table_file: Callable[[str], Spec | None]) -> set[Read] | None:
    """Return what decides where a roll on a table lands; None where there is no such table. Raises SystemFault for
    one that
    looks itself up."""
    key, looking = table.casefold(), language.looking
    if key not in language.looked_up:
        if key in looking or len(looking) >= DEEPEST:
            raise SystemFault(f"the table {table} looks itself up, or over {DEEPEST} others one through another")
        doc = table_file(key)
        looking.append(key)
        try:
            language.looked_up[key] = None if doc is None else linked(language, "", copied(doc)).reads()
        finally:
            looking.pop()
    return language.looked_up[key]


def linked(language: Language, name_of_file: str, doc: Doc, label: str = "") -> File:
    """Link a file of that name in place."""
    file = File(language, name_of_file, label)
    LINK.get(name_of_file, table_file)(file, doc)
    doc["#untils"] = file.untils
    return file


def faults(language: Language, name_of_file: str, doc: Spec) -> list[str]:
    """Return what is wrong with the sentences of a file, each with its place; the language is a strict one."""
    if name_of_file != "sheet":
        return linked(language, name_of_file, copied(doc)).proved()
    wrong = []
    for fact in language.sheet.facts.values():
        try:
            _ = fact.kind
        except SystemFault as problem:
            wrong.append(str(problem))
    return list(dict.fromkeys([*language.of_sheet(), *wrong]))


def copied(part: Any) -> Any:
    """Return a decoded file that can be written into; keys that begin with # are ours and left out."""
    if isinstance(part, Mapping):
        return {key: copied(each) for key, each in part.items() if not key.startswith("#")}
    return [copied(each) for each in part] if isinstance(part, list) else part


def condition(language: Language, sentence: str) -> FunctionType:
    """Compile a condition that is in no file; it may ask for what a roll binds. Raises SystemFault."""
    draft = Draft(language)
    parser = Parser(draft, sentence, Scope(BY_ROLLS))
    return draft.function(("v",), [returned(parser.condition(parser.end(parser.case())))])


def _rules(file: File, doc: Doc) -> None:
    """Link `rules.toml`."""
    for number, rule in enumerate(doc.get("rule", ())):
        with file.within(f"rule {number + 1}"):
            scope = Scope(file.of_rolls())
            if "for" in rule:
                members = file.members("for", rule["for"])
                if members is None:
                    continue
                rule["#for"] = [members.index, members.alias]
                inner = scope.through(members.alias, members.index)
                file.condition(rule, "when", inner, ("v", variable_of(members.alias)))
                scope = scope.binding(members.alias, members.index, file.sheet.index[members.index])
            else:
                file.condition(rule, "when", scope)
            happens(file, rule, scope)


def watched(language: Language, rules: Spec) -> dict[str, list[list[object]]]:
    """Return for every field the rules without `on` that it can make true, each with its member."""
    watched: dict[str, list[list[object]]] = {}
    doc: Doc = copied(rules)
    linked(language, "rules", doc)
    for number, rule in enumerate(doc.get("rule", ())):
        if "on" in rule or "#when" not in rule:
            continue
        index, alias = rule.get("#for", ("", ""))
        reads: Iterable[Read] = reads_of(rule["#when"])
        variable = variable_of(alias)
        by_place = [
            (pattern, tuple(("$", 0) if arg == ("$", variable) else arg for arg in args)) for pattern, args in reads
        ]
        for member in language.sheet.index[index] if index else (None,):
            members = () if member is None else (member,)
            for each in language.sheet.behind(by_place, members):
                watched.setdefault(each, []).append([number, member])
    return watched


def _steps(file: File, doc: Doc) -> None:
    """Link `sequence.toml`."""
    for step in doc.get("step", ()):
        with file.within(str(step.get("id"))):
            scope = Scope(file.of_rolls())
            file.condition(step, "when", scope)
            file.text(step, "title", scope)
            happens(file, step, scope)


def _choices(file: File, doc: Doc) -> None:
    """Link `choices.toml`: a choice is asked with what is bound by whatever asks for it."""
    outer = Scope({**{each: ANY for each in own_names(doc) if each not in file.sheet.index}, **file.of_rolls()})
    for each, choice in doc.get("choice", {}).items():
        with file.within(each):
            file.text(choice, "title", outer)
            for option in choice.get("option", ()):
                with file.within(str(option.get("name"))):
                    _option(file, option, outer)


def _option(file: File, option: Doc, scope: Scope) -> None:
    if "for" not in option:
        file.condition(option, "when", scope)
    else:
        members = file.members("for", option["for"], with_row=True)
        if members is None:
            return
        index, alias, row = members.index, members.alias, members.row
        option["#for"] = [index, alias, row, members.table]
        inner = scope.binding(alias, index, file.sheet.index[index])
        if row:
            inner.local[row] = ANY
        if isinstance(option.get("when"), str):
            _members_first(file, option, index, alias, Scope({**scope.local, **({row: ANY} if row else {})}), row)
        scope = inner
    file.condition(option, "usual", scope)
    file.text(option, "name", scope)
    happens(file, option, scope)


def _members_first(file: File, option: Doc, index: str, alias: str, scope: Scope, row: str | None) -> None:
    """Link the condition of an option for each member: who comes into question before any is bound (`#first`), and
    the rest."""
    variable = variable_of(alias)

    def first(draft: Draft) -> Body:
        early = Parser(draft, option["when"], scope).early(index, alias, row)
        adding = listed(name(variable))
        body = when(all_of(early.each), adding) if early.each else adding
        loop = each_of(variable, draft.language.members(index), body)
        return listing([when(all_of(early.once), loop)] if early.once else [loop])

    def rest(draft: Draft) -> Body:
        early = Parser(draft, option["when"], scope).early(index, alias, row)
        return [*([assigned(variable, read(alias))] if early.rest else []), returned(all_of(early.rest))]

    option["#first"] = file.function("when", ("v",), first)
    option["#when"] = file.function("", ("v",), rest)


def _about(file: File, doc: Doc) -> None:
    """Link `pack.toml`: what a flight says of how things are, what a forecast counts, the conditions of the campaign
    log, over the men where it speaks of men."""
    at_table, log, forecast, plain = doc.get("at-table", {}), doc.get("log", {}), doc.get("forecast", {}), Scope()
    for part, key in (
        *((each, "text") for each in at_table.get("line", ())),
        *((each, "why") for each in at_table.get("move", ())),
    ):
        with file.within("at-table, line" if key == "text" else "at-table, move"):
            file.condition(part, "when", plain)
            file.text(part, key, plain)
    with file.within("at-table, wave"):
        file.condition(at_table.get("wave", {}), "when", plain)
        file.text(at_table.get("wave", {}), "text", plain)
    with file.within("reveal"):
        file.condition(doc.get("reveal", {}), "when", plain)
    for key in ("counts", "aircraft-lost"):
        file.condition(log, key, plain)
    with file.within("forecast"):
        for each in forecast.get("chance", ()):
            file.condition(each, "when", plain)
        for each in forecast.get("mean", ()):
            file.number(each, "is", plain)
    if "position" in file.sheet.index:
        men, arguments = plain.through("position", "position"), ("v", variable_of("position"))
        standing = log.get("standing", {})
        for part, key in (
            *((log, each) for each in ("flew", "lost", "home")),
            *((standing, each) for each in list(standing)),
        ):
            file.condition(part, key, men, arguments)
        for each in log.get("unsettled", ()):
            file.condition(each, "when", men, arguments)


def _story(file: File, doc: Doc) -> None:
    """Link `story.toml`; each wording of a text becomes a part of its own in `texts`."""
    scope = Scope(
        {**file.of_rolls(), **{each: kind for each, kind in OF_EVENTS.items() if each not in file.sheet.patterns}}
    )
    file.text(doc, "title", scope)
    for key in ("chapter", "line", "end", "short"):
        for number, part in enumerate(doc.get(key, ()), 1):
            with file.within(f"{key} {number}"):
                file.condition(part, "when", scope)
                file.text(part, "title", scope)
                file.text(part, "by" if key == "chapter" else "as", scope)
                texts = part.get("text", "")
                part["texts"] = [{"text": each} for each in ([texts] if isinstance(texts, str) else texts) if each]
                for each in part["texts"]:
                    file.text(each, "text", scope)


LINK: Mapping[str, Callable[[File, Doc], None]] = {
    "rules": _rules,
    "sequence": _steps,
    "choices": _choices,
    "pack": _about,
    "rulings": lambda file, doc: None,  # no sentences in it
    "story": _story,
}
"""What links a file of that name; any other is a table."""
