"""What the lesson of the descent lab says of its experiments, on the runs of their links."""

from collections.abc import Iterator

import numpy as np
import pytest

from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

RULES = ("gradient", "momentum", "AdaGrad", "RMSProp", "Adam")
(DESCENT,) = (lab for lab in LABS if lab.name == "descent")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def answer(title: str) -> str:
    return experiment_of(DESCENT, title).answer


def arrivals(steps: list) -> dict[str, int]:
    """When each rule was near a minimum for the first time."""
    return {
        news.removesuffix(" near a minimum"): step.index
        for step in steps
        for news in (step.event or "").split("; ")
        if news.endswith(" near a minimum")
    }


def heights(step) -> dict[str, float]:
    return dict(zip(RULES, step.heights.tolist(), strict=True))


def test_a_ravine(watched: Session) -> None:
    steps = steps_of(watched, DESCENT, "A ravine")
    assert len(steps) == 201
    assert arrivals(steps) == {"RMSProp": 32, "momentum": 47, "Adam": 62, "gradient": 123}
    assert "RMSProp after 32 steps, momentum after 47, Adam after 62" in answer("A ravine")
    assert "plain descent after 123" in answer("A ravine")
    lengths = [np.linalg.norm(step.changes[RULES.index("AdaGrad")]) for step in steps[2:]]
    assert (np.diff(lengths) < 0).all()


def test_who_bears_more(watched: Session) -> None:
    steps = steps_of(watched, DESCENT, "Who bears more?")
    surface, rate = watched.value("kappa"), watched.value("eta")
    assert (2 / surface, 2 * 1.9 / surface) == (0.04, 0.076) and 0.04 < rate < 0.076
    assert steps[-1].index == 200
    gone = [step.index for step in steps if step.left[0]]
    assert gone[0] == 8 and not any(step.left[1:].any() for step in steps)
    assert arrivals(steps)["momentum"] == 50
    across = np.abs([step.places[0, 1] for step in steps[:8]])
    assert (np.diff(across) > 0).all()
    assert "has left at step 8" in answer("Who bears more?")


def test_on_the_ridge(watched: Session) -> None:
    steps = steps_of(watched, DESCENT, "On the ridge")
    assert arrivals(steps) == {}
    assert all(not step.places[:, 1].any() for step in steps)
    assert (np.abs(steps[-1].places[:, 0]) < np.abs(steps[0].places[:, 0])).all()
    beside = steps_of(watched, DESCENT, "On the ridge", start="-1.5,0.001")
    found = arrivals(beside)
    assert set(found) == set(RULES) - {"AdaGrad"} and max(found.values()) == 84


def test_a_bent_valley(watched: Session) -> None:
    steps = steps_of(watched, DESCENT, "A bent valley")
    assert len(steps) == 1001
    found = heights(steps[-1])
    assert min(found, key=found.__getitem__) == "Adam"
    assert sorted(found, key=found.__getitem__)[1] == "momentum"
    for rule in ("Adam", "momentum", "gradient"):
        assert f"{found[rule]:.2g}" in answer("A bent valley") or (
            f"{found[rule]:.3g}" in answer("A bent valley")
        )


def test_four_basins(watched: Session) -> None:
    steps = steps_of(watched, DESCENT, "Four basins")
    last = steps[-1].places
    others = [r for r in range(5) if RULES[r] != "momentum"]
    near = np.linalg.norm(last - [3, 2], axis=1)
    assert (near[others] < 0.5).all() and near[1] > 3
    np.testing.assert_allclose(last[1], [3.58, -1.85], atol=0.02)
    assert max(arrivals(steps).values()) == 49 and len(arrivals(steps)) == 5
    found = heights(steps[-1])
    assert f"{found['RMSProp']:.2f}" == "1.48" == f"{max(found.values()):.2f}"


def test_the_start_follows_the_surface_until_it_is_dragged(watched: Session) -> None:
    watched.open(DESCENT, surface="saddle")
    assert watched.stage["handles"][0]["places"] == [[-1.5, 0.05]]
    watched.set("selectbox", "surface", "Himmelblau")
    assert watched.stage["handles"][0]["places"] == [[0, 0]]
    assert watched.captions[0].startswith("Start: all stand at (0, 0), where f = 170.")
