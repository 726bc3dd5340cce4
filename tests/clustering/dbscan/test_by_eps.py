"""What the mode "eps by eps" shows and writes, against runs of DBSCAN at its radii."""

import numpy as np
import pytest

from algorithms.clustering.dbscan.dbscan import NOISE, dbscan
from algorithms.clustering.dbscan.dbscan_by_eps import Event, dbscan_by_eps
from algorithms.clustering.dbscan.optics import reachability
from algorithms.core.record import last
from tests.core.figures import line, unpacked
from tests.core.samples import board, points_of
from tests.house.check_steps import event_names
from viz.clustering.dbscan.by_eps import ByEps
from viz.core.scene import Run
from viz.core.words import counted

RADII = np.arange(1, 101) / 100
LEAST = 5
CROSS = 64  # a look beyond those of the clusters

X = points_of("unequal")
GROWING = list(dbscan_by_eps(X, eps=RADII, min_samples=LEAST))
LEVELS = GROWING[0].levels
MODE = ByEps(Run("", GROWING), board(X), reachability(X, LEAST))


@pytest.mark.parametrize("now", [5, 29, 60, 99])
def test_the_picture_at_a_radius(now: int) -> None:
    step = GROWING[now]
    figure = MODE.picture(now)
    group, inside = unpacked(figure["points"]["group"]), step.labels != NOISE
    np.testing.assert_array_equal(group[inside], step.labels[inside] % 64)
    assert (group[~inside] == CROSS).all()
    width = unpacked(figure["edges"]["width"])
    np.testing.assert_array_equal(width > 0, LEVELS.heights <= step.eps)
    new = (LEVELS.heights <= step.eps) & (LEVELS.heights > GROWING[now - 1].eps)
    np.testing.assert_array_equal(width > 2, new)
    circle, key = figure["data"]
    assert ("thick line" in key["text"][0]) == new.any()
    center = X[LEVELS.core_distances.argmin()]
    np.testing.assert_allclose(np.hypot(*(line(circle) - center).T), step.eps, rtol=1e-5)
    np.testing.assert_array_equal(MODE.found(now).labels, step.labels)


def test_the_line_of_eps_goes_with_the_steps() -> None:
    track = MODE.views()[1].track
    assert track is not None and track.along == "y"
    np.testing.assert_array_equal(track.places[:, 0, 1], RADII)


@pytest.mark.parametrize("now", range(0, 100, 7))
def test_the_caption_at_a_radius(now: int) -> None:
    step = GROWING[now]
    run = last(dbscan(X, eps=step.eps, min_samples=LEAST))
    first, rule = MODE.caption(now).split("\n")
    clusters, cores = int(run.labels.max()) + 1, int(run.core.sum())
    noise = int(np.count_nonzero(run.labels == NOISE))
    assert first.startswith(f"ε = {step.eps:g}: {clusters or 'no'} cluster")
    assert f"; {noise} point" in first
    assert (
        f"{cores} of 200 are" in rule
        and f", {counted(200 - cores - noise, 'border point')}. " in rule
    )
    assert rule.endswith(f" = {cores} − {cores - clusters} = {clusters}.")


def test_merges_are_said_and_are_so() -> None:
    said = 0
    for now in range(1, len(GROWING)):
        before, after = GROWING[now - 1], GROWING[now]
        gone = set(before.labels.tolist()) - set(after.labels.tolist()) - {NOISE}
        counted = f" {len(gone)} cluster{'s are' if len(gone) > 1 else ' is'} now part of another."
        assert (counted in MODE.caption(now)) == bool(gone)
        said += bool(gone)
    assert said


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    wanted = {
        "first cluster": "1 cluster",
        "clusters merge": "now part of another",
        "no noise left": "0 points are noise",
    }[event]
    moons = points_of("spirals")
    steps = list(dbscan_by_eps(moons, eps=RADII, min_samples=LEAST))
    mode = ByEps(Run("", steps), board(moons), reachability(moons, LEAST))
    found = [now for now, step in enumerate(steps) if step.event == event]
    assert found
    assert all(wanted in mode.caption(now) for now in found)


def test_the_reachability_plot_has_every_points_reach_in_the_colour_of_its_cluster() -> None:
    found = reachability(X, LEAST)
    for now in (20, 60):
        step, bars = GROWING[now], MODE.valleys(now)["data"][0]
        assert bars["x"] == list(range(1, len(X) + 1))
        top = MODE.valleys(now)["layout"]["yaxis"]["range"][1]
        reach = found.reach[found.order]
        assert np.isinf(reach[0]), "the first point of all has no reach"
        shown = np.where(np.isinf(reach), 0.0, np.minimum(reach, top))
        np.testing.assert_allclose(unpacked(bars["y"]), shown, rtol=1e-6)
        colors = bars["marker"]["color"]
        pairs = set(zip(colors, step.labels[found.order].tolist(), strict=True))
        assert len(pairs) == len({label for _, label in pairs})
