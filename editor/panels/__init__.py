"""What stands round the canvas: tools, properties, rooms, history."""
