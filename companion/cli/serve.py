"""`companion serve`: the page for phones and tablets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Option

from companion.problems import UserError
from companion.store.campaigns import campaign_in_use

if TYPE_CHECKING:
    from companion.store.campaigns import Campaign


def serve_command(
    lan: Annotated[bool, Option("--lan", help="Allow phones on the local network, not only this computer.")] = False,
    host: Annotated[str, Option("--host", help="Listen on this address of the computer.")] = "",
    port: Annotated[int | None, Option(min=1, max=65535, help="Port to listen on.")] = None,
    fresh: Annotated[
        bool, Option("--fresh", help="Make a new address and disconnect phones using the old one.")
    ] = False,
) -> None:
    """Play on a phone or tablet. The terminal works at the same time. Ctrl-C stops it."""
    serve(campaign_in_use(), lan=lan, host=host, port=port, fresh=fresh)
    print("Stopped. Everything is saved. Continue with: companion fly")


def serve(
    campaign: Campaign | None,
    *,
    lan: bool = False,
    host: str = "",
    port: int | None = None,
    fresh: bool = False,
    browser: bool = False,
) -> None:
    """Serve the page until Ctrl-C; open it in a `browser` if asked to."""
    import contextlib

    try:
        from companion.web.app import address, listen, server
        from companion.web.guard import token
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "companion":
            raise
        raise UserError("the phone page needs extra packages: pip install '.[page]'") from None
    from companion.render.sheets import blocks

    listening, key = listen(port, lan=lan, host=host), token(fresh=fresh)
    url = address(listening, key)
    name = campaign.name if campaign is not None else "No campaign yet; start one on the page"
    print(f"{name} on {host or ('the local network' if lan else 'this computer')}; Ctrl-C stops it.\n\n{url}\n")
    near = not lan and host in ("", "localhost") or host.startswith("127.")
    print("For a phone: companion serve --lan" if near else blocks(url), flush=True)
    if browser:
        import webbrowser

        webbrowser.open(url)
    with contextlib.suppress(KeyboardInterrupt):
        server(campaign, key).run(sockets=[listening])
