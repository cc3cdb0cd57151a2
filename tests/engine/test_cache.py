"""Compiled files are kept, and made anew from their sources when these, or what writes the code, have changed."""

from __future__ import annotations

import marshal
import os
import random
import shutil
import sys
import threading
from pathlib import Path

import pytest

from companion.engine.facts import Facts
from companion.packs import Pack, cache
from companion.packs.cache import Sources, Written
from companion.packs.language import compiler
from companion.problems import Trouble
from tests.support import pack

FOLDER = Path(cache.__file__).parent


class Doubt(Exception):
    """The source was asked for."""


def title_of(folder: Path) -> str:
    return Pack("spar", [folder]).table("t").title


def kept(folder: Path) -> Path:
    return cache.kept_file("spar", "t", [folder / "t.toml"])


def test_all_of_the_language_decides_what_is_kept() -> None:
    language = {f"language/{path.name}" for path in FOLDER.glob("language/*.py")} - {"language/__init__.py"}
    assert language <= set(cache.WRITERS)
    assert all((FOLDER / name).is_file() for name in cache.WRITERS)


def test_what_is_kept_serves_until_a_source_changes(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(tmp_path, "spar")
    assert title_of(tmp_path) == "Damage" and kept(tmp_path).is_file()
    with monkeypatch.context() as nobody:
        nobody.delattr(compiler, "compiled")
        assert title_of(tmp_path) == "Damage"
    for name in ("t", "sheet"):
        path = tmp_path / f"{name}.toml"
        before = kept(tmp_path).read_bytes()
        path.write_text(path.read_text().replace("Damage", "Hits") + "# changed\n")
        assert title_of(tmp_path) == "Hits" and kept(tmp_path).read_bytes() != before


def test_what_is_kept_and_damaged_is_made_anew(data_folder: Path, tmp_path: Path) -> None:
    pack(tmp_path, "spar")
    title_of(tmp_path)
    whole = kept(tmp_path).read_bytes()
    for content in (b"", b"companion 3 ", whole[:-1], whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], whole + b"x"):
        kept(tmp_path).write_bytes(content)
        assert title_of(tmp_path) == "Damage"
        assert kept(tmp_path).read_bytes() == whole


def test_where_nothing_can_be_kept_the_sources_serve(data_folder: Path, tmp_path: Path) -> None:
    pack(tmp_path, "spar")
    (data_folder / "cache").unlink()
    (data_folder / "cache").write_text("a file where a folder should be")
    assert title_of(tmp_path) == "Damage"


def test_what_lies_over_a_table_that_is_looked_up_counts_too(data_folder: Path, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    pack(ours, "kites")
    theirs.mkdir()
    beach: dict[str, str | int] = {"beach": "north", "hour": 1}

    def wind(facts: dict[str, str | int], now: str) -> tuple[object, object]:
        read = Facts(Pack("kites", [theirs, ours]).sheet, facts)
        before = read["wind"]
        read.change("step", now)
        return before, read["wind"]

    assert wind(beach, "noon") == (2, 2)
    (theirs / "W-1.toml").write_text(
        '[[patch]]\nreason = "noon"\n[[patch.modifier]]\nid = "noon"\nadd = 1\nwhen = "step = \'noon\'"\nwhy = "noon"\n'
    )
    assert wind(beach, "noon") == (2, -1)  # a fact that the table reads now is one that the wind depends on


@pytest.mark.slow
def test_a_thousand_flipped_bits_are_a_thousand_doubts(data_folder: Path, tmp_path: Path) -> None:
    pack(tmp_path, "spar")
    title_of(tmp_path)
    code = kept(tmp_path)
    whole, sources = code.read_bytes(), Sources([tmp_path / "t.toml"], [tmp_path / "sheet.toml"], lambda table: [])

    def wanted() -> Written:
        raise Doubt

    assert cache.code("spar", "t", sources, wanted).co_filename == "<spar t>"
    rng = random.Random(1)
    for at in [*range(len(whole)), *rng.sample(range(len(whole)), 200)][:1000]:
        code.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << rng.randrange(8))]) + whole[at + 1 :])
        with pytest.raises(Doubt):
            cache.code("spar", "t", sources, wanted)


@pytest.mark.parametrize("body", [b"", marshal.dumps(None), marshal.dumps(([], [], None)), marshal.dumps(7), b"["])
def test_what_is_whole_and_nothing_of_ours_is_made_anew(data_folder: Path, tmp_path: Path, body: bytes) -> None:
    pack(tmp_path, "spar")
    title_of(tmp_path)
    whole = kept(tmp_path).read_bytes()
    kept(tmp_path).write_bytes(cache.mark() + cache.digest(body) + body)
    assert title_of(tmp_path) == "Damage" and kept(tmp_path).read_bytes() == whole


def test_a_file_of_the_same_size_and_time_is_told_from_the_one_before(data_folder: Path, tmp_path: Path) -> None:
    pack(tmp_path, "spar")
    path = tmp_path / "t.toml"
    title_of(tmp_path)
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    path.write_text(path.read_text().replace("Damage", "Danger"))
    os.utime(path, ns=times)
    assert title_of(tmp_path) == "Danger"


def test_a_file_that_is_written_while_it_is_compiled_is_not_kept_as_the_new_one(
    data_folder: Path, tmp_path: Path
) -> None:
    pack(tmp_path, "spar")
    path, slow = tmp_path / "t.toml", Pack("spar", [tmp_path])
    slow.read("t")  # and then somebody edits it
    path.write_text(path.read_text().replace("Damage", "Danger"))
    assert slow.table("t").title == "Damage"
    assert title_of(tmp_path) == "Danger"


@pytest.mark.skipif(sys.platform == "win32", reason="modes and pipes of Unix")
def test_the_cache_is_the_players_alone(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(tmp_path, "spar")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "cache").mkdir(parents=True, mode=0o755)
    title_of(tmp_path)
    files = [kept(tmp_path), kept(tmp_path).parent]
    assert [file.stat().st_mode & 0o777 for file in files] == [0o600, 0o700]
    others = kept(tmp_path).stat().st_ino
    kept(tmp_path).chmod(0o622)  # somebody else may have written it
    assert title_of(tmp_path) == "Damage"
    assert kept(tmp_path).stat().st_mode & 0o777 == 0o600 and kept(tmp_path).stat().st_ino != others


@pytest.mark.skipif(sys.platform == "win32", reason="modes and pipes of Unix")
@pytest.mark.parametrize("place", ["cache", "source"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(data_folder: Path, tmp_path: Path, place: str) -> None:
    pack(tmp_path, "spar")
    title_of(tmp_path)
    path = kept(tmp_path) if place == "cache" else tmp_path / "t.toml"
    path.unlink()
    os.mkfifo(path)
    if place == "cache":
        assert title_of(tmp_path) == "Damage" and path.is_file()
    else:
        with pytest.raises(Trouble, match=r"cannot read .*t\.toml: it is no file"):
            title_of(tmp_path)


def test_the_cache_may_be_taken_away_at_any_moment(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(tmp_path, "spar")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    gone = threading.Event()

    def take_away() -> None:
        while not gone.is_set():
            shutil.rmtree(tmp_path / "home", ignore_errors=True)

    thief = threading.Thread(target=take_away)
    thief.start()
    try:
        assert {title_of(tmp_path) for _ in range(100)} == {"Damage"}
    finally:
        gone.set()
        thief.join()
