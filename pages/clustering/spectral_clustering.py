"""The modes of the lab; its lesson is spectral_clustering.md."""

import numpy as np

from algorithms.clustering import normalised_cut
from algorithms.clustering import spectral_clustering as algorithm
from algorithms.core.numbering import numbered
from pages._shared.ask.place import picked_place
from pages._shared.ask.width import ask_gamma
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.clustering.spectral_clustering.coordinates import Coordinates
from viz.clustering.spectral_clustering.normalised_cut import Cut


def coordinates(lab: Lab) -> Shown:
    """Cluster the points by the eigenvectors of their graph."""
    k = lab.slider("k", "Clusters k", 1, 8, 2)
    gamma = ask_gamma(lab)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the first centres of k-means.")
    run = lab.run(
        numbered, algorithm.spectral_clustering, lab.plane.X, k,
        gamma=gamma, rng=np.random.default_rng(seed),
    )  # fmt: skip
    return lab.scene(Coordinates, run, lab.plane, picked_point(lab), code=algorithm)


def cut(lab: Lab) -> Shown:
    """Cut the graph in two, at every threshold along the second eigenvector."""
    run = lab.run(normalised_cut.normalised_cut, lab.plane.X, gamma=ask_gamma(lab))
    return lab.scene(Cut, run, lab.plane, code=normalised_cut)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the place whose nearest point is picked: by default one near the middle."""
    return picked_place(lab, across=0.4, up=0.6, snapped=True)


MODES = {"coordinates": coordinates, "cut": cut}

if __name__ == "__main__":
    open_lab(__file__, data="circles", n=300, noise=0.12, sample=1).show(MODES)
