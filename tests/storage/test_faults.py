"""One command, one file: over errors, kills and Ctrl-C at the calls to the disk, and beside other terminals."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.storage.cases import FLOWN, Prepared, beside, cases
from tests.storage.evenings import MISSION, boxes
from tests.storage.faults import DELAY, ERRORS, KILLS, LATE, STOP, Case, Fault, ended, run, start, visible, wrong
from tests.support import Run, slow_but

NAMES = [case.name for case in cases(Path())]
QUICK = ["mission start of a variant"]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are split off")
Refuse = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def refuse(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """A disk that refuses a call for the files of the campaign, or (`late`) says so when it has done it."""

    @contextmanager
    def refused(name: str, *, late: bool = False) -> Iterator[None]:
        call = getattr(os, name)

        def fail(path: Any, *more: Any, **named: Any) -> Any:
            if not str(path).startswith(str(data_folder / "campaigns")):
                return call(path, *more, **named)
            if late:
                call(path, *more, **named)
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)

        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            yield

    return refused


@pytest.mark.parametrize("name", slow_but([*QUICK, *(name for name in NAMES if name not in QUICK)], 1))
def test_what_is_said_is_so_and_nothing_is_half_done(tmp_path: Path, compiled: Path, name: str) -> None:
    """The bench tries every call, here it is some of them."""
    case = next(each for each in cases(beside(tmp_path / "beside", compiled)) if each.name == name)
    prepared = Prepared(tmp_path / "case", case, compiled)
    faults = [*prepared.faults(ERRORS, (False, True)), *prepared.faults((STOP, LATE, *KILLS))]
    step = max(1, len(faults) // 8)
    for fault in faults[step // 2 :: step]:
        home = prepared.again()
        came = run(home, case.command, fault)
        assert list(wrong(home, prepared.before, prepared.after, came, prepared.usual)) == [], (fault, came)


@pytest.mark.slow
def test_an_import_that_was_killed_can_be_repeated_or_is_there(tmp_path: Path, compiled: Path) -> None:
    files = beside(tmp_path / "beside", compiled)
    case = next(each for each in cases(files) if each.name == "import")
    prepared = Prepared(tmp_path / "case", case, compiled)
    for at in range(2, prepared.came.calls, 7):
        home = prepared.again()
        run(home, case.command, Fault(at, KILLS[0]))
        again = run(home, case.command)
        assert again.code == 0 or "there is a campaign Owls already" in again.err
        assert run(home, ["use", "Owls"]).code == 0
        assert visible(home) == prepared.after
        assert run(home, ["doctor"]).code == 0


# -- what a refused write leaves ---------------------------------------------------------------------------------------


def test_a_refused_write_keeps_the_generation_before(struck: Run, data_folder: Path, refuse: Refuse) -> None:
    older = (data_folder / MISSION).with_suffix(".bak")
    before = older.read_bytes()
    with refuse("replace"):
        assert "nothing was recorded" in struck("mark", "fuel.wing").err
    assert older.read_bytes() == before
    assert struck("mark", "fuel.wing").code == 0 and older.read_bytes() != before


def test_a_rename_that_comes_about_and_reports_an_error_is_told_as_what_it_is(struck: Run, refuse: Refuse) -> None:
    with refuse("replace", late=True):
        ran = struck("mark", "fuel.wing")
    assert ran.code == 1 and "is written, but the disk did not confirm it" in ran.err
    assert boxes(struck) == 9


@pytest.mark.parametrize("command", ["mark fuel.wing", "status", "new Bats --game b17 --yes", "campaigns", "doctor"])
def test_a_stat_that_fails_is_no_missing_file(struck: Run, refuse: Refuse, command: str) -> None:
    with refuse("lstat"), refuse("stat"):
        ran = struck(*command.split())
    assert ran.code == (command != "campaigns") and "Input/output error" in ran.out + ran.err
    assert "made a mistake" not in ran.err and "cannot go on" not in ran.err
    assert ran.err.count("\n") == ran.code and boxes(struck) == 8


# -- two terminals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", slow_but(range(4, 44, 4), 2))
def test_a_slow_command_loses_nothing_to_a_quick_one(tmp_path: Path, compiled: Path, at: int) -> None:
    """One is held up at one of its calls, and the other writes on the same mission."""
    prepared = Prepared(tmp_path / "case", Case("mark", FLOWN, ["mark", "fuel.wing"]), compiled)
    home = prepared.again()
    slow = start(home, ["mark", "fuel.wing"], Fault(at, DELAY))
    quick = run(home, ["mark", "fuel.wing"])
    assert (ended(*slow).code, quick.code) == (0, 0)
    mission = visible(home)["campaigns/owls/mission-01.json"]
    assert mission["mission"]["1"]["facts"]["fuel.wing"] == 10  # type: ignore[index]


@pytest.mark.slow
@pytest.mark.parametrize("at", range(3, 60, 8))
def test_a_living_command_is_not_disturbed_by_the_doctor(tmp_path: Path, compiled: Path, at: int) -> None:
    """What it is writing just now is no leftover."""
    case = Case("new", [], ["new", "Owls", "--game", "b29", "--yes"])
    prepared = Prepared(tmp_path / "case", case, compiled)
    home = prepared.again()
    slow = start(home, case.command, Fault(at, DELAY))
    doctor = run(home, ["doctor", "--repair", "--yes"])
    assert (ended(*slow).code, doctor.code) == (0, 0)
    assert visible(home) == prepared.after
