"""A guest: the connection to his host, and the game as his seat may know it."""
