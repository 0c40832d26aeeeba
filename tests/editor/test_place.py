"""The tool that puts figures on the map: fixed placements, and the figures of a start position (6.3)."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt

from editor.canvas.figures import figures_of
from editor.draft import OWN_MAP, Draft, format_draft
from editor.edits.figures import first_start, kind_of, shown_figures
from editor.edits.whole import resized
from editor.selection import Selection
from editor.tools.base import Keys
from editor.tools.place import PlaceTool
from engine.raid.problems import problems
from engine.raid.scenario import Placement, Scenario, StartFigure, StartPosition, load_scenario, plan_of
from tests.helpers.bench import RIGHT, Desk
from tests.helpers.plans import drawn

CTRL = Keys(ctrl=True)


def house(**changes: object) -> Draft:
    """Return a scenario on two rooms with a tank at 6,0 and rock in the corner 7,3."""
    plan = drawn("AAAABBBB AAAABBBB AAAABBBB AAAABBB.", "door 3,1 E", things="tank 6,0", entries="0,2 W")
    return Draft(plan, replace(Scenario(name="House", map=OWN_MAP, servants=2, jellies=2), **changes))


def desk_with(draft: Draft, kind: str = "servant") -> tuple[Desk, PlaceTool]:
    """Return a desk with the tool in hand, about to place a kind."""
    desk = Desk(draft)
    tool = desk.take(PlaceTool)
    tool.choose(kind)
    return desk, tool


def where(desk: Desk) -> list[tuple[str, object]]:
    """Return the figures on the map, by kind or name, with their squares."""
    found = shown_figures(desk.document.draft)
    return [(one.kind if isinstance(one, Placement) else one.name, one.square) for one in found]


def test_a_click_places_a_drag_moves_a_right_click_takes_away() -> None:
    """Each is one step with its name, and can be taken back."""
    desk, _ = desk_with(house())
    desk.click((1, 1))
    assert where(desk) == [("servant", (1, 1))]
    desk.drag((1, 1), (2, 1), (5, 1))
    assert where(desk) == [("servant", (5, 1))]
    assert desk.bench.selection == Selection(placements=frozenset((0,)))
    desk.click((5, 1), RIGHT)
    assert where(desk) == []
    assert desk.steps == ["Servant at 1,1", "Move Servant", "Take away Servant"]
    last = desk.bytes
    desk.undo_all()
    assert desk.bytes == desk.first
    desk.redo_all()
    assert desk.bytes == last


def test_refusals_are_shown_before_the_click_and_nothing_is_done() -> None:
    """Ghost and status line say why: a tank (4.5), somebody there (4.6), rock, off the map, force used up."""
    desk, tool = desk_with(house())
    desk.click((1, 1))
    for spot, reason in (
        ((6, 0), "a clone growth tank fills the square (4.5)"),
        ((7, 3), "there is rock"),
    ):
        desk.hover(spot)
        assert tool.ghost.reason == reason
        desk.click(spot)
        assert desk.said[-1] == f"{reason[0].upper()}{reason[1:]}."
    desk.click((2, 2))
    desk.hover((3, 3))
    assert "no more than 2 Servants" in tool.ghost.reason
    desk.click((-1, 2))
    assert desk.said[-1] == "That is off the map."
    assert desk.steps == ["Servant at 1,1", "Servant at 2,2"]
    desk.drag((1, 1), (2, 2))
    assert desk.said[-1] == "Servant is there already (4.6)."
    desk.drag((1, 1), (6, 0))
    assert "(4.5)" in desk.said[-1]
    assert len(desk.steps) == 2
    assert where(desk) == [("servant", (1, 1)), ("servant", (2, 2))]


def test_a_drag_that_is_cancelled_leaves_no_trace() -> None:
    """Esc and the other button put the figure back; no step, and the tool is idle."""
    desk, tool = desk_with(house())
    desk.click((1, 1))
    for _ in range(2):
        desk.drag((1, 1), (4, 2), is_released=False)
        assert where(desk) == [("servant", (4, 2))]
        assert tool.cancel()
        assert where(desk) == [("servant", (1, 1))]
    desk.drag((1, 1), (4, 2), is_released=False)
    tool.press(desk.at((4, 2)), RIGHT, Keys())
    assert where(desk) == [("servant", (1, 1))]
    assert not tool.cancel()
    assert len(desk.steps) == 1


def test_by_keyboard_alone() -> None:
    """Digits choose the kind in the order of the options, Ctrl brings the selected one, Del takes it away."""
    desk, tool = desk_with(house())
    tool.choose(tool.options[2][0])
    assert tool.option == "jelly"
    desk.click((1, 1))
    desk.click((4, 2), keys=CTRL)
    assert where(desk) == [("jelly", (4, 2))]
    assert desk.key(Qt.Key.Key_Delete)
    assert where(desk) == []
    assert not desk.key(Qt.Key.Key_Delete)
    desk.click((4, 2), keys=CTRL)
    assert desk.said[-1].startswith("Select one figure first")


def test_symmetry_does_not_apply() -> None:
    """A figure is one of its own, however strokes are drawn."""
    desk, _ = desk_with(house())
    desk.bench.set_symmetry("half-turn")
    desk.click((1, 1))
    assert where(desk) == [("servant", (1, 1))]


def test_figures_of_a_start_position() -> None:
    """The next of a kind comes, CloneMaster's units face down; Terminators only go off the map."""
    draft = house()
    assert draft.scenario is not None
    start = first_start(draft)
    draft = draft._replace(scenario=replace(draft.scenario, start=start))
    desk, tool = desk_with(draft, "jelly")
    desk.click((1, 1))
    desk.click((2, 1))
    assert [name for name, _ in where(desk)][-2:] == ["J-1", "J-2"]
    desk.hover((3, 3))
    assert "no more than 2 Jellies" in tool.ghost.reason
    jelly = shown_figures(desk.document.draft)[-1]
    assert not getattr(jelly, "is_face_up", True)
    tool.choose("terminator")
    desk.click((0, 2))
    assert ("Rising Dream", (0, 2)) in where(desk)
    desk.click((0, 2), RIGHT)
    assert ("Rising Dream", None) in where(desk)
    master = next(square for name, square in where(desk) if name == "CloneMaster")
    assert isinstance(master, tuple)
    desk.click((master[0], master[1]), RIGHT)
    assert "in every game" in desk.said[-1]
    assert not [one for one in problems(desk.document.draft.whole) if one.code == "start"]


def test_whoever_lies_helpless_does_not_keep_others_out() -> None:
    """The square of an unconscious Jelly can be entered (4.6)."""
    draft = house()
    assert draft.scenario is not None
    draft = draft._replace(scenario=replace(draft.scenario, start=first_start(draft)))
    desk, tool = desk_with(draft, "jelly")
    desk.click((1, 1))
    figures = list(shown_figures(desk.document.draft))
    scenario = desk.document.draft.scenario
    assert scenario is not None
    assert scenario.start is not None
    figures[-1] = replace(figures[-1], levels={}, is_face_up=True)
    started = replace(scenario.start, figures=tuple(figures))
    desk.document.apply("Hurt", Draft(desk.plan, replace(scenario, start=started)))
    tool.choose("servant")
    desk.hover((1, 2))
    assert tool.ghost.is_legal
    tool.choose("terminator")
    desk.take(PlaceTool)
    desk.document.apply("", desk.document.draft)
    desk.click((1, 2))
    desk.drag((1, 2), (1, 1))
    assert ("Rising Dream", (1, 1)) in where(desk)


def test_a_deleted_figure_is_gone_for_good() -> None:
    """A figure taken away is on no list, in no selection and not in the file any more."""
    desk, _ = desk_with(house())
    desk.click((1, 1))
    desk.click((1, 1), RIGHT)
    assert desk.bench.selection == Selection()
    assert b'servant"' not in format_draft(desk.document.draft)


def test_a_bare_map_refuses_figures() -> None:
    """On a map without a scenario the tool says what to do and does nothing."""
    desk, tool = desk_with(Draft(house().plan))
    desk.hover((1, 1))
    assert "make a scenario" in tool.ghost.reason
    desk.click((1, 1))
    desk.click((1, 1), RIGHT)
    assert desk.key(Qt.Key.Key_Delete) is False
    assert desk.steps == []


def test_figures_go_along_when_the_map_grows_or_shrinks() -> None:
    """Placements and start figures keep their squares of the room, and are lost with them."""
    scenario = load_scenario("solitaire")
    draft = Draft(plan_of(scenario), replace(scenario, map=OWN_MAP))
    grown = resized(draft, left=2, top=1)
    assert [one.square for one in shown_figures(grown)] == [(31, 1), (31, 2), (32, 2)]
    assert shown_figures(resized(grown, left=-2, top=-1)) == shown_figures(draft)
    assert shown_figures(resized(draft, right=-4)) == ()


def test_a_figure_of_an_unknown_name_is_the_same_everywhere() -> None:
    """A file's "Nobody" is drawn, listed and counted as a Terminator without levels, and breaks nothing."""
    nobody = StartFigure(name="Nobody", square=(1, 1))
    late = StartFigure(name="J-99", square=(2, 1))
    draft = house(start=StartPosition(figures=(nobody, late)))
    assert [kind_of(one) for one in shown_figures(draft)] == ["terminator", "jelly"]
    assert draft.scenario is not None
    assert [one.kind for one in figures_of(draft.scenario)] == ["terminator", "jelly"]
