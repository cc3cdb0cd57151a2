"""Pending things: rolls, decisions, questions about fields, orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.engine.fields import Value

KINDS = ("roll", "choose", "ask", "order")


class Pending(NamedTuple):
    """One pending thing.

    Attributes:
        kind: `roll`, `choose` (a decision), `ask` (a question about a field) or `order` (carried out by the player).
        name: The table, decision or field, or the text of the order.
        bind: The fighter, gun, man or area that it is about.
        born: The journal entry that asked for it; 0 if none did.
        take: The row of a roll that needs no dice.
        usual: The default answer of a question about a field.
        line: The line of fields that are asked for together.
        cite: The section that an order follows.
        until: The sentence that ends an order.
        by: The file of the pack with that sentence.
    """

    kind: str
    name: str
    bind: Mapping[str, Value] = {}  # never written to
    born: int = 0
    take: int | None = None
    usual: Value | None = None
    line: str = ""
    cite: str = ""
    until: str = ""
    by: str = ""

    def is_for(self, kind: str, name: object) -> bool:
        """Return whether it is the given roll, decision or question."""
        return self.kind == kind and self.name == name

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Pending:
        """Load one from its stored form: `{"roll": "5-9", "bind": {"fighter": "1"}, "born": 12}`."""
        kind = next(each for each in KINDS if each in document)
        more = {
            key: document[key] for key in ("bind", "born", "take", "usual", "line", "cite", "by") if key in document
        }
        return cls(kind, str(document[kind]), **more, until=str(document.get("done", "")))

    def document(self) -> dict[str, Any]:
        """Return its stored form."""
        stored: dict[str, Any] = {self.kind: self.name}
        if self.bind:
            stored["bind"] = dict(self.bind)
        for key in ("born", "line", "cite", "by"):
            if value := getattr(self, key):
                stored[key] = value
        for key, value in (("take", self.take), ("usual", self.usual), ("done", self.until or None)):
            if value is not None:
                stored[key] = value
        return stored


def asks_the_same(one: Pending, other: Pending) -> bool:
    """Return whether two ask for the same thing, no matter when each was added."""
    return (one.kind, one.name, one.bind, one.take) == (other.kind, other.name, other.bind, other.take)


def alike(one: Pending, other: Pending) -> bool:
    """Return whether two rolls were asked for together for the same fighter, gun or crewman.

    One may have more facts bound than the other.
    """
    if (one.kind, one.name, one.born, one.take) != (other.kind, other.name, other.born, other.take):
        return False
    return one.kind == "roll" and all(other.bind.get(key, value) == value for key, value in one.bind.items())


def with_asked(
    pending: Sequence[Pending],
    item: Pending | None,
    front: Sequence[Pending],
    later: Sequence[Pending],
    last: Sequence[Pending],
    born: int,
) -> list[Pending]:
    """Return the list after `item` is resolved and has asked for the given things.

    `front` goes first, `later` after the things asked for together with `item`, `last` after everything but the orders;
    orders come at the end. All get the entry `born`, except the die of a row itself and the `later` ones, which stay in
    the group of `item`.
    """
    after = list(pending)
    if item is not None and item in after:
        after.remove(item)
    group = item.born if item else 0
    if later:
        place = max((at for at, each in enumerate(after) if group and each.born == group), default=-1)
        after[place + 1 : place + 1] = [each._replace(born=group or born) for each in later]
    own_die = f"{item.name}." if item is not None and item.kind == "roll" else "-"
    after[0:0] = [
        each._replace(born=group if group and each.kind == "roll" and each.name.startswith(own_die) else born)
        for each in front
        if each.kind != "order"
    ]
    if last:
        orders_from = next((at for at, each in enumerate(after) if each.kind == "order"), len(after))
        after[orders_from:orders_from] = [each._replace(born=born) for each in last]
    return after + [each._replace(born=born) for each in front if each.kind == "order"]
