"""The exported script and notebook run, and notice when a number differs."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import scipy.linalg

from algorithms.classification.svm.kernel_weights import kernel_weights
from algorithms.classification.svm.nu_svm import nu_svm
from algorithms.clustering.one_class_svm import one_class_svm
from algorithms.clustering.spectral_clustering import spectral_clustering
from algorithms.core.kernels import linear, rbf
from algorithms.regression.support_vector_regression import support_vector_regression
from pages._shared.exports.assert_same import same
from pages._shared.exports.program import MOST_NUMBERS, as_notebook, as_script, program, told
from pages._shared.exports.source import Unwritable
from pages._shared.lab.catalogue import LABS, LabFile
from tests.app.session import Session
from tests.exports.elsewhere import execute, run_script
from tests.house.test_other_machines import MACHINES
from tests.house.test_views import modes
from viz.core.scene import Call, Run

SAMPLE = [
    ("k_means", {"view": "k-means"}),  # arrays and a generator
    ("svm", {"view": "pairs"}),  # a kernel, and an algorithm handed to another
    ("wall", {"view": "One split"}),  # of other runs, which have later results as arguments
    ("decision_tree", {"view": "Prune"}),  # a tree is among the arguments
    ("linear_paths", {"view": "two weights"}),  # a later result is the only argument
    ("bias_variance", {"over": "penalty"}),  # records inside records
    ("gaussian_mixture", {"view": "words"}),  # no points at all
    ("k_means", {"beside": "dbscan"}),  # two runs side by side
]
MOST_CHARACTERS = (
    350_000  # of a script on the data that a lab opens on; the files are up to 250,000
)
ABOUT = ["k-means", "a line\n1 / 0\rof several"]


def shown(session: Session, lab: str, link: dict[str, str]) -> Run:
    session.open(next(each for each in LABS if each.name == lab), **link)
    assert session.run_shown
    return session.run_shown


@pytest.mark.parametrize("lab, link", SAMPLE, ids=str)
def test_a_script_ends_with_the_same_step(lab: str, link: dict, session: Session, capsys) -> None:
    run = shown(session, lab, link)
    execute(as_script(program(run, ABOUT)))
    counts = " and ".join(str(len(each.steps)) for each in run.sides or [run])
    assert f"{counts} steps, and the same last step" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_the_script_of_every_mode_ends_with_the_same_step_on_another_machine(
    lab: LabFile, session: Session, tmp_path: Path
) -> None:
    script = tmp_path / "script.py"
    for link in modes(lab):
        text = as_script(program(shown(session, lab.name, link), ABOUT))
        script.write_text(text, encoding="utf-8")
        for name in ("Prescott", "plain NumPy"):
            said = run_script(Path(sys.executable), script, MACHINES[name])
            assert "the same last step" in said, f"{link} on {name}: {said}"


def turned(vectors: np.ndarray, values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return eigenvectors as another machine might: other signs, digits and mixtures."""
    turned = vectors * rng.choice([-1.0, 1.0], vectors.shape[1])
    for same_value in np.split(np.arange(len(values)), np.flatnonzero(np.diff(values) > 1e-12) + 1):
        turn, _ = np.linalg.qr(rng.normal(size=(len(same_value), len(same_value))))
        turned[:, same_value] = turned[:, same_value] @ turn
    return turned + rng.normal(scale=1e-16, size=turned.shape)


TIED = [  # tables of two columns
    lambda rng: rng.normal(size=(300, 2)) + 2 * (np.arange(300) % 2)[:, None],  # tied runs
    lambda _: (
        np.kron(np.eye(6, 2) * 1e3 - np.eye(6, 2)[::-1] * 1e3, np.ones((20, 1)))
        + np.tile(np.random.default_rng(5).normal(size=(20, 2)), (6, 1))
    ),  # pieces that are alike
]


@pytest.mark.parametrize("number", range(len(TIED)))
@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_script_of_eigenvectors_passes_on_another_machine(
    number: int, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    X = TIED[number](rng)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    call = Call(spectral_clustering, (X, k), {"gamma": 12.5, "rng": np.random.default_rng(1)})
    steps = tuple(spectral_clustering(X, k, gamma=12.5, rng=np.random.default_rng(1)))
    script = as_script(program(Run("a", steps, call=call), ABOUT))
    assert len(script) < 100_000, "no large array is written out"
    found = scipy.linalg.eigh

    def elsewhere(*args: Any, **how: Any) -> tuple[np.ndarray, np.ndarray]:
        values, vectors = found(*args, **how)
        return values + rng.normal(scale=1e-17, size=len(values)), turned(vectors, values, rng)

    monkeypatch.setattr(scipy.linalg, "eigh", elsewhere)
    for _ in range(4):
        execute(script)
    graph = replace(steps[-1].graph, eigenvalues=steps[-1].eigenvalues + 1e-6)
    other = Run("b", (*steps[:-1], replace(steps[-1], graph=graph)), call=call)
    with pytest.raises(AssertionError, match="eigenvalues"):
        execute(as_script(program(other, ABOUT)))


def pairs_of_duals() -> list[Call]:
    """Return runs that end where a condition holds to within a tolerance, on their own ways."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    return [
        Call(nu_svm, (X, y), {"nu": 0.5, "kernel": rbf(2.0)}),
        Call(one_class_svm, (X,), {"nu": 0.3, "kernel": rbf(2.0)}),
        Call(support_vector_regression, (X[:, :1], np.sin(X[:, 0])), {"kernel": rbf(2.0)}),
        Call(kernel_weights, (X, y), {"kernels": (linear(), rbf(0.5), rbf(5.0))}),
    ]


@pytest.mark.parametrize("call", pairs_of_duals(), ids=lambda call: call.function.__name__)
def test_a_script_of_a_kernel_machine_passes_on_another_machine(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = tuple(call.function(*call.args, **call.how))
    script = as_script(program(Run("a", steps, call=call), ABOUT))
    exp, rng = np.exp, np.random.default_rng(1)

    def elsewhere(x: Any, *args: Any, **how: Any) -> Any:
        return exp(x, *args, **how) * (1 + rng.choice([-1e-15, 0, 1e-15], np.shape(x)))

    with monkeypatch.context() as patch:
        patch.setattr(np, "exp", elsewhere)
        execute(script)
    wrong = "objective" if call.function is kernel_weights else "dual_objective"
    value = getattr(steps[-1], wrong)
    other = Run("b", (*steps[:-1], replace(steps[-1], **{wrong: 1.05 * value})), call=call)
    with pytest.raises(AssertionError, match=wrong):
        execute(as_script(program(other, ABOUT)))


def test_a_large_array_is_described() -> None:
    large = np.random.default_rng(0).normal(size=(MOST_NUMBERS, 2))
    large[3] = np.nan, np.inf
    (described,) = told({"large": large}).values()
    assert described[0] == large.shape
    same(large, described, "last")
    for other in (large + 1e-6, large * (1 + 1e-6), large[:-1], np.zeros_like(large)):
        with pytest.raises(AssertionError, match="last"):
            same(other, described, "last")


@pytest.mark.long
@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_no_script_is_large(lab: LabFile, session: Session) -> None:
    for link in modes(lab):
        text = as_script(program(shown(session, lab.name, link), ABOUT))
        assert len(text) < MOST_CHARACTERS, f"{link}: {len(text):,} characters"


def test_a_notebook_runs_and_notices_a_changed_number(session: Session) -> None:
    text = as_notebook(program(shown(session, "k_means", {}), ABOUT))
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    execute(code)
    assert "# k\\-means" in notebook.cells[0].source
    for name in ("'inertia': ", r"X = np.array\(\[\n    \[", r"rng = np.random.default_rng\("):
        changed = re.sub(rf"({name}-?)(\d)", r"\g<1>9\2", code, count=1)
        assert changed != code
        with pytest.raises(AssertionError):
            execute(changed)


def test_every_field_that_two_runs_share_is_compared(session: Session) -> None:
    last = told(shown(session, "wall", {"view": "One split"}).steps[-1])
    assert last["fit_time"] == {}, "no two runs measure the same"
    assert "fit" not in last["classifier"], "a function"
    assert {"name"} <= last["classifier"].keys()


def test_what_cannot_be_written_says_so() -> None:
    with pytest.raises(Unwritable, match="is not known"):
        program(Run("a", (1,)), ABOUT)
    with pytest.raises(Unwritable, match="no points"):
        program(Run("a", (), "There are no points yet."), ABOUT)


FOUND = {"a": np.array([1.0, 1e-30]), "b": [1, {"c": "x"}], "d": None, "e": 0.0, "f": np.nan}


def test_same_allows_for_rounding_only() -> None:
    same(FOUND, FOUND, "last")
    same(FOUND | {"a": np.array([1.0 + 1e-12, 0.0])}, FOUND, "last")


@pytest.mark.parametrize(
    "other",
    [{"a": np.array([1.0 + 1e-8, 0.0])}, {"a": np.array([1.0])}, {"a": np.array(1.0)}, {"b": [1]},
     {"b": [1, {"c": "y"}]}, {"b": [2, {"c": "x"}]}, {"d": 0}, {"e": 1e-6}, {"f": 0.0}],
    ids=str,
)  # fmt: skip
def test_same_notices_what_is_another(other: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="last"):
        same(FOUND | other, FOUND, "last")
