"""The base of all prompts: numbered options, and matching of an answer to an option."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.play.vocabulary import everyday_values
from companion.problems import UserError
from companion.words import bare, figure, one_of, tells, unhyphened

NOTHING = ("no", "none", "hold", "no-more", "nobody", "nothing", "stay", "done")  # what `-` and `0` mean as options
Answer = str | int | list[int]
HOW = {  # how a line is typed, for those who ask
    "all": "Type the numbers of all that apply in one line, which is then complete.",
    "next": "Several numbers take the default and answer what it asks.",
    "ahead": "After an option you can type what follows in the same line: the number on its card, the next option …",
}
LISTED = 20  # the most numbers in an error
LEAD = re.compile(r"(\d+)(?:-|$)")


class Offer(NamedTuple):
    """An option of a prompt: its answer, number, displayed name and text."""

    value: str
    number: str
    word: str
    text: str = ""
    usual: bool = False
    final: bool = False  # cannot be reversed in the story

    @property
    def label(self) -> str:
        """Return the name with the text, as the terminal and the page show them."""
        return ": ".join(filter(None, (self.word, self.text))) or self.value


class Prompt:
    """A question as shown by the terminal and the page, with the parsing of its answer.

    `kind` (dice, options, plan or words) tells the page which buttons to show; `line` is the terminal's input line.
    Options without a number are shown only on the page.
    """

    kind = "options"
    title = ""
    note = ""
    options: Sequence[Offer] = ()
    line = ""
    told = ""  # how the last answer was distributed
    help = ""  # how to answer, for a player who asks
    for_all = ""  # the row of the last answer, if it was for everybody
    further: Sequence[str] = ()  # words of the last answer for the questions that follow
    only = ""  # the decision that these words are for, if not for any
    rest: Mapping[str, str] = {}  # the answers to other pending things that were typed with it, by their keys
    free = False  # whether any words may be the answer
    small = False  # whether the page shows the options as a grid of numbers
    label = ""  # the label of the page's input; empty if it has none
    span = ""
    usual = ""
    numeric = False
    suggestions: Sequence[str] = ()

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Return the lines above the options at the terminal, each with its margin."""
        return [("", self.title)] if self.title else []

    def read(self, text: str) -> Answer:
        """Parse the answer that was typed or tapped.

        Raises:
            Unconfirmed: The answer is probably a mistake; it is accepted if the player insists.
            UserError: The answer is invalid; the message says what is accepted.
        """
        raise NotImplementedError

    def leading(self, parts: Sequence[str]) -> tuple[str, list[str]]:
        """Return the words of a line typed ahead that are the answer here, and those after it."""
        return parts[0], list(parts[1:])


class OptionsPrompt(Prompt):
    """One of several options; Enter takes the option `enter`, or none. What is asked several `times`, or who knows how
    often (0), may be answered in one line. With `line` the line is `all` that is taken, or goes `ahead` to later
    questions; several numbers may answer the question that comes `next` after the default.
    """

    def __init__(
        self, title: str, options: Sequence[Offer], enter: str = "", *, times: int = 1, line: str = "", only: str = ""
    ) -> None:
        self.title, self.options, self.enter, self.many = title, in_order(options), enter, times != 1
        self.how, self.only, self.help = line, "" if line in ("ahead", "next") else only, HOW.get(line, "")
        typed = [each.number for each in self.options]
        number = f"Numbers ({' '.join(typed[1:3])})" if self.many and len(typed) > 3 else "Number"
        if line == "all" and len(typed) > 1:
            number = f"Numbers, all in one line ({' '.join([each for each in typed if each != '0'][:2])})"
        if 1 < times < len(typed):
            number = f"{times} numbers ({' '.join(typed[:times])})"
        if line == "ahead" and len(typed) > 1:
            number = f"Number, the next answers may follow ({next((each for each in typed if each != '0'), '')} …)"
        if line == "next":
            number += ", or the right figures at once"
        if not enter:
            self.line = f"{number} or words (no default): "
        else:
            own = next(each.number for each in options if each.value == enter)
            self.line = f"{number}, or Enter for {own}: " if len(typed) > 1 else "Enter: "

    def read(self, text: str) -> Answer:
        """Return the option that was typed, the first if several numbers were typed."""
        parts, self.further = text.replace(",", " ").split(), []
        if self.how == "next" and len(parts) > 1 and all(figure(each) is not None for each in parts):
            text, self.further = self.enter, parts
        elif self.how == "ahead" and parts:
            named, further = self.leading(parts)
            if not named and LEAD.match(parts[0]):  # what follows the only option
                real = [each.value for each in self.options if each.value not in NOTHING]
                named = self.enter if real == [self.enter] else ""
            text, self.further = (named, further) if named else (text, [])
        elif len(parts) > 1 and self._several(parts):
            text, *self.further = parts
        elif self.how == "all" and len(parts) > 1 and not meant(self.options, text):
            named, parts = self.leading(parts)
            while named:
                self.further.append(named)
                named, parts = self.leading(parts) if parts else ("", [])
            text, *self.further = [*parts[:1], *self.further]
        if (
            self.how == "all"
            and (self.further or of_number(self.options, text))  # one name, or a tap, leaves the question open
            and meant(self.options, [text, *self.further][-1]) not in NOTHING
        ):
            self.further = [*self.further, "-"]  # the line is complete
        if not text and self.enter:
            return self.enter
        found = fitting(self.options, text, inside=figure(text) is None)
        if len(found) == 1:
            return found[0]
        if found:
            raise UserError(f"'{text}' could be {numbers_of([one for one in self.options if one.value in found])}.")
        strange = f"'{text}' isn't in the list. " if text and figure(text) is None else ""
        few = len(self.options) <= LISTED
        raise UserError(f"{strange}Type {numbers_of(self.options) if few else 'a number of the list'}.")

    def leading(self, parts: Sequence[str]) -> tuple[str, list[str]]:
        """Return the longest run of words that is an option, empty if none is, and the words after it."""
        if not self.how:
            return super().leading(parts)
        most = next((at for at, each in enumerate(parts) if at and each == "-"), len(parts))
        count = next((each for each in range(most, 0, -1) if meant(self.options, " ".join(parts[:each]))), 0)
        return " ".join(parts[:count]), list(parts[count:])

    def _several(self, parts: Sequence[str]) -> bool:
        """Return whether words are several options; with `all`, refuse a number that is none."""
        if self.how == "all" and all(of_number(self.options, part) or figure(part) is not None for part in parts):
            if strange := [part for part in parts if not of_number(self.options, part)]:
                raise UserError(f"{strange[0]} isn't possible here. Type {numbers_of(self.options)}.")
            if twice := [part for part in parts if parts.count(part) > 1]:
                raise UserError(f"{twice[0]} is in the line twice.")
            return True
        return (self.many or self.how == "all") and all(meant(self.options, part) for part in parts)


def numbered(names: Sequence[str], texts: Sequence[str] = (), usual: str = "") -> list[Offer]:
    """Return options with their names and texts, numbered by `keys` and in that order."""
    offers = [
        Offer(name, key, "" if name == key or plain else unhyphened(name), text, usual=name == usual)
        for name, key, text in zip(names, keys(names), texts or [""] * len(names), strict=True)
        for plain in [tells(text, name) or bare(name) in bare(text)]
    ]
    return in_order(offers)


def keys(names: Sequence[str]) -> list[str]:
    """Return the number typed for each option: the one in its name, else the next free one.

    >>> keys(["4", "1", "hold"]), keys(["1-cfc", "1-bombardier", "2", "hold"]), keys(["yes", "no"])
    (['4', '1', '5'], ['1a', '1b', '2', '3'], ['1', '2'])
    """
    leads = [match[1] if (match := LEAD.match(name)) else "" for name in names]
    place, typed = max((int(lead) for lead in leads if lead), default=0), list[str]()
    for at, lead in enumerate(leads):
        if not lead:
            place += 1
        many = lead and leads.count(lead) > 1
        typed.append(f"{lead}{chr(97 + leads[:at].count(lead))}" if many else lead or str(place))
    return typed


def in_order(options: Sequence[Offer]) -> list[Offer]:
    """Sort options by number: `1a` and `1b` before `1@2`, that before `2`, and that before `10`."""
    return sorted(options, key=lambda each: ([int(number) for number in re.findall(r"\d+", each.number)], each.number))


def numbers_of(options: Sequence[Offer]) -> str:
    """Return the numbers of the options in words: `1, 2a or 2b`."""
    return one_of([each.number for each in options])


def of_number(options: Sequence[Offer], text: str) -> str:
    """Return the option with that number, the first if several share it; empty if there is none."""
    typed = {each.number: each.value for each in options if each.number}
    number = text.casefold()
    return typed.get(number) or (typed.get(f"{number}a", "") if number.isdigit() else "")


def meant(options: Sequence[Offer], text: str) -> str:
    """Return the option that matches a number, a name, a text or a prefix; empty if none or several do."""
    found = fitting(options, text)
    return found[0] if len(found) == 1 else ""


def fitting(options: Sequence[Offer], typed: str, *, inside: bool = False) -> list[str]:
    """Return the options that were typed: by number, name, the start of a name, or the words of a text.

    The first form that any option has decides. With `inside` the words may also be in the middle of a text, outside
    brackets.

    >>> fighters = ["fighter 1, from 9 high", "fighter 2, from 6", "fighter 2, from 6, in passing", "fighter 12"]
    >>> guns = numbered(["1-aimed", "2-aimed", "2-passing", "12-aimed"], fighters)
    >>> fitting(guns, "fighter 1"), fitting(guns, "9 HIGH", inside=True), fitting(guns, "fighter 2, from 6")
    (['1-aimed'], ['1-aimed'], ['2-aimed'])
    >>> fitting(numbered(["stay"], ["stay at LO (ask again only if something changes)"]), "on", inside=True)
    []
    >>> fitting(guns, "fighter 2"), fitting(numbered(["out", "leak"], ["The engine stops", ""]), "engine out")
    (['2-aimed', '2-passing'], ['out'])
    """
    if number := of_number(options, typed):
        return [number]
    if typed in ("-", "0"):
        return [each.value for each in options if each.value in NOTHING][:1]
    if same := [each.value for each in options if typed and bare(each.value) == bare(typed)]:
        return same[:1]
    if lettered := [each.value for each in options if typed and each.text.startswith(f"{typed.casefold()}: ")]:
        return lettered[:1]
    starts = [each.value for each in options if typed and each.value.casefold().startswith(typed.casefold())]
    words = _words(typed)
    if starts or len(words) < 2:
        return starts if len(typed) > 1 or len(starts) == 1 else []
    everyday = everyday_values(typed)
    shown = [(each.value, text) for each in options for text in (each.text, each.value, each.label)]
    texts = [(value, f" {_words(text)} ") for value, text in shown]
    outside = [(value, f" {_words(re.sub(r'[(].*?[)]', '', text))} ") for value, text in shown if inside]
    said = {*words.replace("-", " ").split()}
    named = [(value, {*_words(value).replace("-", " ").split()}, {*text.split()}) for value, text in texts]
    forms = [
        [value for value, text in texts if text == f" {words} "],
        [value for value, text in texts if text.startswith(f" {words} ")],
        [value for value, name, text in named if name and name <= said <= name | text],
        [value for value, text in outside if f" {words} " in text],
        [value for value, text in outside if f" {words}" in text],
        [each.value for each in options if each.value in everyday],
    ]
    return list(dict.fromkeys(next(filter(None, forms), [])))


def _words(text: str) -> str:
    return " ".join(re.sub(r"[^\w:+/]+", " ", text.casefold()).split())
