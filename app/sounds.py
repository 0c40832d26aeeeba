"""What is heard: events as the viewer knows them become sounds of resources/sounds, played beside the window.

Sounds follow Events and nothing else, so that they tell no more than the screen does; under the curtain
there is silence. The device is opened by a thread of its own at the first sound. Where there is no device,
no library or no driver there is simply nothing to be heard.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from PySide6.QtCore import QObject, Slot

from app.recap import weight
from engine.core.agreement import DrawAnswered, DrawAsked
from engine.core.event import Event
from engine.core.takeback import TakebackAnswered, TakebackAsked
from engine.raid import events as e
from engine.raid.figures import SIDES
from resources.path import resource

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.board.scene import BoardView
    from app.session import Session
    from app.settings import SettingsStore

SILENCED_BY: Final = "KUNGFU2100_SILENT"
"""The environment variable that keeps the program from opening an audio device."""
SOUNDS: Final = (
    "step",
    "door",
    "reveal",
    "dice",
    "hit",
    "miss",
    "smash",
    "shot",
    "down",
    "turn",
    "said",
    "left",
    "back",
    "victory",
    "defeat",
)
SETTLED: Final = 0.3  # seconds at speed 1 until a die shown rests (app/board/animation.py)
TAP: Final = 0.1  # seconds between two steps of a walk
STEPS_HEARD: Final = 3
APART: Final = 0.07  # seconds between two beginnings of the same sound
VOICES: Final = 12  # at once; more would only be noise
BUFFER: Final = 40  # ms
IDLE: Final = 3.0  # seconds of silence after which the device is given back

# What must be decided by oneself again after a wait, and not only answered.
_OWN_TURN: Final = frozenset(
    {"set-up-terminator", "set-up-clonemaster", "terminator-move", "clonemaster-move"}
)


class Cue(NamedTuple):
    """A sound to be begun `after` so many seconds at speed 1."""

    name: str
    after: float = 0.0


def _rolled(hits: bool, sound: str = "hit", other: str = "miss") -> tuple[Cue, ...]:
    return (Cue("dice"), Cue(sound if hits else other, SETTLED))


def _walk(event: e.Moved) -> tuple[Cue, ...]:
    return tuple(Cue("step", TAP * number) for number in range(min(len(event.path) - 1, STEPS_HEARD)))


def _none(event: Event) -> tuple[Cue, ...]:
    return ()


_STEP, _DOOR, _DOWN, _MISS = ((Cue(name),) for name in ("step", "door", "down", "miss"))

_CUES: Final[dict[type[Event], Callable[[Any], tuple[Cue, ...]]]] = {
    e.AbilitiesSet: _none,
    e.Placed: _none,
    e.TakenBack: _none,
    e.ExtraPlaced: lambda v: _DOOR,
    e.ExtraRemoved: lambda v: _DOOR,
    e.StartsAt: _none,
    e.CountersDealt: _none,
    e.SetUpDone: _none,
    e.PhaseBegan: _none,
    e.Entered: lambda v: _DOOR,
    e.ReinforcementsCame: lambda v: _DOOR,
    e.Stationed: lambda v: _STEP,
    e.Moved: _walk,
    e.PutBack: lambda v: _STEP,
    e.Exited: lambda v: _DOOR,
    e.Revealed: lambda v: (Cue("reveal"),),
    e.FreeMoveKept: _none,
    e.CombatsFound: _none,
    e.CombatBegan: _none,
    e.CountersChosen: _none,
    e.SideChose: _none,
    e.SpikesDeclared: _none,
    e.FirstPlayer: _none,
    e.CounterPlayed: _none,
    e.TargetNamed: _none,
    e.AttackVoid: lambda v: _MISS,
    e.AttackResolved: lambda v: _rolled(v.hit) if v.die is not None else _MISS,
    e.CounterDiscarded: _none,
    e.HandEmpty: _none,
    e.Stopped: _none,
    e.DoorStruck: lambda v: _rolled(v.destroyed, "smash", "door"),
    e.EquipmentDestroyed: lambda v: (Cue("smash"),),
    e.UntrainedDeclared: _none,
    e.MistShown: lambda v: _MISS,
    e.UntrainedRolled: lambda v: _rolled(v.hit),
    e.ShotDeclared: _none,
    e.SoulShown: lambda v: _MISS,
    e.ShotRolled: lambda v: (Cue("shot"), Cue("hit" if v.hit else "miss", SETTLED)),
    e.Injured: _none,
    e.Captured: lambda v: _DOWN,
    e.FellUnconscious: lambda v: _DOWN,
    e.Killed: lambda v: _DOWN,
    e.CombatEnded: _none,
    e.RecoveryRolled: lambda v: (Cue("dice"),),
    e.Woke: lambda v: _STEP,
    e.Displaced: lambda v: _STEP,
    TakebackAsked: _none,
    TakebackAnswered: _none,
    DrawAsked: _none,
    DrawAnswered: _none,
    e.Secret: _none,
}


def cues(event: Event, humans: Sequence[str] = ()) -> tuple[Cue, ...]:
    """Return what an event sounds like to the people at the screen; raises KeyError for an unknown kind."""
    if isinstance(event, e.GameEnded):
        return _ending(event.winner, humans)
    return _CUES[type(event)](event)


def _ending(winner: str, humans: Sequence[str]) -> tuple[Cue, ...]:
    """Return what the end sounds like: nothing at a draw, which nobody has won or lost."""
    if winner not in SIDES:
        return ()
    return (Cue("defeat" if len(humans) == 1 and winner != humans[0] else "victory"),)


class Player(Protocol):
    """Something that can play the sounds; it never raises and never waits."""

    def play(self, name: str, volume: float, after: float = 0.0) -> None:
        """Begin a sound in `after` seconds, `volume` from 0 to 1."""
        ...

    def close(self) -> None:
        """Be silent for good."""
        ...


class NullPlayer:
    """Plays nothing, where nothing can or should be heard."""

    def play(self, name: str, volume: float, after: float = 0.0) -> None:
        """Stay silent."""

    def close(self) -> None:
        """Stay silent."""


class _Voice:
    """A sound on its way out: how many samples until it begins, and how far it has come."""

    def __init__(self, name: str, volume: float, after: float) -> None:
        self.name = name
        self.volume = volume
        self.after = after
        self.at: int | None = None  # below 0: so many samples until it begins


class DevicePlayer:
    """Plays through the system's audio device, which a thread opens at the first sound and closes when idle.

    Whatever goes wrong with library, driver or device ends in silence.
    """

    def __init__(self) -> None:
        self._voices: list[_Voice] = []
        self._state = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._idle_since = 0.0
        self._waves: dict[str, NDArray[np.float32]] = {}
        self._rate = 0

    def play(self, name: str, volume: float, after: float = 0.0) -> None:
        with self._state:
            if self._is_closed or len(self._voices) >= VOICES:
                return
            self._voices.append(_Voice(name, volume, after))
            if self._thread is None:
                # A daemon: a driver that hangs must not keep the program from ending.
                self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)
                self._thread.start()
                atexit.register(self.close)
            self._state.notify()

    def close(self) -> None:
        with self._state:
            self._is_closed = True
            self._voices.clear()
            self._state.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(1.0)
        atexit.unregister(self.close)

    # In the thread.

    def _run(self) -> None:
        try:
            self._serve()
        except Exception:  # noqa: BLE001 - a game without sound is still a game
            self._is_closed = True
            self._voices.clear()

    def _serve(self) -> None:
        import miniaudio  # type: ignore[import-untyped]

        with _quiet_alsa():
            self._waves, self._rate = load_waves()
            device = miniaudio.PlaybackDevice(
                output_format=miniaudio.SampleFormat.SIGNED16,
                nchannels=1,
                sample_rate=self._rate,
                buffersize_msec=BUFFER,
                app_name="Kung Fu 2100",
            )
            try:
                while self._wait_for_work():
                    mixer = self._mix()
                    next(mixer)
                    device.start(mixer)
                    self._wait_for_idle()
                    device.stop()
            finally:
                device.close()

    def _wait_for_work(self) -> bool:
        with self._state:
            while not self._voices and not self._is_closed:
                self._state.wait()
            self._idle_since = time.monotonic()
            return not self._is_closed

    def _wait_for_idle(self) -> None:
        with self._state:
            while not self._is_closed and (self._voices or time.monotonic() - self._idle_since < IDLE):
                self._state.wait(IDLE / 4)

    def _mix(self) -> Generator[bytes, int, None]:
        """Yield the sum of all voices, as many samples as asked for; runs in the device's own thread."""
        import numpy as np

        frames = yield b""
        while True:
            mixed = np.zeros(frames, dtype=np.float32)
            with self._state:
                for voice in self._voices:
                    self._add(mixed, voice)
                if self._voices:
                    self._idle_since = time.monotonic()
                self._voices[:] = [
                    one for one in self._voices if (one.at or 0) < len(self._waves.get(one.name, ()))
                ]
            frames = yield (np.clip(mixed, -1, 1) * 32767).astype("<i2").tobytes()

    def _add(self, mixed: NDArray[np.float32], voice: _Voice) -> None:
        if voice.at is None:
            voice.at = -round(voice.after * self._rate)
        wave = self._waves.get(voice.name)
        start, voice.at = voice.at, voice.at + len(mixed)
        if wave is not None and voice.at > 0 and start < len(wave):
            part = wave[max(start, 0) : voice.at]
            at = max(-start, 0)
            mixed[at : at + len(part)] += part * voice.volume


def load_waves() -> tuple[dict[str, NDArray[np.float32]], int]:
    """Return every shipped sound as samples from -1 to 1, and the samples a second they all have."""
    import wave

    import numpy as np

    waves, rate = {}, 0
    for name in SOUNDS:
        with resource(f"sounds/{name}.wav").open("rb") as file, wave.open(file) as sound:
            rate = sound.getframerate()
            samples = np.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2")
            waves[name] = (samples / 32768).astype(np.float32)
    return waves, rate


class _quiet_alsa:  # noqa: N801 - used as a function
    """Keeps ALSA, which writes to the terminal where there is no device, from doing so."""

    def __enter__(self) -> None:
        self._library: Any = None
        if not sys.platform.startswith("linux"):
            return
        import ctypes

        try:
            self._library = ctypes.CDLL("libasound.so.2")
        except OSError:
            return
        kind = ctypes.CFUNCTYPE(
            None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p
        )
        self._ignore = kind(lambda *told: None)
        self._library.snd_lib_error_set_handler(self._ignore)

    def __exit__(self, *error: object) -> None:
        if self._library is not None:
            self._library.snd_lib_error_set_handler(None)


class _Now:
    """The player in use; one per process, as there is one device."""

    player: Player | None = None


def player() -> Player:
    """Return the player in use, made at the first call."""
    if _Now.player is None:
        _Now.player = NullPlayer() if os.environ.get(SILENCED_BY) else DevicePlayer()
    return _Now.player


def use(new: Player | None) -> None:
    """Play through another player from now on; None makes one anew when it is needed."""
    if _Now.player is not None:
        _Now.player.close()
    _Now.player = new


def loudness(volume: int) -> float:
    """Return the factor for a volume from 0 to 100, so that equal steps sound equal."""
    return (volume / 100) ** 2


class Sounds(QObject):
    """Lets a game at this screen be heard: each event as its animation begins, and whose turn it is."""

    def __init__(
        self, session: Session, board_view: BoardView, store: SettingsStore, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._board_view = board_view
        self._store = store
        self._begun: dict[str, float] = {}
        self._has_waited = False
        session.happened.connect(self._on_happened)
        session.changed.connect(self._on_changed)
        board_view.eventBegan.connect(self.tell)

    @Slot(object)
    def _on_happened(self, told: tuple[Event, ...]) -> None:
        if self._store.now.animation_speed <= 0 or not self._board_view.isVisible():
            # All at once would be noise: what matters most stands for the rest.
            heard = [event for event in told if cues(event, self._session.humans)]
            if heard:
                self.tell(max(heard, key=weight))

    @Slot()
    def _on_changed(self) -> None:
        """Ring for the one person who has waited for a bot and must decide again."""
        session = self._session
        if session.viewer is None or session.is_over or session.recap.now is not None or session.is_hot_seat:
            return
        decision = session.decision
        if decision is None:
            self._has_waited = True
        elif self._has_waited:
            self._has_waited = False
            if decision.kind in _OWN_TURN:
                self._play(Cue("turn"))

    @Slot(object)
    def tell(self, event: Event) -> None:
        """Let one event be heard."""
        for cue in cues(event, self._session.humans):
            self._play(cue)

    def ring(self, name: str) -> None:
        """Let be heard what is no event: who came, went or spoke at the table of a game over the network."""
        self._play(Cue(name))

    def _play(self, cue: Cue) -> None:
        now = self._store.now
        if not now.sound or not now.volume or self._session.viewer is None:
            return
        speed = now.animation_speed or 1.0
        after = cue.after / speed
        begins = time.monotonic() + after
        if begins - self._begun.get(cue.name, 0.0) < APART:
            return
        self._begun[cue.name] = begins
        player().play(cue.name, loudness(now.volume), after)
