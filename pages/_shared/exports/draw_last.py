# pyright: reportMissingImports=false
"""Draws the last step of an exported run with Matplotlib; scripts contain this code."""

from dataclasses import fields

import numpy as np

MOST_CURVES = 3


def draw(steps, X=None, y=None):
    """Draw the last step: points, predictions, and how the numbers changed over the steps."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        print("With Matplotlib (pip install matplotlib) you also get a picture of the last step.")
        return
    curves = numbers(steps)
    count = len(curves) + (X is not None)
    if not count:
        return
    _, axes = plt.subplots(1, count, figsize=(5 * count, 4.5), squeeze=False, layout="constrained")
    for ax, (name, values) in zip(axes[0][::-1], curves.items(), strict=False):
        ax.plot(values, marker="." if len(values) < 50 else "")
        ax.set(title=name, xlabel="step")
    if X is not None:
        draw_points(axes[0][0], steps[-1], X, y)
    plt.show()


def numbers(steps):
    """Return the step's numbers that change from step to step, each as a list."""
    names = [each.name for each in fields(steps[-1])] if len(steps) > 1 else []
    lists = {name: [getattr(step, name, None) for step in steps] for name in names}
    changing = {
        name: values for name, values in lists.items()
        if all(isinstance(value, float | np.floating) for value in values) and len({*values}) > 1
    }  # fmt: skip
    return dict(list(changing.items())[:MOST_CURVES])


def draw_points(ax, last, X, y):
    """Draw points of one or two features, and what the step predicts between them."""
    low, high = X.min(axis=0), X.max(axis=0)
    if X.shape[1] == 1:
        x = np.linspace(low, high, 300)
        if y is not None:
            ax.scatter(X, y, s=15)
        if hasattr(last, "predict"):
            ax.plot(x, last.predict(x), color="C1")
        return
    groups = getattr(last, "labels", y)
    groups = np.zeros(len(X)) if groups is None or len(groups) != len(X) else np.asarray(groups)
    u, v = np.meshgrid(*np.linspace(low, high, 150).T)
    grid = np.column_stack([u.ravel(), v.ravel()])
    found = np.asarray(last.predict(grid)) if hasattr(last, "predict") else None
    names = np.unique(groups if found is None else np.concatenate([groups, found]))
    few = len(names) <= 10  # classes or clusters; more values than this are those of a function
    look = {"cmap": "tab10", "vmin": -0.5, "vmax": 9.5} if few else {"cmap": "viridis"}
    if found is not None:
        shade = np.searchsorted(names, found) if few else found
        ax.pcolormesh(u, v, shade.reshape(u.shape), alpha=0.3, **look)
    ax.scatter(*X.T, s=15, c=np.searchsorted(names, groups) if few else groups, **look)
