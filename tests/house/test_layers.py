"""Imports go one way: pages -> viz -> algorithms; and scikit-learn only checks."""

import ast
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
FILES = [
    (layer, path)
    for layer in FORBIDDEN
    for path in ([ROOT / layer] if layer.endswith(".py") else sorted((ROOT / layer).rglob("*.py")))
]


@pytest.mark.parametrize(
    ("layer", "path"), FILES, ids=[str(path.relative_to(ROOT)) for _, path in FILES]
)
def test_imports_stay_within_the_layer(layer: str, path: Path) -> None:
    assert not imported(path.read_text(encoding="utf-8")) & FORBIDDEN[layer]


def test_every_layer_has_files() -> None:
    assert {layer for layer, _ in FILES} == set(FORBIDDEN)


def test_imports_are_seen_wherever_they_are() -> None:
    source = "import a.b\nfrom c.d import e\ndef f():\n    import g as h, i\n    from . import j"
    assert imported(source) == {"a", "c", "g", "i"}


def imported(source: str) -> set[str]:
    """Return the top-level names of all absolute imports, also those inside functions."""
    nodes = list(ast.walk(ast.parse(source)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in plain | froms if name}
