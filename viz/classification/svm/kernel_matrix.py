"""Picture and words for a kernel matrix and its eigenvalues."""

import numpy as np

from algorithms.classification.svm.kernel_matrix import KernelMatrix
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import Kernel
from viz.core import panels, plane
from viz.core.panels import Panel
from viz.core.preparation import preprocessing
from viz.core.scene import Figure, Plane, View
from viz.core.theme import RGB
from viz.core.words import number

_SHADES = 8
_MOST_ROWS = 100
_FLOOR = 1e-16  # below this times the largest, an eigenvalue is drawn as this


def views(found: KernelMatrix | None) -> list[View]:
    """Return the view of the matrix, if there is one to show."""
    if found is None:
        return []
    figure = matrix(found)
    return [View(title(found), lambda _: figure)]


def note(
    data: Plane, features: PolynomialFeatures, found: KernelMatrix | None, kernel: Kernel
) -> str:
    """Write how the columns are scaled, and whether the formula is a kernel if this is in doubt."""
    done = preprocessing(features, data.names)
    return f"{done} {verdict(found, kernel)}" if found else done


def matrix(found: KernelMatrix) -> Figure:
    """Draw the kernel matrix, class by class, and its eigenvalues."""
    left, right = _cells(found), _spectrum(found)
    figure = panels.side_by_side(left, right, split=0.36, room=0.16)
    figure["layout"]["margin"] |= {"l": 10, "b": 26}
    return figure


def _cells(found: KernelMatrix) -> Panel:
    m = len(found.values)
    every = -(-m // _MOST_ROWS)
    values = found.values[::every, ::every]
    low, high = np.quantile(values, [0.02, 0.98])  # a few far points would fade all the others
    share = ((values - low) / ((high - low) or 1.0)).clip(0, 1)
    shade = (share * (_SHADES - 1)).round().astype(np.uint8)
    blue = np.tile(np.array([RGB[0]], np.uint8), (_SHADES, 1))
    opacity = np.linspace(0, 255, _SHADES).astype(np.uint8)
    box = (0.5, m + 0.5, 0.5, m + 0.5)
    hidden = {"range": [0.5, m + 0.5], "visible": False}
    return Panel([plane.image(shade[::-1], blue, opacity, box)], hidden, hidden)


def _spectrum(found: KernelMatrix) -> Panel:
    m = len(found.values)
    sizes = np.abs(found.eigenvalues)
    sizes = np.maximum(sizes, _FLOOR * (sizes.max() or 1.0))
    noise = np.abs(found.eigenvalues) <= found.noise
    negative = (found.eigenvalues < 0) & ~noise
    spectrum = np.column_stack([np.arange(1, m + 1), sizes])
    faint = {"size": 4, "symbol": 134, "line": {"width": 1}}
    traces = [
        plane.line(spectrum[chosen], mode="markers", marker=marker)
        for chosen, marker in (
            (~negative & ~noise, {"size": 5}),
            (noise, faint),
            (negative, {"size": 7, "symbol": 6}),
        )
    ]
    shown = np.log10(sizes)
    bottom, top = float(shown.min()), float(shown.max())
    y = {"type": "log", "range": [bottom - 0.5, top + 0.8], "nticks": 4}
    y |= {"title": {"text": "|eigenvalue|"}, "exponentformat": "power"}
    return Panel(traces, {"range": [0, m + 1], "nticks": 5}, y)


def title(found: KernelMatrix) -> str:
    """Write what the eigenvalues show."""
    part = "" if found.complete else f" ({len(found.values)} points)"
    if not found.definite:
        return f"Kernel matrix{part}: ▼ negative eigenvalues, not semi-definite"
    rank = int((np.abs(found.eigenvalues) > found.noise).sum())
    return f"Kernel matrix{part}: {rank} eigenvalues are above rounding, none is negative"


def verdict(found: KernelMatrix, kernel: Kernel) -> str:
    """Write whether the kernel is positive semi-definite on the points."""
    part = "the points" if found.complete else f"{len(found.values)} of the points"
    smallest = f"smallest eigenvalue on {part}: {number(found.eigenvalues[-1])}"
    if not found.definite:
        return (
            f"k(a, b) = {kernel} is not positive semi-definite ({smallest}): the dual is not "
            "concave. SMO climbs to a place where every point keeps its condition. Primal and dual "
            "meet there, but this need not be a maximum."
        )
    if kernel.definite:
        return f"k(a, b) = {kernel} is positive semi-definite, whatever the points."
    return f"k(a, b) = {kernel} is positive semi-definite on {part} ({smallest}), not in general."
