"""The properties of what is selected, a section for each kind of thing; of several things at once, too."""
