"""Raid positions drawn as text, and short words for playing on from them, all through RaidMatch.

A board is a few rows of letters, a room each; figures are lines such as

    Rising Dream     2,1   fist2 kick1 heart1      present levels; what it began with is the same
    Shadow Lotus     off   fist1 / fist1 heart2    present / original
    J-1              4,1   - / kick2 heart1        no level left: unconscious
    Servant 1        5,1   down                    face down

The name is parted from the rest by two spaces. A Jelly without levels has the printed ones, a
Terminator without levels has one of each. A CloneMaster or a Terminator who is not named is dead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import pytest

from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.dice import Dice
from engine.core.event import Event
from engine.fortress.floorplan import FloorPlan
from engine.fortress.plan_text import parse_floorplan_text
from engine.raid import choices
from engine.raid.events import PhaseBegan
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.match import RaidMatch, rolls_used
from engine.raid.scenario import HouseRules, Scenario, StartFigure, StartPosition
from engine.raid.state import Fight, Outcome, State
from engine.raid.view import FigureView

T, C = "terminator", "clonemaster"
DREAM, LOTUS, SONG = "Rising Dream", "Shadow Lotus", "Golden Song"
ONE_OF_EACH = {"fist": 1, "kick": 1, "mist": 1, "soul": 1, "heart": 1}
PLACES = ("off", "station", "dead", "escaped")
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
Square = tuple[int, int]
EventT = TypeVar("EventT", bound=Event)


# Drawing


def plan(grid: str, *, edges: str = "", equipment: str = "", entries: str = "", sight: str = "") -> FloorPlan:
    """Return the floor plan of rows of letters; every room is called "Room X" and takes all counters.

    Without entries it has one on its first square that is free of tanks, as any map needs one.
    """
    rows = [row.strip() for row in grid.split()]
    tanks = set(re.findall(r"tank\s+(\d+,\d+)", equipment))
    floor = (f"{x},{y}" for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != ".")
    entries = entries or f"Way in  {next(square for square in floor if square not in tanks)}  1  1  -"
    letters = sorted(set("".join(rows)) - {"."})
    rooms = "\n".join(f"{letter}  Room {letter}  lower  STJ" for letter in letters)

    def lines(text: str) -> str:
        return "\n".join(row.strip() for row in re.split(r"[;\n]", text) if row.strip())

    return parse_floorplan_text(
        "\n".join(
            (
                "[grid]",
                *rows,
                "[rooms]",
                rooms,
                "[edges]",
                lines(edges),
                "[equipment]",
                lines(equipment),
                "[entries]",
                lines(entries),
                "[sight]",
                lines(sight),
            )
        ),
        "Test board",
    )


def open_room(width: int, height: int) -> FloorPlan:
    """Return one room without walls inside."""
    return plan("\n".join("A" * width for _ in range(height)))


def _levels(text: str) -> dict[str, int]:
    return {word[:-1]: int(word[-1]) for word in text.split() if word != "-"}


def figure(line: str) -> StartFigure:
    """Return the figure of one line (see the module)."""
    name, _, rest = line.strip().partition("  ")
    words = rest.split()
    place, words = words[0], words[1:]
    is_face_up = "down" not in words
    text = " ".join(word for word in words if word != "down")
    present, has_original, original = text.partition("/")
    levels = _levels(present) if text else None
    if levels is None and name in TERMINATOR_NAMES:
        levels = ONE_OF_EACH
    began = _levels(original) if has_original else levels if name in TERMINATOR_NAMES else None
    if place in PLACES:
        return StartFigure(name=name, place=place, is_face_up=is_face_up, levels=levels, original=began)  # type: ignore[arg-type]
    x, y = place.split(",")
    return StartFigure(
        name=name, square=(int(x), int(y)), is_face_up=is_face_up, levels=levels, original=began
    )


def position(
    board: FloorPlan | str,
    figures: str,
    *,
    phase: str = "terminator-move-1",
    turn: int = 1,
    turns: int = 10,
    doors: Sequence[str] = (),
    equipment: Sequence[str] = (),
    rules: HouseRules | None = None,
) -> Scenario:
    """Return the scenario of a board (a plan or a shipped map's name) and lines of figures."""
    placed = [figure(line) for line in figures.strip().splitlines()]
    names = {one.name for one in placed}
    terminators = max(TERMINATOR_NAMES.index(name) + 1 for name in names if name in TERMINATOR_NAMES)
    placed += [
        StartFigure(name=name, place="dead")
        for name in (*TERMINATOR_NAMES[:terminators], "CloneMaster")
        if name not in names
    ]

    def highest(kind: str) -> int:
        return max((int(name.removeprefix(kind)) for name in names if name.startswith(kind)), default=0)

    jellies = tuple(int(name[2:]) for name in sorted(names) if name.startswith("J-"))
    return Scenario(
        name="Test position",
        map=board,
        turns=turns,
        terminators=terminators,
        jellies=len(jellies),
        jelly_numbers=jellies,
        armed_technicians=highest("Armed Technician "),
        technicians=highest("Technician "),
        servants=highest("Servant "),
        rules=rules or HouseRules(),
        start=StartPosition(
            turn=turn,
            phase=phase,  # type: ignore[arg-type]
            figures=tuple(placed),
            doors=tuple(doors),
            equipment=tuple(equipment),
        ),
    )


def match(
    board: FloorPlan | str,
    figures: str,
    *,
    phase: str = "terminator-move-1",
    turn: int = 1,
    turns: int = 10,
    dice: Sequence[int] = (),
    doors: Sequence[str] = (),
    equipment: Sequence[str] = (),
    rules: HouseRules | None = None,
) -> RaidMatch:
    """Return a match at a drawn position; more rolls than `dice` holds raise IndexError."""
    scenario = position(
        board, figures, phase=phase, turn=turn, turns=turns, doors=doors, equipment=equipment, rules=rules
    )
    return RaidMatch.new(scenario, "test", dice=dice)


# Asking


def decision(game: RaidMatch, side: str) -> Decision:
    """Return a side's open decision."""
    found = game.decision(side)
    assert found is not None, f"{side} has nothing to decide: {game.decisions()}"
    return found


def kind(game: RaidMatch) -> str:
    """Return the kind of the decision that the game waits for; "" when it is over."""
    return next((one.kind for one in game.decisions() if not one.optional), "")


def asked(game: RaidMatch) -> str:
    """Return the side that the game waits for; the first where both must decide."""
    return next(one.side for one in game.decisions() if not one.optional)


def offered(game: RaidMatch, side: str, wanted: type[Choice]) -> list[Choice]:
    """Return the choices of one kind that a side is offered."""
    return [choice for choice in decision(game, side).options if isinstance(choice, wanted)]


def destinations(game: RaidMatch, name: str) -> set[Square]:
    """Return the squares to which a figure is offered to move."""
    side = T if name in TERMINATOR_NAMES else C
    return {
        choice.path[-1]
        for choice in decision(game, side).options.of(name)
        if isinstance(choice, choices.Move)
    }


def seen(game: RaidMatch, name: str) -> FigureView:
    """Return a figure as its owner sees it."""
    side = T if name in TERMINATOR_NAMES else C
    return game.view(side).figure(name)


def where(game: RaidMatch, name: str) -> Square | str:
    """Return a figure's square, or its place off the map."""
    one = seen(game, name)
    return one.square if one.square is not None else one.place


def levels(game: RaidMatch, name: str) -> dict[str, int]:
    """Return the levels above 0 that a figure has now."""
    return {word: level for word, level in (seen(game, name).levels or {}).items() if level}


def told(game: RaidMatch, wanted: type[EventT], viewer: str = "public") -> list[EventT]:
    """Return the events of one kind that a viewer was told."""
    return [event for event in game.events(viewer) if isinstance(event, wanted)]


def phases(game: RaidMatch) -> list[str]:
    """Return the phases begun so far, in order."""
    return [event.phase for event in told(game, PhaseBegan)]


def refusal(game: RaidMatch, side: str, choice: Choice) -> IllegalChoice:
    """Return the one refusal that `why` and `submit` give; nothing changes and nothing like it is offered.

    `in options` says little of a move, of which one cheapest path is listed: that nothing changes,
    neither in the whole truth nor for any viewer, says the rest.
    """
    explained = game.why(side, choice)
    assert explained is not None, f"{choice} is allowed"
    before = everything(game)
    with pytest.raises(IllegalChoice) as refused:
        game.submit(side, choice)
    assert (refused.value.reason, refused.value.rule) == (explained.reason, explained.rule)
    after = everything(game)
    changed = [key for key in before if before[key] != after[key]]
    assert not changed, f"{choice} is refused and changes {', '.join(changed)}"
    mine = game.decision(side)
    assert mine is None or choice not in mine.options, f"{choice} is offered and refused"
    return explained


def everything(game: RaidMatch) -> dict[str, object]:
    """Return all there is to a game, to be compared: its state, revision and record, what each viewer has."""
    state = game._state
    found: dict[str, object] = {f"state.{key}": _plain(getattr(state, key)) for key in State.__slots__}
    found |= {"revision": game.revision, "record": game.record, "is_over": game.is_over}
    for viewer in (T, C, "public"):
        found[f"view of {viewer}"] = game.view(viewer)
        found[f"events of {viewer}"] = tuple(game.events(viewer))
    for side in (T, C):
        asked = game.decision(side)
        found[f"decision of {side}"] = (asked.kind, asked.revision, tuple(asked.options)) if asked else None
    return found


def _plain(part: object) -> object:
    """Return a part of a state as a value that does not change with it."""
    if isinstance(part, Fight | Outcome):
        return {key: _plain(getattr(part, key)) for key in type(part).__slots__}
    if isinstance(part, Dice):
        return (part.count, rolls_used(part))
    return bytes(part) if isinstance(part, bytearray) else tuple(part) if isinstance(part, list) else part


def assert_refused(game: RaidMatch, side: str, choice: Choice, rule: str, words: str) -> None:
    """Check that a choice is refused by this rule with these words in its reason."""
    found = refusal(game, side, choice)
    assert found.rule == rule, f"{found.rule}: {found.reason}"
    assert words in found.reason, found.reason


# Playing on


def t(game: RaidMatch, *made: Choice) -> None:
    """Make choices for the Terminator player."""
    for choice in made:
        game.submit(T, choice)


def c(game: RaidMatch, *made: Choice) -> None:
    """Make choices for the CloneMaster player."""
    for choice in made:
        game.submit(C, choice)


def steps(game: RaidMatch, name: str, way: str) -> choices.Move:
    """Return the move of a figure along compass letters, from where it stands."""
    here = where(game, name)
    assert isinstance(here, tuple), f"{name} is {here}"
    path = []
    for letter in way:
        here = (here[0] + STEPS[letter][0], here[1] + STEPS[letter][1])
        path.append(here)
    return choices.Move(name, tuple(path))


def walk(game: RaidMatch, name: str, way: str) -> None:
    """Move a figure along compass letters ("EES")."""
    game.submit(T if name in TERMINATOR_NAMES else C, steps(game, name, way))


def idle(game: RaidMatch) -> None:
    """Let whoever is asked do as little as he may."""
    side = asked(game)
    do: Choice
    match kind(game):
        case "terminator-move" | "clonemaster-move":
            groups = decision(game, side).options.groups
            # Reinforcements who find room must come in first (R12).
            do = choices.EndPhase() if "" in groups else decision(game, side).options.of(groups[-1])[0]
        case "release-clonemaster":
            do = choices.Pass()
        case "free-move":
            do = choices.EndMove("CloneMaster")
        case "choose-counters":
            do = choices.ChooseCounters(decision(game, side).options.groups[0], ())
        case "throw-spikes":
            do = choices.Throw(False)
        case "untrained" | "gunfire" | "show-mist" | "show-soul":
            do = choices.Done()
        case _:
            options = decision(game, side).options
            do = choices.Stop() if choices.Stop() in options else options[0]
    game.submit(side, do)


def go_to(game: RaidMatch, phase: str, *, turn: int = 0) -> None:
    """Let everybody idle until a phase is reached (of that turn, if one is given)."""
    for _ in range(500):
        view = game.view("public")
        if view.phase == phase and turn in (0, view.turn):
            return
        idle(game)
    raise AssertionError(f"{phase} was not reached")


def go_until(game: RaidMatch, *kinds: str) -> None:
    """Let everybody idle until a decision of one of these kinds is open."""
    for _ in range(500):
        if kind(game) in kinds:
            return
        idle(game)
    raise AssertionError(f"{kinds} was not asked")


def begin_fight(game: RaidMatch, hands: dict[str, str], combat: int = 0) -> None:
    """Begin a combat and choose every figure's counters; those not named take none."""
    if kind(game) == "fight-order":
        game.submit(asked(game), choices.Fight(combat))
    while kind(game) == "choose-counters":
        side = asked(game)
        name = decision(game, side).options.groups[0]
        game.submit(side, choices.ChooseCounters(name, tuple(hands.get(name, "").split())))


def fight(game: RaidMatch, hands: dict[str, str], *, first: str = T, throw: bool = False) -> None:
    """Begin the first combat, choose counters, and say who plays first."""
    begin_fight(game, hands)
    if kind(game) == "throw-spikes":
        game.submit(C, choices.Throw(throw))
    if kind(game) == "who-begins":
        game.submit(T, choices.Begin(first))


def lose(game: RaidMatch, ability: str) -> None:
    """Mark the injury that the game waits for on this ability."""
    assert kind(game) == "lose-ability", kind(game)
    side = asked(game)
    name = next(
        choice.figure for choice in decision(game, side).options if isinstance(choice, choices.LoseAbility)
    )
    game.submit(side, choices.LoseAbility(name, ability))


def play(game: RaidMatch, name: str, counter: str, target: str = "", *, lost: str = "") -> None:
    """Play a counter, mark the injury that its reply lets through, and name the target if there is one.

    `lost` is the ability that whoever is hit loses, by the attack replied to or by this one.
    """
    side = T if name in TERMINATOR_NAMES else C
    game.submit(side, choices.PlayCounter(name, counter))
    if lost and kind(game) == "lose-ability":
        lose(game, lost)
    if target:
        game.submit(side, choices.NameTarget(target))
        if lost and kind(game) == "lose-ability":
            lose(game, lost)
