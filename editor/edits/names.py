"""Names: another one for an entry, wherever the scenario names it; some for rooms that have none."""

from __future__ import annotations

from msgspec.structs import replace

from editor.draft import Draft
from editor.edits.pieces import free_name
from editor.edits.squares import GROUND_LEVEL
from editor.edits.things import changed_entry
from engine.fortress.floorplan import ROCK, FloorPlan, RoomInfo


def renamed_entry(draft: Draft, at: int, name: str) -> Draft:
    """Return the draft with another name of an entry, by number; reinforcements and figures follow it."""
    entry = draft.plan.entries[at]
    if entry.name == name:
        return draft
    made = draft.with_plan(changed_entry(draft.plan, at, replace(entry, name=name)))
    scenario = made.scenario
    if scenario is None:
        return made
    reinforcements = tuple(
        replace(row, entry=name) if row.entry == entry.name else row for row in scenario.reinforcements
    )
    start = scenario.start
    if start is not None:
        figures = tuple(replace(one, entry=name) if one.entry == entry.name else one for one in start.figures)
        start = replace(start, figures=figures)
    return made._replace(scenario=replace(scenario, reinforcements=reinforcements, start=start))


def with_rooms_of_all_letters(plan: FloorPlan) -> FloorPlan:
    """Return the plan with a room for each letter of its grid that the list of rooms does not have."""
    listed = {room.letter for room in plan.rooms}
    rooms = list(plan.rooms)
    for letter in dict.fromkeys("".join(plan.grid)):
        if letter != ROCK and letter not in listed:
            name = free_name(f"Room {letter}", [room.name for room in rooms])
            level = plan.rooms[0].level if plan.rooms else GROUND_LEVEL
            rooms.append(RoomInfo(letter=letter, name=name, level=level, setup=""))
    return plan if len(rooms) == len(plan.rooms) else replace(plan, rooms=tuple(rooms))
