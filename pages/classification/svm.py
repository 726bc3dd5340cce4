r"""Support vector machine

The widest street between two classes: by hand, by pairs of weights, and all at once.

## Idea
Draw a **street** between two classes: a line $f = 0$ in its middle and two edges, $f = -1$ and
$f = +1$. How good is it? Wide is good, and a point should stand beyond its own edge. One that does
not has a loss: how far it stands on the wrong side of that edge, in half-widths of the street. With
the signs $y = \pm 1$ of the classes, $m = y f(x)$ says on which side and how far from the line a
point is, and its loss is $\max(0, 1 - m)$, the [hinge loss](glossary#hinge-loss). All losses
together are multiplied by a **price C**: small C makes a wide street with many points in it, large
C a narrow one with few mistakes. Turn the street by hand first: two handles hold its line, the
third one its edge. The best of all streets is a **support vector machine**.

How is the best one found? By giving every point $i$ a weight $\alpha_i$ between 0 and C, its
[dual](glossary#dual). Only points with $\alpha_i > 0$, the
[support vectors](glossary#support-vector), hold the street. At the optimum every point keeps its
condition:

- no ring, $\alpha = 0$: beyond its edge, or on it; it could be erased and nothing would change (but
  that standardised columns are scaled anew);
- ○ circle, $0 < \alpha < C$, a *free* dual: exactly on its edge;
- □ square, $\alpha = C$: in the street or on the wrong side.

A point whose condition is **not yet kept** can be shown with a ✕. When there is none, the optimum
is found.

**[SMO](glossary#smo)**, the mode "pairs", moves two duals at a time: that of $j$, the point whose
dual most needs to move one way, and that of $i$, the partner with which the dual objective would
rise most. The small picture shows the box $0 \le \alpha \le C$ that may cut the move short.
The last few digits can take a hundred thousand pairs. So after some pairs **all free duals** go
where they are best together, by solving linear equations, in turn with pairs that free others. The
[quadratic programme](glossary#quadratic-programme), the mode "all at once", moves all duals in
every step, through the inside of the box to its edge.

**Lift** shows how a straight street can be bent. Every point rises above the plane, the higher the
farther it is from the middle (a bowl), or moves to its squares; there a plane can part what no line
does. Turn the view: from above the border is a curve, seen along the plane it is straight.

A **[kernel](glossary#kernel)** replaces $a \cdot b$ and does the same without lifting a point: the
street is straight in a space of more features. Sums and products of kernels are kernels. The
hyperbolic tangent is often none: look at the [eigenvalues](glossary#eigenvalue) of its matrix. Drag
the cross hair to take $f$ apart at any place: lines lead to the points that have most say there.

With **several classes** many machines for two classes have to agree. Where they do not, the picture
is hatched: rising stripes where several classes are claimed, falling ones where none is.

With standardised columns the street is the widest in their units, which need not be the widest in
those of the axes.

## Maths
With signs $y_i = \pm 1$ and a kernel $k(a, b) = \varphi(a) \cdot \varphi(b)$, the
[primal](glossary#primal) problem is

$$
\min_{w, b} \; P = \tfrac12 \lVert w \rVert^2 + C \sum_i \max\bigl(0,\, 1 - y_i f(x_i)\bigr) ,
\qquad f(x) = w \cdot \varphi(x) + b ,
$$

where $2 / \lVert w \rVert$ is the width of the street, and its dual, with $K_{ij} = k(x_i, x_j)$
and $f(x) = \sum_i \alpha_i y_i k(x_i, x) + b$,

$$
\max_\alpha \; D = \sum_i \alpha_i - \tfrac12 \sum_{ij} \alpha_i \alpha_j y_i y_j K_{ij}
\quad \text{with} \quad 0 \le \alpha_i \le C, \quad \sum_i \alpha_i y_i = 0 .
$$

$D \le P$, and they meet where ([Karush, Kuhn, Tucker](glossary#kkt-conditions))
$\alpha_i = 0 \Rightarrow y_i f(x_i) \ge 1$, $\;0 < \alpha_i < C \Rightarrow y_i f(x_i) = 1$ and
$\;\alpha_i = C \Rightarrow y_i f(x_i) \le 1$. If no eigenvalue of $K$ is
negative, that is the optimum.

**Lift.** With the columns $x_1$ and $x_2$, as they are used, the three features are

$$
\text{bowl: } \varphi(x) = (x_1,\; x_2,\; x_1^2 + x_2^2) , \qquad
\text{squares: } \varphi(x) = (x_1^2,\; \sqrt2\, x_1 x_2,\; x_2^2) .
$$

In the plane of the points $f = 0$ is a circle (or a line) with the bowl, and with the squares an
ellipse about 0, a hyperbola, or two lines. As $\varphi(a) \cdot \varphi(b) = (a \cdot b)^2$ for the
squares, the polynomial kernel of degree 2 with offset 0 has the very same border.

**Losses.** The hinge lies on or above the 0/1 loss, which counts the mistakes, and unlike it can be
lowered step by step. The logistic loss $\ln(1 + e^{-m})$ is a smooth relative; it is never 0, so
that all points have a say, and not only those on their edge, in the street or on its wrong side.

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

**All free duals at once.** For the set $F$ of free duals, with $\beta_i = \alpha_i y_i$
([Newton's method](glossary#newton-method), exact as $D$ is quadratic),

$$
K_{FF}\, d + e \mathbf 1 = g_F , \quad \mathbf 1 \cdot d = 0 , \qquad
\beta_F \leftarrow \beta_F + d ,
$$

where $e$ is the $b$ they will agree on; cut off at the first bound that is reached, whose dual
leaves $F$, and the rest is solved anew. This needs a $K$ without negative eigenvalues: with the
hyperbolic tangent there are pairs only.

**Quadratic programme.** With $Q_{ij} = y_i y_j K_{ij}$ and multipliers $z, s \ge 0$ of the two
bounds, Newton's method on $Q\alpha + b y - 1 - z + s = 0$, $\;y \cdot \alpha = 0$,
$\;\alpha_i z_i = \mu$, $\;(C - \alpha_i) s_i = \mu$, while $\mu \to 0$: with $\mu$ the mean of the
products, a step aims at $\sigma \mu$, $\sigma \le 1$.

*Sources: CS725 18.2 and lectures 26–28 (21.1–21.7), CPSC340, CS337, 20APC3316 (the hinge loss);
Platt 1998; Fan, Chen and Lin 2005; Mehrotra 1992; Nocedal and Wright 2006.*

## Try this
- [Turn it yourself](?view=by hand&data=moons&C=1) This street stands half-way between the means of
  the classes and costs 88.6. Is its width wrong, or its direction?
  Do: Drag the handles and get as low as you can; then step to the end.
  Answer: The direction. Moved and widened as is best for it, the street still costs 83.2. The best
  street of all directions costs 60.9; 25 points are on its wrong side instead of 43.
- [The street](?view=pairs&data=separable&kernel=linear&C=100&standardize=False) Which points could
  be erased without moving the street?
  Do: Step to the end and erase a point without a ring, then one with a ring. Undo both and
  standardise the columns.
  Answer: All but two. Only the two ringed points hold the street: without one of them it widens.
  In standardised units another street is the widest, and three points hold it.
- [Pairs or all at once](?view=pairs&data=moons&kernel=linear&C=30&steps=30000) How many moves of
  two duals does it take to the optimum, and how many if all free duals may move at once?
  Do: Step to the end, then ask for 100 pairs before all at once. Then choose the other mode, "all
  at once".
  Answer: More than 5,000 pairs. After the first 100, about 100 more moves are enough if now and
  then one of them moves all free duals. The quadratic programme takes about twenty steps, each of
  which solves a system of equations for all duals.
- [A plane for rings](?view=lift&data=circles&C=10) No line goes round a ring. Why can a plane part
  the two rings, once their points stand on a bowl?
  Do: Step to the end. Then lift to the squares; last, take the preset XOR, with either lift.
  Answer: The outer ring is farther from the middle, so it stands higher: edge-on no point is on the
  wrong side, and from above the cut is a circle of radius 1.29. The squares part the rings as well,
  by an ellipse. XOR needs √2 x₁x₂: the squares leave 1 of 200 points wrong, the bowl 89.
- [Rings](?view=pairs&data=circles&kernel=polynomial&degree=2&C=10&also=kernel matrix) Can a
  straight street go round a ring, and does any formula k(a, b) do for a kernel?
  Do: Step to the end. Then choose the hyperbolic tangent with scale 1 and offset 0.5.
  Answer: Yes, and no. With x², xy and y² as features a ring is straight: no point is wrong, and 6
  eigenvalues are above rounding. The tangent has negative ones. There, too, the conditions are kept
  and primal and dual meet, yet it is no maximum: about half of the points are wrong, and D is far
  above nC = 2000. With a kernel it cannot be, as D is the sum of α less half of ‖w‖²: here that
  square is negative.
- [Who decides?](?view=classes&data=blobs&classes=4&kernel=linear&C=1) Each of four machines tells
  one class from the rest. Do they always agree on a class?
  Do: Step to the end and look at the hatched regions; then choose one-versus-one.
  Answer: No. 9 of the 200 points are claimed by no machine and 4 by several; the largest f decides,
  and 198 are right. Of the six machines of one-versus-one each votes; here no point has a tie.
"""

from functools import partial

import numpy as np

from algorithms.classification.svm import lift, street_by_hand, svm, svm_multiclass, svm_qp
from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import Kernel
from algorithms.core.pipeline import on_features
from pages._shared.kernel_choice import choose_kernel
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_place import picked_place
from pages._shared.session.cache import Later
from viz.classification.svm import svm_scenes as draw

PRICES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]
TOLERANCES = [0.00001, 0.0001, 0.001, 0.01, 0.1]
PAIRS = [100, 300, 1000, 3000, 10_000, 30_000]
LARGER = (
    4000  # moves after the pairs that are asked for: of all free duals at once, and further pairs
)
LIFT_HELP = "Bowl: x₁, x₂ and x₁² + x₂². Squares: x₁², √2 x₁x₂ and x₂²."
NOTHING, CROSSES, MATRIX = "nothing more", "✕ broken conditions", "kernel matrix"


def by_hand(lab: Lab) -> Shown:
    """Turn the street by its handles."""
    C = price(lab)
    sides, second = two_sides(lab)
    standardize = standardise(lab)
    start = street_by_hand.between_means(lab.plane.X, second, lab.plane.bounds)
    places = lab.places("street", "Two places on the line, one on its edge", start, look="query")
    run = lab.run(
        street_by_hand.street_by_hand, lab.plane.X, second, places, C=C, standardize=standardize
    )
    return lab.scene(
        draw.by_hand, run, lab.plane, sides, units(lab, standardize), code=street_by_hand
    )


def pairs(lab: Lab) -> Shown:
    """Move two duals at a time (SMO), then all free ones at once."""
    C, kernel = price(lab), choose_kernel(lab)
    sides, second = two_sides(lab)
    tol = lab.log_slider("tol", "Tolerance", TOLERANCES, TOLERANCES[0])
    moves = lab.log_slider("steps", "Pairs before all at once", PAIRS, 300)
    standardize, also = standardise(lab), shown_as_well(lab, [NOTHING, CROSSES, MATRIX])
    most = moves + LARGER if kernel.definite else moves
    run = lab.run(
        on_features, svm.svm, lab.plane.X, second, standardize=standardize,
        C=C, kernel=kernel, tol=tol, max_iter=most, pairs=moves,
    )  # fmt: skip
    matrix = matrix_of(lab, kernel, standardize, also)
    return lab.scene(
        draw.pairs, run, lab.plane, sides, units(lab, standardize), picked_point(lab), matrix,
        also == CROSSES, code=svm,
    )  # fmt: skip


def all_at_once(lab: Lab) -> Shown:
    """Move all duals in every step, by quadratic programming."""
    C, kernel = price(lab), choose_kernel(lab)
    sides, second = two_sides(lab)
    standardize, also = standardise(lab), shown_as_well(lab, [NOTHING, MATRIX])
    run = lab.run(
        on_features, svm_qp.svm_qp, lab.plane.X, second, standardize=standardize,
        C=C, kernel=kernel,
    )  # fmt: skip
    matrix = matrix_of(lab, kernel, standardize, also)
    return lab.scene(
        draw.all_at_once, run, lab.plane, sides, units(lab, standardize), picked_point(lab),
        matrix, code=svm_qp,
    )  # fmt: skip


def lifted(lab: Lab) -> Shown:
    """Lift the points to three features, and turn the view."""
    C = price(lab)
    to = lab.buttons("lift", "Lift to", ["bowl", "squares"], "bowl", help=LIFT_HELP)
    sides, second = two_sides(lab)
    standardize = standardise(lab)
    run = lab.run(on_features, lift.lift, lab.plane.X, second, standardize=standardize, to=to, C=C)
    return lab.scene(
        draw.lifting, run, lab.plane, sides, units(lab, standardize), picked_point(lab), code=lift
    )


def several_classes(lab: Lab) -> Shown:
    """Train a machine for every class, or for every pair of classes."""
    C, kernel = price(lab), choose_kernel(lab)
    schemes = svm_multiclass.SCHEMES
    scheme = lab.buttons("scheme", "Machines", schemes, schemes[0])
    hatch = lab.toggle("ambiguous", "Hatch where they disagree", True)
    standardize, also = standardise(lab), shown_as_well(lab, [NOTHING, MATRIX])
    run = lab.run(
        on_features, svm_multiclass.svm_multiclass, lab.plane.X, lab.plane.labels,
        standardize=standardize, C=C, kernel=kernel, scheme=scheme,
    )  # fmt: skip
    matrix = matrix_of(lab, kernel, standardize, also)
    return lab.scene(
        draw.several_classes, run, lab.plane, hatch, units(lab, standardize), matrix,
        code=svm_multiclass,
    )  # fmt: skip


def price(lab: Lab) -> float:
    """Choose C."""
    return lab.log_slider("C", "Price of a violation C", PRICES, 1.0)


def standardise(lab: Lab) -> bool:
    """Choose whether the columns are standardised."""
    return lab.toggle("standardize", "Standardise the columns", True)


def shown_as_well(lab: Lab, options: list[str]) -> str:
    """Choose what is shown besides the pictures that a first look needs."""
    return lab.choice("also", "Show as well", options, NOTHING)


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


def picked_point(lab: Lab) -> np.ndarray:
    """Give the place whose f is taken apart: at first below the middle, to the left."""
    return picked_place(lab, across=0.3, up=0.25)


def units(lab: Lab, standardize: bool) -> Later:
    """Give the map from places on the plane to what the kernel sees of them."""
    return lab.later(
        polynomial_features, lab.plane.X, 1, standardize=standardize, columns=lab.plane.names
    )


def matrix_of(lab: Lab, kernel: Kernel, standardize: bool, also: str) -> Later | None:
    """Give the kernel matrix of the points, if it is asked for or if the kernel may be none."""
    if also != MATRIX and kernel.definite:
        return None
    of_kernel = partial(kernel_matrix, kernel)
    return lab.later(on_features, of_kernel, lab.plane.X, lab.plane.labels, standardize=standardize)


MODES = {
    "by hand": by_hand,
    "pairs": pairs,
    "all at once": all_at_once,
    "lift": lifted,
    "classes": several_classes,
}

if __name__ == "__main__":
    open_lab(__file__, data="moons").show(MODES, before="pairs")
