"""`companion serve`: the page for phones and tablets."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from companion.problems import UserError
from companion.store.session import campaign_needed


def serve_command(
    lan: Annotated[bool, Option("--lan", help="For phones in the local network too, not this machine alone.")] = False,
    port: Annotated[int | None, Option(min=1, max=65535, help="Where to listen.")] = None,
    fresh: Annotated[bool, Option("--fresh", help="A new address; phones that had the old one are out.")] = False,
) -> None:
    """The board on a phone or a tablet. Dice to tap, the sheet, undo, until Ctrl-C; the terminal goes on beside it."""
    import contextlib

    campaign = campaign_needed()
    try:
        from companion.web.app import address, listen, server
        from companion.web.guard import token
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "companion":
            raise
        raise UserError('the page needs what an extra brings: pip install "bomber-companion[page]"') from None
    from companion.render.typeset import blocks

    listening, key = listen(port, lan=lan), token(fresh=fresh)
    url = address(listening, key)
    print(f"{campaign.name} on {'the local network' if lan else 'this machine'}; Ctrl-C stops it.\n\n{url}\n")
    print(blocks(url), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        server(campaign, key).run(sockets=[listening])
    print("Stopped. What was answered is recorded; the mission waits: companion fly")
