"""Pictures that somebody gives us to read: bounded before a dot of them is read, and quiet."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from companion.store import scans
from tests.support import Run


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(wide: int, high: int, *more: bytes) -> bytes:
    """A picture that says how large it is, and what stands behind that."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(13_000, 13_000), (50_001, 1000), (49_000_000, 1), (2**31 - 1, 2**31 - 1)])
def test_a_picture_of_too_many_dots_is_refused_by_its_head(
    companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setattr(Image.Image, "convert", None)  # nothing of it is unpacked
    (tmp_path / "bomb.png").write_bytes(png(*size, chunk(b"IDAT", zlib.compress(b"\0" * 1_000_000))))
    ran = companion("restore", tmp_path / "bomb.png", "--yes")
    assert (
        ran.code == 2
        and ran.err == "bomb.png has more than 50 million dots, or 30000 on a side; photograph the codes alone\n"
    )


@pytest.mark.slow
def test_a_large_photograph_is_made_smaller(tmp_path: Path) -> None:
    Image.new("L", (8000, 6000), 255).save(tmp_path / "large.png")
    picture = scans._opened(tmp_path / "large.png")
    assert picture.mode == "L" and 15_900_000 < picture.width * picture.height <= 16_100_000
    assert abs(picture.width / picture.height - 8 / 6) < 0.01
