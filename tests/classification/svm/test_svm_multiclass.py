from itertools import combinations

import numpy as np
import pytest
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from algorithms.classification.svm.svm import svm
from algorithms.classification.svm.svm_multiclass import REST, svm_multiclass
from algorithms.core.kernels import Kernel, linear, polynomial, rbf
from algorithms.core.record import last
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_model, check_steps

KERNELS: dict[str, Kernel] = {"linear": linear(), "cubic": polynomial(3, 1.0), "RBF": rbf(1.0)}


def preset(name: str) -> tuple[np.ndarray, np.ndarray]:
    data = dataset(name, 60, sample=2, noise=0.5)
    return (data.X - data.X.mean(axis=0)) / data.X.std(axis=0), 2 * data.labels - 3


NEW = np.random.default_rng(5).normal(size=(300, 2)) * 2


@pytest.mark.parametrize("name", ["blobs", "unequal", "row", "iris", "penguins"])
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_agrees_with_scikit_learn(name: str, kernel: Kernel, C: float) -> None:
    X, y = preset(name)
    how = {"C": C, "kernel": kernel, "tol": 1e-4, "max_iter": 100_000}
    pairs = SVC(C=C, kernel=kernel, tol=1e-4, decision_function_shape="ovo").fit(X, y)
    rest = OneVsRestClassifier(SVC(C=C, kernel=kernel, tol=1e-4)).fit(X, y)
    for scheme, theirs in (("one-versus-one", pairs), ("one-versus-rest", rest)):
        with AsInTheApp():
            ours = last(svm_multiclass(X, y, scheme=scheme, **how))
        expected = theirs.decision_function(NEW)
        away = np.abs(ours.decision_function(NEW) - expected)
        assert away.max() <= 0.02 * (1 + np.abs(expected).max())
        assert (ours.predict(NEW) == theirs.predict(NEW)).mean() >= 0.99


@pytest.mark.parametrize("scheme", ["one-versus-rest", "one-versus-one"])
def test_a_step_per_machine(scheme: str) -> None:
    X, y = preset("row")
    steps = check_steps(svm_multiclass(X, y, scheme=scheme, kernel=linear()))
    machines = [(0, REST), (1, REST), (2, REST)]
    if scheme == "one-versus-one":
        machines = list(combinations(range(3), 2))
    assert len(steps) == 3
    for index, step in enumerate(steps):
        assert step.machines.tolist() == [list(pair) for pair in machines[: index + 1]]
        assert step.event == ("all machines trained" if index == 2 else None)
        check_model(step, X)
        k, other = machines[index]
        part = (y == step.classes[k]) | (y == step.classes[other]) | (other == REST)
        alone = last(svm(X[part], (y[part] == step.classes[k]).astype(int), kernel=linear()))
        np.testing.assert_allclose(
            step.decision_function(X)[:, index], alone.decision_function(X), atol=1e-12
        )
        assert step.moves[index] == alone.index
        assert step.violations[index] <= 1e-3
        assert (step.coefficients[index, ~part] == 0).all()


def test_claims_votes_and_ambiguity() -> None:
    X, y = preset("blobs")
    rest = last(svm_multiclass(X, y, kernel=linear()))
    scores = np.array([[1.0, -1.0, -1.0], [1.0, 2.0, -1.0], [-3.0, -2.0, -1.0]])
    assert rest.claims(scores).tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert rest.ambiguous(scores).tolist() == [False, True, True]
    assert rest.winners(scores).tolist() == [0, 1, 2]
    one = last(svm_multiclass(X, y, kernel=linear(), scheme="one-versus-one"))
    scores = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]])  # 0/1, 0/2, 1/2
    assert one.claims(scores).tolist() == [[2, 1, 0], [1, 1, 1], [1, 2, 0]]
    assert one.ambiguous(scores).tolist() == [False, True, False]
    assert one.winners(scores).tolist() == [0, 0, 1]


@pytest.mark.parametrize("scheme", ["one-versus-rest", "one-versus-one"])
def test_both_schemes_leave_ambiguous_regions(scheme: str) -> None:
    """Three arms of a pinwheel: the lines of CS725 18.2 enclose a triangle in the middle."""
    turns = 2 * np.pi * np.arange(3) / 3
    arms = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    across = np.stack([-arms[:, 1], arms[:, 0]], axis=1)
    along = np.linspace(0.5, 3, 20)[:, None]
    X = np.concatenate([a + t * along for a, t in zip(arms, across, strict=True)])
    model = last(
        svm_multiclass(X, np.repeat([0, 1, 2], 20), scheme=scheme, kernel=linear(), C=10.0)
    )
    side = np.linspace(-4, 4, 81)
    cells = np.column_stack([np.tile(side, 81), np.repeat(side, 81)])
    share = model.ambiguous(model.decision_function(cells)).mean()
    assert 0 < share < 0.5
    assert model.ambiguous(model.decision_function(np.zeros((1, 2)))).tolist() == [True]


def test_a_machine_that_does_not_converge_is_an_event() -> None:
    X, y = preset("unequal")
    steps = list(svm_multiclass(X, y, max_iter=2))
    assert {step.event for step in steps} == {"a machine stopped at max_iter"}


def test_hostile_labels() -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    for y in (np.arange(40) % 8, np.where(np.arange(40) < 39, 0, 2), np.arange(40) % 10):
        for scheme in ("one-versus-rest", "one-versus-one"):
            steps = check_steps(svm_multiclass(X, y, scheme=scheme, C=1000.0))
            check_model(steps[-1], X)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.full(12, 3)}, "y must name at least two classes, got only class 3"),
        ({"y": np.arange(12)}, "y must name at most 10 classes, got 12"),
        (
            {"scheme": "both"},
            "scheme must be one of 'one-versus-rest', 'one-versus-one', got scheme='both'",
        ),
        ({"C": 0.0}, "C must be positive, got C=0.0"),
        ({"kernel": None}, "kernel must be a kernel such as rbf(1.0), got kernel=None"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(24.0).reshape(12, 2), "y": np.arange(12) % 3} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        svm_multiclass(**given)
    assert str(caught.value) == sentence
