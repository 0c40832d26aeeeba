"""The fortress editor: draws maps and scenarios, and lists what is wrong with them as they are drawn."""
