"""Pictures and words of the lab: what the numbers in them are, and that they can be sent."""

import re

import numpy as np
import pytest

from algorithms.classification.gaussian_discriminant.categorical_naive_bayes import (
    MODELS,
    categorical_naive_bayes,
    errors_by_bins,
)
from algorithms.classification.gaussian_discriminant.compare_covariances import (
    compare_covariances,
)
from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    COVARIANCES,
    gaussian_discriminant,
)
from algorithms.classification.gaussian_discriminant.learning_curves import learning_curves
from algorithms.classification.gaussian_discriminant.naive_bayes import gaussian_naive_bayes
from algorithms.core.splits import held_out
from tests.classification.gaussian_discriminant.test_gaussian_discriminant import (
    SINGULAR,
    mixture,
    preset,
)
from tests.core.figures import answer, line, unpacked
from tests.core.samples import board
from tests.core.told import NUMBER, PLAIN, RAISED, numbers
from viz.classification.gaussian_discriminant.categorical_naive_bayes import Binned
from viz.classification.gaussian_discriminant.discriminant import Discriminant
from viz.classification.gaussian_discriminant.gaussians import REACH
from viz.classification.gaussian_discriminant.learning_curves import LearningCurves
from viz.classification.gaussian_discriminant.naive_bayes import NaiveBayes
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.theme import PALETTE
from viz.core.words import counted

NAMES = tuple("abcdefgh")
ONE_RUN = [*COVARIANCES, "naive", *MODELS]
VIEWS = [*ONE_RUN, "few or many"]


def plane_preset(name: str) -> tuple[np.ndarray, np.ndarray]:
    X, y = preset(name)
    return X[:, -2:], (y + 1) // 3


QUERY = np.array([0.3, -0.4])


def lab(
    X: np.ndarray,
    y: np.ndarray,
    view: str,
    share: float = 0.0,
    query: np.ndarray = QUERY,
    classes: tuple[str, ...] = NAMES,
    **how,
) -> tuple[tuple, Scene]:
    """Return the steps and the scene of a view. share : of the held-out points."""
    data = Plane(X, y, classes, ("x", "y"), plane.bounds(X))
    held = held_out(len(X), share, rng=np.random.default_rng(1), codes=y)
    own = X[~held], y[~held]
    if view in MODELS:
        run = Run("", tuple(categorical_naive_bayes(*own, model=view, **how)))
        smoothing = {"estimate": "laplace", "strength": 1.0} | how
        smoothing.pop("bins", None)
        errors = errors_by_bins(X, y, held, 12, model=view, **smoothing)
        return run.steps, Binned(run, data, held, query, errors, **smoothing).scene()
    if view == "few or many":
        run = Run("", tuple(learning_curves(X, y, rng=np.random.default_rng(0), draws=5)))
        return run.steps, LearningCurves(run, data).scene()
    if view == "naive":
        run = Run("", tuple(gaussian_naive_bayes(*own, **how)))
        mistakes = compare_covariances(X, y, held)
        return run.steps, NaiveBayes(run, data, held, query, mistakes).scene()
    how = {"covariance": view, "ridge": 0.0} | how
    run = Run("", tuple(gaussian_discriminant(*own, **how)))
    mistakes = compare_covariances(X, y, held, ridge=how["ridge"])
    return run.steps, Discriminant(run, data, held, query, mistakes, **how).scene()


@pytest.mark.parametrize("view", VIEWS)
def test_eight_classes_stay_small(view: str) -> None:
    X, y = mixture(200, 8, 2, 3)
    run, scene = lab(X, (y + 3) // 2, view)
    assert len(answer(scene, run)) < 150_000


@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("view", ONE_RUN)
def test_singular_data_are_drawn_and_explained(name: str, view: str) -> None:
    X, y = SINGULAR[name]
    how = {"strength": 0.0} if view in MODELS else {"smoothing": 0.0} if view == "naive" else {}
    run, scene = lab(X, y, view, **how)
    assert answer(scene, run)
    if view == "separate":
        first = next(i for i, step in enumerate(run) if step.event == "singular covariance")
        assert "has no density: its " in scene.caption(first)
        assert "has no inverse" in scene.caption(first)
        assert "A ridge λ > 0" in scene.caption(first)
        assert "No border can be written down" in scene.caption(len(run) - 1)
        repaired, scene = lab(X, y, view, ridge=0.1)
        assert "No surface" not in scene.caption(len(repaired) - 1)


def test_labels_with_gaps_keep_their_names_and_colours() -> None:
    X, y = mixture(60, 2, 2, 1)
    y = (y + 3) // 2 * 2  # classes 0 and 2
    _, scene = lab(X, y, "separate")
    assert "π(a) = " in scene.caption(0)
    assert "π(c) = " in scene.caption(0)
    assert "π(b)" not in scene.caption(0)
    colors = [trace["line"]["color"] for trace in scene.views[1].draw(0)["data"][:2]]
    assert colors == [PALETTE[0], PALETTE[2]]


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_the_variances_in_the_caption_of_naive_bayes(smoothing: float) -> None:
    X, y = plane_preset("moons")
    _, scene = lab(X, y, "naive", smoothing=smoothing)
    added = smoothing * X.var(axis=0).max()
    for feature, now in enumerate((2, 4)):
        rule, _, listed = scene.caption(now).split("\n")[1].partition(": ")
        assert numbers(rule)[-1] == pytest.approx(added, rel=5e-3)
        expected = [X[y == k, feature].var() + added for k in (0, 1)]
        assert numbers(listed) == pytest.approx(expected, rel=5e-3)


@pytest.mark.parametrize("view", ONE_RUN)
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_last_caption_counts_the_mistakes(view: str, share: float) -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X, y, view, share)
    wrong = run[-1].predict(X) != y
    held = held_out(len(X), share, rng=np.random.default_rng(1), codes=y)
    words = f"{wrong[~held].sum()} of {(~held).sum()} points are on the wrong side"
    if share:
        words += f", and {wrong[held].sum()} of {held.sum()} held out"
    caption = scene.caption(len(run) - 1)
    assert caption.count(f"{words}.") == 1
    drawn = unpacked(scene.views[0].draw(0)["points"]["held"])
    np.testing.assert_array_equal(drawn > 0, held)


@pytest.mark.parametrize("view", ONE_RUN)
@pytest.mark.parametrize("name", ["moons", "unequal", "penguins"])
def test_the_picked_point_is_put_into_bayes_rule(view: str, name: str) -> None:
    X, y = plane_preset(name)
    query = X.mean(axis=0) + 0.2 * X.std(axis=0)
    run, scene = lab(X, y, view, query=query)
    for now, step in enumerate(run):
        line = scene.caption(now).split("\n")[-1]
        chances = step.predict_proba(query[None])[0]
        k = int(chances.argmax())
        share, _, rule = line.partition(f"class {NAMES[k]} is likeliest, ")[2].partition(". Its ")
        prior, *factors, product = numbers(rule)
        expected = np.exp(step.log_factors(query[None]))[0, k]
        assert prior == pytest.approx(step.priors[k], rel=0.006)
        assert factors == pytest.approx(expected, rel=0.006)
        assert product == pytest.approx(step.priors[k] * expected.prod(), rel=0.006)
        if share.startswith(">"):
            assert share == "> 99.9 %" and 0.9995 < chances[k] < 1
        else:
            assert numbers(share)[0] == pytest.approx(100 * chances[k], abs=0.051)


def test_densities_below_the_smallest_number_are_written_all_the_same() -> None:
    X, y = plane_preset("moons")
    query = np.array([40.0, 40.0])
    run, scene = lab(X, y, "separate", query=query)
    line = scene.caption(len(run) - 1).split("\n")[-1]
    found = re.search(rf" · ([\d.]+)×10([{RAISED}]+) = ", line)
    k = run[-1].predict_proba(query[None])[0].argmax()
    log = run[-1].log_factors(query[None])[0, k, 0]
    assert log < -700
    value = np.log(float(found[1])) + int(found[2].translate(PLAIN)) * np.log(10)
    assert value == pytest.approx(log, abs=0.006)


@pytest.mark.parametrize("view", ["separate", "naive", "categorical"])
def test_the_picked_point_is_marked_on_the_curves(view: str) -> None:
    X, y = plane_preset("unequal")
    run, scene = lab(X, y, view)
    for now, step in enumerate(run):
        drawn_now = scene.views[1].draw(now)["data"]
        marks = [trace for trace in drawn_now if trace["mode"] == "markers"]
        factors = np.exp(step.log_factors(QUERY[None]))[0]
        if view == "separate":
            factors = factors * step.priors[:, None]
        assert len(marks) == factors.shape[1]
        for j, mark in enumerate(marks):
            assert mark["x"] == [QUERY[j]] * 3
            order = np.argsort(factors[:, j], kind="stable")  # the highest is drawn last
            np.testing.assert_allclose(mark["y"], factors[order, j])
            assert mark["marker"]["color"] == [PALETTE[k] for k in order]


def test_the_slice_is_along_the_dotted_line_of_the_picture() -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X * [1.0, 1000.0], y, "separate", query=QUERY * [1.0, 1000.0])
    now = len(run) - 1
    level = line(scene.views[0].draw(now)["data"][-1])
    assert (level[:, 1] == -400).all()
    for k, trace in enumerate(scene.views[1].draw(now)["data"][:2]):
        x, heights = line(trace).T
        path = np.column_stack([x, np.full(len(x), -400.0)])
        expected = run[-1].priors[k] * np.exp(run[-1].log_densities(path)[:, k])
        np.testing.assert_allclose(heights, expected, rtol=1e-4, atol=1e-9)
        # A unit of its own for each column does not make the curves spikes: they have a width.
        assert np.count_nonzero(heights > 0.5 * heights.max()) > 8


@pytest.mark.parametrize("share", [0.0, 0.4])
def test_the_errors_by_bins_mark_the_chosen_number(share: float) -> None:
    X, y = plane_preset("moons")
    held = held_out(len(X), share, rng=np.random.default_rng(1), codes=y)
    errors = errors_by_bins(X, y, held, 12, model="categorical", estimate="laplace", strength=1.0)
    _, scene = lab(X, y, "categorical", share, bins=7)
    traces = scene.views[2].draw(0)["data"]
    sizes = [(~held).sum(), held.sum()]
    assert len(traces) == 2 * (1 + (share > 0))
    for j, (curve, mark) in enumerate(zip(traces[::2], traces[1::2], strict=True)):
        assert curve["name"] == ("training", "held out")[j]
        assert curve["x"] == list(range(2, 13))
        np.testing.assert_allclose(curve["y"], 100 * errors[:, j] / sizes[j])
        assert (mark["x"], mark["y"]) == ([7], [pytest.approx(curve["y"][5])])


def test_the_learning_curves_are_the_means_of_the_draws() -> None:
    X, y = plane_preset("iris")
    run, scene = lab(X, y, "few or many")
    for now, step in enumerate(run):
        means = 100 * step.errors.mean(axis=0)
        first, second = scene.caption(now).split("\n")
        best = ("shared", "separate", "diagonal (naive)")[int(means.argmin())]
        verdict = f"{best} covariances do best" if len(step.alike) == 1 else "alike within chance"
        assert best in first and f"{verdict}: " in first
        assert numbers(first)[1:] == pytest.approx([means.min(), 150 - step.size], rel=6e-3)
        shares = [float(found) for found in re.findall(r"([\d.]+) %", second)]
        assert shares == pytest.approx(means, rel=6e-3)
        fewer = (step.errors[:, 2] < step.errors[:, 1]).sum()
        more = (step.errors[:, 2] > step.errors[:, 1]).sum()
        assert (
            f"Naive beats separate in {counted(int(fewer), 'draw')} and loses in {more}." in second
        )
        traces = scene.views[1].draw(now)["data"]
        assert [trace["y"][0] for trace in traces[1::2]] == pytest.approx(means)
        held = unpacked(scene.views[0].draw(now)["points"]["held"])
        np.testing.assert_array_equal(np.flatnonzero(held == 0), step.learned)


def test_the_captions_numbers_are_those_of_the_data() -> None:
    X, y = plane_preset("unequal")
    _, scene = lab(X, y, "separate")
    assert numbers(scene.caption(0).split("\n")[0]) == [160, 200]
    shares = numbers(scene.caption(0).split("\n")[1])
    assert shares == [160, 200, 0.8, 20, 200, 0.1, 20, 200, 0.1]
    listed = scene.caption(1).split("\n")[1]
    *means, across, up = numbers(listed.partition(": ")[2])
    assert (across, up) == pytest.approx(tuple(X.std(axis=0)), rel=5e-3)
    means = np.array(means).reshape(3, 2)
    expected = [X[y == k].mean(axis=0) for k in range(3)]
    np.testing.assert_allclose(means, expected, rtol=5e-3, atol=5e-4)
    first, rule, _ = scene.caption(3).split("\n")
    sigma = np.cov(X[y == 1].T, bias=True)
    axes = REACH * np.sqrt(np.linalg.eigvalsh(sigma))
    assert first.startswith("Class b gets its own shape: ")
    assert numbers(first) == pytest.approx(axes[::-1], rel=5e-3)
    assert rule.startswith("Σ = mean of (point − μ)(point − μ)ᵀ over 20 points = [")
    matrix = numbers(rule.partition("= [")[2].partition("]")[0])
    np.testing.assert_allclose(matrix, sigma.ravel(), rtol=5e-3, atol=5e-5)
    eigenvalues = numbers(rule.partition("eigenvalues")[2])
    assert eigenvalues == pytest.approx((axes[::-1] / REACH) ** 2, rel=5e-3)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_ridge_in_the_caption(covariance: str) -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X, y, covariance, ridge=0.3)
    rule = scene.caption(3).split("\n")[1]
    added = numbers(rule.partition(" + 0.3·[")[2].partition("]")[0])
    assert added == pytest.approx(np.diag(X.var(axis=0)).ravel(), rel=5e-3)
    matrix = numbers(rule.partition("= [")[2].partition("]")[0])
    np.testing.assert_allclose(matrix, run[3].covariances[1].ravel(), rtol=5e-3, atol=5e-4)


def test_a_tie_of_the_priors_is_said() -> None:
    X, y = plane_preset("iris")
    _, scene = lab(X, y, "naive")
    assert scene.caption(0).startswith("Classes a, b and c are equally frequent. ")


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_equation_vanishes_where_the_classes_are_equal(covariance: str) -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X, y, covariance)
    final = run[-1]
    plainly, rule, _ = scene.caption(len(run) - 1).split("\n")
    wrong = np.count_nonzero(final.predict(X) != y)
    assert f"{wrong} of {len(X)} points are on the wrong side" in plainly
    ((_, listed),) = scene.details
    written = listed.removeprefix("classes a and b: ").removesuffix(" = 0")
    terms = re.findall(rf"(−|\+|^) ?{NUMBER}(?: (x²|xy|y²|x|y))?", written)
    x, z = X.T
    basis = {"x²": x * x, "xy": x * z, "y²": z * z, "x": x, "y": z, "": np.ones_like(x)}
    odds = sum((-1 if sign == "−" else 1) * float(v) * basis[term] for sign, v, term in terms)
    np.testing.assert_allclose(odds, -final.decision_function(X), atol=0.06)
    assert ("x²" in written) == (covariance != "shared")
    assert ("xy" in written) == (covariance == "separate")
    kind = final.surface(0, 1).kind
    assert (f": a{'n' * kind.startswith('e')} {kind}" in rule) == (kind != "line")
    assert ("get the same spread" in rule) == ("cancel" in rule) == (covariance == "shared")


def test_the_caption_of_a_bin_puts_the_counts_into_the_estimate() -> None:
    X, y = plane_preset("moons")
    for estimate in ("laplace", "m-estimate"):
        _, scene = lab(X, y, "categorical", estimate=estimate, strength=3.0, bins=4)
        counts = np.histogram(X[y == 0][:, 0], 4, (X[:, 0].min(), X[:, 0].max()))[0]
        first, rule, _ = scene.caption(1).split("\n")
        assert f"Class a has {', '.join(map(str, counts))} of its 100 points" in rule
        assert f"class a is most often in bin {counts.argmax() + 1}, class b" in first
        spot = int(counts.argmax())
        share = (np.histogram(X[:, 0], 4)[0][spot] + 1) / (200 + 4)
        value = (counts[spot] + 3) / (100 + 12)
        if estimate == "m-estimate":
            value = (counts[spot] + 3 * share) / (100 + 3)
        assert f"P(bin {spot + 1} | a) = ({counts[spot]} + 3" in rule
        assert rule.endswith(f" = {value:.3f}.")


@pytest.mark.parametrize("strength", [0.1, 30.0])
def test_yes_is_counted_whatever_the_smoothing(strength: float) -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X, y, "bernoulli", strength=strength)
    for now in range(1, len(run) - 1):
        column, edge = divmod(now - 1, run[now].edges.shape[1])
        said = X[:, column] > run[now].edges[column, edge]
        listed = [
            f"{said[y == k].sum()} of {(y == k).sum()} points of class {'ab'[k]} answer yes"
            for k in (0, 1)
        ]
        assert scene.caption(now).split("\n")[0].endswith(f": {', '.join(listed)}.")


def test_classes_that_do_not_vary_are_listed() -> None:
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 2.0]])
    run, scene = lab(X, np.array([0, 0, 1, 1]), "naive", smoothing=0.0)
    now = next(i for i, step in enumerate(run) if step.event == "zero variance")
    assert scene.caption(now).startswith("Classes a and b do not vary in x: ")


def test_a_shared_covariance_can_become_regular_with_the_next_class() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [3.0, 1.0]])
    run, scene = lab(X, np.array([0, 0, 1, 1]), "shared")
    first = next(i for i, step in enumerate(run) if step.phase == "covariance")
    assert scene.caption(first).startswith("No class has a density yet: ")
    assert not run[-1].singular.any()


def test_a_zero_count_is_named() -> None:
    X, y = plane_preset("unequal")
    run, scene = lab(X, y, "categorical", strength=0.0)
    assert run[1].tables[1, 0, 0] == 0
    assert "class b is never in bin 1" in scene.caption(1)
    assert "never seen has probability 0" in scene.caption(1)
    X, y = plane_preset("moons")
    nowhere = X.max(axis=0)
    run, scene = lab(X, y, "categorical", strength=0.0, bins=12, query=nowhere)
    assert not np.exp(run[-1].log_factors(nowhere[None])).prod(axis=2).any()
    assert "is 0 for every class, so the priors decide." in scene.caption(len(run) - 1)
    assert scene.caption(len(run) - 1).endswith("so the priors decide.")


def test_the_comparison_counts_what_is_drawn() -> None:
    X, y = plane_preset("moons")
    held = held_out(len(X), 0.3, rng=np.random.default_rng(1), codes=y)
    for kind in COVARIANCES:
        run, scene = lab(X, y, kind, 0.3, ridge=0.1)
        wrong = run[-1].predict(X) != y
        counts = f"{kind} {wrong[~held].sum()} ({wrong[held].sum()})"
        assert counts in scene.answer(len(run) - 1)


@pytest.mark.parametrize("kind", ["separate", "naive"])
def test_the_bars_are_the_probabilities_of_the_classes_at_the_picked_point(kind: str) -> None:
    X, y = plane_preset("iris")
    run, scene = lab(X, y, kind)
    (view,) = (view for view in scene.views if view.title.startswith("The picked point"))
    for now, step in enumerate(run):
        (bars,) = view.draw(now)["data"]
        np.testing.assert_allclose(bars["y"], step.predict_proba(QUERY[None])[0])
        assert bars["x"] == [f"class {name}" for name in "abc"]


def test_stairs_follow_the_edges_between_unlike_bins() -> None:
    X, y = plane_preset("moons")
    run, scene = lab(X, y, "categorical", bins=6)
    step, path = run[-1], line(scene.views[0].draw(len(run) - 1)["data"][2])
    middles = [(a + b) / 2 for a, b in zip(path[0::3], path[1::3], strict=True)]
    assert middles
    for middle, start in zip(middles, path[0::3], strict=True):
        across = np.array([1.0, 0.0]) if middle[0] == start[0] else np.array([0.0, 1.0])
        sides = step.predict(np.stack([middle - 1e-6 * across, middle + 1e-6 * across]))
        assert sides[0] != sides[1]


def test_densities_that_are_0_all_over_the_picture_leave_an_axis() -> None:
    """A held-out point is so far away that the spikes are between the places of the curves."""
    X, y = plane_preset("moons")
    X, y = np.vstack([X, [1e10, -1e9]]), np.append(y, 0)
    held = np.arange(len(X)) == len(X) - 1
    run = Run("", tuple(gaussian_naive_bayes(X[~held], y[~held])))
    mistakes = compare_covariances(X, y, held)
    mode = NaiveBayes(run, board(X, y, NAMES), held, QUERY, mistakes)
    layout = mode.features(0)["layout"]
    ends = [layout[axis]["range"] for axis in ("yaxis", "yaxis2")]
    assert all(low < high for low, high in ends)


def test_naive_bayes_opens_on_the_comparison_of_all_kinds() -> None:
    run, scene = lab(*plane_preset("iris"), "naive", share=0.3)
    assert scene.opens == len(run) - 1
    assert scene.answer(scene.opens).startswith("Wrong (held out): ")
