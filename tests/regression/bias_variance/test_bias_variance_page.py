from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.data.truths import TRUTHS
from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep, decompose
from algorithms.regression.bias_variance.curve_fits import NearestNeighbors, Polynomials
from algorithms.regression.bias_variance.sampling import Sampling
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from viz.core.scene import Run

(LAB,) = [lab for lab in LABS if lab.name == "bias_variance"]
SAID = {title: (link, text) for title, link, text in LAB.experiments}


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def shown(session: Session) -> Run:
    assert session.run_shown is not None
    return session.run_shown


@pytest.mark.parametrize("truth", ["through the points", "step", "unknown: bootstrap"])
def test_the_places_of_the_bulls_eye_stand_on_places_that_the_run_knows(
    session: Session, truth: str
) -> None:
    session.open(LAB, truth=truth, noise="0.3")
    session.check_shown()
    (handles,) = session.stage["handles"]
    x = shown(session).steps[0].x
    expected = [float(f"{value:.4g}") for value in x[[20, 60]]]
    assert [place[0] for place in handles["places"]] == expected
    assert handles["along"] == "x"
    session.open(LAB, truth=truth, noise="0.3", at="-99,7;99,7")
    (handles,) = session.stage["handles"]
    np.testing.assert_allclose([place[0] for place in handles["places"]], x[[0, -1]], rtol=1e-9)
    figure = session.figure(0)
    bottom, top = figure["layout"]["yaxis"]["range"]
    assert {place[1] for place in handles["places"]} == {bottom + 0.05 * (top - bottom)}


def test_a_formula_needs_no_points_and_shows_none(session: Session) -> None:
    session.open(LAB, truth="kink", sets="20")
    assert "points" not in session.figure(0)
    session.press("Clear")
    assert session.stage["error"] is None
    assert session.opening["total"] == 20
    assert session.figure(0)["layout"]["xaxis"]["range"] == [-3.4, 3.4]
    session.set("selectbox", "truth", "through the points")
    assert "no points yet" in session.stage["error"]
    session.set("selectbox", "truth", "unknown: bootstrap")
    assert "no points yet" in session.stage["error"]


@pytest.mark.parametrize(
    ("over", "kind"), [("degree", "degree 3"), ("penalty", "λ = 0"), ("neighbours", "k = 5")]
)
def test_every_family_is_fitted(session: Session, over: str, kind: str) -> None:
    session.open(LAB, truth="sine", over=over)
    session.check_shown()
    assert f"their fit, {kind}." in session.captions[0]
    assert ("neighbours" in session.values) == (over == "neighbours")
    assert ("degree" in session.values) == (over != "neighbours")


# What the lesson says


def ended(session: Session, title: str, **changes: str) -> BiasVarianceStep:
    """Set the lab up by an experiment's link, and give the last step."""
    session.open(LAB, **SAID[title][0] | changes)
    return shown(session).steps[-1]


def parts(step: BiasVarianceStep, j: int) -> tuple[float, float, float]:
    """Give bias², what of it is chance, and the variance, over all x."""
    means = (values[j].mean() for values in (step.bias_squared, step.wobble, step.variance))
    bias, wobble, variance = map(float, means)
    return bias, wobble, variance


def test_a_line_through_a_wave(session: Session) -> None:
    title = "A line through a wave"
    text = SAID[title][1]
    for seed in range(5):
        step = ended(session, title, seed=str(seed))
        (line, _, low), (five, _, high) = parts(step, 1), parts(step, 5)
        assert line > 5 * low and high > 10 * five, "they change places"
        assert line > 30 * parts(step, 3)[0]
    step = ended(session, title)
    (line, _, low), (five, _, high), (nine, chance, wild) = (parts(step, j) for j in (1, 5, 9))
    assert f"bias² is {line:.2f}, the variance {low:.2f}." in text
    assert f"at 5 bias² is {five:.3f}, the variance {high:.2f}." in text
    assert f"At degree 9 the variance is {wild:.0f}" in text
    assert nine > 0.7 and nine < 4 * chance


def test_too_flexible(session: Session) -> None:
    title = "Too flexible"
    text = SAID[title][1]
    step = ended(session, title)
    bias, chance, variance = parts(step, 10)
    assert variance > 1000
    assert f"Is bias² really {bias:.0f}?" in text
    assert f"about {chance:.0f} are to be expected by chance" in text
    said = "Without any bias, bias² of a mean of 60 fits would be about variance / 59 = "
    assert f"{said}{chance:.3f}." in session.captions[-1].split("\n")
    off = [float(np.square(s.predictions[10] - s.truth).mean()) for s in shown(session).steps]
    assert np.median(off) < 0.05 * np.mean(off), "a few sets make the variance"
    assert f"seed 1 has {parts(ended(session, title, seed='1'), 10)[0]:.0f}." in text
    many, _, left = parts(ended(session, title, size="80"), 10)
    assert f"the variance is {left:.2f}, bias² below 0.001." in text and many < 0.001


def test_one_neighbour_copies_the_noise(session: Session) -> None:
    for seed in range(3):
        step = ended(session, "Nearest neighbours", seed=str(seed))
        assert session.value("neighbours") == step.complexities[-1] == 1
        assert step.noise < parts(step, -1)[2] < 1.6 * step.noise


def test_more_flexible_fits_vary_more_as_a_rule_only() -> None:
    """Both examples hold for every seed: a parabola through a sine, k neighbours at a step."""
    with AsInTheApp():
        for seed in range(5):
            rng = np.random.default_rng(seed)
            models = Polynomials((1, 2, 3), 0.0)
            *_, step = decompose(TRUTHS["sine"], models, Sampling(30, 0.544), n_sets=60, rng=rng)
            assert parts(step, 0)[2] < parts(step, 1)[2] > parts(step, 2)[2]
            models = NearestNeighbors((20, 10))
            *_, step = decompose(TRUTHS["step"], models, Sampling(30, 0.544), n_sets=60, rng=rng)
            assert parts(step, 0)[2] > parts(step, 1)[2]


@pytest.mark.parametrize("b", [5, 20])
def test_the_shown_bias_of_a_mean_of_few_fits_is_chance_where_there_is_no_bias(b: int) -> None:
    """The truth is within reach of the fits, so that the bias is 0."""
    shown, chance = [], []
    with AsInTheApp():
        for seed in range(200):
            rng = np.random.default_rng(seed)
            how = {"n_sets": b, "rng": rng, "places": 20}
            truth = TRUTHS["line"]
            *_, step = decompose(truth, Polynomials((2,), 0.0), Sampling(30, 0.5), **how)
            shown.append(step.bias_squared.mean())
            chance.append(step.wobble.mean())
    assert np.mean(shown) == pytest.approx(np.mean(chance), rel=0.1)
