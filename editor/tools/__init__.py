"""The tools: each turns pointer and keys into edits of the document, and shows what a click would do."""

from editor.tools.base import Tool
from editor.tools.brush import Brush
from editor.tools.door import Door
from editor.tools.erase import Erase
from editor.tools.room import Room
from editor.tools.select import Select
from editor.tools.wall import Wall

TOOLS: tuple[type[Tool], ...] = (Select, Room, Brush, Wall, Door, Erase)
"""The tools of the map in the order of the toolbox."""
