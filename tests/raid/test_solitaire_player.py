"""6.3 (c), R33: the CloneMaster's side without a player, move by move on prepared positions."""

import random

import msgspec
import pytest

from engine.bots import make_bot
from engine.bots.solitaire import SolitairePlayer
from engine.core.decision import Choice
from engine.core.match import play as play_out
from engine.core.takeback import AnswerTakeback, AskTakeback
from engine.fortress.floorplan import FloorPlan
from engine.raid import redact, rules
from engine.raid.choices import (
    ChooseCounters,
    Discard,
    EndPhase,
    Enter,
    LoseAbility,
    Move,
    NameTarget,
    PlayCounter,
    Ready,
    SetAbilities,
    Shoot,
    Throw,
    UntrainedAttack,
)
from engine.raid.match import RaidMatch
from engine.raid.scenario import Reinforcement, load_scenario
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    asked,
    c,
    decision,
    fight,
    go_until,
    kind,
    match,
    plan,
    play,
    position,
    t,
)
from tests.raid.test_contracts import twist

HALL = plan("AAAAAAAAAA\nAAAAAAAAAA\nAAAAAAAAAA")


def player(game: RaidMatch, seed: str = "lines") -> SolitairePlayer:
    """Return the player, seated."""
    bot = make_bot("solitaire", seed)
    assert isinstance(bot, SolitairePlayer)
    bot.begin(C, game.scenario, game.board)
    return bot


def choice_of(game: RaidMatch, seed: str = "lines") -> tuple[Choice | None, str]:
    """Return what the player chooses now, and the line that he says it follows."""
    bot = player(game, seed)
    return bot.decide(game.view(C), decision(game, C)), bot.said


def moves_of(game: RaidMatch, seed: str = "lines") -> dict[str, tuple[int, int]]:
    """Let the player make his whole CloneMaster Move; return where each unit that moved ended, in order."""
    bot = player(game, seed)
    ends: dict[str, tuple[int, int]] = {}
    while kind(game) == "clonemaster-move":
        choice = bot.decide(game.view(C), decision(game, C))
        assert choice is not None
        assert bot.said[0].isdigit() or bot.said[0] == "R", bot.said
        c(game, choice)
        if isinstance(choice, Move):
            ends[choice.figure] = choice.path[-1]
        if isinstance(choice, EndPhase):
            break
    return ends


def moving(board: FloorPlan, figures: str, **more: object) -> RaidMatch:
    """Return a position at the CloneMaster Move."""
    return match(board, figures, phase="clonemaster-move", **more)  # type: ignore[arg-type]


# Who moves where


def test_a_jelly_goes_to_the_cheapest_square_from_which_it_can_strike() -> None:
    """R33: of the squares beside the Terminator the one that costs least, diagonal ones too (R1)."""
    game = moving(HALL, "Rising Dream  5,1\nCloneMaster  dead\nJ-1  2,2")
    assert moves_of(game) == {"J-1": (4, 2)}


def test_a_jelly_that_can_strike_already_stays() -> None:
    """R33: where it is costs nothing."""
    game = moving(HALL, "Rising Dream  5,1\nCloneMaster  dead\nJ-1  4,1")
    assert moves_of(game) == {}


def test_a_jelly_out_of_reach_comes_as_near_as_it_can() -> None:
    """R33: with five points it walks the five squares that bring it nearest."""
    game = moving(HALL, "Rising Dream  9,1\nCloneMaster  dead\nJ-1  0,1")
    assert moves_of(game) == {"J-1": (5, 1)}


def test_a_jelly_does_not_think_itself_beside_a_terminator_behind_a_wall() -> None:
    """R2, R33: a square from which the line is blocked is no square to strike from."""
    board = plan("AAABBB\nAAABBB", edges="door 2,1 E")
    game = moving(board, "Rising Dream  3,0\nCloneMaster  dead\nJ-1  0,0")
    assert moves_of(game) == {"J-1": (3, 1)}


def test_a_jelly_with_spikes_strikes_from_two_squares_away() -> None:
    """R33, 5.1: with its weapon left it needs only missile reach; without it, it must come close."""
    game = moving(HALL, "Rising Dream  6,1\nCloneMaster  dead\nJ-7  1,1")
    assert moves_of(game) == {"J-7": (4, 1)}
    game = moving(HALL, "Rising Dream  6,1\nCloneMaster  dead\nJ-7  1,1  fist1 kick1")
    assert moves_of(game)["J-7"] in {(5, 1), (5, 0), (5, 2)}


def test_jellies_also_go_for_a_terminator_who_lies_unconscious() -> None:
    """6.3c: the fallen are attacked as well; one more hit kills."""
    game = moving(HALL, "Rising Dream  6,1  - / fist1 heart1\nShadow Lotus  9,2\nCloneMaster  dead\nJ-1  3,1")
    assert moves_of(game) == {"J-1": (5, 1)}


@pytest.mark.parametrize("gun", ["Armed Technician 1", "CloneMaster"])
def test_a_gun_goes_where_it_can_fire_out_of_hand_to_hand_reach(gun: str) -> None:
    """6.3c, R33: two squares away in a straight line, never beside him; the CloneMaster carries a gun too."""
    others = "" if gun == "CloneMaster" else "\nCloneMaster  dead"
    game = moving(HALL, f"Rising Dream  6,1\n{gun}  2,1{others}")
    assert moves_of(game) == {gun: (4, 1)}


def test_a_gun_steps_back_from_a_terminator_beside_it() -> None:
    """6.3c: from an adjacent square it goes to a safe one."""
    game = moving(HALL, "Rising Dream  6,1\nCloneMaster  dead\nArmed Technician 1  5,1")
    assert moves_of(game) == {"Armed Technician 1": (4, 1)}


def test_a_gun_in_a_safe_square_stays() -> None:
    """R33: who can fire safely stays."""
    game = moving(HALL, "Rising Dream  6,1\nCloneMaster  dead\nArmed Technician 1  4,1")
    assert moves_of(game) == {}


def test_a_gun_too_far_from_a_safe_square_comes_nearer() -> None:
    """6.3c: all but servants and unarmed technicians move to attack; it keeps out of hands' reach."""
    game = moving(HALL, "Rising Dream  6,1\nCloneMaster  dead\nArmed Technician 1  0,0")
    assert moves_of(game)["Armed Technician 1"] in {(3, 1), (4, 0)}


def test_a_gun_with_no_safe_square_to_walk_to_stays() -> None:
    """R33: where nothing is in range and sight but hands' reach, it stays."""
    game = moving(plan("AA\nAA"), "Rising Dream  0,0\nCloneMaster  dead\nArmed Technician 1  1,1")
    assert moves_of(game) == {}


def test_constabulary_fires_from_any_square_in_sight() -> None:
    """5.1, R33: an LC needs sight only, and keeps out of hand-to-hand reach."""
    lane = plan("AAAAAAAAAA\nBBBBBBBBBB", edges="door 4,0 S", entries="In  0,1  1  1  -; Out  9,0  1  1  -")
    scenario = position(lane, "Rising Dream  9,0\nCloneMaster  dead", phase="clonemaster-move")
    coming = (Reinforcement(from_turn=1, to_turn=1, number=1, entry="In"),)
    game = RaidMatch.new(msgspec.structs.replace(scenario, reinforcements=coming), "x")
    choice, said = choice_of(game)
    assert choice == Enter("LC 1", "In")
    assert said.startswith("6.2")
    assert moves_of(game) == {"LC 1": (3, 1)}  # none within the points left: towards 4,0 by the door
    near = position(lane, "Rising Dream  9,1\nCloneMaster  dead", phase="clonemaster-move")
    game = RaidMatch.new(msgspec.structs.replace(near, reinforcements=coming), "x")
    assert moves_of(game) == {}  # the entry itself is in sight of him


def test_all_three_of_the_constabulary_find_a_place() -> None:
    """R12, R33: who must go on from an occupied entry square goes to the cheapest free one."""
    board = plan("AAAAAA\nAAAAAA", entries="In  0,0  1  1  -; Out  5,0  1  1  -")
    scenario = position(board, "Rising Dream  5,1\nCloneMaster  dead", phase="clonemaster-move")
    coming = (Reinforcement(from_turn=1, to_turn=1, number=3, entry="In"),)
    game = RaidMatch.new(msgspec.structs.replace(scenario, reinforcements=coming), "x")
    moves_of(game)
    places = [figure.square for figure in game.view(C).figures if figure.kind == "lc"]
    assert None not in places
    assert len(set(places)) == 3


MACHINES = plan(
    "AAAAAAAAAA\nAAAAAAAAAA\nAAAAAAAAAA",
    equipment="tank 2,0; computer 9,2 E",
    entries="In  0,2  1  1  -",
)


def test_servants_run_to_the_nearest_equipment() -> None:
    """6.3c, R33: the nearest machine, to a square from which it can be struck."""
    game = moving(MACHINES, "Rising Dream  0,2\nCloneMaster  dead\nServant 1  5,1")
    assert moves_of(game) == {"Servant 1": (3, 1)}


def test_a_computer_is_guarded_on_its_own_square() -> None:
    """R33: the computer's own square comes first; it is where it is struck from (5.8)."""
    game = moving(MACHINES, "Rising Dream  0,2\nCloneMaster  dead\nTechnician 1  7,2")
    assert moves_of(game) == {"Technician 1": (9, 2)}


def test_around_a_guarded_computer_the_rest_crowd() -> None:
    """6.3c: with its own square taken, they stand where one comes by who would strike it."""
    game = moving(MACHINES, "Rising Dream  0,2\nCloneMaster  dead\nTechnician 1  9,2\nServant 1  6,2")
    assert moves_of(game) == {"Servant 1": (8, 2)}
    game = moving(MACHINES, "Rising Dream  0,2\nCloneMaster  dead\nTechnician 1  9,2\nServant 1  9,1")
    assert moves_of(game) == {}


def test_a_machine_that_is_crowded_leaves_the_next_one() -> None:
    """R33: where no square is left around the nearest, the unit makes for the next."""
    guards = "Technician 1  9,2\nTechnician 2  9,1\nTechnician 3  8,1\nTechnician 4  8,2"
    game = moving(MACHINES, f"Rising Dream  0,2\nCloneMaster  dead\n{guards}\nServant 1  7,2")
    assert list(moves_of(game)) == ["Servant 1"]
    assert game.view(C).figure("Servant 1").square in {(4, 2), (5, 1), (6, 0)}


def test_a_servant_that_guards_already_stays() -> None:
    """6.3c: who stands around a machine goes on doing so, though the Terminator is near."""
    game = moving(MACHINES, "Rising Dream  3,2\nCloneMaster  dead\nServant 1  3,1")
    assert moves_of(game) == {}


def test_with_nothing_left_to_protect_they_attack() -> None:
    """R33: all machines destroyed, servants and technicians go for the Terminator."""
    game = moving(
        MACHINES,
        "Rising Dream  0,2\nCloneMaster  dead\nServant 1  4,2",
        equipment=["tank 2,0", "computer 9,2"],
    )
    assert moves_of(game) == {"Servant 1": (1, 2)}


def test_a_jelly_with_monkey_soul_takes_the_drop_off_as_its_own_way() -> None:
    """4.42: nearness is by what the unit itself pays, so a climber goes over the drop-off."""
    board = plan("A.....B\nAAAAABB\nA.....B", edges="dropoff 4,1 E; wall 5,1 E")
    game = moving(board, "Rising Dream  5,1\nCloneMaster  dead\nJ-2  0,1")
    assert moves_of(game) == {"J-2": (4, 1)}


def test_order_is_jellies_guns_the_rest_and_nearest_first() -> None:
    """R33: the order of acting, by what each walks to the Terminator."""
    lanes = plan("AAAAAAAAAAAAAAAAAAAA\n" * 5, equipment="tank 2,1", entries="In  0,0  1  1  -")
    game = moving(
        lanes,
        "Rising Dream  10,2\nCloneMaster  14,0\nServant 1  9,1\nArmed Technician 1  13,2\n"
        "J-1  16,2\nJ-2  14,3\nTechnician 1  6,2",
    )
    assert list(moves_of(game)) == [
        "J-2",
        "J-1",
        "Armed Technician 1",
        "CloneMaster",
        "Servant 1",
        "Technician 1",
    ]


def test_equally_near_units_are_ordered_by_chance() -> None:
    """R33: ties go by dice: over many seeds either comes first, and the same seed gives the same order."""
    first = set()
    for seed in range(16):
        game = moving(HALL, "Rising Dream  9,1\nCloneMaster  dead\nJ-1  3,0\nJ-2  3,2")
        first.add(next(iter(moves_of(game, str(seed)))))
    assert first == {"J-1", "J-2"}
    again = [
        moves_of(moving(HALL, "Rising Dream  9,1\nCloneMaster  dead\nJ-1  3,0\nJ-2  3,2"), "7") for _ in "12"
    ]
    assert again[0] == again[1]


def test_without_a_terminator_inside_only_protectors_move() -> None:
    """6.3c: nobody to attack, nobody to aim at; servants still go to their machines."""
    game = moving(MACHINES, "Rising Dream  off\nCloneMaster  8,0\nJ-1  5,2\nServant 1  5,1")
    assert moves_of(game) == {"Servant 1": (3, 1)}


# How they fight


@pytest.mark.parametrize(
    ("jelly", "hand"),
    [
        ("J-1", ("kick", "kick")),
        ("J-2", ("kick", "weapon")),
        ("J-6", ("kick", "soul")),
        ("J-7", ("fist", "kick")),
        ("J-8", ("fist", "mist")),
        ("J-11", ("kick", "kick")),
        ("J-12", ("fist", "kick")),
    ],
)
def test_jellies_take_as_many_attacks_as_they_may(jelly: str, hand: tuple[str, ...]) -> None:
    """6.3c, R33: attacks before defences, the highest hit numbers first."""
    game = match(HALL, f"Rising Dream  5,1\nCloneMaster  dead\n{jelly}  5,2", phase="combat-1")
    go_until(game, "fight-order")
    t(game, decision(game, T).options[0])
    choice, said = choice_of(game)
    assert choice == ChooseCounters(jelly, hand)
    assert said.startswith("6.3c")


@pytest.mark.parametrize(("place", "hand"), [("7,1", ("fist", "weapon")), ("6,1", ("fist", "kick"))])
def test_a_jelly_with_spikes_picks_what_reaches(place: str, hand: tuple[str, ...]) -> None:
    """6.3c, 5.1: two squares away only spikes can strike, so they are picked, and thrown; beside him not."""
    game = match(HALL, f"Rising Dream  5,1\nCloneMaster  dead\nJ-7  {place}", phase="combat-1")
    t(game, decision(game, T).options[0])
    choice, _ = choice_of(game)
    assert choice == ChooseCounters("J-7", hand)
    c(game, choice)
    t(game, ChooseCounters(DREAM, ("fist",)))
    assert choice_of(game)[0] == Throw("weapon" in hand)


def test_of_the_only_choice_nothing_is_said() -> None:
    """R33: chance is named only where there is something for it to decide."""
    game = match(HALL, "Rising Dream  5,1\nCloneMaster  dead\nJ-1  5,2", phase="combat-2")
    assert choice_of(game) == (decision(game, C).options[0], "")
    two = "Rising Dream  5,1\nShadow Lotus  0,1\nCloneMaster  dead\nJ-1  5,2\nJ-2  0,2"
    assert choice_of(match(HALL, two, phase="combat-2"))[1].startswith("R33")


def test_he_agrees_to_a_takeback() -> None:
    """The lines know no takeback: it is a friendly game, and nothing is left to chance."""
    game = RaidMatch.new(load_scenario("solitaire"), "back")
    t(game, SetAbilities(DREAM, 1, 3, 1, 1, 1), Ready(), AskTakeback())
    assert choice_of(game)[0] == AnswerTakeback(True)


def test_the_highest_hit_number_is_played_first() -> None:
    """R33: a kick (4 against one who does not reply) before the kon-go (3)."""
    game = match(HALL, "Rising Dream  5,1\nCloneMaster  dead\nJ-2  5,2", phase="combat-1")
    fight(game, {"J-2": "kick weapon", DREAM: "fist"}, first=C)
    choice, said = choice_of(game)
    assert choice == PlayCounter("J-2", "kick")
    assert said.startswith("R33")


def test_an_attack_is_preferred_to_a_defence_in_reply() -> None:
    """6.3c: a Jelly that holds both replies with the attack, though a defence would save it."""
    game = match(HALL, "Rising Dream  5,1\nCloneMaster  dead\nJ-6  5,2", phase="combat-1", dice=(6, 6))
    fight(game, {"J-6": "kick soul", DREAM: "kick"})
    play(game, DREAM, "kick", "J-6")
    assert choice_of(game)[0] == PlayCounter("J-6", "kick")


def test_a_defence_is_played_once_no_attack_is_left() -> None:
    """R18: with defences only, the one that helps most against the attack."""
    game = match(
        HALL, "Rising Dream  5,1\nCloneMaster  dead\nJ-6  5,2  soul1 mist1", phase="combat-1", dice=(6, 6)
    )
    fight(game, {"J-6": "soul mist", DREAM: "kick"})
    play(game, DREAM, "kick", "J-6")
    assert choice_of(game)[0] == PlayCounter("J-6", "soul")


def test_spikes_are_thrown_where_they_reach() -> None:
    """6.3c, R19: to throw is to attack."""
    game = match(HALL, "Rising Dream  5,1\nCloneMaster  dead\nJ-7  7,1", phase="combat-1")
    t(game, decision(game, T).options[0])
    while kind(game) == "choose-counters":
        if asked(game) == C:
            c(game, ChooseCounters("J-7", ("weapon",)))
        else:
            t(game, ChooseCounters(DREAM, ("fist",)))
    assert choice_of(game)[0] == Throw(True)


@pytest.mark.parametrize(
    ("jelly", "order"),
    [
        ("J-11  5,2", ["soul", "mist", "kick", "kick"]),
        ("J-12  5,2", ["heart", "weapon", "fist", "kick"]),
        ("J-8  5,2", ["mist", "mist", "fist"]),
    ],
)
def test_injuries_cost_heart_then_defences_then_attacks(jelly: str, order: list[str]) -> None:
    """6.3c, R33: Mountain Heart, Monkey Soul or Body of Mist, then the weakest attack."""
    name = jelly.split()[0]
    lost = []
    game = match(
        HALL,
        f"Rising Dream  5,1  fist3 kick3\nShadow Lotus  4,1  fist3 kick3\nCloneMaster  dead\n{jelly}",
        phase="combat-1",
        dice=(1,) * 12,
    )
    fight(game, {DREAM: "fist fist fist", LOTUS: "kick kick kick", name: ""})
    for striker, counter in ((DREAM, "fist"), (LOTUS, "kick")) * 3:
        if kind(game) != "play-counter":
            break
        t(game, PlayCounter(striker, counter), NameTarget(name))
        if kind(game) == "lose-ability":
            choice, said = choice_of(game)
            assert isinstance(choice, LoseAbility)
            assert said.startswith("6.3c")
            lost.append(choice.ability)
            c(game, choice)
        if len(lost) == len(order):
            break
    assert lost == order


def test_guns_fire_and_untrained_strike_whenever_they_can() -> None:
    """6.3c: every gun in range fires; a servant beside a Terminator strikes though it guards a machine."""
    game = match(
        HALL,
        "Rising Dream  5,1\nCloneMaster  dead\nServant 1  5,2\nArmed Technician 1  7,1",
        phase="combat-2",
    )
    fight(game, {DREAM: "soul"})
    go_until(game, "untrained")
    assert choice_of(game)[0] == UntrainedAttack("Servant 1", DREAM)
    game = match(HALL, "Rising Dream  5,1\nCloneMaster  dead\nArmed Technician 1  7,1", phase="combat-2")
    fight(game, {DREAM: "soul"})
    go_until(game, "gunfire")
    assert choice_of(game)[0] == Shoot("Armed Technician 1", DREAM)


def test_the_terminator_who_is_easiest_to_hit_is_the_target() -> None:
    """6.3c: who lies unconscious is helpless, so a kick at him hits on five."""
    game = match(
        HALL,
        "Rising Dream  5,1  - / fist1 heart1\nShadow Lotus  4,1\nCloneMaster  dead\nJ-1  5,2",
        phase="combat-1",
    )
    fight(game, {LOTUS: "", "J-1": "kick"}, first=C)
    c(game, PlayCounter("J-1", "kick"))
    assert choice_of(game)[0] == NameTarget(DREAM)


def test_counters_that_can_do_nothing_are_put_aside() -> None:
    """R18: an attack with nobody in reach is discarded rather than led."""
    game = match(
        HALL,
        "Rising Dream  5,1  fist1\nCloneMaster  dead\nServant 1  9,1\nJ-7  7,1  fist1 / fist1 kick1 weapon1",
        phase="combat-1",
    )
    fight(game, {DREAM: "fist", "J-7": "fist"}, first=C)
    assert choice_of(game)[0] == Discard("J-7", "fist")


# What he knows


def test_he_plays_the_clonemasters_side_only() -> None:
    """6.3: there are no lines for Terminators."""
    game = match(HALL, "Rising Dream  5,1\nCloneMaster  dead")
    with pytest.raises(ValueError, match=r"6\.3"):
        make_bot("solitaire", "x").begin(T, game.scenario, game.board)


@pytest.mark.parametrize("bot", ["solitaire", "rulebook"])
def test_no_seat_of_the_program_differs_by_what_lies_face_down(bot: str) -> None:
    """Contract 5, R29, R34: with the counters dealt, both sides' bots choose alike whatever they are."""
    for seed in range(6):
        game = RaidMatch.new(load_scenario("solitaire"), str(seed))
        players = {T: make_bot("rulebook", f"{seed} T"), C: make_bot(bot, f"{seed} C")}
        for side, one in players.items():
            one.begin(side, game.scenario, game.board)
        while not game.is_over:
            mine = game.decisions()[0]
            choice = players[mine.side].decide(game.view(mine.side), mine)
            truth = game._state
            for number, side in enumerate((T, C)):
                if side != mine.side:
                    continue
                state = (
                    twist(truth, number, random.Random(game.revision)) if game.revision % 3 == 0 else truth
                )
                if number == 1:
                    # Only what lies face down may differ: the Terminator's levels are another secret.
                    state.levels[:] = truth.levels
                    state.original[:] = truth.original
                    state.fight = truth.fight
                other = next(one for one in rules.sealed_decisions(state) if one.side == side)
                other = msgspec.structs.replace(other, revision=mine.revision)
                assert players[side].decide(redact.view(state, side), other) == choice
            assert choice is not None
            game.submit(mine.side, choice)


def test_a_solitaire_game_is_played_to_its_end() -> None:
    """6.3: a Terminator against the printed lines, to the points at the end."""
    game = RaidMatch.new(load_scenario("solitaire"), "end")
    play_out(game, {T: make_bot("rulebook", "t"), C: make_bot("solitaire", "c")})
    outcome = game.view("open").outcome
    assert outcome is not None
    assert outcome.points is not None
