"""The files of `algorithms` that a script needs, as texts, so that it runs without Chalkline."""

import ast
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path

OURS = "algorithms."  # scripts import only this package


def needed(names: Iterable[str]) -> list[str]:
    """Return these modules and all modules of `algorithms` that they import, imports first."""
    needs: dict[str, set[str]] = {}
    found = [name for name in names if name.startswith(OURS)]
    while found:
        if (name := found.pop()) not in needs:
            needs[name] = imported(name)
            found += needs[name]
    return [*TopologicalSorter(needs).static_order()]


@cache
def imported(name: str) -> set[str]:
    """Return the modules of `algorithms` that a module imports."""
    found: set[str] = set()
    for each in ast.walk(ast.parse(text_of(name))):
        if isinstance(each, ast.ImportFrom) and f"{each.module}.".startswith(OURS):
            inside = [f"{each.module}.{alias.name}" for alias in each.names]
            found |= {*inside} if _is_package(str(each.module)) else {str(each.module)}
    return found


def _is_package(name: str) -> bool:
    spec = find_spec(name)
    return spec is not None and spec.submodule_search_locations is not None


@cache
def text_of(name: str) -> str:
    """Return the text of a module."""
    spec = find_spec(name)
    assert spec and spec.origin
    return Path(spec.origin).read_text(encoding="utf-8")


def made(name: str) -> str:
    """Write the call that makes a module from its text; see carried.py."""
    return f"module({name!r}, r'''\n{text_of(name)}''')"
