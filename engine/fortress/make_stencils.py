"""Writes `stencil_data` anew from shapely's answers: `python -m engine.fortress.make_stencils`."""

from pathlib import Path

from engine.fortress.stencils import ask_shapely, pack, shipped_offsets

if __name__ == "__main__":
    data = Path(__file__).with_name("stencil_data.py")
    data.write_text(pack(ask_shapely(shipped_offsets())), encoding="utf-8", newline="\n")
    print(f"{data}: {data.stat().st_size} bytes")
