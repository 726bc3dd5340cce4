"""Choosing columns by moves, and an honest error of what was chosen."""
