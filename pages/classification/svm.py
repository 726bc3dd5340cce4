r"""Support vector machine

The widest street between two classes, found by moving two duals at a time.

## Idea
Of all lines between two classes a support vector machine takes the one in the middle of the
**widest street**: the black line, with the dashed margins at $f = -1$ and $f = +1$. Points may
stand in the street, or on its wrong side, at a price: **C** says how much. Small C: a wide street,
many points in it. Large C: a narrow street, few mistakes.

Every point $i$ has a weight $\alpha_i$ between 0 and C, its **dual**, and only points with
$\alpha_i > 0$, the *support vectors*, hold the street. At the optimum every point keeps its
condition:

- no ring, $\alpha = 0$: beyond the margin; it could be erased and nothing would change;
- ○ circle, $0 < \alpha < C$: exactly on the margin;
- □ square, $\alpha = C$: in the street or on the wrong side;
- ✕ the condition is **not yet kept**. When no ✕ is left, the optimum is found.

**SMO** chooses the two points $i$ and $j$ that break the conditions most and moves their duals to
the best place; the first small picture shows the box $0 \le \alpha \le C$ that may cut the move
short. The **quadratic programme** ("all at once") moves all duals together, through the inside of
the box to its edge.

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

$D \le P$, and they meet at the optimum, where (Karush, Kuhn, Tucker)
$\alpha_i = 0 \Rightarrow y_i f(x_i) \ge 1$, $\;0 < \alpha_i < C \Rightarrow y_i f(x_i) = 1$ and
$\;\alpha_i = C \Rightarrow y_i f(x_i) \le 1$.

**SMO.** Let $g_i = y_i - (f(x_i) - b)$. $I_{up}$ are the points whose $\alpha_i y_i$ can rise,
$I_{down}$ those for which it can fall.

$$
j = \arg\min_{I_{down}} g_j , \qquad
i = \arg\max_{I_{up}} \frac{(g_i - g_j)^2}{\eta_{ij}} , \qquad
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
- [The street](?data=separable&kernel=linear&C=100) Few points hold it. Erase one without a ring:
  nothing changes. Erase one with a ring.
- [Pairs or all at once](?data=moons&kernel=linear&C=1000) Thousands of moves of two duals. Then
  choose "all at once": a dozen steps, each of which costs as much as thousands of moves.
- [Rings](?data=circles&kernel=polynomial&degree=2&C=1) Degree 2 bends the line into a ring. Compare
  the number of eigenvalues that are not 0 with those of RBF.
- [Not a kernel](?data=circles&kernel=hyperbolic tangent&scale=1&offset=0.5&C=10) Negative
  eigenvalues: primal and dual do not meet.
- [Who decides?](?data=blobs&classes=4&kernel=linear&view=classes&C=1) The hatched regions
  belong to nobody, or to several. Then choose one-versus-one.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from algorithms.classification.svm import svm, svm_multiclass, svm_qp
from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.core.features import polynomial_features
from pages._shared.kernel_choice import choose_kernel
from pages._shared.lab import open_lab
from viz.classification.linear.logistic_regression import preprocessing
from viz.classification.svm import kernel_matrix as draw_matrix
from viz.classification.svm import svm as draw
from viz.classification.svm import svm_multiclass as draw_several
from viz.classification.svm import svm_words as words

PAIRS, ALL, SEVERAL = "pairs", "all at once", "classes"
CODE = {PAIRS: svm, ALL: svm_qp, SEVERAL: svm_multiclass}
SOLVERS = {PAIRS: svm.svm, ALL: svm_qp.svm_qp, SEVERAL: svm_multiclass.svm_multiclass}
VIEWS = "Duals moved pair by pair (SMO) or all at once (quadratic programme); several classes."
PRICES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]

lab = open_lab(__file__, task="classification", data="moons")
X, y, names = lab.data.X, lab.data.labels, lab.data.classes
present = np.unique(y).tolist()
view = lab.buttons("view", "View", [PAIRS, ALL, SEVERAL], PAIRS, help=VIEWS)
C = lab.log_slider("C", "Price of a violation C", PRICES, 1.0)
kernel = choose_kernel(lab)
how: dict = {"C": C, "kernel": kernel}
target, sides = y, (0, 0)
if view == SEVERAL:
    schemes = svm_multiclass.SCHEMES
    how["scheme"] = lab.buttons("scheme", "Machines", list(schemes), schemes[0])
    ambiguous = lab.toggle("ambiguous", "Hatch where they disagree", True)
elif len(present) > 1:
    sides = (present[0], present[-1])
    if len(present) > 2:
        options = [names[k] for k in present]
        side = lab.choice("side", "Class against the rest", options, options[0])
        sides = (draw.REST, present[options.index(side)])
    target = (y == sides[1]).astype(int)
if view == PAIRS:
    how["tol"] = lab.log_slider("tol", "Tolerance", [0.0001, 0.001, 0.01, 0.1], 0.001)
    how["max_iter"] = lab.log_slider("steps", "Moves at most", [100, 300, 1000, 3000, 10_000], 3000)
standardize = lab.toggle("standardize", "Standardise the columns", True)


def fit(solve, X: np.ndarray, y: np.ndarray, standardize: bool, **how) -> Iterator:
    """Standardise, then run."""
    return solve(polynomial_features(X, 1, standardize=standardize)(X), y, **how)


run = lab.run(fit, SOLVERS[view], X, target, standardize, **how)
views, caption = {}, None
if run:
    features = polynomial_features(X, 1, standardize=standardize, columns=lab.axes)
    grid = draw.surface(kernel, run[0].points, features, lab.bounds)
    found = lab.once(kernel_matrix, kernel, run[0].points, y)
    place = {"bounds": lab.bounds, "names": lab.axes}
    if view == SEVERAL:
        picture = partial(draw_several.picture, X, y, grid, run, ambiguous=ambiguous, **place)
        views["The class decided for, every line f = 0, and where the machines disagree"] = picture
        views["Support vectors of every machine"] = partial(draw_several.work, run, names)
        caption = partial(draw_several.caption, run, y=y, names=names)
    else:
        picture = partial(draw.picture, X, y, sides, grid, run, **place)
        views["Both sides, the margins f = −1 and +1, and the state of every point"] = picture
        box = partial(draw.pair_box, draw.empty_box(run), run) if view == PAIRS else None
        duals = box or partial(draw.all_duals, run, sides)
        views[draw.BOX if view == PAIRS else "All duals, class by class"] = duals
        curve = lab.once(draw.objective_curve, run)
        lines = draw.objective_lines(curve)
        views["Primal and dual objective"] = partial(draw.objectives, lines, curve)
        caption = partial(words.pair_caption if view == PAIRS else words.all_caption, run)
    views[draw_matrix.title(found)] = partial(draw_matrix.still, draw_matrix.matrix(found))
lab.stage(run, views, caption=caption)
if run:
    lab.note(f"{preprocessing(features, lab.axes)} {draw_matrix.verdict(found, kernel)}")
lab.lesson(code=CODE[view])
