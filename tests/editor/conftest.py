"""What every test of the editor stands on: a folder of its own for what the program keeps."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))
