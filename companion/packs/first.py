"""The first edition of the packs: its conditions as sentences, and its files in a player's folder.

Campaigns of that time hold such conditions in their journals; tables that were taken down then have them in their
modifiers, and count as before. Other files of that edition are refused: their conditions would be passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any

from companion.engine.spec import Spec
from companion.problems import Trouble

WORD = re.compile(r"-?\d+|\d+:\d+|[a-z0-9][a-z0-9]*([.:-][a-z0-9]+)*")


def sentence(condition: Spec) -> str:
    """The sentence that says what a tree of the first edition said.

    >>> sentence({"engines.out": {"max": 1}, "bombs": "aboard"})
    "engines.out <= 1 and bombs = 'aboard'"
    """
    parts: list[str] = []
    for key, value in condition.items():
        if key == "any":
            parts.append("(" + " or ".join(f"({sentence(each)})" for each in value) + ")" if value else "no")
        elif key == "all":
            parts += [f"({sentence(each)})" for each in value]
        elif key == "not":
            parts.append(f"not ({sentence(value)})")
        elif key in ("some", "none", "count") and isinstance(value, Mapping) and "each" in value:
            parts.append(_over(key, value))
        elif key == "column":
            parts.append(f"column('{value}')")
        else:
            parts.append(_compared(_name(key), value))
    return " and ".join(parts) or "yes"


def _over(kind: str, spec: Spec) -> str:
    name = f" as {spec['as']}" if spec.get("as", spec["each"]) != spec["each"] else ""
    over = f"{'no' if kind == 'none' else kind} {spec['each']}{name} ({sentence(spec.get('where', {}))})"
    signs = {"min": ">=", "max": "<=", "is": "="}
    bounds = [f"{over} {signs[key]} {spec[key]}" for key in signs if key in spec]
    return " and ".join(bounds) if kind == "count" else over


def _name(text: str) -> str:
    """`crew.{position}` as `crew[position]`."""
    inner = 1
    while inner:
        text, inner = re.subn(r"\.?\{([^{}]+)\}", r"[\1]", text)
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _word(value: object) -> str:
    text = str(value)
    if "{" in text:
        return _name(text)
    return text if text.lstrip("-").isdigit() or text in ("yes", "no", "none") else f"'{text}'"


def _compared(name: str, value: object) -> str:
    if isinstance(value, list):
        return f"{name} in ({', '.join(map(_word, value))})"
    if not isinstance(value, Mapping):
        return f"{name} = {_word(value)}"
    signs = (("min", ">="), ("max", "<="), ("is", "="))
    parts = [f"{name} {sign} {_word(value[key])}" for key, sign in signs if key in value]
    if "not" in value:
        refused = value["not"]
        several = isinstance(refused, list)
        parts.append(f"{name} not in ({', '.join(map(_word, refused))})" if several else f"{name} != {_word(refused)}")
    return " and ".join(parts)


# -- files of a player's own -------------------------------------------------------------------------------------------

OLD: dict[str, type | UnionType] = {
    "effects": list, "where": Mapping, "when": Mapping, "done": Mapping, "usual": Mapping, "of": Mapping,
    "bind": Mapping, "counts": Mapping, "aircraft-lost": Mapping, "each": str, "per": str, "take": str, "halve": str,
    "once": str, "less": int | str, "repeat": bool, "always": bool, "said": bool, "value": list,
    "field": Mapping, "derive": Mapping, "section": Mapping,
}  # fmt: skip
"""Words that only the first edition has, or had so."""
NAMED = {
    "outcome": 1, "sub": 1, "choice": 1, "facts": 1, "sections": 1, "rows": 1, "with": 1, "names": 1, "known": 1,
    "sides": 1, "fates": 1, "standing": 1, "fields": 2, "index": 9, "words": 9,
}  # fmt: skip
"""Tables whose keys are the pack's own names, and how many levels of them."""


def brought_over(doc: Spec) -> Spec:
    """A player's file, the modifiers of its patches in sentences."""
    return {**doc, "patch": [piece(each) for each in doc["patch"]]} if isinstance(doc.get("patch"), list) else doc


def refuse(doc: Spec, path: Path) -> None:
    """Raise Trouble for a file of the first edition, which would be misunderstood."""
    word = _old(doc)
    if word:
        raise Trouble(
            f"{path} is in the first edition of the format ({word!r}): now a condition is a sentence and what happens "
            "is lines of `do`; write it anew, see tables/README.md"
        )


def piece(patch: Any) -> Any:
    """A patch, or a piece of one, with the conditions of its modifiers in sentences."""
    if not isinstance(patch, Mapping):
        return patch
    whole = _modifier(patch) if isinstance(patch.get("modifier"), str) else dict(patch)
    if isinstance(whole.get("modifier"), list):
        whole["modifier"] = [_modifier(each) for each in whole["modifier"]]
    for kind in ("outcome", "sub"):
        if isinstance(whole.get(kind), Mapping):
            whole[kind] = {name: piece(each) for name, each in whole[kind].items()}
    return whole


def _modifier(spec: Any) -> Any:
    """A modifier with its condition in a sentence; one that cannot be said in one stays as it is."""
    if not isinstance(spec, Mapping) or not isinstance(spec.get("when"), Mapping):
        return spec
    modifier = {key: value for key, value in spec.items() if key != "when"}
    if spec["when"]:
        try:
            modifier["when"] = sentence(spec["when"])
        except (TypeError, ValueError, AttributeError, RecursionError):
            modifier["when"] = spec["when"]
    return modifier


def _old(part: object, named: int = 0) -> str:
    """The first word of the first edition in a file; empty where there is none."""
    if isinstance(part, list):
        return next(filter(None, map(_old, part)), "")
    if not isinstance(part, Mapping):
        return ""
    for key, value in part.items():
        if not named and key in OLD and isinstance(value, OLD[key]):
            return str(key)
        inner = _old(value, named - 1 if named else NAMED.get(key, 0))
        if inner:
            return inner
    return ""
