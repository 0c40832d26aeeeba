"""The program: windows, players at the screen, and everything drawn with Qt."""

__version__ = "0.1.0"
