"""An error after a selection: columns chosen inside the folds, or outside, with all rows.

The k columns with the largest correlation |r_j| with the class are chosen among d, and a classifier
by least squares uses them. Cross-validation holds out one fold after the other:

    outside    r_j on all rows, once;  then learn on the other folds, test on the fold
    inside     r_j on the other folds; then learn on the other folds, test on the fold

Outside, the held-out rows have had a say in the choice. If the columns are noise, every classifier
is wrong on half of new rows. Inside, the folds report this on average. Outside, they report far
less: the chosen columns are those that fit the held-out rows by chance.

Cost: O(n d) per fold.

Source: 20APC3316, subset selection; Ambroise and McLachlan 2002; Hastie, Tibshirani and Friedman
2009, section 7.10.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.splits import deal


@dataclass(frozen=True, eq=False)
class FoldStep(Record):
    """One fold: which columns were chosen, and how they do on the rows of the fold.

    fold : its index. chosen : (k,) columns, the largest |r_j| first. learned, held : (d,)
    correlations of the columns with the class on the other folds, and on this one. wrong : (f,)
    errors on each fold so far. rows : (f,) their sizes.
    """

    is_model = False

    fold: int
    chosen: Int[ndarray, " k"]
    learned: Float[ndarray, " d"]
    held: Float[ndarray, " d"]
    wrong: Int[ndarray, " f"]
    rows: Int[ndarray, " f"]
    event: None = None

    @property
    def error(self) -> float:
        """Return the share of held-out rows so far that are wrong."""
        return int(self.wrong.sum()) / int(self.rows.sum())


def selection_in_folds(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    keep: int = 5,
    folds: int = 5,
    inside: bool = False,
    rng: Generator,
) -> Iterator[FoldStep]:
    """Cross-validate a choice of `keep` columns (all, if there are fewer); y has two classes.

    Raises ValueError, at the call, unless X is (n, d), y names two classes, keep is at least 1, and
    folds at least 2; every row has a fold of its own if there are fewer rows.
    """
    X = validate.points(X)
    _, signs = validate.two_labels(y, len(X))
    keep = min(validate.integer("keep", keep, 1), X.shape[1])
    folds = min(validate.integer("folds", folds, 2), len(X))
    fold = deal((signs > 0).astype(int), folds, True, rng)
    chosen = None if inside else strongest(correlations(X, signs), keep)
    step = partial(advance, X, signs, fold, chosen, keep)
    return iterate(step(None), step, most=folds - 1, stopped=None)


def advance(
    X: Float[ndarray, "n d"],
    signs: Float[ndarray, " n"],
    fold: Int[ndarray, " n"],
    chosen: Int[ndarray, " k"] | None,
    keep: int,
    step: FoldStep | None,
) -> FoldStep:
    """Hold out the next fold, or the first one.

    chosen : the columns; None if they are chosen without the rows of the fold.
    """
    f = 0 if step is None else step.fold + 1
    out = fold == f
    learned, held = (correlations(X[part], signs[part]) for part in (~out, out))
    if chosen is None:
        chosen = strongest(learned, keep)
    scores = fitted(X[~out][:, chosen], signs[~out], X[out][:, chosen])
    missed, count = int(((scores > 0) != (signs[out] > 0)).sum()), int(out.sum())
    if step is None:
        return FoldStep(f, chosen, learned, held, np.array([missed]), np.array([count]))
    wrong, rows = np.append(step.wrong, missed), np.append(step.rows, count)
    return FoldStep(f, chosen, learned, held, wrong, rows)


def correlations(X: Float[ndarray, "n d"], signs: Float[ndarray, " n"]) -> Float[ndarray, " d"]:
    """Return r_j of every column with the class, 0 where one of both does not vary."""
    A, b = X - X.mean(axis=0), signs - signs.mean()
    scale = np.abs(A).max(axis=0)
    A = A / np.where(scale > 0, scale, 1.0)
    size = np.sqrt((A**2).sum(axis=0) * (b**2).sum())
    return np.clip(b @ A / np.where(size > 0, size, 1.0), -1, 1)


def strongest(r: Float[ndarray, " d"], keep: int) -> Int[ndarray, " k"]:
    """Return the columns with the largest |r_j|."""
    return np.argsort(-np.abs(r), kind="stable")[:keep]


def fitted(
    A: Float[ndarray, "n k"], b: Float[ndarray, " n"], new: Float[ndarray, "m k"]
) -> Float[ndarray, " m"]:
    """Return the predictions of least squares with an intercept for new rows."""
    mean = A.mean(axis=0)
    weights = np.linalg.lstsq(A - mean, b - b.mean(), rcond=None)[0]
    return (new - mean) @ weights + b.mean()


def noise(n: int, d: int, *, rng: Generator) -> tuple[Float[ndarray, "n d"], Int[ndarray, " n"]]:
    """Return columns of noise, and classes of equal size that have nothing to do with them."""
    return rng.normal(size=(n, d)), rng.permutation(np.arange(n) % 2)


def reported(
    n: int, d: int, *, keep: int, folds: int, samples: int, rng: Generator
) -> Float[ndarray, "samples 2"]:
    """Return the errors that samples of noise report: chosen outside, and inside the folds."""
    errors = np.empty((samples, 2))
    for i, stream in enumerate(rng.spawn(samples)):
        X, y = noise(n, d, rng=stream)
        seed = int(stream.integers(2**32))
        for inside in (False, True):
            deals = np.random.default_rng(seed)
            *_, last = selection_in_folds(X, y, keep=keep, folds=folds, inside=inside, rng=deals)
            errors[i, int(inside)] = last.error
    return errors
