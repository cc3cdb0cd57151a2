"""Names with braces: `crew.{position}`, `fighter.{aim.{gun}}.clock`, `{area.table}`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.problems import Trouble

Render = Callable[[Mapping[str, Any]], str]
MANY = 10_000
_COMPILED: dict[str, str | Render] = {}  # what `render` has seen: packs say the same few thousand texts again and again


def compile_name(text: str) -> str | Render:
    """A name without braces comes back as it is, one with braces as a function of the facts."""
    if "{" not in text:
        return text
    parts = [_value(compile_name(part)) if hole else part for part, hole in parts_of(text)]
    return parts[0] if len(parts) == 1 else _joined(parts)


def parts_of(text: str) -> Iterator[tuple[str, bool]]:
    """The plain stretches of a name and what its outermost braces hold, in order; the latter are marked."""
    at = 0
    while at < len(text):
        start = text.find("{", at)
        if start < 0:
            yield text[at:], False
            return
        if start > at:
            yield text[at:start], False
        depth, at = 1, start + 1
        while depth and at < len(text):
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
        if depth:
            raise Trouble(f"the name {text!r} has a brace without its partner")
        yield text[start + 1 : at - 1], True


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
