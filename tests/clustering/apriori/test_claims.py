"""What the lesson on a-priori says of its experiments."""

from itertools import chain

from tests.clustering.apriori.every_set import every_set, support
from tests.house.claims import Numbers, Trial, claims_test


def never_counted(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    (pruned,) = end.pruned
    assert [{end.items[j] for j in S} for S in pruned] == [
        {"bread", "eggs", "tea"},
        {"eggs", "tea"},
    ]
    counts = dict(end.counts)
    wine = end.items.index("wine")
    larger = [S for S in every_set(end.items) if "wine" in S and len(S) > 1]
    assert counts[wine,] < end.least
    return [2 ** len(end.items) - 1, len(counts), counts[wine,], end.baskets, len(larger)]


def pruned_by_a_part(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    counts = dict(end.counts)
    threes = [S for S in counts if len(S) == 3]
    assert threes == [(0, 1, 2), (0, 1, 4)] and {counts[S] for S in threes} == {2}
    pruned = dict(end.pruned)
    assert [S for S in pruned if len(S) == 4] == [(0, 1, 2, 4)]
    assert {end.items[j] for j in pruned[0, 1, 2, 4]} == {"cheese", "eggs"}
    three = [S for S in pruned if len(S) == 3]
    assert len(three) + len(threes) == 6
    return [len(threes), counts[threes[0]], 9, len(three), counts[pruned[0, 1, 2, 4]]]


def keeps_everything(trial: Trial) -> Numbers:
    found = [trial.steps(support=least)[-1] for least in ("10", "20", "30")]
    pairs = [(len(end.frequent), len(end.counts)) for end in found]
    assert found[0].least == 1
    return [*pairs[0], 20, *pairs[1], 30, *pairs[2]]


def one_more(trial: Trial) -> Numbers:
    before = trial.steps()[-1]
    after = trial.steps(groceries1="bread.eggs.milk.wine")[-1]
    wine, counts = after.items.index("wine"), dict(after.counts)
    pairs = [counts[j, wine] for j in range(wine)]
    assert max(pairs) < after.least and len(pairs) == 4
    return [len(after.counts), len(before.counts), counts[wine,]]


def three_of_four(trial: Trial) -> Numbers:
    steps = trial.steps()
    names = [tuple(steps[0].items[j] for S in step.rule for j in S) for step in steps]
    assert names[4] == ("tea", "coffee") and names[6] == ("tea", "honey")
    coffee, honey = steps[4], steps[6]
    return [
        80 if coffee.base_rate == 0.8 else 0, 100 * coffee.confidence, coffee.lift,
        honey.confidence, honey.lift,
    ]  # fmt: skip


def out_of_nothing(trial: Trial) -> Numbers:
    steps = trial.steps()
    lifts = [step.lift for step in steps[1:] if step.rule in steps[-1].kept]
    assert lifts == [2, 2]
    often = left = 0
    for seed in range(10):
        loose = trial.steps(seed=str(seed))
        kept = loose[-1].kept
        often += any(step.lift >= 2 for step in loose if step.rule in kept)
        left += rules_left(trial)
    return [len(steps[-1].kept), len(steps) - 1, max(lifts), often, range(10), 2, 20, left]


def rules_left(trial: Trial) -> bool:
    """Return whether rules are left at 20 % of the shown baskets, counted one by one."""
    run = trial.session.run_shown
    assert run and run.call
    baskets = run.call.args[0]
    supports = {S: support(baskets, S) for S in every_set(set(chain(*baskets)))}
    return any(
        supports[S] >= 0.2 and supports[S] >= 0.8 * supports[A] - 1e-9
        for S in supports
        for A in supports
        if A < S
    )


test_claims = claims_test(
    "apriori",
    {
        "What is never counted": never_counted,
        "Pruned by a part": pruned_by_a_part,
        "A minimum that keeps everything": keeps_everything,
        "One basket more": one_more,
        "Three of four": three_of_four,
        "Rules out of nothing": out_of_nothing,
    },
)
