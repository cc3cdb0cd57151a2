"""`companion tables …`."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from companion.cli import own_tables
from companion.cli.commands import group
from companion.cli.transcribe import transcribe
from companion.packs import Pack, games
from companion.problems import Problem
from companion.words import counted


def listing(
    game: own_tables.Game = None,
    json: Annotated[bool, Option("--json", help="A list for programs.")] = False,
) -> None:
    """Every table of a game; those of your own book are marked."""
    pack = own_tables.pack_of(game)
    rows = [
        (table.id, table.title, table.dice.name, table.unwritten and not table.question)
        for table in pack.all_tables()
        if not table.procedure
    ]
    if json:
        import json as form

        print(form.dumps([dict(zip(("id", "title", "dice", "owner"), row, strict=True)) for row in rows]))
        return
    wide = max(len(row[0]) for row in rows)
    for name, title, dice, owner in rows:
        print(f"{name:{wide}}  {dice:4}  {title}{'  (in your own book)' if owner else ''}")


def check(
    game: Annotated[str | None, Argument(help="Which pack; all of them when none is named.")] = None,
) -> None:
    """Prove a pack. Every roll lands on one row, every name exists, every effect can be carried out."""
    from companion.packs.check import check as prove

    wrong = 0
    for name in [game] if game else games():
        pack = Pack(name)
        faults = prove(pack)
        wrong += len(faults)
        for each in faults:
            print(f"{pack.name}, {each}")
        if not faults:
            count = sum(not table.procedure for table in pack.all_tables())
            print(f"{pack.name}: {counted(count, 'table')}, sound")
    if wrong:
        raise Problem(f"{counted(wrong, 'thing')} {'is' if wrong == 1 else 'are'} wrong")


tables_command = group(
    "The tables of a game, and those of your own book.",
    list=listing,
    check=check,
    edit=own_tables.edit,
    reset=own_tables.reset,
    diff=own_tables.diff,
    transcribe=transcribe,
    export=own_tables.export,
    schema=own_tables.schema,
    **{"import": own_tables.take_in},
)
