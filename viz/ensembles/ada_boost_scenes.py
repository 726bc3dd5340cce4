"""What the AdaBoost lab shows."""

from numpy import ndarray

from algorithms.ensembles.ada_boost import Account
from viz.core.scene import Plane, Run, Scene, View
from viz.ensembles import ada_boost as draw
from viz.ensembles import ada_boost_questions as questions
from viz.ensembles import ada_boost_words as words


def boosting(run: Run, data: Plane, held: ndarray, sums: Account, query: ndarray) -> Scene:
    """Show the rounds.

    held : (n,) which points are held out. sums : the account of the run. query : a picked point.
    """
    shown = draw.Boosted(data, run.steps, held, sums, query)
    views = [
        View("The vote, this round's tree, and the weights", lambda now: draw.picture(shown, now)),
        View("How many the vote gets wrong", lambda now: draw.errors(shown, now), ahead=True),
        View("The picked point, tree by tree", lambda now: draw.query(shown, now), ahead=True),
        View(
            "How good each tree is; how sure the vote is",
            lambda now: draw.merits(shown, now),
            ahead=True,
        ),
    ]
    note = words.NOTE + (words.HELD_OUT if held.any() else "")
    details = [("The last step's vote, tree by tree", words.members(run.steps, data))]
    return Scene(
        views,
        lambda now: words.caption(shown, now),
        note,
        details,
        ask=questions.ask(shown),
    )
