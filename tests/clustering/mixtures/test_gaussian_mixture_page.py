"""What the lesson of mixtures says, of its experiments and of choosing k."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from algorithms.clustering.mixtures.gaussian_mixture import n_parameters
from algorithms.clustering.mixtures.soft_k_means import (
    SoftKMeansStep,
    critical_stiffness,
    soft_k_means,
)
from algorithms.core.record import last
from algorithms.data.headlines import HEADLINES
from pages._shared.labs import LABS
from tests.app.session import Session, unescaped
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of

(LAB,) = [lab for lab in LABS if lab.name == "gaussian_mixture"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def steps(session: Session, title: str, **changes: str) -> Sequence[Any]:
    """Set the lab up by an experiment's link, and give the steps."""
    session.open(LAB, **experiment_of(LAB, title).link | changes)
    assert session.run_shown is not None
    return session.run_shown.steps


def answer(title: str) -> str:
    return experiment_of(LAB, title).answer


def noted(session: Session) -> str:
    """Give what stands below the stage."""
    return " ".join(unescaped(caption.value) for caption in session.app.main.caption)


def width(step: Any, j: int) -> tuple[float, float]:
    """Give a component's smallest and largest standard deviation."""
    low, high = np.sqrt(np.linalg.eigvalsh(step.covariances[j]).clip(0))
    return float(low), float(high)


def test_collapse(session: Session) -> None:
    title = "Collapse"
    found = steps(session, title)
    X = session.state.board.data.X
    far = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmax())
    (event,) = (step for step in found if step.event == "collapse")
    (j,) = np.flatnonzero(event.collapsed)
    np.testing.assert_allclose(event.means[j], X[far], atol=1e-3)
    assert event.weights[j] * len(X) == pytest.approx(1, abs=1e-3)
    variance = X.var(axis=0).mean()
    assert event.floor == pytest.approx(1e-6 * variance)
    np.testing.assert_allclose(np.array(width(event, j)) / variance**0.5, 0.001, rtol=0.01)
    assert "its standard deviation is 0.001 of that of all points" in answer(title)
    held = steps(session, title, floor="0.1")
    assert set(session.events.values()) == {"converged"}
    np.testing.assert_allclose(width(held[-1], j), (0.1 * variance) ** 0.5, rtol=0.01)
    assert steps(session, title, floor="0.0")[-1].event == "singular covariance"
    line = steps(session, title, seed="0")[-1]
    (j,) = np.flatnonzero(line.collapsed)
    assert line.weights[j] * len(X) == pytest.approx(2, abs=0.05)
    thin, long = width(line, j)
    assert thin < 0.002 < 1 < long


def test_how_many_components(session: Session) -> None:
    title = "How many components?"
    full = steps(session, title)
    bics = {"full": [step.bic for step in full]}
    assert int(np.argmin(bics["full"])) == 2 and round(bics["full"][2]) == 1071
    assert (np.diff([step.log_likelihood for step in full]) > 0).all()
    assert full[2].n_parameters == 17
    tied = steps(session, title, covariance="tied")
    assert tied[2].n_parameters == 11
    assert round(tied[2].bic) == 1046 == round(min(step.bic for step in tied))
    round_ = steps(session, title, covariance="spherical")
    best = min(round_, key=lambda step: step.bic)
    assert (best.k, round(best.bic)) == (4, 1179)
    data = session.state.board.data
    labels = best.predict(data.X)
    for j in range(4):
        inside = np.bincount(data.labels[labels == j], minlength=3)
        whole = inside.max() / np.bincount(data.labels).max() > 0.9
        assert not (whole and inside.max() / inside.sum() > 0.9), "none is a cluster"
    said = answer(title)
    assert (
        "BIC is 1071 for three" in said and "have 1046" in said and "four of them, at 1179" in said
    )
    assert "11 numbers in place of 17" in said


def test_the_default_run_and_the_choice_of_k_agree(session: Session) -> None:
    """The run that is shown has as many components as BIC picks, and is as good as the choice."""
    session.open(LAB)
    shown, X = session.run_shown, session.state.board.data.X
    assert shown is not None
    assert len(shown.steps[-1].means) == 3
    bic = n_parameters("full", 2, 3) * np.log(len(X)) - 2 * shown.steps[-1].log_likelihood
    session.open(LAB, view="choosing k")
    assert session.run_shown is not None
    choices = session.run_shown.steps
    assert [choice.k for choice in choices] == list(range(1, 9))
    assert min(choices, key=lambda choice: choice.bic).k == 3
    assert choices[2].bic == pytest.approx(bic, abs=0.5)
    assert [len(choice.ends) for choice in choices] == [1] + [10] * 7
    assert "every k from 2 on gets **ten starts**" in " ".join(LAB.texts["Idea"].split())
    assert "fitted from 10 starts" in noted(session)


def test_two_summits(session: Session) -> None:
    title = "Two summits"
    left = steps(session, title)
    assert f"m = {left[-1].means[0, 0]:.2f} with".replace("-", "−") in answer(title)
    assert f"log-likelihood of −{-left[-1].log_likelihood:.1f}, on" in answer(title)
    (handles,) = session.stage["handles"]
    (_, y), (x, _) = handles["places"]
    for start in ("0.5", "1", "2.5"):
        right = steps(session, title, means=f"{start},{y};{x},{y}")[-1]
        assert right.means[0, 0] == pytest.approx(1.04, abs=0.01)
        assert f"near 1.04, with −{-right.log_likelihood:.1f}." in answer(title)
    session.open(LAB, view="one parameter")
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"], len(handles["places"])) == ("means", "number", 2)


def test_the_picked_point_is_a_query(session: Session) -> None:
    session.open(LAB, query="1,0.5")
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"]) == ("query", "query")
    assert all("Picked point: r = π N / Σ π N = " in caption for caption in session.captions)


@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal", "spherical"])
def test_links_of_old_open_the_mixture(covariance: str, session: Session) -> None:
    session.open(LAB, covariance=covariance, floor="0.001", k="4", init="random")
    assert session.value("view") == "mixture" and session.state.refused == []
    assert len(session.run_shown.steps[0].means) == 4
    assert f"{covariance} covariances" in noted(session)


def test_the_bridge_to_k_means(session: Session) -> None:
    title = "The bridge to k-means"
    assert steps(session, title)[-1].event == "converged"
    assert session.value("data") == "blobs"
    for seed in range(4):
        assert steps(session, title, seed=str(seed))[-1].distinct == 1
    assert steps(session, title, beta="1.2")[-1].distinct == 3
    hard = steps(session, title, beta="1000.0")[-1]
    assert (hard.responsibilities.max(axis=1) > 0.999).all()
    kept = steps(session, title, data="outlier", k="2", seed="29")
    assert kept[-1].event == "converged" and kept[-1].distinct == 2
    X = session.state.board.data.X
    far = X[np.square(X - X.mean(axis=0)).sum(axis=1).argmax()]
    assert kept[-1].stiffness < critical_stiffness(X)
    assert np.abs(kept[-1].centers - far).sum(axis=1).min() < 0.1
    assert "others can be stable, too" in noted(session)


@pytest.mark.parametrize("seed", range(5))
def test_all_centres_on_the_mean_is_stable_below_the_critical_stiffness_only(seed: int) -> None:
    """Centres that begin next to the mean come back to it, or leave it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 2))
    near = X.mean(axis=0) + 0.001 * X.std() * rng.normal(size=(3, 2))

    def end(multiple: float) -> SoftKMeansStep:
        beta = multiple * critical_stiffness(X)
        how = {"init": near, "stiffness": beta, "tol": 1e-9, "max_iter": 3000}
        return last(soft_k_means(X, 3, rng=rng, **how))

    below, above = (np.abs(end(m).centers - X.mean(axis=0)).max() for m in (0.9, 1.1))
    assert below < 1e-5 * X.std() and above > 0.05 * X.std()


def test_topics(session: Session) -> None:
    title = "Topics"
    for seed in range(10):
        shares = steps(session, title, seed=str(seed))[-1].responsibilities
        assert (shares.max(axis=1) > 0.999).all(), "no document belongs to two"
    step = steps(session, title)[-1]
    off = HEADLINES.documents.index("rained off")
    counts = HEADLINES.counts[off]
    assert (counts[:3].sum(), counts[6:].sum()) == (5, 7)
    weather = int(step.words[:, 6:].sum(axis=1).argmax())
    sport = int(step.words[:, :3].sum(axis=1).argmax())
    assert step.responsibilities[off, weather] > 0.999
    wind = HEADLINES.words.index("wind")
    members = step.responsibilities[:, sport] > 0.5
    assert HEADLINES.counts[members, wind].sum() == 0
    assert step.words[sport, wind] < 1e-12


def test_two_wrong_halves(session: Session) -> None:
    title = "Two wrong halves"
    for seed in range(10):
        found = steps(session, title, seed=str(seed))
        assert found[-1].event == "converged"
        assert round(found[-1].log_likelihood, 1) == -466.7
    assert "−466.7" in answer(title) and "−354.4" in answer(title)
    end = steps(session, title)
    for places in ((0.0, 0.5), (0.0, -0.5)):
        means = end[-1].means.copy()
        means[0] = places
        moved = ";".join(f"{x:.4g},{y:.4g}" for x, y in means)
        forked = steps(session, title, fork=str(len(end)), **{"if.centers": moved})
        assert round(forked[-1].log_likelihood, 1) == -354.4
        classes = session.state.board.data.labels
        found = forked[-1].predict(session.state.board.data.X)
        assert max(np.mean(found == classes), np.mean(found != classes)) > 0.99
