"""Picture and words for the held-out errors of all pairs of C and gamma."""

import numpy as np

from algorithms.classification.svm.error_by_settings import ErrorBySettings
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, View
from viz.core.theme import NOW, RGB
from viz.core.told import told
from viz.core.words import number

_SHADES = 8
_DARKEST = 170  # of 255: the numbers on the darkest cell stay readable
_EVERY = 2  # settings that an axis names, so that the names do not touch


def views(found: ErrorBySettings | None, C: float, gamma: float) -> list[View]:
    """Return the view of the map, if there is one to show. C, gamma : of the machine shown."""
    if found is None:
        return []
    figure = error_map(found, C, gamma)
    return [View(f"Wrong of {found.n} held out: ○ this C and γ, ★ fewest", lambda _: figure)]


def error_map(found: ErrorBySettings, C: float, gamma: float) -> Figure:
    """Draw how many held-out points each pair gets wrong, the darker the more."""
    rows, columns = found.wrong.shape
    low, high = int(found.wrong.min()), int(found.wrong.max())
    share = (found.wrong - low) / max(high - low, 1)
    shade = (share * (_SHADES - 1)).round().astype(np.uint8)
    blue = np.tile(np.array([RGB[0]], np.uint8), (_SHADES, 1))
    opacity = np.linspace(0, _DARKEST, _SHADES).astype(np.uint8)
    cells = plane.image(shade, blue, opacity, (-0.5, columns - 0.5, -0.5, rows - 0.5))
    across, up = np.meshgrid(np.arange(columns), np.arange(rows))
    places = np.column_stack([across.ravel(), up.ravel()]).astype(float)
    here, best = found.of(C, gamma), found.best
    traces = [
        cells | {"zsmooth": False, "name": "points wrong, the darker the more"},
        plane.line(
            places, mode="text", text=[str(count) for count in found.wrong.ravel().tolist()],
        ),
        _mark(best, "star-open", "fewest points wrong"),
        _mark(here, "circle-open", "C and γ of the machine shown"),
    ]  # fmt: skip
    x = _axis("C", found.prices.tolist())
    y = _axis("γ", found.gammas.tolist())
    figure = panels.alone(Panel(traces, x, y))
    names = [f"C = {number(c)}, γ = {number(g)}" for g in found.gammas for c in found.prices]
    return figure | told("Held-out errors", "pair", names, {"points wrong": found.wrong.ravel()})


def _mark(pair: tuple[int, int], symbol: str, name: str) -> dict:
    look = {"symbol": symbol, "size": 24, "color": NOW, "line": {"width": 1.5}}
    place = {"x": [pair[1]], "y": [pair[0]]}
    return curves.marked(0, 0) | place | {"marker": look, "name": name}


def _axis(title: str, values: list[float]) -> dict:
    """Return an axis with one place for every setting, and the names of some."""
    shown = range(0, len(values), _EVERY)
    return {
        "title": {"text": title, "standoff": 4},
        "range": [-0.5, len(values) - 0.5],
        "tickvals": list(shown),
        "ticktext": [number(values[i], 6) for i in shown],
        "showgrid": False,
        "scaleanchor": False,  # images make Plotly draw square cells
    }


def note(found: ErrorBySettings | None, C: float, gamma: float) -> str:
    """Write what this pair and the best one get wrong, and that the best number is optimistic."""
    if found is None:
        return ""
    row, column = found.best
    least = found.wrong[row, column]
    return (
        f" Held out in five folds, this C and γ get {found.wrong[found.of(C, gamma)]} of {found.n} "
        f"points wrong; C = {number(found.prices[column], 6)} and γ = "
        f"{number(found.gammas[row], 6)} get the fewest wrong, {least}. This lowest number is "
        "optimistic, since the pair was chosen on these very points."
    )
