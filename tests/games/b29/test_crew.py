"""The crew: who moves where, who is carried, and what each may do in another position (7.4 to 7.6)."""

import pytest

from companion.cli.flyer import changes_in_all
from companion.engine.dice import Hand
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.members import moved
from companion.problems import UserError
from companion.render.describe import changes_of
from tests.games.b29.table import ALL, HANGING, NIGHT, OVER, THIN
from tests.support import Moment, Run, again, begin, check, counted, moments, set_up

ELSEWHERE = {
    "radar-operator": "crew.radar-operator=kia seat.radar-operator=cfc seat.cfc=radar-operator",
    "bombardier": "crew.bombardier=kia seat.bombardier=radio-operator seat.radio-operator=bombardier",
}


@pytest.mark.section("b29 6-6", "b29 6-6 note")
@pytest.mark.parametrize(("state", "lost"), [("crew.bombardier=kia", "no"), ("", "yes")])
def test_only_a_bombardier_lost_to_this_flak_throws_the_run(b29: Pack, state: str, lost: str) -> None:
    """6-6 and RULINGS B49: lost earlier, he costs 1; his wound or death on the run itself means off target at once."""
    moment = set_up(b29, OVER + state, "6-2").fly("6-2: 5\n6-3: 4,4\n6-3: 4,4\n6-3: 4,4")
    moment.mission.write({"crew.bombardier": "kia"})
    assert moment["bombardier.lost-to-flak"] == lost
    if lost == "no":
        again(moment, "6-6").fly("6-6: 6")
        assert "bombardier" in counted(moment, "6-6")


RADAR_SEAT = OVER + "formation=out crew.cfc=kia seat.radar-operator=cfc seat.cfc=radar-operator "
STRAY = "set crew.navigator=kia; set zone=12; roll 6-6: 6"
BOTH_HURT = "crew.cfc=serious crew.radio-operator=serious"
TOWN = OVER + "target.type=urban-area "
AIDED = "6-6:completely=0 6-6:bombsight=0 6-6:radar=0"


@pytest.mark.section("b29 7.6 D", "b29 7.5", "b29 5-7 a", "b29 6-6", "b29 6-6 note", "b29 4-3", "b29 7.6 A")
@pytest.mark.section("b29 4.7 A", "b29 4.7 C", "b29 7.3")
@moments(
    ("a substitute who is lost to the flak throws the run too", OVER + "crew.bombardier=kia",
     "set crew.bombardier=ok seat.bombardier=navigator; set flak.run=yes; set crew.bombardier=serious",
     "bombardier.lost-to-flak=yes"),
    ("a frostbitten bombardier was lost before the flak", OVER + "frostbite.bombardier=yes roll=6-2",
     "6-2: 3; set crew.bombardier=kia", "bombardier.lost-to-flak=no"),
    ("a substitute does not lift the loss of the radar man, over the target", RADAR_SEAT + "roll=6-6", "6-6: 6",
     "6-6:radar=-1"),
    ("nor in a storm", RADAR_SEAT + "roll=4-3", "4-3: 2", "4-3:radar!=0"),
    ("a bombardier who sits elsewhere is no ground to give up", OVER + ELSEWHERE["bombardier"], "", "men-missed=0"),
    ("a badly wounded one is", f"{OVER}{ELSEWHERE['bombardier']} crew.radio-operator=serious", "", "men-missed=1"),
    ("a novice is the man, not whoever sits at his table",
     OVER + "seat.navigator=cfc seat.cfc=navigator missions.navigator=20 missions.cfc=3 "
     "book.4-8.novice=1 book.4-8.veteran=-1 roll=4-8", "4-8: 4,4 = on", "4-8:novice=1 4-8:veteran=0"),
    ("a navigator lost on the way costs 1 alone",
     OVER.replace("zone=12 alt", "zone=11 alt").replace("formation=in", "formation=out"), STRAY, "6-6:navigator=-1"),
    ("one lost in the target zone costs nothing", OVER.replace("formation=in", "formation=out"), STRAY,
     "6-6:navigator=0"),
    *[row for man, why in (("radar-operator", "radar"), ("bombardier", "bombardier")) for row in (
        (f"an unhurt {man} in another seat is not lost", OVER + ELSEWHERE[man] + " roll=6-6", "6-6: 6", f"6-6:{why}=0"),
        (f"a wounded {man} there is", OVER + ELSEWHERE[man] + f" {BOTH_HURT} roll=6-6", "6-6: 6", f"6-6:{why}=-1"),
    )],
    *[(f"at his post the radar man makes up for it: {hidden}", TOWN + hidden + " roll=6-6", "6-6: 6", AIDED)
      for hidden in ("visibility=completely", "bombsight=out", "visibility=completely duty.radar-operator=moved")],
    *[(f"with other work or in another seat he does not: {away}", TOWN + f"visibility=completely {away} roll=6-6",
       "6-6: 6", "6-6:completely!=0 6-6:radar=0")
      for away in (*[f"duty.radar-operator={work}" for work in ("repair", "fire", "help")],
                   ELSEWHERE["radar-operator"])],
    ("nor for the sight", TOWN + f"bombsight=out {ELSEWHERE['radar-operator']} roll=6-6", "6-6: 6",
     "6-6:bombsight!=0 6-6:radar=0"),
)  # fmt: skip
def test_whose_loss_counts(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 6-6", "b29 4.5 C2")
@pytest.mark.parametrize(
    ("facts", "add"),
    [({}, -2), ({"course": "off"}, -3), ({"leg": "inbound", "course": "off"}, -2), ({"zone": 11, "course": "off"}, -2)],
)
def test_off_course_counts_however_it_was_written(b29: Pack, facts: dict[str, str | int], add: int) -> None:
    """6-6: -3 instead of -2 at HI after an Off Course result in the target zone, outbound."""
    moment = set_up(b29, OVER)
    moment.mission.write(facts)
    moment.mission.write({"course": "on", "leg": "outbound", "zone": 12})
    again(moment, "6-6").fly("6-6: 6")
    assert sum(each for why, each in moment.modifiers("6-6") if why.startswith("hi")) == add
    assert moment["course.missed-ip"] == (1 if add == -3 else 0)


LOST = THIN.replace("zone=8", "zone=12") + "crew.{0}=kia choose=oxygen-place position=navigator"
CALM = HANGING.replace("step=repair", "step=pressurize") + "bombs=dropped "
NAMED = OVER + (
    "fighter.1.type=zeke fighter.1.clock=12 fighter.1.angle=high slots.fighter=1 intercom=out {} "
    "choose=aim gun=fwd-upper"
)
WOUND = OVER + "crew.cfc=light wounds.cfc=2 setting.wounds=as-b17 roll=7-13 position=cfc"


@pytest.mark.section("b29 7.1", "b29 7.6 A", "b29 7.6 B", "b29 5.3 C")
@moments(
    *[(f"a navigator who breathes in the place of the {place} over the target is not lost", LOST.format(place),
       f"oxygen-place: {place}", "navigator.lost=no navigator.lost-in-target-zone=no")
      for place in ("radio-operator", "bombardier", "cfc")],
    ("who changes seats within the Waist may fire", CALM + "crew.cfc=kia", "move: cfc; who-moves: left-gunner",
     "duty.cfc=none"),
    ("within Nav/Radio too", CALM + "crew.navigator=kia", "move: navigator; who-moves: radio-operator",
     "duty.navigator=none"),
    ("who comes through the tunnel may not", CALM + "crew.cfc=kia", "move: cfc; who-moves: navigator",
     "duty.cfc=moved"),
    ("who carries a man out does nothing else", CALM + "crew.bombardier=kia", "move: bombardier; who-moves: navigator",
     "duty.bombardier=help"),
    ("the die names a bombardier without his sight", NAMED.format("gunsight=out"),
     "aim fwd-upper: 1-die; 5-6 fwd-upper: 2", "aim.fwd-upper!=1"),
    ("or at other work", NAMED.format("duty.bombardier=repair"), "aim fwd-upper: 1-die; 5-6 fwd-upper: 2",
     "aim.fwd-upper!=1"),
    ("or frostbitten: the turret is silent", NAMED.format("frostbite.bombardier=yes"),
     "aim fwd-upper: 1-die; 5-6 fwd-upper: 2", "aim.fwd-upper!=1"),
    ("men who change seats twice are still known", CALM + "crew.navigator=kia",
     "move: navigator; who-moves: radio-operator; set crew.bombardier=kia; choose move: bombardier; "
     "who-moves: navigator",
     "seat.bombardier=radio-operator seat.navigator=bombardier seat.radio-operator=navigator"),
    ("a seat once left and filled since is not left", OVER
     + "leg=inbound formation=out step=pressurize bombs=dropped bomb-run=on crew.cfc=serious",
     "move: no; choose shift position=cfc: left-gunner", "seat.left.cfc!=yes"),
    ("a second light wound is serious", WOUND, "7-13: 3,3 = light", "wounds.cfc=3 crew.cfc=serious"),
    ("a slip of the pencil set right, it is the first", WOUND, "set crew.cfc=ok; 7-13: 3,3 = light",
     "wounds.cfc=1 crew.cfc=light"),
)  # fmt: skip
def test_seats_and_dice(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 6-6", "b29 7.4 A")
def test_a_navigator_who_moved_for_the_oxygen_is_not_lost(b29: Pack) -> None:
    moment = set_up(b29, THIN + "crew.radio-operator=kia").fly("oxygen-place: radio-operator")
    assert (moment["navigator.lost"], moment["duty.radio-operator"]) == ("no", "none")
    moment.mission.write({"zone": 12})
    again(moment, "6-6").fly("6-6: 6")
    assert "navigator" not in counted(moment, "6-6")
    moment.mission.write({"crew.radio-operator": "serious"})
    assert (moment["navigator.lost"], moment["navigator.lost-in-target-zone"]) == ("yes", "yes")


SHORT_AT_LO = THIN.replace("altitude=hi pressurized", "altitude=lo pressurized") + "leg=outbound "


@pytest.mark.section("b29 7.4 A", "b29 7.6 A", "b29 7.6 C", "b29 7.6 E", "b29 7.6 F", "b29 7.3")
@moments(
    ("a dead man's oxygen keeps the bomber up; he is carried out of a full Nose",
     THIN + "crew.bombardier=kia fate.bombardier=kia", "oxygen-place: bombardier; altitude: stay",
     "altitude=hi oxygen.short=no must-descend=no name.bombardier=Gus crew.bombardier=ok fate.bombardier=none "
     "name.navigator=Miles crew.navigator=kia fate.navigator=kia crew.lost=1 duty.bombardier=help"),
    ("without it the bomber comes down", THIN + "crew.bombardier=kia", "oxygen-place: none", "altitude=lo"),
    ("another moves a wounded man", THIN + "crew.bombardier=kia crew.navigator=serious",
     "oxygen-place: bombardier; who-helps: engineer", "crew.bombardier=serious duty.engineer=help"),
    ("the dead man stays in the Waist, where the man on its floor takes his place",
     THIN + "seat.right-gunner=navigator seat.navigator=right-gunner crew.navigator=serious lies.navigator=waist "
     "crew.left-gunner=kia name.left-gunner=Dale", "oxygen-place: left-gunner; who-helps: cfc",
     "name.left-gunner=Gus crew.left-gunner=serious lies.left-gunner=none "
     "name.navigator=Dale crew.navigator=kia place.navigator=waist"),
    ("a pilot stays at his post", THIN + "oxygen.navigator=0 oxygen.copilot=2 crew.bombardier=kia", "",
     "asked!=oxygen-place altitude=lo"),
    ("no climb while a man lacks oxygen", SHORT_AT_LO, "", "asked!=altitude altitude=lo"),
    ("up again once he has it, but never back into formation", SHORT_AT_LO + "crew.bombardier=kia",
     "oxygen-place: bombardier", "asked=altitude options=med,stay formation.barred=yes"),
    ("the pilot's place is for the engineer, who has oxygen", THIN + "crew.copilot=kia fate.copilot=kia", "",
     "altitude=lo"),
    ("a frostbitten engineer leaves it to others", THIN + "crew.copilot=kia fate.copilot=kia frostbite.engineer=yes",
     "", "option=copilot"),
)  # fmt: skip
def test_a_man_without_oxygen(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7.4 A")
@pytest.mark.parametrize(
    ("more", "offered"),
    [
        ("crew.bombardier=kia oxygen.bombardier=2", []),  # his is shot up as well
        ("crew.bombardier=serious", []),  # he needs it himself
        ("crew.bombardier=kia oxygen.tanks=2", []),  # no supply at all
        ("crew.cfc=kia", ["cfc"]),  # through the tunnel, or anywhere in an open bomber
        ("crew.cfc=kia crew.tail-gunner=kia", ["cfc", "tail-gunner"]),
        ("crew.navigator=serious crew.cfc=kia", []),  # never carried between Waist and Nav/Radio (7.6 C)
        ("crew.navigator=serious crew.bombardier=kia", ["bombardier"]),
        ("crew.left-gunner=absent", ["left-gunner"]),
    ],
)
def test_whose_place_is_free(b29: Pack, more: str, offered: list[str]) -> None:
    moment = set_up(b29, THIN + more).fly("")
    assert (moment.asked == "oxygen-place") == bool(offered)
    if offered:
        assert moment.options == [*offered, "none"]


ROUND = "fighter.1.type=nick fighter.1.clock=6 fighter.1.angle=level slots.fighter=1 step=round round=2 "
FIGHT = OVER + ROUND + "setting.ammunition=uncounted setting.passing-shots=no "
UNSEEN = NIGHT + (
    "turn=12 zone=12 altitude=lo formation=none weather=good fuel.wing=20 log.gazetteer.12=0 log.below.12=land "
    "step=passing round=1 fighter.2.type=nick fighter.2.clock=6 fighter.2.angle=low fighter.2.spotted=no "
    "slots.fighter=2 aim.aft-upper=1 aim.aft-upper.by=right-gunner crew.cfc=kia setting.ammunition=uncounted "
)
NO_PILOT = HANGING.replace("step=repair", "step=carry-on") + "bombs=dropped crew.pilot=kia crew.copilot=serious "


@pytest.mark.section("b29 7.6 B", "b29 7.6 F", "b29 5.8 E", "b29 8.5")
@moments(
    ("between rounds those of the compartment may take a wounded man's seat", FIGHT, "set crew.cfc=serious",
     "asked=shift usual=nobody options=nobody,left-gunner,radar-operator,right-gunner"),
    ("whoever takes it fires at once", FIGHT, "set crew.cfc=serious; shift: left-gunner; aim aft-lower: 1-cfc",
     "crew.cfc=ok seat.cfc=left-gunner crew.left-gunner=serious duty.cfc=none aim.aft-lower.by=cfc"),
    ("also where the man before had moved",
     FIGHT + "seat.cfc=radio-operator seat.radio-operator=cfc crew.radio-operator=kia duty.cfc=moved",
     "set crew.cfc=serious; shift: left-gunner; aim aft-lower: 1-cfc", "aim.aft-lower.by=cfc"),
    ("at night those who have fired stay where they are", UNSEEN, "",
     "asked=shift options=nobody,left-gunner,radar-operator"),
    ("and the others answer from their new seats", UNSEEN, "shift: left-gunner; aim fwd-lower: hold", "option=2-cfc"),
    ("the engineer takes over first", NO_PILOT, "move: pilot", "seat.pilot=engineer flier=pilot"),
    ("with him dead anyone may, whoever sits in his seat",
     NO_PILOT + "seat.engineer=radio-operator seat.radio-operator=engineer crew.radio-operator=kia", "move: pilot",
     "options=bombardier,navigator,engineer,cfc,left-gunner,right-gunner,radar-operator"),
    ("he is the man and not his seat", NO_PILOT + "seat.engineer=cfc seat.cfc=engineer crew.engineer=kia",
     "move: pilot", "seat.pilot=engineer seat.cfc=pilot"),
    ("whom the landing has killed is no prisoner",
     OVER.replace("altitude=hi", "altitude=lo") + "land.at=japan below=land roll=8-1",
     "8-1: 1,1 = wrecked; crew-hurt: all-killed", " ".join(f"fate.{man}=kia" for man in ALL)),
)  # fmt: skip
def test_seats_in_a_fight_and_at_the_controls(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


def test_a_declined_move_is_offered_again_after_a_change(b29: Pack) -> None:
    """7.6 B; a man in another compartment moves only at the start of a turn (7.6 A)."""
    moment = set_up(b29, OVER + ROUND + "setting.ammunition=uncounted setting.passing-shots=no crew.cfc=kia")
    moment.fly("shift: nobody\n")
    assert moment.asked == "aim"
    moment.take_up({"step": "round", "crew.bombardier": "kia", "shift.answered.cfc": moment["shift.now.cfc"]})
    assert moment.asked == "shift"  # another man lost may change his mind
    moment.fly("shift: nobody\n")
    assert moment.asked == "aim"  # nobody else sits in the Nose who may leave his post


@pytest.mark.section("b29 7.6 F", "b29 7.6 C")
def test_an_engineer_who_was_busy_takes_the_pilots_seat_a_turn_later(b29: Pack) -> None:
    sheet = HANGING.replace("step=repair", "step=carry-on") + "bombs=dropped crew.pilot=kia crew.copilot=serious "
    moment = set_up(b29, sheet + "duty.engineer=help").fly("move: no")
    moment.take_up({"turn": 14, "step": "pressurize"})
    assert (moment.asked, "pilot" in moment.options, "no" in moment.options) == ("move", True, False)
    moment.fly("move: pilot\n")
    assert moment["seat.pilot"] == "engineer"


# -- men who are busy elsewhere, and edits by the player ---------------------------------------------------------------


@pytest.mark.section("b29 4.2 D", "b29 7.6 A", "b29 7-3 e")
@pytest.mark.parametrize(("gone", "found"), [("", True), ("duty.engineer=repair visits.engineer=aft-bomb-bay", False)])
def test_the_seat_of_a_man_in_the_bay_is_empty(b29: Pack, gone: str, found: bool) -> None:
    moment = set_up(b29, OVER + gone, "4.2D").fly("4.2D: 6,6\n4.2D.who: 2\n4.2D.nav-radio: 1")
    assert (moment.results[2].text == "Flight engineer") == found
    again(moment, "7-2").fly("7-2: 3,3\n7-2.crew: 1")
    assert (moment["struck.engineer"] == "The Flight engineer is hit") == found


@pytest.mark.section("b29 6.2 F dead", "b29 7-3 e", "b29 7-3 f")
@pytest.mark.parametrize(
    ("choice", "state", "area", "engineer"),
    [
        ("motor-man", "doors.fwd=jammed-open load.fwd=gone", "fwd-bomb-bay", "kia"),
        ("motor-man", "doors.fwd=jammed-open load.fwd=gone", "nav-radio", "ok"),
        ("bay-man", "release.fwd=out", "nav-radio", "ok"),
    ],
)
def test_a_burst_finds_the_man_in_the_bay(b29: Pack, choice: str, state: str, area: str, engineer: str) -> None:
    moment = set_up(b29, OVER + f"bomb-run=on load.aft=gone step=more-flak {state}")
    moment.mission.pending = [
        Pending.of({"choose": choice, "bind": {"bay": "fwd"}, "born": 1}),
        Pending.of({"roll": "6.2F", "bind": {"area": area}, "born": 1}),
    ]
    moment.fly(f"{choice}: engineer" + ("\n7-3.motor: 6" if choice == "motor-man" else ""))
    assert moment["crew.engineer"] == engineer


SEATS = HANGING.replace("step=repair", "step=pressurize") + "bombs=dropped "
OPEN = SEATS.replace("pressurized=yes", "pressurized=no")
ROOMS = ("nose", "nav-radio", "waist", "utility", "tail")


def crowd(moment: Moment) -> list[int]:
    """Return how many men are in each room."""
    return [moment[f"men-in.{room}"] for room in ROOMS]


@pytest.mark.section("b29 7.6 A", "b29 7.6 C")
@pytest.mark.parametrize(("state", "after"), [("serious", "seriously wounded"), ("kia", "dead")])
@pytest.mark.parametrize(("who", "men"), [("left-gunner", [3, 4, 3, 0, 1]), ("navigator", [3, 3, 4, 0, 1])])
def test_the_nose_holds_three(b29: Pack, state: str, after: str, who: str, men: list[int]) -> None:
    moment = set_up(b29, SEATS + f"crew.bombardier={state} name.bombardier=Miles").fly("move: bombardier")
    assert moment["into.first"] == (
        " First he carries the Bombardier into the Nav/Radio section; he does nothing else this turn."
    )
    assert moment.words["navigator"] == "the Navigator, unhurt"
    moment.fly(f"who-moves: {who}")
    assert (moment[f"name.{who}"], moment[f"state.{who}"], moment[f"place.{who}"]) == ("Miles", after, "nav-radio")
    assert (moment["place.bombardier"], moment["duty.bombardier"], crowd(moment)) == ("nose", "help", men)


def rooms(*men: int) -> str:
    """Return how many men are in the Nose, Nav/Radio, the Waist, Utility and the Tail, in words."""
    return " ".join(f"men-in.{room}={count}" for room, count in zip(ROOMS, men, strict=True))


CLIMB = "step=altitude turn=9 zone=8 altitude=lo formation=out weather=good bombs=dropped crew.tail-gunner=serious "
TWO_DEAD = "crew.cfc=kia crew.left-gunner=kia"
NO_WAIST = OVER + " ".join(f"crew.{man}=kia" for man in ("cfc", "left-gunner", "right-gunner", "radar-operator"))
FRONT = "pilot copilot bombardier navigator engineer radio-operator".split()
NO_FRONT = " ".join(f"crew.{man}=kia" for man in FRONT)
HOLED = NO_FRONT + " tunnel=compromised"
NOBODY_FIRST = "crew.pilot=kia crew.copilot=serious crew.engineer=kia book.8-1.other-flies=-4"


@pytest.mark.section("b29 7.3", "b29 7.6 A", "b29 7.6 B", "b29 7.6 C", "b29 7.6 F", "b29 7.4 A", "b29 6.2 F")
@pytest.mark.section("b29 4.2 B")
@moments(
    ("Nav/Radio has room: the engineer lies on its floor", SEATS + "crew.engineer=serious",
     "move: engineer; who-moves: cfc", "place.cfc=nav-radio quarters.cfc=nose " + rooms(3, 4, 3, 0, 1)),
    ("within a compartment two change places", SEATS + "crew.cfc=serious", "move: cfc; who-moves: left-gunner",
     "seated.left-gunner=yes duty.cfc=none " + rooms(3, 3, 4, 0, 1)),
    ("the Waist holds five", SEATS + TWO_DEAD, "move: cfc; who-moves: radio-operator", rooms(3, 2, 5, 0, 1)),
    ("no second man from Nav/Radio finds room in it", SEATS + TWO_DEAD,
     "move: cfc; who-moves: radio-operator; move: left-gunner", "options=nobody,right-gunner,radar-operator"),
    ("but for the dead man who is carried into an open Utility", OPEN + TWO_DEAD,
     "move: cfc; who-moves: radio-operator; move: left-gunner; who-moves: navigator", rooms(3, 1, 5, 1, 1)),
    ("with a wounded man in Utility she climbs open", CLIMB + "lies.tail-gunner=utility choose=altitude",
     "altitude: med", "pressurized=no"),
    ("in the Waist he has pressure", CLIMB + "lies.tail-gunner=waist choose=altitude", "altitude: med",
     "pressurized=yes"),
    ("a seat that nobody can reach is not offered", SEATS + "crew.tail-gunner=kia crew.cfc=kia", "",
     "options=no,open,cfc"),
    ("into a full Nose one carries the wounded man, another the dead man out",
     THIN + "crew.navigator=serious crew.bombardier=kia",
     "oxygen-place: bombardier; who-helps: engineer; who-carries-out: radio-operator",
     "duty.engineer=help duty.radio-operator=help crew.bombardier=serious place.navigator=nav-radio "
     + rooms(3, 3, 4, 0, 1)),
    ("no wounds are rolled for the dead of the Waist", NO_WAIST + " roll=7-6", "7-6: 3,4; 7-6: crew",
     "rolled!=7-6.crew asked!=7-6.crew rolled!=7-13 asked!=7-13"),
    ("nor for a dead tail gunner", OVER + "crew.tail-gunner=kia roll=7-8", "7-8: 3,4; 7-8: crew",
     "rolled!=7-13 asked!=7-13"),
    ("a row that names the dead and the living hurts the living (B51)", OVER + "crew.bombardier=kia roll=7-1",
     "7-1: 3,3; 7-1.crew: 5; 7-13: 3; 7-13: light; 7-13: 4; 7-13: light",
     "crew.pilot=light crew.copilot=light asked=7-1.b"),
    ("as many seats are filled as there are men for", SEATS + "crew.bombardier=serious crew.navigator=kia",
     "move: bombardier; who-moves: right-gunner; move: navigator; who-moves: radio-operator",
     "seat.bombardier=right-gunner seat.navigator=radio-operator"),
    ("whoever is to fly comes through the tunnel", SEATS + NO_FRONT, "",
     "asked=move usual=pilot option!=no pressurized=yes"),
    ("or past a holed one through the open bomber", SEATS + HOLED, "",
     "asked=move usual=pilot option!=no pressurized=no"),
    ("and flies her", SEATS + HOLED, "move: pilot; who-moves: cfc", "flier=pilot"),
    ("another seat left empty leaves the pilot's seat to be filled", SEATS + NO_FRONT + " crew.right-gunner=kia",
     "move: right-gunner; who-moves: nobody", "asked=move usual=pilot option!=no"),
    ("in the open bomber too", OPEN + HOLED + " crew.right-gunner=kia",
     "move: right-gunner; who-moves: nobody; move: pilot; who-moves: cfc", "flier=pilot"),
    ("without the engineer anybody flies", SEATS + NOBODY_FIRST,
     "move: pilot; who-moves: navigator; roll 8-1: 3,4 = safe", "seat.pilot=navigator may-evade=no 8-1:other-flies=-4"),
    ("with one pilot lost the other stays where he is", SEATS + "crew.pilot=kia", "", "asked!=move"),
    ("carried out of a holed Tail he lies in Utility", SEATS.replace("step=pressurize", "step=fuel-wing")
     + "crew.tail-gunner=serious pressure.tail=compromised cold.tail=12", "4.2D: 3,3; carry-on: radar-operator",
     "place.tail-gunner=utility duty.radar-operator=help can-close=no " + rooms(3, 3, 4, 1, 0)),
    ("the place of a frostbitten man is taken", SEATS + "frostbite.right-gunner=yes",
     "choose move: right-gunner; who-moves: navigator", "seat.right-gunner=navigator"),
)  # fmt: skip
def test_crew_moves_between_compartments(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7.6 A", "b29 7.6 C")
def test_a_wounded_tail_gunner_comes_forward_a_compartment_a_turn(b29: Pack) -> None:
    """7.6 A, C: the Tail holds one man. Utility is never pressurized, so the bomber stays open while he is there."""
    moment = set_up(b29, OPEN + "crew.tail-gunner=serious").fly("move: tail-gunner\nwho-moves: right-gunner")
    assert (moment["place.right-gunner"], crowd(moment)) == ("utility", [3, 3, 3, 1, 1])
    assert (moment["can-close"], moment["quarters.right-gunner"]) == ("no", "none")
    moment.take_up({"turn": 14, "step": "fuel-wing"})
    assert moment.asked == "carry-on"  # and not whether we close up
    moment.fly("carry-on: cfc")
    assert (moment["place.right-gunner"], moment["duty.cfc"], crowd(moment)) == ("waist", "help", [3, 3, 4, 0, 1])
    assert moment["can-close"] == "yes"


@pytest.mark.section("b29 7.6 D")
def test_an_empty_seat_takes_no_hits(b29: Pack) -> None:
    moment = set_up(b29, SEATS + "crew.bombardier=serious").fly("move: bombardier\nwho-moves: left-gunner")
    again(moment, "7-6").fly("7-6: 3,3\n7-6: crew\n7-6.crew: 3\n7-6.crew: left-gunner")
    assert "The seat of the left gunner: nobody there to be hurt" in [each.text for each in moment.results]
    assert "7-13" not in [moment.asked, *moment.tables]
    again(moment, "7-1").fly("7-1: 3,3\n7-1.crew: 4")
    assert moment.asked == "7-13"


@pytest.mark.section("b29 7-1 note")
def test_a_carried_man_rolls_for_wounds_too(b29: Pack) -> None:
    moment = set_up(b29, SEATS + "crew.engineer=serious crew.cfc=serious lies.engineer=nav-radio lies.cfc=waist")
    again(moment, "7-2").fly("7-2: 3,3\n7-2.crew: 3")
    assert moment.positions("7-13") == ["navigator", "engineer"]
    again(moment, "7-6").fly("7-6: 3,3\n7-6: crew\n7-6.crew: 3\n7-6.crew: left-gunner")
    assert moment.positions("7-13") == ["left-gunner", "cfc"]


@pytest.mark.section("b29 7.3")
def test_cold_and_blast_hit_a_man_where_he_was_carried(b29: Pack) -> None:
    moment = set_up(b29, SEATS + "crew.bombardier=serious")
    moment.fly("move: bombardier\nwho-moves: left-gunner")  # he is on the sheet as left gunner, and is in Nav/Radio
    again(moment, "7-11", room="nose").fly("7-11: 3,3=wounds")
    hurt = moment.positions("7-13")
    assert sorted(hurt) == ["bombardier", "copilot", "engineer", "left-gunner", "navigator", "pilot", "radio-operator"]
    again(moment, "7-11", room="waist").fly("7-11: 3,3=wounds")
    assert sorted(moment.positions("7-13")) == ["cfc", "radar-operator", "right-gunner"]


FEED = OPEN + "crew.tail-gunner=kia lies.tail-gunner=utility crew.cfc=kia lies.cfc=utility gun.aft-lower=jammed {}"
HOLED_TAIL = SEATS.replace("step=pressurize", "step=fuel-wing") + "pressure.tail=compromised cold.tail=12 "
CARRIED = OPEN.replace("step=pressurize", "step=fuel-wing") + (
    "crew.tail-gunner=serious pressure.tail=compromised zone=6 leg=inbound cold.tail=14 altitude="
)


@pytest.mark.section("b29 7.6 A", "b29 7.6 C", "b29 5-7 a", "b29 4.2 B")
@moments(
    ("in Utility a third man clears a gun", FEED.format("choose=repair gun=aft-lower"),
     "repair: right-gunner; 5-7.a: 6", "holds-more.utility=no"),
    ("until the turn is over", FEED.format("choose=repair gun=aft-lower"),
     "repair: right-gunner; 5-7.a: 6; set turn=14", "holds-more.utility=yes"),
    ("it holds no fourth", FEED.format("crew.left-gunner=kia lies.left-gunner=utility choose=repair gun=aft-lower"), "",
     "option!=right-gunner"),
    ("a badly wounded man in a holed room has her opened", HOLED_TAIL + "crew.tail-gunner=serious", "",
     "pressurized=no rolled=open-for-wounded can-close=no"),
    ("a frostbitten one has rules of his own", HOLED_TAIL + "frostbite.tail-gunner=yes", "",
     "pressurized=yes rolled!=open-for-wounded"),
    ("a light wound is none", HOLED_TAIL + "crew.tail-gunner=light", "", "pressurized=yes rolled!=open-for-wounded"),
    ("nor a dead man", HOLED_TAIL + "crew.tail-gunner=kia", "", "pressurized=yes rolled!=open-for-wounded"),
    ("nor one whose room holds its pressure", HOLED_TAIL + "crew.left-gunner=serious", "",
     "pressurized=yes rolled!=open-for-wounded"),
    ("he is carried to where there is pressure", CARRIED + "med", "", "asked=carry-on"),
    ("at LO too while she is to climb", CARRIED + "lo leg=outbound bombs=aboard", "", "asked=carry-on"),
    ("not on the way home there", CARRIED + "lo", "", "asked!=carry-on"),
    ("nor to a target at LO", CARRIED + "lo leg=outbound mission.altitude=lo", "", "asked!=carry-on"),
    ("nor after an abort", CARRIED + "lo leg=outbound aborted=yes", "", "asked!=carry-on"),
    ("nor where she never has pressure again", CARRIED + "hi pressurization=lost", "", "asked!=carry-on"),
    ("nor where it is no better", CARRIED + "hi pressure.waist=compromised", "", "asked!=carry-on"),
)  # fmt: skip
def test_the_wounded_and_the_pressure(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7.6 C", "b29 7.3")
def test_left_in_utility_he_is_asked_about_again_when_it_grows_cold(b29: Pack) -> None:
    lies = "crew.tail-gunner=serious lies.tail-gunner=utility seat.left.tail-gunner=yes cold.since=13"
    moment = set_up(b29, OPEN + lies).fly("carry-on: nobody\n")
    for turn, asked in ((14, False), (15, True), (16, False)):
        moment.take_up({"turn": turn, "step": "pressurize"})
        assert (moment.asked == "carry-on") == asked
        if asked:
            moment.fly("carry-on: nobody\n")


@pytest.mark.section("b29 7.6 C")
def test_by_hand_an_order_says_that_he_may_not_stay_there(b29: Pack) -> None:
    moment = set_up(b29, SEATS + "crew.tail-gunner=serious")
    moment.mission.write({"pressure.tail": "compromised"})
    hurt = "Tail gunner: wounded in an unpressurized room"
    assert any(hurt in item.name for item in moment.mission.pending)
    moment.mission.write({"pressurized": "no"})
    assert not any(hurt in item.name for item in moment.mission.pending)


def test_orders_of_a_flight_end_with_it(b29: Pack) -> None:
    moment = set_up(b29, SEATS + "crew.tail-gunner=serious")
    moment.mission.write({"pressure.tail": "compromised", "engine.1": "out"})
    assert len([item for item in moment.mission.pending if item.kind == "order"]) >= 2
    moment.mission.write({"bomber.fate": "destroyed"})
    assert [item for item in moment.mission.pending if item.kind == "order"] == []


@pytest.mark.section("b29 7.6 D", "b29 7.6 F")
def test_the_engineer_takes_the_pilots_seat(b29: Pack) -> None:
    """7.6 F, D: with both pilots lost he is first without a question, and hits on the pilot's seat hit him."""
    moment = set_up(b29, SEATS + "crew.pilot=serious crew.copilot=kia name.engineer=Walt book.8-1.engineer-flies=-2")
    moment.fly("")
    assert moment.options == ["pilot", "open"]  # it may not be left
    moment.fly("move: pilot")
    assert (moment["name.pilot"], moment["place.engineer"], moment["duty.pilot"]) == ("Walt", "nav-radio", "help")
    assert (moment["may-evade"], moment["flier"], crowd(moment)) == ("no", "pilot", [3, 3, 4, 0, 1])
    assert moment.options == ["no", "open", "engineer"]  # his own seat can be filled in turn
    again(moment, "7-1").fly("7-1: 3,3\n7-1.crew: 2")
    assert moment.positions("7-13") == ["pilot"]
    again(moment, "8-1").fly("8-1: 3,4 = safe")
    assert ("engineer-flies", -2) in moment.modifiers("8-1")


@pytest.mark.section("b29 7.6 A")
@pytest.mark.parametrize("state", ["serious", "kia"])
def test_a_change_of_places_is_told_in_one_line(b29: Pack, state: str) -> None:
    moment = set_up(b29, SEATS + f"crew.engineer={state} name.engineer=Walt name.cfc=Roy kills.cfc=2")
    results = moved(moment.mission, "cfc", "engineer")
    told = "The Central fire controller takes the Flight engineer's place"
    assert [line for each in results for line in changes_of(each.shown, b29).events()] == [told]
    assert changes_in_all(results, b29).events() == [told]
    assert (moment["name.engineer"], moment["kills.engineer"], moment["crew.cfc"]) == ("Roy", 2, state)


@pytest.mark.section("b29 7.6 D", "b29 7.6 B")
@pytest.mark.parametrize(("who", "where"), [("left gunner", "cfc"), ("cfc", "left gunner")])
def test_no_man_leaves_his_seat_before_his_die_is_rolled(b29: Pack, who: str, where: str) -> None:
    moment = set_up(b29, OVER, "7-13", position="left-gunner")
    with pytest.raises(UserError, match="^Left gunner: 7-13 comes first$"):
        moved(moment.mission, who, where)
    assert moved(moment.mission, "right gunner", "cfc")
    moment.mission.roll(None, Hand(), outcome="light")
    assert moved(moment.mission, who, where)


@pytest.mark.section("b29 7.3", "b29 7-3 e", "b29 5-7 a")
@pytest.mark.parametrize(
    ("holed", "away", "freeze"),
    [
        ("nose", "visits.engineer=fwd-bomb-bay", "pilot copilot bombardier navigator radio-operator"),
        ("waist", "visits.cfc=utility", "left-gunner right-gunner radar-operator"),
        ("waist", "visits.navigator=waist", "navigator cfc left-gunner right-gunner radar-operator"),
        ("tail", "visits.tail-gunner=utility", ""),
    ],
)
def test_a_man_working_elsewhere_gets_no_frostbite_in_his_room(b29: Pack, holed: str, away: str, freeze: str) -> None:
    moment = set_up(
        b29, HANGING.replace("step=repair", "step=cold") + f"pressure.{holed}=compromised cold.{holed}=2 {away}"
    )
    moment.fly("")
    cold = {str(each.bind["position"]) for each in moment.mission.pending if each.is_for("roll", "7-14")}
    assert cold == set(freeze.split())


@pytest.mark.section("b29 7.3")
def test_frostbite_for_all_includes_men_working_elsewhere(b29: Pack) -> None:
    opened = HANGING.replace("pressurized=yes", "pressurized=no").replace("step=repair", "step=oxygen")
    moment = set_up(
        b29,
        opened + "pressurization=lost cold.since=2 pressure.nose=compromised cold.nose=2 visits.engineer=fwd-bomb-bay",
    )
    moment.fly("7.3: 1")
    cold = moment.positions("7-14")
    assert "engineer" in cold and len(cold) == len(set(cold))


@pytest.mark.section("b29 4.2 B", "b29 7.6 A")
def test_a_man_working_elsewhere_is_not_hurt_by_a_burst_in_his_room(b29: Pack) -> None:
    moment = set_up(b29, HANGING + "visits.cfc=utility roll=7-11 room=waist").fly("7-11: 1,1 = wounds")
    hurt = {str(each.bind["position"]) for each in moment.mission.pending if each.is_for("roll", "7-13")}
    assert hurt == {"left-gunner", "right-gunner", "radar-operator"}


@pytest.mark.section("b29 7.6 B", "b29 7.6 D")
def test_the_man_who_is_hit_is_named_not_his_seat(b29: Pack) -> None:
    """The radar operator is hit in the left gunner's seat, and dies of it after landing."""
    mission = set_up(b29, OPEN + "name.radar-operator=Abe").mission
    moved(mission, "radar operator", "left gunner")
    hurt = mission.roll("7-13", Hand([[6, 6]]), {"position": "left-gunner"}, outcome="serious")[0]
    assert hurt.text == "Abe (Radar operator): seriously wounded, no more duty"
    fate = mission.roll("7-13.fate", Hand([[1]]), {"position": "left-gunner"}, outcome="died-of-wounds")[0]
    assert fate.text == "Abe (Radar operator): died of wounds"


@pytest.mark.section("b29 9.1")
def test_a_man_in_another_seat_is_settled_at_that_seat(companion: Run) -> None:
    begin(companion, "b29")
    companion("set", "crew.radar-operator=serious", "name.radar-operator=Roy Castellano", "name.cfc=Abe Feldman")
    companion("set", "bomber.fate=returned", "target.city=kobe")
    refused = companion("mission", "start", "--yes")
    assert refused.code == 2
    assert 'companion roll 7-13.fate --with "position=Radar operator"' in refused.err
    companion("roll", "7-13.fate", "--with", "position=radar-operator", "--outcome", "duty")
    assert companion("mission", "start", "--yes").code == 0
