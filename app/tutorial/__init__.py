"""Lessons that teach the game by playing it: their files, how one is gone through, and their page."""
