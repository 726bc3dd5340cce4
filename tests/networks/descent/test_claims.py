"""What the lesson of the descent lab says of its experiments."""

from typing import Any

import numpy as np

from algorithms.core.optimizers import RULES
from algorithms.networks.descent.rate_sweep import rate_sweep
from algorithms.networks.descent.surfaces import Surface
from pages._shared.lab.catalogue import LABS
from pages.networks.descent import RATES
from tests.app.session import Session
from tests.house.claims import Numbers, Trial, claims_test

(DESCENT,) = (lab for lab in LABS if lab.name == "descent")
NAMES = list(RULES)


def arrivals(steps: Any) -> dict[str, int]:
    """Return the first step at which each rule is near a minimum."""
    return {
        news.removesuffix(" near a minimum"): step.index
        for step in steps
        for news in (step.event or "").split("; ")
        if news.endswith(" near a minimum")
    }


def stays(steps: Any, name: str, width: float) -> int:
    """Return the step from which on a rule stays near a minimum."""
    r = NAMES.index(name)
    away = [step.index for step in steps if step.apart[r] > 0.01 * width]
    assert away[-1] < steps[-1].index
    return away[-1] + 1


def heights(step: Any) -> dict[str, float]:
    return dict(zip(NAMES, step.heights.tolist(), strict=True))


def at_best_rates(trial: Trial, **changes: str) -> Any:
    """Return the steps when a visitor who followed the link asks for the best rates."""
    trial.steps(**changes)
    trial.session.set("button_group", "rates", "best")
    assert trial.session.run_shown is not None
    return trial.session.run_shown.steps


def a_ravine(trial: Trial) -> Numbers:
    steps = trial.steps()
    found = arrivals(steps)
    assert min(found, key=found.__getitem__) == "RMSProp" and "AdaGrad" not in found
    (again,) = (s.index for s in steps if "RMSProp swings away again" in (s.event or ""))
    distance = float(np.median([step.apart[NAMES.index("RMSProp")] for step in steps[100:]]))
    assert abs(distance - 0.1 / np.sqrt(2)) < 0.005
    best = at_best_rates(trial)
    needed = [stays(best, name, 6.0) for name in ("AdaGrad", "Adam", "momentum", "gradient")]
    rates = rate_sweep(Surface("bowl", 50.0), np.array([-2.5, 1.5]), [RULES["AdaGrad"](0.1)], RATES)
    assert needed == sorted(needed)
    first = found["RMSProp"], again, distance
    return [*first, 0.1, rates.rates[rates.best(0)], *needed, stays(best, "RMSProp", 6.0)]


def a_turned_ravine(trial: Trial) -> Numbers:
    steps, along = trial.steps(), trial.steps(angle="0")
    assert steps[-1].index == 200
    turned = {name: stays(steps, name, 6.0) for name in NAMES if name != "RMSProp"}
    order = ("AdaGrad", "gradient", "momentum", "Adam")
    return [stays(along, "AdaGrad", 6.0), *(turned[name] for name in order)]


def which_rule_tolerates_a_larger_rate(trial: Trial) -> Numbers:
    steps = trial.steps()
    kappa, rate = trial.session.value("kappa"), trial.session.value("eta")
    assert 2 / kappa < rate < 2 * 1.9 / kappa
    gone = [step.index for step in steps if step.left[0]]
    assert steps[-1].index == 200
    assert not any(step.left[1:].any() for step in steps)
    across = np.abs([step.places[0, 1] for step in steps[:8]])
    assert (np.diff(across) > 0).all()
    return [2 / kappa, gone[0], 0.9, 2 * 1.9 / kappa, stays(steps, "momentum", 6.0)]


def on_the_ridge(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert arrivals(steps) == {}
    assert all(not step.places[:, 1].any() for step in steps)
    assert (np.abs(steps[-1].places[:, 0]) < np.abs(steps[0].places[:, 0])).all()
    found = arrivals(trial.steps(start="-1.5,0.001"))
    assert set(found) == set(NAMES) - {"AdaGrad"}
    best = at_best_rates(trial, start="-1.5,0.001")
    return [0.001, max(found.values()), stays(best, "AdaGrad", 4.0)]


def a_bent_valley(trial: Trial) -> Numbers:
    found = heights(trial.steps()[-1])
    assert sorted(found, key=found.__getitem__)[:2] == ["Adam", "momentum"]
    best = at_best_rates(trial)
    assert set(arrivals(best)) == {"momentum", "Adam", "gradient"}
    needed = [stays(best, name, 4.0) for name in ("momentum", "Adam", "gradient")]
    return [found["Adam"], found["momentum"], found["gradient"], *needed]


def four_basins(trial: Trial) -> Numbers:
    steps = trial.steps()
    last, found = steps[-1].places, arrivals(steps)
    others = [r for r in range(5) if NAMES[r] != "momentum"]
    near = np.linalg.norm(last - [3, 2], axis=1)
    assert (near[others] < 0.5).all() and near[1] > 3 and len(found) == 5
    np.testing.assert_allclose(last[1], [3.58, -1.85], atol=0.02)
    assert heights(steps[-1])["RMSProp"] == max(steps[-1].heights)
    return [3, 2, 3.58, -1.85, max(found.values()), heights(steps[-1])["RMSProp"]]


def a_wall_in_the_way(trial: Trial) -> Numbers:
    steps = trial.steps()
    met = next(step for step in steps if step.event == "meets the wall")
    assert met.height > steps[-1].height + 0.1 and steps[-1].event == "optimal"
    return [steps[-1].height, steps[-1].multiplier]


test_claims = claims_test(
    "descent",
    {
        "A wall in the way": a_wall_in_the_way,
        "A ravine": a_ravine,
        "A turned ravine": a_turned_ravine,
        "Which rule tolerates a larger rate?": which_rule_tolerates_a_larger_rate,
        "On the ridge": on_the_ridge,
        "A bent valley": a_bent_valley,
        "Four basins": four_basins,
    },
)


def test_the_start_follows_the_surface_until_it_is_dragged(session: Session) -> None:
    session.open(DESCENT, surface="saddle")
    assert session.stage["handles"][0]["places"] == [[-1.5, 0.05]]
    session.set("selectbox", "surface", "Himmelblau")
    assert session.stage["handles"][0]["places"] == [[0, 0]]
    assert "(0, 0), where f = 170." in session.captions[0]
