"""Questions of a lab's page over random settings, for tests of how they are judged."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pytest

from algorithms.data.presets import Dataset
from pages._shared.lab.catalogue import LABS, LabFile
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from viz.core.question import MOST_OPTIONS, Question
from viz.core.scene import Run

FEW, MORE, MANY = 6, 15, 1000
# How many questions a lab's test judges: in the ordinary tests, the thorough ones, the long walk.
SAMPLES = pytest.mark.parametrize(
    "count",
    [
        FEW,
        pytest.param(MORE, marks=pytest.mark.thorough),
        pytest.param(MANY, marks=pytest.mark.long),
    ],
)
PER_PAGE = 15  # questions of one setting
MOST_TEXT = 1000  # characters: questions come with frames
MOST_TRIED = 300  # steps of one setting
MOST_LINKS = 100  # within which every value is taken
NOT_WRITTEN = {"nan", "inf", "−inf", "None", "-0", "−0"}


@dataclass(frozen=True)
class Asked:
    """A question, and the facts that decide it: the run's steps, and the board's data."""

    question: Question
    now: int
    run: Run
    data: Dataset
    link: Mapping[str, str]

    @property
    def X(self) -> np.ndarray:
        """Return the points on the plane."""
        return self.data.X

    @property
    def labels(self) -> np.ndarray:
        """Return the classes of these points."""
        return self.data.labels

    @property
    def steps(self) -> Sequence[Any]:
        """Return all steps of the run."""
        return self.run.steps

    @property
    def before(self) -> Any:
        """Return the step that is shown."""
        return self.steps[self.now]

    @property
    def after(self) -> Any:
        """Return the step that is asked about."""
        return self.steps[self.now + 1]

    @property
    def right(self) -> str:
        """Return the right answer."""
        return self.question.options[self.question.right].text

    @property
    def place(self) -> np.ndarray:
        """Return what is asked about: a place on the plane."""
        assert self.question.place
        return np.array(self.question.place[1:])

    @property
    def point(self) -> int:
        """Return the data point that is asked about."""
        return int(np.square(self.X - self.place).sum(axis=1).argmin())

    def nearest(self, option: int) -> int:
        """Return the data point at an option's place."""
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
    """Let `judge` answer this many questions; every kind of question that it names must come up.

    A value of the settings that no page has taken is an error: what it was meant for is untested.
    """
    links = Links(settings)
    per_page = PER_PAGE if count == MANY else -(-count // links.longest)
    found: Counter[str] = Counter()
    with AsInTheApp():
        for asked in questions(lab, links, per_page):
            found[judge(asked)] += 1
            if found.total() >= count and (not links.left or links.drawn > MOST_LINKS):
                break
    assert not links.left, f"no page has taken {links.left}"
    assert set(found) <= kinds
    assert count < MANY or set(found) == kinds, found


class Links:
    """Draws links of a lab with values of its parameters, each value as often as the others.

    A page need not have a parameter, with this mode or with these other values; then the value is
    for a later one. left : the values that no page has taken yet; of a range, one is enough.
    """

    def __init__(self, settings: Mapping[str, Sequence[object]]) -> None:
        self.settings = {name: [*map(str, values)] for name, values in settings.items()}
        named = [name for name, values in settings.items() if not isinstance(values, range)]
        self.left = {(name, text) for name in named for text in self.settings[name]}
        self.left |= {(name, "") for name in settings.keys() - set(named)}
        self.longest = max((len(self.settings[name]) for name in named), default=1)
        self.decks: dict[str, list[str]] = {name: [] for name in settings}
        self.rng, self.drawn = np.random.default_rng(0), 0

    def follow(self, session: Session, lab: LabFile) -> dict[str, str]:
        """Open the lab by the next link, and return the values that the page has accepted."""
        self.drawn += 1
        for name, deck in self.decks.items():
            if not deck:
                deck.extend(self.rng.permutation(self.settings[name]).tolist())
        link = {name: deck[-1] for name, deck in self.decks.items()}
        session.open(lab, **link)
        link = {name: text for name, text in link.items() if name in session.state.declared}
        session.open(lab, **link)
        session.check_taken(link)
        for name in link:
            self.left -= {(name, self.decks[name].pop()), (name, "")}
        return link


def questions(lab: str, links: Links, per_page: int) -> Iterator[Asked]:
    """Yield a few questions for each of the random settings, without end."""
    session = Session()
    file = next(each for each in LABS if each.name == lab)
    with pytest.MonkeyPatch.context() as patch:
        session.watch(patch)
        while True:
            link = links.follow(session, file)
            run, scene = session.run_shown, session.scene_shown
            assert run and scene and run.steps, f"{link}: {session.stage['error']}"
            tried = links.rng.permutation(len(run.steps) - 1)[:MOST_TRIED].tolist()
            found = ((now, question) for now in tried if (question := scene.ask(now)))
            for now, question in islice(found, per_page):
                check_form(question, len(scene.views))
                yield Asked(question, now, run, session.board.data, link)


def check_form(question: Question, views: int) -> None:
    """Check every question: it is readable, and has one right answer among others."""
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
