"""Whether a pack's file has the form that is declared: every slip as a sentence that names the place and the word.

A file is taken piece by piece, so that several slips are said at once. Only what proves a pack loads this.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, get_args, get_origin

from msgspec import ValidationError, convert

from companion.engine.fields import Spec
from companion.packs.forms.files import FILES, PATCHED, TOGETHER, Line, Patch, Piece
from companion.packs.forms.form import Form, form_in, keys_of, kinds_in, laid, needed, noted
from companion.packs.forms.sheet import MEMBER, Index, Sheet
from companion.packs.toml_files import Where
from companion.words import one_of

Slip = tuple[Where, str]  # the thing that is wrong, for finding its line, and what is wrong with it
IN_WORDS: dict[object, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


def wrong(doc: Spec, kind: str) -> list[str]:
    """Every slip in a parsed file of that kind, in the order of the file; no sentence twice."""
    return list(dict.fromkeys(sentence for _, sentence in slips(doc, kind)))


def slips(doc: Spec, kind: str) -> Iterator[Slip]:
    """Every slip in a parsed file of that kind: where in the file, and what is wrong there."""
    yield from _marked(doc, ())
    if "patch" not in doc or kind not in PATCHED:
        yield from _form(doc, FILES[kind], ())
        return
    yield from (_slip((), _unknown(key, ["patch"]), (key,)) for key in doc if key != "patch")
    if not isinstance(doc["patch"], list) or not doc["patch"]:
        yield _slip(("patch",), f"is {_shown(doc['patch'])}; it takes a list of patches: write [[patch]]")
        return
    for at, patch in enumerate(doc["patch"]):
        yield from _patch(patch, kind, ("patch", at))


def _marked(part: object, path: Where) -> Iterator[Slip]:
    """Names that begin with the sign under which the compiled functions stand."""
    for key, each in part.items() if isinstance(part, Mapping) else enumerate(part if isinstance(part, list) else ()):
        if isinstance(key, str) and key.startswith("#"):
            yield _slip(path, f"has {key!r}; a name does not begin with #", (*path, key))
        yield from _marked(each, (*path, key))


def _patch(patch: object, kind: str, path: Where) -> Iterator[Slip]:
    """One patch: a piece of the file, its reason, and for a table the words that stand for a piece in a line."""
    if not isinstance(patch, Mapping):
        yield _slip(path, f"is {_shown(patch)}; it takes a table")
        return
    own = {key: each.type for key, each in keys_of(FILES[kind]).items() if key != "id"}
    words = {key: each.type for key, each in keys_of(Patch).items()}
    if kind == "table":
        words |= {key: each.type for key, each in keys_of(Line).items() if key not in own}
        own |= {key: own[key] | str for key in ("modifier", "column")}
    if "id" in patch:
        yield _slip(path, "has 'id', which a patch cannot change", (*path, "id"))
    known = {**own, **words}
    for key, value in patch.items():
        if key in known:
            yield from _value(value, known[key], (*path, key), laid(own.get(key)) or key in ("modifier", "column"))
        elif key != "id":
            yield _slip(path, _unknown(key, list(known)), (*path, key))
    if "reason" not in patch:
        yield _slip(path, "lacks reason: a patch says why it changes what is below")
    if kind == "table":
        for key, needs in TOGETHER.items():
            yield from (
                _slip(path, f"has {key} without {each}", (*path, key))
                for each in needs
                if key in patch and each not in patch
            )


def _form(value: Spec, form: type[Form], path: Where, patched: bool = False) -> Iterator[Slip]:
    """A table with keys of its own; as a piece of a patch it needs none of them."""
    known = keys_of(form)
    pieces = keys_of(Piece) if patched else {}
    for key, each in value.items():
        if key in known:
            kind = known[key].type
            yield from _value(each, kind, (*path, key), patched and laid(kind))
        elif key in pieces:
            yield from _value(each, pieces[key].type, (*path, key))
        elif form is Index and isinstance(each, Mapping):
            yield from _value(
                each, dict[str, MEMBER] if patched and _fits(each, dict[str, MEMBER]) else MEMBER, (*path, key)
            )
        else:
            yield _slip(path, _unknown(key, list(known)), (*path, key))
    if patched:
        return
    for key, info in known.items():
        if info.required and key not in value and not _misspelt(key, value, known):
            yield _slip(path, f"lacks {key}")
    among = needed(form)
    if among and not any(key in value for key in among) and not any(key not in known for key in value):
        yield _slip(path, f"lacks {one_of(among)}")


def _misspelt(key: str, value: Spec, known: Iterable[str]) -> bool:
    """Whether what is lacking stands there under a name that is none."""
    return any(key in difflib.get_close_matches(odd, list(known), 2, 0.5) for odd in value if odd not in known)


def _value(value: object, kind: object, path: Where, patched: bool = False) -> Iterator[Slip]:
    """What stands under a key, or in a list or a table of names."""
    if not patched and not _open(kind) and _fits(value, kind):
        return
    options = {get_origin(noted(each).kind) or noted(each).kind: each for each in kinds_in(kind)}
    form = form_in(kind)
    if isinstance(value, Mapping) and form is not None:
        yield from _form(value, form, path, patched)
    elif isinstance(value, Mapping) and dict in options:
        yield from _named(value, options[dict], path, patched)
    elif isinstance(value, list) and list in options:
        yield from _listed(value, options[list], path, patched)
    elif not _fits(value, kind):
        yield _slip(path, f"is {_shown(value)}; it takes {one_of(_takes(kind))}")


def _named(value: Spec, kind: object, path: Where, patched: bool) -> Iterator[Slip]:
    keys, values = get_args(noted(kind).kind)
    for key, each in value.items():
        if not _fits(key, keys):
            yield _slip(path, f"has {key!r}, which is not {noted(keys).words}", (*path, key))
        elif patched and isinstance(each, Mapping) and set(each) == {"remove"}:
            yield from _value(each["remove"], bool, (*path, key, "remove"))
        else:
            yield from _value(each, values, (*path, key), patched)


def _listed(value: Sequence[object], kind: object, path: Where, patched: bool) -> Iterator[Slip]:
    (inner,) = get_args(noted(kind).kind)
    inside = [slip for at, each in enumerate(value) for slip in _value(each, inner, (*path, at), patched)]
    yield from inside
    if not inside and not patched and not _fits(value, kind):
        yield _slip(path, f"has {len(value)} of them; {noted(kind).words} belong there")


@cache
def _open(kind: object) -> bool:
    """Whether an index is among what may stand there: it has names of its own beside its words."""
    whole = noted(kind).kind
    return whole in (Index, Sheet) or any(_open(each) for each in get_args(whole))


def _fits(value: object, kind: object) -> bool:
    try:
        convert(value, kind)
    except ValidationError:
        return False
    return True


def _slip(path: Where, sentence: str, at: Where | None = None) -> Slip:
    return (path if at is None else at), f"{place(path)} {sentence}"


def _unknown(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, known, 1, 0.74) or difflib.get_close_matches(word, known, 2, 0.5)
    return f"has {word!r}, which there is not; " + (
        f"did you mean {one_of(near)}?" if near else f"known are {one_of(list(known))}"
    )


def place(path: Where) -> str:
    """`modifier 3`, `outcome.crew`, `patch 1, modifier 2, when`; `it` is the whole file.

    >>> place(("patch", 0, "modifier", 2, "when"))
    'patch 1, modifier 3, when'
    """
    words = ""
    for at, step in enumerate(path):
        if isinstance(step, int):
            words += f" {step + 1}"
        elif at:
            words += f", {step}" if isinstance(path[at - 1], int) else f".{step}"
        else:
            words = step
    return words or "it"


def _shown(thing: object) -> str:
    """What stands there, in short."""
    if isinstance(thing, Mapping | list):
        return ("a table" if isinstance(thing, Mapping) else "a list") if thing else "empty"
    return json.dumps(thing, ensure_ascii=False)[:60]


def _takes(kind: object) -> list[str]:
    """What may stand there."""
    words: list[str] = []
    for each in kinds_in(kind):
        whole, *_, description = noted(each)
        if get_origin(whole) is Literal:
            words += get_args(whole)
        elif description:
            words.append(description)
        elif isinstance(whole, type) and issubclass(whole, Form):
            words.append("a table")
        else:
            words.append(IN_WORDS[get_origin(whole) or whole])
    return list(dict.fromkeys(words))
