"""Belief networks: the joint table, elimination, messages, d-separation."""
