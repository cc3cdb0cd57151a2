"""The prompt for dice: the rolls of one line, their required results, and the distribution of typed dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from companion.engine.dice import Rolled, named
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.questions import DiceQuestion, Pending, alike
from companion.engine.sheet import Member
from companion.engine.tables import Applied, Table
from companion.play.dice_tray import Tray
from companion.play.mission import Mission
from companion.play.plan import Answer, rolls_for
from companion.problems import Unconfirmed
from companion.render.options import Prompt
from companion.render.situation import binding, subjects_of_each
from companion.words import headed

MOST_AHEAD = 2  # the most tables named after those rolled now
DOUBTFUL = ("11", "12")  # two dice, or the total of two dice


class DicePrompt(Prompt):
    """The prompt for these rolls, and for those that are `likely` to follow."""

    kind = "dice"
    known = True  # the numbers of dice, if known

    def __init__(
        self, rolls: Sequence[DiceQuestion], mission: Mission, tray: Tray, likely: Sequence[DiceQuestion] = ()
    ) -> None:
        self.rolls, self.mission, self.tray, self.likely = rolls, mission, tray, likely
        self.title = rolls[0].table.called
        self.part = tray.part_of(rolls[0])

    @property
    def throws(self) -> list[tuple[DiceQuestion, str]]:
        """Return the rolls one by one for the page, each with its subject."""
        whom = [whose(each.bind, self.mission) + which(each, self.mission, self.rolls) for each in self.rolls]
        return [(each, whom.removeprefix(" – ")) for each, whom in zip(self.rolls, whom, strict=True)]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return the roll with its reasons.

        Of several rolls the first table is shown in full, the most common requirement once: `M-1 Defensive fire, hit on
        6: nose 1, top 1 on 5+, tail 2`; later tables are only named.
        """
        if len(self.rolls) == 1:
            return [("", headline(self.rolls[0], self.mission))]
        first, *others = [self._names(table, rolls) for table, rolls in self._by_table()]
        if not others:
            return [("", first)]
        many = [(table.called.rstrip("?"), len(rolls)) for table, rolls in self._by_table()]
        waiting = [f"{called} ({count})" if count > 1 else called for called, count in many]
        return [("", first), ("", others[0] if len(others) == 1 else f"Then {'; '.join(waiting[1:])}")]

    @property
    def explained(self) -> Sequence[DiceQuestion]:
        """Return the rolls whose modifiers are in the lines."""
        tables = self._by_table()
        return self.rolls if len(tables) <= 2 else tables[0][1]

    def _by_table(self) -> list[tuple[Table, list[DiceQuestion]]]:
        return [(table, list(rolls)) for table, rolls in groupby(self.rolls, key=lambda each: each.table)]

    def _names(self, table: Table, rolls: Sequence[DiceQuestion]) -> str:
        """Return the rolls of a table by subject."""
        whom = subjects_of_each([roll.bind for roll in rolls], self.mission.game, table.title)
        many = f" ({len(rolls)})" if len(set(whom)) == 1 else ""
        head = f"{table.called}{which(rolls[0], self.mission) if len(rolls) == 1 else many}"
        hit = self.mission.game.about.at_table.wave.hit
        needs = [(rolls_for(hit, each.needed), each.needed, reasons(each.applied)) for each in rolls]
        (short, needed, why), count = Counter(needs).most_common(1)[0]
        usual = needs[0] if count == 1 else (short, needed, why)
        rare = count * 2 < len(rolls) if count > 1 else len(rolls) > 1
        if rare or usual[:2] != needs[0][:2]:  # a requirement said first would be read of the first roll
            usual = ("", "", "")
        common = f"{hit} on {usual[0]}" if usual[0] else usual[1]
        parts = []
        for need, run in groupby(zip(needs, whom, strict=True), lambda pair: pair[0]):
            short, full, why = need if need[:2] != usual[:2] else ("", "", need[2])
            own = f" on {short}" if short else f" ({full})" if full else ""
            own = "" if need == usual else own + why
            names = [who for _, who in run]
            parts.append(f"{' and '.join(dict.fromkeys(names)) if own else names_of(names)}{own}")
        told = f"{common}{usual[2]}".strip()
        if not any(parts):
            return headed(head, told) if told else head
        between = " " if head.endswith("?") else ", "
        return headed(between.join(filter(None, [head, told])), names_of(parts))

    @property
    def line(self) -> str:  # type: ignore[override]
        """`Roll 5 x 1D: `, `Roll 2D (+1), then 4-4 2D: `."""
        question = self.rolls[0]
        alone = sum_of(question.applied) if len(self.rolls) == 1 else ""
        other = "die" if (question.dice.count or 0) - len(self.part) == 1 else "dice"
        kept = f" ({''.join(map(str, self.part))} kept; type the other {other})" if self.part else ""
        return f"Roll {named([each.dice for each in self.rolls])}{alone}{kept or then(self.likely)}: "

    def _knows_dice(self) -> bool:
        """Return whether the player has typed two dice in this mission."""
        return any(len(entry.get("d", ())) > 1 for entry in self.mission.journal.recorded)

    def read(self, text: str) -> Answer:
        """Return the dice of the first roll, and put those of the others on the tray.

        Two dice that may be a total are queried until the player has typed two that cannot be one.
        """
        dice = self.rolls[0].dice
        doubtful = [token for token in text.split() if token in DOUBTFUL]
        if doubtful and dice.count == 2 and not dice.tens and not self.part and not self._knows_dice():
            told = " and ".join(f"{token} is a {token[0]} and a {token[1]}" for token in dict.fromkeys(doubtful))
            line = "Enter accepts, or type each die: "
            raise Unconfirmed(f"{told}, not a total.", _apart(text), line=line, enter=_apart(text), instead=_apart)
        thrown = self.tray.typed(text, self.rolls, self.likely)
        self.told = rolled_for_you(thrown, self.tray)
        return thrown


def then(likely: Sequence[DiceQuestion]) -> str:
    """Name the rolls that will likely follow next: `, then 4-4 2D`."""
    runs = groupby(likely, key=lambda each: each.table)
    names = [f"{table.number_printed} {named([each.dice for each in group])}" for table, group in runs]
    return f", then {', '.join(names[:MOST_AHEAD])}" if names else ""


def rolled_for_you(dice: Sequence[int], tray: Tray) -> str:
    """Name the dice that the companion has just rolled, those of the next rolls too: `Rolled for you: 34, 5.`"""
    each = [dice, *(lying.dice for lying in tray.lying)] if isinstance(dice, Rolled) else []
    throws = ["".join(map(str, throw)) for throw in each if isinstance(throw, Rolled)]
    return f"Rolled for you: {', '.join(throws)}." if throws else ""


def _apart(text: str) -> str:
    """Return dice with a comma in each pair that might be a total."""
    return " ".join(",".join(token) if token in DOUBTFUL else token for token in text.split())


def names_of(names: Iterable[str]) -> str:
    """Join names without repetition: `nose 1, top 2`, `Tail, fighter 1; Nose, fighter 2`."""
    each = list(dict.fromkeys(names))
    return ("; " if any("," in name for name in each) else ", ").join(each)


def headline(question: DiceQuestion, mission: Mission) -> str:
    """Return `5-7 Defensive fire – Tail guns, fighter 2 (george from 6 low): hit on 7 or more (+2 from 6)`."""
    whom = whose(question.bind, mission, title=question.table.title) + which(question, mission)
    needs, why = question.needed, reasons(question.applied)
    head = f"{question.table.called}{whom}"
    return headed(head, f"{needs}{why}") if needs else f"{head}{why}"


def reasons(applied: Sequence[Applied]) -> str:
    """Return the modifiers with their reasons: ` (+2 from 6, -1 evasive)`."""
    return f" ({', '.join(f'{each.add:+d} {each.why}' for each in applied)})" if applied else ""


def sum_of(applied: Sequence[Applied]) -> str:
    """Return the sum of the modifiers: ` (+1)`."""
    return f" ({sum(each.add for each in applied):+d})" if applied else ""


def whose(bind: Mapping[str, Value], mission: Mission, *, title: str = "") -> str:
    """Return the gun, man or fighter of a roll, without words already in the `title`:
    ` – Tail guns, fighter 1 (george from 6 level)`."""
    sheet = mission.game.sheet
    facts, described = Facts(sheet, mission.state, bind), {}
    for name, value in bind.items():
        member = sheet.known.get(name)
        if (
            value != "none"
            and isinstance(member, Member)
            and member.text
            and facts[member.present.format(value)] != "none"
        ):
            described[name] = facts.described(member)
    return binding(bind, mission.game, described, title)


def which(question: DiceQuestion, mission: Mission, waiting: Sequence[DiceQuestion] = ()) -> str:
    """Return the number of a roll among equal ones: ` (2 of 3)`, by its place in `waiting`."""
    item, journal = mission.asked(question.table.id), mission.journal
    if item is None:
        return ""

    def among(items: Iterable[Mapping[str, Any]]) -> int:
        return sum(alike(Pending.of(each), item) for each in items)

    done = sum(
        entry["t"] == question.table.id and "p" in entry and among(entry["p"][1]) > among(entry["p"][2])
        for entry in journal.entries[item.born : journal.position]
    )
    of = done + sum(alike(each, item) for each in mission.pending)
    equal = [each for each in waiting if (each.table.id, each.bind) == (question.table.id, question.bind)]
    at = done + 1 + next((at for at, each in enumerate(equal) if each is question), 0)
    return f" ({at} of {of})" if of > 1 else ""
