"""The exported script and notebook run, and notice when a number is another."""

import re
from typing import Any

import nbformat
import numpy as np
import pytest

from pages._shared.exports.program import as_notebook, as_script, program, told
from pages._shared.exports.same import same
from pages._shared.exports.source import Unwritable
from pages._shared.labs import LABS, LabFile
from tests.app.session import Session
from tests.house.test_views import modes
from viz.core.scene import Run

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
ABOUT = ["k-means", "a line\n1 / 0\rof several"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session().watch(monkeypatch)


def shown(session: Session, lab: str, link: dict[str, str]) -> Run:
    session.open(next(each for each in LABS if each.name == lab), **link)
    assert session.run_shown
    return session.run_shown


def execute(script: str) -> None:
    exec(compile(script, "script", "exec"), {})


@pytest.mark.parametrize("lab, link", SAMPLE, ids=str)
def test_a_script_ends_with_the_same_step(lab: str, link: dict, session: Session, capsys) -> None:
    run = shown(session, lab, link)
    execute(as_script(program(run, ABOUT)))
    counts = " and ".join(str(len(each.steps)) for each in run.sides or [run])
    assert f"{counts} steps, and the same last step" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_the_script_of_every_mode_ends_with_the_same_step(lab: LabFile, session: Session) -> None:
    for link in modes(lab):
        execute(as_script(program(shown(session, lab.name, link), ABOUT)))


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
    with pytest.raises(Unwritable, match="does not say"):
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
