"""A mark on the sheet as a player says it: `tail guns jammed`, `fuel.wing 12`, `wing tanks +1`, `evasive action`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import NamedTuple

from companion.engine.fields import Field, Value
from companion.engine.sheet import CROSSED, WRITTEN
from companion.play.mission import Mission
from companion.problems import Problem
from companion.words import bare, figure, one_of

MOST = 4  # fields that a doubtful word is told to mean


class Mark(NamedTuple):
    """A field and what is written there."""

    name: str
    value: Value


def marks(mission: Mission, text: str) -> list[Mark]:
    """What the words write on the sheet, several marks with commas between them. Raises a Problem that says what is
    not understood."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise Problem("say what to write, such as: = tail guns jammed")
    if len(parts) > 1 and (whole := _said(mission, " ".join(parts).split(), len(parts[0].split()))) is not None:
        return [whole]  # a label with a comma in it
    several, facts = list[Mark](), dict[str, Value]()
    with mission.game.sheet.nicknames.along_with(facts):
        for part in parts:
            several.append(_mark(mission, part) or _refuse(mission, part))
            facts.update([several[-1]])
    return several


def _mark(mission: Mission, text: str) -> Mark | None:
    """What one mark writes; None where it is not understood."""
    sheet = mission.game.sheet
    if re.match(r"[\w.:-]+=", text):
        ((name, value),) = sheet.given([text], written=True).items()
        return Mark(name, value)
    words = text.split()
    flag = _flag(mission, words)
    if flag is not None:
        return flag
    return _said(mission, words) or _said(mission, words, loosely=True)


def _said(mission: Mission, words: list[str], least: int = 0, *, loosely: bool = False) -> Mark | None:
    """The mark whose label is the first of the words, more than `least` of them, and whose value the others."""
    for count in range(len(words) - 1, least, -1):
        head, value = " ".join(words[:count]), " ".join(words[count:])
        if loosely and _named(mission, head, False):
            continue  # that line is meant, and does not take the value
        fitting = [
            mark for name in _named(mission, head, loosely) if (mark := _written(mission, name, value)) is not None
        ]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise Problem(f"{head} may be {_labels(mission, [each.name for each in fitting])}")
    return None


def _refuse(mission: Mission, text: str) -> Mark:
    """Say what is wrong with words that mark nothing: the value, where a field was meant, else the name."""
    sheet, words = mission.game.sheet, text.split()
    labels = {bare(label): label for _, label in _labelled(mission)}
    for loosely in (False, True):
        for count in range(len(words), 0, -1):
            named = _named(mission, " ".join(words[:count]), loosely)
            if len(named) == 1:
                label, declared, rest = sheet.text(named[0]), sheet.declared(named[0]), " ".join(words[count:])
                span = one_of([sheet.say(named[0], value) for value in declared.values]) or declared.span
                if rest and not declared.values:
                    declared.accept(label, rest)  # which says what is wrong
                raise Problem(
                    f"{label} cannot be {rest}; it takes {span}" if rest else f"{label} takes {span}; say which"
                )
            if named:
                raise Problem(f"{' '.join(words[:count])} may be {_labels(mission, named)}")
            near = difflib.get_close_matches(bare("".join(words[:count])), labels, 3, 0.8)
            if near and count < max(2, len(words)):  # the last word is what stands there
                meant = one_of([labels[each] for each in near])
                raise Problem(f"the sheet has no {' '.join(words[:count])!r}; did you mean {meant}?")
    head = text.rpartition(" ")[0] or text
    raise Problem(f"the sheet has no {head!r}; say a line of it and what stands there")


def _named(mission: Mission, words: str, loosely: bool) -> list[str]:
    """The fields of that name or label; `loosely` those whose label has all of the words, in any order."""
    sheet = mission.game.sheet
    wanted = bare(words)
    if not loosely:
        known = sheet.known.get(words.casefold())
        if isinstance(known, WRITTEN) and not sheet.inner(words.casefold()):
            return [words.casefold()]
        same = [(name, label) for name, label in _labelled(mission) if bare(label) == wanted]
        exact = [name for name, label in same if label.casefold() == words.casefold()]
        return exact or [name for name, _ in same]
    parts = {bare(word) for word in words.split()} - {""}
    said = {name for name, declared in sheet.fields.items() if declared.values or declared.numeric}
    return [name for name, label in _labelled(mission) if name in said and parts and parts <= _words(label)]


def _labelled(mission: Mission) -> Iterator[tuple[str, str]]:
    """Every field that a player sees, with its label."""
    sheet = mission.game.sheet
    for name, declared in sheet.fields.items():
        if declared.section != "working" and declared.kind != "list" and not sheet.free(name, mission.state):
            yield name, sheet.text(name)


def _words(label: str) -> set[str]:
    """The words of a label: `Port outboard tank` is a port tank too."""
    return {bare(word) for word in re.split(r"[\s,]+", label)} - {""}


def _written(mission: Mission, name: str, typed: str) -> Mark | None:
    """What is typed as it may stand in the field; None where it may not."""
    sheet = mission.game.sheet
    declared, number = sheet.declared(name), figure(typed)
    if number is not None and typed[:1] in "+-" and declared.kind in CROSSED:
        number += int(mission.state.get(name, declared.blank))
        typed = str(number)
    try:
        return Mark(name, declared.accept(sheet.text(name), typed))
    except Problem:
        spoken = [value for value in declared.values if bare(sheet.say(name, value)) == bare(typed)]
        return Mark(name, spoken[0]) if len(spoken) == 1 else None


def _flag(mission: Mission, words: list[str]) -> Mark | None:
    """`evasive action` is yes, `not evasive action` is no."""
    no = words[0].casefold() == "not" and len(words) > 1
    wanted = bare(" ".join(words[1:] if no else words))
    for name, label in _labelled(mission):
        if _yes_or_no(mission.game.sheet.fields[name]) and wanted in (bare(label), bare(name)):
            return Mark(name, "no" if no else "yes")
    return None


def _yes_or_no(declared: Field) -> bool:
    return set(declared.values) == {"yes", "no"}


def _labels(mission: Mission, names: list[str]) -> str:
    """Fields by their labels, not more of them than one takes in."""
    sheet = mission.game.sheet
    labels = list(dict.fromkeys(sheet.text(name) for name in names))
    if len(labels) == 1:
        labels = names  # the sheet has several of one label, and only their names tell them apart
    more = ["another"] if len(labels) > MOST else []
    return one_of([*labels[:MOST], *more])
