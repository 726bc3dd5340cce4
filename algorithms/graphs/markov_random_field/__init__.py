"""Markov random fields on pictures: a cell prefers the colour of its neighbours."""
