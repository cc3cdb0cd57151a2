"""Where in a pack's files something is wrong: the file, the line and the place as the compiler names it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from companion.engine.fields import Spec
from companion.engine.sheet_names import pattern_of
from companion.packs.layers import Layers, tables_folder
from companion.packs.lines import Where, lines, under
from companion.packs.overlays import is_patch
from companion.store.files import text_of
from companion.store.system import content_of
from companion.words import one_of


class Fault:
    """Something wrong with a pack: the file, the line (0 where none can be told), and a sentence."""

    def __init__(self, path: Path | None, line: int, sentence: str) -> None:
        self.path, self.line, self.sentence = path, line, sentence

    def __str__(self) -> str:
        if self.path is None:
            return self.sentence
        ours = tables_folder()
        named = f"tables/{self.path.relative_to(ours)}" if self.path.is_relative_to(ours) else str(self.path)
        return f"{named}{f', line {self.line}' if self.line else ''}: {self.sentence}"


class Places:
    """The places of one file of a pack, through all its layers."""

    def __init__(self, pack: Layers, file: str) -> None:
        self.pack, self.file = pack, file
        self._lines: dict[Path, dict[Where, int]] = {}

    def lines(self, path: Path) -> dict[Where, int]:
        """The line of everything in one layer."""
        if path not in self._lines:
            self._lines[path] = lines_of(path)
        return self._lines[path]

    def fault(self, at: Where, sentence: str) -> Fault:
        """Something wrong at a place of the file as it comes to; the line is that of the layer it stands in."""
        paths = self.pack.layers[self.file]
        named = place_in_words(self.file, self.pack.read(self.file), at)
        shown = self._shown(f"{named}: {sentence}") if named else sentence
        for path in paths:
            own = self.pack.parsed(path)
            if not is_patch(own):
                return Fault(path, line_of(self.lines(path), at), shown)
            for inside in self.lines(path) if at else ():
                if place_in_words(self.file, own, inside) == named:
                    return Fault(path, self.lines(path)[inside], shown)
        return Fault(paths[0], 0, shown)

    def sentence(self, problem: str) -> Fault:
        """What the compiler found wrong with a sentence: of those with the marked line, the one at the place named."""
        marked = re.search(r"\n    (.*)\n +\^$", problem)
        text = marked[1].strip() if marked else ""
        named = problem.partition("\n")[0]
        best: tuple[int, Path, int] | None = None
        for path in self.pack.layers[self.file]:
            doc = self.pack.parsed(path)
            for at, line in self.lines(path).items():
                value = under(doc, at)
                if isinstance(value, str) and (not text or text in value):
                    likely = _alike(place_in_words(self.file, doc, at), named)
                    if likely and (best is None or likely > best[0]):
                        best = likely, path, line + _further(path, line, value, text)
            if not is_patch(doc) and self.file != "pack":
                break
        if best is None:
            return Fault(self.pack.files[self.file], 0, self._shown(problem))
        return Fault(best[1], best[2], self._shown(problem))

    def name(self, problem: str) -> Fault:
        """What is wrong with a name that the sheet declares: where the one that the problem speaks of stands."""
        for path in self.pack.layers[self.file]:
            for at, line in self.lines(path).items():
                if at and re.search(rf"(^|\W){re.escape(str(at[-1]))}(\W|$)", problem) and "[" in str(at[-1]):
                    return Fault(path, line, problem)
        return Fault(self.pack.files[self.file], 0, problem)

    def _shown(self, problem: str) -> str:
        """A problem with its place as a player knows it."""
        if self.file == "choices":
            return self._of_choice(problem)
        return f"step {problem}" if self.file == "sequence" else problem

    def _of_choice(self, problem: str) -> str:
        """`altitude, stay, when: …` as `choice altitude, option stay, when: …`."""
        name, _, rest = problem.partition(", ")
        options = self.pack.read("choices").get("choice", {}).get(name, {}).get("option", ())
        own = next((each["name"] for each in options if rest.startswith(f"{each['name']}, ")), None)
        return f"choice {name}, {'option ' if own is not None else ''}{rest}"


def placed(pack: Layers, file: str, problem: str) -> str:
    """What is wrong with a sentence of a file, with the file's whole name and its line before it."""
    fault = Places(pack, file).sentence(problem)
    return f"{fault.path}{f', line {fault.line}' if fault.line else ''}: {fault.sentence}"


def lines_of(path: Path) -> dict[Where, int]:
    """The line of everything in a file."""
    return lines(text_of(content_of(path)[0]))


def line_of(where: Mapping[Where, int], at: Where) -> int:
    """The line of a thing, else of what it stands in; 0 where none can be told."""
    while at and at not in where:
        at = at[:-1]
    return where.get(at, 0)


def place_in_words(file: str, doc: Spec, at: Where) -> str:
    """A place of a file as the compiler names it: `modifier ace, when`, `outcome.crew, case 2, do 3`."""
    words: list[str] = []
    if at[:1] == ("patch",):
        doc, at = under(doc, at[:2]), at[2:]
    number = 0
    while number < len(at):
        step, after = at[number], at[number + 1] if number + 1 < len(at) else None
        number += 1
        if step == "fields":
            return ", ".join([*words, *map(str, at[number + 1 :])])
        if after is not None and step in PAIRED:
            words.append(PAIRED[str(step)].format(pattern_of(str(after)) if step == "facts" else after))
        elif isinstance(after, int):
            words.append(_of_list(str(step), after, under(doc, at[: number + 1])))
        else:
            words += [str(step)] if step != "log" else []
            continue
        number += 1
    return ", ".join(words)


PAIRED = {
    "outcome": "outcome.{}", "sub": "sub.{}", "with": "with.{}", "rows": "row {}", "facts": "the fact {}",
    "choice": "{}", "standing": "{}", "sides": "{}",
}  # fmt: skip
"""How the compiler names a thing by its own name, by the table that it stands in."""


def _of_list(step: str, number: int, spec: object) -> str:
    """`modifier ace` for the third modifier, `case 3` for the third case."""
    own = None
    if isinstance(spec, Mapping) and step in ("modifier", "natural", "column", "option", "step"):
        own = spec.get("id") or spec.get("title") or spec.get("name")
    if own and step in ("option", "step"):
        return str(own)
    return f"{'case' if step == 'cases' else step} {own or number + 1}"


def _alike(place: str, problem: str) -> int:
    """How far a place is the one that a problem begins with: longer is better; 0 where it is another."""
    begun = 0
    for one, other in zip(place.split(", "), problem.split(", "), strict=False):
        if one != other.partition(":")[0] and one != other:
            break
        begun += 1
    return begun + 1


def _further(path: Path, line: int, value: str, marked: str) -> int:
    """How many lines further on a sentence of several lines the marked one stands."""
    if "\n" not in value or not marked:
        return 0
    text = text_of(content_of(path)[0]).splitlines()[line - 1 :]
    return next((at for at, each in enumerate(text) if marked in each), 0)


def near(word: str, names: Iterable[str]) -> str:
    """`; did you mean …?` where something like it is among the names; empty where nothing is."""
    import difflib

    likely: Sequence[str] = difflib.get_close_matches(word, list(names), 2, 0.6)
    return f"; did you mean {one_of(list(likely))}?" if likely else ""
