"""`companion tables …`, the tables of a game and the player's changes to them, and `companion games …`, the games."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from companion.cli.commands import Json, group, print_json
from companion.cli.terminal import agreed, ask, asks, wrapped
from companion.engine.tables import span
from companion.packs import Pack, game_named, games, own_files, players_folder
from companion.packs.folders import REASON, folders_of_game, names_in, uses
from companion.play.phrases import table_named
from companion.problems import UserError
from companion.store.campaigns import FIRST, boxes_of, campaigns, keep_boxes
from companion.store.files import give, home, present, set_aside
from companion.store.session import campaign_needed
from companion.words import counted, figure, inert, one_of, quoted, slug

Game = Annotated[str | None, Option(help="The game, if no campaign is in use.")]
Only = Annotated[bool, Option("--campaign", help="For the campaign in use only, from its next mission on.")]
Name = Annotated[str, Argument(help="Table number, or a file: sheet, rules …")]


def pack_of(game: str | None) -> Pack:
    """Return the pack that a command is about."""
    return Pack(campaign_needed("Name a game, e.g. --game b29. ").game if game is None else game)


def list_tables(game: Game = None, json: Json = False) -> None:
    """List the tables of a game. Those only in your rulebook are marked."""
    pack = pack_of(game)
    rows = [
        (table.id, table.title, table.dice.name, table.unwritten and not table.question)
        for table in pack.all_tables()
        if not table.procedure
    ]
    if json:
        print_json([dict(zip(("id", "title", "dice", "owner"), row, strict=True)) for row in rows])
        return
    wide = max(len(row[0]) for row in rows)
    for name, title, dice, owner in rows:
        print(f"{name:{wide}}  {dice:4}  {title}{'  (in your rulebook)' if owner else ''}")


def check(game: Annotated[str | None, Argument(help="Game name. Default: all games.")] = None) -> None:
    """Check a game pack for errors. Rows, names and effects."""
    from companion.packs.check import judge

    wrong = 0
    for name in [game] if game else games():
        pack = Pack(name)
        faults, warnings = judge(pack)
        wrong += len(faults)
        for each in [*faults, *warnings]:
            print(f"{pack.name}, {each}")
        if not faults:
            count = sum(not table.procedure for table in pack.all_tables())
            print(f"{pack.name}: {counted(count, 'table')}, sound")
    if wrong:
        raise UserError(f"{counted(wrong, 'thing')} {'is' if wrong == 1 else 'are'} wrong")


def facts(
    word: Annotated[str, Argument(help="Part of a name or a label. Default: all.")] = "", game: Game = None
) -> None:
    """List the names that a game's files may use. With label, kind, and the files that write and read each."""
    pack = pack_of(game)
    sheet, texts = pack.sheet, {paths[0].stem: own_files.text_in(paths[0]) for paths in pack.layers.values()}
    words = {key: names_in(pack.read(key.casefold())) for key in texts}
    kinds = {name: f"one of {', '.join(members)}" for name, members in sheet.index.items()}
    kinds |= {name: each.span if each.values or each.numeric else each.kind for name, each in sheet.families.items()}
    kinds |= dict.fromkeys(sheet.facts, "worked out")
    for name, kind in kinds.items():
        label = sheet.families[name].heading if name in sheet.families else ""
        if word.casefold() not in f"{name} {label}".casefold():
            continue
        used = re.compile(rf"(?<![\w.-]){re.escape(name.partition('[')[0])}(?![\w-])")
        written = re.compile(
            rf"[\"'](?:(?:mark|erase|add|append|clear|exchange)\s+{used.pattern}|{used.pattern}[^\"=<>!]* = )"
        )
        writers = [key for key, text in texts.items() if key != "sheet" and written.search(text)]
        readers = [key for key in texts if uses(words[key], name) and key not in ("sheet", *writers)]
        told = [
            f"{what} {', '.join(sorted(keys))}" for what, keys in (("set by", writers), ("read by", readers)) if keys
        ]
        wrapped("; ".join([f"{name}{f' ({label})' if label else ''}: {kind}", *told]), "  ")


def schema(
    kind: Annotated[str | None, Argument(help="The file: table, sheet, pack … Default: any.")] = None,
    to: Annotated[Path | None, Option("--to", help="A folder for a schema of each kind.")] = None,
) -> None:
    """Print the format of a game's files as a JSON Schema, for your editor."""
    import json

    from companion.packs.form_check import schema as of_packs
    from companion.packs.forms import FILES

    if kind is not None and kind not in FILES:
        raise UserError(f"There is no kind of file {kind}. Use {one_of(list(FILES))}")
    if to is None:
        print(json.dumps(of_packs(kind), indent=2))
        return
    to.mkdir(parents=True, exist_ok=True)
    for each in FILES:
        give(to / f"{each}.json", json.dumps(of_packs(each), indent=2).encode())
    wrapped(f"Saved in {to}. Start a table with the line #:schema {to}/table.json, a sheet with sheet.json, …")


# -- an edited copy ----------------------------------------------------------------------------------------------------


def edit(
    table: Name,
    game: Game = None,
    reason: Annotated[str, Option(help="Why; shown with each roll that it changes.")] = "",
    campaign: Only = False,
) -> None:
    """Edit a table in $EDITOR. Your changes are checked, and kept as a patch."""
    pack = _of_campaign() if campaign else pack_of(game)
    key = own_files.key_of(pack, table)
    copy = own_files.own_file(pack, key)
    draft, before = home() / "drafts" / pack.name / copy.name, own_files.whole_text(pack, key, pack.layers[key])
    if not present(draft):
        own_files.save_text(draft, before)
    while True:
        _editor(draft)
        text = own_files.text_in(draft)
        if text == before or not text.strip():
            wrapped(f"Nothing was changed. Go back to the built-in table with: companion tables reset {quoted(table)}")
            break
        wrong = own_files.faults(pack, key, text)
        if not wrong:
            if not reason and asks() and own_files.files_below(pack, key):
                reason = ask("Why? It is shown with each roll that this changes: ").strip()
            own_files.save_text(copy, own_files.edited(pack, key, text, reason or "edited by you"))
            wrapped(f"{copy} is now used for {pack.name}.")
            break
        print("\n".join(wrong[:5]))
        again = f"{draft.name} has errors and isn't used yet. Open it again? [Y/n] "
        if not asks() or ask(again).casefold() not in ("", "y", "yes"):
            how = f"companion tables edit {quoted(table)} (the draft is {draft})"
            raise UserError(f"{counted(len(wrong), 'fault')}. Your earlier copy is unchanged. Continue with: {how}")
    draft.unlink(missing_ok=True)


def change(
    table: Name,
    modifier: Annotated[str | None, Option(help="Its id or part of its name; another name adds one.")] = None,
    add: Annotated[str | None, Option(help="How much it adds: 2, -1, or a formula.")] = None,
    when: Annotated[str | None, Option(help="When it counts, e.g. 'altitude = lo'.")] = None,
    remove: Annotated[bool, Option("--remove", help="Take the modifier out.")] = False,
    row: Annotated[list[str] | None, Option(help="A row and its result, e.g. 5=calm or 9+=hit.")] = None,
    column: Annotated[str | None, Option(help="The column of these rows.")] = None,
    dice: Annotated[str | None, Option(help="The dice of a new table or one from your rulebook, e.g. 2D.")] = None,
    title: Annotated[str | None, Option(help="The title of a new table of your own.")] = None,
    after: Annotated[str | None, Option(help="The step after which a new table is rolled.")] = None,
    reason: Annotated[str, Option(help="Why; shown with each roll that it changes.")] = "",
    game: Game = None,
    campaign: Only = False,
) -> None:
    """Change a modifier or rows, copy rows from your rulebook, or add a table. Go back with tables reset."""
    pack = _of_campaign() if campaign else pack_of(game)
    if title or after:
        if not (title and row and dice and reason.strip()) or modifier or add or when or remove or column:
            raise UserError("A new table takes only --title, --dice, a --row for each result, --reason and --after")
        file = own_files.add_table(pack, table, title, dice, _rows(row), after or "", reason.strip())
        how = f"companion tables edit {quoted(table)} --game {pack.name}"
        wrapped(f"{table} is now a table of {pack.name}, in {file}. To give its results effects: {how}")
        return
    own = table_named(pack, table)
    reason = reason.strip() or (REASON if own.unwritten and row else "")
    if not reason:
        raise UserError('Give the reason, e.g. --reason "club rule 3"')
    piece: dict[str, object] = {} if dice is None else {"dice": dice}
    if modifier is not None:
        same = [each for each in own.modifiers if modifier.casefold() == each.id]
        alike = same or [each for each in own.modifiers if modifier.casefold() in each.why.casefold()]
        if len(alike) > 1:
            raise UserError(f"{modifier} can be {one_of([each.id for each in alike])}")
        name, why = (alike[0].id, None) if alike else (slug(modifier), modifier)
        much = add if add is None or figure(add) is None else figure(add)
        given = {"id": name, "add": much, "when": when, "why": why, "remove": remove or None}
        piece["modifier"] = [{word: each for word, each in given.items() if each is not None}]
    if row:
        rows = _rows(row)
        if own.unwritten and len(rows) > 1 and "D66" not in (dice, own.dice.name):  # modified rolls go beyond the dice
            low, high = min(rows, key=span), max(rows, key=span)
            rows[f"..{span(low)[1]}"] = rows.pop(low)
            rows[f"{span(high)[0]}.."] = rows.pop(high)
        piece |= {"rows": rows} if column is None else {"column": [{"title": column, "rows": rows}]}
    if not piece:
        raise UserError("Name what to change: --modifier with --add, --when or --remove, or --row")
    own_files.add_patch(pack, own_files.key_of(pack, own.id), own_files.inside(own, {"reason": reason, **piece}))
    how = f"companion tables reset {own.id} --reason {quoted(reason)} --game {pack.name}"
    wrapped(f"{own.id} of {pack.name} is changed: {reason}. Take this out with: {how}")


def _rows(typed: list[str]) -> dict[str, str | int]:
    """Return the results by row from `5=calm`, `2-4=hit` and `9+=hit`; raise UserError if a row is given twice."""
    rows: dict[str, str | int] = {}
    for each in typed:
        row, _, result = (part.strip() for part in each.partition("="))
        row = re.sub(r"(?<=\d)-(?=\d)|\+$", "..", row)
        try:
            span(row)
        except ValueError:
            result = ""
        if not result:
            raise UserError("Write a row and its result, e.g. --row 5=calm or --row 2-4=hit")
        rows[row] = result if figure(result) is None else int(result)
    if len(rows) < len(typed):
        raise UserError("The same row is given twice. Give each row once")
    return rows


def _of_campaign() -> Pack:
    """Return the variant for the campaign in use alone, which counts from its next mission on; make it if needed."""
    campaign = campaign_needed()
    tail = f"-{campaign.folder.name.replace('_', '-')}"
    if campaign.game.endswith(tail):
        return Pack(campaign.game)
    file = players_folder() / f"{campaign.game}{tail}" / "pack.toml"
    if not present(file):
        about = {"title": f"{Pack(campaign.game).title} ({campaign.name})", "extends": campaign.game}
        own_files.save_text(file, own_files.file_text(about))
    with campaign.to_change():
        campaign.keep(game=file.parent.name)
    wrapped(f"{campaign.name} has rules of its own from its next mission on, in {file.parent}.")
    return Pack(file.parent.name)


def _editor(path: Path) -> None:
    """Open a file in the player's editor and wait; raise UserError if there is none or it fails."""
    import shlex
    import shutil
    import subprocess

    windows = os.name == "nt"  # Windows paths keep their backslashes, and `code` is `code.cmd`
    named = (os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if windows else "")).strip()
    try:
        words = [named] if os.path.isfile(named) else shlex.split(named, posix=not windows)
        if not words:
            raise UserError("no editor is set. Set one first, e.g. EDITOR=nano")
        program, *options = (word.strip('"') for word in words)
        done = subprocess.run([shutil.which(program) or program, *options, str(path)], check=False)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot start {named}: {error}") from None
    if done.returncode:
        raise UserError(f"{named} failed (exit code {done.returncode}). Nothing was saved")


def reset(
    table: Name,
    game: Game = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Don't ask first.")] = False,
    reason: Annotated[str, Option(help="Take out only the changes with this reason.")] = "",
) -> None:
    """Go back to the built-in table. Your version is kept as .bak."""
    pack = pack_of(game)
    key = own_files.key_of(pack, table)
    copy = own_files.own_file(pack, key)
    if not present(copy):
        raise UserError(f"you have no version of {copy.stem} for {pack.name}. List yours with: companion tables diff")
    left = own_files.without_reason(copy, reason) if reason else ""
    if wrong := own_files.faults(pack, key, left):
        raise UserError(f"{wrong[0].splitlines()[0]}. Nothing was changed. Take that out first")
    below = "the built-in version" if own_files.files_below(pack, key) else "nothing"
    if not agreed(f"Replace {copy} with {below}?", "tables reset", yes=yes):
        return
    older = set_aside(copy, f"{copy.suffix}.bak")
    if left:
        own_files.save_text(copy, left)
        wrapped(f"{copy.stem} of {pack.name} is without {reason}. Your earlier version is kept as {older}.")
        return
    now = f"{below} again" if below != "nothing" else "no longer in the game"
    wrapped(f"{copy.stem} of {pack.name} is {now}. Yours is kept as {older}.")


def diff(game: Annotated[str | None, Argument(help="The game. Default: that of the campaign in use.")] = None) -> None:
    """Compare your tables with the built-in ones."""
    pack = pack_of(game)
    lines = list(own_files.differences(pack))
    print(inert("\n".join(lines)) if lines else f"{pack.name}: your tables are the built-in ones.")


tables_command = group(
    "The tables of a game, including those in your rulebook.",
    list=list_tables,
    check=check,
    edit=edit,
    change=change,
    reset=reset,
    diff=diff,
    facts=facts,
    schema=schema,
)


GameName = Annotated[str, Argument(help="The game's name, e.g. b29.")]


def list_games(json: Json = False) -> None:
    """List the games, with version and author. Yours are marked."""
    rows, yours = [], []
    for name in games():
        about, (folder, *below) = Pack(name).about, folders_of_game(name)
        mine = players_folder() in folder.parents and any(folder.glob("*.toml"))
        yours.append("" if not mine else "with house rules of yours" if below and below[0].name == name else "yours")
        keys = {key: getattr(about, key) for key in ("title", "version", "author", "license", "extends")}
        rows.append({"game": name, **keys, "folder": str(folder), "yours": mine})
    if json:
        print_json(rows)
        return
    wide = max(len(str(row["game"])) for row in rows)
    for row, whose in zip(rows, yours, strict=True):
        more = [f"version {row['version']}" if row["version"] else "", str(row["author"])]
        more += [f"a variant of {row['extends']}" if row["extends"] else "", whose]
        told = ", ".join(filter(None, more))
        wrapped(f"{row['game']!s:{wide}}  {row['title']}{f' ({told})' if told else ''}")


def new(name: GameName) -> None:
    """Start a game of your own from a small one that can be flown."""
    if own_files.named(name) in games():
        raise UserError(f"there is a game {name} already. Choose another name")
    folder = own_files.install(name, own_files.template(name))
    wrapped(f"{folder} holds a small game to change. Its words are in: companion guide writing")
    wrapped(f"Check it with: companion games check {name}. Try it with: companion new Trial --game {name}")


def install(
    source: Annotated[Path, Argument(help="A folder or a ZIP file with a game.")],
    replace: Annotated[bool, Option("--replace", help="Replace the game of that name.")] = False,
) -> None:
    """Install a game, or house rules for one, after checking it."""
    name, files = own_files.packed(source)
    folder = own_files.install(name, files, replace=replace)
    about = Pack(name).about
    by = f" by {about.author}" if about.author else ""
    wrapped(f"{about.title}{by} is installed in {folder}. Start with: companion new NAME --game {name}")


def remove(name: GameName, yes: Annotated[bool, Option("--yes", "-y", help="Don't ask first.")] = False) -> None:
    """Remove a game of yours, or your house rules for one. The files are kept."""
    folder = players_folder() / game_named(name)
    if not folder.is_dir():
        raise UserError(f"'{name}' isn't a game of yours. List the games with: companion games list")
    for campaign in campaigns()[0]:
        used = [number for number in campaign.missions() if campaign.game_of(number) == folder.name]
        if used or campaign.game == folder.name:
            wrapped(f"{campaign.name} uses {folder.name}: {counted(len(used), 'mission')}. Its files are kept.")
    if not agreed(f"Remove {folder}?", "games remove", yes=yes):
        return
    kept = own_files.set_game_aside(folder)
    wrapped(f"{folder.name} is removed. Its files are in {kept}. Bring it back with: companion games install {kept}")


def export(name: GameName, file: Annotated[Path | None, Argument(help="ZIP file to write.")] = None) -> None:
    """Save a game as a ZIP file to share, or your house rules for one."""
    pack = Pack(name)
    version = f"-{pack.about.version}" if pack.about.version else ""
    file = file or Path(f"{pack.name}{version}.zip")
    give(file, own_files.archive(pack.name, folders_of_game(pack.name)[:1]))
    wrapped(f"{pack.title}: saved in {file}. Install it elsewhere with: companion games install {file}")


def box(
    edition: Annotated[str | None, Argument(help="The edition to use from now on, e.g. 1995.")] = None,
    game: Game = None,
    json: Json = False,
) -> None:
    """List the boxes whose figures are known, or use another edition."""
    pack = pack_of(game)
    if not pack.about.box:
        raise UserError(f"{pack.title} has no box of cards to describe.")
    kept = boxes_of(pack.name)
    if edition is not None:
        kept["current"] = edition.strip() or FIRST
        keep_boxes(pack.name, kept)
    current = kept["current"]
    if json:
        print_json({"current": current, "boxes": kept["boxes"]})
        return
    for name, figures in {current: {}, **kept["boxes"]}.items():
        here = " (used for the next new campaign)" if name == current else ""
        print(f"{pack.title}, {name}: {counted(len(figures), 'figure')}{here}")


games_command = group(
    "The games that you have, new ones, and games of others.",
    list=list_games,
    new=new,
    check=check,
    install=install,
    remove=remove,
    export=export,
    box=box,
)
