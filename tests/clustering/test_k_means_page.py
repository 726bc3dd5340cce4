"""What the lesson of k-means says of its experiments."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.k_means import KMeansStep, k_means
from algorithms.core.record import last
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp

(LAB,) = [lab for lab in LABS if lab.name == "k_means"]
SAID = {title: (link, text) for title, link, text in LAB.experiments}
STARTS = ("random", "k-means++")


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def ended(session: Session, title: str, **changes: str) -> KMeansStep:
    """Set the lab up by an experiment's link, and give the last step."""
    session.open(LAB, **SAID[title][0] | changes)
    assert session.run_shown is not None
    return session.run_shown.steps[-1]


def sizes(step: KMeansStep) -> list[int]:
    return sorted(np.bincount(step.labels, minlength=len(step.centers)).tolist())


def ends(X: ndarray, k: int, init: str) -> list[KMeansStep]:
    """Give where the runs end that the page shows with seeds 0 to 99."""
    return [last(k_means(X, k, rng=np.random.default_rng(q), init=init)) for q in range(100)]


def test_a_bad_start(session: Session) -> None:
    title = "A bad start"
    bad = ended(session, title)
    blobs = session.state.board.data.labels
    shared = [np.bincount(bad.labels[blobs == blob], minlength=4) for blob in range(4)]
    assert sorted((counts > 10).sum() for counts in shared) == [1, 1, 1, 2]
    assert sizes(bad)[-1] == 100
    assert round(bad.inertia) == 230
    good = ended(session, title, init="k-means++")
    assert round(good.inertia) == 35 and sizes(good) == [50] * 4
    assert ended(session, title, init="k-means++", seed="3").inertia > 200
    X = session.state.board.data.X
    poor = [sum(step.inertia > 100 for step in ends(X, 4, init)) for init in STARTS]
    assert poor == [39, 7]
    assert "an inertia of 230. Then choose k-means++: 35" in SAID[title][1]
    assert "it fails with 7, random starts fail with 39. Try seed 3." in SAID[title][1]


def test_large_and_small(session: Session) -> None:
    title = "Large and small"
    step = ended(session, title)
    classes = session.state.board.data.labels
    assert np.bincount(classes).tolist() == [160, 20, 20]
    assert np.bincount(step.labels[classes == 0]).max() == 160 - 16
    small = {(np.unique(step.labels[classes == j]).tolist()[0]) for j in (1, 2)}
    assert len(small) == 2
    assert all(len(np.unique(step.labels[classes == j])) == 1 for j in (1, 2))
    other = ended(session, title, seed="0")
    (together,) = np.unique(other.labels[classes > 0])
    halves = np.bincount(other.labels[classes == 0], minlength=3)
    assert sorted(np.delete(halves, together).tolist()) == [77, 82]
    found = f"{step.inertia:.1f} and {other.inertia:.1f}"
    assert found == "168.9 and 171.2" and found in SAID[title][1]


def test_one_outlier(session: Session) -> None:
    title = "One outlier"
    assert sizes(ended(session, title)) == [1, 29, 30]
    X = session.state.board.data.X
    far = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmax())
    for init in STARTS:
        alone = [np.bincount(s.labels)[s.labels[far]] == 1 for s in ends(X, 3, init)]
        assert 60 <= sum(alone) < 100
    rest = np.delete(X, far, axis=0)
    cut = [sizes(step)[2] in (29, 30) for step in ends(rest, 3, "random")]
    assert cut[0] and sum(cut) >= 90, "one group whole, the other in two"
    two = ended(session, title, k="2")
    assert sizes(two) == [30, 30]
    joined = two.labels == two.labels[far]
    others = np.delete(X[joined], np.flatnonzero(joined).tolist().index(far), axis=0).mean(axis=0)
    pull = two.centers[two.labels[far]] - others
    assert pull @ (X[far] - others) > 0
