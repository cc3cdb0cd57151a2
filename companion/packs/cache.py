"""Compiled files of packs, kept in the data folder and believed only when proved.

A kept file begins with a checksum over all that follows; then stand the sources it was made from, each with its own
checksum, and the code. Whatever does not agree is made anew from the sources: deleting the cache costs time only.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from companion.files import disk
from companion.files.home import home
from companion.problems import Trouble

try:
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

FORMAT = 3
LANGUAGE = "closure compiler facts file grammar happenings module names references tables writer"
WRITERS = (
    *(f"language/{name}.py" for name in LANGUAGE.split()),
    "overlays.py", "source.py", "first.py", "layers.py",
)  # fmt: skip
"""What decides which code is kept: sentences to Python, and files as they come to with what lies over them."""


class Written(NamedTuple):
    """The Python of a file: what it is called in a traceback, its source, and what else than its sources it is from."""

    label: str
    source: str
    looked_up: Sequence[Path]


def code(game: str, name: str, paths: Sequence[Path], sheet: Sequence[Path], write: Callable[[], Written]) -> CodeType:
    """The compiled file of that name, from the cache while nothing has changed; else as `write` writes it.

    It is made from the layers of the file and of the sheet. Raises Trouble where one of them cannot be read.
    """
    sources = _checksums([*paths, *sheet])
    place = kept_file(game, name, paths)
    return _kept(place, sources) or _written(place, sources, write())


@cache
def mark() -> bytes:
    """The first line of a kept file: what wrote it, on which Python; another one's files are made anew."""
    folder = os.path.dirname(__file__)
    writers = [os.stat(f"{folder}/{name}") for name in WRITERS]
    versions = ".".join(f"{each.st_size:x}-{each.st_mtime_ns:x}" for each in writers)
    python = f"{sys.implementation.cache_tag} {sys.hexversion:x}"
    return f"companion {FORMAT} {digest(versions.encode()).hex()} {python}\n".encode()


def digest(content: bytes) -> bytes:
    """A checksum of sixteen bytes."""
    return blake2b(content, digest_size=16).digest()


def kept_file(game: str, name: str, paths: Iterable[Path]) -> Path:
    """Where a compiled file of a pack is kept: one for each stack of layers."""
    which = zlib.crc32("\n".join(map(str, paths)).encode())
    return home() / "cache" / f"{game}-{name}-{which:08x}.bin"


def _checksums(paths: Iterable[Path]) -> list[tuple[str, bytes]]:
    return [(str(path), _checksum(path)) for path in paths]


def _checksum(path: Path | str) -> bytes:
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}") from None


def _kept(place: Path, sources: list[tuple[str, bytes]]) -> CodeType | None:
    """The code that is kept, when it is whole and made from these sources; else None."""
    try:
        with open(place, "rb") as file:
            content = file.read()
    except (OSError, ValueError):
        return None
    begins = mark()
    body = content[len(begins) + 16 :]
    if not content.startswith(begins) or content[len(begins) : len(begins) + 16] != digest(body):
        return None
    sources_then, looked_up, module = marshal.loads(body)
    if sources_then != sources:
        return None
    try:
        if any(_checksum(path) != checksum for path, checksum in looked_up):
            return None
    except Trouble:
        return None
    code: CodeType = module
    return code


def _written(place: Path, sources: list[tuple[str, bytes]], written: Written) -> CodeType:
    code = compile(written.source, written.label, "exec", dont_inherit=True, optimize=2)
    body = marshal.dumps((sources, _checksums(written.looked_up), code))
    with contextlib.suppress(OSError):  # the cache is a convenience: where it cannot be written, the sources serve
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        disk.swap(place, mark() + digest(body) + body)
    return code
