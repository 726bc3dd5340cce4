"""The modes of the lab; its lesson is clusterings.md."""

import numpy as np
import streamlit as st

from algorithms.clustering import clusterings as algorithm
from pages._shared.lab.catalogue import LABS
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.clustering.clusterings import Methods


def methods(lab: Lab) -> Shown:
    """Cluster by one method after the other."""
    k = lab.slider("k", "Clusters k", 1, 8, 2)
    eps = lab.slider("eps", "DBSCAN: ε, % of the picture", 1.0, 30.0, 6.0, 0.5)
    least = lab.slider("least", "DBSCAN: points for a core point", 1, 20, 5)
    width = lab.slider("width", "Spectral: σ, % of the picture", 1.0, 30.0, 3.0, 0.5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the starts of k-means, EM, spectral.")
    data = lab.plane
    left, right, bottom, top = data.bounds
    unit = max(right - left, top - bottom) / 100
    run = lab.run(
        algorithm.clusterings,
        data.X, data.labels, k, eps=eps * unit, min_samples=least,
        gamma=1 / (2 * (width * unit) ** 2), rng=np.random.default_rng(seed),
    )  # fmt: skip
    return lab.scene(Methods, run, data, code=algorithm)


def labs_of_their_own() -> None:
    """Link to the labs of the methods."""
    st.markdown("**The same points in a lab of their own**")
    with st.container(horizontal=True):
        for page in LABS:
            shown = [method.name for method in algorithm.METHODS if method.lab == page.name]
            if shown:  # a link without parameters keeps the points on the board
                icon = ":material/open_in_new:"
                st.page_link(str(page.path), label=", ".join(shown), icon=icon)


MODES = {"methods": methods}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.1).show(MODES, below=labs_of_their_own)
