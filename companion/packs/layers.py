"""The folders of the games and their files by layer, before a pack is built from them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from companion.engine.fields import Spec
from companion.engine.rules import events_of
from companion.packs.toml_files import REASON, Doc, cached, is_patch, read_file, stamp
from companion.problems import SystemFault, UserError
from companion.store.files import home, names_in, present, read_bytes
from companion.words import bare, one_of

NOT_TABLES = {"pack", "sheet", "rules", "sequence", "choices", "rulings", "story"}  # the files that are not tables


class HouseRule:
    """One change that a player made to a game: its file, its reason, and why it does not count, if so."""

    def __init__(self, path: Path, reason: str, left_out: str = "") -> None:
        self.path, self.reason, self.left_out = path, reason, left_out

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.reason}{f' ({self.left_out})' if self.left_out else ''}"


class Layers:
    """The files of one game: the player's folder, its own, and those of the packs it extends.

    Raises UserError if there is no such game.
    """

    def __init__(self, name: str, folders: list[Path] | None = None) -> None:
        self.name = game_named(name)
        self.folders = folders if folders is not None else folders_of_game(self.name)
        self._parsed: dict[Path, Spec] = {}
        self._docs: dict[str, Doc] = {}

    @cached_property
    def layers(self) -> dict[str, list[Path]]:
        """Return all layers of every file by its name in lower case, topmost first."""
        layers: dict[str, list[Path]] = {}
        for folder in self.folders:
            for file in os.listdir(folder):
                if file.endswith(".toml"):
                    layers.setdefault(file[:-5].casefold(), []).append(folder / file)
        return layers

    @cached_property
    def files(self) -> dict[str, Path]:
        """Return the topmost file of each name."""
        return {name: paths[0] for name, paths in self.layers.items()}

    def generation(self) -> list[list[str | int]]:
        """Return the path, time and size of each file, to detect later changes."""
        return stamp([folder / name for folder in self.folders for name in names_in(folder) if name.endswith(".toml")])

    def parsed(self, path: Path) -> Spec:
        """Parse one file without its overlays; raise SystemFault if it cannot be read."""
        if path not in self._parsed:
            self._parsed[path] = read_file(path)
        return self._parsed[path]

    def read(self, name: str) -> Doc:
        """Return the file of that name with its overlays, from the cache or from its sources; empty if there is none.

        Its sentences have functions once it was asked for as a `unit` of the pack.
        """
        if name not in self._docs and name in self.layers:
            also = ("choices", "sequence", "rules", "pack") if name == "sheet" else ("pack",)
            sources = [*self.layers[name], *(path for each in also for path in self.layers.get(each, ()))]
            self._docs[name] = cached(self.name, name, sources, lambda: self.merged(name))
        return self._docs.get(name, {})

    def merged(self, name: str) -> Doc:
        """Merge the overlays of a file; raise SystemFault if one cannot be read or a patch does not fit."""
        paths, doc = self.layers[name], self.parsed(self.files[name])
        if (len(paths) > 1 and name == "pack") or "patch" in doc:
            from companion.packs.overlays import laid

            doc = laid(name, paths, [*map(self.parsed, paths)], tables_folder())
        if name != "pack" and (steps := self.read("pack").get("cites")):
            doc = with_steps(doc, steps)
        if name == "sheet":
            choices, sequence, rules = map(self.read, ("choices", "sequence", "rules"))
            with suppress(AttributeError, TypeError, LookupError):  # files of another form, which get their own fault
                events = [event for rule in rules.get("rule", ()) for event in events_of(rule)]
                earlier = earlier_words(choices, sequence)
                doc = {**with_answers(doc, choices), "#earlier": earlier, "#events": events}
        whole: Doc = deepcopy(dict(doc))
        return whole

    def house_rules(self) -> Iterator[HouseRule]:
        """Yield the changes to the game in the player's folder; tables from their rulebook are none."""
        for key, paths in sorted(self.layers.items()):
            own = [path for path in paths if players_folder() in path.parents and path.parent != self.folders[-1]]
            for path in reversed(own if key != "pack" else ()):
                doc, misfits = self.parsed(path), self.read(key).get("misfits", ())
                if not is_patch(doc):
                    replaces = path != paths[-1]
                    whole = "your version in place of the built-in one" if replaces else doc.get("cite", "yours")
                    yield HouseRule(path, f"{doc['title']} ({whole})" if "title" in doc else whole)
                for number, patch in enumerate(doc["patch"] if is_patch(doc) else (), 1):
                    if patch.get("reason") != REASON:
                        why = next((why for *at, why in misfits if at == [str(path), number]), "")
                        yield HouseRule(path, str(patch.get("reason", "")), why)


def with_steps(part: Any, steps: Mapping[str, str]) -> Any:
    """Return a part of a file whose citations name the variant's own step before the section (`cites` of pack.toml)."""
    if isinstance(part, list):
        return [with_steps(each, steps) for each in part]
    if not isinstance(part, Mapping):
        return part
    own = {key: with_steps(each, steps) for key, each in part.items()}
    cite = str(own.get("cite", ""))
    pairs = [(each, *step) for each in re.split(r",\s*", cite) for step in steps.items()]
    found = (step for each, section, step in pairs if re.match(rf"{re.escape(section)}(?![\w.])", each))
    return {**own, "cite": f"{step}, {cite}"} if (step := next(found, "")) else own


def earlier_words(choices: Spec, sequence: Spec) -> dict[str, dict[str, str]]:
    """Return the present names by earlier ones (`was`): of choices, of the options of each, and of steps."""
    words = {"step": {step["was"]: step["id"] for step in sequence.get("step", ()) if "was" in step}}
    words["choice"] = {spec["was"]: name for name, spec in choices.get("choice", {}).items() if "was" in spec}
    for choice, spec in choices.get("choice", {}).items():
        words[f"choice {choice}"] = {each["was"]: each["name"] for each in spec.get("option", ()) if "was" in each}
    return {each: renamed for each, renamed in words.items() if renamed}


# -- answers -----------------------------------------------------------------------------------------------------------


def answers(choices: Spec) -> Iterator[tuple[str, str, Doc]]:
    """Yield each option with `again-when`: its choice, the indexes in its facts (`[gun]`), and the option."""
    for choice, spec in choices.get("choice", {}).items():
        for option in spec.get("option", ()):
            if facts := option.get("again-when"):
                yield choice, "".join(dict.fromkeys(re.findall(r"\[[\w-]+\]", " ".join(facts)))), option


def with_answers(sheet: Spec, choices: Spec) -> Spec:
    """Return a sheet with the facts needed for `again-when`.

    For a choice these are `NAME.answered` (its facts at the answer), `NAME.now` (its current facts) and `NAME.again`
    (whether they differ).
    """
    fields, facts = dict(sheet.get("fields", {})), dict(sheet.get("facts", {}))
    for choice, of, option in answers(choices):
        plain = {each for part in fields.values() for each in part if "[" not in each}
        label = f"{choice}, as answered" + of.replace("[", ", {").replace("]", "}")
        ends = " ".join(each for each in ("ask-again", *option["again-when"]) if each in plain)
        answered = {f"{choice}.answered{of}": {"label": label, "until": ends}}
        fields["working"] = {**fields.get("working", {}), **answered}
        facts[f"{choice}.now{of}"] = "'" + " ".join(f"{{{fact}}}" for fact in option["again-when"]) + "'"
        facts[f"{choice}.again{of}"] = f"{choice}.answered{of} != {choice}.now{of}"
    return {**sheet, "fields": fields, "facts": facts}


# -- folders -----------------------------------------------------------------------------------------------------------


@cache
def tables_folder() -> Path:
    """Return the folder of the built-in packs: next to the package in a checkout, inside it when installed."""
    inside = Path(__file__).resolve().parent.parent / "tables"
    return inside if inside.is_dir() else inside.parent.parent / "tables"


def players_folder() -> Path:
    """Return the folder of the player's packs: overlays of built-in packs, and their own games."""
    return home() / "packs"


def games() -> list[str]:
    """Return the names of the available packs, including the player's own games."""
    abouts = [*tables_folder().glob("*/pack.toml"), *players_folder().glob("*/pack.toml")]
    found = {each.parent.name for each in abouts if each.parent.name == each.parent.name.casefold()}
    return sorted(found | packaged().keys())


@cache
def packaged() -> dict[str, Path]:
    """Return the games of installed Python packages, by name: entry points of the group `companion.games`.

    The value of an entry point is the package whose folder holds the game's files.
    """
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    found: dict[str, Path] = {}
    for each in entry_points(group="companion.games"):
        with suppress(ImportError, ValueError):
            places = getattr(find_spec(each.value), "submodule_search_locations", None) or ()
            for place in [Path(place) for place in places]:
                found |= {each.name: place} if present(place / "pack.toml") else {}
    return found


def beginning() -> str:
    """Return the command that starts a campaign, with the available games."""
    return f'companion new "Lucky Thirteen" --game b29 (the games are {one_of(games())})'


def folders_of_game(name: str) -> list[Path]:
    """Return the folders of a game and of all packs that it extends, topmost first.

    Raise UserError if there is no such game, SystemFault if packs extend each other in a circle.
    """
    folders: list[Path] = []
    game: str | None = name
    while game is not None:
        own = _folders_of(game)
        if not own:
            removed = home() / "removed" / game
            back = f"Bring it back with: companion games install {removed}" if game and present(removed) else ""
            raise UserError(f"there is no game {game or '(empty)'}. {back or f'Use {one_of(games())}'}")
        if own[0] in folders:
            raise SystemFault(f"{own[0] / 'pack.toml'}: packs extend each other in a circle")
        folders += own
        extended = [extends(each / "pack.toml") for each in own if present(each / "pack.toml")]
        game = next(filter(None, extended), None)
    return folders


def game_named(name: str) -> str:
    """Return the name of a game from typed text: `b29` for `B-29`, `bombs-away` for `Bombs Away!`.

    A unique part of a title is enough: `Streamliner`. Text that matches no game is returned unchanged.
    """
    folder, words = name.casefold(), bare(name)
    if _folders_of(folder) or not words or "/" in name or "\\" in name:
        return folder
    titles = {each: each for each in games()}
    for each in titles:
        with suppress(UserError):
            titles[each] = bare(str(read_file(_folders_of(each)[-1] / "pack.toml").get("title", each)))
    same = [each for each, title in titles.items() if words in (bare(each), title)]
    same = same or [each for each, title in titles.items() if len(words) > 3 and words in title]
    return same[0] if len(same) == 1 else folder


def _folders_of(name: str) -> list[Path]:
    """Return the folders with that name, the player's first; empty if there is no such game."""
    if not name.replace("-", "").isalnum():
        return []
    ours, theirs = tables_folder() / name, players_folder() / name
    if not present(ours / "pack.toml"):
        if present(theirs / "pack.toml") or name not in packaged():
            return [theirs] if present(theirs / "pack.toml") else []
        ours = packaged()[name]
    return [theirs, ours] if theirs.is_dir() else [ours]


def extends(about: Path) -> str:
    """Return the game that a `pack.toml` extends; empty if none.

    Every command calls this, so the file is parsed only if it contains the word. Raise SystemFault for an unreadable
    file.
    """
    try:
        content = read_bytes(about)
    except OSError as error:
        raise SystemFault(f"can't read {about}: {error.strerror}") from None
    if b"extends" not in content:
        return ""
    game = read_file(about).get("extends", "")
    if not isinstance(game, str):
        raise SystemFault(f'{about}: extends must be the name of a game, e.g. extends = "b17"')
    return game
