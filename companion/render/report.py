"""Stories as plain text, Markdown, HTML, or data for the printed template."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from companion.render.story import PARAGRAPH, Story

WIDE = 80
FORMS = ("md", "html", "bbcode", "pdf", "txt")
PASTED = ("md", "bbcode", "html")
STYLE = (
    "body{max-width:42em;margin:2em auto;padding:0 1em;font:17px/1.5 Georgia,serif;color:#222}"
    "h1,h2,h3{line-height:1.2}table{border-collapse:collapse}td,th{padding:.15em .8em .15em 0;text-align:left;"
    "border-bottom:1px solid #ccc}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}}"
)


class Block(NamedTuple):
    """A piece of a report: a heading (`1` to `3`), a paragraph (`p`, in italics `i`), a list (`-`) or a table (`|`),
    its head first; with a text, or rows of cells.
    """

    kind: str
    text: str = ""
    rows: Sequence[Sequence[str]] = ()


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
        elif block.kind == "-":
            listed = [_wrapped(row[0], "- ", "  ") for row in block.rows]
            lines += ["", *(line for each in listed for line in each)]
        elif block.kind == "|":
            widths = [max(len(row[at]) for row in block.rows) for at in range(len(block.rows[0]))]
            rows = (
                "  ".join(f"{cell:{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in block.rows
            )
            lines += ["", *rows]
        else:
            title = _wrapped(block.text) or [""]
            lines += ["", *title, ("=" if block.kind == "1" else "-") * max(map(len, title))]
    return "\n".join(lines).strip("\n")


def _wrapped(line: str, first: str = "", further: str = "") -> list[str]:
    return textwrap.wrap(line, WIDE, initial_indent=first, subsequent_indent=further, break_on_hyphens=False)


def markdown(report: Report) -> str:
    """Return Markdown as forums and repositories read it."""
    parts = []
    for block in report:
        if block.kind == "p":
            parts.append(_plain_in_markdown(block.text))
        elif block.kind == "i":
            parts.append(f"*{_plain_in_markdown(block.text)}*")
        elif block.kind == "-":
            parts.append("\n".join(f"- {_plain_in_markdown(row[0])}" for row in block.rows))
        elif block.kind == "|":
            rows = ["| " + " | ".join(map(_plain_in_markdown, row)) + " |" for row in block.rows]
            parts.append("\n".join([rows[0], "|" + "---|" * len(block.rows[0]), *rows[1:]]))
        else:
            parts.append(f"{'#' * int(block.kind)} {_plain_in_markdown(block.text)}")
    return "\n\n".join(parts)


def _plain_in_markdown(line: str) -> str:
    """Escape a text for Markdown, since names come from the player."""
    line = re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", line)
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+=])", r"\\\1", line))


def bbcode(report: Report) -> str:
    """Return BBCode for forums; a zero-width space breaks a tag in a player's own words."""
    sizes, parts = {"1": 6, "2": 5, "3": 4}, []
    for block in report:
        told = block.text.replace("[", "[\u200b")
        rows = [[cell.replace("[", "[\u200b") for cell in row] for row in block.rows]
        if block.kind == "-":
            parts.append("[list]\n" + "\n".join(f"[*]{row[0]}" for row in rows) + "\n[/list]")
        elif block.kind == "|":
            cells = ("".join(f"[td]{cell}[/td]" for cell in row) for row in rows)
            parts.append("[table]\n" + "\n".join(f"[tr]{each}[/tr]" for each in cells) + "\n[/table]")
        elif block.kind in sizes:
            parts.append(f"[size={sizes[block.kind]}][b]{told}[/b][/size]")
        else:
            parts.append(f"[i]{told}[/i]" if block.kind == "i" else told)
    return "\n\n".join(parts)


def html(report: Report) -> str:
    """Return a self-contained HTML page."""
    from markdown_it import MarkdownIt

    title = next((block.text for block in report if block.kind == "1"), "")

    body = MarkdownIt("commonmark").enable("table").render(markdown(report))
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}</body></html>'


def data(report: Report, *, game: str, title: str, campaign: str, paper: str = "a4") -> dict[str, object]:
    """Return the data for the template `story`."""
    blocks = [{"kind": block.kind, "text": block.text, "rows": [list(row) for row in block.rows]} for block in report]
    return {"game": game, "title": title, "campaign": campaign, "paper": paper, "blocks": blocks}
