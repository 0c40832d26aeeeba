"""What every test stands on: no screen or sound, no files of the player, shipped fonts, nothing left over."""

import atexit
import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

# All of this comes before the first Qt import: Qt reads it once.
_home = tempfile.TemporaryDirectory(prefix="kungfu2100-tests-")
atexit.register(_home.cleanup)
for _name in ("CONFIG", "DATA", "STATE", "CACHE"):
    os.environ[f"XDG_{_name}_HOME"] = str(Path(_home.name, _name.lower()))
for _name in ("QT_STYLE_OVERRIDE", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_QPA_PLATFORMTHEME"):
    os.environ.pop(_name, None)
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_SCALE_FACTOR"] = "1"
os.environ["KUNGFU2100_SILENT"] = "1"
# The many processes that tests start would each compile the whole program for themselves.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# A machine with much else to do must not decide whether a test passes.
settings.register_profile("kungfu2100", deadline=None)
settings.load_profile("kungfu2100")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that asks for a QApplication, so that `-m "not gui"` runs where Qt cannot."""
    for item in items:
        if "qapp" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.gui)


def pytest_collection_finish() -> None:
    """Keep all that was imported out of the garbage collector's way: it runs whenever a window closes."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def qapp(qapp: "QApplication") -> "QApplication":
    """Give the tests' QApplication the shipped fonts and Fusion, so that a picture is the same anywhere."""
    from PySide6.QtGui import QFontDatabase

    from resources.path import resource

    qapp.setStyle("Fusion")
    for font in resource("fonts").iterdir():
        if font.name.endswith((".ttf", ".otf")):
            assert QFontDatabase.addApplicationFontFromData(font.read_bytes()) >= 0, font.name
    return qapp


@pytest.fixture(autouse=True)
def _no_leftovers() -> Iterator[None]:
    """Close the help, which goes when the program quits, and deliver what `deleteLater` has put off.

    With no event loop it would pile up and die in another test. The folder of a test's window is no other's.
    """
    yield
    os.environ.pop("KUNGFU2100_DATA", None)
    help_window = sys.modules.get("app.help.window")
    if help_window is not None:
        help_window.close()
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is not None and widgets.QApplication.instance() is not None:
        from PySide6.QtCore import QCoreApplication, QEvent

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
