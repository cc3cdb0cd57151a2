"""The form of `rulings.toml`: how a game reads the places where its books can be read in two ways."""

from __future__ import annotations

from typing import Annotated

from companion.packs.forms.form import BY_ID, Form, Name


class Ruling(Form, kw_only=True):
    """One place: what is in doubt, our reading, what else it could mean, the field where the player can choose."""

    id: str
    section: str
    title: str
    reading: str
    otherwise: str
    setting: Name = ""


class Rulings(Form):
    """`rulings.toml`."""

    ruling: Annotated[list[Ruling], BY_ID] = []
