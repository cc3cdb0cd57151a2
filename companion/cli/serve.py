"""`companion serve`, the page for phones and tablets, and `companion demo`, an automatic mission."""

from __future__ import annotations

import os
import random
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from typer import Option

from companion.cli.flyer import Narrator
from companion.cli.status import status_lines
from companion.cli.terminal import show, wrapped
from companion.packs import Pack
from companion.play.conversation import Chance, move
from companion.problems import UserError
from companion.render import report, sheets
from companion.render.story import Story
from companion.store import crew
from companion.store.campaigns import Campaign, campaign_in_use
from companion.store.files import give
from companion.store.session import Session, open_mission


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
    try:
        from companion.web.app import address, listen, server, token
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "companion":
            raise
        raise UserError("the phone page needs extra packages: pip install '.[page]'") from None
    listening, key = listen(port, lan=lan, host=host), token(fresh=fresh)
    url = address(listening, key)
    name = campaign.name if campaign is not None else "No campaign yet; start one on the page"
    print(f"{name} on {host or ('the local network' if lan else 'this computer')}; Ctrl-C stops it.\n\n{url}\n")
    near = not lan and host in ("", "localhost") or host.startswith("127.")
    print("For a phone: companion serve --lan" if near else sheets.blocks(url), flush=True)
    if browser:
        webbrowser.open(url)
    with suppress(KeyboardInterrupt):
        server(campaign, key).run(sockets=[listening])


GAME, SEED = "b17", 124  # every table of the B-17 is built in
NAME, MISSION = "Demo", 21  # of 25
READ, LONGEST = 0.04, 3.0  # seconds for a word, and for a screen


def demo_command(
    seed: Annotated[int, Option(help="Another mission: any number.")] = SEED,
    fast: Annotated[bool, Option("--fast", help="Print everything at once.")] = False,
    page: Annotated[bool, Option("--page", help="Open the page for phones in a browser instead.")] = False,
) -> None:
    """Watch an automatic B-17 mission and read its story."""
    if page:
        with _campaign(seed) as campaign:
            serve(campaign, browser=True)
        return
    paced = sys.stdout.isatty() and not fast
    wrapped(f"A B-17 mission with random dice (seed {seed}); at your table you roll them yourself. Ctrl-C stops it.")
    print(flush=True)
    with _campaign(seed) as campaign:
        try:
            _fly(seed, paced=paced)
            _keep(campaign, Path(f"companion-demo-{seed}"), paced=paced)
        except KeyboardInterrupt:
            print("\nStopped; nothing was saved.")
            return
    wrapped('Fly your own: companion new "Lucky Thirteen" --game b17')


@contextmanager
def _campaign(seed: int) -> Iterator[Campaign]:
    """Make a campaign with a mission in a folder that is deleted afterwards."""
    former = os.environ.get("COMPANION_HOME")
    with TemporaryDirectory(prefix="companion-demo-", ignore_cleanup_errors=True) as folder:
        os.environ["COMPANION_HOME"] = folder
        try:
            pack = Pack(GAME)
            about = pack.about
            campaign = Campaign.create(NAME, {"game": GAME, "aircraft": about.aircraft, "roster": {**about.names}})
            with crew.changed(campaign, pack) as roster:
                roster.fill(random.Random(seed))
            crew.begin(campaign, pack, {"mission.number": MISSION}, mend=True, seen=[])
            yield campaign
        finally:
            os.environ.pop("COMPANION_HOME")
            if former is not None:
                os.environ["COMPANION_HOME"] = former


def _fly(seed: int, *, paced: bool) -> None:
    """Fly the mission and show every move, with the bomber's state after the target and at the end."""
    by, leg = Chance(random.Random(seed)), ""
    teller = Narrator(asked=False)
    with open_mission() as opened:
        session = Session(opened.mission)  # its campaign has no other missions, so no totals
        while results := move(session.mission, by):
            teller.add([each for each in results if not each.decision])
            if session.mission.waiting() is not None:
                continue
            pause = READ * sum(len(f"{each.table} {each.text}".split()) for each in teller.untold)
            teller.tell(session)
            if leg != (leg := str(session.mission.state.get("leg"))) == "inbound":
                _show_bomber(session)
            if paced:
                time.sleep(min(LONGEST, pause))
        _show_bomber(session)


def _show_bomber(session: Session) -> None:
    print()
    show(status_lines(session))
    print(flush=True)


def _keep(campaign: Campaign, folder: Path, *, paced: bool) -> None:
    """Print the story; save it with the sheet and the card."""
    flown = campaign.flown(1)
    told = report.mission(Story(flown))
    for line in report.text(told).splitlines():
        print(line, flush=True)
        if paced:
            time.sleep(READ * len(line.split()))
    folder.mkdir(exist_ok=True)
    give(folder / "story.md", (report.markdown(told) + "\n").encode())
    give(folder / "sheet.pdf", sheets.printed("mission", flown.game, campaign, "pdf", flown)[0])
    give(folder / "card.png", sheets.card_picture(flown, "png", ""))
    print()
    wrapped(f"The sheet, the story and a card to share are in {folder}: sheet.pdf, story.md, card.png")
