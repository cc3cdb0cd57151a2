"""Pack sentences cannot call, import or open anything; decoded files are cached while their sources are unchanged."""

import json
import os
from pathlib import Path

import pytest

from companion.engine.facts import Facts
from companion.packs import Pack
from companion.packs.layers import Layers
from companion.packs.toml_files import cache_file
from tests.support import pack


@pytest.fixture
def spar(data_folder: Path, tmp_path: Path) -> Path:
    """Return a pack whose files were written some time ago."""
    pack(tmp_path / "spar", "spar")
    (data_folder / "cache").unlink()  # which all tests share
    for path in (tmp_path / "spar").iterdir():
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return tmp_path / "spar"


def title_of(folder: Path) -> str:
    return Pack("spar", [folder]).table("t").title


def kept(folder: Path) -> Path:
    return cache_file("spar", "t", [folder / f"{name}.toml" for name in ("t", "sheet", "pack")])


def test_a_cached_file_is_used_until_a_source_changes(spar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert title_of(spar) == "Damage" and json.loads(kept(spar).read_bytes())["doc"]["title"] == "Damage"
    with monkeypatch.context() as nobody:
        nobody.delattr(Layers, "parsed")
        assert title_of(spar) == "Damage"
    (spar / "t.toml").write_text((spar / "t.toml").read_text().replace("Damage", "Hits") + "# changed\n")
    assert title_of(spar) == "Hits"


def test_a_file_written_a_moment_ago_is_not_kept(spar: Path) -> None:
    (spar / "t.toml").touch()
    assert title_of(spar) == "Damage" and not kept(spar).exists()


def test_a_damaged_cache_file_is_rebuilt(spar: Path) -> None:
    title_of(spar)
    whole = kept(spar).read_bytes()
    for content in (b"", whole[:9], whole[:-1]):
        kept(spar).write_bytes(content)
        assert title_of(spar) == "Damage"
        assert kept(spar).read_bytes() == whole


def test_an_overlay_of_a_looked_up_table_applies_too(spar: Path) -> None:
    (spar / "sheet.toml").write_text(f"{(spar / 'sheet.toml').read_text()}\n[facts]\nlooked = \"row('t')\"\n")
    before = Facts(Pack("spar", [spar]).sheet)["looked"]
    over = spar.parent / "over"
    over.mkdir()
    (over / "t.toml").write_text('id = "t"\ntitle = "t"\ndice = "1D"\nrows = {"0.." = "other"}\n[outcome.other]\n')
    assert before != "other" and Facts(Pack("spar", [over, spar]).sheet)["looked"] == "other"
