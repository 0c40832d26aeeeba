"""Makes the sounds of the game: `python -m resources.sounds.make` writes the .wav files beside this one.

All of them are synthesised here from sines and noise, mono, in D with the notes of the hirajoshi scale
(D E F A B flat), so that whatever sounds together fits. The same script gives the same files.
"""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

RATE: Final = 32000
"""Samples a second."""
PEAK: Final = 0.7
"""The loudest sample of a sound of weight 1, as a share of what a file can hold."""

Wave = NDArray[np.float64]

# Hz, equal temperament.
D2, D3, A3, BB3, D4, E4, F4, A4, BB4, D5, E5, F5, A5, D6 = (
    440.0 * 2 ** (step / 12) for step in (-31, -19, -12, -11, -7, -5, -4, 0, 1, 5, 7, 8, 12, 17)
)


def _time(seconds: float) -> Wave:
    return np.arange(round(seconds * RATE)) / RATE


def _decay(seconds: float, half: float, attack: float = 0.003) -> Wave:
    """Return an envelope that rises in `attack` seconds and then loses half in every `half` seconds."""
    at = _time(seconds)
    fall = 0.5 ** (np.maximum(at - attack, 0.0) / half)
    end = np.clip((seconds - at) / 0.01, 0.0, 1.0)
    return np.minimum(at / attack, 1.0) * fall * end


def _noise(seconds: float, seed: int) -> Wave:
    return np.random.default_rng(seed).random(round(seconds * RATE)) * 2 - 1


def _dull(sound: Wave, hertz: float) -> Wave:
    """Return a sound without most of what is above a frequency."""
    spectrum = np.fft.rfft(sound)
    share = np.fft.rfftfreq(len(sound), 1 / RATE) / hertz
    return np.asarray(np.fft.irfft(spectrum / (1 + share**4), len(sound)))


def _band(sound: Wave, low: float, high: float) -> Wave:
    return _dull(sound, high) - _dull(sound, low)


def _tone(pitch: float, seconds: float, half: float, *partials: tuple[float, float]) -> Wave:
    """Return a struck tone: partials as (multiple of the pitch, share), the higher the sooner gone."""
    at = _time(seconds)
    sound = np.zeros_like(at)
    for multiple, share in partials or ((1.0, 1.0),):
        sound += share * np.sin(2 * np.pi * pitch * multiple * at) * _decay(seconds, half / multiple**0.7)
    return sound


def _slide(start: float, stop: float, seconds: float, half: float) -> Wave:
    """Return a tone that falls from one pitch to another."""
    at = _time(seconds)
    pitch = stop + (start - stop) * 0.5 ** (at / (seconds / 6))
    return np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * _decay(seconds, half)


def _mix(*parts: tuple[float, Wave]) -> Wave:
    """Return parts laid over each other, each beginning so many seconds from the start."""
    length = max(round(start * RATE) + len(part) for start, part in parts)
    mixed = np.zeros(length)
    for start, part in parts:
        at = round(start * RATE)
        mixed[at : at + len(part)] += part
    return mixed


_WOOD: Final = ((1.0, 1.0), (2.76, 0.4), (5.4, 0.15))
_STRING: Final = ((1.0, 1.0), (2.0, 0.5), (3.0, 0.3), (4.0, 0.15), (5.0, 0.08))
_GONG: Final = ((1.0, 1.0), (1.48, 0.55), (2.0, 0.4), (2.74, 0.35), (3.76, 0.2), (4.2, 0.12))


def step() -> Wave:
    """A soft foot on boards."""
    return _mix(
        (0, _tone(D3, 0.11, 0.018, *_WOOD)), (0, 0.5 * _dull(_noise(0.06, 1), 900) * _decay(0.06, 0.01))
    )


def door() -> Wave:
    """A heavy door: latch, then the leaf."""
    leaf = _slide(A3 / 2, D2, 0.38, 0.07) + 0.6 * _dull(_noise(0.38, 2), 500) * _decay(0.38, 0.06, 0.02)
    return _mix((0, 0.5 * _tone(A4, 0.08, 0.012, *_WOOD)), (0.06, leaf))


def reveal() -> Wave:
    """A counter turned over: two quick clicks and a note that asks."""
    return _mix(
        (0, 0.8 * _tone(D5, 0.05, 0.008, *_WOOD)),
        (0.09, _tone(A4, 0.5, 0.09, *_STRING)),
        (0.15, 0.8 * _tone(BB4, 0.5, 0.12, *_STRING)),
    )


def dice() -> Wave:
    """A die on a table, tumbling to rest."""
    hops = (0.0, 0.09, 0.165, 0.225, 0.27, 0.3)
    parts = [
        (start, 0.85**number * _tone((E5, D5, F5, D5, E5, A4)[number], 0.06, 0.009, *_WOOD))
        for number, start in enumerate(hops)
    ]
    return _mix(*parts)


def hit() -> Wave:
    """A blow that lands: a drum, and the smack of it."""
    smack = _band(_noise(0.1, 3), 500, 2600) * _decay(0.1, 0.016)
    return _mix((0, _slide(A3, D2 * 1.5, 0.3, 0.06)), (0, 0.9 * smack))


def miss() -> Wave:
    """A blow that cuts the air."""
    at = _time(0.26)
    swell = np.sin(np.pi * at / 0.26) ** 2
    air: Wave = _band(_noise(0.26, 4), 700, 2200) * swell
    hum: Wave = 0.06 * np.sin(2 * np.pi * D4 * at) * swell
    return np.asarray(air + hum)


def smash() -> Wave:
    """Glass and metal: equipment destroyed."""
    pieces = [
        (start, 0.5 * _tone(pitch, 0.35, 0.05, (1.0, 1.0), (2.31, 0.6), (3.7, 0.3)))
        for start, pitch in ((0.02, A5), (0.07, D6), (0.11, F5), (0.17, A5), (0.24, D6), (0.33, E5))
    ]
    crash = _band(_noise(0.5, 5), 1500, 7000) * _decay(0.5, 0.07)
    return _mix((0, _slide(D3, D2, 0.35, 0.06)), (0, 0.8 * crash), *pieces)


def shot() -> Wave:
    """A gun: a crack and its echo."""
    crack = _dull(_noise(0.3, 6), 3800) * _decay(0.3, 0.022, 0.001)
    echo = _dull(_noise(0.5, 7), 700) * _decay(0.5, 0.09, 0.01)
    return _mix((0, crack), (0, 0.7 * _slide(D4, D2, 0.2, 0.03)), (0.05, 0.5 * echo))


def down() -> Wave:
    """Somebody falls: three notes down, and the floor."""
    return _mix(
        (0, 0.7 * _tone(F4, 0.4, 0.08, *_STRING)),
        (0.12, 0.7 * _tone(E4, 0.4, 0.08, *_STRING)),
        (0.24, 0.9 * _tone(BB3, 0.8, 0.16, *_STRING)),
        (0.3, 0.8 * _slide(D3, D2, 0.4, 0.08)),
    )


def turn() -> Wave:
    """A small bell twice: it is your turn."""
    return _mix(
        (0, _tone(D5, 0.7, 0.13, (1.0, 1.0), (2.76, 0.25))),
        (0.14, 0.9 * _tone(A5, 0.8, 0.15, (1.0, 1.0), (2.76, 0.25))),
    )


def said() -> Wave:
    """One soft drop: somebody has written a line."""
    return _mix((0, _tone(F5, 0.35, 0.05, (1.0, 1.0), (2.0, 0.2))))


def left() -> Wave:
    """Two low notes downwards: somebody is not connected any more."""
    return _mix((0, _tone(A4, 0.5, 0.1, *_STRING)), (0.15, 0.9 * _tone(D4, 0.7, 0.14, *_STRING)))


def back() -> Wave:
    """The same two upwards: he is back."""
    return _mix((0, _tone(D4, 0.5, 0.1, *_STRING)), (0.15, 0.9 * _tone(A4, 0.7, 0.14, *_STRING)))


def victory() -> Wave:
    """The scale upwards into a gong."""
    notes = [
        (0.13 * at, 0.6 * _tone(pitch, 0.7, 0.14, *_STRING)) for at, pitch in enumerate((D4, F4, A4, D5))
    ]
    return _mix(*notes, (0.5, 0.9 * _tone(D3, 1.7, 0.45, *_GONG)), (0.5, 0.5 * _tone(A4, 1.2, 0.3, *_STRING)))


def defeat() -> Wave:
    """The scale downwards, and one low stroke."""
    notes = [
        (0.19 * at, 0.6 * _tone(pitch, 0.7, 0.14, *_STRING)) for at, pitch in enumerate((A4, F4, E4, BB3))
    ]
    return _mix(*notes, (0.76, 0.9 * _tone(D2 * 2, 1.5, 0.4, *_GONG)))


SOUNDS: Final[dict[str, tuple[Callable[[], Wave], float]]] = {
    "step": (step, 0.4),
    "door": (door, 0.8),
    "reveal": (reveal, 0.75),
    "dice": (dice, 0.6),
    "hit": (hit, 1.0),
    "miss": (miss, 0.5),
    "smash": (smash, 0.9),
    "shot": (shot, 0.95),
    "down": (down, 0.85),
    "turn": (turn, 0.6),
    "said": (said, 0.5),
    "left": (left, 0.6),
    "back": (back, 0.6),
    "victory": (victory, 0.9),
    "defeat": (defeat, 0.9),
}
"""Each sound's maker and how loud it is beside the others."""


def samples(name: str) -> NDArray[np.int16]:
    """Return a sound as 16-bit samples; raises KeyError for an unknown name."""
    make, loudness = SOUNDS[name]
    sound = make()
    sound *= PEAK * loudness / np.abs(sound).max()
    return np.asarray(np.round(sound * 32767), dtype="<i2")


def main(folder: Path | None = None) -> None:
    """Write every sound into a folder, by default this one."""
    target = folder if folder is not None else Path(__file__).parent
    for name in SOUNDS:
        with wave.open(str(target / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples(name).tobytes())


if __name__ == "__main__":
    main()
