"""A cache of decoded pack files, stored as JSON with the player's data; deleting it only costs time.

A cached file records the path, the time and the size of each source. If any of these differ, it is rebuilt.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.engine.fields import Spec
from companion.problems import SystemFault
from companion.store.files import home, read_bytes

Stamp = Sequence[Sequence[str | int]]
FORMAT = 7
SETTLED = 2.0  # the resolution of file times, in seconds


def place_of(game: str, name: str, sources: Sequence[Path]) -> Path:
    """Return the cache path of a file; each stack of layers has its own."""
    which = zlib.crc32("\n".join(map(str, sources)).encode(errors="surrogateescape"))
    return home() / "cache" / f"{game}-{name}-{which:08x}.json"


def stamp(sources: Sequence[Path]) -> list[list[str | int]]:
    """Return the path, time and size of each source before it is read; raise SystemFault if it cannot be."""
    try:
        return [[str(path), at.st_mtime_ns, at.st_size] for path in sources for at in (os.stat(path),)]
    except OSError as error:
        raise SystemFault(f"can't read {error.filename}: {error.strerror}") from None


def load(place: Path, made_of: Stamp) -> dict[str, Any] | None:
    """Return the cached file made from these sources; None if it is missing or damaged."""
    try:
        kept = json.loads(read_bytes(place))
    except (OSError, ValueError, RecursionError):
        return None
    return kept["doc"] if isinstance(kept, dict) and kept.get("made of") == [FORMAT, *made_of] else None


def keep(place: Path, made_of: Stamp, doc: Spec) -> None:
    """Cache a decoded file, ignoring write errors.

    A source written a moment ago is not cached: it could change again without a new time.
    """
    if any(abs(time.time() - int(written) / 1e9) < SETTLED for _, written, _ in made_of):
        return
    kept = {"made of": [FORMAT, *made_of], "doc": doc}
    draft = place.with_name(f".{place.name}.{os.getpid()}.new")
    with contextlib.suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            draft.write_text(json.dumps(kept, separators=(",", ":")), encoding="ascii")
            os.replace(draft, place)
        finally:
            draft.unlink(missing_ok=True)
