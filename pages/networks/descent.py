"""The modes of the lab; its lesson is descent.md."""

from dataclasses import replace

import numpy as np

from algorithms.core.optimizers import RULES, Momentum, Rule
from algorithms.networks.descent import constraint, descent_race
from algorithms.networks.descent.rate_sweep import best_rules, rate_sweep
from algorithms.networks.descent.surfaces import NAMES, Surface
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.networks.descent.constraint import Walled
from viz.networks.descent.descent_race import Race

_DIGITS = (
    1, 1.2, 1.5, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.3, 3.5, 3.8,
    4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5,
)  # fmt: skip
# Fine, because the best rate of plain descent is close below one with which it flies out.
RATES = [float(f"{a}e{b}") for b in range(-5, 1) for a in _DIGITS]
BY_HAND, BEST = "by hand", "best"
STARTS = {
    "bowl": (-2.6, 1.0),
    "saddle": (-1.5, 0.05),
    "Rosenbrock": (-1.5, 2.0),
    "Himmelblau": (0.0, 0.0),
}
ETAS = {  # by default: no rule flies out, wherever in the picture it starts
    "bowl": (0.03, 0.1),
    "saddle": (0.1, 0.1),
    "Rosenbrock": (0.0005, 0.05),
    "Himmelblau": (0.005, 0.3),
}
TURNED = ("bowl", "saddle")
OWN_RATES = ("AdaGrad", "RMSProp", "Adam")
WALL = np.array([[-1.6, -2.4], [-0.4, 2.6]])
STEP_RATES = [0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0]


def race(lab: Lab) -> Shown:
    """Run all optimisers down one surface."""
    surface = choose_surface(lab)
    rates = lab.buttons(
        "rates", "Learning rates η", [BY_HAND, BEST], BY_HAND,
        help=f"Best: each rule has, of the {len(RATES)} rates on the sliders for η, the one with "
        "which it is near a minimum soonest and stays.",
    )  # fmt: skip
    rules = choose_rules(lab, surface.name, rates == BY_HAND)
    most = int(lab.log_slider("steps", "Steps", [10, 30, 50, 100, 200, 500, 1000], 50))
    told = lab.choice("told", "Rule in the caption", list(RULES), "momentum")
    start = lab.places(
        "start", "Start", np.array([STARTS[surface.name]]), look="query", within=surface.window
    )[0]
    sweep = lab.later(rate_sweep, surface, start, rules, RATES, max_iter=most)
    given = lab.later(best_rules, sweep, rules) if rates == BEST else rules
    run = lab.run_apart(descent_race.descent_race, surface, start, given, max_iter=most)
    return lab.scene(Race, run, surface, given, sweep, list(RULES).index(told), code=descent_race)


def choose_surface(lab: Lab) -> Surface:
    """Ask for the surface, and for its curvature and angle if it has them."""
    name = lab.choice("surface", "Surface", list(NAMES), NAMES[0])
    curvature, angle = 1.0, 0.0
    if name == "bowl":
        curvature = lab.log_slider("kappa", "Curvature κ across", [1, 2, 5, 10, 20, 50, 100], 20)
    if name in TURNED:
        angle = lab.slider("angle", "Turned by, degrees", 0, 90, 0, 5)
    return Surface(name, float(curvature), float(angle))


def choose_rules(lab: Lab, surface: str, by_hand: bool) -> tuple[Rule, ...]:
    """Ask for the rates, if they are set by hand, and for the memory of momentum."""
    plain, own = ETAS[surface]
    if by_hand:
        plain = lab.log_slider("eta", "η of gradient, momentum", RATES, plain)
        own = lab.log_slider("eta2", "η of AdaGrad, RMSProp, Adam", RATES, own)
    beta = lab.slider("beta", "Memory β of momentum", 0.0, 0.99, 0.9, 0.01)
    rules = [RULES[name](own if name in OWN_RATES else plain) for name in RULES]
    return tuple(replace(r, beta=beta) if isinstance(r, Momentum) else r for r in rules)


def walled(lab: Lab) -> Shown:
    """Descend a bowl on one side of a wall."""
    curvature = lab.log_slider("across", "Curvature κ across", [1, 2, 3, 5, 10], 3)
    angle = lab.slider("turn", "Turned by, degrees", 0, 90, 30, 5)
    rate = lab.log_slider("rate", "Learning rate η", STEP_RATES, 0.1)
    other = lab.toggle("other", "Allow the other side of the wall", False)
    bowl = Surface("bowl", float(curvature), float(angle))
    label = "Two places on the wall"
    places = lab.places("wall", label, WALL, within=bowl.window)
    start = lab.places("from", "Start", np.array([[-1.5, 2.5]]), look="query", within=bowl.window)
    wall = places[::-1] if other else places
    run = lab.run_apart(constraint.walled_descent, bowl, wall, start[0], learning_rate=rate)
    return lab.scene(Walled, run, bowl, wall, rate, code=constraint)


MODES = {"race": race, "constraint": walled}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
