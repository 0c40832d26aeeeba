"""The board: rooms, squares, edges, equipment and entries; walking and sight on them.

A `FloorPlan` is what a map file holds and an editor changes; a `Board` is a plan compiled into tables
that play reads. Importing this loads neither networkx nor shapely.
"""

from engine.core.files import BadFile, NewerFile
from engine.fortress.board import ArmoredDoor, Board, BoardEntry, BoardEquipment, compile_board
from engine.fortress.floorplan import (
    EdgeOverride,
    Entry,
    Equipment,
    FloorPlan,
    RoomInfo,
    format_floorplan,
    load_floorplan,
    parse_floorplan,
    tidied,
)
from engine.fortress.graph import (
    FAR,
    Steps,
    Walker,
    distances,
    grid_graph,
    path,
    reach,
)
from engine.fortress.plan_text import format_floorplan_text, parse_floorplan_text, text_losses

__all__ = [
    "FAR",
    "ArmoredDoor",
    "BadFile",
    "Board",
    "BoardEntry",
    "BoardEquipment",
    "EdgeOverride",
    "Entry",
    "Equipment",
    "FloorPlan",
    "NewerFile",
    "RoomInfo",
    "Steps",
    "Walker",
    "compile_board",
    "distances",
    "format_floorplan",
    "format_floorplan_text",
    "grid_graph",
    "load_floorplan",
    "parse_floorplan",
    "parse_floorplan_text",
    "path",
    "reach",
    "text_losses",
    "tidied",
]
