"""Killed commands, full disks, two terminals, damaged and old files: what was acknowledged is never lost."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.campaign import documents, store
from companion.files import disk
from tests.bench.crash import ROOT, storm
from tests.conftest import Run
from tests.test_at_the_table import sit_down

MISSION = Path("campaigns") / "owls" / "mission-01.json"


@pytest.fixture
def owls(companion: Run) -> Run:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    companion("mark", "fuel.wing", "7")
    companion("mark", "fuel.wing")
    return companion


def boxes(companion: Run) -> int:
    return int(companion("status", "--json").json["facts"]["fuel.wing"])


def test_commands_killed_at_any_moment_lose_nothing_acknowledged(tmp_path: Path) -> None:
    came = storm(tmp_path / "storm", 60, seed=29)
    assert came.killed >= 20
    assert came.recorded >= 5


def test_the_bytes_are_on_the_disk_before_the_name_and_the_name_before_the_answer(
    owls: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for name in ("fsync", "replace"):
        call = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, name=name, call=call: (done.append(name), call(*a))[1])
    owls("mark", "fuel.wing")
    assert done == ["fsync", "replace", "replace", "fsync"]  # bytes; .bak, the file itself; the folder


def test_what_a_killed_command_left_over_is_not_in_the_way(owls: Run, data_folder: Path) -> None:
    folder = (data_folder / MISSION).parent
    (folder / ".mission-01.json.new").write_text('{"mission"')
    (folder / ".mission-01.json.bak").write_text("")
    assert "2 half-written files" in owls("doctor").out
    assert owls("mark", "fuel.wing").code == 0
    assert boxes(owls) == 9
    assert sorted(each.name for each in folder.iterdir()) == [
        ".lock", "campaign.json", "mission-01.bak", "mission-01.json",
    ]  # fmt: skip


@pytest.mark.parametrize("call", ["open", "fsync", "replace", "link and copy"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_refuses_is_one_sentence_and_the_old_state_stands(
    owls: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    before = (data_folder / MISSION).read_bytes()
    with monkeypatch.context() as patch:
        if call == "open":
            patch.setattr(disk, "_write_synced", refuse)
        elif call == "link and copy":
            patch.setattr(os, "link", refuse)
            write = disk._write_synced
            patch.setattr(disk, "_write_synced", lambda at, what: refuse() if at.suffix == ".bak" else write(at, what))
        else:
            patch.setattr(os, call, refuse)
        ran = owls("mark", "fuel.wing")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert os.strerror(number) in ran.err and "nothing was recorded" in ran.err
    assert (data_folder / MISSION).read_bytes() == before
    assert not list((data_folder / MISSION).parent.glob(".mission*"))
    assert boxes(owls) == 8


def test_a_disk_that_does_not_confirm_the_name_is_told_as_what_it_is(
    owls: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "sync_folder", refuse)
        ran = owls("mark", "fuel.wing")
    assert ran.code == 1 and "is written, but the disk did not confirm it" in ran.err
    assert boxes(owls) == 9


def test_a_file_system_without_links_keeps_the_generation_before_too(
    owls: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    before = (data_folder / MISSION).read_bytes()
    monkeypatch.setattr(os, "link", refuse)
    assert owls("mark", "fuel.wing").code == 0
    assert (data_folder / MISSION).with_suffix(".bak").read_bytes() == before


def test_a_folder_that_is_gone_or_no_folder_is_said(owls: Run, data_folder: Path, tmp_path: Path) -> None:
    (data_folder / "campaigns").rename(tmp_path / "elsewhere")
    ran = owls("mark", "fuel.wing")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "the campaign in use is missing" in ran.err
    assert owls("roll", "6-1", "--game", "b29", "--dice", "3").code == 0
    (data_folder / "campaigns").write_text("a file")
    ran = owls("new", "Second", "--game", "b29", "--yes")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "nothing was recorded" in ran.err


def test_ctrl_c_in_the_middle_of_a_save_leaves_the_old_sheet(owls: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from tinydb.table import Document

    def interrupted(value: Any, doc_id: int) -> Document:
        if doc_id > 1:
            raise KeyboardInterrupt
        return Document(value, doc_id)

    with monkeypatch.context() as patch:
        patch.setattr(store, "Document", interrupted)
        assert owls("mark", "fuel.wing").code == 1
    assert boxes(owls) == 8
    assert len(owls("log", "--json").json) == 2


@pytest.mark.parametrize("call", ["fsync", "before the swap", "swap", "folder", "told"])
@pytest.mark.parametrize("fault", [KeyboardInterrupt, RuntimeError])
def test_what_is_said_of_a_command_that_broke_off_is_so(
    owls: Run, monkeypatch: pytest.MonkeyPatch, call: str, fault: type[BaseException]
) -> None:
    """Stopped before the swap nothing was recorded; stopped after it, that is not claimed."""
    replace, stood = os.replace, boxes(owls)

    def stop(*_: Any) -> None:
        raise fault

    def swap(source: Any, target: Any) -> None:
        last = Path(target).suffix == ".json"
        if call == "before the swap" and not last:
            stop()
        replace(source, target)
        if call == "swap" and last:
            stop()

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", swap)
        if call == "fsync":
            patch.setattr(os, "fsync", stop)
        elif call == "folder":
            patch.setattr(disk, "sync_folder", stop)
        elif call == "told":
            patch.setattr("companion.cli.edit.print", stop, raising=False)
            patch.setattr("rich.console.Console.print", stop)
        ran = owls("mark", "fuel.wing")
    assert ran.code == 1
    landed = boxes(owls) > stood
    assert landed == (call not in ("fsync", "before the swap")) == ("What had been recorded stands" in ran.err)
    assert landed != ("othing was recorded" in ran.err)
    assert len(owls("log", "--json").json) == 2 + landed


def test_a_long_flight_is_written_in_one_go(owls: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[int] = []
    write = store.SafeStorage.write
    monkeypatch.setattr(store.SafeStorage, "write", lambda self, data: (writes.append(1), write(self, data))[1])
    from companion.packs import Pack
    from companion.play.journal import Journal
    from companion.play.mission import Mission

    entries = [{"v": "set", "t": "set"} for _ in range(2500)]
    mission = Mission(Pack("b29"), {}, [], Journal(entries), 2)
    campaign = store.current()
    assert campaign is not None
    campaign.begin(mission.game, mission)
    assert writes == [1]


def test_an_output_that_nobody_can_read_does_not_deny_what_was_recorded(owls: Run) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "companion", "mark", "fuel.wing"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
    assert ran.returncode == 1
    assert ran.stderr == "cannot go on: No space left on device. What had been recorded stands: companion log\n"
    assert boxes(owls) == 9
    narrow = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "mark", "fuel.wing"], cwd=ROOT, capture_output=True, text=True, env=narrow
    )
    assert (ran.returncode, ran.stdout) == (0, "Wing tanks: 9 > 10\n")


# -- two terminals ---------------------------------------------------------------------------------------------------


def test_twenty_terminals_at_once_lose_no_mark(owls: Run) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "companion", "mark", "fuel.wing"], cwd=ROOT, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(20)
    ]  # fmt: skip
    assert [each.communicate()[1] for each in running] == [b""] * 20
    assert boxes(owls) == 28
    assert len(owls("log", "--json").json) == 22


def test_a_lock_is_waited_for_a_while_and_a_dead_holder_has_none(
    owls: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = (data_folder / MISSION).with_name(".lock")
    holder = subprocess.Popen(
        [sys.executable, "-c", "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX);"
         "f.write('4711'); f.flush(); print('held', flush=True); time.sleep(60)", str(lock)],
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    monkeypatch.setattr(store, "PATIENCE", 0.2)
    ran = owls("mark", "fuel.wing")
    assert ran.code == 1 and "another terminal has been writing" in ran.err
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert lock.read_text() == "4711"
    assert owls("mark", "fuel.wing").code == 0
    assert boxes(owls) == 9


def test_a_disk_without_locks_says_so_at_once(owls: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    begun = time.monotonic()
    ran = owls("mark", "fuel.wing")
    assert ran.code == 1 and "cannot lock files: No locks available" in ran.err
    assert time.monotonic() - begun < 1


# -- damage and age --------------------------------------------------------------------------------------------------


def edited(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    def edit(content: bytes) -> bytes:
        found = json.loads(content)
        change(found)
        return json.dumps(found).encode()

    return edit


def facts(**values: Any) -> Callable[[bytes], bytes]:
    return edited(lambda found: found["mission"]["1"]["facts"].update(values))


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut off": (lambda content: content[: len(content) // 2], "line 1 column"),
    "emptied": (lambda content: b"", "it is empty"),
    "zeroed by a power cut": (lambda content: bytes(len(content)), "it is empty"),
    "binary": (lambda content: bytes(range(256)), "it is not text"),
    "another document": (lambda content: b"[1, 2]", "not a campaign document"),
    "nothing in it": (lambda content: b"{}", "holds no mission"),
    "a key twice": (lambda content: content.replace(b'"stand":', b'"stand":0,"stand":'), "'stand' twice"),
    "too deep": (lambda content: b'{"mission":' + b"[" * 100_000, "nested too deeply"),
    "a box too many": (facts(**{"fuel.wing": 39}), "fuel.wing cannot be 39; it takes 0 to 38"),
    "a word for a number": (facts(**{"fuel.wing": "8"}), "fuel.wing cannot be '8'"),
    "an impossible choice": (facts(altitude="stratosphere"), "altitude cannot be stratosphere"),
    "an unknown field": (facts(parrot="yes"), "a field parrot, which the sheet does not have"),
    "no value": (facts(altitude=None), "its facts are not fields with values"),
    "stand too far": (edited(lambda found: found["mission"]["1"].update(stand=9)), "stands at 9, but there"),
    "stand missing": (edited(lambda found: found["mission"]["1"].pop("stand")), "stands at None"),
    "an entry missing": (edited(lambda found: found["journal"].pop("1")), "its journal has a gap"),
    "an entry torn": (edited(lambda found: found["journal"]["2"].pop("v")), "journal entry 2 is not whole"),
    "an entry's change torn": (edited(lambda found: found["journal"]["2"].update(c={"zone": 1})), "is not whole"),
    "pending nonsense": (edited(lambda found: found["mission"]["1"].update(pending=[{"roll": 5}])), "pending thing 1"),
    "pending field": (edited(lambda found: found["mission"]["1"].update(pending=[{"ask": "x"}])), "pending"),
    "rows that are none": (edited(lambda found: found.update(journal={"a": {}})), "journal has 'a'"),
    "no format": (edited(lambda found: found["mission"]["1"].pop("format")), "no format number"),
    "format unheard of": (edited(lambda found: found["mission"]["1"].update(format=-3)), "format -3, which this"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_mission_is_named_with_its_cause_and_restored(owls: Run, data_folder: Path, name: str) -> None:
    damage, said = DAMAGES[name]
    file = data_folder / MISSION
    broken = damage(file.read_bytes())
    file.write_bytes(broken)
    ran = owls("status")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert f"{file} is damaged" in ran.err and said in ran.err and str(file.with_suffix(".bak")) in ran.err
    told = {each["file"]: each for each in owls("doctor", "--json").json}
    assert said in told[str(file)]["cause"] and told[str(file)]["backup_sound"]
    assert owls("doctor").code == 1
    assert owls("doctor", "--repair").code == 2  # nobody to ask
    assert file.read_bytes() == broken
    assert owls("mark", "fuel.wing").code == 1
    ran = owls("doctor", "--repair", "--yes")
    assert ran.code == 0 and "mended" in ran.out
    assert file.with_suffix(".damaged").read_bytes() == broken
    assert boxes(owls) == 7
    assert owls("mark", "fuel.wing").code == 0
    assert owls("doctor").code == 0


def test_repair_asks_at_a_terminal(owls: Run, data_folder: Path) -> None:
    (data_folder / MISSION).write_text("")
    terminal = sit_down("doctor", "--repair")
    terminal.expect("it is empty")
    terminal.sendline("n")
    terminal.expect("cannot be used")
    assert (data_folder / MISSION).read_text() == ""
    terminal = sit_down("doctor", "--repair")
    terminal.expect("y/N")
    terminal.sendline("y")
    terminal.expect("mended")
    assert boxes(owls) == 7


def test_a_damaged_file_is_kept_where_the_disk_has_no_links(
    owls: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    file = data_folder / MISSION
    file.write_text("damaged")
    monkeypatch.setattr(os, "link", refuse)
    ran = owls("doctor", "--repair", "--yes")
    assert (ran.code, ran.err) == (0, "")
    assert file.with_suffix(".damaged").read_text() == "damaged"
    assert boxes(owls) == 7
    assert not list(file.parent.glob(".mission*"))


@pytest.mark.parametrize(
    "variants", [{"one": "b29"}, {"-1": "b29"}, {"01": "b29"}, {"1": 29}, ["b29"], "b29", {"1": None}, {"": "b29"}]
)
def test_variants_that_make_no_sense_are_damage(owls: Run, data_folder: Path, variants: Any) -> None:
    file = (data_folder / MISSION).with_name("campaign.json")
    file.write_bytes(edited(lambda found: found["campaign"]["1"].update(variants=variants))(file.read_bytes()))
    ran = owls("status")
    assert (ran.code, ran.err.count("\n")) == (1, 1) and "do not say from which mission on" in ran.err
    listed = owls("doctor", "--json").json
    assert "do not say from which mission on" in next(each for each in listed if each["kind"] == "campaign")["cause"]
    assert owls("doctor", "--repair", "--yes").code == 0  # its missions tell which game they were flown with
    assert boxes(owls) == 8


def test_a_variant_that_is_not_there_is_told_by_the_doctor(owls: Run, data_folder: Path) -> None:
    file = (data_folder / MISSION).with_name("campaign.json")
    more = {"variants": {"1": "b92", "2": "b29"}}
    file.write_bytes(edited(lambda found: found["campaign"]["1"].update(more))(file.read_bytes()))
    assert "there is no game b92" in owls("doctor").out
    assert "there is no game b92" in owls("status").err


def test_a_lost_file_and_one_without_a_generation_before(owls: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    file.unlink()
    assert "is missing; the generation before it is whole" in owls("status").err
    assert owls("mission", "start", "--yes").code == 1  # mission 1 is not begun a second time
    assert owls("doctor", "--repair", "--yes").code == 0
    assert boxes(owls) == 7
    about = file.with_name("campaign.json")
    about.write_text('{"campaign":{"1":{"format":1,"name":"Owls"}}}')
    assert "it has no game; see: companion doctor" in owls("status").err.replace(") ", "").replace(")", "")
    listed = owls("doctor")
    assert listed.code == 1 and "its missions tell the game" in listed.out
    file.write_text("")
    file.with_suffix(".bak").write_text("")
    assert "is no better: it is empty" in owls("doctor").out
    assert owls("doctor", "--repair", "--yes").code == 1


def test_a_newer_file_is_refused_and_left_alone(owls: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    file.write_bytes(edited(lambda found: found["mission"]["1"].update(format=2))(file.read_bytes()))
    ran = owls("mark", "fuel.wing")
    assert (ran.code, ran.err) == (1, f"{file} was written by a newer companion (format 2); update this one\n")
    assert "newer" in owls("doctor", "--repair", "--yes").out
    assert not file.with_suffix(".damaged").exists()


def test_an_older_format_is_brought_up_to_date_and_kept(
    owls: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def from_0(kind: str, document: dict[str, Any]) -> dict[str, Any]:
        if kind == "mission":
            document["mission"]["1"]["facts"] = document["mission"]["1"].pop("state")
        return document

    def to_0(found: dict[str, Any]) -> None:
        kept = found["mission"]["1"]
        kept.update(format=0, state=kept.pop("facts"))

    monkeypatch.setitem(documents.MIGRATIONS, 0, from_0)
    file = data_folder / MISSION
    old = edited(to_0)(file.read_bytes())
    file.write_bytes(old)
    assert boxes(owls) == 8
    assert "2 entries, 2 of them standing, format 0" in owls("doctor").out
    assert file.read_bytes() == old  # looking changes nothing
    assert owls("mark", "fuel.wing").code == 0
    assert file.with_suffix(".format-0").read_bytes() == old
    assert json.loads(file.read_text())["mission"]["1"]["format"] == 1
    assert boxes(owls) == 9
    owls("undo", 3)
    assert boxes(owls) == 0


def test_damaged_settings_and_campaigns_are_told_too(owls: Run, data_folder: Path) -> None:
    owls("new", "Second", "--game", "b29", "--yes")
    (data_folder / "settings.json").write_text("{")
    assert "settings.json is damaged" in owls("status").err
    assert owls("doctor", "--repair", "--yes").code == 0
    assert boxes(owls) == 8  # the generation before named the Owls
    about = data_folder / "campaigns" / "second" / "campaign.json"
    about.write_text('{"campaign":{"1":{"format":1,"name":"Second","game":"b29","roster":{"pilot":7}}}}')
    assert "its roster is not a list of names" in owls("use", "Second").err


def test_a_campaign_without_a_generation_before_it_is_rebuilt_from_its_missions(owls: Run, data_folder: Path) -> None:
    about = (data_folder / MISSION).with_name("campaign.json")
    owls("crew", "--set", "pilot=Dan Kerr")
    owls("bomber", "Second Wind", "--yes")
    owls("mission", "start", "--yes", "--game", "b29-streamliner")
    owls("set", "name.pilot=Gus Lindqvist", "name.navigator=Dan Kerr")  # they changed seats in flight
    flown, crew = owls("campaign", "--json").json, owls("crew", "--json").json["crew"]
    about.with_suffix(".bak").unlink()
    about.write_text('{"campaign":{"1":{"form')
    assert "its missions tell the game, the bomber and the crew" in owls("doctor").out
    assert owls("doctor", "--repair").code == 2  # nobody to ask
    ran = owls("doctor", "--repair", "--yes")
    assert ran.code == 0 and "a campaign of b29-streamliner" in ran.out
    assert about.with_suffix(".damaged").read_text() == '{"campaign":{"1":{"form'
    assert owls("doctor").code == 0
    assert owls("campaign", "--json").json == {**flown, "campaign": "owls"}
    assert [each["name"] for each in owls("crew", "--json").json["crew"]] == [each["name"] for each in crew]
    assert store.Campaign(about.parent).game_of(1) == "b29"
    assert owls("mark", "fuel.wing").code == 0
    about.unlink()  # lost, not damaged
    assert owls("doctor", "--repair", "--yes").code == 0
    assert owls("campaign", "--json").json["campaign"] == "owls"


def test_nothing_is_guessed_about_a_campaign_whose_missions_do_not_tell_it(owls: Run, data_folder: Path) -> None:
    about = (data_folder / MISSION).with_name("campaign.json")
    about.write_text("")
    older = edited(lambda found: found["mission"]["1"].pop("game"))((data_folder / MISSION).read_bytes())
    sound = (data_folder / MISSION).read_bytes()
    for missions in (older, b"", sound.replace(b'"fuel.wing"', b'"fuel.sail"')):
        (data_folder / MISSION).write_bytes(missions)
        (data_folder / MISSION).with_suffix(".bak").unlink(missing_ok=True)
        assert "there is no generation before it" in owls("doctor").out
        assert owls("doctor", "--repair", "--yes").code == 1
        assert about.read_text() == ""


@pytest.mark.parametrize("older", [None, "x", "{}"])
def test_a_damaged_note_of_the_campaign_in_use_is_no_dead_end(owls: Run, data_folder: Path, older: str | None) -> None:
    settings = data_folder / "settings.json"
    settings.write_text("x")
    if older is not None:
        settings.with_suffix(".bak").write_text(older)
    ran = owls("mark", "fuel.wing")
    assert (ran.code, ran.err.count("\n")) == (1, 1) and "makes no sense from line 1" in ran.err
    assert "choose the campaign again with: companion use NAME" in owls("doctor").out
    assert owls("use", "Owls").code == 0
    assert owls("mark", "fuel.wing").code == 0
    assert owls("doctor").code == 0
    assert settings.with_suffix(".damaged").read_text() == "x"


def test_the_names_are_listed_without_the_note_of_the_one_in_use(owls: Run, data_folder: Path) -> None:
    (data_folder / "settings.json").write_text("x")
    ran = owls("campaigns")
    assert (ran.code, ran.out) == (1, "  Owls  b29, 1 missions\n")
    assert "settings.json is damaged" in ran.err


def test_a_note_of_a_newer_companion_is_left_alone(owls: Run, data_folder: Path) -> None:
    settings = data_folder / "settings.json"
    settings.write_text(newer := settings.read_text().replace('"format":1', '"format":9'))
    assert owls("use", "Owls").code == 1
    assert settings.read_text() == newer


def test_a_new_campaign_beside_a_damaged_note_is_whole(owls: Run, data_folder: Path) -> None:
    (data_folder / "settings.json").write_text("x")
    assert owls("new", "Second", "--game", "b17", "--yes").code == 0
    assert [each["campaign"] for each in owls("campaigns", "--json").json if each["in_use"]] == ["Second"]


def test_a_sheet_that_cannot_be_written_leaves_the_one_before(
    owls: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sheet.txt").write_text("the one before")

    def refuse(self: Path, said: bytes) -> int:
        with open(self, "wb") as file:
            file.write(said[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    ran = owls("sheet", "mission", "-o", tmp_path / "sheet.txt")
    assert ran.code == 1 and "sheet.txt: No space left on device" in ran.err
    assert {each.name: each.read_text() for each in tmp_path.glob("*sheet*")} == {"sheet.txt": "the one before"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_what_is_no_file_is_not_read(owls: Run, data_folder: Path) -> None:
    (data_folder / MISSION).unlink()
    (data_folder / MISSION).symlink_to("/dev/full")
    assert "it is no file" in owls("status").err
    assert "it is no file" in owls("doctor").out


def test_a_campaign_of_a_game_that_is_not_there_is_found(owls: Run, data_folder: Path) -> None:
    path = (data_folder / MISSION).with_name("campaign.json")
    path.write_text(path.read_text().replace('"b29"', '"b92"'))
    ran = owls("doctor")
    assert ran.code == 1 and "there is no game b92" in ran.out
