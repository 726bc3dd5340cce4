r"""Support vector regression

A curve in a tube: what is inside costs nothing, and only the points at its edge hold it.

## Idea

Least squares pays for every residual, however small. Support vector regression draws a **tube** of
half-width ε around its curve. A point inside costs nothing; one outside pays by how far it is out,
in proportion and not squared, so that an outlier pulls with the same force as any other point
outside.

Each point has one number, its [dual](glossary#dual) β: 0 for those inside, which could be erased
without any change (but for that of the units, as the columns are standardised); up to C for those
at the edge of the tube or outside, the [support vectors](glossary#support-vector). A positive β
holds the curve up, a negative one holds it down. With a [kernel](glossary#kernel) the curve bends.

## Maths

With $f(x) = w \cdot \phi(x) + b$ and $\lvert r \rvert_\varepsilon = \max(0, \lvert r \rvert -
\varepsilon)$,

$$
\min\; P = \tfrac12 \lVert w \rVert^2 + C \sum_i \lvert y_i - f(x_i) \rvert_\varepsilon .
$$

Its dual, with $k(a, b) = \phi(a) \cdot \phi(b)$, is

$$
\max\; D = \sum_i y_i \beta_i - \varepsilon \sum_i \lvert \beta_i \rvert
  - \tfrac12 \sum_{ij} \beta_i \beta_j k(x_i, x_j) ,
\qquad -C \le \beta_i \le C ,\quad \sum_i \beta_i = 0 ,
$$

and $f(x) = \sum_i \beta_i k(x_i, x) + b$. With $o_i = \sum_j \beta_j k(x_i, x_j)$ the slopes of $D$
for a dual that rises or falls are

$$
\text{up}_i = y_i - o_i - \begin{cases}
  \varepsilon & \beta_i \ge 0 \\ -\varepsilon & \beta_i < 0 \end{cases} \qquad
\text{down}_j = y_j - o_j - \begin{cases}
  \varepsilon & \beta_j > 0 \\ -\varepsilon & \beta_j \le 0 \end{cases}
$$

A step takes, of those above $-C$, the $j$ with the least slope down, then, of those below $C$, the
$i$ with the largest $(\text{up}_i - \text{down}_j)^2 / \eta$, and moves both:

$$
\lambda = \frac{\text{up}_i - \text{down}_j}{\eta} , \quad \eta = k_{ii} + k_{jj} - 2 k_{ij} ,
\qquad
\beta_i \leftarrow \beta_i + \lambda , \quad \beta_j \leftarrow \beta_j - \lambda ,
$$

cut off at $\pm C$ and at 0. Later all duals that are neither 0 nor $\pm C$ move at once. It ends
when no slope up is above any slope down by more than the tolerance; then $P = D$ nearly. With the
hyperbolic tangent, which mostly is no kernel, there are pairs only, and the end need not be the
best.

*Sources: CS725 22, 20APC3316 (kernel machines for regression); Smola and Schölkopf 2004; Platt
1998; Fan, Chen and Lin 2005.*

## Try this
- [Who holds it?](?data=sine&epsilon=0.3) How many of the 60 points hold the curve, and how many
  could be erased?
  Do: Step to the end and look for points without a mark. Then move ε.
  Answer: 19 hold it, 14 of them at C; the other 41 have β = 0. With ε = 0.1 it is 47, with 0.6 it
  is 9: the wider the tube, the fewer have to.
- [Too wide](?data=sine&epsilon=0.8) The tube has room for nearly all points. Does the curve still
  reach the tops of the wave?
  Do: Step to the end, then make the tube narrower.
  Answer: No: from its lowest to its highest point it spans 1.84 standard deviations of y, with
  ε = 0.3 it is 2.73. Two points hold it: what fits into the tube is not worth a bend.
- [Outliers](?data=line+with+outliers&kernel=linear&epsilon=0.1) Three points have fallen to the
  bottom; the others follow y = 0.8 x + 0.3. Least squares is tilted to a slope of 0.576. And this?
  Do: Step to the end. Then make ε larger.
  Answer: Its slope is 0.768: beyond the tube every point pulls with the same force C. But with
  ε = 0.6 it is 0.499: most of the others are inside, and pull no more.
- [Too cheap](?data=sine&epsilon=0.3&C=0.01) A point outside costs next to nothing. What becomes of
  the curve?
  Do: Step to the end, then raise C.
  Answer: It is nearly level, and spans 0.34 standard deviations of y: to bend it more would cost
  more than it saves outside. With C = 1 it spans 2.73.
- [Learnt by heart](?data=sine&epsilon=0.05&gamma=100&C=100) Narrow bumps, a high price and a narrow
  tube. How near do the points come to the curve, and the curve to the wave that they came from?
  Do: Step to the end, then take γ = 1.
  Answer: The points nearer, 0.12 away on average in place of 0.27. The curve not: it is 0.79 off
  the wave (the root of the mean square), in place of 0.22. It is so on all of the samples 0 to 9.
"""

from algorithms.regression import support_vector_regression as algorithm
from algorithms.regression.tube_on_plane import tube_on_plane
from pages._shared.kernel_choice import choose_one
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from pages._shared.picked_x import picked_x
from viz.regression import support_vector_regression_scenes as draw

PRICES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0]


def tube(lab: Lab) -> Shown:
    """Move the duals, two at a time, until the tube fits."""
    epsilon = lab.slider(
        "epsilon", "Half-width ε of the tube", 0.0, 1.5, 0.3, 0.05,
        help="In standard deviations of y.",
    )  # fmt: skip
    C = lab.log_slider("C", "Price C of being outside", PRICES, 1.0)
    kernel = choose_one(lab)
    query = picked_x(lab)
    run = lab.run(tube_on_plane, lab.plane.X, C=C, epsilon=epsilon, kernel=kernel)
    return lab.scene(draw.tube, run, lab.plane, query, code=algorithm)


MODES = {"tube": tube}

if __name__ == "__main__":
    open_lab(__file__, data="sine").show(MODES)
