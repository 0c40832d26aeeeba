"""Hosts made known on the network by name, and found there."""
