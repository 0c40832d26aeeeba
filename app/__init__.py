"""The program: windows, players at the screen, and everything drawn with Qt."""
