"""5.1-5.3: who can strike whom, and which combats follow from it."""

from __future__ import annotations

from engine.raid.figures import ATTACKS, FIST, KICK, LC, MIST, SOUL, WEAPON
from engine.raid.state import HAND, STATION, Fight, State


def gun_reach(state: State, gun: int) -> int:
    """Return the squares a gun can hit from where it is (5.1; an LC at any range)."""
    board = state.game.board
    square = state.where[gun]
    if state.game.roster.kind[gun] == LC:
        return board.sight(square, state.doors)
    return board.missile(square, state.doors)


def doors_in_reach(state: State, figure: int) -> tuple[int, ...]:
    """Return the intact armored doors a Terminator can attack from where he is (5.7, R10, R25)."""
    place = state.where[figure]
    board = state.game.board
    if place <= STATION:
        door = board.entries[STATION - place].door
        return (door,) if door >= 0 and not state.doors >> door & 1 else ()
    return board.doors_at(place, state.doors) if place >= 0 else ()


def equipment_in_reach(state: State, figure: int) -> tuple[int, ...]:
    """Return the intact equipment a Terminator can destroy from where he is (5.8, R25)."""
    place = state.where[figure]
    if place < 0:
        return ()
    return tuple(
        thing for thing in state.game.board.strikes(place, state.doors) if not state.wrecked >> thing & 1
    )


def far_reach(state: State, foe: int) -> int:
    """Return the squares where a foe on the map is linked with a Terminator who is not next to him (R15).

    Only public facts count: a spikes Jelly links at missile reach though the weapon may be lost.
    """
    roster = state.game.roster
    if roster.is_gun[foe]:
        return 0 if state.fired[foe] else gun_reach(state, foe)
    if roster.throws[foe] and state.awake[foe]:
        return state.game.board.missile(state.where[foe], state.doors)
    return 0


def links(state: State, figures: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the pairs of Terminator and foe among these figures that may strike one another (R15)."""
    roster = state.game.roster
    where, face_up, awake = state.where, state.face_up, state.awake
    foes = [
        (f, 1 << where[f], far_reach(state, f))
        for f in figures
        if f >= roster.terminators and where[f] >= 0 and face_up[f]
    ]
    found: list[tuple[int, int]] = []
    for one in figures:
        if one >= roster.terminators or where[one] < 0:
            continue
        here = 1 << where[one]
        near = state.game.board.hand(where[one], state.doors)
        found += [
            (one, other)
            for other, there, far in foes
            if far & here or (near & there and (awake[one] or awake[other]))
        ]
    return found


def find_combats(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the combats of this phase: connected groups of figures that may strike (5.3, R15).

    Figures that already fought in this phase are left out (R13).
    """
    size = state.game.roster.size
    free = tuple(figure for figure in range(size) if figure not in state.fought)
    group = {figure: {figure} for figure in free if figure < state.game.roster.terminators}
    for one, other in links(state, free):
        mine = group[one]
        theirs = group.setdefault(other, {other})
        if mine is not theirs:
            mine |= theirs
            for figure in theirs:
                group[figure] = mine
    found: list[tuple[int, ...]] = []
    for figure in state.game.roster.terminator_indices:
        members = group.get(figure)
        if members is None or figure != min(members):
            continue
        if len(members) > 1 or (
            state.awake[figure] and (doors_in_reach(state, figure) or equipment_in_reach(state, figure))
        ):
            found.append(tuple(sorted(members)))
    return tuple(found)


def targets(state: State, fight: Fight, figure: int, counter: int) -> list[int]:
    """Return what an attack counter may strike now, as indices of `Game.targets` (R15, R17, R19, R25)."""
    game = state.game
    roster = game.roster
    where = state.where
    here = where[figure]
    if counter not in ATTACKS or not state.awake[figure]:
        return []
    found: list[int] = []
    if here >= 0:
        if counter == WEAPON and roster.throws[figure]:
            if not fight.is_throwing:
                return []
            reach = game.board.missile(here, state.doors)
        else:
            reach = game.board.hand(here, state.doors)
        is_mine = figure < roster.terminators
        found = [
            other
            for other in fight.members
            if (other < roster.terminators) != is_mine and where[other] >= 0 and reach >> where[other] & 1
        ]
    if figure < roster.terminators and counter in (FIST, KICK):
        found += [roster.size + thing for thing in equipment_in_reach(state, figure)]
        first_door = roster.size + len(game.equipment_names)
        found += [first_door + door for door in doors_in_reach(state, figure)]
    return found


def untrained_targets(state: State, fight: Fight, figure: int) -> list[int]:
    """Return the Terminators an unarmed technician or servant can attack (5.4, R22)."""
    if state.where[figure] < 0:
        return []
    reach = state.game.board.hand(state.where[figure], state.doors)
    return [
        one
        for one in fight.members
        if one < state.game.roster.terminators and state.where[one] >= 0 and reach >> state.where[one] & 1
    ]


def gun_targets(state: State, fight: Fight, gun: int) -> list[int]:
    """Return the Terminators a gun can shoot at; none once it has fired this turn (5.4, R23)."""
    if state.where[gun] < 0 or state.fired[gun]:
        return []
    reach = gun_reach(state, gun)
    return [
        one
        for one in fight.members
        if one < state.game.roster.terminators and state.where[one] >= 0 and reach >> state.where[one] & 1
    ]


def can_attack(state: State, fight: Fight, figure: int, target: int) -> bool:
    """Return whether a warrior could still strike a figure, by what everybody knows (R18, R19)."""
    roster, board = state.game.roster, state.game.board
    here, there = state.where[figure], state.where[target]
    if here < 0 or there < 0 or not roster.is_fighter[figure] or not state.awake[figure]:
        return False
    if board.hand(here, state.doors) >> there & 1:
        return True
    return roster.throws[figure] and fight.is_throwing and bool(board.missile(here, state.doors) >> there & 1)


def is_discardable(state: State, fight: Fight, figure: int, counter: int) -> bool:
    """Return whether a counter in hand can do nothing any more (R18).

    An attack: nothing could be its target. A defence: no attack on its owner can still come, judged
    from what its owner knows.
    """
    if counter in ATTACKS:
        return not targets(state, fight, figure, counter)
    if fight.target == figure:
        return False
    roster = state.game.roster
    is_terminator = figure < roster.terminators
    foes = [f for f in fight.members if (f < roster.terminators) != is_terminator and state.where[f] >= 0]
    is_open = not fight.empty[1 if is_terminator else 0]
    if is_open and any(can_attack(state, fight, foe, figure) for foe in foes):
        return False
    if not is_terminator:
        return True
    if counter == MIST:
        return not any(roster.is_untrained[f] and figure in untrained_targets(state, fight, f) for f in foes)
    return not (
        counter == SOUL and any(roster.is_gun[f] and figure in gun_targets(state, fight, f) for f in foes)
    )


def hand_of(state: State, fight: Fight, figure: int) -> list[int]:
    """Return a figure's counters in hand, by kind, repeats included."""
    return [counter for counter in range(HAND) for _ in range(fight.hands[figure * HAND + counter])]
