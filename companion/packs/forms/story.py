"""The form of `story.toml`: in which words a game tells a mission afterwards, and which of its rolls are luck."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.packs.forms.form import BY_ID, Condition, Form, Members

Texts = str | Annotated[list[str], Meta(min_length=1, description="a list of texts that take turns")]


class Telling(Form, kw_only=True):
    """A sentence of the story, in one wording or several: what it waits for, and when it is said.

    With `as` what happens in a row is told together: that is how each is named in `told`. Its `id` is for a pack that
    lies over this one.
    """

    id: str = ""
    text: Texts
    on: str | list[str] = ""
    for_: Members = ""
    when: Condition = ""
    as_: str = ""
    later: bool = False


class Chapter(Form, kw_only=True):
    """A part of the story: its heading, when the mission is in it, how its paragraphs begin when they read otherwise,
    and what else parts them (`by`)."""

    title: str
    when: Condition = ""
    text: Texts = ""
    by: str = ""


class Wished(Form, kw_only=True):
    """A table whose rolls are luck: the results that are good for the player, or bad for him."""

    on: str
    title: str
    good: list[str] = []
    bad: list[str] = []


class Story(Form):
    """`story.toml`; `capital` are words that keep theirs in the middle of a sentence."""

    title: str = ""
    capital: list[str] = []
    chapter: list[Chapter] = []
    line: Annotated[list[Telling], BY_ID] = []
    end: Annotated[list[Telling], BY_ID] = []
    short: Annotated[list[Telling], BY_ID] = []
    luck: list[Wished] = []
