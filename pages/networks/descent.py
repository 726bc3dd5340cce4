r"""Descent on any surface

Five optimisers go down one surface from one start: ravine, saddle, bent valley, four basins.

## Idea

A network learns by going downhill on its [loss](glossary#loss), which is a surface over all its
weights: far too many to be seen. With two parameters it can be seen, and the places that make
learning hard are there already: a **ravine**, steep across and flat along; a **saddle**, level in
the middle of a slope; a **bent valley**; several **basins**, of which one is found.

Every optimiser gets nothing but the [gradient](glossary#gradient) where it stands. Plain descent
steps against it. **Momentum** remembers where it was going. **AdaGrad**, **RMSProp** and **Adam**
give every parameter a rate of its own, by how large its gradients have been. Drag the start, and
watch who gets where.

## Maths

With $\theta = (x, y)$, $g = \nabla f(\theta)$ and everything entry by entry, from $v = s = 0$:

$$
\begin{aligned}
\text{gradient:}\quad & \theta \leftarrow \theta - \eta g \\
\text{momentum:}\quad & v \leftarrow \beta v + \eta g, \quad \theta \leftarrow \theta - v \\
\text{AdaGrad:}\quad & s \leftarrow s + g^2, \quad
  \theta \leftarrow \theta - \eta\, g / (\sqrt{s} + \varepsilon) \\
\text{RMSProp:}\quad & s \leftarrow \gamma s + (1 - \gamma) g^2, \quad
  \theta \leftarrow \theta - \eta\, g / (\sqrt{s} + \varepsilon) \\
\text{Adam:}\quad & v \leftarrow \beta v + (1 - \beta) g, \quad
  s \leftarrow \gamma s + (1 - \gamma) g^2, \quad
  \theta \leftarrow \theta - \eta\, \hat v / (\sqrt{\hat s} + \varepsilon)
\end{aligned}
$$

where $\hat v = v / (1 - \beta^t)$ and $\hat s = s / (1 - \gamma^t)$ at step $t$; $\beta$ is 0.9
for Adam, $\gamma$ 0.9 for RMSProp and 0.999 for Adam, and $\varepsilon = 10^{-8}$ keeps the divisor
above 0. On the bowl $f = (p^2 + \kappa q^2) / 2$, with $p$ along and $q$ across, a plain step
multiplies $p$ by $1 - \eta$ and $q$ by $1 - \eta \kappa$. With $\kappa \ge 1$ both shrink if

$$
\eta < \frac{2}{\kappa} , \qquad\text{and with momentum if}\quad
\eta < \frac{2 (1 + \beta)}{\kappa} .
$$

So the steep direction sets the rate, and the flat one has to live with it: a ravine is slow. At a
[saddle](glossary#saddle-point) the gradient is 0, and whoever stands on its ridge goes straight
to it.

*Sources: CS337 (gradient descent, optimisers); Polyak 1964; Rosenbrock 1960; Himmelblau 1972; Duchi
et al. 2011; Hinton 2012; Kingma and Ba 2015.*

## Try this
- [A ravine](?surface=bowl&kappa=50&eta=0.03&steps=200) The ravine is 50 times as steep across as it
  is along. Which of the five is near its lowest point first, and which not after 200 steps?
  Do: Play it, and look at the two panels.
  Answer: RMSProp after 32 steps, momentum after 47, Adam after 62, plain descent after 123. AdaGrad
  is not there after 200: it forgets no gradient, so its rates only fall.
- [Who bears more?](?surface=bowl&kappa=50&eta=0.05&steps=200) The rate is above 2/κ = 0.04, the
  bound of the plain rule. Does momentum leave, too?
  Do: Step on to step 10, then to the end.
  Answer: No: plain descent jumps ever farther across, and has left at step 8. With β = 0.9 the
  bound of momentum is 0.076, and it is near the minimum after 50 steps.
- [On the ridge](?surface=saddle&eta=0.1&start=-1.5,0) All start exactly on the ridge of a saddle.
  Who finds one of the two minima?
  Do: Step to the end. Then drag the start up by a hair's breadth.
  Answer: Nobody: the gradient has no part that leads off the ridge, and all end at the saddle or
  on the way to it. From y = 0.001 all but AdaGrad are near a minimum within 84 steps.
- [A bent valley](?surface=Rosenbrock&eta=0.0005&eta2=0.05&steps=1000&start=-1.5,2) The floor of
  this valley is bent, and nearly level. Who is farthest down after 1000 steps?
  Do: Step to the end and read off the heights.
  Answer: Adam, at 0.00033, before momentum, 0.0056. Plain descent is at 4.48: its rate has to be
  small for the walls, and on the floor hardly moves it.
- [Four basins](?surface=Himmelblau&eta=0.01&eta2=0.3&steps=100&start=0,0) Four minima, equally
  deep. Do all five end in the same one?
  Do: Step to the end. Then drag the start about.
  Answer: No: four of them go to (3, 2). Momentum runs past it and ends at (3.58, −1.85). All have
  been near a minimum after 49 steps, but RMSProp jumps about: at the end it is at f = 1.48.
"""

from dataclasses import replace

import numpy as np

from algorithms.networks import descent_race as algorithm
from algorithms.networks.surfaces import NAMES, Surface
from algorithms.regression.least_squares.optimizers import RULES, Momentum, Rule
from pages._shared.lab import Lab, Shown
from pages._shared.page import open_lab
from viz.networks import descent_race_scenes as draw

RATES = [a * 10.0**b for b in range(-5, 0) for a in (1, 2, 3, 5)] + [1.0]
STARTS = {
    "bowl": (-2.5, 1.5),
    "saddle": (-1.5, 0.05),
    "Rosenbrock": (-1.5, 2.0),
    "Himmelblau": (0.0, 0.0),
}
TURNED = ("bowl", "saddle")
OWN_RATES = ("AdaGrad", "RMSProp", "Adam")


def race(lab: Lab) -> Shown:
    """Let all optimisers go down one surface."""
    surface = choose_surface(lab)
    rules = choose_rules(lab)
    most = lab.log_slider("steps", "Steps", [10, 30, 50, 100, 200, 500, 1000], 100)
    told = lab.choice("told", "Rule in the caption", list(RULES), "momentum")
    start = lab.places(
        "start", "Start", np.array([STARTS[surface.name]]), look="query", within=surface.window
    )[0]
    run = lab.run_apart(algorithm.descent_race, surface, start, rules, max_iter=int(most))
    return lab.scene(draw.race, run, surface, rules, list(RULES).index(told), code=algorithm)


def choose_surface(lab: Lab) -> Surface:
    """Ask for the surface, and where it can be turned, for its shape."""
    name = lab.choice("surface", "Surface", list(NAMES), NAMES[0])
    curvature, angle = 1.0, 0.0
    if name == "bowl":
        curvature = lab.log_slider("kappa", "Curvature κ across", [1, 2, 5, 10, 20, 50, 100], 50)
    if name in TURNED:
        angle = lab.slider("angle", "Turned by, degrees", 0, 90, 0, 5)
    return Surface(name, float(curvature), float(angle))


def choose_rules(lab: Lab) -> tuple[Rule, ...]:
    """Ask for the rates: those with a rate for every parameter need another one."""
    plain = lab.log_slider("eta", "η of gradient, momentum", RATES, 0.03)
    own = lab.log_slider("eta2", "η of AdaGrad, RMSProp, Adam", RATES, 0.1)
    beta = lab.slider("beta", "Memory β of momentum", 0.0, 0.99, 0.9, 0.01)
    rules = [RULES[name](own if name in OWN_RATES else plain) for name in RULES]
    return tuple(replace(r, beta=beta) if isinstance(r, Momentum) else r for r in rules)


MODES = {"race": race}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
