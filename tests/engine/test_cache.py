"""Compiled files are kept, and made anew from their sources when these, or what writes the code, have changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.packs import Pack, cache
from companion.packs.language import compiler
from tests.support import pack

FOLDER = Path(cache.__file__).parent


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
