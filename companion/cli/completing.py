"""What a shell offers after the words typed so far: `companion complete -- WORDS…`, asked at every press of Tab.

It stands beside the command line and not in it: no Typer where a pack or a folder answers, never Rich, never typst.
The last word is the one being typed. A candidate is a line: the word, a tab, what it is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.packs import NOT_TABLES, Pack, games, players_folder
from companion.problems import UserError
from companion.store import documents
from companion.store.files import home
from companion.words import figure, natural_order, plain

if TYPE_CHECKING:
    from companion.engine.sheet import Sheet

Candidate = tuple[str, str]
Of = TypeVar("Of")
What = TypeVar("What")
TABLES = ("roll", "show", "odds", "why")
OF_A_TABLE = ("transcribe", "edit", "reset")  # `companion tables transcribe 8-1`
OF_A_GAME = ("check", "diff")
BOXES = ("mark", "erase")
FLAGS = ("--auto", "--dry-run", "--json")  # of a command of a table: no value follows
FILES = ("--out", "-o", "--dice-from", "restore", "import")


def answer(arguments: Sequence[str]) -> int:
    """Print the candidates; whatever goes wrong, a shell at a prompt hears nothing of it."""
    words = list(arguments[1:] if arguments[:1] == ["--"] else arguments) or [""]
    try:
        shown = [(word, plain(about)) for word, about in candidates(words) if word == plain(word)]
        lines = [f"{word}\t{about}" if about else word for word, about in shown]
        print("".join(f"{line}\n" for line in lines), end="", flush=True)
    except (Exception, KeyboardInterrupt):
        pass
    return 0


def candidates(words: Sequence[str]) -> list[Candidate]:
    """What can stand in the place of the last word, those that begin like it."""
    typed = words[-1]
    fitting: dict[str, str] = {}
    for word, about in _offered(words):
        if word.casefold().startswith(typed.casefold()):
            fitting.setdefault(word, about)
    return list(fitting.items())


def _offered(words: Sequence[str]) -> Iterable[Candidate]:
    typed, before = words[-1], words[:-1]
    if not before:
        from companion.cli import COMMANDS

        return [(name, "") for name in COMMANDS]
    command, last = before[0], before[-1]
    if last in VALUES:
        return VALUES[last](before, typed)
    if last in FILES:
        return []
    if typed.startswith("-"):
        return _options(before)
    if command in TABLES:
        return _tables(before) if len(_words(before)) == 1 else []
    if command == "tables" and last in OF_A_TABLE:
        return _tables(before)
    if command == "tables" and last in OF_A_GAME:
        return [(each, "") for each in games()]
    if command == "set":
        return _facts(before, typed)
    if command in BOXES:
        return (
            [(name, label) for name, label, kind in _fields(before) if kind in ("boxes", "count")]
            if last == command
            else []
        )
    if command == "use":
        return _campaigns()
    if command == "completions":
        return [(name, "") for name in ("bash", "zsh", "fish", "powershell")]
    return _parts(command) if last == command else []


def _words(before: Sequence[str]) -> list[str]:
    """What was typed without the options and their values."""
    own, value = [], False
    for each in before:
        if not value and not each.startswith("-"):
            own.append(each)
        value = not value and each.startswith("-") and each not in FLAGS and "=" not in each
    return own


# -- what there is -----------------------------------------------------------------------------------------------------


def _sound(things: Iterable[Of], look: Callable[[Of], What]) -> Iterator[What]:
    """What each of them comes to, but for the damaged ones: one of them must not stop the list of the others."""
    for each in things:
        with contextlib.suppress(Exception):
            yield look(each)


def _packs(before: Sequence[str]) -> list[Pack]:
    """The game named with --game, that of the campaign in use, or while there is neither every game."""
    if "--game" in before[:-1]:
        return [Pack(before[before.index("--game") + 1])]
    try:
        return [Pack(str(_row(home() / "campaigns" / _used() / "campaign.json", "campaign")["game"]))]
    except (UserError, KeyError):
        return list(_sound(games(), Pack))


def _row(path: Path, kind: str) -> dict[str, object]:
    """A file of the store; a UserError when it cannot be read. The store itself takes too long to load for Tab."""
    row: dict[str, object] = documents.read_document(path, kind).tables[kind]["1"]
    return row


def _used() -> str:
    try:
        return str(_row(home() / "settings.json", "settings")["campaign"])
    except (UserError, KeyError):
        return ""


def _tables(before: Sequence[str]) -> list[Candidate]:
    headings = [_heading(pack, name) for files, pack in _files(before) for name in files if name not in NOT_TABLES]
    return sorted((each for each in headings if each[0]), key=lambda each: natural_order(each[0]))


def _files(before: Sequence[str]) -> Iterable[tuple[Iterable[str], Pack]]:
    return _sound(_packs(before), lambda pack: (pack.files, pack))


def _heading(pack: Pack, name: str) -> Candidate:
    try:
        return pack.heading(name)
    except Exception:  # what is wrong with it a command will say
        return name, "damaged"


def _sheets(before: Sequence[str]) -> Iterable[Sheet]:
    return _sound(_packs(before), _sheet)


def _sheet(pack: Pack) -> Sheet:
    """Its sheet; where the player's own file over it is damaged, ours below that."""
    try:
        return pack.sheet
    except Exception:
        return Pack(pack.name, [each for each in pack.folders if each.parent != players_folder()]).sheet


def _fields(before: Sequence[str]) -> list[tuple[str, str, str]]:
    return [
        (name, sheet.text(name), field.kind)
        for sheet in _sheets(before)
        for name, field in sheet.fields.items()
        if field.section != "working"
    ]


def _facts(before: Sequence[str], typed: str) -> list[Candidate]:
    """Names with their equals sign, or behind it the values."""
    name, equals, _ = typed.partition("=")
    if not equals:
        return [(f"{each}=", label) for each, label, _ in _fields(before)]
    fields = [sheet.declared(name.casefold()) for sheet in _sheets(before) if name.casefold() in sheet.known]
    names = [value for field in fields for value in field.values or dict.fromkeys(field.known.values())]
    return [(f"{name}={value}", "") for value in names]


def _with(before: Sequence[str], typed: str) -> list[Candidate]:
    """Like `_facts`, with the short names for the fighter, gun or area that is bound."""
    offered = _facts(before, typed)
    if "=" not in typed:
        from companion.engine.sheet import Bound, Member

        known = [each for sheet in _sheets(before) for each in sheet.known.items()]
        offered += [(f"{each}=", "") for each, what in known if isinstance(what, Bound | Member)]
    return offered


def _campaigns() -> list[Candidate]:
    offered = []
    for each in sorted((home() / "campaigns").glob("*/campaign.json")):
        try:
            about = _row(each, "campaign")
            offered.append((each.parent.name, f"{about['name']}, {about['game']}"))
        except Exception:
            offered.append((each.parent.name, "damaged"))
    return offered


def _missions(before: Sequence[str], typed: str) -> list[Candidate]:
    folder = home() / "campaigns" / _used()
    numbers = [each.stem.removeprefix("mission-") for each in sorted(folder.glob("mission-*.json"))]
    return [(str(number), "") for each in numbers if (number := figure(each)) is not None]


def _parts(command: str) -> list[Candidate]:
    """The commands of a group such as `sheet`."""
    parts = getattr(_command(command), "commands", {})
    return [(str(name), (each.help or "").partition("\n")[0]) for name, each in parts.items()]


def _options(before: Sequence[str]) -> list[Candidate]:
    command = _command(before[0])
    parts = getattr(command, "commands", {})
    command = parts.get(before[1], command) if len(before) > 1 else command
    params = getattr(command, "params", ())
    return [(name, getattr(each, "help", "") or "") for each in params for name in each.opts if name.startswith("--")]


def _command(name: str) -> object:
    from companion.cli.commands import Commands

    return Commands(name="companion").get_command(None, name)


VALUES: dict[str, Callable[[Sequence[str], str], Iterable[Candidate]]] = {
    "--game": lambda before, typed: [(each, "") for each in games()],
    "--with": _with,
    "--compare": _with,
    "--mission": _missions,
    "--paper": lambda before, typed: [("a4", ""), ("letter", "")],
}
