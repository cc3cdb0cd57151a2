"""Starting positions of Bombs Away!, and answers to its questions about cards."""

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from tests.support import Moment, fly

# Numbers found only on cards and charts. These are made up for the tests and are not in the pack.
COSTS: dict[str, Value] = {
    "cost.aircraft.axis": 2, "cost.aircraft.allied": 2, "cost.card.axis": 1, "cost.card.allied": 1, "costs.known": "yes"
}  # fmt: skip
BOX = {"cards.1": 8, "cards.2": 6, "cards.3": 4, "cards.4": 2}


def laid_out(pack: Pack, **options: Value) -> Mission:
    """Return a game in its first turn, with the cards about to be placed."""
    game = Mission(pack)
    flak = {f"cost.{what}.{size}": size for what in ("new", "raise") for size in range(1, 7)}
    game.write({**BOX, **COSTS, **flak, **{f"option.{name}": value for name, value in options.items()}})
    play(game, "research: no-more")
    return game


def play(game: Mission, script: str) -> list[str]:
    """Play these answers to the end; return the text of every result."""
    texts: list[str] = []
    assert not fly(
        game,
        Script(script.replace("; ", "\n")),
        each=lambda results: texts.extend(result.text for result in results if result.text),
    )
    return texts


def after_combat(game: Mission, **facts: Value) -> None:
    """Play on after the bombing."""
    game.pending.clear()
    game.write({"step": "combat-over", **facts})


def strength(game: Mission, **facts: Value) -> Value:
    return Facts(game.game.sheet, game.state, facts)["strength"]


def over_ploesti(pack: Pack) -> Mission:
    """Return a Flak 2 and an Me110G against a Spitfire IX and a B17F; the invented figures decide nothing."""
    game = laid_out(pack, bouncing="yes")
    for plane in ("spitfire-i", "b24d", "wellington-iii", "fw190a", "me109e"):
        game.write({f"pile.{plane}": "unresearched"})
    for plane in ("spitfire-ix", "b17f", "me110g"):
        game.write({f"pile.{plane}": "available", f"known.{plane}": "yes"})
    game.write({"dogfight.spitfire-ix": 4, "dogfight.me110g": 4})
    game.write({"flak.available.2": 1, "flak.researched.2": 5, "flak.available.1": 3, "hand.axis": 0, "hand.allied": 0})
    return game


def at(square: str) -> str:
    """Return the lines that place the Allied cards in one square, which they then open."""
    return f"placed: {square}; placed: no-more; "


def over_berlin(pack: Pack, script: str = "", **options: Value) -> Mission:
    """Return a Spitfire I and a B24D against an FW190A and an Me109E with invented figures, one symbol, no flak
    card.
    """
    game = laid_out(pack, **options)
    for plane, dogfight in (("spitfire-i", 3), ("b24d", 2), ("fw190a", 4), ("me109e", 3)):
        game.write({f"known.{plane}": "yes", f"dogfight.{plane}": dogfight})
    game.write({"payload.b24d": 3, "symbols.berlin": 1})
    here = "cards-here: spitfire-i; cards-here: b24d; cards-here: fw190a; cards-here: me109e; "
    play(game, at("berlin") + here + "cards-here: no-more; " + script)
    return game


def tried(pack: Pack, start: str, lines: str, then: str) -> None:
    """Play these lines from a start and compare the sheet (see `Moment.shows`) and the texts told after a `|`.

    The start is `turn`, `built` (after the bombing), `berlin` or `ploesti`, with further facts.
    """
    place, _, words = start.partition(" ")
    game = {"berlin": over_berlin, "ploesti": over_ploesti}.get(place, laid_out)(pack)
    facts = pack.sheet.given(words.split())
    if place == "built":
        after_combat(game, **facts)
    else:
        game.write(facts)
    told = "\n".join(play(game, lines))
    expected, _, texts = then.partition("|")
    shown = Moment(game).shows(expected)
    assert shown == expected.split(), " ".join(shown)
    assert [text for text in texts.split(";") if text.strip() not in told] == [], told
