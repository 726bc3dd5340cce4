"""A script and a notebook that repeat a run, and say whether its last step is the same.

Both hold the files of the algorithm, so they run wherever NumPy and SciPy are installed.
"""

import inspect
import json
import textwrap
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy import ndarray

from algorithms.core.record import Record, Within
from pages._shared.exports import assert_same, carried, draw_last, modules
from pages._shared.exports.source import Source, Unwritable, names
from viz.core.scene import Run

NEEDS = (
    "Needs Python 3.11 or later with NumPy and SciPy: pip install numpy scipy",
    "The algorithm's own files come first, as Chalkline runs them. The run is at the end. Change "
    "what you like, and run all of it again.",
    f"Made with NumPy {np.__version__} and SciPy {scipy.__version__}; with others, the last digits "
    "may differ.",
)
# the licence text that every copy of the algorithm has to include
LICENCE = Path(__file__).parents[3] / "LICENSE"
OTHERWISE = """\
except AssertionError as error:
    print(f"The last step differs from that on the page: {error}")
    print("Other processors and versions round differently. A long run can then go another way.")"""
MOST_NUMBERS = 5000  # of an array that is written out; a larger array is described
DESCRIBED = (
    f"An array of more than {MOST_NUMBERS:,} numbers is given by its shape, mean and standard "
    "deviation. A number that the run approximates is given with the largest error allowed."
)
# names defined by the script
DEFINED = ("module", "package", "Shape", "same", "draw", "draw_points", "numbers")
LEFT_OUT = object()


class Part(NamedTuple):
    """A heading with some lines of text, and the code below."""

    lines: list[str]
    code: str


def program(run: Run, about: Iterable[str]) -> list[Part]:
    """Write a program that repeats a run; raise Unwritable, with a sentence, if it is impossible.

    Two runs side by side become two calls. about : lines that describe the run.
    """
    if run.error:
        raise Unwritable(run.error)
    source = Source()
    runs = {f"_{i}": side for i, side in enumerate(run.sides, 1)} or {"": run}
    for of in runs:
        source.reserve(f"steps{of}", f"last{of}", f"expected{of}", *DEFINED)
    calls = [f"steps{of} = list({_call(one, source)})" for of, one in runs.items()]
    lasts = [f"last{of} = steps{of}[-1]" for of in runs]
    expected = [f"expected{of} = {_last_step(one, source)}" for of, one in runs.items()]
    checks = [line for of, one in runs.items() for line in _checks(of, one)]
    counts = " and ".join(f"{{len(steps{of})}}" for of in runs)
    said = f'print(f"{counts} steps, and the same last step as on the page.")'
    tried = textwrap.indent("\n".join([*checks, said]), "    ")
    check = [inspect.getsource(assert_same.same), "", f"try:\n{tried}", OTHERWISE]
    drawing = [_code_of(draw_last), "", *(_drawing(of, one, source) for of, one in runs.items())]
    imports = ["import numpy as np", "", *sorted(source.imports)]
    given = source.variables or ["# All arguments are written in the call."]
    parts = [
        ([*about, *NEEDS], [_code_of(carried)]),
        (LICENCE.read_text(encoding="utf-8").splitlines(), ["# The algorithm's files follow."]),
        *(([_file(name)], [modules.made(name)]) for name in modules.needed(source.modules)),
        (["The run"], imports),
        (["The arguments"], given),
        (["The call, which yields one step after the other"], calls + lasts),
        (["The last step on the page", DESCRIBED], expected),
        (["Is the last step the same?"], check),
        (["A picture of it, with Matplotlib"], drawing),
    ]
    return [Part(lines, "\n".join(code)) for lines, code in parts]


def _code_of(file: ModuleType) -> str:
    """Return the text of a module without its docstring."""
    return inspect.getsource(file).partition('"""\n\n')[2].rstrip()


def _file(module: str) -> str:
    return f"{module.replace('.', '/')}.py"


def _drawing(of: str, run: Run, source: Source) -> str:
    """Write the call that draws a run's last step, on its points if it has some."""
    call = run.call
    # the run was made by changing a step of another run
    while call and call.args and isinstance(call.args[0], Run):
        call = call.args[0].call
    given = [] if call is None else list(zip(names(call), call.args, strict=True))
    name, X = next(((name, each) for name, each in given if not callable(each)), ("", None))
    if not (isinstance(X, ndarray) and X.ndim == 2 and X.shape[1] <= 2):
        return f"draw(steps{of})"
    points = source.of(X, name)
    targets = [each for _, each in given if isinstance(each, ndarray) and each.shape == X.shape[:1]]
    if name == "plane" and not targets:  # a regression's x and y
        return f"draw(steps{of}, {points}[:, :1], {points}[:, 1])"
    return f"draw(steps{of}, {', '.join([points, *(source.of(y, 'y') for y in targets[:1])])})"


def _checks(of: str, run: Run) -> list[str]:
    """Write the assertions on a run. of : the suffix of its variables' names."""
    determined = getattr(run.steps[-1], "determined", True)
    total = len(run.steps)
    wrong = f'f"{{len(steps{of})}} steps, not {total}"'
    count = [f"assert len(steps{of}) == {total}, {wrong}"] if determined else []
    return [*count, f'same(last{of}, expected{of}, "last{of}")']


def _call(run: Run, source: Source) -> str:
    if run.call is None:
        raise Unwritable("The call that made this run is not known.")
    return source.call(run.call)


def _last_step(run: Run, source: Source) -> str:
    """Write the last step as a dictionary, one field on each line."""
    known = told(run.steps[-1]).items()
    return "{\n" + "".join(f"    {name!r}: {source.of(value)},\n" for name, value in known) + "}"


def as_script(parts: Iterable[Part]) -> str:
    """Write one Python file."""
    return "\n\n".join(f"{_comments(lines)}\n\n{code}\n" for lines, code in parts)


def as_notebook(parts: Iterable[Part]) -> str:
    """Write a notebook, in version 4.5 of its format."""
    cells: list[dict[str, Any]] = []
    for i, (lines, code) in enumerate(parts):
        first, *rest = map(_markdown, lines)
        text = "\n\n".join([f"{'##' if i else '#'} {first}", *rest])
        cells.append({"cell_type": "markdown", "id": f"text-{i}", "metadata": {}, "source": text})
        cells.append(
            {"cell_type": "code", "id": f"code-{i}", "metadata": {}, "source": code,
             "execution_count": None, "outputs": []}
        )  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5})


def told(value: Any) -> Any:
    """Return a step as numbers, text, arrays, and lists and dictionaries of these.

    Functions are left out, and so are fields that are not compared, because they differ between
    runs. A large array becomes a tuple of its shape, mean and standard deviation. A number that is
    only certain `Within` a distance becomes a tuple of the two.
    """
    if isinstance(value, Within):
        return tuple(value)
    if isinstance(value, Record):
        value = value.certain()
    if is_dataclass(value) and not isinstance(value, type):
        value = {each.name: getattr(value, each.name) for each in fields(value) if each.compare}
    if isinstance(value, dict):
        pairs = {name: told(inner) for name, inner in value.items()}
        return {name: inner for name, inner in pairs.items() if inner is not LEFT_OUT}
    if isinstance(value, list | tuple):
        inside = [told(inner) for inner in value]
        return LEFT_OUT if any(inner is LEFT_OUT for inner in inside) else inside
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, ndarray) and value.dtype != object:
        return value if value.size <= MOST_NUMBERS or value.dtype.kind == "U" else _described(value)
    return value if value is None or isinstance(value, bool | int | float | str) else LEFT_OUT


def _described(value: ndarray) -> tuple[tuple[int, ...], float, float]:
    """Return shape, mean and standard deviation of an array; NaN and infinity count as 0."""
    numbers = np.nan_to_num(value.astype(float), posinf=0.0, neginf=0.0)
    return value.shape, float(np.mean(numbers)), float(np.std(numbers))


def _comments(lines: Iterable[str]) -> str:
    """Write comments, one on each line, so that no text can break out of its comment."""
    return "\n".join(f"# {' '.join(line.split())}" for line in lines)


def _markdown(line: str) -> str:
    """Return Markdown that shows a line as it is, and an address as a link."""
    if line.startswith("http") and ">" not in line:
        return f"<{line}>"
    return "".join(f"\\{c}" if c in "\\`*_{}[]()#+-!<>|$" else c for c in line)
