"""What a campaign on paper says: by options, or asked at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.cli.picking import prompt, wrapped
from companion.packs import Pack
from companion.problems import Problem
from companion.store import paper as on_paper
from companion.store.paper import Paper
from companion.words import counted


def written(
    pack: Pack, paper: Paper, men: Sequence[str], score: str | None, percent: int | None, cities: Sequence[str]
) -> Paper:
    """The paper with what the options say; a Problem for what cannot be."""
    on_paper.men_of(men, paper, pack.sheet.index.get("position", {}))
    if score is not None:
        paper.results = on_paper.score(score, pack, paper.missions)
    if percent is not None:
        _percent(paper, str(percent))
    for each in cities:
        _city(pack, paper, each)
    return paper


def asked(pack: Pack, paper: Paper, roster: Mapping[str, str], aircraft: str) -> None:
    """Ask for all that no option has said; Enter takes the missions flown, and nothing of the rest."""
    count = paper.missions
    flown = counted(count, "mission")
    print(f"Flown: {flown}. Each man's missions, fighters and wound: 9 2 light; Enter for {count} 0 ok.")
    if aircraft and paper.bomber is None:
        _put(f"{aircraft}, missions [{count}]: ", lambda text: on_paper.men_of([f"bomber={text}"], paper, {}))
    positions = pack.sheet.index.get("position", {})
    for position, name in roster.items():
        if position in paper.men:
            continue
        label = str(positions[position].get("label", position))
        _put(
            f"{label}, {name} [{count} 0 ok]: ",
            lambda text, of=position: on_paper.men_of([f"{of}={text}"], paper, positions),  # type: ignore[misc]
        )
    if not paper.results:
        ours, theirs = pack.about["log"]["sides"].values()
        _put(
            f"Missions won by the {ours} and by the {theirs}, such as 7 2 (Enter: not known): ",
            lambda text: paper.results.update(on_paper.score(text, pack, count) if text else {}),
        )
    if paper.percent is None and "average" in pack.about["log"]:
        _put("Average of the bomb runs in percent (Enter: not known): ", lambda text: _percent(paper, text))
    if pack.about.get("damage") and not paper.cities:
        print("Cities with boxes crossed off, such as Tokyo 3 of 5; Enter when all are said.")
        while _put("City: ", lambda text: _city(pack, paper, text) if text else None):
            continue


def _put(question: str, take: Callable[[str], object]) -> str:
    """Ask until the answer can be taken; gives it."""
    while True:
        text = prompt(question)
        try:
            take(text)
        except Problem as problem:
            wrapped(f"{problem}.", "  ")
        else:
            return text


def _percent(paper: Paper, text: str) -> None:
    if text:
        typed = text.rstrip("% ")
        if not typed.isdecimal() or int(typed) > 100:
            raise Problem(f"{text} is no percentage, 0 to 100")
        paper.percent = int(typed)


def _city(pack: Pack, paper: Paper, text: str) -> None:
    name, crossed, boxes = on_paper.city(text)
    spec = pack.about.get("damage")
    if spec is not None:
        declared = pack.sheet.fields[str(spec["city"])]
        declared.accept(declared.label, name)
    if crossed:
        paper.cities[name] = (crossed, boxes)
