"""A TinyDB document file that a crash cannot break.

A write goes to a temporary file in the same folder, is flushed and synced, and takes the place of the old file; the
generation before it is kept as `.bak`.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tinydb import TinyDB
from tinydb.middlewares import CachingMiddleware
from tinydb.storages import Storage

from companion.campaign.documents import FORMAT, Damage, Document, Newer, parse, read_document
from companion.files import change
from companion.problems import Problem, Trouble


class SafeStorage(Storage):
    """A TinyDB storage that never leaves half a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.written_in = FORMAT  # the format of the generation on disk

    def read(self) -> Document | None:
        """The document, None when there is no file yet; Trouble names the file when it is damaged."""
        waiting = change.waiting(self.path)
        if waiting is not None:  # written a moment ago, by the same change
            return parse(waiting.decode())[0]
        if not self.path.exists():
            if self.path.with_suffix(".bak").exists():
                raise Trouble(f"{self.path} is missing{_older(self.path)}")
            return None
        with soundly(self.path):
            document, self.written_in = read_document(self.path)
        return document

    def write(self, data: Mapping[str, object]) -> None:
        """Put the document in place and keep the generation before it; the caller holds the folder's lock.

        Raises Trouble when the disk refuses (the old file stands) or does not confirm (the new one does).
        """
        older = [self.path.with_suffix(".bak")]
        if self.written_in != FORMAT:
            older.append(self.path.with_suffix(f".format-{self.written_in}"))
        change.put(self.path, json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(), older)


@contextlib.contextmanager
def soundly(path: Path) -> Iterator[None]:
    """Name the file in what is wrong with it, and the generation before it when that one is whole."""
    try:
        yield
    except Newer as newer:
        raise Trouble(f"{path} was {newer}") from None
    except Damage as damage:
        raise Trouble(f"{path} is damaged ({damage}){_older(path)}") from None


def _older(path: Path) -> str:
    older = path.with_suffix(".bak")
    try:
        read_document(older)
    except Problem:
        return "; see: companion doctor"
    return f"; the generation before it is whole, {older}: companion doctor --repair"


class AllAtOnce(CachingMiddleware):
    """Everything is written in one go, however much it is."""

    WRITE_CACHE_SIZE = sys.maxsize


@contextlib.contextmanager
def open_file(path: Path) -> Iterator[TinyDB]:
    """A TinyDB over a safe file, written when the work on it is done, and left alone when it broke off."""
    db = TinyDB(path, storage=AllAtOnce(SafeStorage))  # type: ignore[no-untyped-call,unused-ignore]
    yield db
    db.close()
