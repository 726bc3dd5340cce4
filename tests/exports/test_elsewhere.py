"""Script and notebook run where nothing but NumPy and SciPy is installed, from another folder."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import algorithms
from algorithms.clustering.k_means.k_means import k_means
from pages._shared.exports import draw_last, modules
from pages._shared.exports.program import as_notebook, as_script, program
from pages._shared.lab.catalogue import LABS, LabFile
from tests.app.session import Session
from tests.exports.elsewhere import fresh_python, run_script

ROOT = Path(algorithms.__file__).parents[1]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment that has NumPy and SciPy and nothing else."""
    return fresh_python(tmp_path_factory.mktemp("fresh"))


def check(python: Path, lab: LabFile, session: Session, folder: Path) -> None:
    """Run a lab's script, and the code of its notebook."""
    parts = program(session.open(lab).run_shown, [lab.title])  # type: ignore[arg-type]
    cells = json.loads(as_notebook(parts))["cells"]
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for name, text in (("script", as_script(parts)), ("notebook", "\n".join(codes))):
        assert text.index('setdefault(pool, "1")') < text.index("import numpy"), "sums as the page"
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        said = run_script(python, folder / f"{name}.py")
        assert "steps, and the same last step as on the page." in said
        assert "Matplotlib" in said, "it is missing there, and the script says so"


def test_a_fresh_environment_has_nothing_of_ours(python: Path, tmp_path: Path) -> None:
    for name in ("algorithms", "jaxtyping", "plotly", "matplotlib"):
        tried = subprocess.run([python, "-c", f"import {name}"], cwd=tmp_path, capture_output=True)
        assert b"ModuleNotFoundError" in tried.stderr, name


def test_script_and_notebook_need_no_file_of_ours(
    python: Path, session: Session, tmp_path: Path
) -> None:
    check(python, next(lab for lab in LABS if lab.name == "k_means"), session, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_script_and_notebook_of_every_lab(
    python: Path, lab: LabFile, session: Session, tmp_path: Path
) -> None:
    check(python, lab, session, tmp_path)


def test_every_file_is_carried_as_it_is() -> None:
    for file in sorted((ROOT / "algorithms").rglob("*.py")):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        carried: list[str] = []
        exec(modules.made(name), {"module": lambda _, text, found=carried: found.append(text)})
        assert carried == [f"\n{file.read_text(encoding='utf-8')}"], name


def test_a_file_comes_after_all_that_it_imports() -> None:
    order = modules.needed(["algorithms.classification.wall"])
    assert len(order) == len({*order}) > 30
    for i, name in enumerate(order):
        assert modules.imported(name) <= {*order[:i]}


class Pad:
    """A replacement for Matplotlib that notes what is drawn."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, tuple, dict]] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **how: self.drawn.append((name, args, how))

    def subplots(self, *_: int, **__: Any) -> tuple[None, list]:
        return None, [[self, self, self]]


def test_the_picture_shows_the_points_and_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    pad = Pad()
    monkeypatch.setitem(sys.modules, "matplotlib", SimpleNamespace(pyplot=pad))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pad)
    X = np.random.default_rng(0).normal(size=(60, 2))
    steps = list(k_means(X, 3, rng=np.random.default_rng(1)))
    draw_last.draw(steps, X)
    shown = {name: args for name, args, _ in pad.drawn}
    assert shown["plot"][0] == [step.inertia for step in steps]
    np.testing.assert_array_equal(np.column_stack(shown["scatter"][:2]), X)
    assert shown["pcolormesh"][2].shape == (150, 150)
    assert "show" in shown
