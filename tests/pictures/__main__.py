"""Draws the pictures of the README again."""

import tempfile
from pathlib import Path

from tests.pictures import FOLDER, draw

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for file in draw(Path(folder), phone=True):
            (FOLDER / file.name).write_bytes(file.read_bytes())
            print(f"Drawn: {FOLDER / file.name}")
