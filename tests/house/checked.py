"""The lines under "Checked against" in a lesson: each is a constant of the test it describes."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parents[1]


@dataclass(frozen=True)
class Checked:
    """One line of a lesson. The test takes its number of cases and its tolerance from here.

    lab : the lesson's name; against : the library, formula or brute force; cases : how many `of`
    these are compared; within : the largest difference allowed, a power of ten, or None where both
    have to be equal.
    """

    lab: str
    against: str
    cases: int
    of: str
    within: float | None = None

    def __str__(self) -> str:
        """Return the line as it stands in the lesson."""
        if self.within is None:
            near = "equal"
        else:
            near = f"differences below $10^{{{round(log10(self.within))}}}$"
        return f"{self.against}: {self.cases:,} {self.of}, {near}."


class Found(NamedTuple):
    """A line, its file, and which of its numbers the tests in that file use."""

    line: Checked
    file: Path
    used: set[str]


def all_checked() -> Iterator[Found]:
    """Find every `NAME = Checked(...)` in the tests, without importing them."""
    for file in sorted(TESTS.rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        if "= Checked(" in text:
            yield from _in_module(ast.parse(text), file)


def _in_module(module: ast.Module, file: Path) -> Iterator[Found]:
    """Find the lines in one file."""
    read = [
        (node.value.id, node.attr)
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    ]
    for node in module.body:
        if isinstance(node, ast.Assign) and "Checked(" in ast.unparse(node.value)[:8]:
            (name,), call = node.targets, node.value
            assert isinstance(name, ast.Name) and isinstance(call, ast.Call)
            given = [ast.literal_eval(each) for each in call.args]
            named = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
            used = {attribute for owner, attribute in read if owner == name.id}
            yield Found(Checked(*given, **named), file.relative_to(TESTS), used)
