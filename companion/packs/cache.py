"""Compiled files of packs, kept in the data folder and believed only when proved.

A kept file begins with a checksum over all that follows; then stand the sources it was made from, each with its own
checksum, and the code. What does not agree, or what anybody else could have written, is made anew from the sources:
deleting the cache costs time only.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from companion.problems import Trouble
from companion.store.files import home
from companion.store.system import content_of, replace

try:
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

FORMAT = 4
LANGUAGE = "closure compiler facts file grammar happenings module names references tables telling writer"
WRITERS = (
    *(f"language/{name}.py" for name in LANGUAGE.split()),
    "overlays.py", "source.py", "layers.py",
)  # fmt: skip
"""What decides which code is kept: sentences to Python, and files as they come to with what lies over them."""
Checksums = list[tuple[str, bytes]]


class Sources(NamedTuple):
    """What a file is compiled from: its layers, those of the sheet, and those of any table that is looked up."""

    layers: Sequence[Path]
    of_sheet: Sequence[Path]
    of_table: Callable[[str], Sequence[Path]]


class Written(NamedTuple):
    """The Python of a file: what it is called in a traceback, its source, the tables that it looks things up in, and
    the checksums of the files as they were when they were read for it."""

    label: str
    source: str
    tables: Sequence[str]
    read: Mapping[Path, bytes]


def code(game: str, name: str, made_of: Sources, write: Callable[[], Written]) -> CodeType:
    """The compiled file of that name, from the cache while nothing has changed; else as `write` writes it.

    Raises Trouble where one of its sources cannot be read.
    """
    sources = _checksums([*made_of.layers, *made_of.of_sheet])
    place = kept_file(game, name, made_of.layers)
    return _kept(place, sources, made_of) or _written(place, sources, made_of, write())


@cache
def mark() -> bytes:
    """The first line of a kept file: what wrote it, on which Python; another one's files are made anew."""
    folder = os.path.dirname(__file__)
    writers = b"".join(_checksum(f"{folder}/{name}") for name in WRITERS)
    python = f"{sys.implementation.cache_tag} {sys.hexversion:x}"
    return f"companion {FORMAT} {digest(writers).hex()} {python}\n".encode()


def digest(content: bytes | memoryview) -> bytes:
    """A checksum of sixteen bytes."""
    return blake2b(content, digest_size=16).digest()


def kept_file(game: str, name: str, paths: Iterable[Path]) -> Path:
    """Where a compiled file of a pack is kept: one for each stack of layers."""
    which = zlib.crc32("\n".join(map(str, paths)).encode(errors="surrogateescape"))
    return home() / "cache" / f"{game}-{name}-{which:08x}.bin"


def _checksums(paths: Iterable[Path]) -> Checksums:
    return [(str(path), _checksum(path)) for path in paths]


def _checksum(path: Path | str) -> bytes:
    try:
        return digest(content_of(path)[0])
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}") from None


def _tables(names: Iterable[str], made_of: Sources) -> list[tuple[str, Checksums]]:
    """The tables that are looked up, with all that lies over each: what is laid over one later counts too."""
    return [(name, _checksums(made_of.of_table(name))) for name in names]


def _kept(place: Path, sources: Checksums, made_of: Sources) -> CodeType | None:
    """The code that is kept, when it is ours, whole and made from these sources; else None."""
    try:
        content, status = content_of(place)
    except (OSError, ValueError):
        return None
    begins = mark()
    body = memoryview(content)[len(begins) + 16 :]
    if not _ours(status) or not content.startswith(begins) or content[len(begins) : -len(body)] != digest(body):
        return None
    try:
        sources_then, tables, module = marshal.loads(body)
        if sources_then != sources or tables != _tables([name for name, _ in tables], made_of):
            return None
    except (Trouble, ValueError, TypeError, EOFError):
        return None
    return module if isinstance(module, CodeType) else None


def _ours(status: os.stat_result) -> bool:
    """Whether nobody but the player can have written a file: it holds code that we are about to run."""
    return sys.platform == "win32" or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


def _written(place: Path, sources: Checksums, made_of: Sources, written: Written) -> CodeType:
    code = compile(written.source, written.label, "exec", dont_inherit=True, optimize=2)
    tables = _tables(written.tables, made_of)
    read = {str(path): checksum for path, checksum in written.read.items()}
    if all(read.get(path, now) == now for path, now in [*sources, *(each for _, made in tables for each in made)]):
        with contextlib.suppress(OSError):  # the cache is a convenience: where it cannot be written, the sources serve
            body = marshal.dumps((sources, tables, code))
            _keep(place, mark() + digest(body) + body)
    return code


def _keep(place: Path, content: bytes) -> None:
    """Put a file in place that only the player can read, in a folder that only he can look into; raises OSError."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(place.parent.stat().st_mode) & 0o077:
        place.parent.chmod(0o700)
    draft = place.with_name(f".{place.name}.{os.getpid()}.new")
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)  # left by one that was killed
        new = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(draft, new, 0o600), "wb") as file:
            file.write(content)
        replace(draft, place)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)
