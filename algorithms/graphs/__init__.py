"""Graphs: what holds between neighbours."""
