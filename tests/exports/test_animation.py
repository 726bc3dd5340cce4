"""The offline file: its content, and that nothing in it can break out or load anything."""

import json
import re
from typing import Any

import numpy as np
import pytest

from pages._shared.exports import animation as module
from pages._shared.exports.animation import MOST_BYTES, MOST_STEPS, animation, recording
from pages._shared.exports.provenance import About, read_link
from tests.core.figures import unpacked
from tests.stage.test_stage_logic import run_node
from viz.core.scene import Run, Scene, Track, View

HOSTILE = "</script><img src=x onerror=alert(1)>"


class Step:
    """A step of which only the event is read."""

    def __init__(self, event: str | None) -> None:
        self.event = event


def long_run(total: int, size: int = 1) -> tuple[Run, Scene]:
    """Return a run whose pictures take `size` characters; every 100th step has an event."""
    steps = [Step("hundred" if i % 100 == 0 else None) for i in range(total)]

    def draw(now: int) -> dict[str, Any]:
        name = str(now).ljust(size, "x")
        return {"data": [{"type": "scatter", "name": name, "x": [0], "y": [now]}], "layout": {}}

    places = np.arange(2.0 * total).reshape(total, 1, 2)
    views = [View("Picture", draw, track=Track("step", places))]
    return Run(f"{total} {size}", steps), Scene(
        views, lambda i: f"{HOSTILE} step {i}", note=HOSTILE
    )


def test_a_short_run_is_there_whole() -> None:
    run, scene = long_run(30)
    chosen, text = recording("short", run, scene)
    assert chosen == list(range(30)) == sorted(map(int, json.loads(text)["frames"]))


@pytest.mark.parametrize("total, size", [(10 * MOST_STEPS, 1), (MOST_STEPS, 60_000)])
def test_a_long_run_is_thinned_to_its_bound(total: int, size: int) -> None:
    run, scene = long_run(total, size)
    chosen, text = recording(f"long {total}", run, scene)
    opening = json.loads(text)
    assert chosen == opening["numbers"]
    assert len(chosen) == opening["total"] == len(opening["frames"]) <= MOST_STEPS
    assert len(chosen) == MOST_STEPS or 0.7 * MOST_BYTES < len(text) < 1.02 * MOST_BYTES
    assert (chosen[0], chosen[-1]) == (0, total - 1)
    assert np.ptp(np.diff(chosen)) <= 1
    for place in (1, len(chosen) // 2, len(chosen) - 1):
        assert opening["frames"][str(place)]["caption"].endswith(f"step {chosen[place]}")
    events = [chosen[place] for place in unpacked(opening["steps"])]
    assert events == [number for number in chosen if number % 100 == 0]
    track = unpacked(opening["views"][0]["track"]["places"]).reshape(-1, 2)
    np.testing.assert_array_equal(track[:, 0], 2 * np.array(chosen))


def test_nothing_in_the_file_breaks_out_or_reaches_out() -> None:
    about = About(HOSTILE, HOSTILE, f"lab, {HOSTILE}", HOSTILE, "http://a.b/lab?x=1&y=%22")
    text = animation("hostile", *long_run(3), [], about)
    assert text.count("<script") == text.count("</script>") == 3
    assert "<img" not in text.replace(module.PLOTLY.read_text(encoding="utf-8"), "")
    assert not re.search(r"<(link|iframe|script[^>]* src)", text)
    assert "default-src 'none'" in text
    assert 'href="http://a.b/lab?x=1&amp;y=%22"' in text
    assert "All 3 steps are in this file." in text
    assert "--st-primary-color: #1f5fa8" in text and "--st-primary-color: #6db1f2" in text


def test_a_thinned_file_says_so() -> None:
    text = animation("thin", *long_run(MOST_STEPS + 100), [], About("t", "l", "p", ""))
    assert f"{MOST_STEPS} of {MOST_STEPS + 100} steps are in this file, evenly spaced." in text


@pytest.mark.parametrize(
    "sent, link",
    [("https://a.b/c?d=1", "https://a.b/c?d=1"), ("javascript:alert(1)", ""), (None, ""),
     ("http://a\nimport os", ""), ("http://" + "a" * 30_000, "")],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_only_an_address_of_a_page_is_a_link(sent: object, link: str) -> None:
    assert read_link(sent) == link


def test_files_are_named_after_lab_and_mode() -> None:
    assert About("", "", "k_means, 100 seeds", "").name == "chalkline-k_means-100-seeds"
    assert About("SVM", "", "svm, by hand", "").heading == "SVM: by hand"
    assert About("k-means", "", "k_means, k-means, dbscan", "").heading == "k-means"
    assert About("DBSCAN", "", "dbscan", "").heading == "DBSCAN"


def test_its_scripts_are_one_module() -> None:
    run, scene = long_run(3)
    text = animation("module", run, scene, [], About("t", "l", "lab", ""))
    script = text.partition('<script type="module">')[2].partition("</script>")[0]
    done = run_node("--check", "--input-type=module", "-", text=script)
    assert done.returncode == 0, done.stderr
