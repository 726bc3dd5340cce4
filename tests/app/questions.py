"""Questions of a lab's page over settings that are drawn, for tests of how they are judged."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np
import pytest

from algorithms.data.presets import Dataset
from pages._shared.labs import LABS
from pages._shared.stage import stage
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from viz.core.question import MOST_OPTIONS, Question
from viz.core.scene import Run, Scene

FEW, MANY = 15, 1000
# How many questions a lab's test judges: a sample in the ordinary tests, all in the long walk.
SAMPLES = pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
PER_PAGE = 15  # questions of one setting
MOST_TEXT = 1000  # characters: questions come with frames
MOST_TRIED = 300  # steps of one setting
NOT_WRITTEN = {"nan", "inf", "−inf", "None", "-0", "−0"}


@dataclass(frozen=True)
class Asked:
    """A question, and what it is judged by: the run with its steps, and the data on the board."""

    question: Question
    now: int
    run: Run
    data: Dataset
    link: Mapping[str, str]

    @property
    def X(self) -> np.ndarray:
        """The points on the plane."""
        return self.data.X

    @property
    def labels(self) -> np.ndarray:
        """Their classes."""
        return self.data.labels

    @property
    def steps(self) -> Sequence[Any]:
        """All steps of the run."""
        return self.run.steps

    @property
    def before(self) -> Any:
        """The step that is shown."""
        return self.steps[self.now]

    @property
    def after(self) -> Any:
        """The step that is asked about."""
        return self.steps[self.now + 1]

    @property
    def right(self) -> str:
        """The right answer."""
        return self.question.options[self.question.right].text

    @property
    def place(self) -> np.ndarray:
        """What is asked about: a place on the plane."""
        assert self.question.place
        return np.array(self.question.place[1:])

    @property
    def point(self) -> int:
        """The data point that is asked about."""
        return int(np.square(self.X - self.place).sum(axis=1).argmin())

    def nearest(self, option: int) -> int:
        """The data point at an option's place."""
        place = self.question.options[option].place
        assert place
        return int(np.square(self.X - place[1:]).sum(axis=1).argmin())


def check_judgements(
    lab: str,
    settings: Mapping[str, Sequence[object]],
    count: int,
    judge: Callable[[Asked], str],
    kinds: set[str],
) -> None:
    """Let `judge` look at so many questions; of many, each of the kinds that it names is there."""
    modes = len(set(settings.get("view", [""])))
    per_page = PER_PAGE if count == MANY else -(-count // modes)  # a sample of every mode
    with AsInTheApp():
        asked = islice(questions(lab, settings, per_page), count)
        found = Counter(judge(each) for each in asked)
    assert set(found) <= kinds
    assert count < MANY or set(found) == kinds, found


def questions(lab: str, settings: Mapping[str, Sequence[object]], per_page: int) -> Iterator[Asked]:
    """Give questions without end, a few from each of the settings that are drawn.

    The modes of the lab, "view", take turns.
    """
    rng, session = np.random.default_rng(0), Session()
    file = next(each for each in LABS if each.name == lab)
    shown, show = {}, stage.show
    modes = cycle(settings.get("view", [None]))

    def noted(place: str, key: str, run: Run, scene: Scene, *args: Any, **how: Any) -> None:
        shown.update(run=run, scene=scene)
        show(place, key, run, scene, *args, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage, "show", noted)
        while True:
            link = {name: str(rng.choice(list(values))) for name, values in settings.items()}
            if mode := next(modes):
                link["view"] = str(mode)
            session.open(file, **link)
            run, ask = shown["run"], shown["scene"].ask
            tried = rng.permutation(max(len(run.steps) - 1, 0))[:MOST_TRIED].tolist()
            found = ((now, question) for now in tried if (question := ask(now)))
            for now, question in islice(found, per_page):
                check_form(question, len(shown["scene"].views))
                yield Asked(question, now, run, session.state.board.data, link)


def check_form(question: Question, views: int) -> None:
    """Check what holds for any question: it can be read, and has one right answer among others."""
    texts = [option.text for option in question.options]
    assert 2 <= len(texts) == len(set(texts)) <= MOST_OPTIONS
    assert 0 <= question.right < len(texts)
    assert question.text[-1] == "?" and question.reason[-1] == "."
    for text in (question.text, question.reason, *texts):
        assert text == text.strip() != ""
        assert not NOT_WRITTEN & {word.strip("(),.?:;") for word in text.split()}, text
    assert len(question.text + question.reason + "".join(texts)) < MOST_TEXT
    for place in [question.place, *(option.place for option in question.options)]:
        if place:
            view, x, y = place
            assert 0 <= view < views and np.isfinite([x, y]).all()
