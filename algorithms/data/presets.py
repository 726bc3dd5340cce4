"""Data sets chosen to teach: seeded presets on the plane, regression tables, and real data.

A preset is a function `(n, *, noise, rng) -> Dataset`; `DATASETS` names them all. `noise` is a
standard deviation in data units (for real data, in units of each column's own spread). The same
seed draws the same points whatever the noise, so a change of the noise moves points instead of
replacing them. Plane data fills about [-3, 3] x [-3, 3].

In regression data the column on the y axis is the target and every other column is a feature.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.record import Record
from algorithms.core.validate import integer

MAX_ROWS = 5000
MAX_CLASSES = 8
MAX_NOISE = 1.0
_SIDES = np.array([[1.0, -1.2], [-1.0, 1.2]])  # centres of the two classes of `separable`


@dataclass(frozen=True, eq=False)
class Dataset(Record):
    """A table of numbers with a class for each row, and the two columns that span the plane."""

    name: str
    table: Float[ndarray, "n c"]
    columns: tuple[str, ...]
    labels: Int[ndarray, " n"]  # index into `classes`; zeros where there are no classes
    classes: tuple[str, ...]
    x: int = 0
    y: int = 1
    about: str = ""  # one line: what it teaches, or the source of real data

    def __post_init__(self) -> None:
        """Raise ValueError unless table, labels and names fit together."""
        super().__post_init__()
        n, c = self.table.shape
        integer("the number of columns", c, 2)
        integer("the number of classes", len(self.classes), 1, MAX_CLASSES)
        if len(self.columns) != c:
            raise ValueError(f"columns must name all {c} columns, got {len(self.columns)} names")
        if self.labels.shape != (n,):
            raise ValueError(f"labels must have shape ({n},), got {self.labels.shape}")
        integer("x", self.x, 0, c - 1)
        integer("y", self.y, 0, c - 1)
        for label in (self.labels.min(), self.labels.max()) if n else ():
            integer("labels", label, 0, len(self.classes) - 1)

    @property
    def X(self) -> Float[ndarray, "n 2"]:
        """Return the points on the plane."""
        return self.table[:, [self.x, self.y]]


@dataclass(frozen=True)
class Knob:
    """An additional parameter that some presets have, as a keyword called `name`."""

    name: str
    label: str
    low: int
    high: int
    value: int


@dataclass(frozen=True)
class Preset:
    """A menu entry: `make(n, noise=noise, rng=rng)`, with `**{knob.name: value}` for a knob."""

    label: str
    kind: Literal["classes", "regression", "real"]
    make: Callable[..., Dataset]
    n: int = 200  # real data have all their rows instead
    noise: float = 0.0
    knob: Knob | None = None


# Classes


def blobs(n: int, *, noise: float, rng: Generator, classes: int = 3) -> Dataset:
    """Draw round clusters, evenly spaced on a circle of radius 2; `noise` is their spread."""
    _check(n, noise)
    integer("classes", classes, 2, 6)
    labels = np.arange(n) % classes
    X = 2 * _circle(0.5 + labels / classes) + noise * rng.normal(size=(n, 2))
    about = "Round and equally large: what k-means and Gaussian naive Bayes assume."
    return _plane("blobs", X, labels, classes, about)


def stretched(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw three parallel clusters, long and thin; `noise` is their width."""
    _check(n, noise)
    labels = np.arange(n) % 3
    along, across = rng.normal(size=(2, n)) * [[1.0], [noise]]
    X = np.column_stack([along, across + 1.4 * (labels - 1)]) @ [[0.8, 0.6], [-0.6, 0.8]]
    about = "Long and thin: distance to the centre misleads k-means, a full covariance does not."
    return _plane("stretched", X, labels, 3, about)


def parallel(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw two long clusters side by side; `noise` is their width."""
    _check(n, noise)
    labels = np.arange(n) % 2
    along, across = rng.normal(size=(2, n)) * [[1.2], [noise]]
    X = np.column_stack([along, across + 1.0 * (labels - 0.5)]) @ [[0.8, 0.6], [-0.6, 0.8]]
    about = "Most variance is along both clusters, what tells them apart is across: PCA drops it."
    return _plane("parallel", X, labels, 2, about)


def unequal(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw a large wide cluster and two small tight ones (8:1:1); `noise` spreads the wide one."""
    _check(n, noise)
    labels = np.array([0, 0, 0, 0, 1, 0, 0, 0, 0, 2])[np.arange(n) % 10]
    centers = np.array([[-0.9, 0.0], [1.9, 1.2], [1.9, -1.2]])
    spread = noise * np.array([1.0, 0.3, 0.3])[labels, None]
    X = centers[labels] + spread * rng.normal(size=(n, 2))
    about = "Unequal size and spread: k-means cuts the large cluster to feed the small ones."
    return _plane("unequal", X, labels, 3, about)


def leaning(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw a round cluster and two long ones that lean (2:1:1); `noise` is the long ones' width."""
    _check(n, noise)
    labels = np.array([0, 0, 1, 2])[np.arange(n) % 4]
    lean = np.where(labels == 2, -1, 1)
    first, second = rng.normal(size=(2, n))
    round_ = np.column_stack([first - 0.3, second])
    along, across = 0.8 * first, noise * second
    long = np.column_stack(
        [0.9 + 0.8 * along - 0.6 * lean * across, lean * (1.2 + 0.6 * along) + 0.8 * across]
    )
    X = np.where(labels[:, None] == 0, round_, long)
    about = "Each class has a shape of its own: no shape that they share fits all."
    return _plane("leaning", X, labels, 3, about)


def moons(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw two interlocking half circles; `noise` blurs them."""
    _check(n, noise)
    labels = np.arange(n) % 2
    half_turn = 0.5 * rng.uniform(size=n)
    upper = 1.6 * _circle(half_turn) + [-0.8, -0.4]
    X = np.where(labels[:, None] == 0, upper, -upper) + noise * rng.normal(size=(n, 2))
    about = "Each moon holds the end of the other: no straight line separates them."
    return _plane("moons", X, labels, 2, about)


def scattered(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw two moons, and 1 of 20 points anywhere around them; `noise` blurs the moons."""
    data = moons(n, noise=noise, rng=rng)
    anywhere = rng.uniform([-2.6, -2.2], [2.6, 2.6], size=(n, 2))
    X = np.where(np.arange(n)[:, None] < n // 20, anywhere, data.X)
    about = "Two moons among scattered points: k-means gives all of them to a cluster."
    return _plane("scattered", X, data.labels, 2, about)


def circles(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw a ring of radius 1 inside a ring of radius 2.2; `noise` blurs both."""
    _check(n, noise)
    labels = np.arange(n) % 2
    radius = np.where(labels == 0, 1.0, 2.2)[:, None]
    X = radius * _circle(rng.uniform(size=n)) + noise * rng.normal(size=(n, 2))
    about = "Ring in ring: inseparable by a line in x and y, separable by one in x² and y²."
    return _plane("circles", X, labels, 2, about)


def spirals(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw two arms of one and a half turns each; `noise` blurs them."""
    _check(n, noise)
    labels = np.arange(n) % 2
    reach = np.sqrt(rng.uniform(0.02, 1.0, size=n))
    X = 2.8 * reach[:, None] * _circle(1.5 * reach + labels / 2) + noise * rng.normal(size=(n, 2))
    about = "Only a flexible model follows the arms; watch what it does between them."
    return _plane("spirals", X, labels, 2, about)


def spiral(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw one arm of two turns, with six classes from its inner end to its outer one."""
    _check(n, noise)
    along = (np.arange(n) + rng.uniform(size=n)) / max(n, 1)  # of the arm, from the inside
    reach = np.sqrt(0.04 + 0.96 * along)  # so that points are equally dense along the arm
    X = 2.8 * reach[:, None] * _circle(2 * reach) + noise * rng.normal(size=(n, 2))
    about = "A bent line: along the arm far points may be near through the air."
    return _plane("spiral", X, np.minimum(6 * along, 5).astype(int), 6, about)


def s_curve(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw an S of two arcs of 270 degrees, with six classes from one end to the other."""
    _check(n, noise)
    along = (np.arange(n) + rng.uniform(size=n)) / max(n, 1)
    turn, side = 1.5 * (along - 0.5), np.where(along < 0.5, -1.0, 1.0)
    x, y = _circle(turn).T
    X = 1.4 * np.column_stack([-y, side * (1 - x)]) + noise * rng.normal(size=(n, 2))
    about = "An S: its two arms are near its middle through the air, and far along the line."
    return _plane("s_curve", X, np.minimum(6 * along, 5).astype(int), 6, about)


def xor(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw a class for each pair of opposite quadrants; `noise` blurs the borders."""
    _check(n, noise)
    quadrant = np.arange(n) % 4
    corner = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])[quadrant]
    X = corner * rng.uniform(0.3, 2.5, size=(n, 2)) + noise * rng.normal(size=(n, 2))
    about = (
        "Neither x nor y tells anything alone: a line fails, a tree's first split gains nothing."
    )
    return _plane("xor", X, quadrant % 2, 2, about)


def gates(n: int, *, noise: float, rng: Generator, second: int = 2) -> Dataset:
    """Draw the truth table of a logic gate at four corners; `second` corners have class 2.

    1 is AND (the corner where both are true), 2 is XOR, 3 is OR; `noise` blurs the corners.
    """
    _check(n, noise)
    integer("second", second, 1, 3)
    corner = np.arange(n) % 4
    true = {1: [3], 2: [1, 2], 3: [1, 2, 3]}[second]
    X = np.column_stack([corner // 2, corner % 2]).astype(float)  # 0 is false, 1 is true
    about = "A line separates AND (1 corner) and OR (3), but not XOR (2): the classic case."
    labels = np.isin(corner, true).astype(int)
    return _plane("gates", X + noise * rng.normal(size=(n, 2)), labels, 2, about)


def separable(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw two classes at least 0.6 apart across a slanted line, for every noise and seed."""
    _check(n, noise)
    X, labels = _two_sides(n, noise, rng)
    about = "A line fits between: the perceptron stops, logistic weights grow without bound."
    return _plane("separable", X, labels, 2, about)


def almost_separable(n: int, *, noise: float, rng: Generator, wrong: int = 3) -> Dataset:
    """Draw `separable`, but give `wrong` points in the middle of the classes the other class."""
    _check(n, noise)
    integer("wrong", wrong, 1, 10)
    X, labels = _two_sides(n, noise, rng)
    innermost = np.square(X - _SIDES[labels]).sum(axis=1).argsort()[:wrong]
    labels[innermost] = 1 - labels[innermost]
    about = "A line separates all but a few: the perceptron never stops, a soft margin pays."
    return _plane("almost separable", X, labels, 2, about)


def outlier(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw two compact classes, and one point of the second far out on its own side."""
    _check(n, noise)
    labels = np.arange(n) % 2
    X = np.array([[-1.8, 0.8], [-0.4, 0.8]])[labels] + noise * rng.normal(size=(n, 2))
    X[3:4] = [3.0, -2.8]
    about = (
        "One far point on the right side: least squares and means follow it, the margin does not."
    )
    return _plane("outlier", X, labels, 2, about)


def strays(n: int, *, noise: float, rng: Generator, far: int = 6) -> Dataset:
    """Draw three round clusters, but put `far` points of the second far from all three."""
    _check(n, noise)
    integer("far", far, 0, 10)
    labels = np.arange(n) % 3
    centers = 1.9 * _circle(0.5 + labels / 3) + np.array([-0.8, 0.9])
    centers[np.flatnonzero(labels == 1)[:far]] = 3.0, -2.9
    about = "A few far points: they pull the mean of their cluster along, the medoid stays."
    return _plane("strays", centers + noise * rng.normal(size=(n, 2)), labels, 3, about)


def row(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw three classes in a row along the diagonal; `noise` is their spread."""
    _check(n, noise)
    labels = np.arange(n) % 3
    X = 1.8 * (labels[:, None] - 1.0) + noise * rng.normal(size=(n, 2))
    about = "Masking: least squares on indicators hides the middle class, other classifiers do not."
    return _plane("row", X, labels, 3, about)


def chance(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw two classes at the same places: evenly over a square, which `noise` blurs."""
    _check(n, noise)
    X = rng.uniform(-2.5, 2.5, size=(n, 2)) + noise * rng.normal(size=(n, 2))
    about = "Classes by chance: whatever is learned, half of all new points are predicted wrong."
    return _plane("chance", X, np.arange(n) % 2, 2, about)


# Regression


def line(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw y = 0.8 x + 0.3 plus Gaussian noise."""
    _check(n, noise)
    x = rng.uniform(-3, 3, size=n)
    about = "What least squares assumes: a straight line and the same noise everywhere."
    return _curve("line", x, 0.8 * x + 0.3 + noise * rng.normal(size=n), about)


def line_outliers(n: int, *, noise: float, rng: Generator, outliers: int = 3) -> Dataset:
    """Draw `line`, but drop the `outliers` points furthest to the right to the bottom."""
    _check(n, noise)
    integer("outliers", outliers, 1, 10)
    x = rng.uniform(-3, 3, size=n)
    y = 0.8 * x + 0.3 + noise * rng.normal(size=n)
    y[x.argsort()[-outliers:]] -= 5.0
    about = "A few points with leverage: squares let them tilt the whole line."
    return _curve("line with outliers", x, y, about)


def sine(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw one period of a sine, y = 2 sin(pi x / 3), plus Gaussian noise."""
    _check(n, noise)
    x = rng.uniform(-3, 3, size=n)
    about = "A low degree underfits, a high degree fits the noise."
    return _curve("sine", x, 2 * np.sin(np.pi * x / 3) + noise * rng.normal(size=n), about)


def step(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw a jump of y from -1.5 to 1.5 at x = 0.5, plus Gaussian noise."""
    _check(n, noise)
    x = rng.uniform(-3, 3, size=n)
    about = "A jump: one split of a tree finds it, polynomials ring around it."
    return _curve("step", x, np.where(x < 0.5, -1.5, 1.5) + noise * rng.normal(size=n), about)


def correlated(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw y = 0.6 (x1 + x2) - 0.8 x4 + noise; x1 to x3 nearly equal, x4 and x5 too, x6 idle."""
    _check(n, noise)
    causes = rng.uniform(-1.7, 1.7, size=(n, 3))
    features = causes[:, [0, 0, 0, 1, 1, 2]] + 0.1 * rng.normal(size=(n, 6))
    y = features @ [0.6, 0.6, 0.0, -0.8, 0.0, 0.0] + noise * rng.normal(size=n)
    return Dataset(
        name="correlated",
        table=np.column_stack([features, y]),
        columns=("x1", "x2", "x3", "x4", "x5", "x6", "y"),
        labels=np.zeros(n, dtype=int),
        classes=("all",),
        y=6,
        about="Groups of near equals: ridge shares the weight among them, lasso picks from each.",
    )


def gauges(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Draw one hidden quantity that five gauges read; each adds noise of deviation `noise`."""
    _check(n, noise)
    quantity = rng.normal(size=n)
    own = rng.normal(size=(n, 5))
    return Dataset(
        name="gauges",
        table=quantity[:, None] * [1.0, 0.9, 1.1, 0.8, 0.7] + noise * own,
        columns=("A", "B", "C", "D", "E"),
        labels=np.zeros(n, dtype=int),
        classes=("all",),
        about="Five gauges read one hidden quantity: one factor, and a noise of each gauge's own.",
    )


# Real data: noise jitters every column by that many of its standard deviations


def iris(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Return 150 flowers, four lengths, three species; `n` random rows in file order."""
    about = "Fisher's irises (1936): one species stands apart, two overlap."
    return _real("iris", n, noise, rng, x=2, y=3, about=about, label="species")


def penguins(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Return 342 penguins, four sizes, three species; `n` random rows in file order."""
    about = (
        "Palmer penguins (Gorman et al. 2014): every species' trend is the reverse of the whole."
    )
    return _real("penguins", n, noise, rng, x=0, y=1, about=about, label="species")


def diabetes(n: int, *, noise: float, rng: Generator) -> Dataset:
    """Return 442 patients, ten measurements, progression a year later; `n` random rows."""
    about = (  # Efron et al. 2004
        "The LARS table. In the blood: chol(esterol), its parts LDL and HDL, fats and sugar."
    )
    return _real("diabetes", n, noise, rng, x=2, y=10, about=about)


DATASETS: dict[str, Preset] = {
    "blobs": Preset("Blobs", "classes", blobs, noise=0.5, knob=Knob("classes", "Classes", 2, 6, 3)),
    "stretched": Preset("Stretched blobs", "classes", stretched, noise=0.25),
    "parallel": Preset("Parallel blobs", "classes", parallel, noise=0.15),
    "leaning": Preset("Leaning blobs", "classes", leaning, noise=0.1),
    "unequal": Preset("Unequal blobs", "classes", unequal, noise=0.8),
    "moons": Preset("Moons", "classes", moons, noise=0.2),
    "scattered": Preset("Moons and scatter", "classes", scattered, n=240, noise=0.1),
    "circles": Preset("Circles", "classes", circles, noise=0.15),
    "spirals": Preset("Spirals", "classes", spirals, noise=0.1),
    "spiral": Preset("One spiral", "classes", spiral, n=150, noise=0.02),
    "s_curve": Preset("An S", "classes", s_curve, n=150, noise=0.02),
    "xor": Preset("XOR", "classes", xor, noise=0.1),
    "gates": Preset(
        "Logic gates",
        "classes",
        gates,
        n=40,
        noise=0.1,
        knob=Knob("second", "Corners of class 2", 1, 3, 2),
    ),
    "separable": Preset("Separable with a margin", "classes", separable, n=100, noise=0.5),
    "almost separable": Preset(
        "Separable but for k points",
        "classes",
        almost_separable,
        n=100,
        noise=0.5,
        knob=Knob("wrong", "Points on the wrong side", 1, 10, 3),
    ),
    "outlier": Preset("A far outlier", "classes", outlier, n=60, noise=0.3),
    "strays": Preset(
        "Blobs and far points",
        "classes",
        strays,
        n=75,
        noise=0.4,
        knob=Knob("far", "Far points", 0, 10, 6),
    ),
    "row": Preset("Three classes in a row", "classes", row, noise=0.35),
    "chance": Preset("Classes by chance", "classes", chance),
    "line": Preset("Line", "regression", line, n=60, noise=0.5),
    "line with outliers": Preset(
        "Line with outliers",
        "regression",
        line_outliers,
        n=60,
        noise=0.3,
        knob=Knob("outliers", "Outliers", 1, 10, 3),
    ),
    "sine": Preset("Sine", "regression", sine, n=60, noise=0.4),
    "step": Preset("Step", "regression", step, n=60, noise=0.3),
    "correlated": Preset("Correlated features", "regression", correlated, n=100, noise=0.5),
    "gauges": Preset("Five gauges", "regression", gauges, n=100, noise=0.4),
    "iris": Preset("Iris", "real", iris, n=150),
    "penguins": Preset("Penguins", "real", penguins, n=342),
    "diabetes": Preset("Diabetes", "real", diabetes, n=442),
}


def _two_sides(
    n: int, noise: float, rng: Generator
) -> tuple[Float[ndarray, "n 2"], Int[ndarray, " n"]]:
    """Draw two Gaussian classes, and move points away that are within 0.3 of the line between."""
    labels = np.arange(n) % 2
    X = _SIDES[labels] + 1.4 * noise * rng.normal(size=(n, 2))
    normal = _SIDES[1] / np.linalg.norm(_SIDES[1])
    side = np.where(labels == 1, 1.0, -1.0)
    missing = np.maximum(0.0, 0.3 - side * (X @ normal))
    return X + (side * missing)[:, None] * normal, labels


def _circle(turns: Float[ndarray, " n"]) -> Float[ndarray, "n 2"]:
    """Return points of the unit circle, given in turns from (1, 0)."""
    return np.column_stack([np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)])


def _plane(
    name: str, X: Float[ndarray, "n 2"], labels: Int[ndarray, " n"], classes: int, about: str
) -> Dataset:
    """Return plane data with classes named 1, 2, ..."""
    names = tuple(str(k + 1) for k in range(classes))
    return Dataset(name, X, ("x", "y"), labels, names, about=about)


def _curve(name: str, x: Float[ndarray, " n"], y: Float[ndarray, " n"], about: str) -> Dataset:
    """Return a regression data set with one feature."""
    labels = np.zeros(len(x), dtype=int)
    return Dataset(name, np.column_stack([x, y]), ("x", "y"), labels, ("all",), about=about)


def _real(
    name: str,
    n: int,
    noise: float,
    rng: Generator,
    *,
    x: int,
    y: int,
    about: str,
    label: str | None = None,
) -> Dataset:
    """Return rows of data/<name>.csv: numbers, and a last column of class names if `label`."""
    _check(n, noise)
    text = (Path(__file__).parent / f"{name}.csv").read_text(encoding="utf-8")
    header, *rows = [line.split(",") for line in text.splitlines()]
    columns = tuple(column for column in header if column != label)
    classes, labels = np.unique([row[-1] if label else "all" for row in rows], return_inverse=True)
    table = np.array([row[: len(columns)] for row in rows], dtype=float)
    jitter = noise * table.std(axis=0) * rng.normal(size=table.shape)
    kept = np.sort(rng.permutation(len(rows))[:n])
    return Dataset(
        name=name,
        table=(table + jitter)[kept],
        columns=columns,
        labels=labels[kept],
        classes=tuple(classes.tolist()),
        x=x,
        y=y,
        about=about,
    )


def _check(n: int, noise: float) -> None:
    integer("n", n, 1, MAX_ROWS)
    if not 0 <= noise <= MAX_NOISE:
        raise ValueError(f"noise must be between 0 and {MAX_NOISE:g}, got noise={noise}")
