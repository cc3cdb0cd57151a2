"""Compiled files of packs, kept in the data folder and believed only when proved.

A kept file begins with a checksum over all that follows; then stand the sources it was made from, each with its own
checksum, and the code. Whatever does not agree is made anew from the sources: deleting the cache costs time only.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.files import disk
from companion.files.home import home
from companion.problems import Trouble
from companion.words import figure

try:
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

if TYPE_CHECKING:
    from companion.packs.pack import Pack

FORMAT = 2
WRITERS = ("grammar.py", "sentences.py", "compiler.py")  # what writes the code that is kept


def mark() -> bytes:
    """The first line of a kept file: what wrote it, on which Python; another one's files are made anew."""
    folder = Path(__file__).parent
    writers = [os.stat(folder / name) for name in WRITERS]
    made = ".".join(f"{each.st_size}-{each.st_mtime_ns:x}" for each in writers)
    return f"companion {FORMAT} {made} {sys.implementation.cache_tag} {sys.hexversion:x}\n".encode()


def digest(data: bytes) -> bytes:
    """A checksum of sixteen bytes."""
    return blake2b(data, digest_size=16).digest()


def unit(pack: Pack, name: str) -> Mapping[str, Any]:
    """A file of a pack, compiled, with its functions standing where its sentences are."""
    sources = _sources(pack, name)
    kept = kept_file(pack, name)
    code = _kept(kept, sources)
    if code is None:
        code = _made(pack, name, kept)
    return run(code, pack, name)


def run(code: Any, pack: Pack, name: str) -> Mapping[str, Any]:
    """The module of a compiled file, run with nothing but what sentences may use.

    Its maps of names are filled in from the sheet: for the sheet's own functions when it is read (`#link`).
    """
    space = {**GIVEN, "__builtins__": {}}
    exec(code, space)
    unit: dict[str, Any] = space["DOC"]
    if name == "sheet":
        unit["#link"] = lambda sheet: space["link"](sheet.names, sheet.members, sheet.attribute)
    elif space["LINKED"]:
        sheet = pack.sheet
        space["link"](sheet.names, sheet.members, sheet.attribute)
    return unit


def same(one: Any, other: Any) -> bool:
    """Whether two texts are the same to a player: without regard to case, blanks and hyphens."""
    if one == other:
        return True
    return str(one).casefold().replace(" ", "-") == str(other).casefold().replace(" ", "-")


def whole(value: Any) -> int:
    """A number that stands in a text; 0 where there is none."""
    if isinstance(value, int):
        return value
    return figure(str(value)) or 0


def one(names: Any, *members: Any) -> str | None:
    """The single name for these members; None where one of them is bound to nobody."""
    for member in members:
        names = names.get(str(member))
        if names is None:
            return None
    single: str = names
    return single


LARGEST = 10**15  # of a product
LONGEST = 50_000  # letters of a text that is put together


def product(one: int, other: int) -> int:
    """One number times another; raises Trouble where facts multiply each other beyond all figures."""
    made = one * other
    if abs(made) > LARGEST:
        raise Trouble("the pack works out a number beyond all figures")
    return made


def filled(text: str, holes: tuple[Any, ...]) -> str:
    """A text with its braces filled in; raises Trouble where texts hold each other again and again."""
    made = text % holes
    if len(made) > LONGEST:
        raise Trouble("the pack puts a text together that is longer than any page")
    return made


GIVEN: dict[str, Any] = {
    "same": same, "whole": whole, "one": one, "product": product, "filled": filled,
    "min": min, "max": max, "str": str, "tuple": tuple, "frozenset": frozenset,
    "inf": float("inf"), "nan": float("nan"),  # which a file of TOML may hold, and which are written so
}  # fmt: skip


def _sources(pack: Pack, name: str) -> list[tuple[str, bytes]]:
    """Every file that a unit is made from directly, with its checksum."""
    paths = [*pack.layers.get(name, ()), *(pack.layers.get("sheet", ()) if name != "sheet" else ())]
    return [(str(path), _checked(path)) for path in paths]


def _checked(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}") from None


def kept_file(pack: Pack, name: str) -> Path:
    """Where a compiled file of a pack is kept."""
    which = zlib.crc32("\n".join(map(str, pack.layers[name])).encode())
    return home() / "cache" / f"{pack.name}-{name}-{which:08x}.bin"


def _kept(path: Path, sources: list[tuple[str, bytes]]) -> Any:
    """The code that is kept, when it is whole and made from these sources; else None."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError):
        return None
    begins = mark()
    body = data[len(begins) + 16 :]
    if not data.startswith(begins) or data[len(begins) : len(begins) + 16] != digest(body):
        return None
    made_from, looked_up, code = marshal.loads(body)
    if made_from != sources:
        return None
    try:
        if any(_checked(Path(each)) != checked for each, checked in looked_up):
            return None
    except Trouble:
        return None
    return code


def _made(pack: Pack, name: str, kept: Path) -> Any:
    source, faults, tables = pack.compiled(name)
    if faults:
        from companion.packs.proof import placed

        raise Trouble(placed(pack, name, faults[0]))
    code = compile(source, f"<{pack.name} {name}>", "exec", dont_inherit=True, optimize=2)
    looked_up = [(str(path), _checked(path)) for table in tables for path in pack.layers.get(table, ())]
    body = marshal.dumps((_sources(pack, name), looked_up, code))
    _keep(kept, mark() + digest(body) + body)
    return code


def extended(path: Path) -> str:
    """What `extends` says in a `pack.toml`: the line is looked for, and only where it stands is the file parsed."""
    from companion.packs.pack import read_file

    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}") from None
    return (
        str(read_file(path).get("extends", "")) if b"extends" in data or data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
    )


def _keep(path: Path, data: bytes) -> None:
    """The cache is a convenience: where it cannot be written, the sources serve."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        disk.swap(path, data)
    except OSError:
        pass
