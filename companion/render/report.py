"""Stories as plain text, Markdown, HTML, or data for the printed template."""

from __future__ import annotations

import re
import textwrap
from html import escape
from typing import NamedTuple

from companion.render.story import PARAGRAPH, Story

WIDE = 80
FORMS = ("md", "html", "bbcode", "pdf", "txt")
PASTED = ("md", "bbcode", "html")
STYLE = (
    "body{max-width:42em;margin:2em auto;padding:0 1em;font:17px/1.5 Georgia,serif;color:#222}"
    "h1,h2{line-height:1.2}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}}"
)


class Block(NamedTuple):
    """A piece of a report: a heading (`1` or `2`), or a paragraph (`p`, in italics `i`)."""

    kind: str
    text: str


Report = list[Block]


def mission(story: Story) -> Report:
    """Return a full mission report."""
    told = [" ".join(each.text for each in paragraph) for paragraph in story.paragraphs()]
    return [Block("2", story.title), Block("i", story.headline), *(Block("p", each) for each in told)]


def short(story: Story) -> Report:
    """Return a report of one paragraph, with the title and what mattered most."""
    told = [each.text for paragraph in story.paragraphs(PARAGRAPH) for each in paragraph]
    return [Block("p", f"{story.title}: {story.headline} {' '.join(told)}")]


def line(story: Story) -> Report:
    """Return the headline in one line."""
    return [Block("p", f"{story.title}: {story.headline}")]


def text(report: Report) -> str:
    """Return plain text, 80 columns wide."""
    lines: list[str] = []
    for block in report:
        if block.kind in "pi":
            lines += ["", *_wrapped(block.text)]
        else:
            title = _wrapped(block.text) or [""]
            lines += ["", *title, ("=" if block.kind == "1" else "-") * max(map(len, title))]
    return "\n".join(lines).strip("\n")


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDE, break_on_hyphens=False)


def markdown(report: Report) -> str:
    """Return Markdown as forums and repositories read it."""
    parts = []
    for block in report:
        if block.kind == "p":
            parts.append(_plain_in_markdown(block.text))
        elif block.kind == "i":
            parts.append(f"*{_plain_in_markdown(block.text)}*")
        else:
            parts.append(f"{'#' * int(block.kind)} {_plain_in_markdown(block.text)}")
    return "\n\n".join(parts)


def _plain_in_markdown(line: str) -> str:
    """Escape a text for Markdown, since names come from the player."""
    line = re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", line)
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+=])", r"\\\1", line))


def bbcode(report: Report) -> str:
    """Return BBCode for forums; a zero-width space breaks a tag in a player's own words."""
    sizes, parts = {"1": 6, "2": 5}, []
    for block in report:
        told = block.text.replace("[", "[\u200b")
        if block.kind in sizes:
            parts.append(f"[size={sizes[block.kind]}][b]{told}[/b][/size]")
        else:
            parts.append(f"[i]{told}[/i]" if block.kind == "i" else told)
    return "\n\n".join(parts)


def html(report: Report) -> str:
    """Return a self-contained HTML page."""
    from markdown_it import MarkdownIt

    title = next((block.text for block in report if block.kind == "1"), "")

    body = MarkdownIt("commonmark").render(markdown(report))
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}</body></html>'


def data(report: Report, *, game: str, title: str, campaign: str, paper: str = "a4") -> dict[str, object]:
    """Return the data for the template `story`."""
    blocks = [block._asdict() for block in report]
    return {"game": game, "title": title, "campaign": campaign, "paper": paper, "blocks": blocks}
