"""`companion luck`: the dice so far."""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

from typer import Option

from companion.cli.commands import Json, print_json
from companion.packs import Pack
from companion.problems import UserError
from companion.store.session import campaign_needed, none_begun
from companion.words import counted, fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.play.dice_stats import Account, Fall, Luck, Weighed
    from companion.store.campaigns import Campaign

LISTED = 5  # lucky rolls, and as many unlucky ones
BAR = 40
WIDE, LENGTH, GAP, ROW = 720, 340, 6, 18  # of the picture
INK, PALE, DUE = "#1f3a5f", "#8fa6c4", "#c0392b"


def luck_command(
    number: Annotated[int | None, Option("--mission", help="One mission; all of the campaign unless given.")] = None,
    out: Annotated[Path | None, Option("-o", "--out", help="A .svg file; else the terminal.")] = None,
    json: Json = False,
) -> None:
    """Your dice so far. How they fell, whether fair dice fall so, the luckiest rolls, hits against their odds."""
    if out is not None:
        from companion.render.typeset import form_of

        form_of(out, ("svg",))
    used = campaign_needed()
    pack, luck = _luck(used, number)
    if not luck.faces.thrown:
        if not pack.throws_dice:
            raise UserError(f"{pack.title} is played without dice")
        raise UserError("no dice have been thrown yet")
    of = f"{used.name}, mission {number}" if number is not None else used.name
    if json:
        print_json(as_object(luck, pack))
    elif out is not None:
        from companion.store.files import give

        give(out, (picture(luck, of) + "\n").encode())
        print(f"Written: {out}")
    else:
        _show(luck, of, pack)


def _luck(used: Campaign, number: int | None) -> tuple[Pack, Luck]:
    from companion.play.dice_stats import luck_of

    begun, pack = used.missions(), Pack(used.game)
    if not begun:
        raise none_begun(pack)
    if number is not None and number not in begun:
        raise UserError(f"there is no {pack.sheet.flight} {number}; {len(begun)} have begun")
    missions = [used.flown(each)[1] for each in ([number] if number is not None else begun)]
    return pack, luck_of(missions, pack.unit("story").get("luck", ()))


# -- in words ----------------------------------------------------------------------------------------------------------


def verdict(faces: Fall) -> str:
    """Whether these are fair dice, in a sentence for somebody who plays and does not reckon."""
    from companion.play.dice_stats import DOUBT, FEW

    fairness = faces.fairness()
    if faces.thrown < FEW or fairness is None:
        return f"{faces.thrown} dice are too few to tell whether they are fair; {FEW} are needed."
    if fairness >= DOUBT:
        many = _of_100(fairness)
        return f"They fell as fair dice do: of 100 fair sets thrown as often, about {many} stray at least so far."
    most = max(faces.ways, key=lambda face: faces.counts[face] - faces.expected(face))
    least = min(faces.ways, key=lambda face: faces.counts[face] - faces.expected(face))
    rare = "fewer than one" if fairness < 0.01 else f"only about {_of_100(fairness)}"
    runs = f"The {most} comes too often, the {least} too rarely."
    return f"Fair dice hardly fall so: of 100 fair sets {rare} would stray so far. {runs}"


def _of_100(fairness: float) -> int:
    return max(1, round(fairness * 100))


def comparison(account: Account) -> str:
    """One thing against its odds: `Our guns: 7 of 41 rolls, 9.2 were due (bad luck)`."""
    ours = account.strays if account.good else -account.strays
    much = "very " if abs(ours) >= 2 else ""
    word = "as expected" if abs(ours) < 1 else f"{much}{'good' if ours > 0 else 'bad'} luck"
    rolls = counted(account.rolls, "roll")
    due = "was" if f"{float(account.expected):.1f}" == "1.0" else "were"
    return f"{account.title}: {account.came} of {rolls}, {float(account.expected):.1f} {due} due ({word})"


def described(roll: Weighed, pack: Pack) -> str:
    """A roll in a line: `M-1 Defensive fire, Tail guns: 6, hit (1 in 6; mission 2, entry 71)`."""
    sheet = pack.sheet
    whom = [
        str(sheet.index[index][str(member)].get("label", f"{index} {member}"))
        for index, member in roll.bind.items()
        if index in sheet.index and str(member) in sheet.index[index]
    ]
    dice = " ".join(map(str, roll.dice))
    whom_said = f", {', '.join(dict.fromkeys(whom))}" if whom else ""
    odds, where = f"{roll.odds.numerator} in {roll.odds.denominator}", f"mission {roll.mission}, entry {roll.number}"
    return f"{roll.table} {roll.title}{whom_said}: {dice}, {pack.wording.row(roll.outcome)} ({odds}; {where})"


def _show(luck: Luck, of: str, pack: Pack) -> None:
    print(f"The dice of {of}: {luck.faces.thrown} in {counted(luck.missions, 'mission')}")
    for title, fall in luck.falls:
        print()
        _bars(title, fall)
        fairness = fall.fairness()
        if fall is luck.faces:
            print(fitted(verdict(fall), sys.stdout))
        elif fairness is not None:
            pairs = f"Of 100 fair pairs thrown as often about {_of_100(fairness)} stray at least so far."
            print(fitted(pairs, sys.stdout))
    if luck.accounts:
        print("\nAgainst their odds")
        for account in luck.accounts.values():
            print(fitted(comparison(account), sys.stdout, "  ", "    "))
    for title, lucky in (("Luckiest", True), ("Unluckiest", False)):
        best = luck.best(LISTED, lucky=lucky)
        if best:
            print(f"\n{title} rolls")
            for roll in best:
                print(fitted(described(roll, pack), sys.stdout, "  ", "    "))


def _bars(title: str, fall: Fall) -> None:
    """A bar a reading, a `|` where fair dice would end; the D66 as six rows of six figures."""
    print(f"{title} ({counted(fall.thrown, 'throw')}; fair dice in brackets)")
    if len(fall.ways) > 12:
        for tens in range(1, 7):
            print("  " + "  ".join(f"{tens}{units} {fall.counts[tens * 10 + units]:3}" for units in range(1, 7)))
        print(f"  each ({fall.expected(11):.1f})")
        return
    most = max(max(fall.counts[each], fall.expected(each)) for each in fall.ways)
    for reading in fall.ways:
        count, due = fall.counts[reading], fall.expected(reading)
        bar, mark = round(count / most * BAR), round(due / most * BAR)
        line = ["█" if at < bar else " " for at in range(max(bar, mark) + 1)]
        line[mark] = "|"
        print(f"  {reading:2} {''.join(line).rstrip():{BAR + 1}} {count} ({due:.1f})")


# -- for programs, and as a picture ------------------------------------------------------------------------------------


def as_object(luck: Luck, pack: Pack) -> dict[str, object]:
    """All of it for programs; `fair` is how often fair dice stray at least so far, None where there are too few."""

    def fall(each: Fall) -> dict[str, object]:
        return {
            "thrown": each.thrown,
            "counts": {str(reading): each.counts[reading] for reading in each.ways},
            "expected": {str(reading): round(each.expected(reading), 4) for reading in each.ways},
            "fair": each.fairness(),
        }

    def rolls(lucky: bool) -> list[dict[str, object]]:
        return [
            {
                "mission": roll.mission,
                "entry": roll.number,
                "table": roll.table,
                "dice": list(roll.dice),
                "outcome": roll.outcome,
                "chance": round(float(roll.odds), 6),
                "text": described(roll, pack),
            }
            for roll in luck.best(LISTED, lucky=lucky)
        ]

    return {
        "missions": luck.missions,
        "dice": luck.faces.thrown,
        "faces": fall(luck.faces),
        "two": fall(luck.two),
        "d66": fall(luck.d66),
        "verdict": verdict(luck.faces),
        "against": [
            {
                "title": each.title,
                "good": each.good,
                "rolls": each.rolls,
                "came": each.came,
                "expected": round(float(each.expected), 4),
            }
            for each in luck.accounts.values()
        ],
        "luckiest": rolls(True),
        "unluckiest": rolls(False),
    }


def picture(luck: Luck, of: str) -> str:
    """Return the bars as an SVG, with the verdict and the accounts below."""
    groups: list[tuple[str, list[tuple[str, float, float]]]] = [
        (
            f"{title}, {counted(fall.thrown, 'throw')}",
            [(str(each), fall.counts[each], fall.expected(each)) for each in fall.ways],
        )
        for title, fall in luck.falls
    ]
    if accounts := [(each.title, float(each.came), float(each.expected)) for each in luck.accounts.values()]:
        groups.append(("Against their odds", accounts))
    return svg(f"The dice of {of}", groups, [each.rstrip() for each in wrap(verdict(luck.faces), 100)])


def svg(title: str, groups: Sequence[tuple[str, Sequence[tuple[str, float, float]]]], notes: Sequence[str]) -> str:
    """Draw groups of bars below each other, with sentences at the foot; a bar has a name, a length and what was due.

    It needs no fonts of its own.
    """
    parts: list[str] = []
    at = 62
    for heading, bars in groups:
        at += 14
        parts.append(_text(24, at, heading, "font-weight='bold'"))
        at += 10
        most = max((max(long, due) for _, long, due in bars), default=0) or 1
        row = ROW if len(bars) <= 12 else ROW * 2 // 3
        for name, long, due in bars:
            length, mark = long / most * LENGTH, 210 + due / most * LENGTH
            parts.append(_text(200, at + row - 5, name, "text-anchor='end'", size=min(13, row - 1)))
            parts.append(f"<rect x='210' y='{at}' width='{length:.1f}' height='{row - GAP / 2:g}' fill='{PALE}'/>")
            parts.append(f"<path d='M{mark:.1f} {at - 1}v{row}' stroke='{DUE}' stroke-width='2'/>")
            parts.append(_text(218 + max(length, mark - 210), at + row - 5, _figure(long, due), size=min(12, row - 1)))
            at += row
        at += 12
    for note in notes:
        at += 18
        parts.append(_text(24, at, note, size=12))
    high = at + 24
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDE} {high}' width='{WIDE}' height='{high}' "
        f"font-family='sans-serif' role='img'><title>{escape(title)}</title>"
        "<rect width='100%' height='100%' fill='white'/>"
    )
    legend = _text(24, 54, "Bars: how often. Red: how often fair dice would.", size=12)
    return "\n".join([head, _text(24, 32, title, "font-weight='bold'", size=18), legend, *parts, "</svg>"])


def _figure(long: float, due: float) -> str:
    return f"{long:g} ({due:.1f})"


def _text(x: float, y: float, text: str, more: str = "", size: int = 13) -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{INK}' {more}>{escape(text)}</text>"
