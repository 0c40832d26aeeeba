"""Numbers as they are said to players, everywhere alike: chances and balances."""

from __future__ import annotations


def percent(chance: float) -> str:
    """Return a chance in whole per cent."""
    return f"{round(100 * chance)} %"


def signed(number: float, places: int = 1) -> str:
    """Return a number with its sign, a real minus, and no sign for nothing."""
    text = f"{abs(number):.{places}f}"
    if not float(text):
        return text
    return f"{'+' if number > 0 else '−'}{text}"
