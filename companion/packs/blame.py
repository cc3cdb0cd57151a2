"""The fault of a pack behind an unexpected error, where the pack and not the program is wrong."""

from __future__ import annotations

from companion.packs.layers import Layers
from companion.problems import SystemFault, UserError
from companion.store.files import opened


def at_fault(pack: Layers, error: Exception) -> SystemFault | None:
    """Return the first fault of a pack, with file and line, where an error came from one that is not sound.

    None where the error is a sentence already or the disk's, or where the pack is sound: the mistake is our own then.
    """
    if isinstance(error, UserError | OSError):
        return None
    from companion.packs.check import faults

    try:
        wrong = list(faults(pack, advising=False))
    except UserError as problem:
        return SystemFault(str(problem))
    return SystemFault(str(wrong[0])) if wrong else None


def endless(game: object, what: str, file: str = "sequence") -> SystemFault:
    """Return what to say where a game goes on without end: the fault, or else that `what` of a file goes on."""
    from companion.packs.check import faults
    from companion.packs.places import Fault

    wrong = list(faults(game, advising=False)) if isinstance(game, Layers) else []
    path = game.files.get(file.casefold()) if isinstance(game, Layers) else None
    told = Fault(path, 0, f"{what} goes on and on, and never ends")
    return SystemFault(str(next((each for each in wrong if each.sentence.endswith("never ends")), told)))


def blamed(error: Exception) -> SystemFault | None:
    """Return a fault of a pack that this command has opened; None where all of them are sound."""
    for pack in opened.values():
        trouble = at_fault(pack, error) if isinstance(pack, Layers) else None
        if trouble is not None:
            return trouble
    return None
