from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.data.truths import TRUTHS
from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep, decompose
from algorithms.regression.bias_variance.bootstrap import BootstrapStep
from algorithms.regression.bias_variance.curve_fits import Polynomials
from algorithms.regression.bias_variance.sampling import Sampling
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core.scene import Run

(LAB,) = [lab for lab in LABS if lab.name == "bias_variance"]


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
    assert session.stage["handles"] == []
    session.set("selectbox", "truth", "unknown: bootstrap")
    assert "no points yet" in session.stage["error"]


@pytest.mark.parametrize(
    ("over", "kind"), [("degree", "degree 3"), ("penalty", "λ = 0"), ("neighbours", "k = 5")]
)
def test_every_family_is_fitted(session: Session, over: str, kind: str) -> None:
    session.open(LAB, truth="sine", over=over)
    session.check_shown()
    assert f"their fit, {kind}.\n" in session.captions[0]
    assert ("neighbours" in session.values) == (over == "neighbours")
    assert ("degree" in session.values) == (over != "neighbours")


# What the lesson says


def ended(session: Session, title: str, **changes: str) -> BiasVarianceStep:
    """Set the lab up by an experiment's link, and give the last step."""
    return steps_of(session, LAB, title, **changes)[-1]


def answer(title: str) -> str:
    return experiment_of(LAB, title).answer


def parts(step: BiasVarianceStep, complexity: float) -> tuple[float, float]:
    """Give bias² and the variance of a complexity, over all x, as they are shown."""
    j = step.complexities.tolist().index(complexity)
    bias, variance = step.corrected_bias_squared[j].mean(), step.corrected_variance[j].mean()
    return float(bias), float(variance)


def test_a_line_through_a_wave(session: Session) -> None:
    title = "A line through a wave"
    text = answer(title)
    for seed in range(5):
        step = ended(session, title, seed=str(seed))
        assert parts(step, 1)[0] > 30 * parts(step, 3)[0] > 0
        assert step.best == 3
        for degree in (5, 9):
            assert parts(step, degree)[0] < 2 * step.bias_error[degree]
        for degree in range(10):  # every weight adds about the same
            weights = (degree + 1) * step.noise / 30
            assert 0.7 * weights < parts(step, degree)[1] < 1.4 * weights
    step = ended(session, title)
    assert "their fit, degree 1." in session.captions[0]
    (line, low), (three, narrow), (_, more), (_, most) = (parts(step, d) for d in (1, 3, 5, 9))
    assert f"Bias² is {line:.3f}, the variance {low:.3f}." in text
    assert f"At degree 3 bias² falls to {three:.3f}." in text
    assert f"{narrow:.3f} at degree 3, {more:.3f} at 5 and {most:.3f} at 9." in text
    assert f"about σ²/n = {step.noise / 30:.2f}" in text


def test_too_flexible(session: Session) -> None:
    title = "Too flexible"
    text = answer(title)
    for seed in ("2", "1", "0"):
        step = ended(session, title, seed=seed)
        bias, variance = parts(step, 10)
        assert variance > 1000
        assert abs(bias) < 2 * step.bias_error[10]
        assert step.bias_squared[10].mean() > 20
    asked = experiment_of(LAB, title).question
    assert f"(mean − f)² is {step.bias_squared[10].mean():.0f}." in asked
    assert f"The variance is {variance:.0f}," in text
    assert f"about {variance:.0f}/60 = {variance / 60:.0f}." in text
    error = float(step.bias_error[10])
    assert f"bias² is {bias:.0f}, with a standard error of {error:.0f}.".replace("-", "−") in text
    third = session.captions[-1].split("\n")[2]
    assert f"= {bias:.3f}, standard error {error:.3f}.".replace("-", "−") in third
    assert "not to be told from 0" in session.captions[-1]
    off = [float(np.square(s.predictions[10] - s.truth).mean()) for s in shown(session).steps]
    assert np.median(off) < 0.05 * np.mean(off), "a few sets make the variance"
    assert f"with even x it is {parts(ended(session, title, design='even'), 10)[1]:.2f}." in text


def test_wide_gaps_make_the_variance(session: Session) -> None:
    """The sets whose fits swing most have wider gaps, or a wider margin, than the others."""
    ended(session, "Too flexible")
    gaps, off = [], []
    for step in shown(session).steps:
        x = np.concatenate([[-3.0], np.sort(step.train[:, 0]), [3.0]])
        gaps.append(max(np.diff(x)[1:-1].max(), 2 * np.diff(x)[[0, -1]].max()))
        off.append(float(np.square(step.predictions[10] - step.truth).mean()))
    worst = np.argsort(off)[-6:]
    assert np.mean(np.array(gaps)[worst]) > 1.2 * np.median(gaps)


def test_a_penalty_tames_a_high_degree(session: Session) -> None:
    title = "A penalty instead"
    text = answer(title)
    for seed in ("1", "2", "3"):
        step = ended(session, title, seed=seed)
        assert step.complexities[step.best] == step.complexities[step.test_error.argmin()] == 0.1
        assert step.expected_error[-1] > 1000
    step = ended(session, title)
    assert "their fit, λ = 0.1." in session.captions[0]
    (bias, variance), (large, small) = parts(step, 0.1), parts(step, 10.0)
    total = float(step.expected_error[step.best])
    assert f"the sum is {total:.3f} (bias² {bias:.3f}, variance {variance:.3f})" in text
    assert f"at λ = 0 it is {step.expected_error[-1]:.0f}." in text
    assert f"at 10 the variance is {small:.3f}, but bias² {large:.2f}." in text


def test_neighbours_average_the_noise(session: Session) -> None:
    title = "Nearest neighbours"
    text, said = answer(title), {}
    for k in (1, 3, 6, 12):
        for seed in ("2", "1", "0"):
            step = ended(session, title, neighbours=str(k), seed=seed)
            bias, variance = parts(step, k)
            assert variance == pytest.approx(step.noise / k, rel=0.15)
        said[k] = (bias, variance)
    ended(session, title)
    assert "their fit, k = 1." in session.captions[0]
    by_x = step.corrected_bias_squared[step.complexities.tolist().index(12)]
    assert by_x[np.abs(step.x - 0.5) < 1].sum() > 0.98 * by_x.sum()
    assert f"σ² = {step.noise:.3f}" in text
    assert f"({said[1][1]:.3f} are shown)" in text
    three, six, twelve = (f"{said[k][1]:.3f}" for k in (3, 6, 12))
    assert f"{three} for 3, {six} for 6 and {twelve} for 12 are shown" in text
    assert f"bias² is {said[6][0]:.2f} for 6 and {said[12][0]:.2f} for 12" in text


def test_the_points_alone_cannot_tell_bias_from_noise(session: Session) -> None:
    title = "Truth unknown"
    step: BootstrapStep = steps_of(session, LAB, title)[-1]
    single, rest, variance = (
        f"{values[6]:.3f}" for values in (step.test_error, step.mean_error, step.test_variance)
    )
    text = answer(title)
    assert f"an error of {single} on" in text
    assert f"{variance} is variance, {rest} is" in text
    second = session.captions[-1].split("\n")[1]
    assert f"single fit {single} = mean fit {rest} (bias² + noise, inseparable)" in second
    assert session.value("noise") == 0.4


def test_more_flexible_fits_vary_more_as_a_rule_only() -> None:
    """A parabola through a sine varies more than a cubic, for every seed."""
    with AsInTheApp():
        for seed in range(5):
            rng = np.random.default_rng(seed)
            models = Polynomials((1, 2, 3), 0.0)
            *_, step = decompose(TRUTHS["sine"], models, Sampling(30, 0.544), n_sets=60, rng=rng)
            assert parts(step, 1)[1] < parts(step, 2)[1] > parts(step, 3)[1]
