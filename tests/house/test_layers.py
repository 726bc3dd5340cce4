"""Imports go one way: pages -> viz -> algorithms; subjects keep apart; scikit-learn only checks."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OUTER = {"app", "pages", "streamlit", "tests"}
FORBIDDEN = {
    "algorithms": OUTER | {"viz", "plotly", "contourpy", "PIL", "sklearn", "pandas"},
    "viz": OUTER | {"sklearn", "pandas"},
    "pages": {"app", "tests", "sklearn"},
    "app.py": {"tests", "sklearn"},
}
SHARED = {"core", "data"}  # rooms of `algorithms` for all subjects; core uses core alone
BORROWS: dict[str, set[str]] = {  # subject: other subjects it may use, each with its reason
    "evaluation": {"classification"},  # it judges classifiers
    "ensembles": {"classification"},  # a forest is made of classification trees
    "classification": {"kernel_machines"},  # support vector machines,
    "clustering": {"kernel_machines"},  # the one-class machine
    "regression": {"kernel_machines"},  # and support vector regression are tasks for one solver
}
# Rooms of `pages/_shared`, and its one module outside them: each uses those before it.
ROOMS = ("text", "session", "data", "stage", "room", "exports", "lab", "ask", "site")
FILES = [
    (layer, path)
    for layer in FORBIDDEN
    for path in ([ROOT / layer] if layer.endswith(".py") else sorted((ROOT / layer).rglob("*.py")))
]


def imported(source: str) -> Iterator[str]:
    """Return the names of all absolute imports, also those inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


USED = {path: set(imported(path.read_text(encoding="utf-8"))) for _, path in FILES}


def within(*folders: str) -> dict[tuple[str, ...], set[str]]:
    """Return what the files in a folder import, by their path from there."""
    root = ROOT.joinpath(*folders)
    return {
        path.relative_to(root).parts: used for path, used in USED.items() if root in path.parents
    }


def test_imports_stay_within_the_layer() -> None:
    for layer, path in FILES:
        assert not {name.partition(".")[0] for name in USED[path]} & FORBIDDEN[layer], path


def test_what_is_private_is_imported_from_its_own_folder_only() -> None:
    for parts, used in within().items():
        if parts != ("app.py",):
            assert not [name for name in used if not allowed(name, parts[:-1])], parts


def test_subjects_use_no_other_subject() -> None:
    for parts, used in within("algorithms").items():
        subject = parts[0]
        others = {"core"} if subject == "core" else {subject} | SHARED | BORROWS.get(subject, set())
        rooms = {name.split(".")[1] for name in used if name.startswith("algorithms.")}
        assert rooms <= others, parts


def test_a_shared_room_uses_no_later_room() -> None:
    for parts, used in within("pages", "_shared").items():
        room = parts[0].removesuffix(".py")
        rooms = {name.split(".")[2] for name in used if name.startswith("pages._shared.")}
        assert rooms <= {*ROOMS[: ROOMS.index(room) + 1]}, parts


def test_every_layer_has_files() -> None:
    assert {layer for layer, _ in FILES} == set(FORBIDDEN)


def test_imports_are_seen_wherever_they_are() -> None:
    source = "import a.b\nfrom c.d import e\ndef f():\n    import g as h, i\n    from . import j"
    assert set(imported(source)) == {"a.b", "c.d.e", "g", "i"}


@pytest.mark.parametrize(
    ("name", "here", "allows"),
    [
        ("viz.core.plane.regions", "pages/regression", True),
        ("algorithms.clustering.k_means._half_steps", "algorithms/clustering/k_means", True),
        (
            "algorithms.clustering.k_means._half_steps.least",
            "algorithms/clustering/gaussian_mixture",
            False,
        ),
        ("algorithms.clustering.k_means._half_steps", "algorithms", False),
        ("algorithms.clustering.k_means._half_steps", "viz/clustering", False),
        ("viz.core.plane._corners", "viz/core", False),
        ("viz.core.plane.__doc__", "viz/core", True),
        ("pages._shared.stage.stage", "pages/clustering", True),  # a folder: those in it as well
        ("pages._shared.stage.stage", "viz/clustering", False),
    ],
)
def test_what_private_means(name: str, here: str, allows: bool) -> None:
    assert allowed(name, tuple(here.split("/"))) == allows


def allowed(name: str, here: tuple[str, ...]) -> bool:
    """Return whether a module of the folder `here` may import `name`, if that is private.

    A module with an underscore belongs to its folder, a folder with one to all at and below the
    folder it is in; a function or a class with one belongs to its module.
    """
    parts = tuple(name.split("."))
    for place, part in enumerate(parts):
        if part.startswith("_") and not part.startswith("__"):
            owner = parts[:place]
            if ROOT.joinpath(*owner, part).is_dir():
                return here[:place] == owner
            return ROOT.joinpath(*owner).is_dir() and here == owner
    return True
