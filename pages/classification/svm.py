r"""Support vector machine

The widest street between two classes, found by moving two duals at a time.

## Idea
Of all lines between two classes a support vector machine takes the one in the middle of the
**widest street**: the black line, with the dashed margins at $f = -1$ and $f = +1$. Points may
stand in the street, or on its wrong side, at a price: **C** says how much. Small C: a wide street,
many points in it. Large C: a narrow street, few mistakes. With standardised columns the street is
the widest in their units, which need not be the widest in those of the axes.

Every point $i$ has a weight $\alpha_i$ between 0 and C, its **dual**, and only points with
$\alpha_i > 0$, the *support vectors*, hold the street. At the optimum every point keeps its
condition:

- no ring, $\alpha = 0$: beyond the margin; it could be erased and nothing would change (but that
  standardised columns are scaled anew);
- ○ circle, $0 < \alpha < C$: exactly on the margin;
- □ square, $\alpha = C$: in the street or on the wrong side;
- ✕ the condition is **not yet kept**. When no ✕ is left, the optimum is found.

**SMO** moves two duals at a time: that of $j$, the point whose dual most needs to move one way, and
that of $i$, the partner with which the dual objective would rise most. The first small picture
shows the box $0 \le \alpha \le C$ that may cut the move short. The **quadratic programme** ("all at
once") moves all duals together, through the inside of the box to its edge.

A **kernel** replaces $a \cdot b$ and so bends the street. Sums and products of kernels are kernels.
The hyperbolic tangent is often none: look at the eigenvalues of its matrix.

With **several classes** many machines for two classes have to agree. Where they do not, the picture
is hatched: rising stripes where several classes are claimed, falling ones where none is.

## Maths
With signs $y_i = \pm 1$ and a kernel $k(a, b) = \varphi(a) \cdot \varphi(b)$, the primal problem is

$$
\min_{w, b} \; P = \tfrac12 \lVert w \rVert^2 + C \sum_i \max\bigl(0,\, 1 - y_i f(x_i)\bigr) ,
\qquad f(x) = w \cdot \varphi(x) + b ,
$$

and its dual, with $K_{ij} = k(x_i, x_j)$ and $f(x) = \sum_i \alpha_i y_i k(x_i, x) + b$,

$$
\max_\alpha \; D = \sum_i \alpha_i - \tfrac12 \sum_{ij} \alpha_i \alpha_j y_i y_j K_{ij}
\quad \text{with} \quad 0 \le \alpha_i \le C, \quad \sum_i \alpha_i y_i = 0 .
$$

$D \le P$, and they meet where (Karush, Kuhn, Tucker)
$\alpha_i = 0 \Rightarrow y_i f(x_i) \ge 1$, $\;0 < \alpha_i < C \Rightarrow y_i f(x_i) = 1$ and
$\;\alpha_i = C \Rightarrow y_i f(x_i) \le 1$. If no eigenvalue of $K$ is
negative, that is the optimum.

**SMO.** Let $g_i = y_i - (f(x_i) - b)$. $I_{up}$ are the points whose $\alpha_i y_i$ can rise,
$I_{down}$ those for which it can fall.

$$
j = \arg\min_{I_{down}} g_j , \qquad
i = \arg\max_{I_{up},\; g_i > g_j} \frac{(g_i - g_j)^2}{\eta_{ij}} , \qquad
\eta_{ij} = K_{ii} + K_{jj} - 2 K_{ij}
$$

$$
\lambda = \frac{g_i - g_j}{\eta_{ij}} \text{ (cut off at the box)}, \qquad
\alpha_i \leftarrow \alpha_i + y_i \lambda , \quad \alpha_j \leftarrow \alpha_j - y_j \lambda ,
$$

until the violation $\max_{I_{up}} g - \min_{I_{down}} g$ is at most the tolerance; $b$ is half-way
between the two. Not cut off, a move raises $D$ by $(g_i - g_j)^2 / 2 \eta_{ij}$.

**Quadratic programme.** With $Q_{ij} = y_i y_j K_{ij}$ and multipliers $z, s \ge 0$ of the two
bounds, Newton's method on $Q\alpha + b y - 1 - z + s = 0$, $\;y \cdot \alpha = 0$,
$\;\alpha_i z_i = \mu$, $\;(C - \alpha_i) s_i = \mu$, while $\mu \to 0$.

*Sources: CS725 18.2 and lectures 26–28 (21.1–21.7), CPSC340, CS337; Platt 1998; Fan, Chen and Lin
2005; Mehrotra 1992.*

## Try this
- [The street](?data=separable&kernel=linear&C=100&standardize=False) Two points hold it. Erase one
  without a ring: nothing changes. Erase one with a ring: the street widens. Undo, then standardise
  the columns: the street is the widest in other units, and three points hold it.
- [Pairs or all at once](?data=moons&kernel=linear&C=30&steps=10000) Thousands of moves of two
  duals. Then choose "all at once": about twenty steps, each of which solves a system of equations
  for all duals. Lower C to 1: far fewer moves, about as many steps.
- [Rings](?data=circles&kernel=polynomial&degree=2&C=1) Degree 2 bends the line into a ring. Compare
  the number of eigenvalues above rounding with that of RBF.
- [Not a kernel](?data=circles&kernel=hyperbolic tangent&scale=1&offset=0.5&C=10) Negative
  eigenvalues. The conditions are kept and primal and dual meet, yet it is no maximum: about half of
  the points are wrong, and D is far above $nC = 2000$. With a kernel it cannot be, as D is
  $\sum_i \alpha_i$ less half of $\lVert w \rVert^2$: here that square is negative.
- [Who decides?](?data=blobs&classes=4&kernel=linear&view=classes&C=1) The hatched regions
  belong to nobody, or to several. Then choose one-versus-one.
"""

from functools import partial

import numpy as np

from algorithms.classification.svm import svm, svm_multiclass, svm_qp
from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import Kernel
from algorithms.core.pipeline import on_features
from pages._shared.kernel_choice import choose_kernel
from pages._shared.lab import Lab, Shown, open_lab
from pages._shared.session.cache import Later
from viz.classification.svm import svm_scenes as draw

PRICES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]
MOVES = [100, 300, 1000, 3000, 10_000, 30_000]


def pairs(lab: Lab) -> Shown:
    """Move two duals at a time (SMO)."""
    C, kernel = price(lab), choose_kernel(lab)
    sides, second = two_sides(lab)
    tol = lab.log_slider("tol", "Tolerance", [0.0001, 0.001, 0.01, 0.1], 0.001)
    moves = lab.log_slider("steps", "Moves at most", MOVES, 3000)
    standardize = standardise(lab)
    run = lab.run(
        on_features, svm.svm, lab.plane.X, second, standardize=standardize,
        C=C, kernel=kernel, tol=tol, max_iter=moves,
    )  # fmt: skip
    seen = as_seen(lab, kernel, standardize)
    return lab.scene(draw.pairs, run, lab.plane, sides, *seen, code=svm)


def all_at_once(lab: Lab) -> Shown:
    """Move all duals in every step, by quadratic programming."""
    C, kernel = price(lab), choose_kernel(lab)
    sides, second = two_sides(lab)
    standardize = standardise(lab)
    run = lab.run(
        on_features, svm_qp.svm_qp, lab.plane.X, second, standardize=standardize,
        C=C, kernel=kernel,
    )  # fmt: skip
    seen = as_seen(lab, kernel, standardize)
    return lab.scene(draw.all_at_once, run, lab.plane, sides, *seen, code=svm_qp)


def several_classes(lab: Lab) -> Shown:
    """Train a machine for every class, or for every pair of classes."""
    C, kernel = price(lab), choose_kernel(lab)
    schemes = svm_multiclass.SCHEMES
    scheme = lab.buttons("scheme", "Machines", schemes, schemes[0])
    hatch = lab.toggle("ambiguous", "Hatch where they disagree", True)
    standardize = standardise(lab)
    run = lab.run(
        on_features, svm_multiclass.svm_multiclass, lab.plane.X, lab.plane.labels,
        standardize=standardize, C=C, kernel=kernel, scheme=scheme,
    )  # fmt: skip
    seen = as_seen(lab, kernel, standardize)
    return lab.scene(draw.several_classes, run, lab.plane, hatch, *seen, code=svm_multiclass)


def price(lab: Lab) -> float:
    """Choose C."""
    return lab.log_slider("C", "Price of a violation C", PRICES, 1.0)


def standardise(lab: Lab) -> bool:
    """Choose whether the columns are standardised."""
    return lab.toggle("standardize", "Standardise the columns", True)


def two_sides(lab: Lab) -> tuple[tuple[int, int], np.ndarray]:
    """Make two classes of all: give the classes of both sides, and who is on the second."""
    labels, names = lab.plane.labels, lab.plane.classes
    present = np.unique(labels).tolist()
    first, second = present[0] if present else 0, present[-1] if present else 0
    if len(present) > 2:
        options = [names[k] for k in present]
        side = lab.choice("side", "Class against the rest", options, options[0])
        first, second = svm_multiclass.REST, present[options.index(side)]
    return (first, second), (labels == second).astype(int)


def as_seen(lab: Lab, kernel: Kernel, standardize: bool) -> tuple[Later, Later]:
    """Give the map to what the kernel sees of a place, and its matrix of the points."""
    X, labels = lab.plane.X, lab.plane.labels
    features = lab.later(
        polynomial_features, X, 1, standardize=standardize, columns=lab.plane.names
    )
    of_kernel = partial(kernel_matrix, kernel)
    return features, lab.later(on_features, of_kernel, X, labels, standardize=standardize)


open_lab(__file__, data="moons").show(
    {"pairs": pairs, "all at once": all_at_once, "classes": several_classes},
    help="Duals moved pair by pair (SMO) or all at once (quadratic programme); several classes.",
)
