"""What is heard: sounds that are there, that tell no secret, and that never disturb the game."""

from __future__ import annotations

import builtins
import subprocess
import sys
import wave
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import miniaudio  # type: ignore[import-untyped]
import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import sounds
from app.sounds import SOUNDS, Cue, DevicePlayer, NullPlayer, cues, load_waves, loudness
from app.suggestions import suggested_abilities
from engine.core.event import Event
from engine.raid import choices as c
from engine.raid import events as e
from engine.raid.match import RaidMatch
from resources.path import resource
from resources.sounds import make
from tests.helpers.gui import Driver, brawl, hot_seat_match, open_window, small_scenario

KINDS = [
    kind
    for kind in vars(e).values()
    if isinstance(kind, type) and issubclass(kind, e.RaidEvent) and kind is not e.RaidEvent
]


class Listener:
    """A player that keeps what it was asked to play."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, float, float]] = []

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.heard]

    def play(self, name: str, volume: float, after: float = 0.0) -> None:
        self.heard.append((name, volume, after))

    def close(self) -> None:
        pass


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """Hear what the program would play, however short it is apart."""
    monkeypatch.setattr(sounds, "APART", -1e9)
    made = Listener()
    sounds.use(made)
    yield made
    sounds.use(None)


@pytest.mark.parametrize("name", SOUNDS)
def test_every_sound_is_well_formed_loud_enough_and_whole(name: str) -> None:
    """16-bit mono, under two and a half seconds, loud, not clipping, silent at both ends, without offset."""
    with resource(f"sounds/{name}.wav").open("rb") as file, wave.open(file) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, make.RATE)
        samples = np.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2") / 32768
    assert 0.05 < len(samples) / make.RATE < 2.5
    peak = float(np.abs(samples).max())
    assert 0.2 < peak < 0.9
    loudest = max(
        float(np.sqrt(np.mean(part**2))) for part in np.array_split(samples, max(1, len(samples) // 1600))
    )
    assert loudest > 0.05
    assert abs(samples[0]) < 0.01
    assert abs(samples[-1]) < 0.01
    assert abs(float(samples.mean())) < 0.01


def test_the_shipped_sounds_are_what_the_script_makes(tmp_path: Path) -> None:
    """`make.py` gives the shipped files again, but for a last bit rounded differently elsewhere."""
    make.main(tmp_path)
    assert sorted(SOUNDS) == sorted(make.SOUNDS) == sorted(one.stem for one in tmp_path.glob("*.wav"))
    for name in SOUNDS:
        with resource(f"sounds/{name}.wav").open("rb") as file, wave.open(file) as sound:
            shipped = np.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2").astype(int)
        made = make.samples(name).astype(int)
        assert shipped.shape == made.shape
        assert np.abs(shipped - made).max() <= 2


def sample_event(kind: type[Event]) -> Event:
    """Return an event of a kind with a die that hits."""
    values: dict[str, Any] = {
        "path": ((1, 1), (1, 2), (1, 3)),
        "winner": "terminator",
        "hit": True,
        "die": 1,
        "destroyed": True,
        "recovered": True,
    }
    return kind(*(values.get(name, "x") for name in kind.__struct_fields__))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_event_is_thought_of(kind: type[Event]) -> None:
    """Each event has its sounds or is silent on purpose, and every sound named is shipped."""
    assert {cue.name for cue in cues(sample_event(kind))} <= set(SOUNDS)


def test_every_sound_is_heard_somewhere() -> None:
    """No file is shipped for nothing."""
    heard = {cue.name for kind in KINDS for cue in cues(sample_event(kind))}
    heard |= {cue.name for cue in cues(e.ShotRolled("5.3", "LC 1", "X", 3, 5, False))}
    heard |= {cue.name for cue in cues(e.GameEnded("6.1", "clonemaster", None, "", 1, None), ["terminator"])}
    # Whose turn it is, and who comes, goes and speaks over the network, is no event.
    assert heard | {"turn", "said", "left", "back"} == set(SOUNDS)


@pytest.mark.parametrize(
    "kind", [e.AbilitiesSet, e.Placed, e.TakenBack, e.CountersChosen, e.SideChose, e.CounterDiscarded]
)
def test_secret_choices_are_silent(kind: type[Event]) -> None:
    """R29: what is told to one side alone is not heard across the table."""
    assert cues(sample_event(kind)) == ()


def test_a_roll_is_heard_before_what_comes_of_it() -> None:
    """The die first, hit or miss when it rests; a full defence rolls none."""
    struck = e.AttackResolved("5.4", "J-1", "fist", "Rising Dream", "inactive", 3, 2, True)
    assert cues(struck) == (Cue("dice"), Cue("hit", sounds.SETTLED))
    assert cues(e.AttackResolved("5.4", "J-1", "fist", "X", "soul", 0, None, False)) == (Cue("miss"),)


def test_one_person_hears_victory_or_defeat_and_two_hear_victory() -> None:
    """Who lost against the bot hears so; at a shared screen somebody has always won."""
    ended = e.GameEnded("6.1", "clonemaster", "victory", "", 5, None)
    assert cues(ended, ["terminator"]) == (Cue("defeat"),)
    assert cues(ended, ["clonemaster"]) == (Cue("victory"),)
    assert cues(ended, ["terminator", "clonemaster"]) == (Cue("victory"),)


@pytest.mark.parametrize("humans", [[], ["terminator"], ["clonemaster"], ["terminator", "clonemaster"]])
def test_a_draw_is_neither_victory_nor_defeat(humans: list[str]) -> None:
    """6.1: nobody has won, and nobody hears that he has lost."""
    assert cues(e.GameEnded("6.1", "draw", None, "", 5, None), humans) == ()


def set_up(window: Any, number: int) -> Any:
    """Do both set-ups of a shared game with secrets that depend on a number; lift the next curtain."""
    session = window.session
    session.lift_curtain()
    chosen = list(suggested_abilities(session.scenario))
    first = chosen[0]
    if number:
        chosen[0] = first.__class__(first.figure, first.kick, first.fist, first.mist, first.soul, first.heart)
    assert session.submit_all([*chosen, c.Ready()])
    session.lift_curtain()
    if number:
        assert session.submit([one for one in session.decision.options if isinstance(one, c.Place)][-1])
    while session.curtain_for is None:
        assert session.submit(next(iter(session.decision.options)))
    session.lift_curtain()
    return session


def test_games_that_differ_in_secrets_sound_alike(qtbot: QtBot, tmp_path: Path, listener: Listener) -> None:
    """R29: other levels and other counters face down are not to be heard, up to what both sides see."""
    heard = []
    for number in (0, 1):
        listener.heard.clear()
        window = open_window(qtbot, tmp_path / str(number), sound=True, volume=100)
        window.begin(hot_seat_match(seed="3"))
        session = set_up(window, number)
        assert listener.heard == []
        names = [name for name in session.decision.options.groups if name]
        entry = next(one for one in session.decision.options.of(names[1]) if isinstance(one, c.Enter))
        session.submit(entry)
        session.submit(c.EndPhase())
        heard.append(list(listener.heard))
    assert heard[0] == heard[1] != []


def test_the_curtain_is_silent(qtbot: QtBot, tmp_path: Path, listener: Listener) -> None:
    """Nothing is asked of the player while the curtain hides the screen, in a whole fight."""
    window = open_window(qtbot, tmp_path, sound=True)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window, 3)
    for _ in range(300):
        driver.wait()
        if driver.session.is_over:
            break
        if driver.session.curtain_for is not None:
            before = len(listener.heard)
            window.page.sounds.tell(e.Killed("5.5", "J-1"))  # type: ignore[union-attr]
            QApplication.processEvents()
            assert len(listener.heard) == before
        driver.step()
    assert {"dice"} < set(listener.names)


def test_animated_events_are_heard_as_they_are_shown(
    qtbot: QtBot, tmp_path: Path, listener: Listener
) -> None:
    """With animation on, each event sounds when its animation begins; delays follow the speed."""
    window = open_window(qtbot, tmp_path, animation_speed=2.0, sound=True, volume=50)
    window.begin(hot_seat_match(scenario=brawl(1)))
    window.session.lift_curtain()  # type: ignore[union-attr]
    page: Any = window.page
    if window.session.viewer is None:  # type: ignore[union-attr]
        pytest.fail("the brawl begins in the open")
    struck = e.ShotRolled("5.3", "Armed Technician 1", "Rising Dream", 3, 2, True)
    page.board_view.animate([struck], lambda: None)
    qtbot.waitUntil(lambda: len(listener.heard) == 2)
    assert listener.heard == [("shot", loudness(50), 0.0), ("hit", loudness(50), sounds.SETTLED / 2)]
    page.board_view.skip()


@pytest.mark.parametrize("off", [{"sound": False}, {"volume": 0}])
def test_sound_is_off_where_the_settings_say_so(
    qtbot: QtBot, tmp_path: Path, listener: Listener, off: dict[str, Any]
) -> None:
    """Neither a switch nor a volume of 0 lets anything through."""
    window = open_window(qtbot, tmp_path, **off)
    window.begin(hot_seat_match(seed="3"))
    set_up(window, 0)
    window.page.sounds.tell(e.Killed("5.5", "J-1"))  # type: ignore[union-attr]
    assert listener.heard == []


def test_a_bell_calls_back_from_waiting_for_a_bot(qtbot: QtBot, tmp_path: Path, listener: Listener) -> None:
    """Whoever waited for the bot's move hears that it is over; nobody is rung for at a shared screen."""
    window = open_window(qtbot, tmp_path, sound=True)
    match = RaidMatch.new(
        small_scenario(2), "1", seats={"terminator": "human", "clonemaster": "random"}, names={}
    )
    window.begin(match)
    driver = Driver(qtbot, window, 2)
    for _ in range(60):
        driver.wait()
        if driver.session.is_over or "turn" in listener.names:
            break
        driver.step()
    assert "turn" in listener.names


class NullDevice(miniaudio.PlaybackDevice):  # type: ignore[misc]
    """The library's own null device, which runs like any other and is not heard; keeps when it ran."""

    told: list[str]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(backends=[miniaudio.Backend.NULL], **kwargs)

    def start(self, mixer: Any) -> None:
        self.told.append("start")
        super().start(mixer)

    def stop(self) -> None:
        super().stop()
        self.told.append("stop")


@pytest.fixture
def null_device(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let sounds run on a device that is not heard; return its starts and stops."""
    NullDevice.told = []
    monkeypatch.setattr(miniaudio, "PlaybackDevice", NullDevice)
    return NullDevice.told


def test_the_device_player_plays_and_ends(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, null_device: list[str]
) -> None:
    """Sounds run to their end, later ones too when the device was given back; closing leaves no thread."""
    monkeypatch.setattr(sounds, "IDLE", 0.05)
    player = DevicePlayer()
    for played in (1, 2):
        player.play("step", 0.5)
        player.play("hit", 0.5, after=0.05)
        qtbot.waitUntil(partial(null_device.__eq__, ["start", "stop"] * played), timeout=20_000)
        assert not player._voices
    thread = player._thread
    player.close()
    assert thread is not None
    assert not thread.is_alive()
    player.play("step", 1.0)
    assert not player._voices


def test_voices_add_up_and_begin_when_asked() -> None:
    """The mixer lays sounds over each other, a later one exactly its delay behind."""
    player = DevicePlayer()
    player._waves, player._rate = {"step": np.ones(100, np.float32)}, 1000
    player._voices = [sounds._Voice("step", 0.25, 0.0), sounds._Voice("step", 0.5, 0.03)]
    mixer = player._mix()
    next(mixer)
    mixed = np.frombuffer(mixer.send(50) + mixer.send(150), dtype="<i2") / 32767
    assert mixed[:30] == pytest.approx(0.25, abs=1e-3)
    assert mixed[30:100] == pytest.approx(0.75, abs=1e-3)
    assert mixed[100:130] == pytest.approx(0.5, abs=1e-3)
    assert mixed[130:] == pytest.approx(0, abs=1e-3)
    assert not player._voices


@pytest.mark.parametrize("fault", ["no library", "no device", "no files"])
def test_a_failing_device_is_survived(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], fault: str
) -> None:
    """Without library, device or files there is silence: no error, no output, no thread left."""
    if fault == "no library":
        real = builtins.__import__

        def missing(name: str, *args: Any, **keywords: Any) -> Any:
            if name == "miniaudio":
                raise ImportError(name)
            return real(name, *args, **keywords)

        monkeypatch.setattr(builtins, "__import__", missing)
    elif fault == "no device":

        def no_device(*args: Any, **keywords: Any) -> Any:
            raise miniaudio.MiniaudioError("failed to init device", -401)

        monkeypatch.setattr(miniaudio, "PlaybackDevice", no_device)
    else:
        monkeypatch.setattr(sounds, "SOUNDS", ("no such sound",))
    player = DevicePlayer()
    player.play("hit", 1.0)
    thread = player._thread
    assert thread is not None
    thread.join(20)
    assert not thread.is_alive()
    player.play("hit", 1.0)
    assert not player._voices
    player.close()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("device", ["none to be heard", "the system's"])
def test_a_program_that_ends_while_something_sounds_ends_cleanly(device: str) -> None:
    """Nobody has to close the player: no thread keeps the program, nothing is written, the exit code is 0."""
    program = (
        "import functools, miniaudio, time; from app.sounds import DevicePlayer\n"
        f"if {device == 'none to be heard'}:\n"
        "    miniaudio.PlaybackDevice = functools.partial(\n"
        "        miniaudio.PlaybackDevice, backends=[miniaudio.Backend.NULL]\n"
        "    )\n"
        "player = DevicePlayer()\n"
        "player.play('victory', 0.0); time.sleep(0.4)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_tests_and_silenced_programs_open_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """KUNGFU2100_SILENT gives a player that plays nothing."""
    monkeypatch.setenv(sounds.SILENCED_BY, "1")
    sounds.use(None)
    assert isinstance(sounds.player(), NullPlayer)
    monkeypatch.delenv(sounds.SILENCED_BY)
    sounds.use(None)
    assert isinstance(sounds.player(), DevicePlayer)
    sounds.use(None)


def test_all_waves_have_one_rate() -> None:
    """The device has one rate, so must the files."""
    waves, rate = load_waves()
    assert set(waves) == set(SOUNDS)
    assert rate == make.RATE
