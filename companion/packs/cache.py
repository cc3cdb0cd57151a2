"""Decoded files of packs, kept as JSON beside the player's data: nothing in them acts, and deleting them costs time.

A kept file has the path, the time and the size of each source it was made from. Where any of this is different, it is
made again from the sources.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

from companion.engine.fields import Spec
from companion.problems import SystemFault
from companion.store.files import home, read_bytes

Stamp = Sequence[Sequence[str | int]]
FORMAT = 7
SETTLED = 2.0  # seconds after which a file that is written again gets another time


def place_of(game: str, name: str, sources: Sequence[Path]) -> Path:
    """Return where the file of that name is kept; each stack of layers has its own."""
    which = zlib.crc32("\n".join(map(str, sources)).encode(errors="surrogateescape"))
    return home() / "cache" / f"{game}-{name}-{which:08x}.json"


def stamp(sources: Sequence[Path]) -> list[list[str | int]]:
    """Return the path, the time and the size of each source, as they are before it is read; raise SystemFault."""
    try:
        return [[str(path), at.st_mtime_ns, at.st_size] for path in sources for at in (os.stat(path),)]
    except OSError as error:
        raise SystemFault(f"cannot read {error.filename}: {error.strerror}") from None


def load(place: Path, made_of: Stamp) -> dict[str, object] | None:
    """Return the kept file that was made from these sources; None where there is none that is whole."""
    try:
        kept = json.loads(read_bytes(place))
    except (OSError, ValueError, RecursionError):
        return None
    return kept["doc"] if isinstance(kept, dict) and kept.get("made of") == [FORMAT, *made_of] else None


def keep(place: Path, made_of: Stamp, doc: Spec) -> None:
    """Keep a decoded file; where that cannot be written the sources serve.

    One that was written a moment ago is not kept: it may be changed once more without a sign.
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
