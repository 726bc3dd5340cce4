"""Probability: what is known before and after an observation."""
