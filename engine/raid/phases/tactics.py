"""5.4: tactics counters chosen in secret, spikes, who begins, and the alternating play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling, own_and_others, own_only, tell_all
from engine.raid import events, injury, strikes, tables
from engine.raid.choices import Begin, ChooseCounters, Discard, NameTarget, PlayCounter, Stop, Throw
from engine.raid.figures import ABILITIES, ABILITY_NAMES, ATTACKS, COUNTERS, SIDE_NAMES, SIDES, WEAPON
from engine.raid.phases.naming import ability_of, figure_of
from engine.raid.state import (
    CHOOSE,
    FIRST,
    HAND,
    PLAY,
    SETTLE,
    SPIKES_STEP,
    TARGET,
    UNTRAINED_STEP,
    Fight,
    State,
)

# Choosing counters


@lru_cache(maxsize=4096)
def hands(levels: tuple[int, ...], limit: int, may_underpick: bool) -> tuple[tuple[str, ...], ...]:
    """Return every hand a figure may pick, most counters first (5.4, R16).

    `levels` are its five counter abilities in the order of `figures.COUNTERS`.
    """
    most = min(limit, sum(levels))
    sizes = range(most, -1, -1) if may_underpick else (most,)
    return tuple(
        tuple(COUNTERS[counter] for counter in picked)
        for size in sizes
        for picked in combinations_with_replacement(range(HAND), size)
        if all(picked.count(counter) <= levels[counter] for counter in picked)
    )


def limit_of(state: State, figure: int) -> int:
    """Return how many counters a figure may pick (5.4)."""
    return tables.hand_limit(state.game.roster.kind[figure])


def choosers(state: State, fight: Fight, side: int) -> list[int]:
    """Return a side's conscious warriors in a combat; all are asked, whatever they have left (R16)."""
    roster = state.game.roster
    return [
        figure
        for figure in fight.members
        if roster.is_fighter[figure] and roster.side(figure) == side and state.awake[figure]
    ]


def has_chosen(state: State, fight: Fight, side: int) -> bool:
    """Return whether a side has picked counters for all its warriors, which is told to everybody (R16)."""
    return all(figure in fight.chosen for figure in choosers(state, fight, side))


def begin(state: State, fight: Fight, tell: list[Telling]) -> None:
    """Start a combat; where no warrior can pick counters it goes on to the other attacks."""
    fight.step = CHOOSE
    if not choosers(state, fight, 0) and not choosers(state, fight, 1):
        _finish_choosing(state, fight, tell)


def decisions(state: State) -> list[Decision]:
    """Return what has to be decided at this step of the play of counters."""
    fight = state.current_fight()
    if fight.step == CHOOSE:
        return [decision for side in (0, 1) if (decision := _choosing(state, fight, side)) is not None]
    if fight.step == SPIKES_STEP:
        choices: list[Choice] = [Throw(False)]
        if _throwers(state, fight):
            choices.insert(0, Throw(True))
        return [
            _decision(
                1,
                "throw-spikes",
                "R19",
                "Do throwing spikes open this combat? Then you play first.",
                "The CloneMaster player says whether spikes are thrown.",
                choices,
            )
        ]
    if fight.step == FIRST:
        return [
            _decision(
                0,
                "who-begins",
                "5.4",
                "Who plays the first counter?",
                "The Terminator player says who plays first.",
                [Begin(side) for side in SIDES],
            )
        ]
    if fight.step == TARGET:
        name = state.game.roster.name[fight.reply_figure]
        counter = COUNTERS[fight.reply_counter]
        return [
            _decision(
                fight.turn,
                "name-target",
                "R17",
                f"Whom or what does {name} strike with {ABILITY_NAMES[counter]}?",
                f"The {SIDE_NAMES[SIDES[fight.turn]]} player names a target.",
                [
                    NameTarget(state.game.targets[target])
                    for target in strikes.targets(state, fight, fight.reply_figure, fight.reply_counter)
                ],
            )
        ]
    return [_playing(state, fight)]


def _decision(
    side: int, kind: str, rule: str, prompt: str, waiting: str, choices: Sequence[Choice]
) -> Decision:
    return Decision(SIDES[side], kind, rule, prompt, waiting, Options.listed(choices))


def _choosing(state: State, fight: Fight, side: int) -> Decision | None:
    asked = [figure for figure in choosers(state, fight, side) if figure not in fight.chosen]
    if not asked:
        return None
    name = state.game.roster.name

    def make(group: str) -> Sequence[Choice]:
        return [ChooseCounters(group, hand) for hand in _hands_of(state, state.game.roster.index[group])]

    return Decision(
        SIDES[side],
        "choose-counters",
        "5.4",
        "Choose tactics counters in secret for each of your fighters.",
        f"The {SIDE_NAMES[SIDES[side]]} player chooses counters.",
        Options([name[figure] for figure in asked], make),
    )


def _hands_of(state: State, figure: int) -> tuple[tuple[str, ...], ...]:
    levels = tuple(state.levels_of(figure)[:HAND])
    return hands(levels, limit_of(state, figure), state.game.scenario.rules.may_underpick)


def _throwers(state: State, fight: Fight) -> list[int]:
    """Return the Jellies with a spikes counter in hand and somebody in reach (R19)."""
    roster = state.game.roster
    board = state.game.board
    found = []
    for figure in fight.members:
        if roster.throws[figure] and state.awake[figure] and fight.hands[figure * HAND + WEAPON]:
            reach = board.missile(state.where[figure], state.doors)
            if any(
                one < roster.terminators and state.where[one] >= 0 and reach >> state.where[one] & 1
                for one in fight.members
            ):
                found.append(figure)
    return found


def _finish_choosing(state: State, fight: Fight, tell: list[Telling]) -> None:
    """Announce who has no counter, and find out who begins (R16, R19)."""
    for side in (0, 1):
        if choosers(state, fight, side):
            injury.announce_empty_hand(state, fight, side, tell)
        else:
            fight.empty[side] = True
    roster = state.game.roster
    if all(fight.empty):
        fight.step = UNTRAINED_STEP
    elif not fight.empty[1] and any(roster.throws[f] and state.awake[f] for f in fight.members):
        fight.step = SPIKES_STEP
    else:
        _find_first(fight, tell)


def _find_first(fight: Fight, tell: list[Telling]) -> None:
    if any(fight.empty):
        _start(fight, 1 if fight.empty[0] else 0, tell, "R16")
    else:
        fight.step = FIRST


def _start(fight: Fight, side: int, tell: list[Telling], rule: str) -> None:
    fight.turn = side
    fight.step = PLAY
    tell.append(tell_all(events.FirstPlayer(rule, SIDES[side])))


# Playing counters


def _is_open(fight: Fight) -> bool:
    """Return whether an attack waits for its reply."""
    return fight.attacker >= 0


def _is_alone(fight: Fight) -> bool:
    """Return whether the other hand is empty and nothing waits: attacks may be played out, or kept (R18)."""
    return fight.empty[1 - fight.turn] and not _is_open(fight)


def _must_throw(fight: Fight) -> bool:
    """Return whether the declared spikes have still to open the combat (R19)."""
    return fight.is_throwing and fight.turn == 1 and not fight.played


def _playing(state: State, fight: Fight) -> Decision:
    side = fight.turn
    name = state.game.roster.name
    plays: list[Choice] = []
    for figure in fight.members:
        if state.game.roster.side(figure) != side:
            continue
        for counter in range(HAND):
            if not fight.hands[figure * HAND + counter]:
                continue
            if _may_play(state, fight, figure, counter):
                plays.append(PlayCounter(name[figure], COUNTERS[counter]))
            if _may_discard(state, fight, figure, counter):
                plays.append(Discard(name[figure], COUNTERS[counter]))
    if _is_alone(fight):
        plays.append(Stop())
    if _is_open(fight):
        prompt = (
            f"{name[fight.attacker]} strikes {state.game.targets[fight.target]} with "
            f"{ABILITY_NAMES[COUNTERS[fight.counter]]}: reply with a counter."
        )
    elif len(plays) == 1 and _is_alone(fight):
        prompt = "The other hand is empty and nothing is left to strike: stop."
    elif _is_alone(fight):
        prompt = "The other hand is empty: play your remaining attacks one by one, or stop."
    else:
        prompt = "Play a counter."
    return _decision(
        side, "play-counter", "5.4", prompt, f"The {SIDE_NAMES[SIDES[side]]} player plays a counter.", plays
    )


def _may_play(state: State, fight: Fight, figure: int, counter: int) -> bool:
    if _must_throw(fight) and figure not in _throwers(state, fight):
        return False
    if _must_throw(fight) and counter != WEAPON:
        return False
    return not _is_alone(fight) or bool(strikes.targets(state, fight, figure, counter))


def _may_discard(state: State, fight: Fight, figure: int, counter: int) -> bool:
    if _must_throw(fight) or _is_alone(fight):
        return False
    return strikes.is_discardable(state, fight, figure, counter)


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse what 5.4 does not allow at this step; raises IllegalChoice."""
    fight = state.current_fight()
    if fight.step == CHOOSE:
        _check_hand(state, fight, side, choice)
        return
    asked = {SPIKES_STEP: 1, FIRST: 0}.get(fight.step, fight.turn)
    if side != asked:
        raise IllegalChoice(f"it is the {SIDE_NAMES[SIDES[asked]]} player's turn in this combat", "5.4")
    if fight.step == SPIKES_STEP:
        if not isinstance(choice, Throw):
            raise IllegalChoice("first say whether throwing spikes open this combat", "R19")
        if choice.spikes and not _throwers(state, fight):
            raise IllegalChoice("no spikes counter with a Terminator in reach was chosen", "R19")
    elif fight.step == FIRST:
        if not isinstance(choice, Begin):
            raise IllegalChoice("first say who plays the first counter", "5.4")
        if choice.side not in SIDES:
            raise IllegalChoice(f'"{choice.side}" is not one of {" ".join(SIDES)}', "5.4")
    elif fight.step == TARGET:
        _check_target(state, fight, choice)
    else:
        _check_play(state, fight, side, choice)


def _check_hand(state: State, fight: Fight, side: int, choice: Choice) -> None:
    if not isinstance(choice, ChooseCounters):
        raise IllegalChoice("this is the time to choose tactics counters", "5.4")
    figure = figure_of(state, choice.figure, side, "5.4")
    if figure not in choosers(state, fight, side):
        raise IllegalChoice(f"{choice.figure} chooses no counters in this combat", "5.4")
    if figure in fight.chosen:
        raise IllegalChoice(f"{choice.figure}'s counters are chosen", "R16")
    picked = [ability_of(word, "5.4") for word in choice.counters]
    limit = limit_of(state, figure)
    if len(picked) > limit:
        raise IllegalChoice(f"{choice.figure} may pick {limit} counters", "5.4")
    for counter in set(picked):
        word = ABILITIES[counter]
        if counter >= HAND:
            raise IllegalChoice("Mountain Heart has no counter; it is no combat ability", "5.4")
        if picked.count(counter) > state.level(figure, counter):
            have = state.level(figure, counter)
            levels = f"{have or 'no'} level{'' if have == 1 else 's'}"
            raise IllegalChoice(f"{choice.figure} has {levels} of {ABILITY_NAMES[word]}", "5.4")
    if not state.game.scenario.rules.may_underpick:
        most = min(limit, sum(state.levels_of(figure)[:HAND]))
        if len(picked) < most:
            raise IllegalChoice(
                f"{choice.figure} must pick {most} counters by the rules of this scenario", "R16"
            )


def _check_target(state: State, fight: Fight, choice: Choice) -> None:
    if not isinstance(choice, NameTarget):
        raise IllegalChoice("first name the target of the counter just played", "R17")
    if choice.target not in state.game.targets:
        raise IllegalChoice(f'there is nothing called "{choice.target}"', "R17")
    target = state.game.targets.index(choice.target)
    if target in strikes.targets(state, fight, fight.reply_figure, fight.reply_counter):
        return
    if target >= state.game.roster.size:
        is_door = target >= state.game.roster.size + len(state.game.equipment_names)
        raise IllegalChoice(f"{choice.target} is destroyed or out of reach", "5.7" if is_door else "5.8")
    if target not in fight.members:
        raise IllegalChoice(f"{choice.target} is not in this combat", "R15")
    if state.game.roster.side(target) == fight.turn:
        raise IllegalChoice(f"{choice.target} is on your own side", "5.4")
    raise IllegalChoice(f"{choice.target} is out of reach or sight", "5.1")


def _check_play(state: State, fight: Fight, side: int, choice: Choice) -> None:
    if isinstance(choice, Stop):
        if not _is_alone(fight):
            raise IllegalChoice("while the other side has counters you must play one of yours", "R18")
        return
    if not isinstance(choice, (PlayCounter, Discard)):
        raise IllegalChoice("it is your turn to play a counter", "5.4")
    figure = figure_of(state, choice.figure, side, "5.4")
    counter = ability_of(choice.counter, "5.4")
    if counter >= HAND or not fight.hands[figure * HAND + counter]:
        raise IllegalChoice(f"{choice.figure} holds no {ABILITY_NAMES[choice.counter]} counter", "5.4")
    if isinstance(choice, Discard):
        if not _may_discard(state, fight, figure, counter):
            raise IllegalChoice("that counter may still do something, so it is not put aside", "R18")
    elif not _may_play(state, fight, figure, counter):
        if _must_throw(fight):
            raise IllegalChoice("you said that spikes open this combat: throw first", "R19")
        raise IllegalChoice("with the other hand empty only attacks on somebody in reach are played", "R18")


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Carry out a checked choice."""
    fight = state.current_fight()
    if isinstance(choice, ChooseCounters):
        _take_hand(state, fight, side, choice, tell)
    elif isinstance(choice, Throw):
        fight.is_throwing = choice.spikes
        tell.append(tell_all(events.SpikesDeclared("R19", choice.spikes)))
        if choice.spikes:
            _start(fight, 1, tell, "R19")
        else:
            _find_first(fight, tell)
    elif isinstance(choice, Begin):
        _start(fight, SIDES.index(choice.side), tell, "5.4")
    elif isinstance(choice, PlayCounter):
        _play(state, fight, state.game.roster.index[choice.figure], COUNTERS.index(choice.counter), tell)
    elif isinstance(choice, NameTarget):
        _name_target(state, fight, state.game.targets.index(choice.target), tell)
    elif isinstance(choice, Discard):
        figure = state.game.roster.index[choice.figure]
        fight.hands[figure * HAND + COUNTERS.index(choice.counter)] -= 1
        own = events.CounterDiscarded("R18", SIDES[side], choice.figure, choice.counter)
        others = events.CounterDiscarded("R18", SIDES[side], None, None)
        tell.append(own_and_others(side, own, others))
        injury.announce_empty_hand(state, fight, side, tell)
    elif isinstance(choice, Stop):
        tell.append(tell_all(events.Stopped("R18", SIDES[side])))
        fight.step = UNTRAINED_STEP


def _take_hand(state: State, fight: Fight, side: int, choice: ChooseCounters, tell: list[Telling]) -> None:
    figure = state.game.roster.index[choice.figure]
    for word in choice.counters:
        fight.hands[figure * HAND + COUNTERS.index(word)] += 1
    fight.chosen += (figure,)
    tell.append(own_only(side, events.CountersChosen("R16", choice.figure, choice.counters)))
    left = [
        [figure for figure in choosers(state, fight, which) if figure not in fight.chosen] for which in (0, 1)
    ]
    if not left[side]:
        tell.append(tell_all(events.SideChose("R16", SIDES[side])))
    if not any(left):
        _finish_choosing(state, fight, tell)


def _play(state: State, fight: Fight, figure: int, counter: int, tell: list[Telling]) -> None:
    game = state.game
    side = fight.turn
    is_reply = _is_open(fight)
    fight.hands[figure * HAND + counter] -= 1
    fight.played += ((figure, counter, -1),)
    if side == 1 and not (game.roster.throws[figure] and counter == WEAPON):
        fight.is_throwing = False
    tell.append(tell_all(events.CounterPlayed("5.4", game.roster.name[figure], COUNTERS[counter], is_reply)))
    injury.announce_empty_hand(state, fight, side, tell)
    fight.reply_figure, fight.reply_counter = figure, counter
    if is_reply:
        _resolve(state, fight, figure, counter, tell)
        fight.step = SETTLE
    elif counter in ATTACKS:
        _ask_target(state, fight, tell)
    else:
        _pass_turn(fight)  # 5.4: a defence played first has no effect


def _pass_turn(fight: Fight) -> None:
    """Let the other side play next."""
    fight.reply_figure = fight.reply_counter = -1
    fight.turn = 1 - fight.turn
    fight.step = PLAY


def _ask_target(state: State, fight: Fight, tell: list[Telling]) -> None:
    """Ask for the target of the attack just played, or call it void (R17)."""
    figure, counter = fight.reply_figure, fight.reply_counter
    name = state.game.roster.name[figure]
    if not state.awake[figure]:
        tell.append(tell_all(events.AttackVoid("5.62", name, COUNTERS[counter], "its owner fell")))
    elif not strikes.targets(state, fight, figure, counter):
        tell.append(tell_all(events.AttackVoid("R17", name, COUNTERS[counter], "nothing is in reach")))
    else:
        fight.step = TARGET
        return
    _pass_turn(fight)


def _name_target(state: State, fight: Fight, target: int, tell: list[Telling]) -> None:
    game = state.game
    figure, counter = fight.reply_figure, fight.reply_counter
    word = COUNTERS[counter]
    # The counter may have been played before others were; its own row gets the target.
    rows = list(fight.played)
    last = max(i for i, row in enumerate(rows) if row == (figure, counter, -1))
    rows[last] = (figure, counter, target)
    fight.played = tuple(rows)
    name = game.roster.name[figure]
    tell.append(tell_all(events.TargetNamed("R17", name, word, game.targets[target])))
    first_door = game.roster.size + len(game.equipment_names)
    if target < game.roster.size:
        fight.attacker, fight.counter, fight.target = figure, counter, target
    elif target >= first_door:
        needs = game.scenario.hits.door
        die = state.dice.roll()
        destroyed = die <= needs
        if destroyed:
            state.doors |= 1 << target - first_door
        tell.append(
            tell_all(events.DoorStruck("5.7", name, word, game.targets[target], needs, die, destroyed))
        )
    else:
        state.wrecked |= 1 << target - game.roster.size
        tell.append(tell_all(events.EquipmentDestroyed("5.8", name, word, game.targets[target])))
    _pass_turn(fight)


def _resolve(state: State, fight: Fight, replier: int, reply: int, tell: list[Telling]) -> None:
    """Settle the open attack by the reply played, or by none (replier -1) (2.6, R19, R20)."""
    game = state.game
    attacker, counter, target = fight.attacker, fight.counter, fight.target
    fight.attacker = fight.counter = fight.target = -1
    roster = game.roster
    own_reply = reply if replier == target else None
    column = tables.column(roster.kind[target], bool(state.awake[target]), own_reply)
    is_spikes = counter == WEAPON and roster.throws[attacker]
    needs = game.scenario.hits.needed(counter, column, is_spikes)
    die = state.dice.roll() if needs else None
    is_hit = die is not None and die <= needs
    tell.append(
        tell_all(
            events.AttackResolved(
                "R19" if is_spikes else "2.6",
                roster.name[attacker],
                COUNTERS[counter],
                game.targets[target],
                tables.COLUMNS[column],
                needs,
                die,
                is_hit,
            )
        )
    )
    if is_hit:
        injury.hit(state, fight, target, tell)


def proceed(state: State, fight: Fight, tell: list[Telling]) -> bool:
    """Go on without a decision as far as the rules allow; return whether a player must decide."""
    if fight.step in (CHOOSE, SPIKES_STEP, FIRST, TARGET):
        return True
    if fight.step == SETTLE:
        if fight.reply_figure >= 0 and fight.reply_counter in ATTACKS:
            _ask_target(state, fight, tell)
        else:
            _pass_turn(fight)
        return False
    if not fight.empty[fight.turn]:
        return True
    if _is_open(fight):
        _resolve(state, fight, -1, -1, tell)
        fight.step = SETTLE
    elif all(fight.empty):
        fight.step = UNTRAINED_STEP
    else:
        fight.turn = 1 - fight.turn
    return False
