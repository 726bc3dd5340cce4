"""Words for the race of optimisers: who is lowest, one rule with its numbers, all the heights."""

from algorithms.regression.least_squares.optimizers import Momentum
from viz.core.words import listed, number
from viz.networks.descent_race import Race
from viz.regression.least_squares.optimizer_words import Update, applied, vector


def caption(race: Race, told: int, now: int) -> str:
    """Say who is lowest, then what rule number `told` did, and how high all of them are."""
    step = race.steps[now]
    names = [rule.name for rule in race.rules]
    if now == 0:
        (x, y), height = step.places[0], step.heights[0]
        g = vector(race.surface.gradient(step.places[0]), 4)
        return (
            f"Start: all stand at ({number(x)}, {number(y)}), where f = {number(height, 4)}.\n"
            f"The gradient there is g = {g}; every rule makes a step of its own of it."
        )
    low = step.heights.min()
    leaders = [name for name, height in zip(names, step.heights, strict=True) if height == low]
    verb = "are" if len(leaders) > 1 else "is"
    event = (step.event or "").replace("stopped at max_iter", "the steps are used up")
    news = f" {_capital(event)}." if event else ""
    others = ", ".join(
        f"{name} {'gone' if gone else number(height)}"
        for name, height, gone in zip(names, step.heights, step.left, strict=True)
    )
    first = f"{listed(leaders)} {verb} lowest, at f = {number(low, 4)}.{news}"
    return f"{_capital(first)}\n{_rule(race, told, now)}\nf: {others}."


def note(race: Race) -> str:
    """Say what the surface is, and which rates are safe where that is known."""
    said = _FORMULAS[race.surface.name]
    if (steepest := race.surface.steepest) is not None:
        momentum = next(rule for rule in race.rules if isinstance(rule, Momentum))
        said += (
            f" The largest curvature is {number(steepest)}: the plain rule gets down if η < 2/κ = "
            f"{number(2 / steepest)}, momentum if η < 2(1 + β)/κ = "
            f"{number(2 * (1 + momentum.beta) / steepest)}; the other three have no such bound."
        )
    return (
        f"{said} The blue is deeper the higher, by the fourth root of f − lowest; a cross is a "
        "minimum."
    )


def _rule(race: Race, told: int, now: int) -> str:
    step, before, rule = race.steps[now], race.steps[now - 1], race.rules[told]
    if step.left[told]:
        return f"{rule.name}: it has left the picture by far, and is not followed any more."
    update = Update(
        now, before.places[told], step.places[told], step.gradients[told],
        before.velocities[told], step.velocities[told], step.squares[told],
    )  # fmt: skip
    return f"{rule.name}: {applied(rule, 'θ', update)}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_FORMULAS = {
    "bowl": "f = (p² + κ q²) / 2, with (p, q) the place, turned by the angle.",
    "saddle": "f = (p² − q²) / 2 + q⁴ / 4, with (p, q) the place, turned by the angle: a saddle "
    "in the middle, a minimum at either side.",
    "Rosenbrock": "f = (1 − x)² + 100 (y − x²)²: a bent valley, with its minimum at (1, 1).",
    "Himmelblau": "f = (x² + y − 11)² + (x + y² − 7)²: four minima, all with f = 0.",
}
