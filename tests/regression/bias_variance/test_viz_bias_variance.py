import json
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import plotly.graph_objects as go
import pytest

from algorithms.data.presets import DATASETS
from algorithms.data.truths import TRUTHS, through
from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep, decompose
from algorithms.regression.bias_variance.bootstrap import BootstrapStep, bootstrap
from algorithms.regression.bias_variance.curve_fits import (
    Models,
    NearestNeighbors,
    Polynomials,
    RidgePolynomials,
)
from pages._shared.stage.stage import payload
from viz.core import plane
from viz.core.frames import animate
from viz.regression.bias_variance import bias_variance as draw
from viz.regression.bias_variance import bias_variance_words as words

DEGREES = Polynomials(tuple(range(13)))


def board(n: int = 40, noise: float = 0.4) -> np.ndarray:
    return DATASETS["sine"].make(n, noise=noise, rng=np.random.default_rng(0)).X


def known(models: Models = DEGREES, chosen: int = 3, *, X=None, **how) -> draw.Scene:
    """A scene with a truth: a formula, or the curve through X."""
    truth = TRUTHS["sine"] if X is None else through(X)
    how = {"n": 30, "noise": 0.5, "n_sets": 20, "rng": np.random.default_rng(2)} | how
    run = tuple(decompose(truth, models, **how))
    box = (-3.4, 3.4, -3.4, 3.4) if X is None else plane.bounds(X)
    width = box[1] - box[0]
    at = (box[0] + 0.3 * width, box[0] + 0.7 * width)
    return draw.Scene(run, chosen, words.kinds(models), at, box, X=X)


def own(X: np.ndarray, models: Models = DEGREES, chosen: int = 3, **how) -> draw.Scene:
    """A scene of the bootstrap."""
    how = {"n_sets": 20, "rng": np.random.default_rng(2)} | how
    run = tuple(bootstrap(X[:, 0].copy(), X[:, 1].copy(), models, **how))
    return draw.Scene(run, chosen, words.kinds(models), (-1.5, 1.5), plane.bounds(X), X=X)


KNOWN, OWN = known(), own(board())
SCENES = {"formula": KNOWN, "drawn": known(X=board(15, 0.0)), "bootstrap": OWN}


def views(scene: draw.Scene) -> dict[str, Callable[[int], dict]]:
    return dict(zip(words.titles(scene), draw.views(scene), strict=True))


def sent(scene: draw.Scene) -> str:
    events = [step.event for step in scene.run]
    return payload(events, views(scene), partial(words.caption, scene))


def unpacked(array: dict) -> np.ndarray:
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"]).astype(float)


def named(figure: dict, name: str) -> dict:
    (trace,) = [trace for trace in figure["data"] if trace.get("name") == name]
    return trace


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("now", [0, 1, 19])
def test_plotly_accepts_the_figures(name: str, now: int) -> None:
    for view in views(SCENES[name]).values():
        go.Figure(view(now))


HOSTILE: dict[str, Callable[[], draw.Scene]] = {
    "one point": lambda: known(X=np.array([[1.0, 2.0]])),
    "one x": lambda: known(X=np.array([[1.0, 2.0], [1.0, 5.0]])),
    "two points, resampled": lambda: own(np.array([[0.0, 1.0], [1, 1]]), Polynomials((0, 1)), 1),
    "one spot, resampled": lambda: own(np.ones((9, 2)), NearestNeighbors((9, 1)), 0),
    "far away": lambda: known(X=board(15) * 1e9 + 1e12),
    "tiny": lambda: own(board(30) * 1e-9, chosen=12),
    "constant, no noise": lambda: known(X=np.array([[0.0, 1.0], [3.0, 1.0]]), noise=0.0),
    "one complexity": lambda: known(Polynomials((2,)), 0),
    "two complexities": lambda: known(NearestNeighbors((5, 1)), 1),
    "one set": lambda: known(n_sets=1),
    "wild": lambda: known(Polynomials(tuple(range(16))), 15, n=16),
    "penalties": lambda: known(RidgePolynomials((1.0, 0.1, 0.0), 9), 2),
    "many points": lambda: own(board(2000), NearestNeighbors((99, 1)), 1, n_sets=10),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_every_step_has_the_same_traces_and_no_missing_number(name: str) -> None:
    scene = HOSTILE[name]()
    for view in views(scene).values():
        figure = animate([view(now) for now in range(len(scene.run))])
        json.dumps(figure, allow_nan=False)
        for axis in ("xaxis", "yaxis"):
            low, high = figure["layout"][axis]["range"]
            assert low < high
    for now in range(len(scene.run)):
        caption = words.caption(scene, now)
        assert "nan" not in caption and "inf" not in caption.replace("inseparable", "")
        assert all(len(line) <= 165 for line in caption.split("\n")), caption


def test_the_picture_shows_fits_truth_and_band() -> None:
    now, scene = 7, KNOWN
    step, figure = scene.run[now], draw.picture(KNOWN, now)
    assert isinstance(step, BiasVarianceStep)
    np.testing.assert_allclose(unpacked(named(figure, "truth")["y"]), step.truth, atol=1e-6)
    fit = named(figure, "this fit")
    np.testing.assert_allclose(unpacked(fit["y"]), step.predictions[3], atol=1e-6)
    x = fit["x0"] + fit["dx"] * np.arange(len(step.x))
    np.testing.assert_allclose(x, step.x, atol=1e-9)
    mean = named(figure, "mean fit ± sd")
    np.testing.assert_allclose(unpacked(mean["y"]), step.mean[3, ::2], atol=1e-6)
    assert mean["dx"] == pytest.approx(2 * fit["dx"])
    lower, upper = figure["data"][1:3]
    spread = (unpacked(upper["y"]) - unpacked(lower["y"])) / 2
    np.testing.assert_allclose(spread**2, step.variance[3, ::2], atol=1e-6)
    points = named(figure, "this set")
    shown = np.column_stack([unpacked(points["x"]), unpacked(points["y"])])
    np.testing.assert_allclose(shown, step.train, atol=1e-6)
    old = [trace for trace in figure["data"] if trace.get("opacity") == 0.4]
    assert [trace["visible"] for trace in old] == [i < now for i in range(20)]
    np.testing.assert_allclose(
        unpacked(old[4]["y"]), scene.run[4].predictions[3, ::2].clip(-17, 17), atol=1e-5
    )


def test_no_more_old_fits_are_drawn_than_can_be_told_apart() -> None:
    scene = known(n_sets=100)
    assert len(scene.old) == 30
    assert scene.old[0][0] == 0


def test_only_a_scene_with_points_can_be_painted_on() -> None:
    for name, scene in SCENES.items():
        points = [t for t in draw.picture(scene, 3)["data"] if t.get("meta") == "points"]
        assert len(points) == (name != "formula")
        assert [name for name in SCENES if SCENES[name].X is None] == ["formula"]
        if points:
            np.testing.assert_allclose(unpacked(points[0]["x"]), scene.X[:, 0], rtol=1e-6)


def test_what_a_resample_left_out_is_square() -> None:
    step = OWN.run[5]
    assert isinstance(step, BootstrapStep)
    (points,) = [t for t in draw.picture(OWN, 5)["data"] if t.get("meta") == "points"]
    np.testing.assert_array_equal(unpacked(points["marker"]["color"]), step.counts == 0)


def test_the_layers_add_up_to_the_expected_error() -> None:
    step = KNOWN.run[-1]
    layers = [unpacked(trace["y"]) for trace in draw.by_place(KNOWN, 19)["data"]]
    assert isinstance(step, BiasVarianceStep)
    np.testing.assert_allclose(layers[0], step.noise)
    np.testing.assert_allclose(layers[1] - layers[0], step.bias_squared[3, ::2], atol=1e-6)
    whole = layers[2].clip(0, 1e3)
    expected = (step.noise + step.bias_squared + step.variance)[3, ::2]
    np.testing.assert_allclose(whole, np.minimum(expected, whole.max()), atol=1e-5)


def test_the_curves_are_those_of_the_step() -> None:
    step, figure = KNOWN.run[6], draw.against_complexity(KNOWN, 6)
    assert isinstance(step, BiasVarianceStep)
    expected = {
        "bias²": step.bias_squared.mean(axis=1),
        "variance": step.variance.mean(axis=1),
        "sum": step.expected_error,
        "test error": step.test_error,
        "noise": np.full(13, step.noise),
    }
    for name, values in expected.items():
        np.testing.assert_allclose(unpacked(named(figure, name)["y"]), values, rtol=1e-5)
    bars = unpacked(named(figure, "test error")["error_y"]["array"])
    np.testing.assert_allclose(bars, 2 * step.standard_error, rtol=1e-5)
    assert figure["layout"]["xaxis"]["ticktext"] == [str(degree) for degree in range(13)]
    assert figure["layout"]["shapes"][0]["x0"] == 3
    figure = draw.against_complexity(OWN, 6)
    step = OWN.run[6]
    assert isinstance(step, BootstrapStep)
    np.testing.assert_allclose(
        unpacked(named(figure, "single fit: sum")["y"]), step.test_error, rtol=1e-5
    )


def test_the_error_axis_has_round_numbers() -> None:
    for scene in SCENES.values():
        axis = draw.against_complexity(scene, 0)["layout"]["yaxis"]
        assert 1 <= len(axis["tickvals"]) <= 4
        low, high = axis["range"]
        assert (low <= np.log10(axis["tickvals"])).all() and (
            np.log10(axis["tickvals"]) <= high
        ).all()


def test_shots_are_errors_at_the_two_places() -> None:
    scene, now = KNOWN, 8
    assert scene.eye.targets == [0, 3, 12]
    rings, centers, shots, latest, cross = scene.eye.picture(now)["data"]
    middle = unpacked(centers["x"])
    first, second = scene.spots
    np.testing.assert_allclose(scene.step.x[[first, second]], scene.at, atol=0.04)
    errors = np.array([(step.predictions[3] - step.truth)[[first, second]] for step in scene.run])
    errors *= np.minimum(1, 1.2 * scene.eye.reach / np.hypot(*errors.T))[:, None]
    found = np.column_stack([unpacked(shots["x"]), unpacked(shots["y"])]).reshape(3, 20, 2)[1]
    np.testing.assert_allclose(found - [middle[1], 0], errors, atol=1e-5)
    seen = unpacked(shots["marker"]["opacity"]).reshape(3, 20)
    np.testing.assert_array_equal(seen, np.tile(np.arange(20) <= now, (3, 1)))
    assert unpacked(latest["y"])[1] == pytest.approx(errors[now, 1], abs=1e-5)
    step = scene.run[now]
    at_second = step.mean[3, second] - step.truth[second]
    assert unpacked(cross["y"])[1] == pytest.approx(at_second, abs=1e-5)
    radius = np.hypot(unpacked(rings["x"])[:41], unpacked(rings["y"])[:41])
    np.testing.assert_allclose(radius, scene.eye.reach / 3, rtol=1e-5)
    assert (np.hypot(*errors.T) <= scene.eye.reach).mean() >= 0.9


@pytest.mark.parametrize(
    ("chosen", "targets"), [(0, [0, 6, 12]), (12, [0, 6, 12]), (6, [0, 6, 12]), (1, [0, 1, 12])]
)
def test_three_targets(chosen: int, targets: list[int]) -> None:
    assert replace(KNOWN, chosen=chosen).eye.targets == targets


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text.replace("−", "-"))]


def test_the_caption_puts_the_numbers_into_the_rule() -> None:
    scene, now = KNOWN, 11
    first, second, *_ = words.caption(scene, now).split("\n")
    spot = scene.spots[0]
    fits = np.array([step.predictions[3] for step in scene.run[: now + 1]])
    old, h, new = fits[:-1, spot].mean(), fits[-1, spot], fits[:, spot].mean()
    assert first.startswith("Set 12 of 20 joins. At x₁: mean ← mean + (h − mean)/12 = ")
    shown = numbers(first.partition("/12 = ")[2].replace("− (−", "+ (").replace("− ", ""))
    assert abs(shown[0]) == pytest.approx(abs(old), abs=6e-4)
    assert abs(shown[1]) == pytest.approx(abs(h), abs=6e-4)
    assert f"/12 = {words.decimal(new)}; truth {words.decimal(scene.step.truth[spot])}." in first

    error = (scene.step.truth - fits.mean(axis=0)) ** 2
    bias, variance, total, test = (
        words.decimal(value)
        for value in (
            error.mean(), fits.var(axis=0).mean(), error.mean() + fits.var(axis=0).mean() + 0.25,
            scene.run[now].test_error[3],
        )
    )  # fmt: skip
    assert f"bias² {bias} + variance {variance} + noise 0.250 = {total}" in second
    assert f"error on 600 fresh points {test}, off by " in second


def test_the_first_and_the_last_caption_and_the_best() -> None:
    first = words.caption(KNOWN, 0)
    assert "Set 1 of 20: 30 points y = f(x) + ε and their fit, degree 3." in first
    assert "One fit has no spread" in first and "variance 0.000" in first
    assert words.caption(KNOWN, 19).endswith("drawn. Least error: degree 3.")
    changes = [i for i, step in enumerate(KNOWN.run) if step.event and i < 19]
    assert changes
    for i in changes:
        before, after = (KNOWN.kinds[KNOWN.run[k].best] for k in (i - 1, i))
        assert words.caption(KNOWN, i).endswith(f"Least error now: {after}; before: {before}.")


def test_the_caption_of_a_resample() -> None:
    step = OWN.run[4]
    assert isinstance(step, BootstrapStep)
    held = np.count_nonzero(step.counts)
    first, second, *_ = words.caption(OWN, 4).split("\n")
    assert f"Resample 5 of 20 holds {held} of the 40 points ({held / 0.4:.3g} %)" in first
    assert f"the {40 - held} left out (squares) test it." in first
    single, mean, _, variance, points = numbers(second.replace("²", "2"))
    assert single == pytest.approx(mean + variance, abs=2e-3)
    assert points == step.judged
    assert "squares" not in words.caption(HOSTILE["many points"](), 1)


def test_complexities_have_names() -> None:
    assert words.kinds(Polynomials((0, 12))) == ("degree 0", "degree 12")
    assert words.kinds(RidgePolynomials((100.0, 1e-6, 0.0), 3)) == ("λ = 100", "λ = 1e−06", "λ = 0")
    assert words.kinds(NearestNeighbors((5, 1))) == ("k = 5", "k = 1")
    penalties = known(RidgePolynomials((10.0, 0.1), 5), 1)
    assert "against λ;" in words.titles(penalties)[2]
    assert "degree 3" in words.titles(KNOWN)[1]


def test_the_note_states_truth_noise_and_what_cannot_be_known() -> None:
    note = words.note(KNOWN, DEGREES, TRUTHS["sine"].text)
    assert "f(x) = 2 sin(π x / 3)" in note
    assert "σ = 0.5 (σ² = 0.25)" in note
    assert "x in [−3, 3]" in note
    assert "the bias cannot be told from the noise" in words.note(OWN, DEGREES, "")
    ridge = words.note(KNOWN, RidgePolynomials((1.0,), 7), "")
    assert "intercept free" in ridge
    assert "k points with the nearest x" in words.note(KNOWN, NearestNeighbors((1,)), "")


LARGEST = {
    "default": lambda: known(n_sets=60, X=board(15, 0.0)),
    "most": lambda: known(Polynomials(tuple(range(16))), 15, n=80, n_sets=200, X=board(15, 0.0)),
    "a board of 200": lambda: known(n_sets=80, X=board(200)),
    "200 resampled": lambda: own(board(200), n_sets=80),
    "1000 resampled": lambda: own(board(1000), NearestNeighbors((99, 9, 1)), 1, n_sets=200),
    "5000 resampled": lambda: own(board(5000), NearestNeighbors((99, 9, 1)), 1, n_sets=60),
}


@pytest.mark.parametrize("name", LARGEST)
def test_the_payload_is_small(name: str) -> None:
    assert len(sent(LARGEST[name]())) < 400_000
