"""The lesson's statements about its experiments."""

import numpy as np
import pytest

from algorithms.classification.svm.each_kernel import EachKernel, each_kernel
from algorithms.classification.svm.kernel_weights import KernelWeightsStep
from algorithms.classification.svm.nu_svm import NuSvmStep
from algorithms.classification.svm.svm import SvmStep, svm
from pages._shared.ask.split import split_rng
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.house.claims import Numbers, Trial, claims_test
from tests.house.experiments import experiment_of

SVM = next(lab for lab in LABS if lab.name == "svm")
SAMPLES = ("0", "1", "2", "3")


def turn_it_yourself(trial: Trial) -> Numbers:
    hand, turned, best = trial.steps()
    wrong = [int((step.margins <= 0).sum()) for step in (best, hand)]
    return [hand.objective, turned.objective, best.objective, *wrong]


def widths(final: SvmStep, data: np.ndarray) -> tuple[np.ndarray, float]:
    """Return f at the points given, and the width of the street."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    f = final.decision_function(corners)
    return final.decision_function(data), 2 / float(np.hypot(f[1] - f[0], f[2] - f[0]))


def the_street(trial: Trial) -> Numbers:
    """Erase every point of four samples; then standardise the columns."""
    for sample in SAMPLES:
        final = trial.steps(sample=sample)[-1]
        assert final.event == "converged"
        X, y = final.points, (final.signs > 0).astype(int)
        outputs, width = widths(final, X)
        for i in range(len(X)):
            kept = np.arange(len(X)) != i
            without = list(svm(X[kept], y[kept], C=final.C, kernel=final.kernel))[-1]
            erased, wider = widths(without, X)
            if final.duals[i] == 0:
                tol = 1e-9 if sample == "0" else 5e-3  # the run's tolerance, on outputs up to 12
                np.testing.assert_allclose(erased, outputs, atol=tol)
            else:
                assert wider > width * (1 - 1e-3)
                assert sample != "0" or wider > 1.05 * width
    as_they_are, scaled = trial.steps()[-1], trial.steps(standardize="True")[-1]
    assert "(widest in standardised units)" in trial.session.opening["views"][0]["title"]
    slopes = scaled.coefficients @ scaled.points / trial.data.X.std(axis=0)
    assert 2 / np.linalg.norm(slopes) < widths(as_they_are, as_they_are.points)[1] - 1e-5
    held = [int((step.duals > 0).sum()) for step in (as_they_are, scaled)]
    assert held == [2, 3]
    return []  # the answer writes its numbers as words


def pairs_or_all_at_once(trial: Trial) -> Numbers:
    pairs = trial.steps()[-1]
    assert pairs.moves.last_free is None
    few = trial.steps(steps="100")[-1]
    link = experiment_of(SVM, trial.title).link | {"view": "all at once"}
    trial.session.open(SVM, **{name: value for name, value in link.items() if name != "steps"})
    assert trial.session.run_shown is not None
    at_once = trial.session.run_shown.steps[-1]
    assert pairs.event == few.event == at_once.event == "converged"
    for other in (few, at_once):
        assert pairs.dual_objective == pytest.approx(other.dual_objective, rel=1e-6)
    assert pairs.index > 5000
    assert 180 < few.index < 230
    assert 15 <= at_once.index <= 25
    return [5000, 100]


def a_share_instead_of_a_price(trial: Trial) -> Numbers:
    def counts(final: NuSvmStep) -> list[int]:
        errors = (final.signs * final.outputs < final.level - 1e-4).sum()
        return [int(errors), int((final.duals > 0).sum())]

    bent = trial.steps()[-1]
    n = len(bent.signs)
    for sample in SAMPLES:
        errors, support = counts(trial.steps(sample=sample)[-1])
        assert errors <= 0.3 * n <= support
    first = counts(bent)
    same = list(svm(bent.points, (bent.signs > 0).astype(int), C=bent.price, kernel=bent.kernel))
    np.testing.assert_allclose(same[-1].outputs, bent.outputs / bent.level, atol=1e-3)
    line = trial.steps(kernel="linear")[-1]
    assert line.price == np.inf
    assert "No street has so few margin errors" in trial.session.captions[-1]
    street = trial.steps(kernel="linear", nu="0.4")[-1]
    assert np.isfinite(street.price)
    return [*first, 0.3 * n, bent.price, 0.3, 0.4, *counts(street)]


def mixed(
    trial: Trial, sample: str = "0"
) -> tuple[KernelWeightsStep, KernelWeightsStep, EachKernel]:
    """Return the first and the last step of the run, and what each kernel gets alone."""
    steps = trial.steps(sample=sample)
    assert steps[-1].event == "converged"
    task = steps[0].task
    each = each_kernel(task.points, task.labels, kernels=task.kernels, C=task.C, rng=split_rng(0))
    return steps[0], steps[-1], each


def the_right_kernel(trial: Trial) -> Numbers:
    _, end, each = mixed(trial)
    x, y, both = each.wrong[:3].tolist()
    assert both == 0
    found = [end.index, end.weights[:2].sum(), x, each.n, y]
    for sample in SAMPLES:
        _, end, each = mixed(trial, sample)
        assert end.weights[2] > 0.99
        assert min(each.wrong[:2]) > 0.4 * each.n
        assert each.wrong[2] < 0.02 * each.n
    return found


def a_mixture_wins(trial: Trial) -> Numbers:
    start, end, each = mixed(trial)
    assert each.wrong[3:].tolist() == [0, 0, 0]
    found = [start.objective, *end.weights[[1, 3]], end.objective, each.objectives.min(), each.n]
    for sample in SAMPLES:
        start, end, each = mixed(trial, sample)
        assert end.objective < min(each.objectives.min(), start.objective)
    return found


def wrong(trial: Trial, **changes: str) -> int:
    """Count the points on the wrong side of the plane, as the last caption does."""
    final = trial.steps(**changes)[-1]
    X = trial.data.X
    units = (X - X.mean(axis=0)) / X.std(axis=0)
    found = int((final.predict(units) != trial.data.labels).sum())
    assert f"{found or 'none'} of {len(units)} point" in trial.session.captions[-1]
    return found


def a_plane_for_rings(trial: Trial) -> Numbers:
    circle = trial.steps()[-1].lifted.circle
    assert trial.session.events == {30: "edge-on"}
    xor = {lift: wrong(trial, lift=lift, data="xor") for lift in ("squares", "bowl")}
    for sample in SAMPLES:
        for lift in ("bowl", "squares"):
            assert wrong(trial, lift=lift, sample=sample) <= (sample != "0")
        assert wrong(trial, lift="squares", data="xor", sample=sample) < 10
        assert wrong(trial, lift="bowl", data="xor", sample=sample) > 60
    a, b, c = trial.steps(lift="squares")[-1].lifted.weights
    assert 2 * a * c > b * b and a * c > 0, "an ellipse"
    return [circle[1], 2, xor["squares"], len(trial.data.X), xor["bowl"]]


def rings(trial: Trial) -> Numbers:
    final = trial.steps()[-1]
    title = trial.session.opening["views"][-1]["title"]
    assert final.event == "converged"
    assert ((final.outputs > 0) == (final.signs > 0)).all()
    eigenvalues = np.linalg.eigvalsh(final.kernel(final.points, final.points))
    rank = int((eigenvalues > 1e-9 * eigenvalues.max()).sum())
    assert f" {rank} eigenvalues" in title
    for sample in (*SAMPLES, "4", "5"):
        without_a_kernel(trial, sample)
    return [rank, final.C * len(final.signs)]


def without_a_kernel(trial: Trial, sample: str) -> None:
    """Check that both objectives can meet at a place that is no maximum."""
    tanh = {"kernel": "hyperbolic tangent", "scale": "1", "offset": "0.5", "sample": sample}
    link = dict(experiment_of(SVM, trial.title).link)
    del link["degree"]
    trial.session.open(SVM, **link | tanh)
    assert trial.session.run_shown is not None
    final = trial.session.run_shown.steps[-1]
    n, price = len(final.signs), final.C * len(final.signs)
    assert "not semi-definite" in trial.session.opening["views"][-1]["title"]
    assert (final.event, price) == ("converged", 2000)
    assert final.primal_objective == pytest.approx(final.dual_objective, rel=1e-6)
    assert final.dual_objective > 10 * price
    assert 2 * (final.duals.sum() - final.dual_objective) < 0  # the square of w
    wrong = int(((final.outputs > 0) != (final.signs > 0)).sum())
    assert 0.4 * n < wrong < 0.6 * n


def who_decides(trial: Trial) -> Numbers:
    final = trial.steps()[-1]
    X, y = trial.data.X, trial.data.labels
    f = final.decision_function((X - X.mean(axis=0)) / X.std(axis=0))
    claims = (f > 0).sum(axis=1)
    found = [(claims == 0).sum(), len(X), (claims > 1).sum(), (f.argmax(axis=1) == y).sum()]
    said = trial.session.captions[-1]
    assert f"{found[0]} are claimed by no machine, {found[2]} by several" in said
    assert f"{found[3]} of {found[1]} points are right" in said
    votes = trial.steps(scheme="one-versus-one")[-1]
    assert len(votes.machines) == 6
    assert not votes.ambiguous(votes.decision_function(votes.points)).any()
    return found


CLAIMS = {
    "Turn it yourself": turn_it_yourself,
    "The street": the_street,
    "Pairs or all at once": pairs_or_all_at_once,
    "A share instead of a price": a_share_instead_of_a_price,
    "A plane for rings": a_plane_for_rings,
    "Rings": rings,
    "The right kernel": the_right_kernel,
    "A mixture wins": a_mixture_wins,
    "Who decides?": who_decides,
}
test_what_the_lesson_says = claims_test("svm", CLAIMS)


def test_compare_hatches_where_the_streets_of_two_kernels_differ(session: Session) -> None:
    link = {"view": "pairs", "data": "circles", "n": "40", "kernel": "linear"}
    session.open(SVM, **link, beside="svm", **{"right.view": "pairs", "right.kernel": "RBF"})
    assert "% of the picture" in session.captions[-1]
