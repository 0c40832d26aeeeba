"""What comes before, over and after the board."""
