"""The player counts as the captions do: a mode whose captions count says in which unit."""

import re

from pages._shared.lab.catalogue import LabFile
from tests.app.session import Session
from tests.house.every_lab import EVERY_LAB
from tests.house.test_views import Seen, modes, seen, some_steps

__all__ = ["seen"]

COUNTED = re.compile(r"(?:(\w+(?: =)?) )?(\d+)(?: of (\d+)|:|,)")


@EVERY_LAB
def test_player_and_caption_count_alike(lab: LabFile, seen: Seen) -> None:
    for link in modes(lab):
        Session().open(lab, **link)
        scene, found = seen.scene, set()
        for now in some_steps(seen.run)[1:-1]:
            headline = scene.caption(now).split("\n")[0]
            match = COUNTED.match(headline)
            found.add((match[1], int(match[2]) - now, match[3]) if match else None)
        if len(found) == 1 and (counted := found.pop()):
            word, first, total = counted
            if total and int(total) != len(seen.run.steps) - 1 + first:
                continue  # the run has steps that the caption does not count
            assert (word or scene.unit).lower() == scene.unit, f"{link}: counts in {word}"
            assert first == scene.counts_from, f"{link}: step 0 is {word} {first}"
