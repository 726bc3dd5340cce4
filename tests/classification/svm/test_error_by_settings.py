"""The map of held-out errors over C and gamma, against libsvm on the same folds."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from algorithms.classification.svm import error_by_settings as algorithm
from algorithms.classification.svm.error_by_settings import ErrorBySettings, error_by_settings
from algorithms.core.splits import deal
from pages._shared.ask.kernel import POWERS
from pages._shared.ask.split import split_rng
from pages._shared.lab.catalogue import LABS
from pages.classification.svm import ERRORS
from pages.classification.svm import PRICES as PRICES_ON_OFFER
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.core.samples import labelled, rng
from tests.house.checked import Checked
from viz.classification.svm import error_map

SVM = next(lab for lab in LABS if lab.name == "svm")
PRICES, GAMMAS = (0.1, 1.0, 10.0, 1000.0), (0.1, 1.0, 10.0)
LIBSVM = Checked(
    "svm",
    "libsvm on the same five folds, the number of wrong held-out points",
    144,
    "pairs of C and γ on 12 samples",
)


def moons(sample: int = 0, n: int = 80) -> tuple[np.ndarray, np.ndarray]:
    return labelled("moons", n, sample=sample, noise=0.4)


def libsvm(X: np.ndarray, y: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Return the number of wrong held-out points for every gamma and C."""
    wrong = np.zeros((len(GAMMAS), len(PRICES)), int)
    for f in range(5):
        out = fold == f
        scaler = StandardScaler().fit(X[~out])
        for row, gamma in enumerate(GAMMAS):
            for column, C in enumerate(PRICES):
                machine = SVC(C=C, gamma=gamma, tol=1e-5).fit(scaler.transform(X[~out]), y[~out])
                predicted = machine.predict(scaler.transform(X[out]))
                wrong[row, column] += (predicted != y[out]).sum()
    return wrong


def found(X: np.ndarray, y: np.ndarray, **how) -> ErrorBySettings:
    return error_by_settings(X, y, prices=PRICES, gammas=GAMMAS, rng=rng(1), **how)


@pytest.mark.thorough
def test_the_counts_are_those_of_libsvm() -> None:
    samples = LIBSVM.cases // (len(PRICES) * len(GAMMAS))
    for sample in range(samples):
        X, y = moons(sample)
        stream = rng(1)
        stream.permutation(len(X))  # which points are dealt: all, in their order
        theirs = libsvm(X, y, deal(y, 5, True, stream))
        ours = found(X, y)
        np.testing.assert_array_equal(ours.wrong, theirs)
        assert ours.n == len(X)


def test_one_machine_serves_all_larger_prices_where_no_dual_is_at_C(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = labelled("separable", 60)
    fitted, wanted = [], found(X, y).wrong
    plain = algorithm.svm
    monkeypatch.setattr(algorithm, "svm", lambda *a, **k: fitted.append(k["C"]) or plain(*a, **k))
    assert (found(X, y).wrong == wanted).all()
    assert len(fitted) < 5 * len(PRICES) * len(GAMMAS)
    monkeypatch.setattr(
        algorithm, "by_price", lambda machine, prices: [list(machine(C=C))[-1] for C in prices]
    )
    assert np.abs(found(X, y).wrong - wanted).max() <= 1


def test_the_best_is_the_first_of_the_lowest_and_settings_are_found() -> None:
    every = ErrorBySettings(np.array(PRICES), np.array(GAMMAS), np.array([[9, 4, 4, 5]] * 3), 20)
    assert every.best == (0, 1)
    assert [every.of(C, g) for C, g in ((0.1, 10.0), (1000.0, 0.1), (12.0, 0.9))] == [
        (2, 0), (0, 3), (1, 2),
    ]  # fmt: skip


def test_many_points_are_thinned_and_single_points_of_a_class_are_judged() -> None:
    X, y = moons(n=120)
    assert found(X, y, most=50).n == 50
    few = found(X[:3], np.array([0, 0, 1]))
    assert few.wrong.shape == (3, 4) and (few.wrong <= 3).all() and few.n == 3


@pytest.mark.parametrize(("y", "how"), [(np.arange(80) % 3, {}), (np.arange(80) % 2, {"folds": 1})])
def test_bad_input_is_named(as_in_the_app: None, y: np.ndarray, how: dict) -> None:
    with pytest.raises(ValueError, match=r"y must|folds"):
        found(moons()[0], y, **how)


def test_the_map_marks_the_machine_and_the_fewest() -> None:
    every = found(*moons())
    figure = error_map.error_map(every, 10.0, 0.1)
    _, counts, fewest, here = figure["data"]
    assert list(map(int, counts["text"])) == every.wrong.ravel().tolist()
    row, column = every.best
    assert (fewest["x"], fewest["y"]) == ([column], [row])
    assert (here["x"], here["y"]) == ([2], [0])
    assert unpacked(figure["told"]["values"]).tolist() == every.wrong.ravel().tolist()
    assert f"{every.wrong[0, 2]} of 80 points wrong" in error_map.note(every, 10.0, 0.1)


@pytest.mark.parametrize("mode", ["pairs", "all at once"])
def test_the_map_is_shown_on_demand_for_the_kernel_that_has_a_gamma(
    session: Session, mode: str
) -> None:
    link = {"data": "moons", "n": "60", "view": mode}
    session.open(SVM, **link, also=ERRORS, C="3", gamma="0.3")
    title = session.opening["views"][2]["title"]
    assert title.startswith("Wrong of 60 held out")
    session.check_shown()
    session.open(SVM, **link, kernel="linear")
    assert not any("held out" in view["title"] for view in session.opening["views"])


@pytest.mark.thorough
def test_what_the_idea_says_of_the_map() -> None:
    """C as large as it can be is not best, and neither is a gamma at either end of the slider."""
    for sample in range(4):
        X, y = labelled("moons", 200, sample=sample, noise=0.5)
        every = error_by_settings(X, y, prices=PRICES_ON_OFFER, gammas=POWERS, rng=split_rng(0))
        assert every.wrong[[0, -1]].min() > every.wrong.min()
        assert every.wrong[4, -1] > every.wrong[4].min()
