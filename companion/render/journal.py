"""The journal on a printed sheet: every roll, decision and mark in a sentence, zone by zone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.journal import settled
from companion.play.mission import Mission
from companion.play.retelling import scenes
from companion.render.entries import in_words
from companion.render.history import History


class Stretch(TypedDict):
    """What was done in one zone: where it was, and a sentence for each entry, with its number."""

    where: str
    lines: list[tuple[int, str]]


def by_zone(pack: Pack, mission: Mission, history: History) -> list[Stretch]:
    """Everything that somebody was asked for or did; what came about by itself is left out."""
    stretches: list[Stretch] = []
    for scene in scenes(mission, lambda entry: not settled(entry)):
        if settled(scene.entry):
            continue
        where = history.place(scene.state)
        if not stretches or stretches[-1]["where"] != where:
            stretches.append({"where": where, "lines": []})
        stretches[-1]["lines"].append((scene.number, in_words(scene.entry, pack, scene.result)))
    return stretches


def in_lines(stretches: Sequence[Stretch]) -> list[str]:
    """The same as lines of text."""
    lines = []
    for each in stretches:
        lines += ["", each["where"]] if each["where"] else []
        lines += [f"{number:3d}  {words}" for number, words in each["lines"]]
    return lines


def written(value: Value | None) -> str:
    """A value as a line shows it, a dash for nothing."""
    return "–" if value in (None, "") else str(value)
