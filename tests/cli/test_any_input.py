"""Whatever is typed, or written in a script: a sentence or a result, at once, and never a traceback."""

from __future__ import annotations

import contextlib
import io
import itertools
import sys
import time
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import strategies as st

from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from companion.problems import Problem
from tests.bench import any_input
from tests.support import MISSIONS, Ran, Run, walk

TYPED = st.one_of(
    st.text(max_size=40),
    st.text("0123456789,/; +-eE.²٣", max_size=60),
    st.sampled_from(["6" * 5000, "1," * 3000, "/" * 500, "\0", "\ud800", "1e9", "-1", "٣,٤", "³", "{area}", "{"]),
)


def typed(*arguments: str) -> Ran:
    """The command line in this process, with nobody to ask."""
    from companion.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    begun = time.process_time()
    with (
        mock.patch.object(sys, "argv", ["companion", *arguments]),
        mock.patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main()
    assert time.process_time() - begun < 1, arguments
    message = err.getvalue()
    assert code in (0, 1, 2, 3), arguments
    assert "Traceback" not in message and "made a mistake" not in message, (arguments, message)
    assert message.count("\n") == (code != 0), (arguments, message)
    return Ran(code, out.getvalue(), message)


FACTS = st.one_of(
    TYPED,
    st.tuples(st.sampled_from(["zone", "fuel.wing", "altitude", "fighter", "area", "gun", "engines.out", "area.table",
                               "position", "slots.fighter", "target.city", "step", "roll", "hit.nose", "seat.pilot"]),
              TYPED).map("=".join),
)  # fmt: skip


NUMBERS = st.one_of(
    TYPED, st.sampled_from(["5-9", "5-9.hit", "6-7.3dx1d", "7-3.fuel-tank.leak", ".", "..", "5-11.", "5-9..x"])
)


PACK = Pack("b29")


def scripts(text: str) -> None:
    mission, script = Mission(PACK, {}, number=1), Script(text)
    begun = time.process_time()
    with contextlib.suppress(Problem):
        for _ in itertools.islice(walk(mission, script), 60):
            pass
    assert time.process_time() - begun < 1


LINES = (MISSIONS / "01-day-uneventful.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device of Unix")
@pytest.mark.parametrize("command", [["import"], ["restore"], ["fly", "--dice-from"], ["tables", "import"]])
def test_a_file_without_end_is_not_read_to_it(companion: Run, command: list[str]) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    ran = companion(*command, "/dev/zero")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "too large" in ran.err or "larger than" in ran.err


@pytest.mark.slow
@pytest.mark.parametrize("damage", [False, True], ids=["command lines", "damaged files"])
def test_whatever_is_typed_and_whatever_a_file_holds(
    tmp_path: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch, damage: bool
) -> None:
    """A sample; `python -m tests.bench.any_input` tries thousands."""
    monkeypatch.chdir(tmp_path)
    for name in ("COMPANION_HOME", "EDITOR", "VISUAL"):  # which the ground sets for itself
        monkeypatch.setenv(name, "")
    (tmp_path / "ground" / "home").mkdir(parents=True)
    (tmp_path / "ground" / "home" / "cache").symlink_to(compiled, target_is_directory=True)
    ground = any_input.Ground(tmp_path / "ground")
    faults = [(words, fault) for words, _, fault in any_input.tried(60, 7, ground, damage=damage) if fault]
    assert faults == []
