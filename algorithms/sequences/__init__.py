"""Sequences: states that follow each other in time."""
