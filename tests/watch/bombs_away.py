"""Prohibitions of the rules of Bombs Away!"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from companion.engine.fields import Value
from companion.play.journal import Entry
from tests.watch import Book, Seen, over

ALLIED = ("spitfire-i", "b24d", "wellington-iii", "spitfire-ix", "b17f", *(f"allied-{at}" for at in range(6, 12)))
AXIS = ("fw190a", "me109e", "me110g", *(f"axis-{at}" for at in range(4, 11)))
PLANES = (*ALLIED, *AXIS)
DEALT = ("fw190a", "me109e", *ALLIED[:3])  # available from the start (I B 5, 6)
TARGETS = ("bremerhaven", "berlin", "ploesti", "schweinfurt", *(f"target-{at}" for at in range(5, 10)))
SIZES = range(1, 7)
# I A and I B: fifty event cards, twenty flak cards, nine turn cards; a square has at most two flak symbols
# V B: nine squares a turn, three points at most for each
LIMITS = {
    "turn.total": 9 * 9 * 3,
    "deck": 50,
    "discard": 50,
    "hand": 50,
    "turn": 9,
    "decoys": 9,
    "flak.available": 20,
    "flak.researched": 20,
}
OPTIONS = ("slow", "altitude", "night", "crash", "being", "fighters", "bouncing")
FIRES = {"allied": ALLIED, "axis": AXIS}


def begin(rng: random.Random) -> dict[str, Value]:
    """Return random optional rules and figures that are only on the cards and charts."""
    box = [0] * len(SIZES)
    box[0] = 4 + rng.randint(0, 10)
    for _ in range(20 - box[0]):
        box[rng.randint(1, 5)] += 1
    sheet: dict[str, Value] = {f"cards.{size}": count for size, count in zip(SIZES, box, strict=True)}
    for kind in ("new", "raise"):
        sheet |= {f"cost.{kind}.{size}": rng.randint(1, size + 1) for size in SIZES}
    sheet |= {f"cost.{what}.{side}": rng.randint(1, 3) for what in ("aircraft", "card") for side in ("allied", "axis")}
    sheet |= {f"option.{name}": rng.choice(["yes", "no"]) for name in OPTIONS}
    sheet["option.commitment"] = rng.choice(["no", "both", "allied", "axis"])
    for plane in PLANES:
        sheet[f"known.{plane}"] = "yes"
        sheet[f"night.{plane}"], sheet[f"slow.{plane}"] = rng.choice(["yes", "no"]), rng.choice(["yes", "no"])
        sheet[f"flies.{plane}"] = rng.choice(["normal", "low", "high"])
        sheet[f"designed.{plane}"] = 0 if plane in DEALT else rng.randint(1, 9)
        if plane != "b17f":
            sheet[f"dogfight.{plane}"] = rng.randint(0, 7)
            sheet[f"payload.{plane}"] = rng.randint(0, 7) if plane in ALLIED else 0
    for target in TARGETS[4:]:
        sheet |= {f"known.{target}": "yes", f"points.{target}": rng.randint(1, 3), f"loses.{target}": rng.randint(0, 2)}
        sheet[f"draw.{target}"] = rng.choice(["yes", "no"])
    for target in TARGETS:
        sheet[f"symbols.{target}"] = 2 if target == "ploesti" else rng.randint(1, 2)
    return sheet


def target_of(entry: Entry, seen: Seen) -> str:
    """Return the aircraft that is fired at: of this draw, or of the sheet."""
    return str(entry.get("b", {}).get("foe", seen["foe"]))


def strength(seen: Seen, entry: Entry) -> int:
    """Check the limits of draws (IV B to E, VII B)."""
    fire, firer, foe = seen["fire"], str(seen["firer"]), target_of(entry, seen)
    night = seen["option.night"] == "yes"
    if fire == "surrender":
        return 1
    if fire == "bombs":
        return int(seen[f"payload.{firer}"])
    if fire == "flak":
        printed = int(seen[f"symbols.{seen['here']}"]) + int(seen["flak.here"])
        return printed - (1 if night and foe and seen[f"night.{foe}"] == "yes" else 0)
    dark = night and fire == "axis" and foe and seen[f"night.{foe}"] == "yes" and seen[f"night.{firer}"] != "yes"
    return int(seen[f"dogfight.{firer}"]) - (2 if dark else 0)


# -- who acts, and on whom ---------------------------------------------------------------------------------------------


def no_lost_card_acts(entry: Entry, before: Seen, _: Seen) -> Iterator[str]:
    """IV B 1, D, E, VII F: a card fires or bombs only in its square, once, and unless it was bounced."""
    if entry["v"] != "choose" or entry["t"] not in ("fire", "bomb") or entry["o"] == "no-more":
        return
    plane, fire = str(entry["o"]).partition("@")[0], str(before["fire"])
    if plane not in (ALLIED if fire == "bombs" else FIRES[fire]):
        yield f"{plane} acts as {fire}"
    if before[f"pile.{plane}"] != "available" or before[f"at.{plane}"] != before["here"]:
        yield f"{plane} acts, {before[f'pile.{plane}']}, at {before[f'at.{plane}']}"
    if before[f"bounced.{plane}"] == "yes":
        yield f"{plane} acts and is bounced (VII F)"
    if before[f"fired.{plane}"] == "yes":
        yield f"{plane} acts twice"


def no_lost_card_is_hit(entry: Entry, before: Seen, _: Seen) -> Iterator[str]:
    """IV B to D, VII A 2: the target is an enemy in the same square, within reach."""
    foe = target_of(entry, before)
    if entry["t"] != "shot" or before["fire"] not in ("allied", "axis", "flak") or not foe:
        return
    firer, fire = str(before["firer"]), str(before["fire"])
    if foe not in (AXIS if fire == "allied" else ALLIED):
        yield f"{fire} fires at {foe}"
    if before[f"at.{foe}"] != before["here"] or before[f"pile.{foe}"] != "available":
        yield f"{foe} is fired at and is {before[f'pile.{foe}']}, at {before[f'at.{foe}']}"
    low = fire != "flak" and before["option.altitude"] == "yes"
    if low and before[f"flies.{firer}"] == "low" and before[f"flies.{foe}"] == "high":
        yield f"{firer} flies low and fires at {foe} (VII A 2)"


def every_shot_counts(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """IV, VII F: no more than the strength hits, exactly the strength bounces; hits are on the sheet."""
    if entry["t"] != "shot" or before["fire"] == "none":
        return
    fire, chance, foe = str(before["fire"]), int(before["chance"]), target_of(entry, before)
    limit, bounce = strength(before, entry), before["option.bouncing"] == "yes"
    hit, exact = chance <= limit, bounce and chance == limit
    if fire == "surrender":
        if hit != (after["surrender"] == "yes"):
            yield f"a {chance} on the surrender draw: {after['surrender']}"
    elif fire == "bombs":
        here = before["here"]
        if hit and after[f"devastated.{here}"] != "yes":
            yield f"{here} is hit by {chance} against {limit} and stands"
        if hit and not exact and after["flak.cut"] != "yes":
            yield f"{here} is devastated and its flak is not reduced"
        if not hit and (entry.get("c") or {}):
            yield f"a miss, {chance} against {limit}, changes {entry['c']}"
    elif foe:
        gone = after[f"pile.{foe}"] == "researched" and after[f"at.{foe}"] == "none"
        if gone != (hit and not exact) or (after[f"bounced.{foe}"] == "yes") != (
            hit and exact or not hit and before[f"bounced.{foe}"] == "yes"
        ):
            yield f"{foe}, {chance} against {limit}: {after[f'pile.{foe}']}, bounced {after[f'bounced.{foe}']}"


# -- cards and points --------------------------------------------------------------------------------------------------


def cards_are_counted(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """I A: fifty event cards and twenty flak cards, wherever they are; no plane is built before it is researched."""
    if entry["v"] == "set" or after["turn"] == 0:
        return
    deck = sum(int(after[name]) for name in ("deck", "discard", "hand.allied", "hand.axis"))
    if deck != 50 and entry["t"] not in ("heats-up", "special-axis", "special-allied"):
        yield f"{deck} event cards"
    out = sum(int(after[f"flak.out.{size}"]) for size in SIZES)
    lie = sum(int(after[f"flak.{pile}.{size}"]) for pile in ("available", "researched") for size in SIZES)
    if lie + out + (after["flak.here"] >= 1 and entry["t"] != "flak-kept" and not _kept(entry, after)) != 20:
        yield f"{lie} flak cards lie, {out} are kept, {after['flak.here']} is here"
    for plane in PLANES:
        was, now = before[f"pile.{plane}"], after[f"pile.{plane}"]
        dealt = before["turn"] == 0 and plane in DEALT
        if (was, now) == ("unresearched", "available") and not dealt:
            yield f"{plane} is built before it is researched"


def _kept(entry: Entry, after: Seen) -> bool:
    """Return whether the card of the square has been counted as kept already."""
    return any(name.startswith("flak.out.") for name in entry.get("c", {})) and after["flak.here"] >= 1


def points_pay(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """VI A 1 and 2: no side spends more than it has."""
    for side in ("allied", "axis"):
        if not 0 <= int(after[f"bp.{side}"]) <= 99:
            yield f"{side} has {after[f'bp.{side}']} build points"
    if entry["t"] == "build" and entry["v"] == "choose" and entry["o"] in PLANES:
        side = "allied" if entry["o"] in ALLIED else "axis"
        if before["builder"] != side:
            yield f"{entry['o']} is built by the {before['builder']}"
        if before[f"bp.{side}"] - after[f"bp.{side}"] != before[f"cost.aircraft.{side}"]:
            yield f"{entry['o']} costs {before[f'bp.{side}'] - after[f'bp.{side}']}"


# -- the whole journal -------------------------------------------------------------------------------------------------


def each_bombed_target_counts_once(entries: Sequence[Entry], end: Seen) -> Iterator[str]:
    """V B: the victory points are those of devastated squares, each once per turn, and of event cards."""
    points, bombed, turn = 0, Counter[tuple[int, str]](), 0
    for entry in entries:
        changes = entry.get("c", {})
        turn = changes.get("turn", (0, turn))[1] or turn
        for name, (_, value) in changes.items():
            if name.startswith("devastated.") and value == "yes":
                bombed[turn, name.partition(".")[2]] += 1
        if "victory.points" in changes and entry["t"] == "card-effect":
            points += (changes["victory.points"][1] or 0) - (changes["victory.points"][0] or 0)
    yield from (
        f"{target} is devastated {count} times in turn {turn}" for (turn, target), count in bombed.items() if count > 1
    )
    points += sum(int(end[f"points.{target}"]) for _, target in bombed)
    if points != end["victory.points"]:
        yield f"{end['victory.points']} points, by the squares {points}"


def it_ends_as_the_rules_say(_: Sequence[Entry], end: Seen) -> Iterator[str]:
    """V D: after nine turns, or when the Axis surrenders."""
    if end["turn"] != 9 and end["surrender"] != "yes":
        yield f"over in turn {end['turn']} without a surrender"
    if end["turn"] + end["decoys"] != 9:
        yield f"turn {end['turn']} and {end['decoys']} decoys"


BOOK = Book(
    begin,
    (over(LIMITS), no_lost_card_acts, no_lost_card_is_hit, every_shot_counts, cards_are_counted, points_pay),
    (each_bombed_target_counts_once, it_ends_as_the_rules_say),
)  # fmt: skip
