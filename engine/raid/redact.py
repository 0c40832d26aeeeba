"""The only gate out of a State: what each viewer may know of it (R29).

`view` builds a View by adding; `known` makes a State in which nothing that a side may not know is
left, from which refusals are explained. Nothing else hands out what a State holds.
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.raid import strikes, victory
from engine.raid.figures import ABILITIES, COUNTERS, JELLY, KINDS, SIDES
from engine.raid.movement import must_go_on
from engine.raid.phases import tactics
from engine.raid.roster import RELEASE_NAMES
from engine.raid.state import (
    BOX,
    CHOOSE,
    DEAD,
    ESCAPED,
    FREE_MOVING,
    HAND,
    KEPT,
    OFF,
    OVER,
    SET_UP,
    STATION,
    STEPS,
    TARGET,
    UNKNOWN,
    WAITING,
    WIDE,
    Fight,
    State,
)
from engine.raid.view import (
    PHASES,
    DoorView,
    EquipmentView,
    FightView,
    FigureView,
    MovementView,
    OpenAttack,
    OutcomeView,
    PlayedCounter,
    View,
)

VIEWERS = (*SIDES, "public", "open")
PLACES = {WAITING: "waiting", OFF: "off", DEAD: "dead", ESCAPED: "escaped", BOX: "box"}


def view(state: State, viewer: str) -> View:
    """Return what a viewer knows: a side, the public, or everything once the game is over ("open").

    Raises ValueError for an unknown viewer, or "open" before the end.
    """
    if viewer not in VIEWERS:
        raise ValueError(f"{viewer!r} is not one of {' '.join(VIEWERS)}")
    if viewer == "open" and state.phase != OVER:
        raise ValueError("secrets are open only when the game is over")
    return _view(state, viewer)


def open_view(state: State) -> View:
    """Return everything, for the replay of a finished game; never for a game under way."""
    return _view(state, "open")


def _view(state: State, viewer: str) -> View:
    game = state.game
    xy = game.xy
    board = game.board
    sees = tuple(viewer in (side, "open") for side in SIDES)
    # Counters dealt by chance nobody knows before the end (R29).
    is_told = viewer == "open" or (sees[1] and not game.is_dealt)
    figures = tuple(
        _figure(state, figure, sees)
        for figure in range(game.roster.size)
        if _is_named(state, figure, is_told)
    )
    face_down = () if is_told or not _are_seen(state) else sorted(state.face_down())
    movement = None
    if state.free_move == FREE_MOVING:
        clone = game.roster.name[game.roster.clonemaster]
        movement = MovementView(clone, state.free_points, True, False)
    elif state.mover >= 0:
        movement = MovementView(
            game.roster.name[state.mover],
            state.points if sees[game.roster.side(state.mover)] else None,
            False,
            must_go_on(state, state.mover),
        )
    outcome = state.outcome
    return View(
        viewer=viewer,
        scenario=game.scenario.name,
        turn=state.turn,
        last_turn=game.scenario.turns,
        phase=PHASES[state.phase],
        figures=figures,
        face_down=tuple(xy[square] for square in face_down),
        doors=tuple(
            DoorView(game.door_names[i], (door.x, door.y), door.side, bool(state.doors >> i & 1))
            for i, door in enumerate(board.armored)
        ),
        equipment=tuple(
            EquipmentView(
                game.equipment_names[i],
                thing.kind,
                xy[thing.square],
                thing.side,
                bool(state.wrecked >> i & 1),
            )
            for i, thing in enumerate(board.equipment)
        ),
        movement=movement,
        released=tuple(name for i, name in enumerate(RELEASE_NAMES) if state.released >> i & 1),
        free_move_kept=state.free_move == KEPT,
        combats=tuple(tuple(game.roster.name[f] for f in members) for members in state.combats),
        fight=_fight(state, state.fight, sees) if state.fight is not None else None,
        ready=tuple(side for side, ready in zip(SIDES, state.ready, strict=True) if ready),
        points=victory.points(state),
        hits=game.scenario.hits,
        outcome=OutcomeView(outcome.winner, outcome.level, outcome.reason, outcome.points, outcome.is_agreed)
        if outcome
        else None,
    )


def _is_named(state: State, figure: int, is_told: bool) -> bool:
    """Return whether a viewer knows where a figure of this name is, or that it is dead.

    `is_told` says whether he knows the face-down counters.
    """
    roster = state.game.roster
    if figure < roster.terminators or state.face_up[figure]:
        return True
    if not is_told:
        return False
    return state.where[figure] != BOX or (state.phase == SET_UP and figure in roster.counters)


def _are_seen(state: State) -> bool:
    """Return whether the counters lie on the map for all to see: after the set-up, or once dealt (R29)."""
    return state.phase != SET_UP or (state.game.is_dealt and state.is_built)


def _by_word(levels: bytearray) -> dict[str, int]:
    return dict(zip(ABILITIES, levels, strict=True))


def _figure(state: State, figure: int, sees: tuple[bool, ...]) -> FigureView:
    roster = state.game.roster
    side = roster.side(figure)
    place = state.where[figure]
    is_fighter = roster.is_fighter[figure]
    original = levels = None
    lost = 0
    if is_fighter:
        lost = sum(state.original_of(figure)) - state.total(figure)
        if sees[side]:
            original = _by_word(state.original_of(figure))
            levels = _by_word(state.levels_of(figure))
        elif roster.kind[figure] == JELLY:
            # R29: what is printed on a face-up Jelly is public; what it lost is only counted.
            original = _by_word(state.original_of(figure))
            if not lost:
                levels = original
            elif not state.awake[figure]:
                levels = dict.fromkeys(ABILITIES, 0)
    if side == 0 and state.phase == SET_UP and not sees[0]:
        lost = 0
    return FigureView(
        name=roster.name[figure],
        kind=KINDS[roster.kind[figure]],
        side=SIDES[side],
        place="map" if place >= 0 else "station" if place <= STATION else PLACES[place],
        square=state.game.xy[place] if place >= 0 else None,
        is_face_up=side == 0 or bool(state.face_up[figure]),
        is_conscious=bool(state.awake[figure]) and place != DEAD,
        original=original,
        levels=levels,
        lost=lost,
        weapon=roster.weapon[figure],
        has_fired=bool(state.fired[figure]),
        has_moved=bool(state.moved[figure]),
        allowance=roster.allowance[figure],
        entry=_entry(state, figure),
    )


def _entry(state: State, figure: int) -> str | None:
    """Return the name of the entry outside which a figure stands (R10, R12)."""
    game, place = state.game, state.where[figure]
    number = game.entry_of[figure] if place == WAITING else STATION - place if place <= STATION else -1
    return game.board.entries[number].name if number >= 0 else None


def _fight(state: State, fight: Fight, sees: tuple[bool, ...]) -> FightView:
    game = state.game
    name = game.roster.name
    target = game.targets
    hand = {
        name[figure]: tuple(COUNTERS[counter] for counter in strikes.hand_of(state, fight, figure))
        for figure in fight.members
        if game.roster.is_fighter[figure] and sees[game.roster.side(figure)]
    }
    is_attack_open = fight.attacker >= 0
    # Whose counters are chosen is his own side's to know until all are (R16).
    chosen = tuple(
        name[figure] for figure in sorted(fight.chosen) if fight.step or sees[game.roster.side(figure)]
    )
    return FightView(
        combat=fight.combat,
        figures=tuple(name[figure] for figure in fight.members),
        step="injury" if fight.injured >= 0 else STEPS[fight.step],
        turn_of=turn_of(state, fight),
        hand=hand,
        chosen=chosen,
        empty_hands=tuple(side for side, empty in zip(SIDES, fight.empty, strict=True) if empty),
        open_attack=OpenAttack(name[fight.attacker], COUNTERS[fight.counter], target[fight.target])
        if is_attack_open
        else None,
        unnamed=(name[fight.reply_figure], COUNTERS[fight.reply_counter]) if fight.step == TARGET else None,
        played=tuple(
            PlayedCounter(name[figure], COUNTERS[counter], target[struck] if struck >= 0 else None)
            for figure, counter, struck in fight.played
        ),
        links=tuple((name[one], name[other]) for one, other in strikes.links(state, fight.members)),
        untrained=tuple((name[figure], name[one]) for figure, one in fight.untrained),
        shots=tuple((name[figure], name[one]) for figure, one in fight.shots),
    )


def turn_of(state: State, fight: Fight) -> str | None:
    """Return the side that must decide in a combat; None while both choose counters."""
    if fight.injured >= 0:
        return SIDES[state.game.roster.side(fight.injured)]
    step = STEPS[fight.step]
    if step == "choose":
        return None
    if step in ("play", "target"):
        return SIDES[fight.turn]
    return SIDES[0 if step in ("first", "mist", "soul") else 1]


def known(state: State, side: int) -> State:
    """Return a State holding only what a side may know, from which its choices are explained (R29).

    Face-down counters become bare squares, the other side's levels and counters in hand vanish, and so
    do the points it has left and who is still to recover, which would tell of them; the dice are fresh.
    Whatever stays is public or the side's own.
    """
    roster = state.game.roster
    copy = state.copy(Dice(""))
    first, levels = roster.terminators, roster.terminators * WIDE
    if side == 0 or state.game.is_dealt:
        if _are_seen(state):
            copy.hidden = state.face_down()
        for figure in roster.clone_indices:
            if not state.face_up[figure] and state.where[figure] != DEAD:
                copy.where[figure] = UNKNOWN
    if side == 0:
        copy.levels[levels:] = roster.printed_levels[levels:]
    else:
        copy.levels[:levels] = copy.original[:levels] = bytes(levels)
    if copy.mover >= 0 and roster.side(copy.mover) != side:
        # What a way over a drop-off cost tells whether Monkey Soul is left (4.42, R24).
        copy.points = 0
    copy.recovering = ()  # those with a damaged Mountain Heart (5.6, R24)
    if copy.fight is not None:
        hands = first * HAND
        if side == 0:
            copy.fight.hands[hands:] = bytes(len(copy.fight.hands) - hands)
        else:
            copy.fight.hands[:hands] = bytes(hands)
        if copy.fight.step == CHOOSE and not tactics.has_chosen(state, copy.fight, 1 - side):
            copy.fight.chosen = tuple(f for f in copy.fight.chosen if roster.side(f) == side)
        # In which order the other side went about its choices is its own secret too.
        copy.fight.chosen = tuple(sorted(copy.fight.chosen))
    return copy
