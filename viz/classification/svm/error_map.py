"""Picture and words for the held-out errors of all pairs of C and gamma."""

import numpy as np

from algorithms.classification.svm.error_by_settings import ErrorBySettings
from viz.core.scene import Figure, View
from viz.core.settings_map import Places, SettingsMap, axis, mark
from viz.core.words import number

_EVERY = 2  # settings that an axis names, so that the names do not touch


def views(found: ErrorBySettings | None, C: float, gamma: float) -> list[View]:
    """Return the view of the map, if there is one to show. C, gamma : of the machine shown."""
    if found is None:
        return []
    figure = error_map(found, C, gamma)
    return [View(f"Wrong of {found.n} held out: ○ this C and γ, ★ fewest", lambda _: figure)]


def error_map(found: ErrorBySettings, C: float, gamma: float) -> Figure:
    """Draw how many held-out points each pair gets wrong, the stronger the more."""
    rows, columns = found.wrong.shape
    across, up = np.meshgrid(np.arange(columns), np.arange(rows))
    places = Places(np.column_stack([across.ravel(), up.ravel()]), (columns, rows))
    names = [f"C = {number(c)}, γ = {number(g)}" for g in found.gammas for c in found.prices]
    x, y = _axis("C", found.prices.tolist()), _axis("γ", found.gammas.tolist())
    drawn = SettingsMap(places, found.wrong.ravel(), names, "Held-out errors", x, y)
    fewest = mark(found.best[::-1], "star-open", "fewest points wrong")
    here = mark(found.of(C, gamma)[::-1], "circle-open", "C and γ of the machine shown")
    return drawn.draw(len(names), [fewest, here])


def _axis(title: str, values: list[float]) -> dict:
    """Return an axis with one place for every setting, and the names of some."""
    shown = range(0, len(values), _EVERY)
    return axis(title, len(values), shown, [number(values[i], 6) for i in shown])


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
