"""Two classifiers on the same points, compared by the t-test over folds or over random splits.

Both are fitted to the points that are not held out, standardised by their own means and standard
deviations, and judged on the held-out points. Resample i gives the difference of their errors,
d_i = e_i(first) - e_i(second). After b resamples, with the mean m and standard deviation s of d,

    plain       t = m / (s sqrt(1/b))                        with b - 1 degrees of freedom
    corrected   t = m / (s sqrt(1/b + n_test/n_train))       with b - 1 degrees of freedom

The p-value is the probability of a t at least as far from 0, if both were equally good and the d_i
were independent and normal. They are not independent: the resamples share training points and, in
random splits, held-out points. The plain t counts every split as new information, so more splits
alone make it sure. The corrected t adds a term for what all splits share, which does not shrink.

A test that declares two equally good classifiers different raises a false alarm. False alarms can
be counted. Draw two classes with the means (-a, -a) and (a, a) and independent noise. One
classifier uses only the first feature, the other only the second, and each predicts the class with
the nearer mean. The features have the same distribution, so the two have the same expected error. A
test at 5 % should raise a false alarm on 5 % of all data sets, no matter how many splits are drawn.

Cost: two fits per resample.

Source: 002:1230 (comparing learning algorithms: k folds, paired); Dietterich 1998 (false alarms of
such tests); Nadeau and Bengio 2003 (the correction).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.special import stdtr, stdtrit

from algorithms.classification.classifiers import Classifier
from algorithms.core import splits, validate
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import Mapped
from algorithms.core.record import Record
from algorithms.evaluation.held_out_scores import BY_NAME
from algorithms.evaluation.rotating_folds import most_points

LEVEL = 0.05  # below this p-value a test declares the classifiers different
FOLDS, SPLITS = SCHEMES = ("folds", "random splits")

Event = Literal["a verdict changes", "all resamples drawn"]


@dataclass(frozen=True)
class Resampling:
    """How points are held out: by a scheme, a number of times.

    scheme : "folds", `resamples` of them, or "random splits", in which each point is held out with
    probability `test_share`.

    Raises ValueError unless the scheme is one of SCHEMES, resamples >= 1 and test_share is above 0
    and below 1.
    """

    scheme: str = SPLITS
    resamples: int = 10
    test_share: float = 0.3

    def __post_init__(self) -> None:
        """Check the numbers."""
        validate.choice("scheme", self.scheme, SCHEMES)
        validate.integer("resamples", self.resamples, 1)
        if not 0 < validate.number("test_share", self.test_share) < 1:
            raise ValueError(f"test_share must be between 0 and 1, got {self.test_share!r}")

    def parts(self, codes: Int[ndarray, " n"], rng: Generator) -> list[Bool[ndarray, " n"]]:
        """Draw the held-out points of every resample; some of every class stay in random splits.

        Raises ValueError unless there are at most n folds.
        """
        n = len(codes)
        if self.scheme == SPLITS:
            how = {"rng": rng, "codes": codes}
            return [splits.held_out(n, self.test_share, **how) for _ in range(self.resamples)]
        folds = validate.integer("folds", self.resamples, 2, n, high_name="n")
        dealt = splits.deal(codes, folds, True, rng)
        return [dealt == fold for fold in range(folds)]


RANDOM_SPLITS = Resampling()


@dataclass(frozen=True, eq=False)
class TTest(Record):
    """A t-test: t is the mean of some differences divided by its `standard_error`.

    `spread` is the standard deviation of the differences, `freedom` the degrees of freedom.
    """

    spread: float
    standard_error: float
    t: float
    freedom: int
    p: float

    @property
    def rejects(self) -> bool:
        """Return whether the test declares the classifiers different."""
        return self.p < LEVEL

    @property
    def half(self) -> float:
        """Return half the width of the interval around the mean that holds 0 unless it rejects."""
        return float(stdtrit(self.freedom, 1 - LEVEL / 2)) * self.standard_error


def t_test(differences: Float[ndarray, " b"], overlap: float = 0.0) -> TTest | None:
    """Test whether the mean of b differences is 0.

    overlap : n_test / n_train for the corrected test. Return None if there are fewer than two
    differences or all are equal.
    """
    b = len(differences)
    spread = float(differences.std(ddof=1)) if b > 1 else 0.0
    if spread <= 1e-12:  # shares of points that are equal but for rounding
        return None
    error = np.sqrt(1 / b + overlap) * spread
    t = differences.mean() / error
    return TTest(spread, float(error), float(t), b - 1, float(2 * stdtr(b - 1, -abs(t))))


@dataclass(frozen=True, eq=False)
class PairedStep(Record):
    """One resample: which held-out points each classifier gets wrong.

    `models` and the rows of `wrong` belong to the first and the second classifier. `differences`
    are the first's errors minus the second's, for all resamples so far. `overlap` is their mean
    n_test / n_train.

    Events: "a verdict changes" (of the plain or the corrected test); "all resamples drawn" (the
    end).
    """

    is_model = False

    classes: Int[ndarray, " k"]
    models: tuple[Mapped, Mapped]
    held_out: Bool[ndarray, " n"]
    wrong: Bool[ndarray, "2 n"]
    differences: Float[ndarray, " b"]
    overlap: float
    event: Event | None = None

    @property
    def mean(self) -> float:
        """Return the mean of the differences so far."""
        return float(self.differences.mean())

    @property
    def plain(self) -> TTest | None:
        """Return the test that takes the differences to be independent."""
        return t_test(self.differences)

    @property
    def corrected(self) -> TTest | None:
        """Return the test that allows for what the resamples share."""
        return t_test(self.differences, self.overlap)


def paired_comparison(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    first: str = "LDA",
    second: str = "k-NN",
    resampling: Resampling = RANDOM_SPLITS,
) -> Iterator[PairedStep]:
    """Hold out one fold or one random part in each step, and judge both classifiers on it.

    first, second : names in `BY_NAME`.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    folds are between 2 and n, every fold leaves two classes to learn from, and resamples * n is at
    most 200,000 (50,000 with support vector machines and perceptrons).
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    pair, most = pair_of(first, second), most_points(first, second)
    if resampling.resamples * len(X) > most:
        raise ValueError(
            f"resamples * n must be at most {most} with {first} and {second}, got "
            f"{resampling.resamples} * {len(X)}: every resample is two fits"
        )
    parts = resampling.parts(codes, rng)
    for out in parts:
        if len(left := np.unique(codes[~out])) < 2:
            raise ValueError(
                "y must name two classes outside every fold, got a fold that leaves only "
                f"class {classes[left[0]]}: use fewer folds, or draw more points"
            )
    return _compare(X, classes, codes, parts, pair, rng)


def pair_of(first: str, second: str) -> tuple[Classifier, Classifier]:
    """Return two classifiers by their names."""
    names = tuple(BY_NAME)
    return (
        BY_NAME[validate.choice("first", first, names)],
        BY_NAME[validate.choice("second", second, names)],
    )


def _compare(
    X: Float[ndarray, "n d"],
    classes: Int[ndarray, " k"],
    codes: Int[ndarray, " n"],
    parts: list[Bool[ndarray, " n"]],
    pair: tuple[Classifier, Classifier],
    rng: Generator,
) -> Iterator[PairedStep]:
    y, differences, ratios = classes[codes], [], []
    rejected = (False, False)
    for out in parts:
        models = fitted(X[~out], y[~out], pair, rng)
        wrong = np.array([model.predict(X) != y for model in models]) & out
        first, second = wrong.sum(axis=1) / max(out.sum(), 1)
        differences.append(first - second)
        ratios.append(out.sum() / (~out).sum())
        found, overlap = np.array(differences), float(np.mean(ratios))
        tests = (t_test(found), t_test(found, overlap))
        before, rejected = rejected, tuple(test is not None and test.rejects for test in tests)
        event: Event | None = "a verdict changes" if rejected != before else None
        if len(found) == len(parts):
            event = "all resamples drawn"
        yield PairedStep(classes, models, out, wrong, found, overlap, event)


def fitted(
    X: Float[ndarray, "m d"],
    y: Int[ndarray, " m"],
    pair: tuple[Classifier, Classifier],
    rng: Generator,
) -> tuple[Mapped, Mapped]:
    """Standardise points, and fit both classifiers to them."""
    features = polynomial_features(X, 1)
    F = features(X)
    first, second = (Mapped(features, each.fit(F, y, rng)) for each in pair)
    return first, second


@dataclass(frozen=True, eq=False)
class FalseAlarms(Record):
    """The share of `sets` data sets on which a test declares equally good classifiers different.

    `plain` and `corrected` have an entry for every number of resamples, from 1 on.
    """

    n: int
    sets: int
    plain: Float[ndarray, " b"]
    corrected: Float[ndarray, " b"]


def false_alarms(
    resampling: Resampling,
    *,
    rng: Generator,
    sets: int = 500,
    n: int = 100,
    apart: float = 0.5,
) -> FalseAlarms:
    """Count the false alarms of both tests in data sets of n points.

    apart : from 0 to a class mean, in standard deviations, along each of the two features.
    """
    y = rng.random((sets, n)) < 0.5
    X = rng.standard_normal((2, sets, n), np.float32) + np.where(y, apart, -apart).astype("f4")
    held, resamples = round(resampling.test_share * n), resampling.resamples
    random = resampling.scheme == SPLITS
    overlap = held / (n - held) if random else 1 / (resamples - 1)
    differences = np.empty((sets, resamples))
    dealt = rng.random((sets, n), np.float32).argsort(axis=1) % resamples
    for i in range(resamples):
        if random:
            place = rng.random((sets, n), np.float32)
            out = place < np.partition(place, held, axis=1)[:, [held]]
        else:
            out = dealt == i
        differences[:, i] = nearest_means_differ(X, y, out)
    return FalseAlarms(
        n, sets, rejected_after(differences, 0.0), rejected_after(differences, overlap)
    )


def nearest_means_differ(
    X: Float[ndarray, "2 sets n"], y: Bool[ndarray, "sets n"], out: Bool[ndarray, "sets n"]
) -> Float[ndarray, " sets"]:
    """Return the error of the nearest mean on the first feature, minus that on the second."""
    upper, lower = (y & ~out).astype("f4"), (~y & ~out).astype("f4")
    above = np.einsum("jbn,bn->jb", X, upper) / upper.sum(axis=1).clip(1)
    below = np.einsum("jbn,bn->jb", X, lower) / lower.sum(axis=1).clip(1)
    middle, up = (above + below) / 2, above > below
    said = (middle[..., None] < X) == up[..., None]
    errors = ((said != y) & out).sum(axis=2) / out.sum(axis=1)
    return errors[0] - errors[1]


def rejected_after(differences: Float[ndarray, "sets b"], overlap: float) -> Float[ndarray, " b"]:
    """Return the share of data sets on which the test rejects, after every number of resamples."""
    b = np.arange(1, differences.shape[1] + 1)
    mean = differences.cumsum(axis=1) / b
    squares = np.square(differences).cumsum(axis=1) / b - mean**2
    spread = np.sqrt(squares.clip(0) * b / (b - 1).clip(1))
    error = spread * np.sqrt(1 / b + overlap)
    known = spread > 1e-7
    t = np.divide(np.abs(mean), error, out=np.zeros_like(mean), where=known)
    p = 2 * stdtr((b - 1).clip(1), -t)
    return np.where(b > 1, p < LEVEL, False).mean(axis=0)
