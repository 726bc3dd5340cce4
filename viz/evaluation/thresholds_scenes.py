"""What the thresholds lab shows of a threshold."""

from algorithms.evaluation.held_out_scores import Judged
from viz.core.scene import Plane, Run, Scene, Track, View
from viz.evaluation import thresholds as draw
from viz.evaluation import thresholds_questions as questions
from viz.evaluation import thresholds_words as words


def lowering(
    run: Run,
    data: Plane,
    judged: Judged,
    choice: draw.Choice,
    beside: Run | None = None,
) -> Scene:
    """Show the threshold going down; the point on the curve and the line are handles.

    beside : the run of another classifier on the same points.
    """
    shown = draw.Thresholds(data, run.steps, judged, choice, beside.steps if beside else ())
    point = Track("Point on the ROC curve", shown.curve.rates[:, None])
    line = Track("Threshold", draw.grips(shown), "x")
    views = [
        View("Who is called positive; the large points are held out", draw.picture(shown)),
        View("ROC curve: drag the point", draw.roc(shown), 1.3, point, ahead=True),
        View("Scores by class: drag the threshold", draw.scores(shown), 1.0, line),
        View("Precision and recall", draw.precision(shown), 1.0, ahead=True),
    ]
    return Scene(
        views,
        lambda now: words.caption(shown, now),
        words.note(shown),
        ask=questions.ask(run.steps),
    )
