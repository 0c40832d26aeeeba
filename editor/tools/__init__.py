"""The tools: each turns pointer and keys into edits of the document, and shows what a click would do."""

from editor.tools.base import Tool
from editor.tools.brush import Brush
from editor.tools.door import Door
from editor.tools.dropoff import DropOff
from editor.tools.entry import Entry
from editor.tools.equipment import Equipment
from editor.tools.erase import Erase
from editor.tools.fill import Fill
from editor.tools.level import Level
from editor.tools.place import PlaceTool
from editor.tools.reach import Reach
from editor.tools.room import Room
from editor.tools.select import Select
from editor.tools.setup_letters import SetupLetters
from editor.tools.sight import Sight
from editor.tools.stamp import Stamp
from editor.tools.wall import Wall

TOOLS: tuple[type[Tool], ...] = (
    Select,
    Room,
    Brush,
    Fill,
    Wall,
    Door,
    DropOff,
    Equipment,
    Entry,
    SetupLetters,
    Level,
    Stamp,
    Erase,
    Sight,
    Reach,
    PlaceTool,
)
"""The tools in the order of the toolbox, those of the map first."""
