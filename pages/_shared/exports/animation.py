"""A run as one file of HTML that plays offline: the stage's own scripts, Plotly, and the frames."""

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import streamlit as st

from pages._shared.exports.provenance import About
from pages._shared.exports.source import Unwritable
from pages._shared.exports.steps_table import evenly
from pages._shared.session.cache import digest
from pages._shared.session.view_state import Look, read_look
from pages._shared.stage import drawn, stage
from pages._shared.stage.protocol import Handles, Stage
from pages._shared.stage.scripts import ALL, STYLES, source
from viz.core.question import no_question
from viz.core.scene import Run, Scene, Track, View

HERE = Path(__file__).parent
PLOTLY = files("plotly").joinpath("package_data", "plotly.min.js")
MOST_STEPS = 400
MOST_BYTES = 6_000_000  # of the frames, written as text
BOUND = f"It can hold {MOST_STEPS} steps and {MOST_BYTES // 10**6} MB of pictures."
COLORS = {
    "primary": "primary",
    "background": "background",
    "secondary-background": "secondaryBackground",
    "text": "text",
    "border": "border",
}
LOADS_NOTHING = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
)


def animation(key: str, run: Run, scene: Scene, handles: Sequence[Handles], about: About) -> str:
    """Write the file; raise Unwritable, with a sentence, if that is impossible.

    key : of the scene. handles : are shown, and cannot be moved. The file opens at the step that
    the link in `about` has, or at the last one before it that it holds.
    """
    plotly = _plotly()
    chosen, opening = recording(key, run, scene)
    look = _look_of(about.link, len(run.steps) - 1)
    at = bisect_right(chosen, look.step) - 1
    sent = _stage(key, run, opening, look._replace(step=at), handles, about.legend)
    scripts = f"{ALL}{{\n{source('host.js', folder=HERE)}}}\n"  # with names of its own
    styles = _colors() + source(*STYLES) + source("animation.css", folder=HERE)
    total = len(run.steps)
    steps = (
        f"All {total:,} steps are in this file." if len(chosen) == total
        else f"{len(chosen):,} of {total:,} steps are in this file, evenly spaced. {BOUND}"
    )  # fmt: skip
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{LOADS_NOTHING}">
<title>{escape(about.heading)}</title>
<style>{styles}</style>
</head>
<body>
<header><h1>{escape(about.heading)}</h1><p>{escape(about.lead)}</p>
<button id="look"></button></header>
<main>{source("stage.html")}</main>
<footer>
<p>{escape(about.parameters)}</p>
<p>{escape(steps)} {escape(scene.note)}</p>
<p>Made with Chalkline{_link(about.link)}</p>
</footer>
<script>{_inside(plotly)}</script>
<script type="application/json" id="recording">{_data(sent)}</script>
<script type="module">{_inside(scripts)}</script>
</body>
</html>
"""


def _stage(
    key: str,
    run: Run,
    opening: str,
    look: Look,
    handles: Sequence[Handles],
    legend: list[str] | None,
) -> Stage:
    """Return the message to a stage that has no server, opened as a look says."""
    return {
        "place": "", "scene": key, "run": run.key, "opening": opening, "error": run.error,
        "bounds": "", "session": "", "links": 1, "heard": 0, "put": 0,
        "look": {"at": look.step, "zoom": None, "present": False, "layers": list(look.layers)},
        "reason": "",
        "origin": "", "rooms": False, "lab": "", "lesson": None,
        "quiz": [], "forks": False, "fork": 0, "grows": False, "carries": False, "opens": 0,
        "legend": legend,
        "handles": [{**each, "fixed": True} for each in handles],
        "choices": [],
        "paint": None,
        "theme": stage.colors(),
    }  # fmt: skip


def recording(key: str, run: Run, scene: Scene) -> tuple[list[int], str]:
    """Return the steps that fit, and an Opening that holds all of them, as JSON."""
    chosen = evenly(len(run.steps), MOST_STEPS)
    while True:
        part = thinned(key, run, scene, chosen)
        frames = ",".join(drawn.frame_texts(part[0], part[2], range(len(chosen))))
        if len(frames) <= MOST_BYTES or len(chosen) <= 2:
            break
        fewer = max(2, int(len(chosen) * MOST_BYTES / len(frames)))
        chosen = [chosen[i] for i in evenly(len(chosen), min(fewer, len(chosen) - 1))]
    opening = json.loads(drawn.opening(*part, 0))
    opening |= {"frames": json.loads(f"{{{frames}}}"), "numbers": chosen}
    return chosen, json.dumps(opening, separators=(",", ":"))


def thinned(key: str, run: Run, scene: Scene, chosen: list[int]) -> tuple[str, Run, Scene]:
    """Return key, run and scene of some of the steps; unchanged if these are all steps."""
    if len(chosen) == len(run.steps):
        return key, run, scene

    def part(view: View) -> View:
        track = view.track and Track(view.track.label, view.track.places[chosen], view.track.along)
        return replace(view, draw=lambda now: view.draw(chosen[now]), track=track)

    steps = [run.steps[i] for i in chosen]
    shown = replace(
        scene,
        views=[part(view) for view in scene.views],
        caption=lambda now: scene.caption(chosen[now]),
        answer=lambda now: scene.answer(chosen[now]),
        ask=no_question,  # a question is about the next step, which may be left out
    )
    return digest((key, chosen)), replace(run, steps=steps), shown


def _plotly() -> str:
    try:
        return PLOTLY.read_text(encoding="utf-8")
    except FileNotFoundError:
        # In the browser, Plotly is the last part to be loaded.
        raise Unwritable("A part of the app is still being loaded. Try again shortly.") from None


def _colors() -> str:
    """Return CSS rules with the app's colours, under the names in the stage's style sheet."""
    rules = []
    for look in ("light", "dark"):
        colors = {
            name: st.get_option(f"theme.{look}.{option}Color") for name, option in COLORS.items()
        }
        given = "".join(f" --st-{name}-color: {color};" for name, color in colors.items())
        rules.append(f':root[data-look="{look}"] {{ color-scheme: {look};{given} }}\n')
    return "".join(rules)


def _look_of(link: str, end: int) -> Look:
    """Return the step and the layers that a link to a run opens with."""
    look, _ = read_look(dict(parse_qsl(urlsplit(link).query)), end)
    return look


def _link(link: str) -> str:
    return f': <a href="{escape(link)}">{escape(link)}</a>' if link else "."


def _inside(script: str) -> str:
    """Return a script that cannot close its own element early."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _data(value: Stage) -> str:
    """Write JSON that may be the text of an HTML element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
