"""Putting back what the doctor has found damaged; judged again under the lock, and never without a kept copy."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from companion.campaign import doctor
from companion.campaign.doctor import Finding
from companion.campaign.store import free_file
from companion.files import disk
from companion.files.home import note
from companion.files.locks import locked
from companion.files.platform import remove
from companion.packs import players_folder
from companion.problems import Problem, Trouble


class Changed(Problem):
    """The file is another than when it was judged; it is left alone."""


def restore(finding: Finding) -> Path | None:
    """Mend a damaged file from the generation before or its missions; gives back where the damaged one is now, if it
    was there.

    Raises Changed when it has been written since it was judged, Trouble when the disk refuses: it is as it was.
    """
    path = finding.path
    with locked(folder_of(path)):
        second: Path | None = None
        if finding.kind == "change":
            second = free_file(path, ".damaged")
            try:
                disk.keep_as(path, second)
                remove(path)
            except OSError as error:
                raise Trouble(f"cannot put {path} aside: {error.strerror or error}; it is as it was") from None
            return second
        fresh = doctor.look_again(finding)
        if not fresh.mendable or (fresh.checksums, fresh.rebuilt) != (finding.checksums, finding.rebuilt):
            raise Changed(f"{path} has been written in another terminal meanwhile; it was left alone")
        try:
            second = free_file(path, ".damaged") if os.path.lexists(path) else None
            if fresh.rebuilt is not None:
                whole = json.dumps({"campaign": {"1": fresh.rebuilt}}, ensure_ascii=False).encode()
            else:
                assert fresh.backup is not None
                whole = fresh.backup.read_bytes()
            if second is not None:
                disk.keep_as(path, second)
            disk.keep(path, whole)
        except disk.Unconfirmed as error:
            raise Trouble(f"{path} is mended, but the disk did not confirm it ({error.strerror})") from None
        except OSError as error:
            raise Trouble(f"cannot restore {path}: {error.strerror or error}; it is as it was") from None
    return second


def clear(files: list[Path]) -> int:
    """Remove what killed commands have left half-written and say how many; what a living one writes stays."""
    removed = 0
    for folder in dict.fromkeys(folder_of(each) for each in files):
        with contextlib.suppress(OSError, Problem), locked(folder):
            for file in files:
                needed = file.name.endswith(".part") and os.path.lexists(note())  # of a change to be completed
                if folder_of(file) == folder and not needed:
                    with contextlib.suppress(OSError):
                        remove(file)
                        removed += 1
    return removed


def folder_of(path: Path) -> Path:
    """The folder whose lock a file is written under."""
    return players_folder() if players_folder() in path.parents else path.parent
