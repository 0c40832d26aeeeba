"""The dialogs that come before the other player is asked to take something back, or to agree to a draw."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app import theme
from app.consent import Consent
from app.panels.widgets import ActionButton, Label
from app.session import Session
from engine.raid.figures import OTHER_SIDE, SIDE_NAMES


class ConsentDialog(QDialog):
    """Says what would be asked, and at a shared screen whose wish it is; a button asks it."""

    def __init__(
        self, session: Session, consent: Consent, title: str, words: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._consent = consent
        self.askers = consent.askers
        self.ask_buttons: dict[str, ActionButton] = {}
        self.setWindowTitle(title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label(title, "title", is_title=True))
        layout.addWidget(Label(words))
        for number, (side, what) in enumerate(self.askers.items(), 1):
            asker, other = self._name(side), self._name(OTHER_SIDE[side])
            button = ActionButton(*self.words(asker if len(self.askers) > 1 else "", other, what))
            button.set_key(str(number))
            button.clicked.connect(self._on_asked)
            self.ask_buttons[side] = button
            layout.addWidget(button)
        self.cancel_button = ActionButton("Cancel")
        self.cancel_button.clicked.connect(self.reject)
        layout.addWidget(self.cancel_button)
        layout.addStretch(1)
        self.setMinimumWidth(min(theme.size("body") * 30, 1000))
        self.cancel_button.setFocus()
        session.changed.connect(self._on_changed)

    def words(self, asker: str, other: str, what: str) -> tuple[str, str]:
        """Return what a button says, and its second line; `asker` is "" where only one may ask."""
        raise NotImplementedError

    def _name(self, side: str) -> str:
        return self._session.names.get(side) or f"the {SIDE_NAMES[side]} player"

    @Slot()
    def _on_changed(self) -> None:
        """Go away when what would be asked, or who may ask, is another than the dialog says."""
        if self.isVisible() and self._consent.askers != self.askers:
            self.reject()

    @Slot()
    def _on_asked(self) -> None:
        button = self.sender()
        side = next(side for side, ask in self.ask_buttons.items() if ask is button)
        self.accept()
        self._consent.ask(side)


class TakebackDialog(ConsentDialog):
    """Asks whether the other player shall be asked to take something back."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            session.takeback,
            "Ask to take back",
            "If the other player agrees, all that has happened since is undone. What was seen stays "
            "seen, and dice are thrown anew.",
            parent,
        )

    def words(self, asker: str, other: str, what: str) -> tuple[str, str]:
        said = f"{asker[:1].upper()}{asker[1:]} asks {other}" if asker else f"Ask {other}"
        return said, f"back to before {what}"


class DrawDialog(ConsentDialog):
    """Asks whether a draw shall be offered to the other player."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            session.draw,
            "Offer a draw",
            "If the other player agrees, the game ends here and now, and nobody has won. The rules know no "
            "such end: it is an agreement of your own.",
            parent,
        )

    def words(self, asker: str, other: str, what: str) -> tuple[str, str]:
        said = f"{asker[:1].upper()}{asker[1:]} offers {other} a draw" if asker else f"Offer {other} a draw"
        return said, ""
