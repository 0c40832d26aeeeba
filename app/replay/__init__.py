"""A game gone through again: its log as a way to every moment, and playing on from any of them."""
