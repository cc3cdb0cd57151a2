"""Commands at a disk that fails, is slow or kills them at its n-th call, and what is then said and on the disk.

Every command runs in a process of its own, split off from a small one that has loaded everything already (`serve`), so
that a thousand of them take no time; the calls that count are those to files in the data folder, but for the cache.
"""

from __future__ import annotations

import builtins
import errno
import fcntl
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from companion.cli import COMMANDS

CALLS = ("open", "replace", "link", "unlink", "mkdir", "listdir", "scandir", "lstat", "stat")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS)
KILLS = ("kill before", "kill after")
STOP = "ctrl-c"
DELAY = "delay"
ROOT = Path(__file__).resolve().parents[2]
LOADED = (
    "rich.table",
    "rich.console",
    "tinydb",
    "tomlkit",
    "msgspec",
    "typing",
    "ast",
    "base45",
    "difflib",
    "textwrap",
)


class Fault(NamedTuple):
    """What happens at which call, from 1: an error number, or one of the words above. `on` is for all that follow."""

    at: int
    what: int | str
    on: bool = False


class Disk:
    """Stands before the calls to the disk, counts those into the data folder, and lets one of them go wrong."""

    def __init__(self, home: Path, fault: Fault | None) -> None:
        self.home, self.fault, self.count = f"{home}/", fault, 0
        self.handles: set[int] = set()

    def stand(self) -> None:
        """From now on, in this process."""
        for name in CALLS:
            setattr(os, name, self._counted(name, getattr(os, name)))
        os.fsync = self._counted("fsync", os.fstat)  # a kill loses nothing that the system has: no need to wait for it
        builtins.open = io.open = self._opened(builtins.open)  # type: ignore[assignment]
        fcntl.flock = self._counted("flock", fcntl.flock)

    def concerns(self, target: object) -> bool:
        """Whether a path or an open file is in the data folder; the cache does not count."""
        if isinstance(target, int):
            return target in self.handles
        try:
            path = os.fspath(target)
        except TypeError:
            return False
        return isinstance(path, str) and path.startswith(self.home) and not path.startswith(f"{self.home}cache")

    def strike(self, work: Callable[[], Any], half: Callable[[], object] = lambda: None) -> Any:
        """Do one counted call, or what is to go wrong with it."""
        self.count += 1
        fault = self.fault
        if fault is None or not (self.count == fault.at or (fault.on and self.count > fault.at)):
            return work()
        if fault.what == DELAY:
            time.sleep(0.25)
        elif fault.what == STOP:
            raise KeyboardInterrupt
        elif fault.what == KILLS[0]:
            half()
            os.kill(os.getpid(), signal.SIGKILL)
        elif isinstance(fault.what, int):
            half()
            raise OSError(fault.what, os.strerror(fault.what))
        elif fault.what == LATE:
            work()
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        came = work()
        if fault.what == KILLS[1]:
            os.kill(os.getpid(), signal.SIGKILL)
        return came

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def inner(*arguments: Any, **named: Any) -> Any:
            if not arguments or not self.concerns(arguments[0]):
                return self._another(call(*arguments, **named))
            came = self.strike(lambda: call(*arguments, **named))
            if name == "open":
                self.handles.add(came)
            return came

        return inner

    def _another(self, came: Any) -> Any:
        """What came of a call elsewhere: a number of ours that a file elsewhere has now is ours no longer."""
        if isinstance(came, int):
            self.handles.discard(came)
        return came

    def _opened(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def inner(file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
            if not self.concerns(file):
                came = call(file, mode, *arguments, **named)
                self._another(came.fileno())
                return came
            came = self.strike(lambda: call(file, mode, *arguments, **named))
            self.handles.add(came.fileno())
            return Written(came, self) if set(mode) & set("wax") else came

        return inner


class Written:
    """A file open for writing, whose writes count too."""

    def __init__(self, file: Any, disk: Disk) -> None:
        self._file, self._disk = file, disk

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Written:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, content: Any) -> int:
        def half() -> None:
            self._file.write(content[: len(content) // 2])
            self._file.flush()

        return int(self._disk.strike(lambda: self._file.write(content), half))


class Came(NamedTuple):
    """How a command ended: its exit code (-9: killed), what it printed, and how many calls to the disk it made."""

    code: int
    out: str
    err: str
    calls: int


def start(home: Path, command: Sequence[str], fault: Fault | None = None) -> tuple[int, Path]:
    """A command in a process of its own: its number, and where what it prints goes."""
    told = home.parent / f"{home.name}-told-{time.monotonic_ns()}"
    told.mkdir()
    return _asked({"home": str(home), "command": list(command), "fault": fault, "told": str(told)}), told


@cache
def _server() -> subprocess.Popen[str]:
    """The process that splits off the commands: a few megabytes, where this one may have grown to a thousand."""
    command = [sys.executable, "-m", "tests.storage.faults"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _asked(what: object) -> int:
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    print(json.dumps(what), file=server.stdin, flush=True)
    return int(server.stdout.readline())


def serve() -> None:
    """Split off a command for each line, or wait for one to end; answer with its number, or its exit code."""
    for name in (*(f"companion.cli.{each}" for each in COMMANDS.values()), *LOADED):
        import_module(name)  # so that no command has to do it again
    for line in sys.stdin:
        asked = json.loads(line)
        if "ended" in asked:
            print(os.waitstatus_to_exitcode(os.waitpid(asked["ended"], 0)[1]), flush=True)
            continue
        fault = Fault(*asked["fault"]) if asked["fault"] else None
        print(_split_off(Path(asked["home"]), asked["command"], fault, Path(asked["told"])), flush=True)


def _split_off(home: Path, command: Sequence[str], fault: Fault | None, told: Path) -> int:
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        _be(home, command, fault, told)
    except SystemExit as ended:
        code = int(ended.code or 0)
    except BaseException as error:  # it is the test's own fault: nothing of the program comes here
        (told / "err").write_text(f"{type(error).__name__}: {error}")
    finally:
        os._exit(code)


def _be(home: Path, command: Sequence[str], fault: Fault | None, told: Path) -> None:
    os.environ["COMPANION_HOME"] = str(home)
    streams = [open(told / name, "w", encoding="utf-8") for name in ("out", "err")]  # noqa: SIM115
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.stdout, sys.stderr = streams
    from companion.cli.main import main
    from companion.packs import own
    from companion.store import files

    own._proved = lambda pack: []  # seconds of proving a pack, which writes nothing
    files.PATIENCE = 0.5 if fault is not None and fault.what == errno.EACCES else files.PATIENCE  # as if it were held
    sys.argv = ["companion", *command]
    disk = Disk(home, fault)
    disk.stand()
    code = main()
    for stream in streams:
        stream.flush()
    (told / "calls").write_text(str(disk.count))
    sys.exit(code)


def ended(child: int, told: Path) -> Came:
    """Wait for it."""
    code = _asked({"ended": child})
    out, err, calls = ((told / name).read_text() if (told / name).exists() else "" for name in ("out", "err", "calls"))
    shutil.rmtree(told)
    return Came(code, out, err, int(calls or 0))


def run(home: Path, command: Sequence[str], fault: Fault | None = None) -> Came:
    """A command from beginning to end."""
    return ended(*start(home, command, fault))


# -- what is on the disk -----------------------------------------------------------------------------------------------


def visible(home: Path) -> dict[str, object]:
    """What a player has: each document and each table of his own; the bytes of one that makes no sense."""
    state: dict[str, object] = {}
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if (
            any(part.startswith(".") for part in name.split("/"))
            or name.startswith(("cache/", "drafts/"))
            or not path.is_file()
        ):
            continue
        if path.suffix == ".json":
            content = path.read_bytes()
            try:
                state[name] = json.loads(content)
            except ValueError:
                state[name] = content
        elif path.suffix == ".toml":
            state[name] = path.read_text(encoding="utf-8")
    return state


NOTHING = ("nothing was recorded", "nothing was imported", "nothing was restored", "nothing was changed", "it is as it")
SOMETHING = ("is written, but", "is there, but", "is restored to", "had been recorded stands", "imported so far")
LATE = "reports an error when it is done"  # as a network disk does


class Case(NamedTuple):
    """A command that writes, and what is on the disk when it begins."""

    name: str
    before: Sequence[Sequence[str]]  # the commands that bring it about
    command: Sequence[str]
    change: Callable[[Path], object] = lambda home: None  # what else is done to the data folder first


def wrong(home: Path, before: object, after: object, came: Came, usual: int = 0) -> Iterator[str]:
    """What is not as it has to be after a command that met a fault: by what it said, and once another one has run."""
    said = (came.out + came.err).casefold()
    if "made a mistake" in said or "traceback" in said:
        yield f"it says {came.err!r}"
    following = run(home, ["campaigns"])
    now = visible(home)
    if following.code != 0 and (now != before or following.code != usual):
        yield f"the next command ends with {following.code}: {following.err!r}"
    if now not in (before, after, *between(before, after)):
        yield f"half of it: {sorted(name for name in _names(now, after) if _of(now, name) != _of(after, name))}"
    if came.code == 0 and now != after:
        yield "it ended well, and it is not there"
    if came.code > 0 and before != after:
        claims = [word for word in NOTHING if word in said], [word for word in SOMETHING if word in said]
        if claims[0] and now != before:
            yield f"{claims[0][0]!r} is not true: {came.err!r}"
        if claims[1] and now == before:
            yield f"{claims[1][0]!r} is not true: {came.err!r}"


def between(before: Any, after: Any) -> Iterator[object]:
    """What is right between them: a new campaign comes in one go and is then the one in use, a crew is changed before
    its mission begins, a mission is restored before its campaign is in use; each table of several stands by itself."""
    changed = sorted(name for name in _names(before, after) if _of(before, name) != _of(after, name))
    tables = all(name.startswith("packs/") for name in changed)
    for some in range(1 << len(changed)) if tables else range(3):
        done = [name for at, name in enumerate(changed) if (some >> at & 1 if tables else _stage(name, before) <= some)]
        yield {name: _of(after if name in done else before, name) for name in {*before, *done}}


def _stage(name: str, before: Any) -> int:
    folder, _, last = name.rpartition("/")
    if name == "settings.json":
        return 2
    return int(last.startswith("mission-") and f"{folder}/campaign.json" in before)


def _names(*states: Any) -> set[str]:
    return {name for state in states for name in state}


def _of(state: Any, name: str) -> object:
    return state.get(name)


if __name__ == "__main__":
    from tests.storage import faults

    faults.serve()
