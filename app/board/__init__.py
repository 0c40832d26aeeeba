"""The board on the screen: plan, counters, picking, animation and what a screen reader hears of them."""
