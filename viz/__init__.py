"""Figures of steps: pure functions, no Streamlit and no learning.

A figure is a plain dictionary in Plotly's own schema, {"data": [...], "layout": {...}}, which
`plotly.graph_objects.Figure` accepts as it is; the tests check that it does. A run of 80 steps
needs 80 of them, and building those as validated objects costs most of the time of a rerun.
"""
