"""The house style, checked by patterns over every sentence of the program, its packs and its guide.

Each pattern is a shape that no American player or Python developer would say, with what to say instead.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT

PATTERNS = {
    r"\bnobody has said\b": "not entered", r"\bas things stand\b|\bof now\b": "right now",
    r"\bso many of the\b|\bso well\b|\bstrays? so far\b": "that many, to that precision",
    r"\bis none of\b|(?<!here )\bis no (?:snapshot|file|number|range|picture|table|field|dice)\b": "isn't a …",
    r"\bours (?:again|counts)\b|\byours alone\b": "the built-in version, only yours",
    r"\bknown are \{|; there are \{|\bpossible are\b": "choose …, use …",
    r"\b(?:your|the player's) own book\b": "your rulebook",
    r"\bno longer to be found\b|\bcounts no longer\b|\banew\b": "starts again",
    r"\bis asked for now\b|\bnot asked for now\b": "no longer needed", r"\b(?:were|was) due\b": "expected",
    r"\bthat could be taken over\b|\btake over (?:one|a campaign)\b": "continue from paper",
    r"\btake (?:it |the table )?down\b|\btaken down\b(?! by)": "copy a table from the rulebook",
    r"\bhardly fall\b|\bdice (?:were |have been )?thrown\b": "rolled",
    r"\b(?:colour|favour|armour|honour|grey|centre|programme|whilst|amongst)\b": "American spelling",
    r"\b(?:one|a line|a row) a (?:line|mission|row)\b": "per line, per mission",
    r"\b(?:stands|stood|stand) (?:in|on|at|only|the|then|so|for each)\b|\bno orders stand\b": "is on, applies",
    r"(?i)\b(?:begins|began|begun)\b|\bbegin (?:with|by|a|the sequence)\b": "start, start with",
    r"(?i)\bwritten by hand\b|\bstrike (?:an?|the|your) (?:standing )?order\b": "set by you, tick off an order",
    r"\bgoes by the name\b|\b(?:is|are) said (?:of|to be|so)\b": "is called",
    r"\bno die\b|(?<!roll )\ba die for (?:each|every)\b": "no roll, roll for each",
    r"\bnobody living\b|\ball who can\b": "no one alive, everyone who can",
    r"\bafresh\b| unasked\b|\bpassed over\b|\bthe other way round\b": "again, without being asked, skipped, vice versa",
    r"\bWhat (?:ails|becomes of|speaks for)\b|\b[Ww]ant of\b": "a noun for it: damage so far, no oxygen",
    r"\b[Ss]he (?:is|has|was|flies|leaves|gives|cannot|may)\b|\b(?:may|does|must|can) she\b": "it, the bomber",
    r"\b(?:the choice is|is one) of? ?ours\b|\ba list of ours\b|\b[Oo]urs:": "built in, the companion's",
    r"\bnot there any more\b": "gone", r"\bshe (?:still flies|flies on)\b|\bleave her\b": "the bomber, it",
    r"\bmistake: \{": "Internal error",
}  # fmt: skip


def strings(path: Path) -> Iterator[str]:
    """Yield the string literals of a module, without docstrings; an f-string is one text with `{}` for its values."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            inner |= {id(each) for each in node.values}
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.value


def of_toml(value: object) -> Iterator[str]:
    """Yield the texts of a pack's file, without its keys and comments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from of_toml(each)


def texts() -> Iterator[tuple[str, str]]:
    """Yield every text that a player or a pack author reads, with its file."""
    for path in sorted([*(ROOT / "companion").rglob("*.*"), *(ROOT / "tables").rglob("*.*"), ROOT / "README.md"]):
        name = str(path.relative_to(ROOT))
        if path.suffix == ".py":
            yield from ((name, each) for each in strings(path))
        elif path.suffix == ".toml":
            yield from ((name, each) for each in of_toml(tomllib.loads(path.read_text(encoding="utf-8"))))
        elif path.suffix in (".md", ".html", ".js", ".typ"):
            comments = r"(?m)(?:^|\s)//.*$" if path.suffix in (".js", ".typ") else r"\{#.*?#\}"
            yield name, re.sub(comments, "", path.read_text(encoding="utf-8"))


TEXTS = list(texts())


@pytest.mark.parametrize("shape", PATTERNS)
def test_no_text_has_an_unnatural_phrase(shape: str) -> None:
    wrong = [
        (name, text[max(0, found.start() - 30) : found.end() + 30])
        for name, text in TEXTS
        if (found := re.search(shape, text))
    ]
    assert wrong == [], f"write: {PATTERNS[shape]}"
