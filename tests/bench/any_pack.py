"""Our pack with one thing wrong in it, used in every way: `python -m tests.bench.any_pack 2000` breaks it so often.

Whatever is wrong is a sentence or a result, soon, and never a traceback. `tests/engine/test_any_pack.py` tries some.
"""

from __future__ import annotations

import contextlib
import random
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any
from unittest import mock

from companion.engine.dice import Hand
from companion.engine.odds import odds
from companion.packs import Pack, cache, tables_folder
from companion.packs.check import faults
from companion.packs.layers import Layers
from companion.packs.linking import Doc
from companion.packs.pack import blaming
from companion.packs.places import Fault
from companion.play.mission import Mission
from companion.problems import Problem

FILES = sorted((tables_folder() / "b29").glob("*.toml"))
DOCUMENTS = {path.stem.casefold(): tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES}
JUNK: list[Any] = [
    True, 0, -1, 10**9, 10**400, 1.5, float("nan"), "", "none", "{", "{area}", "{roll}", "{{", "1D", "99999D",
    "2..1",
    "..999999999", "1..999999999", "owner", [], {}, [[]], [{}], {"when": 5}, {"rows": 5}, {"when": "zone >= x"},
    {"for": "nothing"}, {"for": "fighter"}, {"roll": "5-9", "times": 10**9}, {"roll": "5-9", "rows": "1..999999999"},
    ["5-9"], "zone = 2", "evasive", "not", "some fighter (yes)", "mark zone 99999", "altitude = lo for gun if evasive",
    "no", "zone * zone * zone", "crew[position]", "__import__('os')", "'", "(((", ["mark zone"], ["zone = 1 - zone"],
    {"where": {"zone": 2}}, {"effects": []}, {"ask-once": "zone"}, {"as": "{zone"}, {"do": ["drop everything"]},
]  # fmt: skip


def places(part: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    if isinstance(part, Mapping):
        for key in part:
            yield from places(part[key], (*at, key))
    elif isinstance(part, list):
        for number, each in enumerate(part):
            yield from places(each, (*at, number))


def mutated(part: Any, at: tuple[Any, ...], how: str, junk: Any) -> Any:
    """A copy with one place changed: dropped, replaced, doubled, or under another name."""
    head, *rest = at
    document = dict(part) if isinstance(part, Mapping) else list(part)
    if rest:
        document[head] = mutated(part[head], tuple(rest), how, junk)
    elif how == "drop":
        del document[head]
    elif how == "rename" and isinstance(document, dict):
        document[str(junk)[:40]] = document.pop(head)
    else:
        document[head] = junk
    return document


class Broken(Pack):
    """Our pack with one document exchanged, as if it stood in its file, and what is compiled with it."""

    def __init__(self, name: str, document: Mapping[str, Any]) -> None:
        super().__init__("b29")
        self._parsed |= {path: DOCUMENTS[each] for each, path in self.files.items()} | {self.files[name]: document}
        self.broken = name

    def _decoded(self, name: str) -> Doc:
        if self.broken not in (name, "sheet"):
            return super()._decoded(name)
        nothing_kept = mock.patch.multiple(cache, load=lambda *_: None, keep=lambda *_: None)
        with nothing_kept, mock.patch("companion.packs.pack.tables_folder", lambda: None):
            return super()._decoded(name)


@contextlib.contextmanager
def using(pack: Pack) -> Iterator[None]:
    """What a command does with a pack: whatever is wrong with the pack is a Problem, soon."""
    begun = time.process_time()
    with contextlib.suppress(Problem), blaming(pack):
        yield
    assert time.process_time() - begun < 3  # most of it compiles the sheet


def proved_once() -> contextlib.AbstractContextManager[object]:
    """A pack that stays as it is needs one proof, however often something in it turns out to be wrong."""
    proofs: dict[bool, list[Fault]] = {}

    def proof(pack: Layers, *, advising: bool = True) -> Iterator[Fault]:
        if advising not in proofs:
            proofs[advising] = list(faults(pack, advising=advising))
        return iter(proofs[advising])

    return mock.patch("companion.packs.check.faults", proof)


def shake(pack: Pack, name: str, rng: random.Random) -> None:
    """Use a pack in every way: whatever is wrong with it is a Problem, soon."""
    with proved_once():
        _shake(pack, name, rng)


def _shake(pack: Pack, name: str, rng: random.Random) -> None:
    facts = {"fighter.clock": "6", "fighter.angle": "high", "fighter.type": "zeke", "area": "nose", "bomb-run": "on"}
    with using(pack):
        Mission(pack, {"zone": 3}, number=1).write({"zone": 4, "engine.2": "out", "altitude": "hi"})
    with using(pack):
        mission = Mission(pack, {}, number=1)
        for _ in range(4):
            mission.advance()
            mission.pending.clear()
    if name not in ("sheet", "rules", "sequence", "choices", "pack"):
        for _ in range(3):
            with using(pack):
                mission = Mission(pack, dict(facts) if rng.random() < 0.5 else {}, number=1)
                mission.roll(name, Hand([], rng), {} if rng.random() < 0.5 else facts)
                mission.roll(None, Hand([], rng), facts)
        with using(pack):
            odds(pack, {}, facts, {"roll": name})
    if name == "choices":
        for choice in list(DOCUMENTS["choices"]["choice"]):
            with using(pack):
                mission = Mission(pack, {}, [{"choose": choice, "bind": {}}], number=1)
                mission.roll(None, Hand([], rng))


HOW = ["drop", "rename", "put"]


def one_wrong(name: str, rng: random.Random, how: str, junk: Any) -> None:
    """One place of one file changed, and the pack used."""
    at = rng.choice(list(places(DOCUMENTS[name])))
    shake(Broken(name, mutated(DOCUMENTS[name], at, how, junk)), name, rng)


def main() -> int:
    """Break it so often, the same way for one seed; the exit code is 1 where it did not end well."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    failed, begun = 0, time.perf_counter()
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        name, how, junk = rng.choice(sorted(DOCUMENTS)), rng.choice(HOW), rng.choice(JUNK)
        try:
            one_wrong(name, rng, how, junk)
        except Exception as error:
            failed += 1
            print(f"{seed} {number}, {name}, {how} {str(junk)[:40]!r}: {type(error).__name__}: {error}", flush=True)
    print(f"{count} packs with one thing wrong, {failed} of them not told in a sentence, soon")
    print(f"{time.perf_counter() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
