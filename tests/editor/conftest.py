"""What every test of the editor stands on: a folder of its own, and no garbage collected by other threads."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.garbage import collect_due


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def _collected_here() -> Iterator[None]:
    """Collect between two tests, as the program does between two events.

    A thread that sends a draft would otherwise take apart the widgets of an earlier test, which ends all.
    """
    gc.disable()
    yield
    collect_due()
    gc.enable()
