"""Both sides of the stage have the same types; `check` finds what does not keep to them."""

import re
from pathlib import Path
from typing import Any, get_type_hints, is_typeddict

import pytest

from pages._shared.stage import protocol, scripts
from tests.core.typed import check
from tests.stage import write_protocol

KINDS = {name: kind for name, kind in vars(protocol).items() if is_typeddict(kind)}
PACKED = {"dtype": "f4", "bdata": ""}
HANDLES = {"name": "a", "label": "A", "look": "line", "view": 0, "along": "x", "places": [[0, 1.5]]}


def test_the_browser_has_what_python_declares() -> None:
    assert write_protocol.FILE.read_text(encoding="utf-8") == write_protocol.text()


def test_every_type_is_used() -> None:
    """Every type is used by another type or by a script."""
    fields = " ".join(str(get_type_hints(kind)) for kind in KINDS.values())
    stage = Path(scripts.__file__).parent
    texts = "\n".join(path.read_text(encoding="utf-8") for path in stage.rglob("*.js"))
    by_scripts = set(re.findall(r'/protocol\.js"\)\.(\w+)', texts))
    by_types = set(re.findall(r"protocol\.(\w+)", fields))
    assert set(KINDS) - by_types - by_scripts == set()


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("Packed", PACKED),
        ("Packed", PACKED | {"gaps": True}),
        ("Handles", HANDLES),
        ("Handles", HANDLES | {"fixed": True, "at": 3}),
        ("Look", {"at": 0, "zoom": None, "present": False, "layers": []}),
        ("Look", {"at": 0, "zoom": [0, 1, 0, 0.5], "present": False, "layers": []}),
        ("Frame", {"caption": "c", "views": [{}, {"data": {"3": {"x": PACKED}}}]}),
    ],
)
def test_what_is_declared_may_be_sent(kind: str, value: Any) -> None:
    check(value, KINDS[kind])


@pytest.mark.parametrize(
    ("kind", "value", "where"),
    [
        ("Packed", {"dtype": "f4"}, "Packed: {'bdata'} missing"),
        ("Packed", PACKED | {"dtype": "f2"}, "Packed.dtype"),
        ("Packed", PACKED | {"more": 1}, "Packed: {'more'} undeclared"),
        ("Packed", PACKED | {"gaps": 1}, "Packed.gaps"),
        ("Handles", HANDLES | {"view": 0.0}, "Handles.view"),
        ("Handles", HANDLES | {"view": True}, "Handles.view"),
        ("Handles", HANDLES | {"places": [[0, "1"]]}, r"Handles.places\[0\]\[1\]"),
        ("Look", {"at": 0, "zoom": [0, 1, 0], "present": False, "layers": []}, "Look.zoom"),
        ("Look", {"at": None, "zoom": None, "present": False, "layers": []}, "Look.at"),
        ("Frame", {"caption": "c", "views": [{"data": [{}]}]}, r"Frame.views\[0\].data"),
        ("Frame", {"caption": "c", "views": {}}, "Frame.views"),
    ],
)
def test_what_is_not_declared_is_found(kind: str, value: Any, where: str) -> None:
    with pytest.raises(AssertionError, match=where):
        check(value, KINDS[kind])
