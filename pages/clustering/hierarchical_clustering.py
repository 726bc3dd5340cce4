"""The modes of the lab; its lesson is hierarchical_clustering.md."""

import numpy as np

from algorithms.clustering.hierarchical_clustering import hierarchical_clustering as algorithm
from algorithms.clustering.hierarchical_clustering.dendrogram import LINKAGES
from algorithms.clustering.hierarchical_clustering.gap_by_chance import gap_by_chance
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.clustering.hierarchical_clustering.merging import Merging

LINKAGE_HELP = (
    "How far apart two clusters are: their nearest points, their farthest points, the mean of all "
    "distances, or (ward) by how much the merge adds to the inertia."
)


def merging(lab: Lab) -> Shown:
    """Merge the two nearest clusters until one is left."""
    linkage = lab.choice("linkage", "Linkage", LINKAGES, "average", help=LINKAGE_HELP)
    run = lab.run(algorithm.hierarchical_clustering, lab.plane.X, linkage=linkage)
    chance = lab.later(gap_by_chance, lab.plane.X, linkage, rng=np.random.default_rng(0))
    return lab.scene(Merging, run, lab.plane, chance, code=algorithm)


MODES = {"merging": merging}

if __name__ == "__main__":
    open_lab(__file__, data="blobs", n=60, noise=0.5).show(MODES)
