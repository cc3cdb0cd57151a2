"""The codes of a snapshot from where a player has them: pictures of the printed sheet, text files, or typed."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.problems import UserError
from companion.store.files import bytes_of, text_of

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

LARGEST = 40_000_000  # bytes of a picture
MOST_DOTS = 50_000_000  # of a picture: a camera's largest
LONGEST_SIDE = 30_000  # dots: what is longer and narrow takes a gigabyte to make smaller
ENOUGH = 16_000_000  # dots that the codes of a whole page are read from
PICTURES = (b"\x89PNG", b"RIFF", b"II*\0", b"MM\0*", b"\xff\xd8\xff", b"GIF", b"BM")  # how they begin
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
GIVE = "a picture of the sheet, a text file, or the text itself, which begins with bc1."


def codes(sources: Sequence[str]) -> list[str]:
    """Return the texts of all codes in these pictures, text files and typed snapshots.

    Raises:
        UserError: a file cannot be read, or there is no code at all.
    """
    texts, pictures = list[str](), list[Path]()
    for source in sources:
        lines = _texts(source)
        pictures.append(Path(source)) if lines is None else texts.extend(lines)
    texts += _scanned(pictures) if pictures else []
    if not texts:
        raise UserError("there is no code to be read; try a sharper picture, straight from above")
    return texts


def _texts(source: str) -> list[str] | None:
    """Return the lines of a file, or what was typed; None for a picture, which is still to be read."""
    exists = os.path.exists(source)
    if not exists and re.match(r"\s*(bc\d+\.\s*[0-9a-f]{8}\b|bc\d+:\d)", source, re.IGNORECASE):
        return [source]
    if not source.strip():
        raise UserError(f"there is nothing to restore in an empty word; give {GIVE}")
    if not exists:
        raise UserError(f"there is no file {source[:80]}; give {GIVE}")
    path = Path(source)
    data = bytes_of(path, LARGEST, "a sheet or a snapshot")
    if data.startswith(PICTURES):
        return None
    if data.startswith((b"%PDF", b"<svg")):
        raise UserError(f"{path.name} is no picture of dots; photograph or scan the page, or write the sheet as .png")
    try:
        text = text_of(data)
    except UnicodeDecodeError:
        raise UserError(f"{path.name} is neither a picture nor text; nothing was restored") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if any(line.startswith("BC") for line in lines):
        return lines
    words = re.findall(r"\bbc\d+\.[0-9a-f]{8}\.[\w-]+", text, re.IGNORECASE | re.ASCII)
    return words if len(words) == 1 and not text.lstrip().startswith(words[0]) else ["".join(lines)]


def _scanned(paths: list[Path]) -> list[str]:
    """Return every code in the pictures; none is for the caller to judge, a sheet has pages without.

    What costs more is tried only while codes are missing: small or blurred ones are read better from a larger
    picture, those of a dark one without its grain.
    """
    import zxingcpp
    from PIL import Image, ImageFilter

    pictures = [_opened(path) for path in paths]
    texts: dict[str, None] = {}
    for scale, grain in ((1.0, True), (2.0, True), (1.5, True), (1.5, False), (2.0, False), (1.0, False)):
        for picture in pictures:
            size = (round(picture.width * scale), round(picture.height * scale))
            if scale > 1 and (max(size) > 8000 or size[0] * size[1] > MOST_DOTS):
                continue
            clear = picture if grain else picture.filter(ImageFilter.MedianFilter(3))
            tried = clear if scale == 1 else clear.resize(size, Image.Resampling.BICUBIC)
            texts.update({each.text: None for each in zxingcpp.read_barcodes(tried) if each.text})
        heads = {code[0]: int(code[1]) for each in texts if (code := re.match(r"BC\d+:\d+/(\d+):[0-9A-F]{8}:", each))}
        if heads and len(heads) >= max(heads.values()):  # a whole snapshot, or codes of several to be told of
            break
    return list(texts)


def _opened(path: Path) -> Picture:
    """Return the picture in greys, the right way up, and no larger than a code needs; its head says how large it is
    before a single dot is read."""
    import warnings

    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None  # the bound is ours, and told in our words
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=FORMATS) as opened:
                if opened.width * opened.height > MOST_DOTS or max(opened.size) > LONGEST_SIDE:
                    most = f"{MOST_DOTS // 1_000_000} million dots, or {LONGEST_SIDE} on a side"
                    raise UserError(f"{path.name} has more than {most}; photograph the codes alone")
                opened.draft("L", opened.size)  # a JPEG gives its greys without its colours
                ImageOps.exif_transpose(opened, in_place=True)
                picture = opened.convert("L")
        less = (ENOUGH / (picture.width * picture.height)) ** 0.5
        if less < 1:
            picture.thumbnail((round(picture.width * less), round(picture.height * less)), Image.Resampling.BOX)
        return picture
    except UserError:
        raise
    except Exception:  # a library's reader breaks on damaged pictures in many ways
        raise UserError(f"{path.name} is no picture that we can read; nothing was restored") from None
