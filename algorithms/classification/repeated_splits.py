"""All classifiers on many random splits: how certain is their order, and how good is the winner?

Every split holds out a share of the points and fits every classifier to the others, standardised.
Let e_bj be the share of the held-out points of split b that classifier j gets wrong. After b splits

    mean_j = 1/b sum_b e_bj        spread_j^2 = 1/(b - 1) sum_b (e_bj - mean_j)^2

Two classifiers are compared split by split, by d_b = e_bj - e_bi. The splits share most of their
points, so the mean of d is less certain than its spread / sqrt(b) would say. With n_test held-out
and n_train training points its squared standard error is about

    (1/b + n_test / n_train) spread of d^2

Only the first term falls with more splits, since they do not add points. A difference from the best
of at most two standard errors could be chance: about there the corrected t-test rejects.

The best of several was picked by its errors, so these are too low for it (optimism). To see by how
much, the held-out points of every split are halved at random. The classifier with the lowest error
on one half (the first one in a tie) is judged on the other half, which did not pick it; then the
halves change places:

    promised = mean error on the half that picked it        kept = mean error on the other half

Cost: b times that of the wall. A split has at most `most` training points, drawn at random.

Source: 002:955 (evaluating hypotheses); Nadeau and Bengio 2003 (the standard error).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.classifiers import CLASSIFIERS, Classifier
from algorithms.core import validate
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import Mapped
from algorithms.core.record import Record, frozen
from algorithms.core.splits import held_out, some_of

Event = Literal["another classifier is best", "all splits drawn"]
MOST = 300  # training points of a split


@dataclass(frozen=True, eq=False)
class RepeatedSplitsStep(Record):
    """The errors after `splits` splits. The last split holds out `held_out` and fits to `used`.

    One number per classifier: `errors`, the shares of the last split's held-out points that it gets
    wrong (0 if none is held out); `mean` and `spread` of all splits' errors; `behind`, how far its
    mean is above that of the `best`, with `standard_error` (both spreads are 0 after a single
    split). `promised` and `kept` are the mean errors of the winners that a half of the held-out
    points picked, on that half and on the other. `models` are the last split's.

    Events: "another classifier is best" than after the split before; "all splits drawn", at the
    end.
    """

    splits: int
    classifiers: tuple[Classifier, ...]
    classes: Int[ndarray, " k"]
    models: tuple[Mapped, ...]
    used: Bool[ndarray, " n"]
    held_out: Bool[ndarray, " n"]
    errors: Float[ndarray, " c"]
    mean: Float[ndarray, " c"]
    spread: Float[ndarray, " c"]
    best: int
    behind: Float[ndarray, " c"]
    standard_error: Float[ndarray, " c"]
    promised: float
    kept: float
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X` by the best classifier, as fitted to this split."""
        return self.models[self.best].predict(X)

    @property
    def within_noise(self) -> Bool[ndarray, " c"]:
        """Return whether a classifier is behind the best by two standard errors at most."""
        return self.behind <= 2 * self.standard_error


class _Split(NamedTuple):
    """One split: its points, the errors, and the winners' errors on both halves.

    errors : of all classifiers. promised, kept : of those picked, averages of both halves.
    """

    models: tuple[Mapped, ...]
    used: ndarray
    out: ndarray
    errors: ndarray
    promised: float
    kept: float


def repeated_splits(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    n_splits: int = 20,
    test_share: float = 0.3,
    classifiers: Sequence[Classifier] = CLASSIFIERS,
    most: int = MOST,
) -> Iterator[RepeatedSplitsStep]:
    """Draw `n_splits` splits, a step for each, and fit all classifiers to each.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes
    and test_share is above 0 and below 1, and for numbers out of range; later, the error of a
    classifier that refuses the points of a split.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    n_splits = validate.integer("n_splits", n_splits, 1, 1000)
    most = validate.integer("most", most, 1)
    if not 0 < validate.number("test_share", test_share) < 1:
        raise ValueError(f"test_share must be between 0 and 1, got test_share={test_share!r}")
    splits = (
        _split(X, classes[codes], codes, classifiers, rng, test_share, most)
        for _ in range(n_splits)
    )
    return _run(classes, tuple(classifiers), n_splits, splits)


def _run(
    classes: Int[ndarray, " k"],
    classifiers: tuple[Classifier, ...],
    n_splits: int,
    splits: Iterator[_Split],
) -> Iterator[RepeatedSplitsStep]:
    c, best = len(classifiers), -1
    errors, promised, kept, ratios = np.empty((0, c)), [], [], []
    for b, split in enumerate(splits, start=1):
        errors = np.vstack([errors, split.errors])
        promised.append(split.promised)
        kept.append(split.kept)
        ratios.append(split.out.sum() / (~split.out).sum())
        mean = errors.mean(axis=0)
        was, best = best, int(mean.argmin())
        differences = errors - errors[:, [best]]
        event: Event | None = "another classifier is best" if 0 <= was != best else None
        yield RepeatedSplitsStep(
            splits=b,
            classifiers=classifiers,
            classes=classes,
            models=split.models,
            used=frozen(split.used),
            held_out=split.out,
            errors=split.errors,
            mean=mean,
            spread=_spread(errors),
            best=best,
            behind=mean - mean[best],
            standard_error=np.sqrt(1 / b + np.mean(ratios)) * _spread(differences),
            promised=float(np.mean(promised)),
            kept=float(np.mean(kept)),
            event="all splits drawn" if b == n_splits else event,
        )


def _spread(values: Float[ndarray, "b c"]) -> Float[ndarray, " c"]:
    """Return the standard deviations over the splits, 0 of a single one."""
    return values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])


def _split(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    codes: Int[ndarray, " n"],
    classifiers: Sequence[Classifier],
    rng: Generator,
    test_share: float,
    most: int,
) -> _Split:
    out = held_out(len(X), test_share, rng=rng, codes=codes)
    used = some_of(~out, most, rng=rng, codes=codes)
    features = polynomial_features(X[used], 1)
    F = features(X[used])
    models = tuple(Mapped(features, c.fit(F, y[used], rng)) for c in classifiers)
    wrong = np.array([model.predict(X[out]) != y[out] for model in models])
    halves = np.array_split(rng.permutation(wrong.shape[1]), 2)
    first, second = (_share(wrong[:, half]) for half in halves)
    by_first, by_second = first.argmin(), second.argmin()
    return _Split(
        models,
        used,
        out,
        errors=_share(wrong),
        promised=float(first[by_first] + second[by_second]) / 2,
        kept=float(second[by_first] + first[by_second]) / 2,
    )


def _share(wrong: Bool[ndarray, "c m"]) -> Float[ndarray, " c"]:
    return wrong.sum(axis=1) / max(wrong.shape[1], 1)
