"""The modes of the lab; its lesson is spectral_clustering.md."""

import numpy as np

from algorithms.clustering import spectral_clustering as algorithm
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.clustering.spectral_clustering.coordinates import Coordinates


def coordinates(lab: Lab) -> Shown:
    """Cluster the points by the eigenvectors of their graph."""
    k = lab.slider("k", "Clusters k", 1, 8, 2)
    width = lab.slider(
        "width", "Width σ, % of the picture", 1.0, 30.0, 3.0, 0.5,
        help="An edge of length σ has the weight exp(−½) = 0.61; γ = 1 / (2 σ²).",
    )  # fmt: skip
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the first centres of k-means.")
    left, right, bottom, top = lab.plane.bounds
    sigma = width / 100 * max(right - left, top - bottom)
    run = lab.run(
        algorithm.spectral_clustering,
        lab.plane.X, k, gamma=1 / (2 * sigma**2), rng=np.random.default_rng(seed),
    )  # fmt: skip
    return lab.scene(Coordinates, run, lab.plane, picked_point(lab), code=algorithm)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the place whose nearest point is picked: by default near the middle."""
    return picked_place(lab, across=0.4, up=0.6)


MODES = {"coordinates": coordinates}

if __name__ == "__main__":
    open_lab(__file__, data="blobs", classes=2, noise=0.4).show(MODES)
