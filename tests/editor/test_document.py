"""The document: gestures, steps, merging, and what `changed` tells."""

from __future__ import annotations

from pathlib import Path

import msgspec

from editor.bench import Bench
from editor.document import Document
from editor.draft import Change, Draft, Edge, format_draft
from editor.edits.edges import with_edges
from editor.edits.squares import paint, with_new_room
from editor.selection import NOTHING, Selection
from engine.fortress.floorplan import FloorPlan
from engine.raid.scenario import Scenario, load_scenario, plan_of
from tests.helpers.plans import drawn


def empty(width: int = 8, height: int = 6) -> Document:
    """Return a document of nothing but rock."""
    return Document(Draft(FloorPlan(name="Empty", grid=("." * width,) * height, rooms=())))


def test_a_gesture_is_one_step_or_none() -> None:
    """One press to release is one step; two gestures are two; a cancelled one pushes nothing."""
    document = empty()
    first = format_draft(document.draft)
    for start in (0, 4):
        gesture = document.begin("Brush")
        plan, letter = with_new_room(gesture.before.plan, [(start, 0)])
        for x in range(start, start + 3):
            gesture.show(gesture.now.with_plan(paint(plan, [(x, 0)], letter)))
        assert gesture.commit()
    assert document.stack.count() == 2
    gesture = document.begin("Brush")
    gesture.show(gesture.now.with_plan(with_new_room(gesture.now.plan, [(1, 3)])[0]))
    gesture.cancel()
    assert document.stack.count() == 2
    document.undo()
    document.undo()
    assert format_draft(document.draft) == first


def test_undo_amid_a_gesture_only_takes_the_gesture_back() -> None:
    """Undo while the button is down ends the stroke; the step before it stays, and no signal is lost."""
    document = empty()
    document.apply("Room", document.draft.with_plan(with_new_room(document.draft.plan, [(0, 0)])[0]))
    kept = document.draft
    gesture = document.begin("Room")
    gesture.show(gesture.now.with_plan(with_new_room(gesture.now.plan, [(3, 3)])[0]))
    assert document.kept is kept
    document.undo()
    assert document.draft is kept
    assert not gesture.commit()
    assert document.stack.index() == 1


def test_changed_tells_squares_and_edges() -> None:
    """What `changed` carries is exactly what may look different, for a canvas that redraws only that."""
    document = Document(Draft(drawn("AAB AAB", "door 1,0 E")))
    told: list[Change] = []
    document.changed.connect(told.append)
    document.apply("Wall", document.draft.with_plan(with_edges(document.draft.plan, {(0, 0, "E"): "wall"})))
    document.apply("Paint", document.draft.with_plan(paint(document.draft.plan, [(2, 1)], "A")))
    assert told[0] == Change(frozenset(), frozenset({(0, 0, "E")}), frozenset())
    round_it: frozenset[Edge] = frozenset({(2, 1, "E"), (2, 1, "S"), (1, 1, "E"), (2, 0, "S")})
    assert told[1] == Change(frozenset({(2, 1)}), round_it, frozenset())
    document.apply("Name", Draft(msgspec.structs.replace(document.draft.plan, name="Other")))
    assert told[2] == Change(frozenset(), frozenset(), frozenset({"name"}))


def test_steps_of_one_spin_box_are_one_until_it_is_settled() -> None:
    """Turning a number ten times is one step; after `settle` it is another; back to the start is none."""
    scenario = load_scenario("basic")
    document = Document(Draft(plan_of(scenario), scenario))

    def turns(number: int) -> None:
        changed = msgspec.structs.replace(document.draft.scenario or scenario, turns=number)
        document.apply("Turns", document.draft._replace(scenario=changed), merge="turns")

    for number in (11, 12, 13):
        turns(number)
    assert document.stack.count() == 1
    document.settle()
    turns(14)
    assert document.stack.count() == 2
    turns(13)
    assert document.stack.count() == 1
    assert document.draft.scenario is not None
    assert document.draft.scenario.turns == 13
    document.undo()
    assert document.draft.scenario == scenario


def test_a_change_of_a_named_map_keeps_the_map_in_the_scenario() -> None:
    """A scenario that names the citadel holds a map of its own once that is changed; undo names it again."""
    scenario = load_scenario("basic")
    assert scenario.map == "citadel"
    document = Document(Draft(plan_of(scenario), scenario))
    document.apply("Erase", document.draft.with_plan(paint(document.draft.plan, [(0, 0)], ".")))
    content = document.draft.content
    assert isinstance(content, Scenario)
    assert content.map == document.draft.plan
    document.undo()
    assert document.draft.content == scenario


def test_saving_makes_clean_and_undo_past_it_dirty(tmp_path: Path) -> None:
    """The star goes at a save, comes with undo, and goes again with redo."""
    document = empty()
    told: list[bool] = []
    document.modified.connect(told.append)
    document.apply("Room", document.draft.with_plan(with_new_room(document.draft.plan, [(0, 0)])[0]))
    document.mark_saved(tmp_path / "a.json")
    document.undo()
    document.redo()
    assert told == [True, False, True, False]


def test_selecting_is_no_change_and_ends_with_what_is_selected() -> None:
    """Selection and the room in hand never dirty the draft, and go when their things go."""
    document = Document(Draft(drawn("AAB", things="tank 0,0; tank 2,0")))
    bench = Bench(document)
    bench.choose_room("B")
    bench.select(Selection(squares=frozenset({(2, 0)}), equipment=frozenset({1})))
    assert not document.is_modified
    document.apply("Take away", Draft(msgspec.structs.replace(document.draft.plan, equipment=())))
    assert bench.selection == Selection(squares=frozenset({(2, 0)}))
    document.apply("Erase", document.draft.with_plan(paint(document.draft.plan, [(2, 0)], ".")))
    assert bench.room == ""
    document.replace(Draft(drawn("C")), None)
    assert bench.selection == NOTHING
