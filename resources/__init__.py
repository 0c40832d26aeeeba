"""Everything the program ships that is not code; opened only through `resources.path`."""
