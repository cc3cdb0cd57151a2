"""`tables check`: faults of a pack are reported with file, line and place."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.facts import FactQuestion, Facts
from companion.engine.play import Hand, Play
from companion.engine.questions import settle
from companion.packs.check import NEEDED, check
from tests.bench.mistakes import mistakes
from tests.support import PACKS, Run, asks, pack

PACK, SHEET, TABLE, SEQUENCE = (
    (PACKS / "spar" / f"{name}.toml").read_text() for name in ("pack", "sheet", "t", "sequence")
)


def test_a_repeated_result_cites_its_own_table(tmp_path: Path) -> None:
    game = pack(tmp_path / "spar", "spar", t=TABLE.replace("do = [\"struck = 'spar'\"]\n", ""))
    assert check(game) == []
    play = Play(game)
    assert settle(play.roll("t", Hand([[1]]))).notes == []
    assert settle(play.roll("t", Hand([[1]]))).notes == [("Rolled before on this mission: no further effect", "12.3")]


def test_a_game_that_is_sound_can_be_flown(companion: Run, data_folder: Path) -> None:
    pack(data_folder / "packs" / "spar", "spar", t=TABLE.replace("do = [\"struck = 'spar'\"]\n", ""))
    assert companion("tables", "check", "spar").out == "spar: 1 table, sound\n"
    for command in (
        ("new", "Owls", "--game", "spar", "--yes"), ("mission", "start", "--yes"), ("status",), ("next",),
        ("fly", "--auto", "--seed", "1"), ("status", "--json"), ("log",), ("campaign",),
    ):  # fmt: skip
        ran = companion(*command)
        assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("name", NEEDED)
def test_a_game_that_cannot_be_flown_is_not_sound(tmp_path: Path, name: str) -> None:
    lines = [line for line in SHEET.splitlines() if name not in line]
    (fault,) = check(pack(tmp_path / "spar", "spar", sheet="\n".join(lines)))
    assert f"the sheet needs the field {name}: " in fault
    assert "E.g. in [fields.working]: " in fault


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("t", TABLE.replace('id = "t"', 'id = "u"'), "line 1: id: its id is 'u', not its file's name"),
        ("t", TABLE.replace('cite = "12.3"\n', ""), "it needs its place in the rulebook"),
        ("t", TABLE.replace('"1.."', '"2.."'), "line 6: rows: a roll of 1 has no row"),
        ("t", TABLE.replace('"1.."', '"1..6"') + "[[modifier]]\nid = 'a'\nadd = 1\nwhy = 'b'\n", "a net 7 has no row"),
        ("t", TABLE.replace('"1.." = "spar"', '"1.." = "{roll}"'), "the result 1 needs an effect or a text"),
        ("t", TABLE.replace("outcome.spar", "outcome.spars"), "the result 'spar' needs an effect or a text"),
        ("t", TABLE.replace("outcome.spar", "outcome.spars"),
         "line 7: outcome.spars: no row gives this result. Did you mean spar"),
        ("t", 'id = "t"\ntitle = "A"\ncite = "1"\n', "it has no rows, no effects, and isn't marked as an owner table"),
        ("t", 'id = "t"\ntitle = "A"\ncite = "1"\ndice = "1D"\n', "it has no rows and isn't marked as an owner table"),
        ("t", TABLE + 'then = ["u"]\n', "line 11: outcome.spar, then 1: there is no table u"),
        ("t", TABLE + 'then = [{choose = "a"}]\n', "there is no choice a"),
        ("t", TABLE + 'then = [{roll = "t", with = {beam = "yes"}}]\n', "with.beam: there is no field beam"),
        ("t", 'ask = "man"\n' + TABLE, "line 1: ask: there is no index man"),
        ("t", TABLE.replace("= 'spar'", "= 'spar' if struk = ''"),
         "line 10: outcome.spar, do 1: there is no field struk"),
        ("t", TABLE.replace('"1.."', '"1..3" = "spar", "3..6"'), "two rows claim a roll of 3"),
        ("t", TABLE.replace("[outcome", "[[column]]\nmodifier = ['a']\nrows = {}\n[outcome"),
         "line 7: column 1: there is no modifier a"),
        ("sheet", SHEET + "a = {values = 'b c', default = 'd'}\n", "line 5: a: its default: a must be b or c, not d"),
        ("sheet", SHEET + "[fields.head]\na = {}\n", "line 6: a: its section 'head' is missing in [sections]"),
        ("sheet", SHEET + "a = {until = 'never'}\n", "line 5: a: it lasts until never, which never happens"),
        ("sheet", SHEET + "a = {until = 'T'}\n", "line 5: a: it lasts until T, which never happens"),
        ("sheet", SHEET + '"a[gun]" = {}\n', "line 5: a[gun] uses an index gun that the sheet doesn't declare"),
        ("sheet", SHEET + "[facts]\na = 'b'\nb = 'a'\n", "the fact a: "),
        ("sheet", SHEET + "[index]\nman = 3\n[fields.head]\n", ""),
        ("rules", "[[rule]]\non = 'stuck'\n", "line 2: rule 1, on: there is no event stuck. Did you mean struck"),
        ("rules", "[[rule]]\ndo = [\"struck = 'a'\"]\n", "line 1: rule 1: it needs `on` or a condition"),
        ("rules", '[[rule]]\non = "t"\nwhen = "step = 3 +"\n', "line 3: rule 1, when: a name, a number or a"),
        (
            "rules",
            '[[rule]]\non = "t"\ndo = ["""\n  step = 1\n  if stp = 2"""]\n',
            "line 5: rule 1, do 1: there is no field stp",
        ),
        ("choices", "[choice.a]\ntitle = 'b'\noption = []\n", "line 1: choice a: it needs at least one option"),
        ("choices", "[choice.a]\ntitle = 'b'\n[[choice.a.option]]\nname = 'c'\nwhen = 'zone = 1'\n",
         "line 5: choice a, option c, when: there is no field zone"),
        ("sequence", SEQUENCE + "go = 'hitt'\n", "line 5: step hit, go: there is no step hitt. Did you mean hit"),
        ("sequence", SEQUENCE + SEQUENCE, "line 5: step hit: two steps have the id hit"),
        ("pack", PACK + "briefing = ['zone']\n", "line 2: briefing 1: there is no field zone"),
        ("pack", PACK + "landing = ['u']\n", "line 2: landing 1: there is no table u"),
        ("pack", PACK + "[print]\nwithout = ['head']\n", "there is no section head"),
        ("pack", PACK + "[at-table.again]\nfield = 'luck'\nwords = 'luck'\n", "again, field: there is no field luck"),
        ("pack", PACK + "[[at-table.move]]\nindex = 'men'\nman = 'who'\n",
         "line 3: at-table, move 1, index: there is no index men"),
        ("pack", PACK + "[[at-table.move]]\nindex = 'men'\nman = 'who'\n",
         "line 4: at-table, move 1, man: there is no choice who"),
        ("pack", PACK + "[at-table.hurts.us]\nt = ['spr']\n", "hurts, us, t: t has no result spr. Did you mean spar"),
        ("pack", PACK + "[status]\nboxes = ['zone']\n", "there is no field zone"),
        ("pack", PACK + "requires = '99'\n", "it needs version 99 of the companion"),
        ("pack", PACK + "[log]\nflew = 'yes'\n", "it is about crewmen, but the sheet has no index position"),
        ("pack", PACK + "[log]\ncounts = 'stp = 1'\n", "line 3: counts: there is no field stp"),
        ("pack", PACK + "[log]\nresult = 'step'\naverage = 'zone'\n", "average: there is no field zone"),
    ],
)  # fmt: skip
def test_a_fault_is_reported_with_its_place(tmp_path: Path, file: str, text: str, message: str) -> None:
    faults = check(pack(tmp_path / "spar", "spar", **{file: text}))
    assert any(message in each for each in faults) if message else faults == []
    assert all(each.startswith(f"{tmp_path / 'spar'}/") for each in faults)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("boxes = ['hits[part]']", "hits[part] is not a single field with boxes"),
        ("boxes = ['sky']", "sky is not a single field with boxes"),
        ("boxes = [['fuel', 'sky']]", "sky is not a single number"),
        ("lines = [['hits[part]']]", "hits[part] is not a single field or fact"),
        ("lines = [['hits.wing', 'fuel', 'left', 'sky']]\nboxes = ['hits.wing', ['fuel', 'left']]", ""),
        ("beside = {fields = ['hits.wing']}", "hits.wing is not a field as sheet.toml declares it"),
        ("beside = {fields = ['hits[part]', 'fuel']}", ""),
        ("[print]\nareas = 'sky'", "areas: there is no index sky"),
        (
            "[print]\nzones = {zone = 'sky', leg = 'man', index = 'part', columns = []}",
            "zone: sky is not a single number",
        ),
        ("[print]\nzones = {zone = 'fuel', leg = 'sky', index = 'part', columns = []}", "leg: there is no index sky"),
        (
            "[print]\nzones = {zone = 'fuel', leg = 'man', index = 'part', columns = []}",
            "members of part are not numbers",
        ),
        ("people = {states = ['sky']}", "states: sky is not a field of each man"),
        ("people = {states = ['hits[part]']}", "states: hits[part] needs values"),
        ("people = {states = ['crew[man]'], boxes = 'hits[part]'}", "boxes: hits[part] is not a field of each man"),
        ("people = {states = ['crew[man]'], seat = 'name[man]'}", "seat: name[man] needs values"),
    ],
)
def test_a_key_of_the_screen_that_cannot_be_shown_is_reported(tmp_path: Path, written: str, message: str) -> None:
    fields = 'sky = {values = "clear grey"}\nfuel = {boxes = 9}\n"hits[part]" = {boxes = 3}\n"name[man]" = {}\n'
    members = '"crew[man]" = {values = "ok hurt"}\n[facts]\nleft = "9 - fuel"\n'
    members += "[index]\npart = {wing = {}}\nman = {cook = {}}\n"
    faults = check(pack(tmp_path / "spar", "spar", sheet=SHEET + fields + members, pack=f"{PACK}[status]\n{written}\n"))
    assert (faults == []) if not message else any(message in each for each in faults)


def test_every_accepted_value_has_a_column_in_tables_that_read_it(tmp_path: Path) -> None:
    """One answer cannot fix two fields that no column accepts together; `none`, or a single one, is asked for."""
    fields = 'sky = {values = "clear grey dark"}\nsea = {values = "calm swell rough"}\n'
    sheet = SHEET + fields
    both = [("clear", "calm"), ("grey", "swell")]
    columns = [f'[[column]]\nwhen = "sky = {sky} and sea = {sea}"\nrows = {{"1.." = "spar"}}\n' for sky, sea in both]
    table = TABLE.replace('rows = {"1.." = "spar"}\n', "")
    (fault,) = check(pack(tmp_path / "spar", "spar", sheet=sheet, t=table + "".join(columns)))
    assert fault.endswith("t.toml: it has no column for sky = dark and sea = rough")
    columns.append('[[column]]\nwhen = "sea = rough"\nrows = {"1.." = "spar"}\n')
    game = pack(tmp_path / "spar", "spar", sheet=sheet, t=table + "".join(columns))
    assert check(game) == []
    with asks(FactQuestion) as asked:
        game.table("t").column(Facts(game.sheet, {"sky": "dark", "sea": "calm"}, asking=True))
    assert (asked.value.name, asked.value.declared.values) == ("sky", ("clear",))


@pytest.mark.parametrize(("count", "least"), [(24, 20), pytest.param(60, 55, marks=pytest.mark.slow)])
def test_mistakes_that_change_the_meaning_are_told(count: int, least: int) -> None:
    """Wrong bounds, members that nothing binds, missing outcomes and circles, in five games."""
    found = list(mistakes(count, seed=5))
    told = sum(bool(said) for *_, said, _ in found)
    assert told >= least, [what for _, _, what, said, _ in found if not said]
    assert max(seconds for *_, seconds in found) < 60  # nothing hangs


RUNAWAYS = [
    ("t", TABLE.replace("[outcome", 'then = ["t"]\n[outcome', 1), "every result leads to a roll that leads here again"),
    ("t", TABLE.replace('"1.."', '"..5" = "spar", "5.."'), "the rows ..5 and 5.. both claim a roll of 5"),
    ("sequence", SEQUENCE + 'go = "hit"\n', "from the step hit on, the mission never ends"),
    ("sheet", SHEET + "a = {boxes = 1000000000000}\n", "a number from 0 to 1000"),
    ("sheet", SHEET + "a = {kind = 'count', limit = [9, 1]}\n", "its lowest number, 9, is above the highest, 1"),
]


@pytest.mark.parametrize(("file", "text", "message"), RUNAWAYS)
def test_what_runs_away_is_told_and_not_flown(
    companion: Run, data_folder: Path, file: str, text: str, message: str
) -> None:
    pack(data_folder / "packs" / "spar", "spar", **{"t": TABLE.replace("do = [\"struck = 'spar'\"]\n", ""), file: text})
    checked = companion("tables", "check", "spar")
    assert checked.code == 2 and message in checked.out
    companion("new", "Owls", "--game", "spar", "--yes")
    refused = companion("mission", "start", "--yes")
    assert refused.code == 1 and message in refused.err and f"{file}.toml" in refused.err


def test_a_member_that_nothing_names_is_told_with_its_place(companion: Run, data_folder: Path) -> None:
    sheet = SHEET + '"hits[part]" = {kind = "count"}\n[index]\npart = ["wing", "tail"]\n'
    table = TABLE.replace("do = [\"struck = 'spar'\"]", 'then = [{roll = "t", when = "hits[part] >= 1"}]')
    pack(data_folder / "packs" / "spar", "spar", sheet=sheet, t=table)
    checked = companion("tables", "check", "spar")
    assert "t.toml, line 10: outcome.spar, then: nothing says which part this is; add for, with or ask" in checked.out
    rolled = companion("roll", "t", "--game", "spar", "--dice", "1")
    assert rolled.code == 1 and "t.toml, line 10: outcome.spar, then" in rolled.err


def test_what_nothing_uses_is_only_a_warning(companion: Run, data_folder: Path) -> None:
    choice = '[choice.a]\ntitle = "b"\noption = [{name = "c", usual = true}]\n'
    pack(data_folder / "packs" / "spar", "spar", t=TABLE.replace("do = [\"struck = 'spar'\"]\n", ""), choices=choice,
         sheet=SHEET + "lost = {}\n")  # fmt: skip
    checked = companion("tables", "check", "spar")
    assert (checked.code, checked.out.count("\n")) == (0, 3)
    assert "line 5: warning: lost: nothing in the game reads or sets it" in checked.out
    assert "choices.toml, line 1: warning: choice a: nothing asks for this choice" in checked.out
