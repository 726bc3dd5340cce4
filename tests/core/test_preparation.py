import numpy as np

from algorithms.core.features import polynomial_features
from viz.core.preparation import preprocessing, scales
from viz.core.scene import Plane
from viz.core.words import number


def test_the_preprocessing_is_stated() -> None:
    X = np.random.default_rng(0).normal(3, 2, (40, 2))
    center, spread = X.mean(axis=0), X.std(axis=0)
    u = [f"({n} − {number(c)}) / {s:.3g}" for n, c, s in zip("xy", center, spread, strict=True)]
    linear = preprocessing(polynomial_features(X, 1), ("x", "y"))
    assert linear == f"The features are standardised: {', '.join(u)}."
    cubic = preprocessing(polynomial_features(X, 3), ("x", "y"))
    assert ", ".join(u) in cubic and "9 products x, y, x², xy, y², x³" in cubic
    raw = preprocessing(polynomial_features(X, 2, standardize=False), ("x", "y"))
    assert raw == "The features x, y, x², xy, y² are not standardised."


def test_axes_of_unlike_scales_are_named() -> None:
    nothing = (np.empty((0, 2)), np.empty(0, int), (), ("x", "y"))
    assert scales(Plane(*nothing, (1.0, 3.0, 10.0, 12.0))) == ""
    assert "different scales" in scales(Plane(*nothing, (1.0, 3.0, 10.0, 13.0)))
