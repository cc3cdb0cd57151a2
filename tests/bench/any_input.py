"""Whatever is typed and whatever a file holds: `python -m tests.bench.any_input 20000` tries so many command lines on
sound campaigns and as many on damaged files, in one process.

Each ends with 0, with 1 and a sentence about the system, with 2 or 3; where nothing was done nothing is different on
the disk; nothing is a mistake of the companion's, and nothing on the screen does more than stand there.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import random
import re
import shutil
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from companion.cli import COMMANDS
from companion.words import ACTIVE

HOSTILE = [
    "", " ", "\0", "\x1b[2J", "\u202e", "\ud800", "²", "٣", "9" * 5000, "-1", "1e9", "NaN", "=1+1", "{area}", "{",
    "../..", "a" * 300, "💣", "con", "NUL", "..", ".", "/", "--", "-", "%s", "a=b", "=", "zone=", "zone=1=2", "1,2,3/",
    "\n", "'",
]  # fmt: skip
NUMBERS = ["0", "1", "2", "5", "12", "99999999999", "-3", "٣", "1.5", ""]
DICE = ["3,4", "6,6", "1", "34", "3", "2,2/5", "7,7", "1,1,1", "/", ",", "3 4"]
TABLES = ["5-1", "5-9", "4-2", "6-1", "7-3.b", "4-9.doors", "5-2", "2-1", "8-1", "b-3", "2-9", "sheet", "pack", "5-99"]
FACTS = [
    "zone=3", "altitude=hi", "fuel.wing=2", "fighter.clock=6", "crew.pilot=kia", "target.city=Kobe", "engine.1=out",
    "formation=in", "weather=bad", "mission.number=12", "name.pilot=Al", "step=brief", "area=nose", "gun=tail",
    "fighter=1", "slots.fighter=2", "notes=x", "kills.pilot=3", "engines.out=2", "zone=99", "altitude=moon",
]  # fmt: skip
NAMES = ["Owls", "Foxes", "owls", "Nobody", "b29", "b17", "bombs-away", "b29-streamliner", "pilot", "tail-gunner", "a4"]
FILES = [
    "whole.json", "word.txt", "codes.txt", "script.txt", "own.toml", "odd.png", "empty", "folder", "missing",
    "/dev/null", "out.pdf", "out.txt", "out.svg", "folder/out.txt", "nofolder/x.txt", "con.txt",
]  # fmt: skip
POOLS = (HOSTILE, NUMBERS, DICE, TABLES, FACTS, NAMES, FILES)
VALUES: list[object] = [
    None, True, 0, 1, -1, 10**30, 1.5, "", "x", "none", "\x1b[2J", "\ud800", "\u202e", "=1", [], {}, [[]], {"1": {}},
    {"roll": "5-1"}, [{"roll": "5-1"}], [{"order": "x", "done": "zone = 1"}], "9" * 600, "5-1", "crew.pilot", [None],
]  # fmt: skip
LOOKS = [
    "status", "status --json", "next", "log", "log --json", "log --replay", "why", "why 1 --json", "crew",
    "crew --json", "campaign", "campaign --json", "campaigns", "export --csv", "export --json", "snapshot",
    "snapshot --campaign", "sheet mission", "sheet campaign", "sheet crew", "sheet damage", "bomber", "undo", "redo",
    "mark fuel.wing", "set zone=2", "roll 5-1 --dice 3,4", "roll --dice 3,4", "fly --auto --seed 1", "done", "use Owls",
    "mission start --yes", "crew pilot Al", "odds 5-1", "show 5-1", "tables list", "restore word.txt --yes",
    "import whole.json --yes --as Foxes", "snapshot --qr",
]  # fmt: skip
Ended = tuple[int, str, str]


def run(*arguments: str) -> Ended:
    """A command line in this process, with nobody to ask: exit code, output, errors."""
    from companion.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["companion", *arguments]),
        mock.patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _stopped_at_once(arguments),
    ):
        try:
            code = main()
        except BaseException as error:  # what a player would see as a traceback
            return -1, out.getvalue(), f"Traceback: {type(error).__name__}: {error}"
    return code, out.getvalue(), err.getvalue()


def _stopped_at_once(arguments: tuple[str, ...]) -> contextlib.AbstractContextManager[object]:
    """`serve` does all but wait for phones, which would be until Ctrl-C."""
    if "serve" not in arguments:
        return contextlib.nullcontext()

    def close(_: object, sockets: list[socket.socket]) -> None:
        for each in sockets:
            each.close()

    return mock.patch("companion.web.serving.Serving.run", close)


def wrong(ended: Ended, seconds: float) -> str:
    """What a command line must never come to; empty where it is well."""
    code, out, err = ended
    if code not in (0, 1, 2, 3):
        return f"exit code {code}: {err[-200:]}"
    if "made a mistake" in err or "Traceback" in err:
        return err.strip()[-300:]
    if code and not err.strip() and not out.strip():
        return f"exit code {code} and not a word"
    if re.search(ACTIVE, out + err):
        return "a letter that does something: " + repr(re.findall(f".{{0,20}}{ACTIVE}.{{0,20}}", out + err)[0])
    return f"{seconds:.0f} seconds" if seconds > 20 else ""


class Ground:
    """A folder with campaigns, sheets and files to try things on, which is put back as it was before each try."""

    def __init__(self, folder: Path) -> None:
        self.home, self.work, self.sound = folder / "home", folder / "work", folder / "sound"
        self.work.mkdir(parents=True)
        os.environ |= {"COMPANION_HOME": str(self.home), "EDITOR": "true", "VISUAL": "true"}
        os.environ.pop("COMPANION_DEBUG", None)
        os.chdir(self.work)
        for line in ("new Owls --game b29 --yes", "mission start --yes", "fly --auto --seed 3", "mission start --yes",
                     "set target.city=Osaka zone=3 altitude=hi", "roll 5-1 --dice 6,6", "mark fuel.wing 3",
                     "roll 4-2 --dice 3,4", "undo"):  # fmt: skip
            assert run(*line.split())[0] == 0, line
        (self.work / "whole.json").write_text(run("export", "--json")[1])
        (self.work / "word.txt").write_text(run("snapshot")[1])
        (self.work / "script.txt").write_text(run("log", "--replay")[1])
        (self.work / "own.toml").write_text('[[patch]]\nreason = "mine"\nmodifier = [{id = "hi", add = -3}]\n')
        (self.work / "odd.png").write_bytes(b"\x89PNG" + b"\0" * 50)
        (self.work / "empty").touch()
        (self.work / "folder").mkdir()
        own = self.home / "packs" / "b29"
        own.mkdir(parents=True)
        shutil.copy(self.work / "own.toml", own / "5-1.toml")
        self.cache = self.home / "cache"
        self._copy(self.home, self.sound / "home")
        self._copy(self.work, self.sound / "work")
        self.stood = self.whole = self.content()
        self.outputs = self._outputs()

    def _outputs(self) -> list[tuple[str, int]]:
        return [(str(each), each.lstat().st_size) for each in sorted(self.work.rglob("*"))]

    @staticmethod
    def _copy(source: Path, target: Path) -> None:
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("cache"))

    def renew(self) -> None:
        """Everything as it was; what is compiled may stay."""
        if self.content() == self.whole and self._outputs() == self.outputs:
            return
        for folder, whole in ((self.home, self.sound / "home"), (self.work, self.sound / "work")):
            for each in folder.iterdir():
                if each.is_dir() and not each.is_symlink() and each != self.cache:
                    shutil.rmtree(each)
                elif each != self.cache:
                    each.unlink()
            self._copy(whole, folder)
        self.stood = self.whole

    def content(self) -> dict[str, bytes]:
        """Every file that counts, with what is in it."""
        content: dict[str, bytes] = {}
        for folder, _, names in os.walk(self.home):
            if not {"cache", "drafts"} & {*Path(folder).relative_to(self.home).parts}:
                for name in names:
                    path = Path(folder, name)
                    if name != ".lock":
                        content[str(path)] = path.read_bytes() if path.is_file() else b"no file"
        return content


def command_line(rng: random.Random) -> list[str]:
    """A command with more or less what it takes."""
    from companion.cli.commands import program

    name = rng.choice([*COMMANDS, rng.choice(HOSTILE)])
    words: list[str] = [name]
    command: Any = program().get_command(None, name)  # type: ignore[no-untyped-call,unused-ignore]
    while hasattr(command, "commands"):
        inner = rng.choice([*command.commands, "x"])
        words.append(inner)
        command = command.commands.get(inner)
    for each in getattr(command, "params", ()):
        if each.param_type_name == "argument":
            if each.required or rng.random() < 0.5:
                words += [value(rng) for _ in range(rng.choice([1, 1, 1, 2, 3]) if each.nargs != 1 else 1)]
        elif rng.random() < 0.25:
            words += [rng.choice(each.opts), *([] if each.is_flag else [value(rng)])]
    if rng.random() < 0.1:
        words.insert(rng.randrange(len(words) + 1), value(rng))
    return words


def value(rng: random.Random) -> str:
    """Something to type: mostly sensible somewhere."""
    word = rng.choice(rng.choice(POOLS))
    if rng.random() < 0.15:
        at = rng.randrange(len(word) + 1)
        word = word[:at] + rng.choice(rng.choice(POOLS)) + word[at:]
    return word


def damaged(rng: random.Random, ground: Ground) -> str:
    """One file of the ground spoilt; gives which, and how."""
    files = [each for each in ground.home.rglob("*") if each.is_file() and ground.cache not in each.parents]
    files = [each for each in files if each.suffix in (".json", ".bak", ".toml")]
    path = rng.choice([*files, ground.work / "whole.json", ground.work / "word.txt"])
    content = path.read_bytes()
    how = rng.choice(["node", "node", "node", "node", "flip", "cut", "gone", "name", "kind"])
    if how == "node" and path.suffix != ".toml":
        with contextlib.suppress(ValueError):
            document = json.loads(content)
            for _ in range(rng.choice([1, 1, 1, 2, 5])):
                _spoil(rng, document)
            path.write_text(json.dumps(document), encoding="utf-8")
    elif how == "cut":
        path.write_bytes(content[: rng.randrange(len(content) + 1)])
    elif how == "gone":
        path.unlink()
    elif how == "name":
        odd = ["mission-².json", "mission-3.json", "mission-99999.json", "campaign.json.1", "a\x1b.json", "pack.toml"]
        shutil.copy(path, path.with_name(rng.choice(odd)))
    elif how == "kind":
        path.unlink()
        other = rng.choice(["", "nowhere", path.name])  # a folder, a link that leads nowhere, one that leads to itself
        path.symlink_to(other) if other else path.mkdir()
    else:
        spoilt = bytearray(content or b"{")
        for _ in range(rng.choice([1, 1, 3])):
            spoilt[rng.randrange(len(spoilt))] = rng.choice([rng.randrange(256), ord('"'), ord("9"), ord("[")])
        path.write_bytes(bytes(spoilt))
    return f"{path.name} {how}"


def _spoil(rng: random.Random, document: Any) -> None:
    """Something somewhere in a document is another thing."""
    part = document
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        if not keys:
            return
        key = rng.choice(keys)
        if not isinstance(part[key], dict | list) or not part[key] or rng.random() < 0.1:
            break
        part = part[key]
    if rng.random() < 0.15:
        del part[key]
    elif isinstance(part, dict) and rng.random() < 0.15:
        part[rng.choice(["x", "²", "1", "\x1b", "zone", "0", "99"])] = part.pop(key)
    else:
        part[key] = rng.choice(VALUES)


def tried(count: int, seed: int, ground: Ground, *, damage: bool) -> Iterator[tuple[Sequence[str], int, str]]:
    """So many command lines: what was typed, how it ended, and what was wrong with that."""
    for number in range(count):
        rng = random.Random(f"{seed} {number} {damage}")
        if not number % 20:
            gc.collect()  # a command ends without, being a process
        ground.renew()
        spoilt = damaged(rng, ground) if damage else ""
        if damage:
            ground.stood = ground.content()
        words = rng.choice(LOOKS).split() if damage else command_line(rng)
        if damage and not number % 100:
            words = ["doctor", "--repair", "--yes"]  # it proves whole games, which takes a second
        begun = time.perf_counter()
        ended = run(*words)
        fault = wrong(ended, time.perf_counter() - begun)
        if not fault and ended[0] in (2, 3) and ground.content() != ground.stood:
            fault = f"exit code {ended[0]}, and files are different: {ended[2].strip()[-200:]}"
        if not fault and "othing was recorded" in ended[2] and ground.content() != ground.stood:
            fault = f"nothing was recorded, it says, and files are different: {ended[2].strip()[-200:]}"
        yield [*words, *([f"<- {spoilt}"] if damage else [])], ended[0], fault


def main(count: int, seed: int) -> None:
    """Print the table, and each fault."""
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder))
        for damage in (False, True):
            codes, faults, begun = Counter[int](), 0, time.perf_counter()
            for words, code, fault in tried(count, seed, ground, damage=damage):
                codes[code] += 1
                if not codes.total() % 1000:
                    print(f"{codes.total()} …", file=sys.stderr, flush=True)
                if fault:
                    faults += 1
                    print(f"{[each[:60] for each in words]}: {fault}", flush=True)
            what = "damaged files" if damage else "command lines"
            took = time.perf_counter() - begun
            ends = ", ".join(f"{code}: {often}" for code, often in sorted(codes.items()))
            print(f"{what:14} {count:7} tried {faults:5} failed   exit codes {ends}   {took:.0f} s")
        os.chdir("/")  # a folder that one is in cannot be taken away on Windows


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
