"""The fortress editor: draws maps and scenarios, and lists what is wrong with them as they are drawn.

    Tool -> Gesture -> Document (one Draft, one undo stack) -> changed(Change) -> canvas and panels

A `Draft` is a map, or a scenario with its map; it never changes. `edits` are functions from one plan, or
draft, to the next, without Qt. A tool turns the pointer into edits and shows them in a `Gesture`; a gesture
that is committed is one step on the document's undo stack. Whatever becomes of the draft, by tools, panels,
undo or a file that changed, the document tells once, in `changed`, and everything on show follows that.
"""
