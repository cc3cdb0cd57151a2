"""Every sentence of a story, read by patterns of its own and held against the journal: nothing else may be told.

A sentence that no pattern reads is a slip, and so is a man, an engine, a claim or a number that the journal does not
have. What must be told (the lost and why, engines, the bomb run) is looked for too.
"""

import re
from collections import Counter
from collections.abc import Iterator

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.journal import Entry
from companion.play.mission import Mission, rewound
from companion.render.prose import Sentence
from companion.render.story import PAGE, Story

LONGEST, SHORT = 700, 140  # words of a page and of a paragraph
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()
HURT = {"lightly wounded": "light", "seriously wounded": "serious", "killed": "kia"}
FATES = {  # what is said of men, and what their sheet says then
    r"(WHO) (?:was|were) taken prisoner": ("bo-c", "captured", "dic"),
    r"[Tt]he enemy picked up (WHO) at sea": ("cas", "dic"),
    r"(WHO) (?:(?:came down in the sea and )?(?:was|were) lost(?: at sea)?)": ("las",),
    r"[Tt]he sea landing killed (WHO)": ("las",),
    r"(WHO) died in captivity": ("dic",),
    r"(WHO) died of the wounds": ("dow",),
    r"(WHO) will live, and will not fly again": ("ih",),
    r"[Ff]rostbite ended the flying of (WHO), who (?:was|were) invalided home": ("ih",),
    r"(WHO) recovered and will fly the next mission": ("duty",),
    r"(WHO) (?:came down alive|(?:was|were) rescued from the sea)": (*("duty", "ih", "dow", "none"),),
    r"[Tt]he Underground brought (WHO) home": ("returned", "ih", "dow", "duty"),
    r"(WHO) (?:did not get out(?: alive)?|(?:was|were) killed in the jump)": ("kia",),
    r"(WHO), (?:trapped in the turret|too badly wounded to jump), went down with the bomber": ("kia",),
    r"(WHO) went down with the bomber": ("kia",),
}
DAMAGE = (
    r"lightly wounded WHO|seriously wounded WHO|killed WHO|wounded Man \d+ again|knocked out engine|set engine|"
    r"set the (?:port|starboard) wing tanks on fire|set off the bombs|set fire to the|holed the|knocked out the|"
    r"damaged the|jammed the ball turret|cut off the oxygen of WHO|left (?:WHO without heat|the pilots)|"
    r"(?:nicked|cut) the control cables|(?:cracked a|broke the) cockpit window|ruined the|"
    r"hit the|depressurized the|took the pressure|tore off the|shot away the|burst inside the|started an oxygen fire|"
    r"set engine \d on fire"
)
SENTENCES = (  # what else may be said, in the words of each game's story.toml
    r"The target was the .*", r"They expected .* resistance.*", r"They flew in the .* squadron.*",
    r".* (?:led|flew last in) the .* squadron.*", r"It was the last of the (?:25|35) missions",
    r"after this one they would have \w+ missions? to go", r"[zZ]ones? [\d ,toand]+ (?:was|were) quiet",
    r"The way (?:out|home) was quiet", r"they met no fighters on the way out",
    r"(?:then )?FOES (?:attacked|came up|got through|tried to ram them and missed).*", r"[tT]he escort drove off .*",
    r"[tT]he escort met them", r"\w+ waves? of fighters went for the other bombers and (?:was|were) driven off",
    r"[aA]nother wave, FOES, .*", r"[tT]here was no flak",
    r"(?:light|medium|heavy) flak (?:did no damage|"
    r"burst around them(?: on the run and)?(?: as they left the target)?)",
    r"(?:light|medium|heavy) flak(?: beyond the target)? hit them and did little harm",
    r"fire from another B-29 hit them and did little harm", r"a storm shook the bomber and did no harm",
    r"thermal turbulence threw the bomber about", r"the weather damaged the electrical system",
    r"a fault hit the electrical system(?:, which still worked)?", r"the .* jammed(?: for good)?",
    r"the cold jammed the .*", r"nobody aboard was hurt", r"everyone aboard lived",
    r"one pip (?:more|less) would have (?:killed Man \d+|put it on target)",
    r"one pip (?:more|less) and it would have missed", r"without the .* it would have been on target",
    r"it took an experienced bombardier to bring that off", r"(?:with .*, )?the bomb run (?:was|went) .*",
    r"the (?:raid|other bombers) crossed a box off .*",
    r"(?:short of fuel |on \w+ engines? |with .* (?:out|gone) |by bad luck alone )?they (?:bailed out.*|"
    r"were picked up|landed|brought|crashed|ditched|got|had come|crash-landed|came down in Japan)\b.*",
    r"the landing destroyed the bomber",
    r"(?:they|the fuel|with|on|alone|out of|off|too|unable|without|torn|still|that|the dive|the dragging|short|back|"
    r"after).* (?:formation.*|low altitude|10,000 feet.*|turned (?:for home|back)|shut down|collision|"
    r"bail(?:ed)? out|jettisoned.*|20,000 feet|missed the (?:rally(?: and flew on alone)?|start of the bomb run)|"
    r"aside|another bomber|runaway engine \d|before they must jump)",
    r"they jettisoned the bombs.*", r"the fire forced them to bail out.*",
    r".*all but the man at the controls bailed out.*", r"back over England .* bailed out.*",
    r"they left the formation",
    r"(?:something broke, and |after that burst )?the bomber(?: was lost| was out of| went out of|"
    r".* would not fly again).*",
    r"an? (?:victory|draw|defeat).*", r"they claimed \w+ fighters?: .*", r"the mission is still being flown",
    r"engine \d (?:went out|failed|ran away|ran again|caught fire|was losing oil|could not be feathered.*)",
    r"(?:an extinguisher|extinguishers) (?:put out|failed).*", r"hand extinguishers put out (?:the|each) oxygen fire",
    r"nothing could put out .*",
    r"the (?:burning tank exploded|tank burned out.*|fire could not.*|leak left.*|fuel would.*)",
    r"the propeller of engine \d kept windmilling", r"the .* caught fire",
    r"(?:no charge was left|both extinguisher charges were spent).*", r"a first try at the fire failed",
    r"fire broke out in .*",
    r"a (?:fuel pump failed|fault cost .*|searchlight caught them|gunner's blister .*|fuel tank caught fire|"
    r"shell burst .*)",
    r"the second fuel pump failed", r"the leak cost them .*", r"they had saved .*", r"guns, ammunition and .*",
    r"their guns shot .*", r"bomb bay doors jammed", r"the bomb bay doors would not open, and there was no bomb run",
    r"the bomb release failed", r"neither bomb bay could drop, and not one bomb hit",
    r"(?:(?:with|after) .*, )?the tanks ran dry", r"another bomber nearly collided with them",
    r"they collided with another bomber", r"another B-29 ran into the bomber",
    r"the bomber turned over and fell out of control", r"the weather tore the formation apart",
    r"in the dive a wing tore off", r"the .* (?:manned|took|badly wounded, was moved to) the .*",
    r"(?:.* )?Man \d+,? took the .*'s seat", r"the .* (?:lost its pressure|was leaking|was gone|tore off)",
    r"(?:the )?cold gave WHO frostbite",
    r"WHO (?:started to shoot like an ace|was (?:lightly|seriously) wounded(?: again)?)", r"WHO was killed",
    r"with (?:no working radio|the rubber rafts ruined), WHO (?:was|were) lost at sea", r"WHO was credited .*",
    r"\w+ claims? of WHO .*", r"with bombers lost from .*", r"WHO died when the oxygen failed",
    r"an oxygen fire broke out", r"the bombs (?:were tossed about in the bay and )?went off",
    r"bad food made WHO ill, as if (?:lightly|seriously) wounded", r"WHO (?:was|were) over the illness",
    r"a storm system .*|high pressure .*|heavy ice .*", r"the navigator plotted well|the bombardier had his eye in",
    r"the ball turret was jammed .*",
)  # fmt: skip
ENGINES = (
    ("engine out", r"knocked out ((?:engine \d(?:, | and )?)+)"),
    ("engine out", r"(engine \d) (?:went out|failed|had to be shut)"),
    ("engine out", r"in (engine \d), but the engine was dead"), ("engine out", r"runaway (engine \d)"),
    ("runaway", r"set ((?:engine \d(?:, | and )?)+) running away"), ("runaway", r"(engine \d) ran away"),
)  # fmt: skip
MAN = r"(?:(?:(?!lightly|seriously|wounded|killed|left (?!gunner))[A-Za-z-]+ ){0,3}?Man \d+(?: \(\w+(?: times)?\))?)"
WHO = rf"{MAN}(?:(?:, | and ){MAN})*"
MANY = r"(?:the other \w+|the other|the remaining|an?|both|all \w+|the|another|a \w+|" + "|".join(NUMBERS[1:]) + ")"
FOE = rf"\b{MANY}(?: more)? [A-Z][a-z]+(?: \d+)?s?"
FOES = rf"{FOE}(?:(?:, | and ){FOE})*"
CREW = re.compile(r"\ball (ten|eleven) men\b", re.IGNORECASE)
PLACE = r"(?:On the way home, )?(?:[iI]n zone \d+, |Over [^,]+,? (?:in \w+ weather, )?|On the way home, )"
AGAIN = r"(?:again|once more|yet again) "


def read(sentence: str) -> str:
    """A sentence without its place."""
    said = re.sub(rf"^(?:{PLACE})?(?:{AGAIN})?", "", sentence.rstrip("."), flags=re.IGNORECASE)
    said = CREW.sub("Man 1", said)
    return said[:1].lower() + said[1:] if not said.startswith("Man ") else said


def understood(sentence: str) -> bool:
    """Return whether some pattern reads a sentence."""
    said = read(sentence)
    patterns = [*SENTENCES, rf"(?:[A-Z].*|.*) (?:{DAMAGE}).*", *FATES, rf"{WHO}(?: each)? shot down .*"]
    return any(re.fullmatch(each.replace("WHO", WHO).replace("FOES", FOES), said, re.IGNORECASE) for each in patterns)


def men(text: str) -> list[str]:
    """The men that a text names."""
    return re.findall(r"Man \d+", text)


def told(story: Story, most: int) -> Counter[tuple[str, str]]:
    """Count what a story of that length says, by kind and man."""
    counts = Counter[tuple[str, str]]()
    crew = [str(story.state[f"name.{position}"]) for position in story.sheet.index["position"]]
    for sentence in (each.text for part in story.paragraphs(most) for each in part):
        said = re.sub(r"^They claimed .*|.* would have .*", "", sentence)
        if every := CREW.search(said):
            assert NUMBERS[len(crew)] == every[1]
            said = CREW.sub(" and ".join(crew), said)
        for words, kind in HURT.items():
            for found in re.findall(rf"\b{words} ({WHO})", said):
                counts.update((kind, name) for name in men(found))
            for found in re.findall(rf"({WHO})(?: was| ill, as if) {words}", said):
                counts.update((kind, name) for name in men(found))
        counts.update(
            ("frostbite", name) for found in re.findall(rf"gave ({WHO}) frostbite", said) for name in men(found)
        )
        for found in re.findall(rf"({WHO}) died when the oxygen failed", said):
            counts.update(("kia", name) for name in men(found))
        for pattern, fates in FATES.items():
            for found in re.findall(pattern.replace("WHO", WHO), said):
                counts.update(("/".join(fates), name) for name in men(found))
        for who, shot in re.findall(rf"({WHO}) (?:each )?shot down ({FOES})", said):
            many = sum(_many(each) for each in re.findall(FOE, shot))
            counts.update({("claim", name): many for name in men(who)})
        counts.update(("claim", men(who)[-1]) for who in re.findall(rf"({WHO}) shot it down", said))
        for kind, pattern in ENGINES:
            for found in re.findall(pattern, said, re.IGNORECASE):
                counts.update((kind, each) for each in re.findall(r"\d", found))
        if found := re.search(r"bomb run (?:was (on|off) target|went wide): (\d+|not)", said):
            counts["bomb run", f"{found[1] or 'off'} {found[2].replace('not', '0')}"] += 1
    return counts


def _many(foes: str) -> int:
    first = foes.split()[0].casefold()
    if first == "all" or foes.split()[2:3] and foes.split()[2] in NUMBERS:
        return NUMBERS.index(foes.split()[1 if first == "all" else 2])
    return NUMBERS.index(first) if first in NUMBERS[2:] else 2 if first == "both" else 1


def happened(pack: Pack, mission: Mission) -> Counter[tuple[str, str]]:
    """Count the same in the journal."""
    counts = Counter[tuple[str, str]]()
    state = dict(rewound(mission, 0).state)
    begun = False
    for entry in mission.journal.entries[: mission.journal.position]:
        begun = begun or entry["v"] != "set"
        before = dict(state)
        state |= {name: value for name, (_, value) in entry.get("c", {}).items()}
        if begun:
            counts.update({(kind, whose): many for kind, whose, many in _of(entry, before, state) if many > 0})
    return counts


def _of(entry: Entry, before: dict[str, Value], state: dict[str, Value]) -> Iterator[tuple[str, str, int]]:
    changes = entry.get("c", {})
    moved = {name.removeprefix("name.") for name in changes if name.startswith("name.")}
    for name, (was, now) in changes.items():
        head, _, member = name.rpartition(".")
        man = str(state.get(f"name.{member}") or "")
        if head == "engine" and (was or "ok") != (now or "ok") and now in ("out", "runaway"):
            yield "engine out" if now == "out" else "runaway", member, 1
        elif member in moved or not man:
            continue
        elif head == "crew" and now in HURT.values() and now != was:
            yield str(now), man, 1
        elif head == "kills":
            yield "claim", man, int(now or 0) - int(was or 0)
        elif head == "frostbite" and now == "yes":
            yield "frostbite", man, 1
        elif head == "fate":
            yield f"fate {now}", man, 1


def loud(mission: Mission) -> set[tuple[str, int]]:
    """The zones of each leg in which fighters came or something was hit."""
    state, found = dict(rewound(mission, 0).state), set[tuple[str, int]]()
    for entry in mission.journal.entries[: mission.journal.position]:
        changes = entry.get("c", {})
        state |= {name: value for name, (_, value) in changes.items()}
        come = any(
            re.fullmatch(r"fighter\.\d+\.type", each) and changes[each][1] not in (None, "none") for each in changes
        )
        if state.get("bomber.fate", "none") != "none":
            break
        hurt = any(re.match(r"engine\.|crew\.|hits\.|hit\.|tank\.|fire\.", each) for each in changes)
        if come or (hurt and not any(each.startswith("seat.") for each in changes)):  # men who only change seats
            found.add((str(state.get("leg")), int(state.get("zone") or 0)))
    return found


def quiet(text: str) -> Iterator[tuple[str, int]]:
    """The zones that a story calls quiet, with their leg."""
    turned = re.search(r"[oO]n the way home|bomb run|turned (?:for home|back)", text)
    for found in re.finditer(r"[zZ]ones? ([\d ,toand]+) (?:was|were) quiet", text):
        leg = "inbound" if turned and turned.start() < found.start() else "outbound"
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", found[1]):
            zones = sorted((int(first), int(last or first)))
            yield from ((leg, zone) for zone in range(zones[0], zones[1] + 1))


def slips(pack: Pack, mission: Mission, story: Story) -> list[str]:
    """List where a story differs from its journal."""
    page, whole = story.paragraphs(), story.paragraphs(10**6)
    texts = [each.text for part in page for each in part]
    lines = [f"said twice: {text}" for text, many in Counter(texts).items() if many > 1]
    if sum(len(each.split()) for each in texts) > LONGEST:
        lines.append("the page is too long")
    if re.search(r"[{}\[\]<>|_]|  | ,|\bnone\b|\.\.|: \.|the the|\b[a-z]+\.[a-z]", " ".join([story.title, *texts])):
        lines.append(f"not words for a reader: {texts}")
    if pack.name == "bombs-away":
        return [*lines, *(line for each in (page, whole) for line in of_a_game(pack, mission, each))]
    lines += [f"not understood: {each.text}" for part in whole for each in part if not understood(each.text)]
    heard = loud(mission)
    calm = quiet(" ".join(each.text for part in whole for each in part))
    lines += [f"zone {zone} {leg} was not quiet" for leg, zone in calm if (leg, zone) in heard]
    did, facts = happened(pack, mission), Facts(pack.sheet, mission.state)
    names = {
        str(value): name.removeprefix("name.") for name, value in mission.state.items() if name.startswith("name.")
    }
    for most in (SHORT, None, 10**6):
        says = told(story, PAGE if most is None else most)
        for (kind, whose), many in says.items():
            if "/" in kind or kind in ("duty", "ih", "las", "dow", "dic", "kia ", "returned"):
                if not any(
                    did[f"fate {fate}", whose] or facts[f"fate.{names[whose]}"] == fate for fate in kind.split("/")
                ):
                    lines.append(f"{whose}: told {kind}")
            elif kind == "bomb run":
                run = f"{facts['bomb-run']} {facts['bomb-run.percent']}"
                lines += [f"bomb run: told {whose}, was {run}"] * (whose != run)
            elif kind == "kia" and did["fate kia", whose]:
                continue
            elif many > did[kind, whose]:
                lines.append(f"{kind} {whose}: told {many}, was {did[kind, whose]}")
        if most == SHORT:
            continue
        for (kind, whose), many in did.items():
            if kind == "engine out" and says[kind, whose] < many:
                lines.append(f"{kind} {whose}: told {says[kind, whose]}, was {many}")
            if kind == "claim" and most and says[kind, whose] != many:
                lines.append(f"claims of {whose}: told {says[kind, whose]}, was {many}")
            if (kind in ("kia", "serious", "frostbite") or re.match("fate (?!duty|none|None)", kind)) and not any(
                who == whose and each != "claim" for each, who in says
            ):
                lines.append(f"{kind} {whose} is not told")
    came = sum(_many(foe) for part in whole for each in part for foe in attackers(each.text))
    if came > (there := arrived(mission)):
        lines.append(f"told {came} fighters, but {there} came")
    return list(dict.fromkeys([*lines, *consequences(mission, facts, texts)]))


def attackers(sentence: str) -> list[str]:
    """Return the fighters that a sentence says came, by kind."""
    found = re.findall(rf"({FOES}),? (?:attacked|came up|got through)|drove off ({FOES})", sentence)
    return [foe for came, gone in found for foe in re.findall(FOE, came or gone)]


def arrived(mission: Mission) -> int:
    """Return how many fighters came, by the journal."""
    entries = mission.journal.entries[: mission.journal.position]
    changes = [(name, *pair) for each in entries for name, pair in each.get("c", {}).items()]
    kinds = [now for name, was, now in changes if re.fullmatch(r"fighter\.\d+\.type", name) and was in (None, "none")]
    return sum(each not in (None, "none") for each in kinds)


def consequences(mission: Mission, facts: Facts, texts: list[str]) -> Iterator[str]:
    """List engines, fires and aborts of which a page doesn't tell what came of them."""
    entries, page = mission.journal.entries[: mission.journal.position], " ".join(texts)
    lost = facts["engines.out"]
    if lost and facts["bomber.fate"] == "returned" and f"on {NUMBERS[4 - int(lost)]} engine" not in page:
        yield "the landing doesn't tell of the engines that were out"
    off = sum(bool(re.fullmatch(r"log\..*\.course", each)) and now == "off" for each, now in mission.state.items())
    if (found := re.search(r"After (\w+) zones? off course", page)) and NUMBERS.index(found[1]) > off:
        yield f"told {found[0]}, were {off}"
    dead = any(now == "kia" or now in ("las", "dow", "dic") for now in mission.state.values())
    if facts["bomber.fate"] in ("wrecked", "irreparable") and dead == bool(re.search("aboard (was hurt|lived)", page)):
        yield "whether the men lived is not told"
    if "flak beyond the target" in page and "around them on the run and" in page:
        yield "flak beyond the target is told as a hit and as a miss"
    aborted = any(each.get("c", {}).get("aborted", [None, None])[1] == "yes" for each in entries)
    if aborted and facts["bomber.fate"] == "returned" and not re.search(r"turn(ed)? (for home|back)|collision", page):
        yield "the abort is not told"
    burned = [
        each
        for each in entries
        if each["t"] in ("BL-3.fire", "7-12.fire")
        or (each["v"] == "roll" and each.get("o") == "fire" and each["t"] != "9.2")
    ]
    if burned and not re.search(
        r"put out (?:the|each)|burned (?:on|out)|could not|could put|exploded|set off|bail(?:ed)? out|could, jumped",
        page,
    ):
        yield "what came of the fire is not told"


# -- Bombs Away! -------------------------------------------------------------------------------------------------------

IN = r"In (?:turn (\d+)|each of turns ([\d ,toand]+)), "
POINTS = r"-?\d+ victory points?"
RAIDS = (  # what a turn may say; PLANES are names of cards
    r"PLANES went to CITY(?: against PLANES)?(?: through flak)?(?: but dropped no bombs|(?:: |, | and |, and )NEWS|)",
    r"NEWS", r"no raid was flown", r"the raid on CITY was a decoy",
    rf"(?:the raids?|each raid) gave the Allies (?:their first (?:\d+ )?victory points?|{POINTS}, \d+ in all)",
    rf"an event card (?:gave the Allies {POINTS}, \d+ in all|took {POINTS} from the Allies and left them \d+)",
    r"the Allies now had \d+ victory points?", r"the (?:Allies|Axis) (?:replaced|built) PLANES",
    r"(?:in all, )?the (?:Allies|Axis) lost PLANES", r"event cards for points were played by .*",
    r"World War Heats Up came up (?:once|twice|\w+ times): (?:each time )?both sides discarded their hands and "
    r"built at once",
    r"(?:surrender|the last turn card) ended the game(?:, and the surviving aircraft (?:gave|cost) the Allies "
    rf"\d+ points?: {POINTS})?",
    r"the Axis (?:lost \w+ build points? for the bombing|paid for \w+ build points? with \w+ event cards?)",
    r"the Axis surrendered", r"an event card saved the Axis from surrender: its draw of -?\d became \d+",
    r"the Axis (?:barely )?fought on,? with .*", r"(?:neither side|the Allies|the Axis) won(?:: .*)?",
)  # fmt: skip
NEWS = (
    r"(?:WHO shot WHO down|WHO missed WHO|WHO (?:was|were) (?:lost|bounced out of the fight|brought down by flak)|"
    r"WHO (?:bombed without effect|devastated the target|dropped no bombs)|CITY was devastated|no bombs fell|"
    r", and |, | and )+"
)
SCORE = rf"first (\d+)? ?victory|, (\d+) in all|left them (\d+)|now had (\d+)|: ({POINTS})"  # what the Allies had then


def of_a_game(pack: Pack, mission: Mission, parts: list[list[Sentence]]) -> Iterator[str]:
    """List where the story of a game of cards differs from its journal."""
    labels = {plane: str(spec["label"]) for plane, spec in pack.sheet.index["plane"].items()}
    cities = "|".join(re.escape(str(spec["label"])) for spec in pack.sheet.index["target"].values())
    name = "|".join(map(re.escape, sorted(labels.values(), key=len, reverse=True)))
    one = rf"(?:{name})(?: \(\w+(?: times)?\))?"
    planes = rf"{one}(?:(?:, | and ){one})*"
    who = rf"(?:(?:{planes}|it|they) )?"  # after `and` the same plane may go on
    news = NEWS.replace("WHO ", who).replace("WHO", f"(?:{planes}|it|they)").replace("CITY", f"(?:{cities})")
    patterns = [each.replace("PLANES", planes).replace("CITY", f"(?:{cities})").replace("NEWS", news) for each in RAIDS]
    was, turn, gains, totals = Counter[tuple[str, ...]](), "0", Counter[tuple[str, int]](), set[tuple[str, int]]()
    lost, bombed = set[str](), False
    state = dict(rewound(mission, 0).state)
    for entry in mission.journal.entries[: mission.journal.position]:
        before, changes = state, entry.get("c", {})
        state = {**before, **{field: value for field, (_, value) in changes.items()}}
        turn = str(state.get("turn") or turn)
        if entry["t"] in ("cards", "build") and (side := str(entry.get("o")).removeprefix("card-")) in (
            "allied",
            "axis",
        ):
            was["cards", side] += 1
        if "victory.points" in changes:
            now = int(state.get("victory.points") or 0)
            gains[turn, now - int(before.get("victory.points") or 0)] += 1
            totals.add((turn, now))
        bombed |= entry["t"] == "shot" and state.get("fire") == "bombs"
        if "here" in changes:
            was["raids", turn] += changes["here"][1] != "none"
            was["idle", turn] += changes["here"][0] not in (None, "none") and not bombed
            bombed = False
        if entry["t"] == "shot" and state.get("fire") == "bombs":
            was["bombed", turn, labels[str(state["firer"])]] += 1
        for field, (former, now) in changes.items():
            head, _, member = field.partition(".")
            if head == "pile" and (former, now) == ("available", "researched"):
                was["lost", labels[member]] += 1
                was["lost", turn] += 1
                lost.add(member)
            elif head == "pile" and (former, now) == ("researched", "available"):
                was["replaced" if member in lost else "built", labels[member]] += 1
            elif head == "devastated" and now == "yes":
                was["devastated", turn] += 1
    facts, says = Facts(pack.sheet, mission.state), Counter[tuple[str, ...]]()
    score = "0"
    for text in (each.text for part in parts for each in part):
        found = re.match(IN, text)
        turns = numbers(found[1] or found[2]) if found else []
        for sentence in re.split(r"(?<=\.) (?=[A-Z])", re.sub(f"^{IN}", "", text)):
            if not any(re.fullmatch(each, sentence.rstrip("."), re.IGNORECASE) for each in patterns):
                yield f"not understood: {sentence}"
            if found := re.search(rf"(?:Allies|Axis) (lost|replaced|built) ({planes})", sentence):
                for plane, many in re.findall(rf"({name})(?: \((\w+)(?: times)?\))?", found[2]):
                    times = 2 if many == "twice" else NUMBERS.index(many) if many else 1
                    says[found[1], plane] += times * max(1, len(turns))
        for each in turns:
            says["devastated", each] += text.count("devastated")
            fallen = re.findall(rf"shot (?:{name}|it) down|(?:{one}|it|and) was brought|{planes} were brought", text)
            says["lost", each] += sum(max(1, len(re.findall(name, plane))) for plane in fallen)
            for who in re.findall(rf"({planes})(?: went to [^:.]*?)? dropped no bombs", text):
                yield from (f"{plane} bombed" for plane in re.findall(name, who) if was["bombed", each, plane])
            says["idle", each] += text.count("no bombs fell")
            if "no raid was flown" in text and was["raids", each]:
                yield f"turn {each}: a raid was flown"
            if (
                found := re.search(r"(?:The raids?|Each raid) gave the Allies (?:their first )?(\d+)?", text)
            ) and not gains[each, int(found[1] or 1)]:
                yield f"turn {each}: told {found[0]}, were {gains}"
        for found in re.finditer(SCORE, text):
            score = next(filter(None, found.groups()), "1").split()[0]
            if turns and (turns[-1], int(score)) not in totals and "ach raid" not in text:
                yield f"turn {turns[-1]}: told {score} points in all"
        if found := re.search(r"(Surrender|The last turn card) ended", text):
            says["end", found[1]] += 1
        if found := re.search(r"event cards for points were played by (.*)\.", text, re.IGNORECASE):
            for side, many in re.findall(r"the (Allies|Axis)(?: \((\w+)(?: times)?\))?", found[1]):
                key = "allied" if side == "Allies" else "axis"
                says["cards", key] += 2 if many == "twice" else NUMBERS.index(many) if many in NUMBERS else 1
    over = facts["step"] == "end" or facts["winner"] != "none"
    if over and score != str(facts["points.final"]):
        yield f"the last score told is {score}, the final one {facts['points.final']}"
    was["end", "Surrender" if facts["surrender"] == "yes" else "The last turn card"] += over
    for key in {*was, *says} - {each for each in was if each[0] in ("raids", "bombed")}:
        some = key[0] in ("built", "cards", "idle") or key[1].isdigit() and key[0] in ("lost", "devastated")
        if not (0 if some else was[key]) <= says[key] <= was[key]:
            yield f"{' '.join(key)}: told {says[key]}, was {was[key]}"


def numbers(listed: str) -> list[str]:
    """Return the turns of a list: `1 to 3 and 5`."""
    runs = re.findall(r"(\d+)(?: to (\d+))?", listed)
    return [str(turn) for first, last in runs for turn in range(int(first), int(last or first) + 1)]
