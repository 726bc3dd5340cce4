"""Surfaces, the race of optimisers down one of them, and the best rate of each."""
