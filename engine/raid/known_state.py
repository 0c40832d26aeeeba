"""What a side may know of a State, as plain values: out to a guest's machine, and in again there.

`pack` writes the State of `redact.known`, and of that only what a decision, a price or a refusal looks at.
For a figure that a side cannot name nothing is written, so that states which differ only in what it may
not know give equal bytes. `unpack` trusts nobody: whatever it lets through, the rules can be asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec

from engine.core.decision import Choice, IllegalChoice
from engine.core.dice import Dice
from engine.fortress.masks import bits
from engine.raid import redact, rules
from engine.raid.choices import PlaceComputer, PlaceDoor
from engine.raid.figures import ATTACKS, COUNTERS
from engine.raid.phases import extras
from engine.raid.state import (
    ASK_WHEN,
    BOX,
    CLONEMASTER_MOVE,
    COMBAT_1,
    COMBAT_2,
    DEAD,
    ESCAPED,
    FREE_MOVING,
    GUNFIRE_ROLL,
    HAND,
    OFF,
    OVER,
    SET_UP,
    SETTLE,
    STATION,
    STEPS,
    TARGET,
    TERMINATOR_MOVE_1,
    TERMINATOR_MOVE_2,
    UNKNOWN,
    UNTRAINED_ROLL,
    WAITING,
    WIDE,
    Fight,
    Game,
    State,
)
from engine.raid.view import PHASES

T = TypeVar("T")

FIGURES_LIMIT: Final = 4096  # in a list of figures or squares; more than any scenario has
REASON_LIMIT: Final = 400  # letters

Number = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
OrNone = Annotated[int, msgspec.Meta(ge=-1, le=0xFFFF)]  # -1 is nobody, as in the State
Byte = Annotated[int, msgspec.Meta(ge=0, le=0xFF)]
Place = Annotated[int, msgspec.Meta(ge=-0xFFFF, le=0xFFFF)]
Numbers = Annotated[tuple[Number, ...], msgspec.Meta(max_length=FIGURES_LIMIT)]
Bytes = Annotated[tuple[Byte, ...], msgspec.Meta(max_length=FIGURES_LIMIT)]
Pairs = Annotated[tuple[tuple[Number, Number], ...], msgspec.Meta(max_length=FIGURES_LIMIT)]
Levels = tuple[Byte, Byte, Byte, Byte, Byte, Byte]
Rows = Annotated[tuple[Levels, ...], msgspec.Meta(max_length=FIGURES_LIMIT)]
Hand = tuple[Byte, Byte, Byte, Byte, Byte]
Extra = tuple[Byte, Byte, Literal["N", "E", "S", "W"]]  # the square and its side
Extras = Annotated[tuple[Extra, ...], msgspec.Meta(max_length=9)]
Reason = Annotated[str, msgspec.Meta(max_length=REASON_LIMIT)]


class Packed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Plain values, in which what is as it mostly is stays away."""


class KnownFight(Packed, frozen=True, kw_only=True, omit_defaults=True):
    """The combat being resolved; `hands` has a row for each of the own warriors in it, in their order."""

    combat: Number
    members: Numbers
    step: Annotated[int, msgspec.Meta(ge=0, lt=len(STEPS))] = 0
    hands: Annotated[tuple[Hand, ...], msgspec.Meta(max_length=FIGURES_LIMIT)] = ()
    chosen: Numbers = ()
    empty: tuple[bool, bool] = (False, False)
    is_throwing: bool = False
    turn: Literal[0, 1] = 0
    played: Annotated[tuple[tuple[Number, Byte, OrNone], ...], msgspec.Meta(max_length=FIGURES_LIMIT)] = ()
    attacker: OrNone = -1
    counter: OrNone = -1
    target: OrNone = -1
    reply_figure: OrNone = -1
    reply_counter: OrNone = -1
    injured: OrNone = -1
    untrained: Pairs = ()
    shown: Numbers = ()
    shots: Pairs = ()
    dodged: Numbers = ()


class KnownState(Packed, frozen=True, kw_only=True, omit_defaults=True):
    """A State as a side may know it.

    `where` has a place for every figure, null for one that the side cannot name. Other figures, doors
    and pieces of equipment go by number, where something is so of few. `levels` are those of the own
    warriors; `original` are the Terminators', for what a Jelly began with is printed on it.
    """

    turn: Number
    phase: Annotated[int, msgspec.Meta(ge=0, lt=len(PHASES))]
    where: Annotated[tuple[Place | None, ...], msgspec.Meta(max_length=FIGURES_LIMIT)]
    levels: Rows
    original: Rows = ()
    face_up: Numbers = ()
    unconscious: Numbers = ()
    fired: Numbers = ()
    moved: Numbers = ()
    hidden: Numbers = ()
    doors: Numbers = ()
    wrecked: Numbers = ()
    entered: Bytes = ()
    left: Bytes = ()
    released: Annotated[int, msgspec.Meta(ge=0, le=7)] = 0
    ready: tuple[bool, bool] = (True, True)
    is_built: bool = True
    extra_doors: Extras = ()
    extra_computers: Extras = ()
    mover: OrNone = -1
    points: Number = 0
    free_move: Annotated[int, msgspec.Meta(ge=0, le=FREE_MOVING)] = 0
    free_points: Number = 0
    window: bool = False
    closing: bool = False
    combats: Annotated[tuple[Numbers, ...], msgspec.Meta(max_length=FIGURES_LIMIT)] = ()
    displaced: OrNone = -1
    fight: KnownFight | None = None


# Out


def pack(state: State, side: int) -> dict[str, Any]:
    """Return what a side may know of a State, as plain JSON values; some ten microseconds."""
    packed: dict[str, Any] = msgspec.to_builtins(packed_state(redact.known(state, side), side))
    return packed


def packed_state(state: State, side: int) -> KnownState:
    """Return the values of a redacted State."""
    game = state.game
    fight = state.fight
    return KnownState(
        turn=state.turn,
        phase=state.phase,
        where=tuple([None if place == UNKNOWN else place for place in state.where]),
        levels=_rows(state.levels, _warriors(game, side)),
        original=_rows(state.original, game.roster.terminator_indices) if side == 0 else (),
        face_up=_marked(state.face_up),
        unconscious=tuple([figure for figure, awake in enumerate(state.awake) if not awake]),
        fired=_marked(state.fired),
        moved=_marked(state.moved),
        hidden=tuple(sorted(state.hidden)),
        doors=tuple(bits(state.doors)),
        wrecked=tuple(bits(state.wrecked)),
        entered=tuple(state.entered) if any(state.entered) else (),
        left=tuple(state.left) if any(state.left) else (),
        released=state.released,
        ready=(state.ready[0], state.ready[1]),
        is_built=state.is_built,
        extra_doors=_extra_doors(game),
        extra_computers=_extra_computers(game),
        mover=state.mover,
        points=state.points,
        free_move=state.free_move,
        free_points=state.free_points,
        window=state.window,
        closing=state.closing,
        combats=state.combats,
        displaced=state.displaced,
        fight=None if fight is None else _packed_fight(game, fight, side),
    )


def _packed_fight(game: Game, fight: Fight, side: int) -> KnownFight:
    return KnownFight(
        combat=fight.combat,
        members=fight.members,
        step=fight.step,
        hands=_hands(game, fight, side),
        chosen=fight.chosen,
        empty=(fight.empty[0], fight.empty[1]),
        is_throwing=fight.is_throwing,
        turn=1 if fight.turn else 0,
        played=fight.played,
        attacker=fight.attacker,
        counter=fight.counter,
        target=fight.target,
        reply_figure=fight.reply_figure,
        reply_counter=fight.reply_counter,
        injured=fight.injured,
        untrained=fight.untrained,
        shown=fight.shown,
        shots=fight.shots,
        dodged=fight.dodged,
    )


def _marked(flags: bytearray) -> tuple[int, ...]:
    return tuple([figure for figure, flag in enumerate(flags) if flag]) if any(flags) else ()


def _warriors(game: Game, side: int) -> Sequence[int]:
    """Return a side's figures with levels."""
    return game.roster.terminator_indices if side == 0 else game.roster.jelly_indices


def _rows(levels: bytearray, figures: Iterable[int]) -> Any:
    return tuple([tuple(levels[figure * WIDE : figure * WIDE + WIDE]) for figure in figures])


def _hands(game: Game, fight: Fight, side: int) -> Any:
    hands = fight.hands
    found = [tuple(hands[one * HAND : one * HAND + HAND]) for one in _fighting(game, fight.members, side)]
    return tuple(found) if any(map(any, found)) else ()


def _fighting(game: Game, members: Iterable[int], side: int) -> list[int]:
    """Return a side's warriors among the figures of a combat."""
    roster = game.roster
    return [figure for figure in members if roster.is_fighter[figure] and roster.side(figure) == side]


def _extra_doors(game: Game) -> tuple[Extra, ...]:
    doors = [game.board.armored[game.door_names.index(name)] for name in game.extra_doors]
    return tuple([(door.x, door.y, door.side) for door in doors])


def _extra_computers(game: Game) -> tuple[Extra, ...]:
    found: list[Extra] = []
    for name in game.extra_computers:
        thing = game.board.equipment[game.equipment_names.index(name)]
        assert thing.side is not None
        found.append((*game.xy[thing.square], thing.side))
    return tuple(found)


# In


def unpack(packed: Any, game: Game, side: int) -> State:
    """Return the State that `pack` wrote for a side, without what no decision looks at.

    `game` is the scenario's, with or without additions to the map (7.4); the State gets one with those
    that were packed. Raises ValueError with one line for whatever is no State of this game.
    """
    known = converted(packed, KnownState)
    state = _unpacked(known, built(game, known.extra_doors, known.extra_computers), side)
    for fault in _faults(state, side):
        raise ValueError(f"known: {fault}")
    return state


def converted(packed: Any, kind: type[T]) -> T:
    """Return typed values, from JSON or from what its decoder made; raises ValueError with one short line."""
    try:
        if isinstance(packed, (bytes, msgspec.Raw)):
            return msgspec.json.decode(packed, type=kind)
        return msgspec.convert(packed, kind)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    except (msgspec.MsgspecError, ValueError, TypeError, OverflowError) as error:
        raise ValueError(" ".join(str(error)[:REASON_LIMIT].split())) from error


def built(game: Game, doors: tuple[Extra, ...], computers: tuple[Extra, ...]) -> Game:
    """Return a game with these additions to the map; raises ValueError for one that R35 does not let."""
    if (_extra_doors(game), _extra_computers(game)) == (doors, computers):
        return game
    state = State(rules.game_of(game.scenario), Dice(""))
    added: list[Choice] = [PlaceDoor((x, y), side) for x, y, side in doors]
    added += [PlaceComputer((x, y), side) for x, y, side in computers]
    for choice in added:
        try:
            extras.check(state, 1, choice)
        except IllegalChoice as error:
            raise ValueError(f"known: an addition to the map: {error.reason}") from error
        extras.apply(state, 1, choice, [])
    return state.game


def _unpacked(known: KnownState, game: Game, side: int) -> State:
    """Return the State of packed values, as far as their lengths and numbers fit the game."""
    roster, board = game.roster, game.board
    size = roster.size
    state = State(game, Dice(""))
    state.turn = known.turn
    state.phase = known.phase
    state.where = [UNKNOWN if place is None else place for place in _long("where", known.where, size)]
    warriors = _warriors(game, side)
    for figure, row in zip(warriors, _long("levels", known.levels, len(warriors)), strict=True):
        if side == 1:
            state.set_levels(figure, row)
    if side == 0:
        originals = _long("original", known.original, roster.terminators)
        for figure, row, now in zip(warriors, originals, known.levels, strict=True):
            state.train(figure, row)
            state.set_levels(figure, now)
    elif known.original:
        raise ValueError("known: original: the Terminators' levels, in the CloneMaster player's hands")
    state.face_up = _flags("face_up", known.face_up, size)
    state.awake = bytearray(not flag for flag in _flags("unconscious", known.unconscious, size))
    state.fired = _flags("fired", known.fired, size)
    state.moved = _flags("moved", known.moved, size)
    state.hidden = frozenset(_below("hidden", known.hidden, board.size))
    state.doors = sum(1 << door for door in set(_below("doors", known.doors, len(board.armored))))
    state.wrecked = sum(1 << thing for thing in set(_below("wrecked", known.wrecked, len(board.equipment))))
    entries = len(board.entries)
    state.entered = bytearray(_long("entered", known.entered or (0,) * entries, entries))
    state.left = bytearray(_long("left", known.left or (0,) * entries, entries))
    state.released = known.released
    state.ready = list(known.ready)
    state.is_built = known.is_built
    (state.mover,) = _below("mover", (known.mover,), size)
    state.points = known.points
    state.free_move = known.free_move
    state.free_points = known.free_points
    state.window = known.window
    state.closing = known.closing
    state.combats = tuple(tuple(_below("combats", members, size)) for members in known.combats)
    (state.displaced,) = _below("displaced", (known.displaced,), size)
    if known.fight is not None:
        state.fight = _unpacked_fight(known.fight, game, side)
    return state


def _unpacked_fight(known: KnownFight, game: Game, side: int) -> Fight:
    size = game.roster.size
    fight = Fight(known.combat, tuple(_below("fight.members", known.members, size)), size)
    own = _fighting(game, known.members, side) if known.hands else []
    for figure, hand in zip(own, _long("fight.hands", known.hands, len(own)), strict=True):
        fight.hands[figure * HAND : figure * HAND + HAND] = bytes(hand)
    fight.step = known.step
    fight.chosen = tuple(_below("fight.chosen", known.chosen, size))
    fight.empty = list(known.empty)
    fight.is_throwing = known.is_throwing
    fight.turn = known.turn
    for figure, counter, struck in known.played:
        _below("fight.played", (figure,), size)
        _below("fight.played", (counter,), HAND)
        _below("fight.played", (struck,), len(game.targets))
    fight.played = known.played
    fight.attacker, fight.reply_figure, fight.injured = _below(
        "fight", (known.attacker, known.reply_figure, known.injured), size
    )
    fight.counter, fight.reply_counter = _below("fight", (known.counter, known.reply_counter), len(COUNTERS))
    (fight.target,) = _below("fight.target", (known.target,), len(game.targets))
    for place, pairs in (("fight.untrained", known.untrained), ("fight.shots", known.shots)):
        for pair in pairs:
            _below(place, pair, size)
    fight.untrained, fight.shots = known.untrained, known.shots
    fight.shown = tuple(_below("fight.shown", known.shown, size))
    fight.dodged = tuple(_below("fight.dodged", known.dodged, len(known.shots)))
    return fight


def _long(place: str, values: Sequence[T], length: int) -> Sequence[T]:
    if len(values) != length:
        raise ValueError(f"known: {place}: {len(values)} values, {length} needed")
    return values


def _below(place: str, numbers: Sequence[int], limit: int) -> Sequence[int]:
    for number in numbers:
        if number >= limit:
            raise ValueError(f"known: {place}: {number} is none of the {limit} of this game")
    return numbers


def _flags(place: str, figures: Sequence[int], size: int) -> bytearray:
    flags = bytearray(size)
    for figure in _below(place, figures, size):
        flags[figure] = 1
    return flags


def _faults(state: State, side: int) -> Iterable[str]:
    """Find what the rules could not be asked about, the values being in their bounds."""
    game = state.game
    if not 1 <= state.turn <= game.scenario.turns:
        yield f"turn: {state.turn} of {game.scenario.turns}"
    if not state.is_built and (state.phase != SET_UP or not extras.is_asked(state)):
        yield "is_built: nothing is added to this map now"
    for figure, place in enumerate(state.where):
        if not _can_be(state, side, figure, place):
            yield f"where: {game.roster.name[figure]} cannot be at {place}"
    if any(not _is_floor(game, square) for square in state.hidden):
        yield "hidden: there is no square there"
    if side == 1 and not game.is_dealt and state.hidden:
        yield "hidden: the CloneMaster player knows his counters"
    clone = game.roster.clonemaster
    if state.free_move in (ASK_WHEN, FREE_MOVING) and not (state.where[clone] >= 0 and state.face_up[clone]):
        yield "free_move: the CloneMaster is not out"
    if state.mover >= 0 and state.phase != OVER and not _can_move(state):
        yield f"mover: {game.roster.name[state.mover]} cannot be moving"
    if state.displaced >= 0 and state.where[state.displaced] < 0:
        yield f"displaced: {game.roster.name[state.displaced]} is not on the map"
    if state.fight is not None:
        yield from _fight_faults(state, state.fight)


def _is_floor(game: Game, square: int) -> bool:
    return square < game.board.size and bool(game.board.floor >> square & 1)


def _can_be(state: State, side: int, figure: int, place: int) -> bool:
    """Return whether a side can know a figure at a place."""
    game = state.game
    if place >= 0 and not _is_floor(game, place):
        return False
    if figure < game.roster.terminators:
        if place <= STATION:
            number = STATION - place
            return number < len(game.board.entries) and game.board.entries[number].door >= 0
        return place >= 0 or place in (OFF, DEAD, ESCAPED)
    if figure in game.entry_of and not state.face_up[figure] and place != BOX:
        return place == UNKNOWN and (side == 0 or game.is_dealt)  # reinforcements come face up (R12)
    if place == WAITING:
        return figure in game.entry_of
    is_secret = (side == 0 or game.is_dealt) and not state.face_up[figure] and place != DEAD
    return place == UNKNOWN if is_secret else place >= 0 or place in (DEAD, BOX)


def _can_move(state: State) -> bool:
    """Return whether the figure now moving can be one that moves in this phase."""
    side = state.game.roster.side(state.mover)
    phases = (CLONEMASTER_MOVE,) if side else (TERMINATOR_MOVE_1, TERMINATOR_MOVE_2)
    return state.phase in phases and state.where[state.mover] >= 0


def _fight_faults(state: State, fight: Fight) -> Iterable[str]:
    roster = state.game.roster
    members = set(fight.members)
    if state.phase not in (COMBAT_1, COMBAT_2, OVER):
        yield "fight: this is no combat phase"
    if not members or len(members) != len(fight.members):
        yield "fight.members: nobody, or somebody twice"
    if fight.injured >= 0 and not (fight.injured in members and roster.is_fighter[fight.injured]):
        yield "fight.injured: no warrior of this combat"
    is_stop = fight.step not in (SETTLE, UNTRAINED_ROLL, GUNFIRE_ROLL)
    if not is_stop and fight.injured < 0 and state.phase != OVER:
        yield "fight.step: nobody decides there"
    if fight.step == TARGET and not (fight.reply_figure in members and fight.reply_counter in ATTACKS):
        yield "fight.reply_figure: nobody has struck"
    is_open = {fight.attacker >= 0, fight.counter >= 0, fight.target >= 0}
    if len(is_open) > 1:
        yield "fight.attacker: half an attack"
