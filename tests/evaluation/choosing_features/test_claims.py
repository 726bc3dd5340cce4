"""What the lesson on choosing features says of its experiments."""

import numpy as np

from algorithms.evaluation.choosing_features.stepwise_selection import every_error
from tests.house.claims import Numbers, Trial, claims_test

SEEDS = range(10)


def best(trial: Trial, **changes: str) -> tuple[tuple[int, ...], float]:
    """Return the best of all sets on the data of a run."""
    trial.steps(**changes)
    return best_of(trial)


def best_of(trial: Trial) -> tuple[tuple[int, ...], float]:
    """Return the best of all sets on the data of the run that is shown."""
    run = trial.session.run_shown
    assert run and run.call
    X, y = run.call.args
    rng = np.random.default_rng([int(trial.session.value("seed")), 1])
    errors = every_error(X, y, folds=5, rng=rng)
    F = min(errors, key=errors.__getitem__)
    return F, errors[F]


def missed(trial: Trial) -> int:
    """Return on how many seeds forward search misses the best set."""
    return sum(trial.steps(seed=str(seed))[-1].selected != best_of(trial)[0] for seed in SEEDS)


def a_proxy(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert [step.moved for step in steps] == [None, 2, 1, 0, None]
    F, error = best(trial)
    assert F == (0, 1) == trial.steps(direction="backward")[-1].selected
    return [steps[-1].error, error, missed(trial), SEEDS]


def only_together(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert steps[-1].selected == () and (steps[-1].tried > steps[0].error).all()
    back = trial.steps(direction="backward")[-1]
    assert back.selected == (0, 1) == best(trial)[0]
    return [steps[-1].error, back.error, missed(trial), SEEDS]


def a_column_of_chance(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert end.selected == (0, 1, 4) == best(trial)[0]
    chance = sum(max(best(trial, seed=str(seed))[0]) > 1 for seed in SEEDS)
    return [end.error, chance, SEEDS]


def others(trial: Trial, **changes: str) -> np.ndarray:
    """Return the average errors that a hundred other samples report, as the lab shows them."""
    trial.steps(**changes)
    scene = trial.session.scene_shown
    assert scene
    return 100 * scene.caption.__self__.reported.mean(axis=0)  # type: ignore


def better_than_a_coin(trial: Trial) -> Numbers:
    outside, inside = (trial.steps(inside=inside)[-1] for inside in ("False", "True"))
    lower = sum(
        trial.steps(draw=str(seed))[-1].error < trial.steps(draw=str(seed), inside="True")[-1].error
        for seed in range(20)
    )
    return [
        100 * outside.error, outside.wrong.sum(), outside.rows.sum(), 100 * inside.error,
        *others(trial), lower, range(20),
    ]  # fmt: skip


def more_columns(trial: Trial) -> Numbers:
    many, few, five = (others(trial, columns=d)[0] for d in ("1000", "20", "5"))
    return [many, few, five]


test_claims = claims_test(
    "choosing_features",
    {
        "A proxy": a_proxy,
        "Only together": only_together,
        "A column of chance": a_column_of_chance,
        "Better than a coin": better_than_a_coin,
        "More columns, better score": more_columns,
    },
)
