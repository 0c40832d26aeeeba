"""What the editor asks in windows of their own."""
