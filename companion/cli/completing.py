"""Candidates for a shell's Tab: `companion complete -- WORDS…`, where the last word is being typed.

For speed, Typer is loaded only for options, and Rich never. A candidate is a line: the word, a tab, its meaning.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from companion.cli import COMMANDS
from companion.engine.sheet import CROSSED, Bound, Member
from companion.packs import Pack, games
from companion.store.files import home, read_document
from companion.words import bare, natural_order, plain

Candidate = tuple[str, str]
FEW = 20  # the most fields that Tab lists one by one


def answer(arguments: Sequence[str]) -> int:
    """Print the candidates, or nothing after an error, since a player pressing Tab expects no message."""
    words = list(arguments[1:] if arguments[:1] == ["--"] else arguments) or [""]
    with contextlib.suppress(Exception, KeyboardInterrupt):
        fitting: dict[str, str] = {}
        for word, about in _offered(words[:-1], words[-1]):
            if word.casefold().startswith(words[-1].casefold()) and word == plain(word):
                fitting.setdefault(word, f"\t{plain(about)}" if about else "")
        print("".join(f"{word}{about}\n" for word, about in fitting.items()), end="", flush=True)
    return 0


def _offered(before: Sequence[str], typed: str) -> Iterable[Candidate]:
    if not before or before == ["help"]:
        return [(name, "") for name in COMMANDS]
    if before[-1] in OPTIONS:
        return OPTIONS[before[-1]](before, typed)
    if typed.startswith("-"):
        params = getattr(_command(before[:2]), "params", ())
        return [(name, each.help or "") for each in params for name in each.opts if name.startswith("--")]
    source = WORDS.get(" ".join(before[:2])) or WORDS.get(before[0])
    if source is not None:
        return source(before, typed)
    parts = getattr(_command(before), "commands", {}) if len(before) == 1 else {}
    return [(name, (each.help or "").partition("\n")[0]) for name, each in parts.items()]


def _command(words: Sequence[str]) -> Any:
    """Return the command named by these words, or the group's command named by the second."""
    from companion.cli.commands import Commands

    command = Commands(name="companion").get_command(None, words[0])
    return getattr(command, "commands", {}).get(words[-1], command)


# -- words of a game ---------------------------------------------------------------------------------------------------


def _packs(before: Sequence[str]) -> list[Pack]:
    """Return the game named with --game, else that of the campaign in use, else every game."""
    if "--game" in before[:-1]:
        return [Pack(before[before.index("--game") + 1])]
    with contextlib.suppress(Exception):
        return [Pack(str(_row(_campaign() / "campaign.json", "campaign")["game"]))]
    return [Pack(each) for each in games()]


def _tables(before: Sequence[str], typed: str) -> list[Candidate]:
    """Return the tables, unless one is named already."""
    tables = [each for pack in _packs(before) for each in pack.headings.values() if each[0]]
    named = any(number in before for number, _ in tables)
    return [] if named else sorted(tables, key=lambda each: natural_order(each[0]))


def _fields(before: Sequence[str], typed: str) -> list[Candidate]:
    """Return fields with an equals sign, or the values of one; for one roll also its fighter, gun or area."""
    name, equals, _ = typed.partition("=")
    sheets = [pack.sheet for pack in _packs(before)]
    if equals:
        fields = [sheet.declared(name.casefold()) for sheet in sheets if name.casefold() in sheet.known]
        return [
            (f"{name}={each}", "") for field in fields for each in field.values or dict.fromkeys(field.known.values())
        ]
    shown = [(sheet, each) for sheet in sheets for each, field in sheet.fields.items() if field.section != "working"]
    if before[0] in BOXES:
        shown = [(sheet, each) for sheet, each in shown if sheet.fields[each].kind in CROSSED]
    offered = [(each if before[0] in BOXES else f"{each}=", sheet.text(each)) for sheet, each in shown]
    if before[-1] in OPTIONS:
        known = [(name, what) for sheet in sheets for name, what in sheet.known.items() if not sheet.inner(name)]
        offered += [(f"{name}=", "") for name, what in known if isinstance(what, Bound | Member)]
    elif said := bare(" ".join(before[1:])):  # set engine 2 …
        values = [
            value for sheet, each in shown if bare(sheet.text(each)) == said for value in sheet.fields[each].values
        ]
        offered = [(value, "") for value in values] or offered
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


# -- words of a campaign; the store itself takes too long to load for Tab ----------------------------------------------


def _campaign() -> Path:
    """Return the folder of the campaign in use."""
    return home() / "campaigns" / str(_row(home() / "settings.json", "settings")["campaign"])


def _row(path: Path, kind: str) -> dict[str, Any]:
    row: dict[str, Any] = read_document(path, kind)[kind]["1"]
    return row


def _campaigns(before: Sequence[str], typed: str) -> Iterable[Candidate]:
    for each in sorted((home() / "campaigns").glob("*/campaign.json")):
        about = "damaged"
        with contextlib.suppress(Exception):
            about = "{name}, {game}".format_map(_row(each, "campaign"))
        yield each.parent.name, about


def _missions() -> list[str]:
    return [str(int(each.stem.removeprefix("mission-"))) for each in sorted(_campaign().glob("mission-*.json"))]


def _pages() -> Iterable[str]:
    from companion.cli.fields import pages

    return pages()


def _each(words: Callable[[], Iterable[str]]) -> Source:
    return lambda before, typed: [(each, "") for each in words()]


Source = Callable[[Sequence[str], str], Iterable[Candidate]]
BOXES = ("mark", "erase")
OPTIONS: dict[str, Source] = {
    **dict.fromkeys(("--out", "-o", "--dice-from"), _each(tuple)),  # files
    **dict.fromkeys(("--with", "--compare"), _fields),
    "--game": _each(games), "--mission": _each(_missions), "--paper": _each(lambda: ("a4", "letter")),
}  # fmt: skip
WORDS: dict[str, Source] = {
    **dict.fromkeys(("roll", "show", "odds", "why", "tables change", "tables edit", "tables reset"), _tables),
    **dict.fromkeys(("set", *BOXES), _fields),
    **dict.fromkeys(("tables check", "tables diff"), _each(games)),
    "guide": _each(_pages), "use": _campaigns, "completions": _each("bash zsh fish powershell".split),
}  # fmt: skip
