"""3.2: the phases of a turn, each with what is decided in it and what a choice does."""
