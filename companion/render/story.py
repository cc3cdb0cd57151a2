"""The story of a mission, told from its journal in the words of `story.toml`.

Each journal entry is an event (its table, choice or step), and so is every field that it changed. The first sentence of
the pack that an event triggers becomes a beat, with its weight. The beats of a fight are told fighter by fighter,
damage with its cause (`did`), and quiet stages together. Lighter beats are left out until the story is short enough.
Nothing is told that is not in the journal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby, pairwise

from companion.engine.facts import Facts
from companion.engine.fields import FREE, Spec, Value
from companion.engine.roll import landings
from companion.engine.rules import words
from companion.play.journal import Entry
from companion.play.mission import Mission, rewound, scenes
from companion.problems import UserError
from companion.render.prose import (
    PERSON,
    Beat,
    Event,
    FighterWords,
    Foe,
    Item,
    Prose,
    Round,
    Sentence,
    Stage,
    joined,
    numeral,
    person,
    several,
    times,
    together,
)
from companion.words import figure

PAGE, PARAGRAPH = 620, 140  # the most words of a story, unless what must be told is more
LESSER, MOST = 4, 3  # damage of that weight and less is told of one fighter only so often
MUST, LAST = 8, 11  # the weight of what every page tells: the dead, engines, fires; of what nothing light follows
SCORE = "\x05"  # in the place of the sentence about points, which tells the total
LIGHT = 2  # the weight of who attacked, and of quiet stages


class Story:
    """The story of a mission at any length."""

    def __init__(self, mission: Mission) -> None:
        pack = mission.game
        self.pack, self.mission, self.sheet = pack, mission, pack.sheet
        self.spec: Spec = pack.unit("story")
        if not self.spec:
            raise UserError(f"{pack.title} has no story.toml, which tells a mission in words.")
        self.prose = Prose(pack)
        lines, self._waiting = self.spec.get("line", ()), dict[tuple[bool, str], list[Spec]]()  # by kind and name
        for on, spec in [(on, each) for each in lines for on in _ons(each)]:
            self._waiting.setdefault((on in self.sheet.families, on.casefold()), []).append(spec)
        whole = [each for key in ("headline", "end", "short") for each in self.spec.get(key, ())]
        self._whole_on = [each for each in whole if "on" in each]
        self._members = {  # the family and members of every single field that triggers a sentence
            single: (family, dict(members))
            for family in dict.fromkeys(on for spec in [*lines, *self._whole_on] for on in _ons(spec))
            if family in self.sheet.families
            for single, members in self.sheet.family(family)
        }
        self.stages: list[Stage] = []
        self._had = set[tuple[str, Value]]()  # fields with the values that they have had
        self._summed: dict[int, list[dict[str, Value]]] = {}  # the events of the whole mission, by sentence
        self.state: Mapping[str, Value] = {}
        self._read()

    # -- what the journal says -----------------------------------------------------------------------------------------

    def _read(self) -> None:
        state, begun, cause, before = dict(rewound(self.mission, 0).state), False, None, {}
        held: list[Beat] = []  # told after the next one
        for scene in scenes(self.mission):
            before, state = state, dict(scene.state)
            begun = begun or scene.entry["v"] != "set"
            if not begun:  # the setup of the sheet is not part of the mission
                continue
            if "c" in scene.entry or not self.stages:
                self._move(state)
            if scene.entry["v"] == "step":
                cause = None
            if cause is not None and scene.entry["t"] not in cause.spec.get("only", (scene.entry["t"],)):
                cause = cause.cause
            for event in self._events(scene.number, scene.entry):
                self._sum(event, state, scene.entry)
                beat = self._beat(event, state, scene.entry, before, cause)
                if beat is None or not self.stages:
                    continue
                if beat.spec.get("later"):
                    held = [beat]
                    continue
                after = [each for each in held if beat.weight >= each.weight]
                beats = self.stages[-1].beats
                first = cause is not None and cause.spec.get("after") == event.on and cause in beats
                at = beats.index(cause) if cause is not None and first else len(beats)
                beats[at:at] = [beat, *after]
                held = [each for each in held if each not in after]
                cause = beat if beat.part == "cause" else cause
        self.state = state
        every = [each for stage in self.stages for each in stage.beats]
        fallen = {each.facts["position"] for each in every if each.facts["value"] in ("kia", "las", "dow")}
        for stage in self.stages:  # a close call is none for a man who died of the next thing
            stage.beats = [each for each in stage.beats if each.part != "close" or each.facts["position"] not in fallen]

    def _beat(
        self, event: Event, state: Mapping[str, Value], entry: Entry, before: Mapping[str, Value], cause: Beat | None
    ) -> Beat | None:
        waiting = self._waiting.get((bool(event.name), event.on.casefold()))
        if waiting is None:
            return None
        facts = self._facts(state, entry, event)
        read = Facts(self.sheet, facts)
        foe = str(facts.get("fighter", "none")) if "foe" in self.spec else "none"
        for spec in waiting:
            if "#when" in spec and not spec["#when"](read):
                continue
            if "other" in spec or "without" in spec:  # told only if a pip or a modifier would have changed the result
                near = self._near(spec, entry, before)
                if not near:
                    continue
                facts["near"] = near
            if not any(each in spec for each in ("text", "did", "part")):
                return None
            foe = "" if foe == "none" or spec.get("part") == "cause" else foe
            return Beat(event, spec, facts, foe, None if foe else cause)
        return None

    def _sum(self, event: Event, state: Mapping[str, Value], entry: Entry) -> None:
        """Collect the events of the whole mission for the sentences about it."""
        for spec in self._whole_on:
            if event.on in _ons(spec) and (event.on in self.sheet.families) == bool(event.name):
                facts = self._facts(state, entry, event)
                if _holds(spec, Facts(self.sheet, facts)):
                    self._summed.setdefault(id(spec), []).append(facts)

    def _near(self, spec: Spec, entry: Entry, before: Mapping[str, Value]) -> str:
        """Return the pip, or the modifier, that decided a roll; empty if neither did."""
        facts = Facts(self.sheet, {**before, **entry.get("w", {}), **entry.get("b", {})})
        with suppress(UserError, KeyError):
            table = self.pack.table(entry["t"])
            if "" in spec.get("without", ()) and not any(each.test and each.test(facts) for each in table.modifiers):
                return str(spec["without"][""])
            column = table.column(facts)
            dice, applied = column.dice or table.dice, table.applying(facts, column)
            total = dice.total(entry["d"])
            landed = dict(landings(table, column, applied, dice, facts))
            if landed.get(total) != entry["o"] or not dice.count:
                return ""
            for name, told in spec.get("without", {}).items():
                rest = [each for each in applied if each.modifier.id != name]
                if len(rest) < len(applied):
                    changed = dict(landings(table, column, rest, dice, facts)).get(total)
                    if changed != entry["o"]:
                        return str(told)
            for pip, told in ((total - 1, "one pip less"), (total + 1, "one pip more")):
                if not dice.tens and landed.get(pip) in spec.get("other", ()):
                    return told
        return ""

    def _events(self, number: int, entry: Entry) -> Iterator[Event]:
        by, bind, fields = str(entry["t"]), entry.get("b", {}), self.sheet.fields

        def event(
            on: str, bind: Spec, name: str = "", was: Value = "none", value: Value = "none", more: int = 0
        ) -> Event:
            told, result = f"({times(more)})" if more > 1 else "", figure(str(value)) or 0
            facts = {**bind, "was": was, "value": value, "by": by, "times": told, "result": result}
            facts |= {"more": more, "net": more, "roll": more, "back": "yes" if (name, value) in self._had else ""}
            return Event(number, on, name, {**facts, "#what": self.prose.what(name)})

        yield event(by, bind, value=entry.get("o", "none"), more=entry.get("net", 0))
        pairs = self.sheet.changed(entry.get("c", {}))
        named = {name for name, *_ in pairs if name in fields and fields[name].naming and name != "aircraft.name"}
        moved = {name.rpartition(".")[2] for name in named}  # everything goes with them
        for name, was, value in pairs:
            family, members = self._members.get(name, ("", {}))
            if family and (name in named or not moved & set(members.values())):
                more = int(value) - int(was) if isinstance(was, int) and isinstance(value, int) else 0
                self._had.add((name, was))
                yield event(family, {**bind, **members}, name, was, value, more)
                self._had.add((name, value))

    def _facts(self, state: Mapping[str, Value], entry: Entry, event: Event) -> dict[str, Value]:
        """Return the sheet after an entry, with its bindings; a member that has just left its slot is kept."""
        gone = {
            name: before
            for name, (before, after) in entry.get("c", {}).items()
            if before is not None and (after is None or after in FREE) and self.sheet.slot(name)
        }
        return {**self._plain(state), **gone, **event.facts}

    @staticmethod
    def _plain(state: Mapping[str, Value]) -> dict[str, Value]:
        """Return the sheet with the names of a story that mean nothing there."""
        texts = dict.fromkeys(("was", "value", "by", "back", "times", "told", "were", "near"), "")
        return {**state, **texts, "more": 0, "net": 0, "roll": 0, "result": 0}

    def _move(self, state: Mapping[str, Value]) -> None:
        """Begin a new stage where the mission has come to one; keep the sheet for the words about it."""
        facts = Facts(self.sheet, self._plain(state))
        spec = next((each for each in self.spec.get("chapter", ()) if _holds(each, facts)), None)
        if spec is not None:
            key = words(spec, "title", facts), words(spec, "by", facts)
            if not self.stages or self.stages[-1].key != key:
                self.stages.append(Stage(spec, key, state))
            self.stages[-1].facts = state

    # -- words ---------------------------------------------------------------------------------------------------------

    def _words(self, spec: Spec, key: str, facts: Mapping[str, Value], **more: Value) -> str:
        """Return a text of the pack; men become marks that are named when the story is complete."""
        read = Facts(self.sheet, {**facts, **more}, {"what": facts.get("#what", "")})
        men = self.spec.get("person")
        if men and "position" in read:
            bound = str(read["position"])
            read["person"] = person(words(men, "name", read), words(men, "post", read)) if bound != "none" else ""
        return self.prose.polished(words(spec, key, read))

    def words_of(self, beat: Beat, key: str) -> str:
        """Return a text about an event; `foe` is its fighter, `cause` what did the damage, if anything is known to."""
        if key == "foe" or (key == "cause" and beat.foe):
            return ("a " if key == "cause" else "") + self._words(self.spec, "foe", beat.facts)
        if key == "cause":
            return self._words(beat.cause.spec, "as", beat.cause.facts) if beat.cause else ""
        told = self._words(beat.spec, "as", beat.facts) if key == "text" and "as" in beat.spec else ""
        return self._words(beat.spec, key, beat.facts, told=told, were=_were(1))

    def _whole(self, key: str) -> list[Sentence]:
        """Return the sentences about the whole mission whose conditions hold."""
        head = self._plain(self.state)
        told: list[Sentence] = []
        for spec in self.spec.get(key, ()):
            those, more = self._summed.get(id(spec), []), dict[str, Value]()
            if "on" not in spec:
                members = [{spec["for"]: member} for member in self.sheet.index[spec["for"]]] if "for" in spec else [{}]
                those = [{**head, **own} for own in members if _holds(spec, Facts(self.sheet, {**head, **own}))]
            if "for" in spec or "on" in spec:
                listed = together([self._words(spec, "as", facts) for facts in those])
                more = {"told": listed, "more": len(those), "were": _were(len(those))}
            if those:
                text, after = self._words(spec, "text", head, **more), spec.get("after", "")
                told.append(Sentence(text, spec.get("weight", 1), after=after))
        return told

    @property
    def title(self) -> str:
        """Return the title of the story."""
        return self._words(self.spec, "title", self._plain(self.state))

    @property
    def headline(self) -> str:
        """Return what mattered most, in one line: the two weightiest things, in the order of the pack."""
        told = self._whole("headline")
        best = sorted(told, key=lambda each: -each.weight)[:2]
        parts = [each.text for each in told if each in best]
        return self.prose.named([f"{', and '.join(parts)}."])[0] if parts else ""

    @property
    def summary(self) -> list[str]:
        """Return the outcome in a few lines: the result, casualties by name, claims."""
        return self.prose.named([each.text for each in self._whole("short")])

    def sentences(self, most: int = PAGE) -> list[str]:
        """Return the sentences of a story of at most that many words."""
        return [each.text for part in self.paragraphs(most) for each in part]

    def paragraphs(self, most: int = PAGE) -> list[list[Sentence]]:
        """Return the story in paragraphs of at most that many words, unless what must be told is more."""
        for least in range(MUST + 1 + (most != PAGE)):
            told = self._composed(least)
            if sum(len(each.text.split()) for part in told for each in part) <= most:
                break
        return told

    def _composed(self, least: int) -> list[list[Sentence]]:
        """Return the story without beats that are lighter than `least`."""
        opening = [each for each in self._whole("opening") if each.weight >= least]
        parts: list[tuple[str, list[Sentence]]] = [("", opening)]
        alike: list[Stage] = []  # quiet stages before this one
        joint: dict[str, list[tuple[Stage, list[Sentence]]]] = {}
        for at, stage in enumerate(self.stages):
            title, plain = stage.key[0], self._plain(stage.facts)
            told, wave = [], 0
            for item in self._items(stage):
                wave += item.waves
                told += self._told(item, least, wave)
            if stage.spec.get("join"):
                told = [each for each in told if each.weight >= least or each.beats[0].part == "with"]
                heard = any(each.weight >= least for each in told)
                joint.setdefault(title, []).append((stage, told if heard else []))
                if at + 1 == len(self.stages) or not self.stages[at + 1].spec.get("join"):
                    parts += [("", [each]) for each in self._rounds(list(joint.values())) if each.weight >= least]
                continue
            told = [each for each in told if each.weight >= least]
            if title != parts[-1][0] and (told or "quiet" in stage.spec):
                parts.append((title, []))
            if "quiet" in stage.spec and not any(each.weight for each in stage.beats):
                alike.append(stage)
            ends = at + 1 == len(self.stages) or self.stages[at + 1].key[0] != title
            if alike and (told or ends):
                if least <= LIGHT:
                    whole = ends and not told and all(each in alike for each in self.stages if each.key[0] == title)
                    first = "" if parts[-1][1] or whole else self._words(stage.spec, "first", plain)
                    parts[-1][1].append(self._quiet(alike, first, whole=whole))
                alike = []
            if told:
                begins = not parts[-1][1]
                places = [self._words(stage.spec, key, plain) for key in ("first",) * begins + ("place",)]
                for each in [each for each in told if each.beats[0].part != "turn"][:1]:
                    each.where = " ".join(filter(None, places))
                parts[-1][1].extend(told)
        end = [each for each in self._whole("end") if each.weight >= least]
        for each in [each for each in end if each.after]:
            of = [told for _, part in parts for told in part if told.beats and told.beats[0].event.on == each.after]
            if of:
                of[-1].text, each.text = f"{of[-1].text}, but {each.text}", ""
        parts.append(("#", [each for each in end if each.text]))
        return self.prose.told([part for _, part in parts if part])

    def _quiet(self, stages: list[Stage], first: str, *, whole: bool) -> Sentence:
        """Return a sentence about stages where nothing happened."""
        spec, last = stages[-1].spec, self._plain(stages[-1].facts)
        if whole and (still := self._words(spec, "still", self._plain(self.state))):
            return Sentence(still, LIGHT)
        many = len({each.key[1] for each in stages})
        told = f"zone{'s' if many > 1 else ''} {self._runs(stages)}"
        return Sentence(self._words(spec, "quiet", last, told=told, were=_were(many)), LIGHT, where=first)

    def _runs(self, stages: list[Stage]) -> str:
        """Return the numbers of some zones or turns: `1 to 3`, `7 and 9`."""
        runs: list[list[int]] = []
        numbers = [words(each.spec, "zone", Facts(self.sheet, each.facts)) for each in stages]
        for zone in dict.fromkeys(map(int, filter(None, numbers))):
            if runs and abs(zone - runs[-1][-1]) == 1:
                runs[-1].append(zone)
            else:
                runs.append([zone])
        return together([f"{run[0]} to {run[-1]}" if len(run) > 2 else " and ".join(map(str, run)) for run in runs])

    # -- beats that belong together ------------------------------------------------------------------------------------

    def _items(self, stage: Stage) -> list[Item]:
        items: list[Item] = []
        fight: Item | None = None
        there: dict[str, Foe] = {}  # by slot
        wave = set[str]()  # the slots of this wave
        found: dict[object, Item] = {}  # by sentence of the pack, or by the words for a cause

        def add(key: object, kind: str, beat: Beat) -> None:
            if key not in found:
                found[key] = Item(kind)
                items.append(found[key])
            found[key].beats.append(beat)

        for beat in stage.beats:
            if beat.foe and (beat.part or "did" in beat.spec):
                if fight is None or (beat.part == "comes" and (fight.beats[-1].part != "comes" or beat.foe in wave)):
                    hurt = fight and any("did" in each.spec or each.part == "claim" for each in fight.beats)
                    if fight is None or fight is not items[-1] or hurt:
                        fight = Item("fight")
                        items.append(fight)
                    fight.waves, wave = fight.waves + 1, set()
                fight.beats.append(beat)
                if beat.part == "comes" or beat.foe not in there:
                    there[beat.foe] = Foe(self._words(self.spec, "foe", beat.facts))
                    fight.foes.append(there[beat.foe])
                there[beat.foe].beats.append(beat)
                wave.add(beat.foe)
            elif beat.part == "cause":
                add(self._words(beat.spec, "as", beat.facts), "cause", beat)
            elif "did" in beat.spec and beat.cause is not None:
                add(self._words(beat.cause.spec, "as", beat.cause.facts), "cause", beat)
            else:
                last = found.get(id(beat.spec))
                listed = "as" in beat.spec and (beat.event.name or (last is not None and last is items[-1]))
                same = last is not None and self._text(last) == self._text(Item("event", [beat]))
                if not listed and ("as" in beat.spec or not same):
                    found.pop(id(beat.spec), None)
                add(id(beat.spec), "event", beat)
        causes = {key for key, each in found.items() if each.kind == "cause"}
        firsts = [(each, each.beats[0]) for each in items]
        items = [each for each, of in firsts if of.part != "wide" or self._words(of.spec, "as", of.facts) not in causes]
        for first, last in pairwise([each for each in items if each.beats[0].part == "wide"]):
            if self._text(last).startswith(self._text(first)) and "both" in last.beats[0].spec:
                first.beats += last.beats
                items.remove(last)
        end = next((at for at, each in enumerate(items) if _weight(each.beats) >= LAST), len(items))
        return [each for at, each in enumerate(items) if at <= end or each.beats[0].weight >= MUST]

    def _told(self, item: Item, least: int, wave: int) -> list[Sentence]:
        """Return the sentences of an item, without its beats that are lighter than `least`."""
        if item.kind == "fight":
            return self._fight(item, least, wave)
        first = item.beats[0]
        if item.kind == "cause":
            did = [each for each in item.beats if "did" in each.spec and each.weight >= least]
            if did:
                return [Sentence(self._did(self._words(first.spec, "as", first.facts), did), _weight(did), did)]
            if "idle" not in first.spec or any("did" in each.spec for each in item.beats):
                return []
            return [Sentence(self._words(first.spec, "idle", first.facts), first.weight, item.beats)]
        return [Sentence(text, _weight(item.beats), item.beats)] if (text := self._text(item)) else []

    def _text(self, item: Item) -> str:
        """Return the sentence for events of one kind."""
        first, last = item.beats[0], item.beats[-1]
        if last.spec is not first.spec:
            return self._words(last.spec, "both", last.facts)
        if "as" not in first.spec:
            return self._words(first.spec, "text", first.facts)
        listed = [self._words(each.spec, "as", each.facts) for each in item.beats]
        return self._words(
            first.spec, "text", last.facts, told=self._all(listed), were=_were(len(set(listed))), more=len(listed)
        )

    def _all(self, listed: list[str]) -> str:
        """Return a list in words; the whole crew, if it is that, instead of its names."""
        whole = str(self.spec.get("person", {}).get("all", ""))
        men = {each for each in listed if PERSON.fullmatch(each)}
        return whole if whole and len(men) == len(self.sheet.index["position"]) else together(listed)

    def _did(self, subject: str, beats: list[Beat], last: str = "", *, again: bool = False) -> str:
        """Return what somebody did to the bomber, the worst first: each verb with all its objects."""
        verbs: dict[tuple[str, str], list[str]] = {}
        worst = list({each.event.name or self._words(each.spec, "did", each.facts): each for each in beats}.values())
        worst.sort(key=lambda each: -each.weight)
        light = [each for each in worst if each.weight <= LESSER][MOST:]
        for each in (each for each in worst if each not in light):
            verb, whom, rest = [*self._words(each.spec, "did", each.facts).split("|"), "", ""][:3]
            verbs.setdefault((verb, rest), []).append(whom)
        told = [f"{verb} {self._all(whom)} {rest}".strip() for (verb, rest), whom in verbs.items()]
        also = [each for each in told[3:] if each]
        text = f"{subject} {joined([*['came around again'] * again, *told[:3]])}{last}"
        return f"{text}. It also {joined(also)}" if also else text

    def _fight(self, item: Item, least: int, wave: int) -> list[Sentence]:
        """Return the sentences of a wave of fighters: who came, what each did to the bomber, who was shot down."""
        foes = [foe for foe in item.foes if not foe.away]
        did = {foe: [each for each in foe.beats if "did" in each.spec and each.weight >= least] for foe in foes}
        claimed = {foe: foe.of("claim")[-1] for foe in foes if foe.of("claim") and foe.of("claim")[-1].weight >= least}
        told = [Sentence(self._came(item, foes, wave, quiet=not (any(did.values()) or claimed)), LIGHT, item.beats)]
        told = told if told[0].text and least <= LIGHT else []
        names = FighterWords([foe.name for foe in foes], known=bool(told) and (len(foes) > 1 or len(item.foes) > 1))
        ends = {foe: max((each.event.number for each in did[foe]), default=0) for foe in foes}
        shot: dict[str, list[Foe]] = {}  # by whom; of fighters that did no harm, or only after the claim
        for foe, claim in sorted(claimed.items(), key=lambda each: each[1].event.number):
            if not ends[foe] or claim.event.number <= ends[foe]:
                shot.setdefault(self._words(claim.spec, "as", claim.facts), []).append(foe)
        downed = [foe for those in shot.values() for foe in those]
        acts: list[tuple[int, Foe | None]] = [(did[foe][0].event.number, foe) for foe in foes if did[foe]]
        acts += [(min(claimed[foe].event.number for foe in downed), None)] if downed else []
        for _, doer in sorted(acts, key=lambda each: each[0]):
            if doer is None:
                beats = [claimed[each] for each in downed]
                verb = self._words(beats[0].spec, "verb", beats[0].facts).replace("|", " ")
                told.append(Sentence(_shot_down(shot, verb, names), _weight(beats), beats))
                continue
            again = any(each.event.number < did[doer][0].event.number for each in doer.of("again"))
            subject, last = names.one(doer.name), ""
            if doer in claimed and doer not in downed:
                claim = claimed[doer]
                verb = self._words(claim.spec, "verb", claim.facts).replace("|", " it ")
                last = f" before {self._words(claim.spec, 'as', claim.facts)} {verb}"
            told.append(Sentence(self._did(subject, did[doer], last, again=again), _weight(did[doer]), did[doer]))
            close = [each for each in doer.of("close") if each.weight >= least]
            told += [Sentence(self._words(each.spec, "text", each.facts), each.weight, [each]) for each in close]
        return told

    def _rounds(self, turns: list[list[tuple[Stage, list[Sentence]]]]) -> list[Sentence]:
        """Return the news of each turn of a game and what it scored; turns with the same news are told together."""
        told: list[Round] = []
        for turn in turns:
            every = [each for _, those in turn for each in those]
            score = [each.beats[0] for each in every if each.beats[0].part == "score"]
            spec, facts = turn[-1][0].spec, self._plain(turn[-1][0].facts)
            news = [text for stage, those in turn for text in self._one(stage, those)]
            if not every and all(stage.spec is spec for stage, _ in turn):
                news = list(filter(None, [self._words(spec, "quiet", facts)]))
            if told and told[-1].news == news:
                told[-1] = told[-1]._replace(stages=[*told[-1].stages, turn[-1][0]], score=score)
            elif news:
                weight = max((each.weight for each in every), default=LIGHT)
                told.append(Round([turn[-1][0]], news, score, weight))
        sentences = []
        for stages, news, score, weight in told:
            many, last = len(stages) > 1, stages[-1]
            points = iter([self._words(each.spec, "text", each.facts, told="each time" * many) for each in score])
            news = [next(points) if each.startswith(SCORE) else each for each in news]
            place = "places" if many else "place"
            where = self._words(last.spec, place, self._plain(last.facts), told=self._runs(stages))
            sentences.append(Sentence(f"{where} {'. '.join(news)}", weight))
        return sentences

    def _one(self, stage: Stage, told: list[Sentence]) -> list[str]:
        """Return a sentence for a raid: who was there (`with`, the first leads), the result; other news as it is."""
        lines = [each for each in self.spec["line"] if each.get("part") == "with"]
        there = [each for spec in lines for each in told if each.beats[0].spec is spec]
        rest = [(each.text, each.beats[0]) for each in told if each.beats[0].part != "with"]
        came = [f"{SCORE}{of.facts['more']}" if of.part == "score" else text for text, of in rest]
        if not there or there[0].beats[0].spec is not lines[0]:
            return came
        raid = " ".join(each.text for each in there)
        over = stage is not self.stages[-1]
        idle, _, clause = self._words(stage.spec, "idle", self._plain(stage.facts)).partition("|") if over else [""] * 3
        own = {self._words(lines[0], "as", each.facts): {**each.facts, **stage.facts} for each in there[0].beats}
        those = list(own)
        they = "it" if len(those) == 1 else "they"
        results = [each for each in stage.beats if each.part == "result"]
        acted = " ".join([*came, *(self._words(each.spec, "as", each.facts) for each in results if "as" in each.spec)])
        able = [each for each in those if idle and self._words(lines[0], "idle", own[each])]
        if not (results or came):
            return [f"{raid} but {idle}" if able else raid]
        quiet = [each for each in able if not results or not re.search(rf"{re.escape(each)}(?!\w)", acted)]
        if quiet:
            came.append(f"{together(quiet)} {idle}" if results or they == "it" else clause)
        came = [
            re.sub(rf"(?<!\w)(?<!and )(?<!, ){re.escape(together(those))}(?!\w| and|,)", they, each) for each in came
        ]
        met = [each for own in there for each in own.beats if each.spec in lines[1:2]]
        foes = [self._words(each.spec, "as", each.facts) for each in met]
        of = re.compile(rf"(?:{'|'.join(map(re.escape, [they, *those, *foes]))})(?= (?!and ))")
        doers = [found[0] if (found := of.match(each)) else each for each in came]
        pairs = groupby(zip(doers, came, strict=True), lambda each: each[0])
        acts = [(who, [each.removeprefix(who).strip() for _, each in done]) for who, done in pairs]
        if [who for who, _ in acts] == [they]:
            did = [each.replace(foes[0], "it") if len(foes) == 1 else each for each in acts[0][1]]
            return [joined([raid, *did]) if len(did) > 1 else f"{raid} and {did[0]}"]
        acts = [(together(those) if at and who == they else who, did) for at, (who, did) in enumerate(acts)]
        return [": ".join(filter(None, [raid, joined([f"{who} {joined(did)}".strip() for who, did in acts])]))]

    def _came(self, item: Item, foes: list[Foe], wave: int, *, quiet: bool) -> str:
        """Return who was driven off and who attacked; a single fighter that did harm is told with its harm."""
        parts = []
        if away := [foe for foe in item.foes if foe.away]:
            leaves = away[0].of("leaves")[0]
            escort = self._words(leaves.spec, "as", leaves.facts)
            parts.append(f"{escort} drove off {several([foe.name for foe in away])}")
        listed, one = several([foe.name for foe in foes]), len(foes) == 1
        if wave > 1 and item.waves == 1 and not (one or away):
            listed = f"then {listed}"
        came, here = "attacked", "came up"
        if away and foes:
            more = len({foe.name for foe in item.foes}) == 1
            listed = ("another" if one else f"{numeral(len(foes))} more") if more else listed
            if item.waves == 1:
                listed, came, here = f"{parts.pop()}; {listed}", "got through", "got through"
        if foes and not quiet:
            parts += [] if one and not away else [f"{listed} {came}"]
        elif foes:
            hit, missed = (sum(bool(foe.of(part)) for foe in foes) for part in ("hits", "misses"))
            but = "but" if came == "got through" else "and"
            parts.append(f"{listed} {f'{came} {but} missed' if missed else f'{here} {but} did not fire'}")
            if hit:
                every = one or hit == len(foes)
                parts[-1] = (
                    f"{listed} {came} {but} did little harm"
                    if every
                    else f"{listed} {came}, and {numeral(hit)} hit them but did little harm"
                )
            if one and (rams := [each for each in foes[0].of("misses") if "as" in each.spec]):
                parts[-1] = f"{listed} {self._words(rams[0].spec, 'as', rams[0].facts)}"
            damaged = [foe.of("damage")[0] for foe in foes if foe.of("damage")]
            if len(damaged) == 1 and not away:
                parts.append(f"{self._words(damaged[0].spec, 'as', damaged[0].facts)} damaged {'it' if one else 'one'}")
        return "; ".join(parts)


def _shot_down(shot: Mapping[str, list[Foe]], verb: str, names: FighterWords) -> str:
    """Return who shot down which fighters: `Cox shot down the Me 110`, `Cox and Lee each shot down an Fw 190`."""
    kinds = {foe.name for hit in shot.values() for foe in hit}
    if len(shot) > 1 and len(kinds) == 1 and all(len(hit) == 1 for hit in shot.values()):
        return f"{together(list(shot))} each {verb} a {kinds.pop()}"
    return joined([f"{who} {verb} {names.several([foe.name for foe in hit])}" for who, hit in shot.items()])


def _weight(beats: Iterable[Beat]) -> int:
    return max(each.weight for each in beats)


def _were(many: int) -> str:
    return "was" if many == 1 else "were"


def _ons(spec: Spec) -> list[str]:
    on = spec.get("on", [])
    return [on] if isinstance(on, str) else list(on)


def _holds(spec: Spec, facts: Facts) -> bool:
    return "#when" not in spec or bool(spec["#when"](facts))
