"""Whose mistake it is when something unexpected is raised while a pack is in use: the pack's, or our own."""

from __future__ import annotations

from pathlib import Path

from companion.packs.layers import Layers
from companion.problems import Problem, Trouble
from companion.store.files import opened


def at_fault(pack: Layers, error: Exception) -> Trouble | None:
    """What to say where an error came from a pack that is not sound: a fault of it, with file and line.

    Of several faults it is one in the file whose sentence was at work, else the first. None where the error is a
    sentence already or the disk's, or where nothing in the pack could have led to it: then the mistake is our own,
    and the error goes on as it is.
    """
    if isinstance(error, Problem | OSError):
        return None
    from companion.packs.check import faults

    try:
        wrong = list(faults(pack, advising=False))
    except Problem as problem:
        return Trouble(str(problem))
    if not wrong:
        place = pack.remove_planted()
        return None if place is None else Trouble(f"{place} was not what it was made from, and is removed; try again.")
    at_work = _at_work(pack, error)
    return Trouble(str(next((fault for fault in wrong if fault.path in at_work), wrong[0])))


def endless(game: object, what: str, file: str = "sequence") -> Trouble:
    """Return what to say where a game goes on without end: the fault, or else that `what` of a file goes on."""
    from companion.packs.check import faults
    from companion.packs.places import Fault

    wrong = list(faults(game, advising=False)) if isinstance(game, Layers) else []
    path = game.files.get(file.casefold()) if isinstance(game, Layers) else None
    told = Fault(path, 0, f"{what} goes on and on, and never ends")
    return Trouble(str(next((each for each in wrong if each.sentence.endswith("never ends")), told)))


def blamed(error: Exception) -> Trouble | None:
    """What to say of an error where a pack that this command has opened is at fault; None where none of them is."""
    for pack in opened.values():
        trouble = at_fault(pack, error) if isinstance(pack, Layers) else None
        if trouble is not None:
            return trouble
    return None


def _at_work(pack: Layers, error: Exception) -> list[Path]:
    """The files whose sentences were running when an error was raised."""
    labels: list[str] = []
    step = error.__traceback__
    while step is not None:
        labels.append(step.tb_frame.f_code.co_filename)
        step = step.tb_next
    return [path for name, paths in pack.layers.items() if pack.label(name) in labels for path in paths]
