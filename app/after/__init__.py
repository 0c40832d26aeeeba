"""After a game: what happened, in words, plots and tables."""
