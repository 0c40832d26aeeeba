"""The canvas: the map drawn as the game draws it, while it is being edited.

    Document.changed -> Ground (what is on the floor) -> GroundItem (kept as picture tiles) -> screen

The ground is drawn square by square from the plan, in the game's look, so that an edit draws only the
squares that changed. What comes and goes over it (ghost, selection, overlays, marks) are layers, an item
each. What takes its time (tints, names, sight) is worked out when the designer pauses, never in a paint.
"""
