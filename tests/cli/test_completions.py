"""Tab completion in real shells; the committed scripts match the command's output."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer import _completion_shared as typers

from companion.cli.commands import SCRIPTS
from tests.support import ROOT, Run, slow_but

FOLDER = ROOT / "completions"


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose PATH starts with this version of companion."""
    program = tmp_path / "bin" / "companion"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m companion "$@"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "TERM": "dumb", "HOME": str(tmp_path)}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_that_of_the_folder(companion: Run, shell: str) -> None:
    written = companion("completions", shell).out
    assert written == (FOLDER / SCRIPTS[shell]).read_text()
    assert f"{shell} completion for companion" in written.casefold()


@pytest.mark.parametrize(
    ("words", "offered"),
    slow_but(
        [
            (["sn"], "snapshot"), (["roll", "5-9"], "5-9\tJapanese offensive fire"),
            (["set", "altit"], "altitude=\tAltitude"), (["set", "altitude=h"], "altitude=hi"),
            (["roll", "5-9", "--with", "fighter.clo"], "fighter.clock="),
            (["roll", "5-9", "--with", "fighter.clock=10"], "fighter.clock=10:30"), (["roll", "--game", "b2"], "b29"),
            (["mark", "fuel."], "fuel.wing\tWing tanks"), (["use", "night"], "night-owls\tNight Owls, b29"),
            (["sheet", "d"], "damage\t"), (["sheet", "mission", "--pap"], "--paper\t"),
            (["sheet", "mission", "--mission", ""], "1"), (["tables", "ch"], "change\tChange a modifier"),
            (["tables", "check", "b1"], "b17"), (["guide", "ph"], "phone"),
            (["odds", "5-9", "--compare", "evas"], "evasive="), (["why", "4-"], "4-2\t"),
        ],
        8,
    ),
)  # fmt: skip
def test_the_offered_words(companion: Run, words: list[str], offered: str) -> None:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    ran = companion("complete", "--", *words)
    assert ran.code == 0
    assert any(line.startswith(offered) for line in ran.out.splitlines()), ran.out


def test_tab_skips_damaged_campaigns_and_offers_the_others(companion: Run, data_folder: Path) -> None:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    companion("new", "Day Birds", "--game", "b17", "--yes")
    (data_folder / "campaigns" / "day-birds" / "campaign.json").write_text("{")
    ran = companion("complete", "--", "use", "")
    assert (ran.code, ran.out, ran.err) == (0, "day-birds\tdamaged\nnight-owls\tNight Owls, b29\n", "")
    assert "5-9\t" in companion("complete", "--", "roll", "5-9").out
    (data_folder / "settings.json").write_text("{")
    ran = companion("complete", "--", "sheet", "mission", "--mission", "")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_tab_after_set_offers_the_fields_in_groups(owls: Run) -> None:
    def offered(*words: str) -> list[str]:
        return [line.partition("\t")[0] for line in owls("complete", "--", *words).out.splitlines()]

    first = offered("set", "")
    assert len(first) < 120 and {"zone=", "engine."} <= {*first}
    assert offered("set", "eng") == [f"engine.{number}=" for number in range(1, 5)]
    assert {"fighter.", "fuel.", "flak="} <= {*offered("set", "f")}
    assert offered("set", "fighter.1")[0] == "fighter.1."
    assert offered("set", "engine", "2", "") == ["ok", "out", "runaway"]
    assert len(offered("mark", "")) < 40
    assert "town.name=" not in offered("roll", "5-9", "--with", "town.")  # no player sees it


@pytest.mark.parametrize("shell", [*SCRIPTS, "pwsh", "tcsh"])
def test_typer_installs_our_script(companion: Run, shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typers, "_get_shell_name", lambda: shell)
    monkeypatch.setattr(typers.subprocess, "run", lambda *words, **how: Profile(tmp_path / "profile.ps1"))
    for home in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(home, str(tmp_path))
    shown, installed = companion("completions", shell), companion("--install-completion")
    if shell not in SCRIPTS and shell != "pwsh":
        assert (shown.code, installed.code) == (2, 2) and "companion completions bash" in installed.err
        return
    assert installed.code == 0
    path = Path(installed.out.splitlines()[0].removeprefix("Saved "))
    assert path.is_relative_to(tmp_path) and path.read_text().strip() == shown.out.strip()
    assert "complete --" in shown.out


class Profile:
    """PowerShell's answers about its profile."""

    returncode = 0

    def __init__(self, path: Path) -> None:
        self.stdout = f"{path}\n"


BASH = """
source {script}
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}
_companion
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("companion restor", "restore"), ("companion roll 5-1", "5-15"), ("companion set altitude=h", "hi"),
        ("companion roll 5-9 --game b29 --with fighter.clock=1:", "30"), ("companion tables import /et", "/etc"),
    ],
)  # fmt: skip
def test_bash(shell: dict[str, str], line: str, offered: str) -> None:
    script = BASH.format(script=FOLDER / SCRIPTS["bash"], line=line)
    ran = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, env=shell)
    assert offered in ran.stdout.split(), ran.stderr


if shutil.which("fish"):

    @pytest.mark.parametrize(
        ("line", "offered"),
        slow_but(
            [
                ("companion roll 5-9", "5-9\tJapanese offensive fire"),
                ("companion set altitude=h", "altitude=hi"),
                ("companion restore /et", "/etc/"),
            ],
            1,
        ),
    )
    def test_fish(shell: dict[str, str], line: str, offered: str) -> None:
        script = f"source {FOLDER / SCRIPTS['fish']}; complete -C '{line}'"
        ran = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, env=shell)
        assert offered in ran.stdout.splitlines(), ran.stdout + ran.stderr


if shutil.which("zsh"):

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("line", "completed"), [("companion restor", "companion restore"), ("companion set altitude=h", "altitude=hi")]
    )
    def test_zsh(shell: dict[str, str], line: str, completed: str) -> None:
        import pexpect

        child = pexpect.spawn("zsh", ["-f", "-i"], env={**shell, "PS1": "> "}, encoding="utf-8", timeout=60)
        child.sendline(f"fpath=({FOLDER} $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep; echo rea''dy")
        child.expect("\nready|\rready")
        child.send(f"{line}\t\x01echo '\x05'\r")
        child.expect(f"{completed}", timeout=60)
        child.close(force=True)
