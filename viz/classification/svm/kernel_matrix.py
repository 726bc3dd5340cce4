"""Picture and words for a kernel matrix and its eigenvalues."""

import numpy as np

from algorithms.classification.svm.kernel_matrix import KernelMatrix
from algorithms.core.kernels import Kernel
from viz.core import curves, plane
from viz.core.words import number

_SHADES = 8
_MOST_ROWS = 100
_FLOOR = 1e-16  # below this times the largest, an eigenvalue is drawn as this
_ACCENT = "#D55E00"


def still(figure: dict, _now: int) -> dict:
    """Show the same figure at every step."""
    return figure


def matrix(found: KernelMatrix) -> dict:
    """Draw the kernel matrix, class by class, and its eigenvalues."""
    m = len(found.values)
    every = -(-m // _MOST_ROWS)
    values = found.values[::every, ::every]
    low, high = np.quantile(values, [0.02, 0.98])  # a few far points would fade all the others
    share = ((values - low) / ((high - low) or 1.0)).clip(0, 1)
    shade = (share * (_SHADES - 1)).round().astype(np.uint8)
    blue = np.tile(np.array([[0, 114, 178]], np.uint8), (_SHADES, 1))
    opacity = np.linspace(0, 255, _SHADES).astype(np.uint8)
    box = (0.5, m + 0.5, 0.5, m + 0.5)
    sizes = np.abs(found.eigenvalues)
    sizes = np.maximum(sizes, _FLOOR * (sizes.max() or 1.0))
    noise = np.abs(found.eigenvalues) <= found.noise
    negative = (found.eigenvalues < 0) & ~noise
    spectrum = np.column_stack([np.arange(1, m + 1), sizes])
    right = {"xaxis": "x2", "yaxis": "y2", "mode": "markers"}
    traces = [
        plane.image(shade[::-1], blue, opacity, box),
        plane.line(spectrum[~negative & ~noise], marker={"size": 5}, **right),
        plane.line(
            spectrum[noise], marker={"size": 4, "symbol": 134, "line": {"width": 1}}, **right
        ),
        plane.line(spectrum[negative], marker={"size": 7, "symbol": 6, "color": _ACCENT}, **right),
    ]
    shown = np.log10(sizes)
    bottom, top = float(shown.min()), float(shown.max())
    layout = curves.panel_layout(
        xaxis={"range": [0.5, m + 0.5], "domain": [0, 0.36], "visible": False},
        yaxis={"range": [0.5, m + 0.5], "visible": False},
        xaxis2={"range": [0, m + 1], "domain": [0.52, 1], "anchor": "y2", "nticks": 5},
        yaxis2={"type": "log", "range": [bottom - 0.5, top + 0.8], "nticks": 4, "anchor": "x2"}
        | {"title": {"text": "|eigenvalue|"}, "exponentformat": "power"},
    )
    layout["margin"] = {**layout["margin"], "l": 10}
    return {"data": traces, "layout": layout}


def title(found: KernelMatrix) -> str:
    """Say what the eigenvalues say."""
    part = "" if found.complete else f" ({len(found.values)} points)"
    if not found.definite:
        return f"Kernel matrix{part}: ▼ negative eigenvalues, not semi-definite"
    rank = int((np.abs(found.eigenvalues) > found.noise).sum())
    return f"Kernel matrix{part}: {rank} eigenvalues are not 0, none is negative"


def verdict(found: KernelMatrix, kernel: Kernel) -> str:
    """Say whether the kernel is one, for the points at hand."""
    part = "the points" if found.complete else f"{len(found.values)} of the points"
    smallest = f"smallest eigenvalue on {part}: {number(found.eigenvalues[-1])}"
    if not found.definite:
        return (
            f"k(a, b) = {kernel} is not positive semi-definite ({smallest}): the dual is not "
            "concave, SMO climbs to some place where no pair can rise, and primal and dual need "
            "not meet."
        )
    if kernel.definite:
        return f"k(a, b) = {kernel} is positive semi-definite, whatever the points."
    return f"k(a, b) = {kernel} is positive semi-definite on {part} ({smallest}), not in general."
