"""The modes of the lab; its lesson is hierarchical_clustering.md."""

import numpy as np

from algorithms.clustering.hierarchical_clustering import birch
from algorithms.clustering.hierarchical_clustering import hierarchical_clustering as algorithm
from algorithms.clustering.hierarchical_clustering.dendrogram import LINKAGES
from algorithms.clustering.hierarchical_clustering.gap_by_chance import gap_by_chance
from pages._shared.ask.width import unit_of
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.clustering.hierarchical_clustering.birch import Summaries
from viz.clustering.hierarchical_clustering.merging import Merging

PARTS = 50  # of the unit, in which the threshold is chosen

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


def summaries(lab: Lab) -> Shown:
    """Let the points arrive one by one, in a tree of summaries (BIRCH)."""
    X, unit = lab.plane.X, unit_of(lab)
    threshold = lab.slider(
        "threshold", "Threshold T of a radius", unit / PARTS, unit, 0.4 * unit, unit / PARTS,
        format="%.3g", help="The largest root mean squared distance of an entry's points.",
    )  # fmt: skip
    most = lab.slider("most", "Entries of a node, at most (B)", 2, 10, 4)
    k = lab.slider("k", "Clusters in the end", 1, 8, 3)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the order in which points arrive.")
    order = np.random.default_rng(seed).permutation(len(X))
    run = lab.run(birch.birch, X, k, threshold=threshold, branching_factor=most, order=order)
    return lab.scene(Summaries, run, lab.plane, threshold, most, code=birch)


MODES = {"merging": merging, "BIRCH": summaries}

if __name__ == "__main__":
    open_lab(__file__, data="blobs", n=60, noise=0.5).show(MODES)
