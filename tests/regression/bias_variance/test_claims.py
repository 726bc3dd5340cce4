"""The lesson's statements about its experiments, and the controls of its page."""

import numpy as np
import pytest

from algorithms.data.truths import TRUTHS
from algorithms.regression.bias_variance.bias_variance import BiasVarianceStep, decompose
from algorithms.regression.bias_variance.bootstrap import BootstrapStep
from algorithms.regression.bias_variance.curve_fits import Polynomials
from algorithms.regression.bias_variance.sampling import Sampling
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.claims import Numbers, Trial, claims_test
from tests.house.experiments import steps_of
from viz.core.scene import Run

(LAB,) = [lab for lab in LABS if lab.name == "bias_variance"]


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
    ("over", "kind"), [("degree", "degree 1"), ("penalty", "λ = 0"), ("neighbours", "k = 5")]
)
def test_every_family_is_fitted(session: Session, over: str, kind: str) -> None:
    session.open(LAB, truth="sine", over=over)
    session.check_shown()
    assert f"their fit, {kind}.\n" in session.captions[0]
    assert ("neighbours" in session.values) == (over == "neighbours")
    assert ("degree" in session.values) == (over == "degree")
    assert ("of_degree" in session.values) == (over == "penalty")


def test_the_penalty_is_that_of_degree_10_whatever_degree_was_chosen(session: Session) -> None:
    session.open(LAB, truth="sine")
    session.set("slider", "degree", 2)
    session.set("button_group", "over", "penalty")
    assert session.value("of_degree") == 10
    session.set("select_slider", "penalty", 10.0)
    session.set("button_group", "over", "degree")
    assert (session.value("degree"), session.value("ridge")) == (2, 0.0)


def test_old_links_to_a_penalty_are_read(session: Session) -> None:
    session.open(LAB, truth="sine", over="penalty", degree="7", ridge="0.1")
    assert (session.value("of_degree"), session.value("penalty")) == (7, 0.1)
    assert not session.state.refused


def test_buttons_in_the_picture_lead_from_simple_to_flexible(session: Session) -> None:
    texts = {
        "degree": ["degree 3", "degree 9"],
        "penalty": ["λ = 10", "λ = 0.1"],
        "neighbours": ["k = 12", "k = 1"],
    }
    for over, expected in texts.items():
        session.open(LAB, over=over)
        assert [choice["text"] for choice in session.stage["choices"]] == expected
    session.open(LAB, size="5")
    assert [choice["value"] for choice in session.stage["choices"]] == ["3"], "9 has no room"


def parts(step: BiasVarianceStep, complexity: float) -> tuple[float, float]:
    """Return bias² and the variance of a complexity, over all x, as they are shown."""
    j = step.complexities.tolist().index(complexity)
    bias, variance = step.corrected_bias_squared[j].mean(), step.corrected_variance[j].mean()
    return float(bias), float(variance)


def a_line_through_a_wave(trial: Trial) -> Numbers:
    for seed in range(5):
        step = trial.steps(seed=str(seed))[-1]
        assert parts(step, 1)[0] > 30 * parts(step, 3)[0] > 0
        assert step.best == 3
        for degree in (5, 9):
            assert parts(step, degree)[0] < 2 * step.bias_error[degree]
        for degree in range(10):  # every weight adds about the same
            weights = (degree + 1) * step.noise / 30
            assert 0.7 * weights < parts(step, degree)[1] < 1.4 * weights
    step = trial.steps()[-1]
    (line, low), (three, narrow), (_, more), (_, most) = (parts(step, d) for d in (1, 3, 5, 9))
    return [line, low, three, 0, narrow, more, most, step.noise / 30]


def too_flexible(trial: Trial) -> Numbers:
    for seed in ("2", "1", "0"):
        steps = trial.steps(seed=seed)
        step = steps[-1]
        bias, variance = parts(step, 10)
        assert variance > 1000
        assert abs(bias) < 2 * step.bias_error[10]
        assert step.bias_squared[10].mean() > 20
    third = trial.session.captions[-1].split("\n")[2]
    error = float(step.bias_error[10])
    square = step.bias_squared[10].mean()
    assert f"{square:.2f} is no more than variance/60 = {variance / 60:.2f}" in third
    off = [float(np.square(s.predictions[10] - s.truth).mean()) for s in steps]
    assert np.median(off) < 0.05 * np.mean(off), "a few sets make the variance"
    even = parts(trial.steps(design="even")[-1], 10)[1]
    return [square, variance, variance, variance / 60, bias, error, even]


def a_penalty_instead(trial: Trial) -> Numbers:
    for seed in ("1", "2", "3"):
        step = trial.steps(seed=seed)[-1]
        assert step.complexities[step.best] == step.complexities[step.test_error.argmin()] == 0.1
        assert step.expected_error[-1] > 1000
    step = trial.steps()[-1]
    (bias, variance), (large, small) = parts(step, 0.1), parts(step, 10.0)
    return [step.expected_error[step.best], bias, variance, step.expected_error[-1], small, large]


def nearest_neighbours(trial: Trial) -> Numbers:
    said = {}
    for k in (1, 3, 6, 12):
        for seed in ("2", "1", "0"):
            step = trial.steps(neighbours=str(k), seed=seed)[-1]
            bias, variance = parts(step, k)
            assert variance == pytest.approx(step.noise / k, rel=0.15)
        said[k] = (bias, variance)
    step, share, within = trial.steps()[-1], 98, 1
    by_x = step.corrected_bias_squared[step.complexities.tolist().index(12)]
    assert by_x[np.abs(step.x - 0.5) < within].sum() > share / 100 * by_x.sum()
    variances = [number for k in (3, 6, 12) for number in (said[k][1], k)]
    biases = [number for k in (6, 12) for number in (said[k][0], k)]
    return [step.noise, said[1][1], *variances, *biases, share, within]


def truth_unknown(trial: Trial) -> Numbers:
    step: BootstrapStep = trial.steps()[-1]
    errors = (step.test_error, step.test_variance, step.mean_error)
    return [*(float(values[6]) for values in errors), trial.session.value("noise") ** 2]


test_the_answers = claims_test(
    "bias_variance",
    {
        "A line through a wave": a_line_through_a_wave,
        "Too flexible": too_flexible,
        "A penalty instead": a_penalty_instead,
        "Nearest neighbours": nearest_neighbours,
        "Truth unknown": truth_unknown,
    },
)


def test_wide_gaps_make_the_variance(session: Session) -> None:
    """The sets whose fits swing most have wider gaps, or a wider margin, than the others."""
    steps_of(session, LAB, "Too flexible")
    gaps, off = [], []
    for step in shown(session).steps:
        x = np.concatenate([[-3.0], np.sort(step.train[:, 0]), [3.0]])
        gaps.append(max(np.diff(x)[1:-1].max(), 2 * np.diff(x)[[0, -1]].max()))
        off.append(float(np.square(step.predictions[10] - step.truth).mean()))
    worst = np.argsort(off)[-6:]
    assert np.mean(np.array(gaps)[worst]) > 1.2 * np.median(gaps)


def test_more_flexible_fits_vary_more_as_a_rule_only() -> None:
    """A parabola through a sine varies more than a cubic, for every seed."""
    with AsInTheApp():
        for seed in range(5):
            rng = np.random.default_rng(seed)
            models = Polynomials((1, 2, 3), 0.0)
            *_, step = decompose(TRUTHS["sine"], models, Sampling(30, 0.544), n_sets=60, rng=rng)
            assert parts(step, 1)[1] < parts(step, 2)[1] > parts(step, 3)[1]
