"""Decoded files of packs are kept as data, and believed only while their sources are as they were."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import zlib
from pathlib import Path

import pytest

from companion.engine.facts import Facts
from companion.packs import Pack, cache
from companion.packs.layers import Layers
from companion.problems import Trouble
from tests.support import pack


@pytest.fixture
def spar(data_folder: Path, tmp_path: Path) -> Path:
    """A pack whose files were written some time ago."""
    pack(tmp_path / "spar", "spar")
    (data_folder / "cache").unlink()  # which all tests share
    for path in (tmp_path / "spar").iterdir():
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return tmp_path / "spar"


def title_of(folder: Path) -> str:
    return Pack("spar", [folder]).table("t").title


def kept(folder: Path) -> Path:
    return cache.place_of("spar", "t", [folder / "t.toml", folder / "sheet.toml"])


def planted(folder: Path, doc: object) -> None:
    """Put something in the place of what is kept, as if it had been made from the same files."""
    body = json.dumps(doc).encode()
    head = json.loads(kept(folder).read_bytes().partition(b"\n")[0])
    kept(folder).write_bytes(json.dumps([*head[:-1], zlib.crc32(body)]).encode() + b"\n" + body)


def test_what_is_kept_serves_until_a_source_changes(spar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert title_of(spar) == "Damage" and json.loads(kept(spar).read_bytes().partition(b"\n")[2])["title"] == "Damage"
    with monkeypatch.context() as nobody:
        nobody.delattr(Layers, "parsed")
        assert title_of(spar) == "Damage"
    (spar / "t.toml").write_text((spar / "t.toml").read_text().replace("Damage", "Hits") + "# changed\n")
    assert title_of(spar) == "Hits"


def test_a_players_file_is_checked_again_when_the_sheet_has_changed(spar: Path) -> None:
    title_of(spar)
    sheet = (spar / "sheet.toml").read_text()
    (spar / "sheet.toml").write_text(sheet.replace("struck =", "stuck ="))
    with pytest.raises(Trouble, match="there is no fact struck"):
        title_of(spar)


def test_a_file_written_a_moment_ago_is_not_kept(spar: Path) -> None:
    (spar / "t.toml").touch()
    assert title_of(spar) == "Damage" and not kept(spar).exists()


def test_what_is_kept_and_damaged_is_made_again(spar: Path) -> None:
    title_of(spar)
    whole = kept(spar).read_bytes()
    for content in (b"", b"companion 3 ", whole[:-1], whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], whole + b"x"):
        kept(spar).write_bytes(content)
        assert title_of(spar) == "Damage"
        assert kept(spar).read_bytes() == whole


@pytest.mark.parametrize("doc", [7, [], {}, {"id": "t", "rows": 5}, {"id": "t", "dice": [], "modifier": 3}])
def test_what_is_planted_is_told_and_removed(spar: Path, doc: object) -> None:
    title_of(spar)
    planted(spar, doc)
    if isinstance(doc, dict):
        with pytest.raises(Trouble, match="was not what it was made from, and is removed"):
            title_of(spar)
    assert title_of(spar) == "Damage"


def test_brackets_without_end_are_no_file(spar: Path) -> None:
    title_of(spar)
    head = json.loads(kept(spar).read_bytes().partition(b"\n")[0])
    body = b"[" * 200_000
    kept(spar).write_bytes(json.dumps([*head[:-1], zlib.crc32(body)]).encode() + b"\n" + body)
    assert title_of(spar) == "Damage"


def test_where_nothing_can_be_kept_the_sources_serve(spar: Path, data_folder: Path) -> None:
    (data_folder / "cache").write_text("a file where a folder should be")
    assert title_of(spar) == "Damage"


def test_what_lies_over_a_table_that_is_looked_up_counts_too(spar: Path) -> None:
    (spar / "sheet.toml").write_text(f"{(spar / 'sheet.toml').read_text()}\n[facts]\nlooked = \"row('t')\"\n")
    before = Facts(Pack("spar", [spar]).sheet)["looked"]
    over = spar.parent / "over"
    over.mkdir()
    (over / "t.toml").write_text('id = "t"\ntitle = "t"\ndice = "1D"\nrows = {"0.." = "other"}\n[outcome.other]\n')
    assert before != "other" and Facts(Pack("spar", [over, spar]).sheet)["looked"] == "other"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Unix")
@pytest.mark.parametrize("place", ["cache", "source"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(spar: Path, place: str) -> None:
    title_of(spar)
    path = kept(spar) if place == "cache" else spar / "t.toml"
    path.unlink()
    os.mkfifo(path)
    if place == "cache":
        assert title_of(spar) == "Damage" and path.is_file()
    else:
        with pytest.raises(Trouble, match=r"cannot read .*t\.toml"):
            title_of(spar)


def test_the_cache_may_be_taken_away_at_any_moment(spar: Path, data_folder: Path) -> None:
    gone = threading.Event()

    def take_away() -> None:
        while not gone.is_set():
            shutil.rmtree(data_folder / "cache", ignore_errors=True)

    thief = threading.Thread(target=take_away)
    thief.start()
    try:
        assert {title_of(spar) for _ in range(100)} == {"Damage"}
    finally:
        gone.set()
        thief.join()
