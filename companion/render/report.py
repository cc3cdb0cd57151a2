"""Stories as plain text, Markdown, HTML, or data for the printed template."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from companion.render.story import Story

WIDE = 80
FORMS = ("md", "html", "pdf", "txt")
STYLE = (
    "body{max-width:42em;margin:2em auto;padding:0 1em;font:17px/1.5 Georgia,serif;color:#222}"
    "h1,h2,h3{line-height:1.2}table{border-collapse:collapse}td,th{padding:.15em .8em .15em 0;text-align:left;"
    "border-bottom:1px solid #ccc}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}}"
)


class Block(NamedTuple):
    """A piece of a report: a heading (`1` to `3`), a paragraph (`p`), a list (`-`) or a table (`|`) with its head
    first; its text, or its rows of cells.
    """

    kind: str
    text: str = ""
    rows: Sequence[Sequence[str]] = ()


Report = list[Block]


def mission(story: Story, level: int = 1) -> Report:
    """Return a full mission report, with its heading on that level."""
    report = [Block(str(level), story.title)]
    for chapter in story.chapters:
        report.append(Block(str(level + 1), chapter.title))
        report += [Block("p", " ".join(each.text for each in paragraph)) for paragraph in chapter.paragraphs]
    report.append(Block(str(level + 1), "What became of it"))
    for each in story.end:
        report.append(
            Block("-", rows=[[one.text] for one in each]) if isinstance(each, list) else Block("p", each.text)
        )
    return report


def short(story: Story) -> Report:
    """Return a one-paragraph report."""
    return [Block("p", " ".join(each.text for each in story.short))]


def text(report: Report) -> str:
    """Return plain text, 80 columns wide."""
    lines: list[str] = []
    for block in report:
        if block.kind == "p":
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


def html(report: Report, title: str) -> str:
    """Return a self-contained HTML page."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark").enable("table").render(markdown(report))
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}</body></html>'


def data(report: Report, *, game: str, title: str, campaign: str, paper: str = "a4") -> dict[str, object]:
    """Return the data for the template `story`."""
    blocks = [{"kind": block.kind, "text": block.text, "rows": [list(row) for row in block.rows]} for block in report]
    return {"game": game, "title": title, "campaign": campaign, "paper": paper, "blocks": blocks}
