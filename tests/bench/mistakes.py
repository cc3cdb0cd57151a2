"""Mistakes of authors in sound packs, and whether `tables check` tells them: `python -m tests.bench.mistakes 500 0`."""

import copy
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion.packs.check import faults
from companion.packs.layers import NOT_TABLES, Layers, tables_folder
from tests.games.test_tables_readme import laid_down
from tests.support import PACKS

Files = dict[str, Any]


def parts(doc: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every table of a file, with its place."""
    if isinstance(doc, dict):
        yield at, doc
    for key, each in doc.items() if isinstance(doc, dict) else enumerate(doc) if isinstance(doc, list) else ():
        yield from parts(each, f"{at}/{key}")


def rows_in(files: Files) -> list[tuple[str, str, dict[str, Any]]]:
    found = [
        (name, at, part) for name, doc in sorted(files.items()) if name not in NOT_TABLES for at, part in parts(doc)
    ]
    return [
        (name, at, part) for name, at, part in found if isinstance(part.get("rows"), dict) and len(part["rows"]) > 1
    ]


def wrong_bound(files: Files, rng: Random) -> str:
    """A row too short, too long or missing, or the wrong dice."""
    what = rng.choice(["short", "long", "gone", "open", "dice"])
    if not (tables := rows_in(files)):
        return ""
    name, at, part = rng.choice(tables)
    if what == "dice":
        if part.get("dice") not in ("1D", "2D"):
            return ""
        part["dice"] = {"1D": "2D", "2D": "1D"}[part["dice"]]
        return f"{name}{at}: dice"
    keys = [key for key in part["rows"] if not str(key).startswith("..") and not str(key).endswith("..")]
    if not keys:
        return ""
    key = rng.choice(keys)
    low, _, high = str(key).partition("..")
    last = int(high or low)
    if what == "open" and key == max(keys, key=lambda each: int(str(each).partition("..")[0])):
        return ""  # nothing is above it
    shorter = f"{low}..{last - 1}" if last > int(low) else None
    new = {"short": shorter, "long": f"{low}..{last + 1}", "open": f"{low}..", "gone": None}[what]
    items = [((new if each == key else each), cell) for each, cell in part["rows"].items()]
    part["rows"] = {each: cell for each, cell in items if each is not None}
    return f"{name}{at}: row {key} {what}"


BRACKET = re.compile(r"\[([a-z-]+)\]")


def sentences(files: Files, pattern: re.Pattern[str]) -> list[tuple[str, str, dict[str, Any] | list[Any], Any]]:
    found = []
    for name, doc in sorted(files.items()):
        if name in ("pack", "rulings", "story"):
            continue
        for at, part in parts(doc):
            for key, value in part.items():
                if key in ("when", "add", "is", "usual") and isinstance(value, str) and pattern.search(value):
                    found.append((name, f"{at}/{key}", part, key))
                for number, line in enumerate(value if key == "do" and isinstance(value, list) else ()):
                    if pattern.search(line):
                        found.append((name, f"{at}/{key} {number}", value, number))
    return found


def unbound_member(files: Files, rng: Random) -> str:
    """A sentence about another index, or about a member that nothing names."""
    what = rng.choice(["index", "member", "for", "with"])
    index = files["sheet"].get("index", {})
    if what in ("index", "member"):
        found = sentences(files, BRACKET)
        if not found:
            return ""
        name, at, holder, key = rng.choice(found)
        match = rng.choice(list(BRACKET.finditer(holder[key])))
        others = [each for each in sorted(index) if each != match[1] and f"for {each}" not in holder[key]]
        other = rng.choice(others) if what == "index" and others else f"{match[1]}s"
        holder[key] = holder[key][: match.start(1)] + other + holder[key][match.end(1) :]
        return f"{name}{at}: [{match[1]}] -> [{other}]"
    found = [(name, at, part) for name, doc in sorted(files.items()) for at, part in parts(doc)
             if name not in ("story", "pack") and isinstance(part.get(what), {"for": str}.get(what, dict))]  # fmt: skip
    if not found:
        return ""
    name, at, part = rng.choice(found)
    gone = part.pop(what)
    return f"{name}{at}: {what} {gone} removed"


def missing_outcome(files: Files, rng: Random) -> str:
    """An outcome deleted, emptied or misspelled.

    Not of a table that only the rulebook has: nobody can say which results it may have.
    """
    found = [(name, at, part) for name, doc in sorted(files.items()) if name not in NOT_TABLES and "owner" not in doc
             for at, part in parts(doc) if isinstance(part.get("outcome"), dict) and part["outcome"]]  # fmt: skip
    if not found:
        return ""
    what, (name, at, part) = rng.choice(["gone", "misspelled", "empty"]), rng.choice(found)
    slug = rng.choice(sorted(part["outcome"]))
    if what == "misspelled":
        part["outcome"] = {(f"{each}x" if each == slug else each): spec for each, spec in part["outcome"].items()}
    elif what == "gone":
        del part["outcome"][slug]
    else:
        part["outcome"][slug] = {}
    return f"{name}{at}: outcome {slug} {what}"


def circle(files: Files, rng: Random) -> str:
    """Steps, tables or facts that lead back to themselves for ever."""
    steps, facts = files.get("sequence", {}).get("step", []), files["sheet"].get("facts", {})
    tables = sorted(
        name for name, doc in files.items() if name not in NOT_TABLES and "rows" in doc and "owner" not in doc
    )
    simple = [name for name, spec in facts.items() if isinstance(spec, str) and "[" not in name]
    what = rng.choice(["jump"] * (len(steps) > 2) + ["fact"] * bool(simple) + ["table", "row"] * bool(tables))
    if what == "jump":
        at = rng.randrange(1, len(steps))
        steps[at]["go"] = steps[rng.randrange(at)]["id"]
        steps[at].pop("when", None)
        return f"step {steps[at]['id']} goes back to {steps[at]['go']}"
    if what == "fact":
        name = rng.choice(simple)
        facts[name] = f"{name} if {name} = yes else {facts[name]}"
        return f"fact {name} reads itself"
    name, other = rng.choice(tables), rng.choice(tables)
    if what == "row":
        reads = {"id": "own", "add": f"row('{files[name]['id']}')", "why": "x"}
        files[name].setdefault("modifier", []).insert(0, reads)
        return f"{name} reads itself"
    files[name].setdefault("then", []).append(files[other]["id"])
    files[other].setdefault("then", []).append(files[name]["id"])
    return f"{name} and {other} ask for each other"


KINDS: dict[str, Callable[[Files, Random], str]] = {
    "bound": wrong_bound, "member": unbound_member, "outcome": missing_outcome, "circle": circle,
}  # fmt: skip
FOLDERS = ("gliders", "ridge", "bombs-away", "squadron", "b17")
SHARES = (40, 30, 10, 16, 4)


def games() -> dict[str, Path]:
    """The folders of the sound packs."""
    home = Path(tempfile.mkdtemp())
    laid_down(home)
    ours = {name: tables_folder() / name for name in ("bombs-away", "b17")}
    found = {"ridge": home / "packs" / "ridge", **{name: PACKS / name for name in ("gliders", "squadron")}, **ours}
    return {name: folder for name, folder in found.items() if folder.is_dir()}


def told(name: str, folder: Path, files: Files) -> list[str]:
    """Return the faults and warnings of a pack with these files."""
    pack = Layers(name, [folder])
    for key, doc in files.items():
        pack._parsed[pack.layers[key][0]] = doc
    return [str(each) for each in faults(pack)]


def mistakes(count: int, seed: int) -> Iterator[tuple[str, str, str, list[str], float]]:
    """Yield mistakes: kind, game, what was changed, what is told, and the seconds that it took."""
    rng, folders = Random(seed), games()
    read = {name: Layers(name, [folder]) for name, folder in folders.items()}
    sound = {name: {key: pack.parsed(paths[0]) for key, paths in pack.layers.items()} for name, pack in read.items()}
    shares = [share if name in folders else 0 for name, share in zip(FOLDERS, SHARES, strict=True)]
    while count:
        name = rng.choices(FOLDERS, shares)[0]
        kind = rng.choice(sorted(KINDS))
        files: Files = copy.deepcopy(sound[name])
        if what := KINDS[kind](files, rng):
            started = time.perf_counter()
            yield kind, name, what, told(name, folders[name], files), time.perf_counter() - started
            count -= 1


if __name__ == "__main__":
    many, missed, slowest = int(sys.argv[1]), Counter[str](), 0.0
    for kind, game, what, said, seconds in mistakes(many, int(sys.argv[2])):
        slowest = max(slowest, seconds)
        if not said:
            missed[kind] += 1
            print(f"not told: {game}: {kind}: {what}")
    print(f"{many - missed.total()} of {many} told; slowest {slowest:.1f} s; not told {dict(missed)}")
