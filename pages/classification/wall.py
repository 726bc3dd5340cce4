"""The modes of the lab; its lesson is wall.md."""

import inspect

import numpy as np
import streamlit as st

from algorithms.classification import classifiers, one_versus_rest
from algorithms.classification import repeated_splits as splitting
from algorithms.classification import wall as algorithm
from algorithms.classification.classifiers import CLASSIFIERS
from algorithms.classification.linear import fisher, least_squares_classifier, nearest_mean
from algorithms.classification.neighbors import nearest_neighbors, parzen
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.catalogue import LABS
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.cache import Later
from viz.classification import repeated_splits as draw_splits
from viz.classification import wall as draw
from viz.core.scene import Run

NONE = "(none)"
NAMES = [classifier.name for classifier in CLASSIFIERS]
RENAMED = {"15-NN": "k-NN"}
WIDTHS = [0.01, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0]
WITHOUT_LAB = (
    nearest_mean, least_squares_classifier, fisher, one_versus_rest, parzen, nearest_neighbors
)  # fmt: skip


def one_split(lab: Lab) -> Shown:
    """Fit one classifier per step, and compare two of them."""
    k, h = how_local(lab)
    share = lab.slider("test_share", "Held-out points, about %", 0, 60, 30, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Which points are held out.")
    options = [NONE, *NAMES]
    first = lab.choice("compare", "Hatch where", options, NONE, renamed=RENAMED)
    second = lab.choice("against", "disagrees with", options, NONE, renamed=RENAMED)
    # Parts: a new k or h leaves the fits and surfaces of all others as they are.
    chosen = [
        lab.later(classifiers.untuned),
        lab.later(classifiers.tuned, "Parzen", h),
        lab.later(classifiers.tuned, "k-NN", k),
    ]
    parts = [fitted(lab, part, seed, share) for part in chosen]
    run = lab.run(algorithm.in_order, *parts)
    surfaces = surfaces_of(lab, run, parts)
    place = picked_point(lab)
    data = lab.plane
    return lab.scene(draw.Wall, run, data, surfaces, (first, second), place, seed, code=algorithm)


def repeat(lab: Lab) -> Shown:
    """Fit all classifiers to one random split after the other."""
    k, h = how_local(lab)
    share = lab.slider("held", "Held-out points, about %", 10, 60, 30, 5)
    n_splits = lab.slider("splits", "Random splits", 5, 40, 20, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="The splits that are drawn.")
    shown = lab.choice("shown", "Borders of", NAMES, "1-NN")
    data = lab.plane
    run = lab.run(
        splitting.repeated_splits, data.X, data.labels,
        classifiers=lab.later(classifiers.all_tuned, k, h),
        n_splits=n_splits, test_share=share / 100, rng=split_rng(seed),
    )  # fmt: skip
    lines = lab.later(draw_splits.find_borders, run, shown, data.bounds)
    return lab.scene(draw_splits.RepeatedSplits, run, data, shown, lines, seed, code=splitting)


def how_local(lab: Lab) -> tuple[int, float]:
    """Ask for the settings of the two classifiers that have one: k and h."""
    k = lab.slider("k", "k-NN: neighbours k", 1, 60, 15)
    return k, lab.log_slider("h", "Parzen: width h", WIDTHS, 0.3)


def fitted(lab: Lab, chosen: Later, seed: int, share: int) -> Run:
    """Fit some of the classifiers, always to the same points."""
    data = lab.plane
    how = {"rng": split_rng(seed), "test_share": share / 100, "classifiers": chosen}
    return lab.run(algorithm.wall, data.X, data.labels, **how)


def surfaces_of(lab: Lab, run: Run, parts: list[Run]) -> draw.Surfaces:
    """Return the surfaces of all classifiers, computed later, each from its own part of the run."""
    data = lab.plane
    found = {step.classifier.name: (part, i) for part in parts for i, step in enumerate(part.steps)}
    parts_of = [found[step.classifier.name] for step in run.steps]
    tiles = tuple(lab.later(draw.find_tile, *part, data).value for part in parts_of)
    surfaces = tuple(lab.later(draw.find_surface, *part, data.bounds).value for part in parts_of)
    walls = [lab.later(draw.tiled, tiles, data, now).value for now in range(len(run.steps))]
    return draw.Surfaces(surfaces, walls, lab.later(draw.ahead, tiles).value)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the point that all classifiers predict; by default where they often differ."""
    return picked_place(lab, across=0.7, up=0.5)


def labs_of_their_own() -> None:
    """Link to the labs of the classifiers that have one."""
    st.markdown("**The same points in a lab of their own**")
    with st.container(horizontal=True):
        for page in LABS:
            shown = [classifier.name for classifier in CLASSIFIERS if classifier.lab == page.name]
            if shown:  # without parameters it is no link: the points on the board stay
                icon = ":material/open_in_new:"
                st.page_link(str(page.path), label=", ".join(shown), icon=icon)


def sources_of_the_others() -> None:
    """Show the source of the classifiers without a lab."""
    with st.expander("The source of those without a lab"):
        for module in WITHOUT_LAB:
            st.code(inspect.getsource(module), language="python")


MODES = {"One split": one_split, "Repeat": repeat}

if __name__ == "__main__":
    open_lab(__file__, data="leaning", sample=2).show(MODES, below=labs_of_their_own)
    sources_of_the_others()
