"""`companion rulings`."""

from __future__ import annotations

from typing import Annotated

from rich.text import Text
from typer import Option

from companion.cli.terminal import console, show
from companion.engine.fields import Spec
from companion.packs import Pack, games
from companion.problems import Problem
from companion.render.situation import Line
from companion.store.session import campaign_in_use
from companion.words import unhyphened

KEYS = ("id", "section", "title", "reading", "otherwise", "setting")


def rulings_command(
    game: Annotated[str | None, Option(help="Which game, when it is not that of the campaign in use.")] = None,
    json: Annotated[bool, Option("--json", help="A list for programs.")] = False,
) -> None:
    """How places in doubt are read, and what else they could mean."""
    campaign = campaign_in_use() if game is None else None
    named = campaign.game if campaign is not None else game
    packs = [Pack(named)] if named is not None else [Pack(each) for each in games()]
    listed = [(pack, ruling) for pack in packs for ruling in rulings_of(pack, with_below=named is not None)]
    if json:
        import json as form

        objects = [{"game": pack.name, **{key: ruling.get(key, "") for key in KEYS}} for pack, ruling in listed]
        print(form.dumps(objects))
        return
    if not listed:
        raise Problem(f"{packs[0].name if named else 'no game'} has no rulings")
    out, heading = console(), ""
    for pack, ruling in listed:
        if pack.name != heading:
            heading = pack.name
            out.print(Text(str(pack.about.get("title") or heading), style="bold cyan"))
        head = Text.assemble("\n", (ruling["id"], "bold"), f"  {ruling['title']}", (f"  ({ruling['section']})", "dim"))
        out.print(head)
        for before, words in (("", ruling["reading"]), ("else: ", ruling["otherwise"]), ("", _choice(pack, ruling))):
            if words:
                show([Line("    ", [(before, "dim"), (words, "")])], out)


def rulings_of(pack: Pack, *, with_below: bool = True) -> list[Spec]:
    """The rulings of a game, in the order of its books; without those of the game that it extends, if so wished."""
    rulings: list[Spec] = list(pack.read("rulings").get("ruling", ()))
    below = pack.about.get("extends")
    if with_below or not below:
        return rulings
    others = rulings_of(Pack(str(below)))
    return [each for each in rulings if each not in others]


def _choice(pack: Pack, ruling: Spec) -> str:
    """How the player says what he reads there."""
    setting = ruling.get("setting", "")
    if not setting:
        return ""
    if setting not in pack.sheet.known:
        return ""
    label, values = pack.sheet.text(setting), [unhyphened(each) for each in pack.sheet.declared(setting).values]
    return f'yours to choose: companion set "{label}={" | ".join(values) or "…"}"'
