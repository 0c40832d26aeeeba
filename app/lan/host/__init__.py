"""The host: its tables, and what carries messages to and from them."""
