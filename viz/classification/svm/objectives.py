"""The primal and the dual objective closing on each other."""

from collections.abc import Sequence

import numpy as np

from algorithms.classification.svm.nu_svm import NuSvmStep
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_qp import SvmQpStep
from viz.core import curves, plane
from viz.core.scene import Figure

MOST = 200  # steps that the lines go through


def spacing(steps: Sequence) -> int:
    """Return the distance of the drawn steps; 1 if all steps are drawn."""
    return -(-len(steps) // MOST)


def lines(steps: Sequence, unit: str) -> Figure:
    """Draw both objectives at every step of a short run and at evenly spaced ones of a long run.

    The lines always include the first and the last step. unit : what a step is called.
    """
    places = np.arange(0, len(steps), spacing(steps))
    if places[-1] != len(steps) - 1:
        places = np.append(places, len(steps) - 1)
    values = [(steps[i].primal_objective, steps[i].dual_objective) for i in places.tolist()]
    primal, dual = np.array(values, float).T
    if (primal > 0).all() and dual[-1] > 0:
        # A logarithmic axis, from a tenth of the end at least: the first steps are far below.
        end = np.log10(dual[-1])
        low = max(np.log10(dual[dual > 0].min()), end - 1)
        high = min(np.log10(primal.max()), end + 2)
        leads = (1, 2, 5) if high - low < 1.5 else (1,)
        ticks = [lead * 10.0**power for power in range(-9, 10) for lead in leads]
        kind = {"type": "log", "tickvals": ticks}
        dual = np.where(dual > 0, dual, np.nan)
    else:
        low, high, kind = min(primal.min(), dual.min()), max(primal.max(), dual.max()), {}
    room = 0.08 * (high - low) + 0.02
    wide = max(places[-1], 1)
    traces = [
        plane.line(np.column_stack([places, primal]), line={"width": 2, "dash": "dash"})
        | {"name": "primal P", "showlegend": True},
        plane.line(np.column_stack([places, dual]), line={"width": 2.5})
        | {"name": "dual D", "showlegend": True},
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.03 * wide, 1.03 * wide], "nticks": 8}
        | {"title": {"text": unit, "standoff": 2}},
        yaxis={"title": {"text": "objective"}, "nticks": 5}
        | {"range": [float(low - room), float(high + room)]}
        | kind,
    )
    return curves.with_legend({"data": traces, "layout": layout})


def marked(drawn: Figure, step: SvmStep | SvmQpStep | NuSvmStep) -> Figure:
    """Mark the values of a step, even where the `lines` leave it out."""
    marks = [
        curves.marked(step.index, value, marker=look, cliponaxis=True, showlegend=False)
        for value, look in (
            (step.primal_objective, curves.HOLLOW),
            (step.dual_objective, curves.DOT),
        )
    ]
    return drawn | {"data": [*drawn["data"], *marks]}
