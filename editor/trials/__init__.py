"""Bot games: a draft played many times in the background, and what comes of it."""
