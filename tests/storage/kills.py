"""Killing a command at its n-th disk operation, in a child process."""

import contextlib
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.problems import UserError

CALLS = ("open", "replace", "link", "unlink", "mkdir", "fsync")
by_forks = pytest.mark.skipif(os.name == "nt", reason="no forks on Windows")


class Ended(NamedTuple):
    """The end of a command: its exit code (-9 if killed), its output (`done` by default), its disk operations."""

    code: int
    told: str
    calls: int


def killed(work: Callable[[], object], at: int = 0, *, after: bool = False) -> Ended:
    """Run this in a child process and kill it before or after its `at`-th disk operation, from 1; 0 is never."""
    home, count = os.environ["COMPANION_HOME"], 0
    heard, tell = os.pipe()

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def inner(*arguments: Any, **named: Any) -> Any:
            nonlocal count
            ours = isinstance(arguments[0], int) or str(arguments[0]).startswith(home)
            count += ours
            if ours and count == at and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                return call(*arguments, **named)
            finally:
                if ours and count == at:
                    os.kill(os.getpid(), signal.SIGKILL)

        return inner

    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            for name in CALLS:
                setattr(os, name, counted(getattr(os, name)))
            try:
                work()
                told = "done"
            except UserError as problem:
                told = str(problem)
            os.write(tell, f"{count} {told}".encode())
        os._exit(0)
    os.close(tell)
    calls, _, told = os.read(heard, 10_000).decode().partition(" ")
    os.close(heard)
    return Ended(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), told, int(calls or 0))


@contextlib.contextmanager
def copies(home: Path) -> Iterator[Callable[[], Path]]:
    """Yield a fresh copy of a data folder for each try."""
    other = home.parent / f"{home.name}-struck"

    def again() -> Path:
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(home, other, symlinks=True)
        os.environ["COMPANION_HOME"] = str(other)
        return other

    try:
        yield again
    finally:
        os.environ["COMPANION_HOME"] = str(home)
