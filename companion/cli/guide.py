"""`companion guide`: short Markdown pages included in the program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument

from companion.packs.layers import tables_folder
from companion.problems import UserError
from companion.words import nearest

FOLDER = Path(__file__).resolve().parent.parent / "guide"


def pages() -> dict[str, Path]:
    """Return the pages by name, in reading order."""
    order = "flying by-hand tables campaigns paper phone scripts bombs-away house-rules writing json windows commands"
    return {
        name: tables_folder() / "README.md" if name == "writing" else FOLDER / f"{name}.md" for name in order.split()
    }


def guide_command(
    page: Annotated[str | None, Argument(help="Name of a page. Default: the list of pages.")] = None,
) -> None:
    """Show a page of the guide."""
    known = pages()
    if page is None:
        for name, path in known.items():
            print(f"  {name:12} {path.read_text(encoding='utf-8').partition(chr(10))[0].removeprefix('# ')}")
        print("\nRead one with: companion guide flying")
        return
    fitting = [name for name in known if name.startswith(page.casefold())]
    if len(fitting) != 1:
        near = nearest(page, known)
        meant = f"Did you mean {near[0]}?" if near else f"The pages are {', '.join(known)}."
        raise UserError(f"There is no page {page}. {meant}")
    text = known[fitting[0]].read_text(encoding="utf-8")
    if not sys.stdout.isatty():
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    with Console() as console:
        console.print(Markdown(text))
