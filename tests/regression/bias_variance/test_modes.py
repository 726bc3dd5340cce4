"""What both modes of bias and variance draw and write."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from algorithms.data.truths import TRUTHS, through
from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep, decompose
from algorithms.regression.bias_variance.bootstrap import BootstrapStep, bootstrap
from algorithms.regression.bias_variance.curve_fits import (
    Models,
    NearestNeighbors,
    Polynomials,
    RidgePolynomials,
)
from algorithms.regression.bias_variance.sampling import Sampling
from tests.core.figures import answer, drawn, line, places, unpacked
from tests.core.samples import board, points_of, rng
from tests.core.told import numbers
from viz.core.scene import Plane, Run
from viz.core.words import decimal, rounded
from viz.regression.bias_variance.bias_variance import Decomposition
from viz.regression.bias_variance.bootstrap import Resampling
from viz.regression.bias_variance.many_fits import Family, kinds

DEGREES = Polynomials(tuple(range(13)))


EMPTY = Plane(np.empty((0, 2)), np.empty(0, int), (), ("x", "y"), (-3.4, 3.4, -3.4, 3.4))


def wave(n: int = 40, noise: float = 0.4) -> np.ndarray:
    return points_of("sine", n, noise=noise)


def known(
    models: Models = DEGREES, chosen: int = 3, *, X=None, n_sets: int = 20, **drawn
) -> Decomposition:
    """Show fits with a known truth: a formula, or the curve through X."""
    truth = TRUTHS["sine"] if X is None else through(X)
    data = EMPTY if X is None else board(X)
    sampling = Sampling(**{"n": 30, "noise": 0.5} | drawn)
    steps = tuple(decompose(truth, models, sampling, n_sets=n_sets, rng=rng(2)))
    left, right = data.bounds[:2]
    at = left + (right - left) * np.array([0.3, 0.7])
    return Decomposition(Run("", steps), data, Family(models, chosen), at, truth)


def own(
    X: np.ndarray, models: Models = DEGREES, chosen: int = 3, *, n_sets: int = 20
) -> Resampling:
    """Show fits of the bootstrap, which knows only the points."""
    x, y = X.T.copy()
    steps = tuple(bootstrap(x, y, models, n_sets=n_sets, rng=rng(2)))
    return Resampling(Run("", steps), board(X), Family(models, chosen), np.array([-1.5, 1.5]))


KNOWN, DRAWN, OWN = known(), known(X=wave(15, 0.0)), own(wave())


def named(figure: dict, name: str) -> dict:
    (trace,) = [trace for trace in figure["data"] if trace.get("name") == name]
    return trace


HOSTILE: dict[str, Callable[[], Decomposition | Resampling]] = {
    "one point": lambda: known(X=np.array([[1.0, 2.0]])),
    "one x": lambda: known(X=np.array([[1.0, 2.0], [1.0, 5.0]])),
    "two points, resampled": lambda: own(np.array([[0.0, 1.0], [1, 1]]), Polynomials((0, 1)), 1),
    "one spot, resampled": lambda: own(np.ones((9, 2)), NearestNeighbors((9, 1)), 0),
    "far away": lambda: known(X=wave(15) * 1e9 + 1e12),
    "tiny": lambda: own(wave(30) * 1e-9, chosen=12),
    "constant, no noise": lambda: known(X=np.array([[0.0, 1.0], [3.0, 1.0]]), noise=0.0),
    "one complexity": lambda: known(Polynomials((2,)), 0),
    "two complexities": lambda: known(NearestNeighbors((5, 1)), 1),
    "one set": lambda: known(n_sets=1),
    "wild": lambda: known(Polynomials(tuple(range(16))), 15, n=16),
    "penalties": lambda: known(RidgePolynomials((1.0, 0.1, 0.0), 9), 2),
    "many points": lambda: own(wave(2000), NearestNeighbors((99, 1)), 1, n_sets=10),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_number_is_missing_at_odd_settings(name: str) -> None:
    fits = HOSTILE[name]()
    scene = fits.scene()
    assert answer(scene, fits.steps)
    for now in range(len(fits.steps)):
        for figure in drawn(scene, now):
            for axis in ("xaxis", "yaxis"):
                low, high = figure["layout"][axis]["range"]
                assert low < high
        caption = scene.caption(now)
        assert "nan" not in caption and "inf" not in caption.replace("inseparable", "")
        assert all(len(line) <= 165 for line in caption.split("\n")), caption


def test_the_picture_shows_fits_truth_and_band() -> None:
    now, fits = 7, KNOWN
    step, figure = fits.steps[now], KNOWN.picture(now)
    assert isinstance(step, BiasVarianceStep)
    np.testing.assert_allclose(unpacked(named(figure, "truth")["y"]), step.truth, atol=1e-6)
    fit = named(figure, "this fit")
    np.testing.assert_allclose(unpacked(fit["y"]), step.predictions[3], atol=1e-6)
    x = fit["x0"] + fit["dx"] * np.arange(len(step.x))
    np.testing.assert_allclose(x, step.x, atol=1e-9)
    mean = named(figure, "mean ± sd")
    np.testing.assert_allclose(unpacked(mean["y"]), step.mean[3, ::2], atol=1e-6)
    assert mean["dx"] == pytest.approx(2 * fit["dx"])
    lower, upper = figure["data"][1:3]
    spread = (unpacked(upper["y"]) - unpacked(lower["y"])) / 2
    np.testing.assert_allclose(spread**2, step.corrected_variance[3, ::2], atol=1e-6)
    np.testing.assert_allclose(line(named(figure, "this set")), step.train, atol=1e-6)
    old = [trace for trace in figure["data"] if trace.get("name") == "fit of an earlier set"]
    assert [trace["visible"] for trace in old] == [i < now for i in range(20)]
    np.testing.assert_allclose(
        unpacked(old[4]["y"]), fits.steps[4].predictions[3, ::2].clip(-17, 17), atol=1e-5
    )


def test_lengths_are_bias_and_scatter_where_chance_does_not_explain_them() -> None:
    fits = known(chosen=1)
    first, second = fits.spots
    for now, step in enumerate(fits.steps):
        assert isinstance(step, BiasVarianceStep)
        bias, scatter = fits.lengths(now)
        off = step.mean[1, first] - step.truth[first]
        variance = step.corrected_variance[1]
        certain = now > 0 and abs(off) > max(2 * (variance[first] / (now + 1)) ** 0.5, 0.03 * 6.8)
        ends = step.truth[first] + np.array([0, off / 2, off])
        np.testing.assert_allclose(line(bias)[:, 1], ends if certain else np.nan, atol=1e-6)
        sd = variance[second] ** 0.5
        ends = step.mean[1, second] + np.array([-sd, 0, sd])
        shown = now > 0 and 2 * sd > 0.03 * 6.8
        np.testing.assert_allclose(line(scatter)[:, 1], ends if shown else np.nan, atol=1e-6)
    assert certain, "a line misses a wave"
    unbiased, _ = KNOWN.lengths(19)
    assert np.isnan(line(unbiased)[:, 1]).all()
    (scatter,) = OWN.lengths(5)
    assert "scatter" in scatter["text"][1], "nobody knows the bias"


def test_earlier_fits_fade() -> None:
    old = [t for t in KNOWN.picture(19)["data"] if t.get("name") == "fit of an earlier set"]
    opacities = [trace["opacity"] for trace in old]
    assert opacities == sorted(opacities) and 0.1 < opacities[0] < opacities[-1] / 2


def test_no_more_old_fits_are_drawn_than_can_be_told_apart() -> None:
    fits = known(n_sets=100)
    assert len(fits.old) == 30
    assert fits.old[0][0] == 0


def test_only_a_scene_with_points_can_be_painted_on() -> None:
    assert "points" not in KNOWN.picture(3)
    for show in (DRAWN, OWN):
        np.testing.assert_allclose(places(show.picture(3)), show.data.X, rtol=1e-6)
    group = unpacked(DRAWN.picture(3)["points"]["group"])
    assert set(group) == {2}, "green, as the truth"


def test_what_a_resample_left_out_is_held_out() -> None:
    step = OWN.steps[5]
    assert isinstance(step, BootstrapStep)
    held = unpacked(OWN.picture(5)["points"]["held"])
    np.testing.assert_array_equal(held, step.counts == 0)


def test_the_layers_add_up_to_the_expected_error() -> None:
    step = KNOWN.steps[-1]
    layers = [unpacked(trace["y"]) for trace in KNOWN.by_place(19)["data"]]
    assert isinstance(step, BiasVarianceStep)
    np.testing.assert_allclose(layers[0], step.noise)
    bias = step.corrected_bias_squared[3, ::2]
    assert (bias < 0).any() and (bias > 0.01).any()
    np.testing.assert_allclose(layers[1] - layers[0], bias.clip(0), atol=1e-6)
    whole = layers[2].clip(0, 1e3)
    expected = (step.noise + step.bias_squared + step.variance)[3, ::2]
    np.testing.assert_allclose(whole, np.minimum(expected, whole.max()), atol=1e-5)


def test_the_curves_are_those_of_the_step() -> None:
    step, figure = KNOWN.steps[6], KNOWN.against_complexity(6)
    assert isinstance(step, BiasVarianceStep)
    expected = {
        "variance": step.corrected_variance.mean(axis=1),
        "sum": step.expected_error,
        "test error": step.test_error,
        "noise": np.full(13, step.noise),
    }
    for name, values in expected.items():
        np.testing.assert_allclose(unpacked(named(figure, name)["y"]), values, rtol=1e-5)
    for name, error in (
        ("test error", step.standard_error),
        ("variance", step.variance_error),
    ):
        bars = unpacked(named(figure, name)["error_y"]["array"])
        np.testing.assert_allclose(bars, 2 * error, rtol=1e-4, err_msg=name)
    assert figure["layout"]["xaxis"]["ticktext"] == [str(degree) for degree in range(13)]
    assert figure["layout"]["shapes"][0]["x0"] == 3
    figure = OWN.against_complexity(6)
    step = OWN.steps[6]
    assert isinstance(step, BootstrapStep)
    np.testing.assert_allclose(
        unpacked(named(figure, "single fit: sum")["y"]), step.test_error, rtol=1e-5
    )


def test_a_bias_below_a_logarithmic_axis_stands_at_its_foot_and_points_down() -> None:
    fits = known(Polynomials(tuple(range(16))), 15, n=16, n_sets=60, design="random")
    seen = False
    for now in (5, 59):
        step, figure = fits.steps[now], fits.against_complexity(now)
        assert isinstance(step, BiasVarianceStep)
        assert figure["layout"]["yaxis"]["type"] == "log"
        drawn = named(figure, "bias²")
        bias, shown = step.corrected_bias_squared.mean(axis=1), unpacked(drawn["y"])
        foot = fits.foot
        below = bias < foot
        seen |= bool(below.any())
        assert np.log10(foot) > figure["layout"]["yaxis"]["range"][0]
        np.testing.assert_allclose(shown, np.where(below, foot, bias), rtol=1e-6)
        np.testing.assert_array_equal(drawn["marker"]["symbol"], np.where(below, 6, 1))
        up, down = (unpacked(drawn["error_y"][name]) for name in ("array", "arrayminus"))
        top, low = bias + 2 * step.bias_error, bias - 2 * step.bias_error
        single = 1e-7 * max(up.max(), down.max())  # the bars are sent as single-precision numbers
        np.testing.assert_allclose(shown + up, top.clip(foot), rtol=1e-5, atol=single)
        np.testing.assert_allclose(shown - down, low.clip(foot), rtol=1e-5, atol=single)
    assert seen


def test_the_error_axis_begins_below_0_and_has_room_for_the_chosen_complexity() -> None:
    for fits in (KNOWN, DRAWN, OWN, known(chosen=1)):
        axis = fits.against_complexity(0)["layout"]["yaxis"]
        low, high = axis["range"]
        total = fits.parts(fits.last)[-1]
        assert low < 0 < total[fits.chosen] < high
        assert high >= 3 * total.min() or high >= total.max()


def test_the_curves_have_their_names_at_their_ends_from_low_to_high() -> None:
    *traces, names = KNOWN.against_complexity(19)["data"]
    words = [re.sub("<.*?>", "", name).strip() for name in names["text"]]
    assert words == [trace["name"] for trace in traces]
    ends = [float(unpacked(trace["y"])[-1]) for trace in traces]
    np.testing.assert_array_equal(np.argsort(names["y"]), np.argsort(ends))


def test_shots_are_errors_at_the_two_places() -> None:
    fits, now = KNOWN, 8
    assert fits.eye.targets == [1, 3, 12]
    rings, centers, shots, latest, cross = fits.eye.picture(now)["data"]
    middle = unpacked(centers["x"])
    first, second = fits.spots
    np.testing.assert_allclose(fits.last.x[[first, second]], [-1.36, 1.36], atol=0.04)
    errors = np.array([(step.predictions[3] - step.truth)[[first, second]] for step in fits.steps])
    errors *= np.minimum(1, 1.1 * fits.eye.reach / np.hypot(*errors.T))[:, None]
    found = line(shots).reshape(3, 20, 2)[1]
    np.testing.assert_allclose(found - [middle[1], 0], errors, atol=1e-5)
    seen = unpacked(shots["marker"]["opacity"]).reshape(3, 20)
    np.testing.assert_array_equal(seen, np.tile(np.arange(20) <= now, (3, 1)))
    assert unpacked(latest["y"])[1] == pytest.approx(errors[now, 1], abs=1e-5)
    step = fits.steps[now]
    at_second = step.mean[3, second] - step.truth[second]
    assert unpacked(cross["y"])[1] == pytest.approx(at_second, abs=1e-5)
    radius = np.hypot(*line(rings)[:41].T)
    np.testing.assert_allclose(radius, fits.eye.reach / 3, rtol=1e-5)
    assert (np.hypot(*errors.T) <= fits.eye.reach).mean() >= 0.9


@pytest.mark.parametrize(
    ("chosen", "targets"), [(0, [0, 3, 12]), (12, [1, 3, 12]), (6, [1, 3, 6]), (3, [1, 3, 12])]
)
def test_three_targets_one_of_them_the_best(chosen: int, targets: list[int]) -> None:
    assert KNOWN.last.best == 3
    assert known(chosen=chosen).eye.targets == targets


def test_the_caption_puts_the_numbers_into_the_rule() -> None:
    fits, now = KNOWN, 11
    plain, third, second = fits.caption(now).split("\n")
    h = np.array([step.predictions[3] for step in fits.steps[: now + 1]])

    square = float(((fits.last.truth - h.mean(axis=0)) ** 2).mean())
    variance = float(h.var(axis=0, ddof=1).mean())
    bias, test = square - variance / 12, float(fits.steps[now].test_error[3])
    part = decimal
    assert numbers(plain)[:3] == [12, 20, 3]
    distances = numbers(plain)[3:5]
    assert distances == pytest.approx([square**0.5, variance**0.5], rel=0.05), "two digits"
    terms = [float(term) for term in re.findall(r"\d+\.\d+", second)]
    assert terms == pytest.approx([square, variance / 12, bias], abs=6e-4)
    assert terms[0] - terms[1] == pytest.approx(terms[2], abs=1e-9), "as written, too"
    rule, _, rest = third.partition("; ")
    written = re.findall(r"\d+\.\d+", rule)
    terms = [float(term) for term in written]
    half = 0.501 * 10.0 ** -len(written[0].partition(".")[2])  # of the last decimal written
    assert terms == pytest.approx([bias, variance, 0.25, bias + variance + 0.25], abs=half)
    assert sum(terms[:3]) == pytest.approx(terms[3], abs=1e-9), "as written, too"
    assert rest == f"the error on 600 fresh points is {part(test)}."


def test_the_correction_is_written_where_chance_matters() -> None:
    for fits in (KNOWN, known(chosen=0, n_sets=20)):
        for now in range(1, 20):
            step = fits.steps[now]
            assert isinstance(step, BiasVarianceStep)
            off = float(step.bias_squared[fits.chosen].mean())
            chance = float(step.corrected_variance[fits.chosen].mean()) / (now + 1)
            assert ("off by chance" in fits.caption(now)) == (chance > 0.05 * off)


def test_a_bias_within_two_standard_errors_is_called_none() -> None:
    fits = known(Polynomials((0, 3, 9)), 2, design="even", n_sets=30)
    for now in range(2, 30):
        step = fits.steps[now]
        assert isinstance(step, BiasVarianceStep)
        bias = step.corrected_bias_squared[2].mean()
        doubt = "fits scatter around the truth" in fits.caption(now)
        assert doubt == (bias <= 2 * step.bias_error[2])
        off, apart = (
            rounded(float(np.sqrt(part[2].mean())), 2)
            for part in (step.bias_squared, step.corrected_variance)
        )
        chance = f"each {apart} off their mean; that the mean is {off} off the truth may be chance."
        known_off = f"their mean is {off} off the truth, a fit {apart} off their mean."
        assert (chance if doubt else known_off) in fits.caption(now).split("\n")[0]


def test_the_first_and_the_last_caption_and_the_best() -> None:
    first = KNOWN.caption(0)
    assert first.startswith("Set 1 of 20: 30 noisy points of the truth and their fit, degree 3.\n")
    step = KNOWN.steps[0]
    assert isinstance(step, BiasVarianceStep)
    off, total = (decimal(float(step.expected_error[3]) - less) for less in (0.25, 0))
    assert f"(h − f)² {off} + noise 0.250 = {total}; the error on 50 fresh points is" in first
    plain, *_ = KNOWN.caption(19).split("\n")
    assert plain.endswith("Least error: degree 3.")
    changes = [i for i, step in enumerate(KNOWN.steps) if step.event and i < 19]
    assert changes
    for i in changes:
        before, after = (KNOWN.kinds[KNOWN.steps[k].best] for k in (i - 1, i))
        plain, *_ = KNOWN.caption(i).split("\n")
        assert plain.endswith(f"Least error: {after}, before {before}.")


def test_the_caption_of_a_resample() -> None:
    step = OWN.steps[4]
    assert isinstance(step, BootstrapStep)
    held = np.count_nonzero(step.counts)
    first, second, *_ = OWN.caption(4).split("\n")
    assert f"Resample 5 of 20 holds {held} of the 40 points ({held / 0.4:.3g} %)" in first
    assert f"the {40 - held} left out test it." in first
    single, mean, _, variance, points = numbers(second.replace("²", "2"))
    assert single == pytest.approx(mean + variance, abs=2e-3)
    assert points == step.judged
    assert "squares" not in HOSTILE["many points"]().caption(1)
    two = own(wave(2), Polynomials((0, 1)), 1)
    whole = next(i for i, step in enumerate(two.steps) if step.counts.all())
    assert f"Resample {whole + 1} of 20 holds every point: none" in two.caption(whole)


def test_complexities_have_names() -> None:
    assert kinds(Polynomials((0, 12))) == ("degree 0", "degree 12")
    assert kinds(RidgePolynomials((100.0, 1e-6, 0.0), 3)) == ("λ = 100", "λ = 10⁻⁶", "λ = 0")
    assert kinds(NearestNeighbors((5, 1))) == ("k = 5", "k = 1")
    assert known(RidgePolynomials((10.0, 0.1), 5), 1).views()[2].title == "Error by λ"
    assert "degree 3" in KNOWN.views()[3].title


def test_the_note_states_truth_and_noise_and_how_the_models_are_fitted() -> None:
    for text in ("f(x) = 2 sin(π x / 3)", "σ = 0.5 (σ² = 0.25)", "x in [−3, 3]"):
        assert text in KNOWN.note
    assert "in t, …, t⁷ by least" in known(RidgePolynomials((1.0,), 7), 0, n_sets=2).note
    assert "nearest x" in known(NearestNeighbors((1,)), 0, n_sets=2).note


LARGEST = {
    "default": lambda: known(n_sets=60, X=wave(15, 0.0)),
    "most": lambda: known(Polynomials(tuple(range(16))), 15, n=80, n_sets=200, X=wave(15, 0.0)),
    "a board of 200": lambda: known(n_sets=80, X=wave(200)),
    "200 resampled": lambda: own(wave(200), n_sets=80),
    "1000 resampled": lambda: own(wave(1000), NearestNeighbors((99, 9, 1)), 1, n_sets=200),
    "5000 resampled": lambda: own(wave(5000), NearestNeighbors((99, 9, 1)), 1, n_sets=60),
}


@pytest.mark.parametrize("name", LARGEST)
def test_the_answer_to_a_move_is_small(name: str) -> None:
    show = LARGEST[name]()
    assert len(answer(show.scene(), show.steps)) < 150_000
