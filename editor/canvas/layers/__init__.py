"""What comes and goes over the ground: a layer an item, shown only while there is something on it."""
