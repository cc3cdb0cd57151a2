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


@pytest.mark.parametrize(
    "content",
    [
        png(10, 10),
        png(10, 10, chunk(b"IDAT", b"no zlib")),
        png(0, 0),
        png(10, 10, chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 80_000_000))),
        b"\x89PNG" + b"\0" * 40,
        b"GIF89a",
        b"BM" + b"\xff" * 60,
        b"II*\0" + b"\xff" * 60,
        b"RIFF\x10\0\0\0WEBPVP8 ",
        b"\xff\xd8\xff\xe0" + b"\0" * 20,
    ],
)
def test_a_damaged_picture_is_a_sentence_and_nothing_else(companion: Run, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.png").write_bytes(content)
    ran = companion("restore", tmp_path / "odd.png", "--yes")
    assert ran.code == 2 and ran.err == "odd.png is no picture that we can read; nothing was restored\n"


def test_the_picture_library_warns_nobody(
    companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    Image.new("P", (40, 40)).save(tmp_path / "p.png", transparency=b"\0\1\2")
    ran = companion("restore", tmp_path / "p.png", "--yes")
    assert ran.err == "there is no code to be read; try a sharper picture, straight from above\n"
    assert not recwarn.list
