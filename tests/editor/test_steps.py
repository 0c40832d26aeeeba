"""Any series of edits: undone to the first byte, done again to the last, saved and opened as it was."""

from __future__ import annotations

import pytest

from editor.document import Document
from editor.draft import Draft, change_between, format_draft
from engine.fortress.floorplan import FloorPlan, faults, load_floorplan, parse_floorplan
from engine.raid.scenario import load_scenario, plan_of
from tests.helpers.edit_scripts import Script
from tests.helpers.plans import CITADEL

STEPS = 500


def begun(seed: int) -> Draft:
    """Return what a script begins with: nothing, the citadel, or the citadel's scenario."""
    if seed % 3 == 0:
        return Draft(FloorPlan(name="Nothing", grid=("." * 14,) * 11, rooms=()))
    if seed % 3 == 1:
        return Draft(load_floorplan(CITADEL))
    scenario = load_scenario("solitaire")
    return Draft(plan_of(scenario), scenario)


@pytest.mark.parametrize("seed", range(4))
def test_500_random_steps_undo_to_the_first_bytes_and_redo_to_the_last(seed: int) -> None:
    """Undo all gives the first bytes, redo all the last, and no step makes what is no map."""
    script = Script(seed)
    document = Document(begun(seed))
    shown = document.draft

    def follow(change: object) -> None:
        nonlocal shown
        assert change == change_between(shown, document.draft)
        shown = document.draft

    document.changed.connect(follow)
    bytes_at = [format_draft(document.draft)]
    for _ in range(STEPS):
        word, draft = script.step(document.draft)
        before = format_draft(document.draft)
        if document.apply(word, draft):
            bytes_at.append(format_draft(document.draft))
            assert bytes_at[-1] != before
        assert document.stack.index() == len(bytes_at) - 1
        assert faults(document.draft.plan) == []
    assert len(bytes_at) > STEPS / 2
    for raw in reversed(bytes_at[:-1]):
        document.undo()
        assert format_draft(document.draft) == raw
    assert not document.stack.canUndo()
    assert not document.is_modified
    assert shown is document.draft
    for raw in bytes_at[1:]:
        document.redo()
        assert format_draft(document.draft) == raw
    assert not document.stack.canRedo()


@pytest.mark.parametrize("seed", range(3))
def test_what_random_steps_make_is_saved_and_opened_as_it_was(seed: int) -> None:
    """`parse(format(plan)) == plan` along a random script: the writer loses nothing an edit can make."""
    script, draft = Script(100 + seed), begun(seed)
    for _ in range(150):
        draft = script.step(draft)[1].tidied(draft)
        raw = format_draft(Draft(draft.plan))
        again = parse_floorplan(raw)
        assert again == draft.plan
        assert format_draft(Draft(again)) == raw
