"""Figures of steps: pure functions, no Streamlit and no learning.

A figure is a plain dictionary: "data" and "layout" in Plotly's own schema, which
`plotly.graph_objects.Figure` accepts as they are (the tests check that it does), and what the stage
draws itself. Building validated objects instead would cost most of the time of a rerun.
"""
