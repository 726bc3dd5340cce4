"""What the lesson of mixtures says, of its experiments and of choosing k."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from algorithms.clustering.mixtures.gaussian_mixture import n_parameters
from algorithms.clustering.mixtures.mixture_choice import mixture_choice
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

(LAB,) = [lab for lab in LABS if lab.name == "gaussian_mixture"]
SAID = {title: (link, text) for title, link, text in LAB.experiments}


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def steps(session: Session, title: str, **changes: str) -> Sequence[Any]:
    """Set the lab up by an experiment's link, and give the steps."""
    session.open(LAB, **SAID[title][0] | changes)
    assert session.run_shown is not None
    return session.run_shown.steps


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
    assert max(width(event, j)) < 0.002
    held = steps(session, title, floor="0.1")
    assert set(session.events.values()) == {"converged"}
    np.testing.assert_allclose(width(held[-1], j), 0.1**0.5, rtol=0.01)
    assert steps(session, title, floor="0.0")[-1].event == "singular covariance"
    line = steps(session, title, seed="0")[-1]
    (j,) = np.flatnonzero(line.collapsed)
    assert line.weights[j] * len(X) == pytest.approx(2, abs=0.05)
    thin, long = width(line, j)
    assert thin < 0.002 < 1 < long


def test_a_poor_summit(session: Session) -> None:
    title = "A poor summit"
    poor = steps(session, title)[-1]
    blobs = session.state.board.data.labels
    counts = np.stack([poor.responsibilities[blobs == b].sum(axis=0) for b in range(4)])
    assert ((counts > 49).sum(axis=0) == 2).sum() == 1, "one component covers two blobs"
    assert counts.sum(axis=0).min().round() == 6
    ends = [steps(session, title, seed=str(q))[-1].log_likelihood for q in (0, 1, 2, 4)]
    np.testing.assert_allclose(ends, -466.1, atol=0.1)
    assert round(poor.log_likelihood) == -516
    assert "−516 here, −466 with seeds 0, 1, 2 and 4" in SAID[title][1]


def test_the_bridge_to_k_means(session: Session) -> None:
    title = "The bridge to k-means"
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
    assert "others can be stable, too" in unescaped(session.app.main.caption[0].value)


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


def test_what_is_drawn_to_choose_k_is_one_start_for_each(session: Session) -> None:
    """It can be stuck where the run beside it is not, and the page says so."""
    session.open(LAB)
    shown, X = session.run_shown, session.state.board.data.X
    assert shown is not None
    note = unescaped(session.app.main.caption[0].value)
    assert "every fit starts once from k-means, so the run shown can end higher" in note
    assert "one start for each" in session.opening["views"][2]["title"]
    bic = n_parameters("full", 2, 3) * np.log(len(X)) - 2 * shown.steps[-1].log_likelihood
    rng = np.random.default_rng(0)
    choices = list(mixture_choice(X, range(1, 9), rng=rng, floor=1e-6, folds=3, tol=1e-3))
    picked = min(choices, key=lambda choice: choice.bic)
    assert picked.k == 4 and bic < picked.bic
    said = (
        f"ends with a BIC of {bic:.0f}; the curve has {choices[2].bic:.0f} there, and so picks four"
    )
    assert said in " ".join(LAB.texts["Idea"].split())
