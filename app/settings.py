"""What a player sets once and finds again: text size, look, speed, and how the program asks."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Literal, get_args

from PySide6.QtCore import QObject, Signal

from app.folders import data_folder

Theme = Literal["auto", "light", "dark", "contrast"]
AskRelease = Literal["always", "phases", "told"]
RecapAs = Literal["animated", "text", "off"]

TEXT_SCALES = (0.8, 2.5)  # 80 % to 250 %
SPEEDS = (0.0, 3.0)  # animations off, to three times as fast as drawn
PACES = (0, 3000)  # ms between two choices of a bot
VOLUMES = (0, 100)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; values out of range are brought back into it when read.

    `text_scale` is a factor, `animation_speed` a factor where 0 is off, `pace` ms between the visible
    choices of a bot. `heart_first` gives injuries to Mountain Heart without asking (R24).
    `ask_release` says how often the CloneMaster player is asked about his release (R13): "always",
    "phases" (once at the start of each phase) or "told" (never; a button is always at hand). `recap` says
    how somebody who comes to the screen is told what he missed: "animated", as "text", or "off".
    `volume` is 0 to 100. `coach` folds the tactics coach out in combats.
    `scenario`, seats and names are those of the last new game; what begins with `lan_` is that of the last
    game over the network, hosted (side or "watch", who sat opposite) or joined.
    """

    text_scale: float = 1.0
    theme: Theme = "auto"
    animation_speed: float = 1.0
    pace: int = 600
    heart_first: bool = False
    ask_release: AskRelease = "told"
    recap: RecapAs = "animated"
    sound: bool = True
    volume: int = 60
    coach: bool = False
    geometry: str = ""
    scenario: str = "basic"
    terminator_seat: str = "human"
    clonemaster_seat: str = "rulebook"
    terminator_name: str = ""
    clonemaster_name: str = ""
    lan_name: str = ""
    lan_seat: str = "terminator"
    lan_opponent: str = "guest"

    def clamped(self) -> Settings:
        """Return the settings with every number inside its range."""
        return replace(
            self,
            text_scale=min(max(self.text_scale, TEXT_SCALES[0]), TEXT_SCALES[1]),
            animation_speed=min(max(self.animation_speed, SPEEDS[0]), SPEEDS[1]),
            pace=min(max(self.pace, PACES[0]), PACES[1]),
            volume=round(min(max(self.volume, VOLUMES[0]), VOLUMES[1])),
        )


_WORDS = {"theme": get_args(Theme), "ask_release": get_args(AskRelease), "recap": get_args(RecapAs)}


def _fits(name: str, found: dict[str, object]) -> bool:
    """Return whether a file has a setting of the right kind."""
    if name not in found:
        return False
    value, default = found[name], getattr(Settings(), name)
    if name in _WORDS:
        return value in _WORDS[name]
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, int | float):
        return isinstance(value, int | float) and math.isfinite(value)
    return isinstance(value, type(default))


class SettingsStore(QObject):
    """The settings in force, kept in a file; `changed` follows every change."""

    changed = Signal()

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path if path is not None else data_folder() / "settings.json"
        self._others: dict[str, object] = {}  # of another version of the program, kept as they are
        self._now = self._read()

    @property
    def now(self) -> Settings:
        """The settings in force."""
        return self._now

    def set(self, **changes: object) -> None:
        """Change some settings, save them, and tell everybody; raises TypeError for an unknown name."""
        new = replace(self._now, **changes).clamped()  # type: ignore[arg-type]
        if new != self._now:
            self._now = new
            self._write()
            self.changed.emit()

    def _read(self) -> Settings:
        if not self.path.exists():
            return Settings()
        import json

        try:
            found = json.loads(self.path.read_bytes())
            names = {one.name for one in fields(Settings)}
            self._others = {name: value for name, value in found.items() if name not in names}
            return Settings(
                **{one.name: found[one.name] for one in fields(Settings) if _fits(one.name, found)}
            ).clamped()
        except (OSError, ValueError, TypeError, AttributeError):
            # Settings are a convenience: a missing or spoilt file means the defaults.
            return Settings()

    def _write(self) -> None:
        import json

        draft = self.path.with_suffix(".tmp")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(asdict(self._now) | self._others, indent=2) + "\n", encoding="utf-8")
            draft.replace(self.path)
        except OSError:
            # A full or read-only disk must not stop a game; the settings last until the program ends.
            draft.unlink(missing_ok=True)
