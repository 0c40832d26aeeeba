"""The scenario panel: every field of a scenario, explained with its rule, and what of a map is not drawn."""
