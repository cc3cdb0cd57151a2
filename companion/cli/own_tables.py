"""`companion tables edit`, `reset`, `diff`, `export`, `import` and `schema`: the player's own copies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from companion.cli.picking import prompt
from companion.cli.session import asks
from companion.packs import Pack, exports, own
from companion.problems import Problem
from companion.store.files import give, kind_of, present
from companion.store.session import campaign_in_use
from companion.words import inert

Game = Annotated[str | None, Option(help="Which game, when no campaign is in use.")]


def pack_of(game: str | None) -> Pack:
    """The pack that a command is about."""
    if game is None:
        campaign = campaign_in_use()
        if campaign is None:
            raise Problem("no campaign is in use; name a game with --game b29")
        game = campaign.game
    return Pack(game.casefold())


def edit(table: Annotated[str, Argument(help="Table number, or sheet, rules, …")], game: Game = None) -> None:
    """Change a table for yourself in $EDITOR. A copy that does not hold together is refused."""
    pack = pack_of(game)
    key = own.key_of(pack, table)
    copy = own.own_file(pack, key)
    draft = own.draft_file(pack, copy.name)
    origin = draft.with_name(f"{draft.name}.from")  # what the copy was when the draft was begun
    stood, before = own.stamp(copy), own.beginning(pack, key)
    if present(draft) and (kind_of(draft) != "file" or own.noted(origin) != stood):
        print(f"The draft you left was of another copy; it is kept as {own.aside(draft)}.")
    if not present(draft):
        own.keep(origin, stood)
        own.keep(draft, before)
    text = _sound(pack, key, table, draft, before)
    if text is None:
        print("Nothing was changed.")
    else:
        with own.changing():
            if own.stamp(copy) != stood:
                raise Problem(
                    f"{copy} was changed by another command meanwhile and stays so; what you wrote is {draft}"
                )
            own.keep(copy, text)
        print(f"{copy} is in force for {pack.name}.")
    own.drop(draft, origin)


def _sound(pack: Pack, key: str, table: str, draft: Path, before: str) -> str | None:
    """What the player has written, once it holds together; None where he changed nothing."""
    name, unchanged = own.own_file(pack, key).name, before.partition(own.BELOW)[0].rstrip()
    while True:
        _editor(draft)
        text = own.edited(draft)
        if text.rstrip() == unchanged:
            return None
        if text.strip():
            wrong = own.faults(pack, key, text, before)
        else:
            wrong = [f"{name}: nothing is left in it; ours counts again with: companion tables reset {table}"]
        if not wrong:
            return text
        print("\n".join(wrong[:5]))
        if asks() and prompt(f"{name} as it was still counts. Open it again? [Y/n] ").casefold() in ("", "y", "yes"):
            continue
        many = "one thing is wrong" if len(wrong) == 1 else f"{len(wrong)} things are wrong"
        how = f"companion tables edit {table} (the draft is {draft})"
        raise Problem(f"{many}; your copy stays as it was; go on with: {how}")


def reset(
    table: Annotated[str, Argument(help="Table number, or sheet, rules, …")],
    game: Game = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Without asking.")] = False,
) -> None:
    """Take your copy of a table out, so that ours counts again. Your file is kept beside."""
    pack = pack_of(game)
    key = own.key_of(pack, table)
    copy = own.own_file(pack, key)
    if not present(copy):
        raise Problem(f"you have no {copy.stem} of your own for {pack.name}; what you have: companion tables diff")
    if not own.below(pack, key):
        raise Problem(f"{copy} is yours alone: nothing of ours lies below it")
    if not yes:
        if not asks():
            raise Problem("tables reset asks before it takes a file out and nobody is there; add --yes")
        if prompt(f"Take {copy} out, so that ours counts again? [y/N] ").casefold() not in ("y", "yes"):
            print("Nothing was changed.")
            return
    with own.changing():
        older = own.aside(copy)
    print(f"{copy.stem} of {pack.name} is ours again. Yours is kept as {older}.")


def _editor(path: Path) -> None:
    """Open a file in the player's editor and wait for him; a Problem when there is none or it fails."""
    import os
    import subprocess

    from companion.store.system import editor

    try:
        words = editor(os.environ)
    except ValueError as error:
        raise Problem(f"cannot start {os.environ.get('VISUAL') or os.environ.get('EDITOR')}: {error}") from None
    if not words:
        raise Problem("no editor is named; set EDITOR, such as EDITOR=nano")
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or words[0]
    try:
        done = subprocess.run([*words, str(path)], check=False)
    except (OSError, ValueError) as error:
        raise Problem(f"cannot start {named}: {error}") from None
    if done.returncode:
        raise Problem(f"{named} ended with {done.returncode}; nothing was changed")


def diff(
    game: Annotated[str | None, Argument(help="Which game; that of the campaign when none is named.")] = None,
) -> None:
    """Where your tables differ from ours."""
    pack = pack_of(game)
    lines = list(own.differences(pack))
    print(inert("\n".join(lines)) if lines else f"{pack.name}: you have changed nothing.")


def export(file: Annotated[Path, Argument(help="Where to write it.")], game: Game = None) -> None:
    """Write the tables you took down to a file. For another machine of yours."""
    pack = pack_of(game)
    text = exports.exported(pack)
    give(file, text.encode())
    print(f"{', '.join(exports.transcribed(pack))}: written to {file}")


def take_in(
    file: Annotated[Path, Argument(help="A file that `tables export` wrote.")],
    game: Game = None,
    replace: Annotated[bool, Option("--replace", help="Also where you have your own.")] = False,
) -> None:
    """Take in such a file, once its tables are proved sound."""
    doc = exports.read_export(file)
    with own.changing():
        pack = Pack(doc["game"]) if game is None else pack_of(game)
        names = exports.imported(pack, doc, replace=replace)
    print(f"{', '.join(names)}: imported" if names else "All of them were here already.")


def schema() -> None:
    """The table format as a JSON Schema, for your editor."""
    import json

    from companion.packs.forms.schema import schema as of_packs

    print(json.dumps(of_packs(), indent=2))
