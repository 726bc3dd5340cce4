"""The lab's questions, judged by the rows of the joint table and by the graph."""

from algorithms.graphs.belief_networks.messages import schedule
from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.graphs.belief_networks import every_row

VALUES = ["not seen", "yes", "no"]
SETTINGS = {
    "view": ["evidence", "elimination", "messages", "d-separation"],
    "network": ["wet grass", "burglar alarm", "storm"],
    "wet_grass": VALUES,
    "rain": VALUES,
    "mary_calls": VALUES,
    "late": VALUES,
    "jam": VALUES,
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    network, now = asked.run.call.args[0], asked.now
    view, step, after = asked.link["view"], asked.run.steps[now], asked.run.steps[now + 1]
    if view == "evidence":
        evidence = asked.run.call.args[1]
        seen = [{k: evidence[k] for k in each.seen} for each in (step, after)]
        name = asked.question.text.rpartition("probability of ")[2].rstrip("?")
        before, then = (every_row.posteriors(network, each)[name][1] for each in seen)
        way = (
            "stays the same" if abs(then - before) < 1e-9 else "rises" if then > before else "falls"
        )
        assert asked.right == f"it {way}"
    elif view == "elimination":
        gone = asked.question.text.split(" is summed out")[0]
        linked = {n for f in step.factors if gone in f.names for n in f.names} - {gone}
        assert asked.right == f"over {', '.join(n[0] for n in network if n in linked)}"
    elif view == "messages":
        receiver = schedule(network)[now % len(schedule(network))][1]
        change = after.beliefs[receiver][1] - step.beliefs[receiver][1]
        assert asked.right == ("it rises" if change > 0 else "it falls")
    else:
        index, at = step.following
        u, x, v = step.paths[index][at - 1 : at + 2]
        given = asked.run.call.args[3]
        below, collider = {x}, {u, v} <= set(network[x].parents)
        for _ in network:
            below |= {n for n, node in network.items() if below & set(node.parents)}
        lets = bool(below & set(given)) if collider else x not in given
        assert asked.right == f"it {'lets the path through' if lets else 'blocks the path'}"
    return view


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("belief_networks", SETTINGS, count, judge, set(SETTINGS["view"]))
