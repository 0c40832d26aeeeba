"""Who answers decisions at this program: the screen, and bots in a thread of their own."""
