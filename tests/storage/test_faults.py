"""One command, one change: over errors, kills and Ctrl-C at the calls to the disk, and beside other terminals."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.problems import Trouble
from companion.store import files, system
from tests.storage.cases import FLOWN, Prepared, beside, cases
from tests.storage.faults import DELAY, ERRORS, KILLS, STOP, Case, Fault, ended, run, start, visible, wrong
from tests.support import Run, slow_but

NAMES = [case.name for case in cases(Path())]
QUICK = ["mission start of a variant"]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are split off")


@pytest.mark.parametrize("name", slow_but([*QUICK, *(name for name in NAMES if name not in QUICK)], 1))
def test_what_is_said_is_so_and_nothing_is_half_done(tmp_path: Path, compiled: Path, name: str) -> None:
    """The bench tries every call, here it is some of them."""
    case = next(each for each in cases(beside(tmp_path / "beside", compiled)) if each.name == name)
    prepared = Prepared(tmp_path / "case", case, compiled)
    faults = [*prepared.faults(ERRORS, (False, True)), *prepared.faults((STOP, *KILLS))]
    step = max(1, len(faults) // 8)
    for fault in faults[step // 2 :: step]:
        home = prepared.again()
        came = run(home, case.command, fault)
        assert list(wrong(home, prepared.before, prepared.after, came, prepared.usual)) == [], (fault, came)


def places(prepared: Prepared, word: str) -> int:
    """How many calls a command makes until what it does can be seen in the data folder under that name."""
    for at in range(1, prepared.came.calls + 1):
        home = prepared.again()
        run(home, prepared.case.command, Fault(at, KILLS[0]))
        if list(home.rglob(word)):
            return at
    raise AssertionError(f"no {word}")


@pytest.mark.slow
def test_a_kill_behind_the_switch_is_completed_by_the_next_command(tmp_path: Path, compiled: Path) -> None:
    """Before the note nothing has happened; with it all of it has, whoever looks next."""
    case = Case("new", [], ["new", "Owls", "--game", "b29", "--yes"])
    prepared = Prepared(tmp_path / "case", case, compiled)
    at = places(prepared, ".change")
    home = prepared.again()
    assert run(home, case.command, Fault(at - 1, KILLS[0])).code == -9
    assert run(home, ["campaigns"]).out.startswith("No campaigns yet")
    assert run(home, case.command).code == 0  # it can be said again
    home = prepared.again()
    assert run(home, case.command, Fault(at, KILLS[0])).code == -9
    assert visible(home) == {}
    assert run(home, ["roll", "6-1", "--game", "b29", "--dice", "3"]).code == 0
    assert visible(home) == prepared.after
    assert not (home / ".change").exists() and not list(home.rglob("*.part"))


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
        assert visible(home) == prepared.after
        assert run(home, ["doctor"]).code == 0


@pytest.fixture
def three(data_folder: Path) -> list[Path]:
    """Three files that stand already."""
    old = [data_folder / "campaigns" / "owls" / f"{name}.json" for name in "abc"]
    old[0].parent.mkdir(parents=True)
    for each in old:
        each.write_text("old")
    return old


def half_done(places: list[Path], monkeypatch: pytest.MonkeyPatch, after: int) -> Trouble:
    """A change of all of them that the disk refuses behind the switch, when so many of them are in place."""

    done: list[Path] = []

    def replace(source: Path, target: Path) -> None:
        if target in places:
            if len(done) == after:
                raise OSError(errno.EIO, "Input/output error")
            done.append(target)
        os.replace(source, target)

    with monkeypatch.context() as patch, pytest.raises(Trouble) as caught:
        patch.setattr(system, "replace", replace)
        with files.one_change():
            for each in places:
                files.put(each, b"new", [each.with_suffix(".bak")])
    return caught.value


def test_a_disk_that_refuses_behind_the_switch_is_told_as_that(
    three: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = half_done(three, monkeypatch, 1)
    assert "this is recorded, but not all of it is in place yet" in str(trouble)
    assert [each.read_text() for each in three] == ["new", "old", "old"]
    files.settle()
    assert [each.read_text() for each in three] == ["new"] * 3
    assert [each.with_suffix(".bak").read_text() for each in three] == ["old"] * 3
    assert not files.note().exists()


def test_what_was_written_since_is_not_covered(three: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A note that a power cut has brought back must not undo what came after it."""
    half_done(three, monkeypatch, 1)
    three[0].write_text("newer")
    files.settle()
    assert [each.read_text() for each in three] == ["newer", "new", "new"]


def test_a_change_that_breaks_off_inside_writes_nothing(three: list[Path]) -> None:
    with pytest.raises(KeyboardInterrupt), files.one_change():
        files.put(three[0], b"new")
        assert files.waiting(three[0]) == b"new"
        raise KeyboardInterrupt
    assert [each.read_text() for each in three] == ["old"] * 3
    assert files.waiting(three[0]) is None


def test_a_damaged_note_is_told_and_the_doctor_puts_it_aside(companion: Run, data_folder: Path) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    files.note().write_text("0123\n[]")
    assert "is damaged; see: companion doctor" in companion("status").err
    assert companion("doctor").code == 1
    assert companion("doctor", "--repair", "--yes").code == 0
    assert (data_folder / ".change.damaged").read_text() == "0123\n[]"
    assert companion("campaigns").code == 0


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside"])
def test_a_note_leads_nowhere_else(companion: Run, data_folder: Path, name: str) -> None:
    files.note().write_bytes(files._text([{"file": name, "before": "", "after": "00", "older": []}]))
    assert "is none of ours" in companion("campaigns").err


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
