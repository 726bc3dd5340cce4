"""The modes of the lab; its lesson is k_means.md."""

from functools import partial

import numpy as np

from algorithms.clustering.k_means import k_means, k_means_plus_plus, many_starts
from algorithms.clustering.k_means import shards as by_shards
from algorithms.clustering.k_means.choose_k import choose_k
from algorithms.core.iterate import resumed
from algorithms.core.numbering import numbered
from pages._shared.ask.place import picked_place
from pages._shared.ask.start import choose_start, moved_to
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, what_if
from viz.clustering.k_means.k_means import Lloyd
from viz.clustering.k_means.k_means_plus_plus import Seeding
from viz.clustering.k_means.many_starts import Seeds
from viz.clustering.k_means.shards import Shards
from viz.core.scene import Plane, Run

MOST_CLUSTERS = 10  # the largest k that is tried


def lloyd(lab: Lab) -> Shown:
    """Assign points and move centres in turn."""
    X, k = lab.plane.X, how_many(lab)
    start, init = choose_start(lab, "First centres", "k-means++", k)
    rng = seeded(lab, 18)  # many points change their cluster
    price = lab.slider(
        "price", "Penalty γ per cluster, %", 0.0, 20.0, 4.0, 0.5,
        help="In % of the inertia with k = 1. Only used to choose k by the MDL cost.",
    )  # fmt: skip
    ks = list(range(1, min(MOST_CLUSTERS, len(X)) + 1))
    query = picked_point(lab)
    run = lab.run(numbered, k_means.k_means, X, k, rng=rng, init=init)

    def show(run: Run, data: Plane) -> Shown:
        choices = lab.run(choose_k, data.X, ks, rng=np.random.default_rng(0))
        return lab.scene(Lloyd, run, data, choices, query, start, price / 100, code=k_means)

    def move_centers(ways: Ways, step: int) -> Run:
        centers = moved_to(ways, step, run.steps[step - 1].centers)
        by_hand = partial(k_means.by_hand, ways.plane.X, centers)
        advance = partial(k_means.advance, ways.plane.X)
        return lab.run(resumed, run, step, by_hand, advance, most=2 * k_means.MAX_ITER)

    return what_if(lab, run, show, move_centers, after=True, points=True)


def seeding(lab: Lab) -> Shown:
    """Draw the initial centres one after the other (k-means++)."""
    k, rng = how_many(lab), seeded(lab, 11)  # draws far points
    run = lab.run(k_means_plus_plus.k_means_plus_plus, lab.plane.X, k, rng=rng)
    return lab.scene(Seeding, run, lab.plane, code=k_means_plus_plus)


def seeds(lab: Lab) -> Shown:
    """Compare where 100 runs end."""
    X, k = lab.plane.X, how_many(lab)
    starts = many_starts.STARTS
    init = lab.buttons("start", "First centres", starts, starts[0])
    (rival,) = set(starts) - {init}
    run, other = (lab.run(many_starts.many_starts, X, k, init=name) for name in (init, rival))
    return lab.scene(Seeds, run, lab.plane, other, init, rival, code=many_starts)


def shards(lab: Lab) -> Shown:
    """Deal the points to shards, and take the half-steps by map and reduce."""
    k = how_many(lab)
    count = lab.slider("shards", "Shards", 2, 6, 4)
    dealt = lab.buttons("dealt", "Points are dealt", by_shards.DEALT, by_shards.DEALT[0])
    combiner = lab.toggle("combiner", "Shards add their own pairs (combiner)", True)
    picked = lab.slider("cluster", "Cluster in the table", 1, 8, 1) - 1
    run = lab.run(
        numbered, by_shards.k_means_on_shards, lab.plane.X, k,
        rng=seeded(lab), shards=count, dealt=dealt,
    )  # fmt: skip
    return lab.scene(Shards, run, lab.plane, combiner, picked, code=by_shards)


def how_many(lab: Lab) -> int:
    """Ask for the number of clusters."""
    return lab.slider("k", "Clusters k", 1, 8, 4)


def seeded(lab: Lab, usual: int = 0) -> np.random.Generator:
    """Ask for the seed of the random initial centres. usual : the default."""
    seed = lab.number("seed", "Seed", 0, 9999, usual, help="Draws the first centres.")
    return np.random.default_rng(seed)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the place whose distances to the centres are compared: by default near the middle."""
    return picked_place(lab, across=0.4, up=0.6)


MODES = {"k-means": lloyd, "seeding": seeding, "100 seeds": seeds, "shards": shards}

if __name__ == "__main__":
    open_lab(__file__, data="blobs", classes=4, noise=0.6).show(MODES)
