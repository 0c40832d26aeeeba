"""What F1 opens: the part of the help about what is on the screen and has the focus."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QWidget

TITLES: Final = {
    "StartPage": "The start screen",
    "NewGameDialog": "A new game",
    "NameScenarioDialog": "A scenario of your own",
    "ChangeRulesDialog": "A scenario of your own",
    "HostGameDialog": "Hosting a game",
    "JoinGameDialog": "Joining a game",
    "LobbyPage": "The lobby",
    "SettingsDialog": "Settings",
    "SetUpTerminator": "Setting up the Terminators",
    "SetUpCloneMaster": "Setting up the CloneMaster",
    "DeploymentsDialog": "Setting up the CloneMaster",
    "BoardView": "The board",
    "DecisionPanel": "Moving",
    "FightPanel": "Fighting",
    "LogPanel": "The log",
    "SheetsPanel": "The record sheets",
    "TablePanel": "At the table",
    "CurtainPage": "Two players at one screen",
    "RecapPanel": "What the others did",
    "ReplayPage": "Replay",
    "PlayOnDialog": "Playing on from a replay",
    "EndDialog": "After the game",
    "AfterPage": "After the game",
    "TutorialPage": "Lessons",
    "LessonPage": "Lessons",
    "SavedGamesDialog": "Saved games",
    "SureQuestion": "Saved games",
    "LeaveQuestion": "Leaving and returning",
    "NameQuestion": "Saved games",
    "NumberQuestion": "Tracing an image",
    "ExportDialog": "Saving in other forms",
    "TakebackDialog": "Taking back",
    "DrawDialog": "A draw by agreement",
    "ConsentDialog": "Taking back",
    "CoachPanel": "The coach",
    "PlaceExtras": "Extra doors and equipment",
    "ColoursDialog": "Settings",
    "NewDraftDialog": "A new map",
    "PasteTextDialog": "A new map",
    "ResizeDialog": "A new map",
    "ChoiceDialog": "Files, backups and recovery",
    "DifferencesDialog": "Files, backups and recovery",
    "RecoveredDialog": "Files, backups and recovery",
    "Notice": "Files, backups and recovery",
    "FindActionDialog": "Finding an action",
    "ShortcutsDialog": "Finding an action",
    "PlaytestDialog": "Playtest",
    "PlaytestPage": "Playtest",
    "BarePage": "Scenario mode",
    "ScenarioPage": "Scenario mode",
    "PrintDialog": "Print and play",
    "editor.dialogs.export.ExportDialog": "Export",
}
"""The title of the help's part about each widget, by the name of its class; the innermost counts.

Where two classes have one name, the one that is not the game's is named with its module.
"""

OF_DECISIONS: Final = {
    "set-up-terminator": "Setting up the Terminators",
    "set-up-clonemaster": "Setting up the CloneMaster",
    "place-extras": "R35",
    "terminator-move": "Moving",
    "clonemaster-move": "Moving",
    "free-move": "4.21",
    "free-move-when": "4.21",
    "release-clonemaster": "R13",
    "displace": "R14",
    "fight-order": "5.3",
    "choose-counters": "R16",
    "throw-spikes": "R19",
    "who-begins": "Fighting",
    "play-counter": "Fighting",
    "name-target": "R17",
    "lose-ability": "R24",
    "untrained": "R22",
    "show-mist": "R22",
    "gunfire": "R23",
    "show-soul": "R23",
    "takeback": "Taking back",
    "draw": "A draw by agreement",
    "pause": "At the table",
    "held-up": "At the table",
    "no-line": "Leaving and returning",
}
"""The title or the rule of the help's part about what is asked, by the kind of decision.

Where a game over the network asks nothing: "held-up" while it waits for people, "no-line" for its host.
"""
GENERAL: Final = ("The board", "Moving", "Fighting")
"""Parts about where anything may be asked: there what is asked counts."""
OF_PEOPLE: Final = ("pause", "held-up", "no-line")
"""What is asked or missing outside the game, also while somebody sets up."""
KEY_NAME: Final = "help-key"


def title_at(widget: QWidget | None) -> str:
    """Return the title of the help's part about a widget or what it stands in; "" if there is none."""
    while widget is not None:
        for kind in type(widget).__mro__:
            for name in (f"{kind.__module__}.{kind.__name__}", kind.__name__):
                if name in TITLES:
                    return TITLES[name]
        widget = widget.parentWidget()
    return ""


def open_at(title_or_rule: str) -> None:
    """Open the help at a part by its title or its rule; at its last place for ""."""
    from app.help.topics import find_title
    from app.help.window import open_help, open_rule

    if title_or_rule and find_title(title_or_rule) is None:
        open_rule(title_or_rule)
    else:
        open_help(title_or_rule)


def title_for(focus: QWidget | None, asked: str, *, is_over: bool = False) -> str:
    """Return the title, or the rule, of the help's part about the moment.

    `focus` is the widget that has it, `asked` the kind of decision on the screen, "" for none.
    """
    title = title_at(focus)
    if title and title not in GENERAL and not (asked in OF_PEOPLE and title.startswith("Setting up")):
        return title
    if is_over:
        return "After the game"
    return OF_DECISIONS.get(asked, title)


class HelpKey(QObject):
    """Gives every dialog that takes the focus the key F1, which the main window does not hear there."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        dialog = now.window() if now is not None else None
        if not isinstance(dialog, QDialog) or dialog.findChild(QShortcut, KEY_NAME) is not None:
            return
        key = QShortcut(QKeySequence("F1"), dialog)
        key.setObjectName(KEY_NAME)
        key.activated.connect(self._on_key)

    @Slot()
    def _on_key(self) -> None:
        open_at(title_at(QApplication.focusWidget()))
