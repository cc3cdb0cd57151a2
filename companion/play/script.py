"""A mission as a script: typed dice and answers, one per line, each naming its question.

`5-7 tail: 4,5` gives dice, `5-7 tail: auto` has them rolled (`auto 4,5` is the recorded roll), `8-1: 3,4 = safe` or
`8-1: safe` is the row from the rulebook, `aim fwd-upper: 1-cfc` a decision, `target.zone: 12` an answer. A line that
does not match the question stops the replay with an error.

Everything else has separate lines: `set weather=poor`, `mark fuel.wing 2`, `erase …`, `done 1`, `roll 5-9: 4,4` for a
table that is not pending (`with fighter.clock=6` before it), `choose crew-move: nose` for a decision that is not
pending, `go on` to the next step, `end` to stop there. A fact has its own line, and its value is everything after `=`,
including spaces; `and zone=3` continues the `set` before it. If every word is FIELD=VALUE they are several facts,
and everything after ` = ` is the value. `# …` at the start or end of a line is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.engine.facts import FactQuestion
from companion.engine.fields import Nicknames, UnknownName, Value, insisted
from companion.engine.pending import Pending
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.engine.rules import Game
from companion.engine.sheet import Sheet
from companion.play.conversation import Answers, Player, move, resolve
from companion.play.dice_tray import dice_and_row, said
from companion.play.journal import Entry, settled
from companion.play.mission import Mission
from companion.play.phrases import boxes_said, written
from companion.play.replay import rewound
from companion.problems import SystemFault, UserError
from companion.words import figure, one_of

BY_HAND = ("set", "with", "mark", "erase", "done", "skip", "roll", "roll:", "choose", "go", "end")
REMARK = re.compile(r"\s#(\s.*)?$")  # after words that may contain `#`
ANY_REMARK = re.compile(r"\s#.*$")


class ScriptEnded(UserError):
    """Raised when the script ends before the mission."""


class LineError(UserError):
    """A mistake in a numbered line of a script."""


class Script(Player):
    """The lines of a script, read in order; `number` is the last line read."""

    def __init__(self, text: str, name: str = "the script") -> None:
        super().__init__()
        self.name = name
        split = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
        self.lines = [(number, line) for number, line in split if line and not line.startswith("#")]
        self.at = self.number = 0
        self.nicknames = Nicknames()
        self._row = ""  # from the rulebook, given on the same line as the dice
        self.mission: Mission | None = None
        self.unasked: list[str] = []  # default answers to decisions that were not asked, each with its line

    def wrong(self, problem: UserError) -> UserError:
        """Return a problem with the number of the last line read, unless the pack or the disk is at fault."""
        if isinstance(problem, LineError | SystemFault) or not self.number:
            return problem
        return LineError(f"Nothing was saved. {self.name}, line {self.number}: {problem}")

    def beyond(self) -> UserError:
        self.number, line = self.peek()
        return self.wrong(UserError(f"{line[:40]!r} comes after the end of the mission"))

    def peek(self) -> tuple[int, str]:
        """Return the next line with its number. Raise ScriptEnded if there is none."""
        if self.at >= len(self.lines):
            raise ScriptEnded(f"{self.name} ends here")
        return self.lines[self.at]

    # -- lines that answer no question ---------------------------------------------------------------------------------

    def acts(self, mission: Mission) -> list[Result]:
        """Carry out the next lines that answer no question; return the results of their rolls."""
        results: list[Result] = []
        self.mission, self.nicknames = mission, mission.game.sheet.nicknames
        while self.at < len(self.lines):
            number, line = self.lines[self.at]
            verb, _, rest = line.partition(" ")
            if verb not in BY_HAND or (verb == "end" and results):
                break
            if verb == "end":
                raise ScriptEnded(f"{self.name} ends here")
            self.number, self.at = number, self.at + 1
            try:
                results += self._act(mission, verb, rest)
            except UserError as problem:
                raise self.wrong(problem) from None
        return results

    def _act(self, mission: Mission, verb: str, rest: str) -> list[Result]:
        if verb == "set":
            mission.write({**facts(rest, mission.game), **self._more("and", mission.game)})
            return []
        if verb == "with":
            given = {**facts(rest, mission.game), **self._more("with", mission.game)}
            verb, _, rest = self.lines[self.at][1].partition(" ") if self.at < len(self.lines) else ("", "", "")
            if verb not in ("roll", "roll:"):
                raise UserError("after with comes a roll, e.g. roll 5-9: 4,4")
            self.number, self.at = self.lines[self.at][0], self.at + 1
            return self._rolls(mission, verb, rest, given)
        if verb in ("roll", "roll:"):
            return self._rolls(mission, verb, rest, {})
        if verb == "go":
            return mission.advance() if mission.waiting() is None else resolve(mission, None, self, single=True)
        rest = ANY_REMARK.sub("", rest)
        if verb == "choose":
            return self._chooses(mission, rest)
        words = rest.split()
        if verb in ("done", "skip"):
            place = figure(words[0] if words else "1")
            if len(words) > 1 or place is None:
                raise UserError(f"Type it as: {verb} 1")
            mission.done(place) if verb == "done" else mission.skip(place)
        elif words:
            mission.cross(*boxes_said(mission, words), verb)
        else:
            raise UserError(f"Type it as: {verb} fuel.wing 2")
        return []

    def _more(self, word: str, game: Game) -> dict[str, Value]:
        more: dict[str, Value] = {}
        while self.at < len(self.lines) and self.lines[self.at][1].startswith(f"{word} "):
            self.number, line = self.lines[self.at]
            more.update(facts(line[len(word) :], game))
            self.at += 1
        return more

    def _chooses(self, mission: Mission, rest: str) -> list[Result]:
        """Take a decision that is not pending: `choose shift position=cfc: left-gunner`."""
        head, _, answer = rest.partition(": ")
        name, *pairs = head.split() or [""]
        if "gone" in mission.game.choice(name):
            raise UserError(f"{mission.game.name}: there is no choice {name}")
        return mission.decide(Pending("choose", name, mission.game.sheet.given(pairs)), answer.strip())

    def _rolls(self, mission: Mission, verb: str, rest: str, given: Mapping[str, Value]) -> list[Result]:
        """Roll on a named table: `roll 5-9: …`, or `roll: …` for the first pending thing."""
        name, _, answer = rest.partition(":") if verb == "roll" else ("", "", rest)
        typed, equals, row = f" {answer} ".partition(" = ")
        row = ANY_REMARK.sub("", row).strip() if name else row.strip()
        dice = said(ANY_REMARK.sub("", typed))
        answers = Answers([dice] if dice else [], dict(given), row if equals else None)
        return resolve(mission, name.strip() or None, Player(), answers, single=True)

    # -- answers to questions ------------------------------------------------------------------------------------------

    def next(self, asked: str, bind: Mapping[str, Value]) -> str:
        """Return the answer of the next line, which must match the question."""
        number, line = self.peek()
        label, colon, answer = f"{line} ".partition(": ")
        name, *words = label.split() or [""]
        known = {str(value).casefold() for value in bind.values()}
        self.number = number
        if not colon or name.casefold() != asked.casefold() or not {word.casefold() for word in words} <= known:
            option, options = ANY_REMARK.sub("", f" {answer}").strip(), self._options(label) if colon else []
            if option in options[:1]:
                self.at += 1
                self.unasked.append(f"{self.name}, line {number}: {label} isn't asked here. The default is {option}")
                return self.next(asked, bind)
            how = f". To decide it anyway write: choose {label}: {option}" if option in options else ""
            raise self.wrong(UserError(f"{label.strip()!r} doesn't match: the question is {_label(asked, bind)}{how}"))
        self.at += 1
        return answer.strip()

    def _options(self, choice: str) -> list[str]:
        """Return the options of a decision without a subject, the default first; empty for other questions."""
        assert self.mission is not None
        try:
            return [each.name for each in self.mission.options(Pending("choose", choice))]
        except (UserError, ValueError):
            return []

    def dice(self, question: DiceQuestion) -> list[int]:
        """Return the dice of the next line; the row of an owner table may follow after `=`."""
        answer = ANY_REMARK.sub("", f" {self.next(question.table.id, question.bind)}").strip()
        table, count, self._row = question.table, question.dice.count, ""
        try:
            if table.unwritten:
                typed, self._row = dice_and_row(answer, table, count)
            else:
                typed = said(answer, question.dice)
            if typed or not table.unwritten:
                question.dice.check(typed)
        except UserError as problem:
            raise self.wrong(problem) from None
        return typed

    def row(self, question: RowQuestion) -> str:
        """Return the printed row, from the same line as the dice or from its own line."""
        row, self._row = self._row, ""
        row = row or re.sub("^= *", "", self.next(question.table.id, question.bind))
        return ANY_REMARK.sub("", f" {row}").strip()

    def choice(self, question: ChoiceQuestion) -> str:
        answer = ANY_REMARK.sub("", f" {self.next(question.name, question.bind)}").strip()
        options = [option.name for option in question.options]
        answer = self.nicknames.member(answer, options)
        if answer.casefold() not in map(str.casefold, options):
            raise self.wrong(UserError(f"{answer} isn't possible here. Use {one_of(options)}"))
        return answer

    def field(self, question: FieldQuestion) -> str:
        """Return the value of the next line; after ` = ` it is taken literally."""
        answer = self.next(question.name, {})
        return answer[2:] if answer.startswith("= ") else REMARK.sub("", f" {answer}").strip()

    def fact(self, question: FactQuestion) -> Value:
        return question.declared.accept(question.name, REMARK.sub("", f" {self.next(question.name, {})}").strip())


def facts(text: str, game: Game) -> dict[str, Value]:
    """Parse one field with all words of its value, several fields if each word is FIELD=VALUE, or a phrase."""
    if not re.match(r"\s*\S+ = ", f"{text} "):
        text = REMARK.sub("", text).strip()
        pairs = text.split() if all("=" in word for word in text.split()) else [text]
    else:
        pairs = [text.strip()]
    if all(game.sheet.exact(pair.partition("=")[0]) is not None and "=" in pair for pair in pairs):
        return game.sheet.given(pairs)
    return written(game, pairs)


# -- exporting a mission as a script that replays it -------------------------------------------------------------------


def lines(mission: Mission) -> list[str]:
    """Return the script that replays a mission's journal on its starting sheet.

    Each line is tested; a comment precedes a line whose result differs from the record because a table has changed
    since.
    """
    entries = mission.journal.recorded
    twin, written, quiet = rewound(mission, 0), list[str](), 0
    while (at := twin.journal.position) < len(entries):
        alone, answer = settled(entries[at]), list[str]()
        try:
            answer = ["go on"] if alone else _lines_of(entries[at], twin)
            script = Script("\n".join(answer))
            script.acts(twin)
            if script.at < len(script.lines) and twin.waiting() is not None:
                move(twin, script)
            same = script.at == len(script.lines) and _same(
                twin.journal.entries[at : twin.journal.position], entries[at:]
            )
        except (UserError, LookupError, StopIteration, TypeError, ValueError):  # an entry may lack data for its verb
            same = False
        if not same:
            written.append(f"# entry {at + 1} gives another result when it is replayed")
            twin = rewound(mission, at + 1)
        if alone:
            quiet += 1
            continue
        if answer and answer[0].partition(" ")[0] in BY_HAND:
            written += ["go on"] * quiet
        written += answer
        quiet = 0
    return [*written, *["go on"] * quiet, "end"] if _goes_on(twin) else written


def _same(replayed: list[Entry], recorded: list[Entry]) -> bool:
    """Return whether entries match the record, ignoring which were typed on one line (`j`)."""
    pairs = zip(replayed, recorded, strict=False)
    return 0 < len(replayed) <= len(recorded) and all({**one, "j": 0} == {**other, "j": 0} for one, other in pairs)


def _goes_on(twin: Mission) -> bool:
    """Return whether a replay would go on by itself after the last line, or fail at the pending question."""
    try:
        return bool(move(twin, Script("")))
    except ScriptEnded:
        return False
    except UserError:
        return True


def _lines_of(entry: Entry, twin: Mission) -> list[str]:
    """Return one entry as lines; `twin` is the mission just before it."""
    verb, name, changed, sheet = entry["v"], entry["t"], entry.get("c", {}), twin.game.sheet
    if verb == "set":
        written = entry.get("w") or {name: after for name, (_, after) in changed.items() if after is not None}
        facts = [_fact(name, value, sheet) for name, value in written.items()]
        return [f"{'and' if at else 'set'} {fact}" for at, fact in enumerate(facts)]
    if verb in ("mark", "erase"):
        name, (before, after) = next(iter(changed.items()))
        before = sheet.fields[name].blank if before is None else before
        return [f"{verb} {name} {abs(after - before)}"]
    if verb == "done":
        place, (stored, *_), _ = entry["p"]
        order = Pending.of(stored).kind == "order"
        of_it = [item for item in twin.pending[:place] if (item.kind == "order") == order]
        return [f"{'done' if order else 'skip'} {len(of_it) + 1}"]
    given = [f"with {_fact(name, value, sheet)}" for name, value in entry.get("w", {}).items()]
    item = twin.waiting()
    if verb == "roll":
        return [*given, _roll(entry, item, twin)]
    answer, bind = str(entry["o"]), entry.get("b", {})
    taken = [Pending.of(each) for each in entry["p"][1]] if "p" in entry else []
    if verb == "choose" and not (item and item.is_for("choose", name) and item in taken):
        return [f"{' '.join(['choose', name, *(f'{key}={value}' for key, value in bind.items())])}: {answer}"]
    if given or (item and item.kind == "choose" and len(twin.options(item)) == 1):
        return [*given, f"roll: = {answer}"]
    if verb == "ask":
        answer = _named(name, answer, sheet)
    raw = "= " if verb == "ask" and (REMARK.search(f" {answer}") or answer.startswith("=")) else ""
    return [f"{_label(name, bind)}: {raw}{answer}"]


def _roll(entry: Entry, item: Pending | None, twin: Mission) -> str:
    table, dice = twin.game.table(entry["t"]), ",".join(map(str, entry.get("d", [])))
    dice = f"auto {dice}" if "r" in entry else dice
    row_said = entry.get("s")
    own_row = row_said if isinstance(row_said, str) else str(entry["o"])
    try:
        table.check_row(own_row)
    except UnknownName:
        own_row = insisted(own_row)
    row = f" = {own_row}" if row_said or table.unwritten else ""
    asked = item is not None and item.is_for("roll", entry["t"]) and "w" not in entry
    untold = table.dice.count != 0 and "net" not in entry  # a row was given without dice
    bare = not dice and (not row or untold)
    label = _label(entry["t"], entry.get("b", {})) if asked and not bare else f"roll {entry['t']}"
    return f"{label}: {dice}{row}".rstrip()


def _label(name: str, bind: Mapping[str, Value]) -> str:
    """Return a table, decision or field with its subject, as written in a line: `5-7 tail`."""
    return " ".join([name, *(str(bind[key]) for key in ("fighter", "gun", "position", "area") if key in bind)])


def _named(name: str, value: str, sheet: Sheet) -> str:
    """Return a value as written in a line: an unknown name is prefixed with `=`."""
    declared = sheet.declared(name) if name in sheet.known else None
    try:
        return value if declared is None or not declared.words or declared.accept(name, value) == value else f"={value}"
    except UserError:
        return f"={value}"


def _fact(name: str, value: Value, sheet: Sheet) -> str:
    """Return a fact as written in a line: after ` = ` a value may contain spaces, and `#` starts no comment."""
    value = _named(name, str(value), sheet)
    return f"{name} = {value}" if re.search(r"\s", str(value)) else f"{name}={value}"
