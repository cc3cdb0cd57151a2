"""Nothing that a pack says can call, import or open anything, or go on without end."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.packs.check import check
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from tests.support import PACKS, pack, sheet_of

NAMES = re.compile(r"[a-z]|f\d+|m_[A-Za-z0-9_.:-]+|bind|before|outer|adding|dice|.+ of .+")


PLACES = {
    "when": 'rows = {{"1.." = "a"}}\nmodifier = [{{id = "m", add = 1, why = "m", when = {0}}}]\n[outcome.a]\n',
    "add": 'rows = {{"1.." = "a"}}\nmodifier = [{{id = "m", why = "m", add = {0}}}]\n[outcome.a]\n',
    "column": 'column = [{{title = "x", when = {0}, rows = {{"1.." = "a"}}}}]\n[outcome.a]\n',
    "do": 'rows = {{"1.." = "a"}}\n[outcome.a]\ndo = [{0}]\n',
    "text": 'rows = {{"1.." = "a"}}\n[outcome.a]\ntext = {1}\n',
    "as": 'rows = {{"1.." = {{as = {1}}}}}\n[outcome."{{x}}"]\n',
    "with": 'rows = {{"1.." = {{as = "a", with = {{x = {0}}}}}}}\n[outcome.a]\ntext = "{{x}}"\n',
    "name": 'rows = {{"1.." = {{as = "a", with = {{{0} = "zone"}}}}}}\n[outcome.a]\n',
    "result": 'rows = {{"1.." = {0}}}\n[outcome.{0}]\ntext = {0}\n',
    "once": 'rows = {{"1.." = {{ask-once = {0}}}}}\n[outcome.a]\n',
    "memory": 'memory = {0}\nrows = {{"1.." = "a"}}\n[outcome.a]\n',
    "adjust": 'rows = {{"1.." = 3}}\nadjust = [{{is = {0}, why = "x"}}]\n[outcome."{{result}}"]\n',
    "is": 'rows = {{"1.." = "a"}}\n[outcome.a]\nis = {0}\n',
    "then": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{roll = {1}, for = "side", when = {0}}}]\n',
    "times": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{roll = "t", times = {0}}}]\n',
    "for": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{roll = "t", for = {0}}}]\n',
    "ask": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{ask = {0}, usual = {0}}}]\n',
    "order": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{order = {1}, until = {0}}}]\n',
}


def test_what_is_compiled_has_no_builtins_and_no_modules(b29: Pack) -> None:
    unit = b29.unit("5-9")
    test = next(each["#when"] for each in unit["modifier"] if "#when" in each)
    assert test.__globals__["__builtins__"] == {}
    assert not [name for name, thing in test.__globals__.items() if hasattr(thing, "__file__")]


def doubling(line: str) -> str:
    """Forty facts, each made of the one before."""
    return "".join(f"f{at} = {line.replace('#', f'f{at - 1}')}\n" for at in range(1, 41))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ('f40 = "f2"\nf2 = "f40 + 1"\n', "worked out from itself"),
        ('f40 = "sum side (a[side])"\n"a[side]" = "b[side]"\n"b[side]" = "f40 + a[side]"\n', "worked out from itself"),
        ("f40 = \"row('t') = 'a'\"\n", "worked out from itself"),
        ("f40 = \"column('t')\"\n", "worked out from itself"),
        ('f0 = "999999999999999"\n' + doubling('"# * #"'), "beyond all figures"),
        ("f0 = \"'0123456789'\"\n" + doubling("\"'{#}{#}'\""), "longer than any page"),
        ('f40 = "count x (count x as b (count x as c (zone = 0) >= 0) >= 0)"\n', "one within the other"),
        (f'f40 = "{"(" * 250}zone{")" * 250}"\n', "nested too deeply"),
        (f'f40 = "{"1 if crossed else " * 100}2"\n', "nested too deeply"),
        (f'f40 = "{"9" * 5000}"\n', "longer than any"),
    ],
)
def test_facts_without_end(tmp_path: Path, facts: str, message: str) -> None:
    begun = time.process_time()
    game = pack(
        tmp_path,
        "bare",
        sheet=sheet_of("raid").replace("[index.fighter]", "[index]\nx = 1000\n[index.fighter]"),
        facts=facts,
        look=(PACKS / "raid" / "look.toml").read_text(),
        t='dice = "-"\ncolumn = [{title = "x", when = "f40 = 2", rows = {"0.." = "a"}}]\n[outcome.a]\ntext = "x"\n',
    )
    with pytest.raises(Trouble) as refused:
        _ = Facts(game.sheet)["f40"]
    assert message in str(refused.value)
    assert all(isinstance(each, str) for each in check(game))
    assert time.process_time() - begun < 3


AGAIN = 'rows = {"1.." = "a"}\n[outcome.a]\n'
ROUND = '[[step]]\nid = "a"\ntitle = "A"\ngo = "b"\n[[step]]\nid = "b"\ntitle = "B"\ngo = "a"\n'
EACH_OTHER = '[[rule]]\non = "zone"\ndo = ["hour = zone"]\n[[rule]]\non = "hour"\ndo = ["zone = 1 - zone"]\n'


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"sequence": ROUND}, "never ends"),
        ({"rules": EACH_OTHER}, "set each other off"),
        ({"t": AGAIN + "do = [\"city = '{city}{city}x'\"]\nthen = ['t']\n"}, "up to 500 characters"),
        ({"t": AGAIN + "then = [{roll = 't', with = {word = \"'{word}{word}x'\"}}]\n"}, "longer than any page"),
        ({"t": AGAIN + "then = [{roll = 't', times = '1000000 * zone'}]\n"}, "rolls"),
    ],
    ids=["steps", "rules", "a text in a field", "a text that is bound", "rolls"],
)
def test_steps_rules_and_rolls_without_end(tmp_path: Path, files: dict[str, str], message: str) -> None:
    game = pack(tmp_path, **files)
    begun = time.process_time()
    mission = Mission(game, {"city": "abcdefgh", "zone": 1}, number=1)
    with pytest.raises(Problem, match=message):
        if "sequence" in files:
            mission.advance()
        elif "rules" in files:
            mission.write({"zone": 0})
        else:
            mission.roll("t", Hand([[3]]), {"word": "abcdefgh"})
            for _ in range(40):
                mission.roll(None, Hand([[3]]))
    assert time.process_time() - begun < 3
    assert all(isinstance(each, str) for each in check(game))
