"""The kinds of problems by their codes: a title for many of one kind, and for one that is muted."""

from __future__ import annotations

from typing import Final

TITLES: Final = {
    # The map
    "not-a-map": "This is no map",
    "unlisted-letter": "Squares of no room",
    "rock-letter": "A room with the letter of rock",
    "room-empty": "Room without squares",
    "room-letter-twice": "Letter of another room",
    "room-name-twice": "Name of another room",
    "room-in-pieces": "Room in pieces",
    "room-closed": "Room without a door",
    "room-unreachable": "Room out of reach",
    "room-without-letter": "Room for nobody",
    "dropoff-only-way": "Drop-off as the only way",
    "no-setup-room": "Counters without a room",
    "edge-twice": "Edge given twice",
    "edge-in-rock": "Door or drop-off in rock",
    "edge-says-nothing": "Edge that says nothing",
    "wall-in-rock": "Wall in rock",
    "dropoff-into-rock": "Drop-off into rock",
    "dropoff-on-one-level": "Drop-off on one level",
    "dropoff-parts-nothing": "Drop-off that parts nothing",
    "leads-off-the-map": "Way off the map",
    "door-without-wall": "Door without a wall",
    "door-guards-nothing": "Armored door beside an open way",
    "doors-side-by-side": "Doors side by side",
    "equipment-in-rock": "Equipment in rock",
    "equipment-overlaps": "Equipment in one square",
    "computer-without-side": "Computer along no side",
    "computer-without-wall": "Computer without a wall",
    "tank-blocks-way": "Tank in the only way",
    "tank-in-doorway": "Tank before a door",
    "no-entry": "No such entry",
    "entry-name-twice": "Name of another entry",
    "entry-in-rock": "Entry in rock",
    "entry-on-tank": "Entry in a tank",
    "entry-inside": "Entry from inside",
    "entry-rate": "Rate out of range",
    "no-way-in": "No way in",
    "sight-room-missing": "Pair with a room that is not there",
    "sight-room-twice": "Room that does not see itself",
    "sight-pair-twice": "Pair given twice",
    "sight-changes-nothing": "Pair that changes nothing",
    "unknown": "Unknown field",
    # The scenario
    "not-a-scenario": "Value out of range",
    "never": "Never happens",
    "off-map": "Figure off the map",
    "on-tank": "Figure in a tank",
    "taken": "Two figures in one square",
    "in-doorway": "Figure next to a door",
    "too-many": "More figures than the force has",
    "no-room": "Too few squares",
    "start": "Start position",
    "above-cap": "More levels than boxes",
    "over-at-once": "Over at once",
    "done-at-once": "Mission done at once",
    "start-excludes": "Set up for nothing",
    "no-guards": "CloneMaster alone",
    "letter-of-nobody": "Letter of nobody",
    "rules-exclude": "Rules that exclude each other",
    "no-equipment": "Nothing to destroy",
    "cannot-win": "A side cannot win",
    "never-total": "No total victory",
    "no-way-out": "No way out",
    "at-once": "Met at once",
}


def title_of(code: str) -> str:
    """Return the title of a kind of problems."""
    return TITLES.get(code, code.replace("-", " ").capitalize())
