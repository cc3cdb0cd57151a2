"""Names with braces: `crew.{position}`, `fighter.{aim.{gun}}.clock`, `{area.table}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.problems import Trouble

Render = Callable[[Mapping[str, Any]], str]
MANY = 10_000
_COMPILED: dict[str, str | Render] = {}  # what `render` has seen: packs say the same few thousand texts again and again


def compile_name(text: str) -> str | Render:
    """A name without braces comes back as it is, one with braces as a function of the facts."""
    if "{" not in text:
        return text
    parts: list[str | Render] = []
    at = 0
    while at < len(text):
        start = text.find("{", at)
        if start < 0:
            parts.append(text[at:])
            break
        if start > at:
            parts.append(text[at:start])
        depth, end = 1, start + 1
        while depth and end < len(text):
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        if depth:
            raise Trouble(f"the name {text!r} has a brace without its partner")
        inner = compile_name(text[start + 1 : end - 1])
        parts.append(_value(inner))
        at = end
    if len(parts) == 1:
        return parts[0]

    return _joined(parts)


def _joined(parts: list[str | Render]) -> Render:
    """The parts put together; a name with one hole, which most have, without a loop."""
    holes = [part for part in parts if not isinstance(part, str)]
    if len(holes) == 1 and len(parts) <= 3:
        at, hole = parts.index(holes[0]), holes[0]
        head = "".join(part for part in parts[:at] if isinstance(part, str))
        tail = "".join(part for part in parts[at + 1 :] if isinstance(part, str))
        return lambda facts: f"{head}{hole(facts)}{tail}"

    def render(facts: Mapping[str, Any]) -> str:
        return "".join([part if isinstance(part, str) else str(part(facts)) for part in parts])

    return render


def _value(inner: str | Render) -> Render:
    if isinstance(inner, str):
        return lambda facts: facts[inner]
    return lambda facts: facts[inner(facts)]


def render(text: Any, facts: Mapping[str, Any]) -> Any:
    """`text` with every braced name replaced by its value; a text that is one brace keeps the value's type."""
    if not isinstance(text, str) or "{" not in text:
        return text
    name = _COMPILED.get(text)
    if name is None:
        if len(_COMPILED) > MANY:  # words of a player's own may pass here too
            _COMPILED.clear()
        name = _COMPILED[text] = compile_name(text)
    return name if isinstance(name, str) else name(facts)


def names_in(text: str) -> list[str]:
    """The names that stand inside braces, the inner ones of nested braces too."""
    found, stack = [], []
    for place, letter in enumerate(text):
        if letter == "{":
            stack.append(place)
        elif letter == "}" and stack:
            found.append(text[stack.pop() + 1 : place])
    return found
