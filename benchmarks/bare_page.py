"""The page with which rerun.py compares the labs: a slider and a 200 x 200 heatmap."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

width = st.slider("Width", 1, 1000, 100)
x = np.linspace(-3, 3, 200)
surface = np.exp(-(x[:, None] ** 2 + x**2) / (width / 100))
st.plotly_chart(go.Figure(go.Heatmap(x=x, y=x, z=surface)))
