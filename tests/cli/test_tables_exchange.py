"""`tables export` and `tables import`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import Run, slow_but

PATCH: dict[str, Any] = {
    "reason": "from your rulebook", "transcribed": True, "dice": "2D",
    "rows": {"..6": {"as": "wrecked", "text": "Made up"}, "7..": "safe"},
}  # fmt: skip


def exported(**changes: Any) -> dict[str, Any]:
    return {"format": 2, "game": "b29", "tables": {"8-1": [{**PATCH, **changes}]}}


@pytest.mark.slow
def test_tables_change_machines(
    companion: Run, tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tables.json"
    assert companion("tables", "export", file, "--game", "b29").code == 2
    file.write_text(json.dumps(exported()))
    assert companion("tables", "import", file).code == 0
    assert companion("roll", "8-1", "--game", "b29", "--dice", "3,3", "--json").json["outcome"] == "wrecked"
    assert "You already have all of them" in companion("tables", "import", file).out
    out = tmp_path / "out.json"
    assert companion("tables", "export", out, "--game", "b29").code == 0
    assert json.loads(out.read_text()) == exported()
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "elsewhere"))
    assert companion("tables", "import", out).code == 0
    assert companion("roll", "8-1", "--game", "b29", "--dice", "4,4", "--json").json["outcome"] == "safe"
    file.write_text(json.dumps(exported(rows={"..1": "wrecked", "2..": "safe"})))
    assert "--replace" in companion("tables", "import", file).err
    assert companion("tables", "import", file, "--replace").code == 0


@pytest.mark.parametrize(
    "doc",
    slow_but(
        [
            "no json at all", json.dumps({**exported(), "format": 3}), json.dumps({**exported(), "game": "../../etc"}),
            json.dumps({"format": 2, "game": "b29", "tables": {"../../../evil": [PATCH]}}),
            json.dumps({"format": 2, "game": "b29", "tables": {"8-1": "x"}}),
            json.dumps(exported(rows={"1..999999999": "safe"})), json.dumps(exported(rows={"1..": "no such thing"})),
            json.dumps(exported(rows={"3..": "safe"})), json.dumps(exported(dice="99999D")),
            json.dumps(exported(modifier=[{"id": "x", "add": 1, "why": "y", "when": "no.such = fact"}])),
        ],
        3,
    ),
    ids=str,
)  # fmt: skip
def test_what_is_no_export_is_refused(companion: Run, tmp_path: Path, data_folder: Path, doc: str) -> None:
    file = tmp_path / "tables.json"
    file.write_text(doc)
    ran = companion("tables", "import", file, "--game", "b29")
    assert ran.code == 2, ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err) < 700
    assert [path.name for path in (data_folder / "packs").rglob("*") if path.name != ".lock"] == []
    assert not [path for path in tmp_path.iterdir() if path.name not in ("tables.json", "home")]
