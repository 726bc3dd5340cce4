"""What the lesson of k-means says of its experiments."""

from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.clustering.k_means.choose_k import ChooseKStep, choose_k, mdl_cost
from algorithms.clustering.k_means.k_means import KMeansStep, k_means
from algorithms.core.record import last
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import points_of
from tests.house.experiments import experiment_of

(LAB,) = [lab for lab in LABS if lab.name == "k_means"]
STARTS = ("random", "k-means++")


def ended(session: Session, title: str, **changes: str) -> Any:
    """Set the lab up by an experiment's link, and return the last step."""
    session.open(LAB, **experiment_of(LAB, title).link | changes)
    assert session.run_shown is not None
    return session.run_shown.steps[-1]


def answer(title: str) -> str:
    return experiment_of(LAB, title).answer


def sizes(step: KMeansStep) -> list[int]:
    return sorted(np.bincount(step.labels, minlength=len(step.centers)).tolist())


def ends(X: ndarray, k: int, init: str) -> list[KMeansStep]:
    """Return where the page's runs with seeds 0 to 99 end."""
    return [last(k_means(X, k, rng=np.random.default_rng(q), init=init)) for q in range(100)]


def test_a_bad_start(session: Session) -> None:
    title = "A bad start"
    bad = ended(session, title)
    blobs = session.board.data.labels
    shared = [np.bincount(bad.labels[blobs == blob], minlength=4) for blob in range(4)]
    assert sorted((counts > 10).sum() for counts in shared) == [1, 1, 1, 2]
    assert sizes(bad)[-1] == 100
    assert round(bad.inertia) == 230
    moved = {"fork": "9", "if.centers": "1.5,0;-1.96,-0.19;0.95,-1.01;-0.04,2.04"}
    mended = ended(session, title, **moved)
    assert session.run_shown is not None and session.run_shown.steps[8].event == "converged"
    assert round(mended.inertia) == 35 and sizes(mended) == [50] * 4
    good = ended(session, title, init="k-means++")
    assert round(good.inertia) == 35 and sizes(good) == [50] * 4
    assert ended(session, title, init="k-means++", seed="3").inertia > 200
    X = session.board.data.X
    poor = [sum(step.inertia > 100 for step in ends(X, 4, init)) for init in STARTS]
    assert poor == [39, 7]
    assert "with an inertia of 230. With centre 1 on the right" in answer(title)
    assert "all four clusters, with an inertia of 35. So it does from k-means++." in answer(title)
    assert "k-means++ fails with 7 and random starts with 39." in answer(title)
    ended(session, title, view="100 seeds", k="4")
    assert "7 with k-means++ and 39 with random" in session.captions[0]


def drawn_from(X: ndarray, classes: ndarray, seed: int, init: str) -> set[int]:
    """Return the clusters of the data that the first four centres are drawn from."""
    centers = next(k_means(X, 4, rng=np.random.default_rng(seed), init=init)).centers
    return {int(classes[np.square(X - center).sum(axis=1).argmin()]) for center in centers}


def test_far_from_the_others(session: Session) -> None:
    title = "Far from the others"
    last_step = ended(session, title)
    steps = session.run_shown.steps
    data = session.board.data
    before, fourth = steps[2], steps[3]
    bare = (set(range(4)) - {int(data.labels[step.drawn]) for step in steps[:3]}).pop()
    share = before.squared[data.labels == bare].sum() / before.squared.sum()
    assert f"{100 * share:.0f} %" == "90 %"
    assert data.labels[fourth.drawn] != bare
    far, near = before.squared[fourth.drawn] ** 0.5, before.state.labels[fourth.drawn] + 1
    assert f"the fourth centre is {far:.1f} away from centre {near}," in answer(title)
    assert f"The chance of this point was {100 * fourth.chance:.2f} %." in answer(title)
    assert round(last_step.state.inertia) == 225 and "ends at an inertia of 225" in answer(title)
    ended(session, title, seed="0")
    assert len({int(data.labels[step.drawn]) for step in session.run_shown.steps[:4]}) == 4
    spread = {
        init: sum(len(drawn_from(data.X, data.labels, q, init)) == 4 for q in range(100))
        for init in STARTS
    }
    assert spread == {"k-means++": 81, "random": 6}
    assert "with 81 of the seeds 0 to 99, but with only 6 if all" in answer(title)


def widest(X: ndarray) -> tuple[int, list[ChooseKStep]]:
    """Return the k of the highest silhouette, as the page finds it, and all choices."""
    choices = list(choose_k(X, range(1, 11), rng=np.random.default_rng(0)))
    return max(choices, key=lambda choice: choice.silhouette).k, choices


def test_the_silhouette(session: Session) -> None:
    title = "The silhouette"
    step = ended(session, title)
    assert len(step.centers) == 3
    data = session.board.data
    k, choices = widest(data.X)
    assert k == 7 and "it is highest at k = 7" in answer(title)
    found = f"with {choices[6].silhouette:.2f} against {choices[2].silhouette:.2f} at the true 3"
    assert found in answer(title)
    gamma = 0.04 * choices[0].inertia
    assert min(choices, key=lambda c: mdl_cost(c.inertia, c.k, gamma)).k == 6
    assert "The MDL cost picks 6." in answer(title)
    assert all(widest(points_of("stretched", sample=sample))[0] != 3 for sample in range(20))
    how = {"classes": 4, "noise": 0.6}
    assert all(widest(points_of("blobs", sample=s, **how))[0] == 4 for s in range(20))
    cut = [np.unique(step.labels[data.labels == j]).size for j in range(3)]
    assert max(cut) >= 2, "long clusters are cut across"


def test_the_picked_point_is_a_query(session: Session) -> None:
    session.open(LAB, query="1,0.5")
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"]) == ("query", "query")
    assert all("Picked point: centre " in caption for caption in session.captions)


def test_links_of_old_open_the_half_steps(session: Session) -> None:
    session.open(LAB, k="3", init="random", seed="5", price="2.5")
    assert session.value("view") == "k-means" and session.state.refused == []
    assert session.captions[0].startswith("Start: 3 centres (random)")


def test_large_and_small(session: Session) -> None:
    title = "Large and small"
    step = ended(session, title)
    classes = session.board.data.labels
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
    assert found == "168.9 and 171.2" and found in answer(title)


def test_one_outlier(session: Session) -> None:
    title = "One outlier"
    assert sizes(ended(session, title)) == [1, 29, 30]
    X = session.board.data.X
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


def test_four_machines(session: Session) -> None:
    title = "Four machines"
    lloyd = last(k_means(blobs(session, title), 4, rng=np.random.default_rng(2)))
    text = " ".join(answer(title).split())
    for dealt, pairs in (("by chance", 16), ("by place", 10)):
        end = ended(session, title, dealt=dealt)
        assert session.run_shown is not None
        steps = session.run_shown.steps
        assert {step.pairs for step in steps} == {pairs}
        np.testing.assert_allclose(np.sort(end.centers, axis=0), np.sort(lloyd.centers, axis=0))
        assert round(end.inertia, 1) == round(lloyd.inertia, 1) == 132.1
        assert np.bincount(end.shard).tolist() == [50] * 4
        assert f"{pairs} pairs" in text and f"{4 * pairs} numbers" in text
    assert 4 * len(end.labels) == 800 and "ends at 132.1" in text and "800 numbers" in text


def blobs(session: Session, title: str) -> ndarray:
    """Return the points of an experiment."""
    ended(session, title)
    return session.board.data.X
