"""Kung Fu 2100: a module for each part of the rulebook."""
