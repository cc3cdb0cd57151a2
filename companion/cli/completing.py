"""Candidates for a shell's Tab: `companion complete -- WORDS…`, where the last word is being typed.

For speed, Typer is loaded only for options, and Rich never. A candidate is a line: the word, a tab, its meaning.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from companion.cli import COMMANDS
from companion.engine.fields import Value
from companion.engine.sheet import CROSSED, Bound, Member, Sheet
from companion.packs import Pack, games
from companion.store import documents
from companion.store.files import home
from companion.words import bare, natural_order, plain

Candidate = tuple[str, str]
TABLES = ("roll", "show", "odds", "why")
OF_A_TABLE = ("change", "edit", "reset")  # `companion tables change 8-1`
OF_A_GAME = ("check", "diff")
BOXES = ("mark", "erase")
FILES = ("--out", "-o", "--dice-from", "restore", "import")
FEW = 20  # the most fields that Tab lists one by one
SHELLS = ("bash", "zsh", "fish", "powershell")


def answer(arguments: Sequence[str]) -> int:
    """Print the candidates, or nothing after an error, since a player pressing Tab expects no message."""
    words = list(arguments[1:] if arguments[:1] == ["--"] else arguments) or [""]
    with contextlib.suppress(Exception, KeyboardInterrupt):
        lines = [
            f"{word}\t{plain(about)}" if about else word for word, about in candidates(words) if word == plain(word)
        ]
        print("".join(f"{line}\n" for line in lines), end="", flush=True)
    return 0


def candidates(words: Sequence[str]) -> list[Candidate]:
    """Return the possible completions of the last word."""
    fitting: dict[str, str] = {}
    for word, about in _offered(words[:-1], words[-1]):
        if word.casefold().startswith(words[-1].casefold()):
            fitting.setdefault(word, about)
    return list(fitting.items())


def _offered(before: Sequence[str], typed: str) -> Iterable[Candidate]:
    if not before:
        return [(name, "") for name in COMMANDS]
    command, last = before[0], before[-1]
    if last in VALUES:
        return VALUES[last](before, typed)
    if last in FILES:
        return []
    if typed.startswith("-"):
        params = getattr(_command(before[:2]), "params", ())
        return [(name, each.help or "") for each in params for name in each.opts if name.startswith("--")]
    if command in TABLES or (command == "tables" and last in OF_A_TABLE):
        tables = _tables(before)
        return [] if any(name in before for name, _ in tables) else tables
    if command == "tables" and last in OF_A_GAME:
        return [(each, "") for each in games()]
    if command == "set":
        return _to_write(before, typed)
    if last != command:
        return []
    if command in BOXES:
        boxes = [(name, sheet.text(name)) for sheet in _sheets(before) for name in _shown(sheet, CROSSED)]
        return _by_word([each for each in boxes if each[0].startswith(typed.casefold())], len(typed))
    if command == "fields":
        titles = [title for sheet in _sheets(before) for title in sheet.sections.values()]
        return [(title.casefold(), "") for title in titles if " " not in title]
    if command == "help":
        return [(name, "") for name in COMMANDS]
    if command == "guide":
        from companion.cli.fields import pages

        return [(name, "") for name in pages()]
    if command == "use":
        return _campaigns()
    if command == "completions":
        return [(name, "") for name in SHELLS]
    parts = getattr(_command(before), "commands", {})
    return [(name, (each.help or "").partition("\n")[0]) for name, each in parts.items()]


def _command(words: Sequence[str]) -> Any:
    """Return the command named by these words, or the group's command named by the second."""
    from companion.cli.commands import Commands

    command = Commands(name="companion").get_command(None, words[0])
    return getattr(command, "commands", {}).get(words[-1], command)


# -- values ------------------------------------------------------------------------------------------------------------


def _packs(before: Sequence[str]) -> list[Pack]:
    """Return the game named with --game, else that of the campaign in use, else every game."""
    if "--game" in before[:-1]:
        return [Pack(before[before.index("--game") + 1])]
    with contextlib.suppress(Exception):
        return [Pack(str(_row(_campaign() / "campaign.json", "campaign")["game"]))]
    return [Pack(each) for each in games()]


def _sheets(before: Sequence[str]) -> list[Sheet]:
    return [pack.sheet for pack in _packs(before)]


def _campaign() -> Path:
    """Return the folder of the campaign in use; the store itself takes too long to load for Tab."""
    return home() / "campaigns" / str(_row(home() / "settings.json", "settings")["campaign"])


def _row(path: Path, kind: str) -> dict[str, Any]:
    row: dict[str, Any] = documents.read_document(path, kind).tables[kind]["1"]
    return row


def _tables(before: Sequence[str]) -> list[Candidate]:
    headings = [each for pack in _packs(before) for each in pack.headings.values()]
    return sorted((each for each in headings if each[0]), key=lambda each: natural_order(each[0]))


def _fields(before: Sequence[str], typed: str, *, bound: bool = False) -> list[Candidate]:
    """Return fields with an equals sign, or the values of one; `bound` adds the fighter, gun or area of a roll."""
    name, equals, _ = typed.partition("=")
    sheets = _sheets(before)
    if equals:
        fields = [sheet.declared(name.casefold()) for sheet in sheets if name.casefold() in sheet.known]
        values = [value for field in fields for value in field.values or dict.fromkeys(field.known.values())]
        return [(f"{name}={value}", "") for value in values]
    offered = [(f"{each}=", sheet.text(each)) for sheet in sheets for each in _shown(sheet)]
    if bound:
        known = [(name, what) for sheet in sheets for name, what in sheet.known.items() if not sheet.inner(name)]
        offered += [(f"{name}=", "") for name, what in known if isinstance(what, Bound | Member)]
    return _by_word([each for each in offered if each[0].startswith(typed.casefold())], len(typed))


def _by_word(offered: list[Candidate], start: int) -> list[Candidate]:
    """Return fields if they are few, else merge those with the same first word: `engine.` for all engines."""
    if len(offered) <= FEW:
        return offered
    groups: dict[str, list[Candidate]] = {}
    for word, about in offered:
        groups.setdefault(word[: word.find(".", start) + 1] or word, []).append((word, about))
    if len(groups) == 1:
        return _by_word(offered, len(next(iter(groups))))
    return [alike[0] if len(alike) == 1 else (group, f"{alike[0][1]} …") for group, alike in groups.items()]


def _to_write(before: Sequence[str], typed: str) -> list[Candidate]:
    """Return the next words for `set`: values of a field typed in words, else fields.

    Fields of the status screen come first, then those that have changed.
    """
    packs = _packs(before)
    fields = {name: pack.sheet for pack in packs for name in _shown(pack.sheet)}
    if said := bare(" ".join(before[1:])):
        found = [sheet.fields[name] for name, sheet in fields.items() if bare(sheet.text(name)) == said]
        if found:
            return [(value, "") for field in found for value in field.values]
    if typed:
        return _fields(before, typed)
    written: dict[str, Value] = {}
    with contextlib.suppress(Exception):
        written = _row(max(_campaign().glob("mission-*.json")), "mission")["facts"]
    common = [name for pack in packs for line in pack.about.status.lines for name in line if name in fields]
    changed = [
        name
        for name, value in written.items()
        if name in fields and value != fields[name].fields[name].blank and not fields[name].fields[name].naming
    ]
    listed = [[(f"{name}=", fields[name].text(name)) for name in names] for names in (common, changed)]
    return [*listed[0], *_by_word(listed[1], 0), *(each for each in _fields(before, "") if each[0].endswith("."))]


def _shown(sheet: Sheet, kinds: Sequence[str] = ()) -> list[str]:
    """Return the fields visible to a player, of these kinds or all."""
    fields = sheet.fields.items()
    return [name for name, each in fields if each.section != "working" and (not kinds or each.kind in kinds)]


def _campaigns() -> Iterable[Candidate]:
    for each in sorted((home() / "campaigns").glob("*/campaign.json")):
        about = "damaged"
        with contextlib.suppress(Exception):
            about = "{name}, {game}".format_map(_row(each, "campaign"))
        yield each.parent.name, about


def _missions(before: Sequence[str], typed: str) -> list[Candidate]:
    files = _campaign().glob("mission-*.json")
    return [(str(int(number)), "") for number in sorted(each.stem.removeprefix("mission-") for each in files)]


VALUES: dict[str, Callable[[Sequence[str], str], Iterable[Candidate]]] = {
    "--game": lambda before, typed: [(each, "") for each in games()],
    "--with": lambda before, typed: _fields(before, typed, bound=True),
    "--compare": lambda before, typed: _fields(before, typed, bound=True),
    "--mission": _missions,
    "--paper": lambda before, typed: [("a4", ""), ("letter", "")],
}
