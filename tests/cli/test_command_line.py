"""The command line: mistakes, help, JSON, other encodings, being called by a program, and Tab completion."""

import gc
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer import _completion_shared as typers

from companion import __version__
from companion.__main__ import main as installed
from companion.cli.commands import SCRIPTS
from companion.cli.main import main
from companion.packs import Pack
from tests.readme import commands as commands_of_all
from tests.readme import options
from tests.support import ROOT, Run, begin, slow_but


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["roll", "5-9", "--game", "b29", "--with", "fighter.clock=6"], "5-9 needs 2D"),
        (["roll", "5-9", "--game", "b29", "--with", "fighter.clock=6", "--dice", "3"], "2D needs 2 dice"),
        (["roll", "5-9", "--game", "b29", "--with", "fighter.clock=6", "--dice", "3,7"], "A die shows 1 to 6, not 7"),
        (["roll", "5-9", "--game", "b29", "--with", "fighter.clock=6", "--dice", ""], "empty group of dice"),
        (["roll", "5-1", "--game", "b29", "--dice", "1,1/3"], "Too many dice: 3 isn't needed"),
        (["roll", "5-9", "--game", "b29", "--dice", "3,4"], '5-9 needs "Attacks from" (12, '),
        (["roll", "5-9", "--game", "b29", "--dice", "3,4", "--with", "fighter.clock=7"], "must be 12, 1:30"),
        (["roll", "5-9", "--game", "b29", "--dice", "3,4", "--with", "fighter.clok=6"], "Did you mean fighter.clock"),
        (["roll", "5-99", "--game", "b29", "--dice", "3,4"], "b29 has no table 5-99"),
        (["roll", "5-9", "--game", "b24", "--dice", "3,4"], "There is no game b24. Use b17, b29"),
        (["roll", "5-9", "--game", "b29", "--dice", "3,4", "--outcome", "hit", "--with", "fighter.clock=6"],
         "is built in"),
        (["roll", "5-9", "--flavour", "sweet"], "No such option"), (["fly-away"], "No such command"),
        (["use", "Nobody"], "There is no campaign Nobody"),
        (["new", "///", "--game", "b29", "--yes"], "can't be a campaign's name"),
        (["set", "gun=tail"], "'gun' isn't on the log sheet"),
        (["set", "engines.out=2"], "engines.out is worked out from other fields and can't be set"),
        (["set", "area.table=7-1"], "area.table belongs to the game"),
        (["set", "fighter.clock=6"], "fighter.clock needs the number of the fighter"),
        (["set", "fuel.wing=1_0"], "Wing tanks must be 0 to 38, not 1_0"),
        (["log", "--last", "-1"], "--last"),
        (["sheet", "mission", "--paper", "foo"], "Paper must be a4 or letter, not 'foo'."),
        (["fly", "--dice-from", "nowhere.txt"], "Can't read nowhere.txt: No such file"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_and_nothing_is_recorded(owls: Run, arguments: list[str], message: str) -> None:
    ran = owls(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert message in ran.err and "Errno" not in ran.err
    assert owls("log", "--json").json == []


def test_a_bare_lookup_records_nothing(companion: Run, data_folder: Path) -> None:
    companion("roll", "7-1", "--game", "b29", "--dice", "4,4")
    assert not (data_folder / "campaigns").exists()


def test_auto_with_a_seed_is_repeatable(companion: Run) -> None:
    first = companion("roll", "6-9", "--game", "b29", "--auto", "--seed", "7", "--json")
    assert first.json == companion("roll", "6-9", "--game", "b29", "--auto", "--seed", "7", "--json").json
    assert len(first.json["dice"]) == 2


def test_a_dry_run_shows_and_keeps_nothing(owls: Run) -> None:
    before = owls("status", "--json").json
    ran = owls("roll", "7-1", "--dice", "1,2", "--dry-run", "--json")
    assert {"field": "gunsight", "before": "ok", "after": "out"} in ran.json["changes"]
    assert owls("status", "--json").json == before


def test_box_39_cannot_be_crossed_off(owls: Run) -> None:
    assert owls("mark", "fuel.wing", "38").code == 0
    over = owls("mark", "fuel.wing")
    assert (over.code, over.err) == (2, "Wing tanks: only 0 of 38 boxes are left, not 1.\n")
    assert owls("set", "fuel.wing=39").code == 2
    assert owls("erase", "fuel.fwd").code == 2
    assert owls("mark", "oxygen.pilot", "3").code == 2
    assert owls("status", "--json").json["facts"]["fuel.wing"] == 38


def test_show_marks_what_applies_now(owls: Run) -> None:
    shown = owls("show", "5-1", "--with", "altitude=hi", "--with", "leg=inbound").out
    assert re.search("▸ -2 +at HI", shown)
    assert "Total now: -1" in shown


def test_tables_list_marks_the_owner_tables(companion: Run) -> None:
    tables = {each["id"]: each for each in companion("tables", "list", "--game", "b29", "--json").json}
    assert tables["5-9"] == {"id": "5-9", "title": "Japanese offensive fire", "dice": "2D", "owner": False}
    assert tables["8-1"]["owner"] is True
    assert list(tables).index("5-9") < list(tables).index("5-10")


def test_night_has_no_formation_and_the_cannon_goes_after_mission_10(companion: Run) -> None:
    begin(companion, "b29", "mission.number=11", "mission.time=night")
    facts = companion("status", "--json").json["facts"]
    assert (facts["formation"], facts["gun.cannon"], facts["guns.armed"]) == ("none", "unarmed", 5)


def test_the_sheet_is_written_to_a_file(owls: Run, tmp_path: Path) -> None:
    owls("mark", "fuel.wing", "7")
    assert owls("sheet", "mission", "-o", tmp_path / "sheet.txt").code == 0
    assert "Wing tanks: XXXXX XXooo" in (tmp_path / "sheet.txt").read_text()
    assert owls("sheet", "mission", "-o", tmp_path / "no" / "sheet.txt").code == 1


def test_the_version_is_printed_at_once(companion: Run, data_folder: Path) -> None:
    before = sorted(data_folder.iterdir())
    ran = companion("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"companion {__version__}\n", "")
    assert sorted(data_folder.iterdir()) == before
    assert companion("status", "--version").code == 2  # it belongs to the program and to no command


def test_player_text_is_shown_as_typed(owls: Run) -> None:
    assert owls("set", "target.city==[/b]", "notes=[bold] :smile: torn").code == 0
    assert "  [/b]  " in owls("campaign").out
    assert "[bold] :smile: torn" in owls("status").out
    owls("crew", "--set", "pilot=[/i] Kerr")
    assert "[/i] Kerr" in owls("crew").out


@pytest.mark.slow
def test_json_is_ascii_and_a_pipe_is_utf_8(companion: Run) -> None:
    companion("new", "Łódź", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    companion("mark", "oxygen.pilot")

    def printed(encoding: str, *arguments: str, **more: str) -> tuple[str, str]:
        command = [sys.executable, "-m", "companion", *arguments]
        done = subprocess.run(command, capture_output=True, encoding=encoding, env={**os.environ, **more})
        assert done.returncode == 0
        return done.stdout, done.stderr

    narrow = {"PYTHONIOENCODING": "cp1252"}
    assert json.loads(printed("ascii", "status", "--json", **narrow)[0])["campaign"] == "Łódź"
    told = printed("cp1252", "status", "--all", **narrow)[0]
    assert "MISSION LOG SHEET · B-29 Superfortress · ?ód?\n" in told
    assert " Xo\n" in told  # crossed and empty boxes differ
    told, nothing = printed("utf-8", "status", "--all", PYTHONUTF8="0", PYTHONIOENCODING="")
    assert "MISSION LOG SHEET · B-29 Superfortress · Łódź\n" in told and nothing == ""


@pytest.mark.parametrize("encoding", slow_but(["utf-8", "utf-8-sig", "utf-16"], 1))
def test_a_file_may_come_from_any_editor(owls: Run, tmp_path: Path, data_folder: Path, encoding: str) -> None:
    script, moved = tmp_path / "mission.txt", tmp_path / "owls.json"
    script.write_text("set name.pilot=Łukasz\nset zone=3\nend\n", encoding=encoding, newline="\r\n")
    assert owls("fly", "--dice-from", script).code == 0
    assert owls("status", "--json").json["facts"]["name.pilot"] == "Łukasz"
    moved.write_text(owls("export", "--json").out, encoding=encoding)
    assert owls("import", moved, "--as", "Moved", "--yes").code == 0
    own = data_folder / "packs" / "b29" / "4-2.toml"
    own.parent.mkdir(parents=True)
    patch = '[[patch]]\nreason = "drier"\nrows = {"..12" = "good", "13.." = "poor"}\n'
    own.write_text(patch, encoding=encoding)
    assert owls("roll", "4-2", "--dice", "6,6", "--json").json["outcome"] == "good"
    assert "drier" in owls("tables", "diff").out


# -- the current place, and the meaning of a word ----------------------------------------------------------------------


def test_the_bare_command_shows_the_place_and_the_next_step(companion: Run, data_folder: Path) -> None:
    assert 'Start one: companion new "Lucky Thirteen" --game b29' in companion().out
    companion("new", "Lucky Thirteen", "--game", "b29", "--yes")
    assert "no mission yet" in companion().out and "companion mission start" in companion().out
    companion("mission", "start", "--yes")
    companion("set", "zone 5, engine 2 out")
    told = companion()
    assert told.code == 0
    assert told.out.startswith("Lucky Thirteen · B-29 Superfortress · mission 1, Zone 5 out · 1 order waiting\n")
    assert "companion fly" in told.out
    companion("set", "step=debrief")
    companion("fly", "--auto", "--seed", "7")
    assert "mission 1 is over" in companion().out and "companion story" in companion().out
    for path in ("campaigns/lucky-thirteen/mission-01.json", "settings.json"):
        (data_folder / path).write_text("{")
        damaged = companion()
        assert damaged.code == 1 and "companion doctor" in damaged.err and "Traceback" not in damaged.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["roll"], "Roll on a table, with all modifiers"),
        (["sheet", "mission"], "companion sheet mission -o mission.pdf"),
        (["5.9"], "5-9 Japanese offensive fire, 2D\n  companion roll 5-9   companion show 5-9"),
        (["engine"], "Engine 1: ok, out or runaway, now ok"), (["flak"], "Table 6-2 Flak over the target"),
        (["stat"], "Did you mean status?"), (["dice"], "Command luck"), (["phone"], "Guide companion guide phone"),
    ],
)  # fmt: skip
def test_a_word_is_explained_with_its_command(owls: Run, words: list[str], told: str) -> None:
    ran = owls("help", *words)
    assert ran.code == 0 and told in ran.out, ran.out + ran.err


def test_help_needs_no_campaign_and_refuses_what_means_nothing(companion: Run) -> None:
    assert companion("help").out == companion("--help").out
    assert "companion roll P-4 --game b17" in companion("help", "P4").out
    assert (companion("help", "xyzzy").code, companion("help", "the").code) == (2, 2)


def test_a_slip_points_to_the_help_of_its_own_command(companion: Run) -> None:
    assert companion("stat").err == "No such command 'stat'. Did you mean status? See: companion --help\n"
    assert "Example: companion set engine 2 out. See: companion set --help" in companion("set").err
    assert companion("sheet", "mission", "--foo").err.endswith("See: companion sheet mission --help\n")


def test_every_command_ends_its_help_with_calls_that_the_program_takes(companion: Run) -> None:
    groups = {words.split()[0]: command for words, command in commands_of_all().items()}
    for words, command in {**groups, **commands_of_all()}.items():
        shown = companion(*words.split(), "--help").out
        assert "`companion fields`" in shown or words not in ("set", "mark")
        calls = re.findall(r"^    companion (.+)", shown.partition("Example")[2], re.MULTILINE)
        assert calls and all(each.startswith(words) for each in calls), words
        used = {option for each in calls for option in re.findall(r" (--?[a-z-]+)", each)}
        assert words in groups or used <= {*options(command)}, words


def test_a_game_is_named_as_people_write_it(owls: Run) -> None:
    owls("set", "engine.2=out", "engine.3=out")
    for game in ("B-29", "b29", "B-29 Superfortress"):
        assert owls("show", "5-9", "--game", game, "--json").json["together"] == 1  # the bomber of the campaign (7.2)
    assert owls("show", "P-4", "--game", "queen of the skies", "--json").json["game"] == "b17"
    assert owls("show", "5-9", "--game", "streamliner", "--json").json["game"] == "b29-streamliner"
    assert "There is no game fortress" in owls("show", "5-9", "--game", "fortress").err


def test_a_table_is_shown_to_scripts_with_what_applies_now(owls: Run) -> None:
    shown = owls("show", "5-9", "--with", "fighter.clock=6", "--with", "fighter.pilot=ace", "--json").json
    assert [each["title"] for each in shown["columns"] if each["applies"]] == ["6, climb"]
    assert shown["columns"][2]["rows"] == {"<=6": "miss", "7+": "hit"}
    assert [(each["add"], each["why"]) for each in shown["modifiers"] if each["applies"]] == [(1, "ace fighter pilot")]
    assert shown["together"] == 1


# -- what can be written -----------------------------------------------------------------------------------------------


def test_fields_say_what_is_there_and_what_they_take(owls: Run) -> None:
    owls("set", "engine 2 out, fuel left 18")
    assert re.search(
        r"^Engines\n  Engine 1 +ok +ok, out or runaway\n  Engine 2 +out +ok,", owls("fields", "engine").out, re.M
    )
    fuel = owls("fields", "fuel").out
    assert re.search("Wing tanks +20 crossed, 18 left +0 to 38", fuel)
    assert re.search("Auxiliary tank, aft bay +0 crossed, 0 left", fuel)  # none is installed
    assert re.search("Engine 1 to 4 +2 out +ok, out or runaway", owls("fields").out)
    assert re.search("Life raft, forward or aft bay +all ok", owls("fields", "ok").out)
    assert max(map(len, owls("fields").out.splitlines())) <= 80
    assert "Pilot" in owls("fields", "wounded").out  # lightly or seriously
    assert owls("fields", "nonsense").code == 2


def test_the_change_that_fields_suggests_is_one(owls: Run) -> None:
    for word in ("engine", "fuel", "crew", "pilot's controls", "guns", "zone"):
        command = owls("fields", word).out.splitlines()[-1].partition("companion ")[2]
        assert command.startswith("set ") and owls(*shlex.split(command)).code == 0, command


def test_no_inner_field_is_listed(companion: Run) -> None:
    sheet, listed = Pack("b29").sheet, companion("fields", "--game", "b29", "--json").json
    assert len(listed) > 500 and not any(sheet.inner(each["field"]) for each in listed)
    assert {"field": "engine.2", "label": "Engine 2", "section": "Engines"}.items() <= next(
        each for each in listed if each["field"] == "engine.2"
    ).items()


WITH_JSON = [words for words, each in commands_of_all().items() if "--json" in options(each)]


@pytest.mark.parametrize("command", WITH_JSON)
def test_an_error_is_json_with_json(companion: Run, data_folder: Path, command: str) -> None:
    (data_folder / "settings.json").write_text("{")
    declared = commands_of_all()[command]
    needed = ["5-9"] * any(each.required for each in declared.params)
    bad_game = ["--game", "b24"] if "--game" in options(declared) else []
    # A list of the games needs neither a game nor the settings.
    for words in (["--no-such-option"], *([[*needed, *bad_game]] if command != "games list" else [])):
        ran = companion(*command.split(), *words, "--json")
        error = json.loads(ran.err)
        assert ran.err.count("\n") == 1 and error.keys() == {"error", "code"}
        assert ran.code == error["code"] in ({2} if "--no-such-option" in words else {1, 2})


def test_an_owner_table_and_ctrl_c_are_json_too(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = companion("roll", "8-1", "--game", "b29", "--dice", "3,4", "--json")
    assert asked.code == json.loads(asked.err)["code"] == 3 and "--outcome" in json.loads(asked.err)["error"]
    monkeypatch.setattr("companion.cli.main._make_legible", interrupted)
    assert json.loads(companion("status", "--json").err) == {"error": "Stopped. Nothing was saved.", "code": 1}


def interrupted() -> None:
    raise KeyboardInterrupt


INTERRUPTED = """
import os, runpy, signal, sys
left = [int(sys.argv.pop(1))]
def hook(event, arguments):
    if event == "import" and "companion.cli" in sys.modules:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
sys.argv[0] = "companion"
runpy.run_module("companion", run_name="__main__", alter_sys=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a signal of Unix")
@pytest.mark.parametrize("at", slow_but([3], 0))
def test_ctrl_c_while_all_is_loaded_is_a_sentence(at: int) -> None:
    """Interrupt at the given import after the first line."""
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED, str(at), "campaigns"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "\nStopped. Nothing was saved.\n"


def test_the_command_line_is_a_function_that_another_program_may_call(
    owls: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It returns its exit status and leaves signals, the garbage collector, streams and arguments unchanged."""

    def process() -> object:
        signals = [signal.getsignal(each) for each in signal.valid_signals()]
        streams = [(each, each.encoding, each.errors) for each in (sys.stdin, sys.stdout, sys.stderr)]
        return signals, streams, gc.isenabled(), gc.get_threshold(), list(sys.argv), os.getcwd()

    before = process()
    for words, status in (
        ("status", 0), ("forecast --missions 8 --assume even", 0), ("fly --auto --seed 1", 0),
        ("roll 5-9 --dice 9,9", 2), ("no-such-command", 2), ("complete -- sta", 0), ("--version", 0),
    ):  # fmt: skip
        assert (words, main(words.split()), process()) == (words, status, before)
    monkeypatch.setattr(sys, "argv", ["companion", "status"])
    before = process()
    assert (installed(), process()) == (0, before)
    capsys.readouterr()


def test_what_was_said_before_a_refusal_is_not_lost_at_the_end() -> None:
    code = (
        "import sys; sys.argv = ['companion', 'campaigns'];"
        "import companion.cli.commands as commands; from companion.problems import UserError\n"
        "def refuses(arguments):\n    print('said first')\n    raise UserError('and then refused')\n"
        "commands.run = refuses\n"
        "from companion.__main__ import main; sys.exit(main())"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "said first\n", "And then refused.\n")


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
