"""The help: every rule by its number, how we read it, and each screen, with pictures and a search."""
