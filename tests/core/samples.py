"""Data that tests draw: samples of the presets, and the board that holds them."""

from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.data.presets import DATASETS, Dataset
from viz.core import plane
from viz.core.plane import Plane


def rng(seed: int = 0) -> np.random.Generator:
    """Return a generator of its own for every call."""
    return np.random.default_rng(seed)


def dataset(name: str, n: int | None = None, *, sample: int = 0, **how: Any) -> Dataset:
    """Draw a sample of a preset, as large and as noisy as the app shows it first."""
    preset = DATASETS[name]
    return preset.make(n or preset.n, **{"noise": preset.noise, "rng": rng(sample)} | how)


def points_of(name: str, n: int | None = None, *, sample: int = 0, **how: Any) -> ndarray:
    """Draw the points of a preset on the plane."""
    return dataset(name, n, sample=sample, **how).X


def labelled(
    name: str, n: int | None = None, *, sample: int = 0, **how: Any
) -> tuple[ndarray, ndarray]:
    """Draw the points of a preset on the plane, and their classes."""
    data = dataset(name, n, sample=sample, **how)
    return data.X, data.labels


def features_and_target(name: str, *, one: bool, sample: int = 0) -> tuple[ndarray, ndarray]:
    """Draw features and target of a preset. one : only the feature on the plane."""
    data = dataset(name, sample=sample)
    X = data.X[:, :1] if one else np.delete(data.table, data.y, axis=1)
    return X, data.table[:, data.y]


def board(X: ndarray, y: ndarray | None = None, classes: tuple[str, ...] = ("1",)) -> Plane:
    """Put points on the board, by default without classes."""
    labels = np.zeros(len(X), int) if y is None else y
    return Plane(X, labels, classes, ("x", "y"), plane.bounds(X))


def board_of(data: Dataset) -> Plane:
    """Put a data set on the board."""
    names = (data.columns[data.x], data.columns[data.y])
    return Plane(data.X, data.labels, data.classes, names, plane.bounds(data.X))
