"""What the modes of densities show and write, recomputed from the data."""

import re
from base64 import b64decode

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.kernel_density import bandwidths, kernel_density
from algorithms.clustering.one_class_svm import OneClassStep, one_class_svm
from algorithms.core.kernels import rbf
from tests.core.figures import line, places, read_png, unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers, value
from viz.clustering.densities.kernel_density import Bumps
from viz.clustering.densities.marks import CELLS
from viz.clustering.densities.one_class_svm import MOST_DRAWN, OneClass
from viz.clustering.densities.widths import Widths
from viz.core import plane
from viz.core.scene import Run
from viz.core.words import number

X = points_of("moons", 60, sample=3, noise=0.2)
QUERY = np.array([-0.5, 0.7])
H, NU = 0.5, 0.2
BUMPS = list(kernel_density(X, bandwidth=H))
WIDTHS = np.geomspace(0.03, 3, 30)
TRIED = list(bandwidths(X, WIDTHS))
CLIMB = list(one_class_svm(X, nu=NU, kernel=rbf(0.5 / H**2)))


DATA = board(X)
MODE = Bumps(Run("", BUMPS), DATA, QUERY)
TRYING = Widths(Run("", TRIED), DATA, QUERY)


def region(X: ndarray, steps: list[OneClassStep]) -> OneClass:
    return OneClass(Run("", steps), board(X), QUERY, H)


REGION = region(X, CLIMB)


def heights(at: ndarray, points: ndarray) -> ndarray:
    """Return the bumps of points, as high as those of a density, at some places."""
    return np.exp(-(cdist(at, points) ** 2) / (2 * H**2)) / (2 * np.pi * H**2)


@pytest.mark.parametrize("now", [0, 3, 59])
def test_the_picture_of_the_bumps(now: int) -> None:
    figure = MODE.picture(now)
    ground, far, ring, key, across = figure["data"]
    assert ("least density" in key["text"][0]) == (now == 59)
    cells = plane.grid(MODE.data.bounds, CELLS)[2]
    highest = max(heights(cells, X[:m]).mean(axis=1).max() for m in (now + 1, 60))
    assert numbers(key["text"][0].split("<br>")[-1]) == pytest.approx([highest], rel=5e-3)
    assert (line(across)[:, 1] == line(across)[0, 1]).all(), "the cut is level"
    newest = np.nan if now == 59 else X[now]
    wanted = np.nan if now == 59 else H
    np.testing.assert_allclose(np.hypot(*(line(ring) - newest).T), wanted, rtol=1e-5)
    np.testing.assert_allclose(np.hypot(*(line(far) - newest).T), 2 * wanted, rtol=1e-5)
    strength = unpacked(figure["points"]["strength"])
    np.testing.assert_array_equal(strength == 255, np.arange(60) <= now)
    bands, _ = read_png(b64decode(ground["source"].partition(",")[2]))
    _, _, cells = plane.grid(DATA.bounds, len(bands))
    p = heights(cells, X[: now + 1]).sum(axis=1).reshape(bands.shape)
    order = np.argsort(p.ravel())
    assert (np.diff(bands.ravel()[order].astype(int)) >= -1e-9).all(), "the higher, the darker"
    ringed = np.flatnonzero(unpacked(figure["marks"]["kind"]))
    lowest = np.argsort(heights(X, X).sum(axis=1))[:3]
    assert set(ringed) == (set(lowest) if now == 59 else set())


def test_the_strongest_blue_is_the_highest_density_at_least_that_of_the_end() -> None:
    """A band is a multiple of a share of this density, so a blue is the same p where p is low."""
    steps = (0, 3, 20, 40, 58, 59)
    figures = [MODE.picture(now) for now in steps]
    seen = [read_png(b64decode(each["data"][0]["source"].partition(",")[2]))[0] for each in figures]
    cells = plane.grid(DATA.bounds, len(seen[0]))[2]
    p = [heights(cells, X[: now + 1]).mean(axis=1) for now in steps]
    tops = [max(float(each.max()), float(p[-1].max())) for each in p]
    assert tops[0] > tops[1] > tops[-1] == p[-1].max(), "the first bumps are higher than the end"
    shares = np.concatenate([each / top for each, top in zip(p, tops, strict=True)])
    bands = np.concatenate([each.ravel() for each in seen]).astype(int)
    order = np.argsort(shares)
    assert (np.diff(bands[order]) >= 0).all(), "the higher, the darker"
    for figure, top, band in zip(figures, tops, seen, strict=True):
        assert str(figure["data"]).count(f"strongest blue: p = {number(top)}'") == 1
        assert (band == bands.max()).any() == (top in [float(each.max()) for each in p])


def test_the_curve_at_the_picked_point_begins_within_its_axes() -> None:
    for now in (0, 10, 25, 59):
        curve, _ = MODE.history(now)["data"]
        axes = [MODE.history(now)["layout"][axis] for axis in ("xaxis", "yaxis")]
        shown = line(curve)[np.isfinite(line(curve)[:, 1])]
        first = shown[0, 0]
        assert first == (21 if now >= 20 else 1) and len(shown) == 61 - first
        without = " (without the jumps of the first 20)" * (now >= 20)
        assert axes[0]["title"]["text"] == "bump" + without
        for values, axis in zip(shown.T, axes, strict=True):
            assert axis["range"][0] < values.min() and values.max() < axis["range"][1]
        np.testing.assert_allclose(shown[:, 1], MODE.p[int(first) - 1 :], rtol=1e-4)


@pytest.mark.parametrize("now", [0, 3, 59])
def test_the_cut_shows_bumps_and_their_sum(now: int) -> None:
    total, bumps, newest, _, ring = MODE.cut(now)["data"]
    x = line(total)[:, 0]
    each = heights(np.column_stack([x, np.full(len(x), QUERY[1])]), X[: now + 1]) / (now + 1)
    np.testing.assert_allclose(line(total)[:, 1], each.sum(axis=1), rtol=1e-4, atol=1e-7)
    seen = np.isfinite(line(newest)[:, 1])
    np.testing.assert_allclose(line(newest)[seen, 1], each[seen, -1], rtol=1e-4, atol=1e-7)
    np.testing.assert_array_equal(seen, (now < 59) & (each[:, -1] > 0.01 * each.max()))
    assert newest["showlegend"] == (now < 59)
    highest = np.argsort(-each.max(axis=0))[:40]
    paths = np.split(line(bumps), np.flatnonzero(np.isnan(line(bumps)[:, 0])))[:-1]
    assert len(paths) == len(highest)
    for path, bump in zip(paths, each.T[highest], strict=True):
        path = path[np.isfinite(path[:, 0])]
        np.testing.assert_allclose(path[:, 1], np.interp(path[:, 0], x, bump), rtol=1e-3)
    assert ring["y"] == [pytest.approx(heights(QUERY[None], X[: now + 1]).mean())]


def test_the_density_at_the_picked_point_after_every_bump() -> None:
    by_hand = [float(np.exp(step.score_samples(QUERY[None])[0])) for step in BUMPS]
    np.testing.assert_allclose(BUMPS[-1].after_every_bump(QUERY), by_hand)


@pytest.mark.parametrize("now", [0, 1, 7, 59])
def test_the_caption_of_a_bump(now: int) -> None:
    first, rule, picked = MODE.caption(now).split("\n")
    m = now + 1
    assert first.startswith(f"Bump {m} of 60 is added" if m < 60 else "All 60 points")
    volume, *_, h, count, high = numbers(rule.replace("²", ""))
    assert (count, volume) == (m, 1) and h == pytest.approx(H, rel=5e-3)
    assert high == pytest.approx(1 / (2 * np.pi * H**2 * m), rel=5e-3)
    if 1 < m < 60:
        before, after = (heights(QUERY[None], X[:count]).mean() for count in (now, m))
        assert (" rises from " if after > before else " falls from ") in first
        assert numbers(first)[-2:] == pytest.approx([before, after], rel=5e-3)
    shares = np.sort(heights(QUERY[None], X[:m])[0] / m)[::-1]
    told = numbers(picked.partition(": p = ")[2])
    share = [m] * (m < 60) + [100 * shares[0] / shares.sum()]
    wanted = [shares.sum(), *share[: 2 * (m > 1)]]
    assert ("the nearest of the" in picked) == (1 < m < 60)
    np.testing.assert_allclose(told, wanted, rtol=5e-3)


def test_the_curves_of_the_widths_and_their_track() -> None:
    best = int(np.argmax([step.left_out for step in TRIED]))
    low, high = TRYING.range
    for now in (0, 12, 29):
        figure = TRYING.likelihoods(now)
        own, left_out, upright, ring = figure["data"]
        np.testing.assert_allclose(line(own)[:, 1], [s.own for s in TRIED], rtol=1e-5)
        shown = [max(s.left_out, TRIED[best].left_out - 50) for s in TRIED]
        np.testing.assert_allclose(line(left_out)[:, 1], shown, rtol=1e-5)
        assert upright["x"] == [WIDTHS[TRIED[now].best]] * 2
        np.testing.assert_allclose(TRYING.grips[now, 0], [ring["x"][0], ring["y"][0]])
        assert ring["x"] == [WIDTHS[now]] and low <= ring["y"][0] <= high
    assert low < TRIED[best].left_out < high


@pytest.mark.parametrize("now", [0, 9, 29])
def test_the_caption_of_a_width(now: int) -> None:
    step = TRIED[now]
    first, rule, picked = TRYING.caption(now).split("\n")
    width = re.match(r"Width h = (\S+): ", first)
    likely = re.match(r".* mean ln p of (\S+), with their own bumps (\S+)\. ", rule)
    assert width and likely
    found = ["", width[1], likely[1], likely[2]]
    assert value(found[1]) == pytest.approx(WIDTHS[now], rel=5e-3)
    logs = []
    for i, x in enumerate(X):
        squares = ((np.delete(X, i, axis=0) - x) ** 2).sum(axis=1)
        scale = np.log(59 * 2 * np.pi * WIDTHS[now] ** 2)
        logs.append(np.logaddexp.reduce(-squares / (2 * WIDTHS[now] ** 2)) - scale)
    assert value(found[2]) == pytest.approx(np.mean(logs), rel=5e-3)
    assert value(found[3]) == pytest.approx(step.score_samples(X).mean(), rel=5e-3)
    itself = 1 / (2 * np.pi * WIDTHS[now] ** 2 * 60)
    assert numbers(rule)[-2:] == pytest.approx([60, itself], rel=5e-3)
    p = float(np.exp(step.score_samples(QUERY[None])[0]))
    assert numbers(picked.partition(": p = ")[2])[0] == pytest.approx(p, rel=5e-3)


def test_the_events_of_the_widths_have_their_words() -> None:
    best = WIDTHS[int(np.argmax([step.left_out for step in TRIED]))]
    said = {step.event: TRYING.caption(now) for now, step in enumerate(TRIED)}
    assert f"h = {best:.3g} was better." in said["past the best"]
    assert f"likeliest at h = {best:.3g}, the best of 30." in said["all widths"]
    assert "the first width that is tried." in TRYING.caption(0)
    assert "the best so far: points left out are likelier than at every smaller width." in (
        TRYING.caption(3)
    )
    assert f"less likely than at h = {best:.3g}, the best so far." in TRYING.caption(28)


@pytest.mark.parametrize("now", [0, 1, 20, len(CLIMB) - 1])
def test_the_picture_of_the_region(now: int) -> None:
    step = CLIMB[now]
    f = step.duals @ rbf(0.5 / H**2)(X, X) + step.bias
    figure = REGION.picture(now)
    np.testing.assert_allclose(places(figure), X, rtol=1e-5)
    np.testing.assert_array_equal(unpacked(figure["points"]["group"]) == 1, f < -0.5e-4)
    np.testing.assert_array_equal(REGION.found(now).inside, f >= -0.5e-4)
    size = unpacked(figure["points"]["size"]) / plane.SIZES
    wanted = np.where(step.duals > 0, 0.7 + 0.6 * step.duals, 0.4)
    np.testing.assert_allclose(size, wanted, atol=0.02)
    border = line(figure["data"][1])
    border = border[np.isfinite(border[:, 0])]
    assert len(border) > 10
    assert np.abs(step.decision_function(border)).max() < 0.05 * (f.max() - f.min())
    ((x0, y0, x1, y1),) = unpacked(figure["edges"]["places"]).reshape(-1, 4)
    moving = now > 0 and step.event != "converged"
    assert (unpacked(figure["edges"]["width"]) > 0).tolist() == [moving]
    if now:
        changed = step.duals - CLIMB[now - 1].duals
        np.testing.assert_allclose([x0, y0], X[changed.argmin()], rtol=1e-5)
        np.testing.assert_allclose([x1, y1], X[changed.argmax()], rtol=1e-5)


def test_the_weights_come_to_rest_on_the_grey_line() -> None:
    wanted, dots, beyond, pair = REGION.weights(len(CLIMB) - 1)["data"]
    f, alpha = line(dots).T
    assert len(f) == 60 and len(line(pair)) == 2
    assert np.isnan(line(beyond)).all() and not np.isnan(line(dots)).any()
    assert ((np.abs(f) < 1e-3) | ((f > 0) & (alpha == 0)) | ((f < 0) & (alpha == 1))).all()
    np.testing.assert_allclose(line(wanted)[:, 1], [1, 1, 0, 0])
    many = points_of("moons", 1000, sample=3, noise=0.2)
    first = [next(one_class_svm(many, nu=0.2, kernel=rbf(2.0)))]
    _, dots, beyond, _ = region(many, first).weights(0)["data"]
    assert len(line(dots)) == MOST_DRAWN
    assert np.isnan(line(beyond)).all()
    _, dots, beyond, _ = REGION.weights(0)["data"]
    shown = np.isfinite(line(dots)[:, 0])
    np.testing.assert_array_equal(np.isfinite(line(beyond)[:, 0]), ~shown)
    assert 0 < shown.sum() < 60
    assert "shows 400 of 1,000 points" in region(many, first).note
    assert "shows" not in REGION.note


def test_the_cut_of_the_region() -> None:
    now = len(CLIMB) - 1
    evenly, total, level, _, ring = REGION.cut(now)["data"]
    x = line(total)[:, 0]
    K = rbf(0.5 / H**2)(X, np.column_stack([x, np.full(len(x), QUERY[1])]))
    np.testing.assert_allclose(line(evenly)[:, 1], NU * K.sum(axis=0), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(line(total)[:, 1], CLIMB[now].duals @ K, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(line(level)[:, 1], -CLIMB[now].bias, rtol=1e-5)
    at = (CLIMB[now].duals @ rbf(0.5 / H**2)(X, QUERY[None]))[0]
    assert ring["y"] == [pytest.approx(at)]


@pytest.mark.parametrize("now", [*range(0, len(CLIMB), 13), len(CLIMB) - 1])
def test_the_caption_of_a_move(now: int) -> None:
    step = CLIMB[now]
    first, rest, picked = REGION.caption(now).split("\n")
    K = rbf(0.5 / H**2)(X, X)
    f = step.duals @ K + step.bias
    outside, support = int((f < -0.5e-4).sum()), int((step.duals > 0).sum())
    if now == 0:
        assert (
            first.endswith(
                "on each. This is only the solver's first guess: "
                f"{outside} of 60 points are outside its border."
            )
            and "ν n = 12," in first
        )
        assert numbers(rest) == [NU * 60]
    else:
        carry = rf"{support} points? with weight carr(y|ies) it"
        assert re.match(rf"{outside} points? of 60 (is|are) outside the border; {carry}", first)
        o = CLIMB[now - 1].duals @ K
        changed = step.duals - CLIMB[now - 1].duals
        j, i = int(changed.argmin()), int(changed.argmax())
        if step.event != "converged":
            assert o[i] < o[j], "the sum of the bumps is lower there"
            assert numbers(rest) == pytest.approx([changed[i], j + 1, i + 1], rel=5e-3)
        else:
            few, carried = (f"{100 * count / 60:.3g} %" for count in (outside, support))
            assert outside <= NU * 60 <= support
            assert rest == (
                f"At most ν = 20 % of the points may be outside: {few}. "
                f"At least 20 % must have weight: {carried}."
            ) and (outside or step.duals.max() == 1)
    at = (step.duals @ rbf(0.5 / H**2)(X, QUERY[None]))[0] + step.bias
    assert picked.endswith(" inside." if at >= -0.5e-4 else " outside.")
    assert numbers(picked)[-1] == pytest.approx(at, rel=5e-3)


def test_a_region_without_a_point_outside_says_why() -> None:
    steps = list(one_class_svm(X, nu=0.1, kernel=rbf(8.0)))
    end = steps[-1]
    assert end.event == "converged" and not len(end.outside) and end.duals.max() < 1
    border = end.decision_function(X[end.support])
    assert np.abs(border).max() < 0.01 * end.sums(X).max(), "they are on the border"
    assert (
        region(X, steps)
        .caption(len(steps) - 1)
        .split("\n")[1]
        .endswith(
            f" Only a point of weight 1 can be outside; the largest weight is "
            f"{number(float(end.duals.max()))}, so every point with weight is on the border, "
            "which winds through them."
        )
    )


def test_the_events_of_the_machine_have_their_words() -> None:
    said = {step.event: REGION.caption(step.index) for step in CLIMB}
    reached = next(step for step in CLIMB if step.event == "a point reaches 1")
    i = int((reached.duals - CLIMB[reached.index - 1].duals).argmax())
    assert (
        f"Point {i + 1} is the first that a move takes to the largest weight, 1."
        in said["a point reaches 1"]
    )
    assert "Converged" in said["converged"]
    few = list(one_class_svm(X, nu=NU, max_iter=3, kernel=rbf(2.0)))
    last = region(X, few).caption(3)
    assert "Stopped: no more moves are allowed." in last
    all_of_them = region(X, list(one_class_svm(X, nu=1.0, kernel=rbf(2.0))))
    assert "59 of 60 points are outside. Nothing is gained by a move." in all_of_them.caption(0)


def test_a_drawn_width_costs_the_likelihood_of_the_points_left_out() -> None:
    """The radius of the disc is h, wherever it is; the run's best width is the best drawing."""
    drawing, n = TRYING.to_draw(), len(X)
    for h, turn in ((0.1, 0.0), (0.4, 1.0), (2.0, 4.0)):
        centre = np.array([0.3, -0.2])
        places = np.array([centre, centre + h * np.array([np.cos(turn), np.sin(turn)])])
        bumps = np.exp(-cdist(X, X, "sqeuclidean") / (2 * h**2)) / (2 * np.pi * h**2)
        np.fill_diagonal(bumps, 0)
        by_hand = np.log(bumps.sum(axis=1) / (n - 1)).mean()
        assert drawing.judge(places) == pytest.approx(-by_hand)
    costs = [drawing.judge(np.array([[0.0, 0.0], [h, 0.0]])) for h in WIDTHS]
    least = drawing.judge(drawing.best)
    assert least == pytest.approx(min(cost for cost in costs if cost is not None))
    assert drawing.judge(np.zeros((2, 2))) is None, "no radius"
