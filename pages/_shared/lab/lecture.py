"""My lecture: a list of situations of one's own, and the text that holds it in a link or a file.

A stranger may have written the text, so it is bounded, and every failure is a sentence.
"""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from pages._shared.data.table import ReadError, one_line, quoted
from pages._shared.lab.catalogue import LABS, Experiment, LabFile
from pages._shared.session.state import session

LECTURE = 0  # in place of a week, where a situation of a lecture is under way
FORM, VERSION = "chalkline lecture", 1
MOST = 60  # situations
MAX_BYTES = 1_000_000
LONGEST_LINK = 8000  # characters of a lecture; longer addresses get lost on their way
LONGEST = {"title": 120, "question": 600, "answer": 2000, "link": 9000}  # characters
NEEDED = ("title", "question")
MOST_PARAMETERS = 100
NOT_KEPT = ("situation", "present", "embed", "embed_options", "hide")  # parameters of a link
_DAMAGED = (ValueError, RecursionError, zlib.error)


class Stop(NamedTuple):
    """A situation of a lecture."""

    lab: LabFile
    experiment: Experiment


@dataclass
class Lecture:
    """A session's list. opened : the text of the last link. error : why reading failed."""

    stops: list[Stop] = field(default_factory=list)
    opened: str = ""
    error: str = ""

    def forget(self) -> bool:
        """Keep all: it is small, and nothing else has it."""
        return False

    def change(self, stops: list[Stop]) -> None:
        """Replace the list. Its situation under way ends, since it may have another place now."""
        self.stops, self.error = stops, ""
        here = session()
        if here.trial and here.trial[0] == LECTURE:
            here.trial = None


def lecture() -> Lecture:
    """Return this visitor's lecture."""
    return session().part(Lecture)


def stop_at(query: str, lab: LabFile, words: dict[str, Any]) -> Stop:
    """Return a situation of a lab; raise ReadError if it lacks words.

    query : the lab's parameters, as its address has them. words : title, question, answer, and
    whether it hides the number of steps.
    """
    return _stop(words | {"lab": lab.name, "link": query}, "The situation")


def written(stops: list[Stop]) -> str:
    """Write a lecture as JSON."""
    found = [
        {
            "lab": stop.lab.name,
            "title": stop.experiment.title,
            "question": stop.experiment.question,
            "answer": stop.experiment.answer,
            "link": urlencode(stop.experiment.link),
            **({"hides_end": True} if stop.experiment.hides_end else {}),
        }
        for stop in stops
    ]
    about = {FORM: VERSION, "situations": found}
    return json.dumps(about, ensure_ascii=False, indent=1)


def read(raw: bytes, subject: str) -> list[Stop]:
    """Return the situations of a lecture; raise ReadError, with a sentence, if it is none."""
    if len(raw) > MAX_BYTES:
        raise ReadError(
            f"{subject} is too large, {len(raw) / 1e6:.1f} MB; a lecture has at most "
            f"{MAX_BYTES / 1e6:g} MB."
        )
    try:
        found = json.loads(raw.decode("utf-8-sig"))
    except _DAMAGED:
        raise ReadError(f"{subject} is not a lecture, or is damaged. Save it again.") from None
    if not (isinstance(found, dict) and found.get(FORM) == VERSION):
        raise ReadError(f"{subject} is not a lecture. Choose a file that “My lecture” has saved.")
    stops = found.get("situations")
    if not isinstance(stops, list):
        raise ReadError(f"{subject} has no list of situations. Save the lecture again.")
    if len(stops) > MOST:
        raise ReadError(f"{subject} has {len(stops):,} situations; a lecture has at most {MOST}.")
    return [_stop(each, f"Situation {i} of {subject}") for i, each in enumerate(stops, 1)]


def packed(stops: list[Stop]) -> str | None:
    """Return a lecture as the text of a link, or None if it is too long for one."""
    raw = zlib.compress(written(stops).encode(), 9)
    text = urlsafe_b64encode(raw).decode().rstrip("=")
    return text if len(text) <= LONGEST_LINK else None


def unpacked(text: str) -> list[Stop]:
    """Return the lecture in the text of a link; raise ReadError if there is none."""
    try:
        raw = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        unpack = zlib.decompressobj()
        found = unpack.decompress(raw, MAX_BYTES + 1)
        if not unpack.eof and len(found) <= MAX_BYTES:
            raise ValueError("cut off")
    except _DAMAGED:
        raise ReadError("The link to this lecture is damaged. Copy the whole link again.") from None
    return read(found, "The link")


def _stop(said: Any, subject: str) -> Stop:
    """Check a situation's lab, words and parameters."""
    if not isinstance(said, dict):
        raise ReadError(f"{subject} has no lab, title and question.")
    lab = next((lab for lab in LABS if lab.name == said.get("lab")), None)
    if lab is None:
        raise ReadError(f"{subject}: there is no lab {quoted(str(said.get('lab', '')))}.")
    texts = {name: _text(said.get(name, ""), name, subject) for name in LONGEST}
    for name in NEEDED:
        if not texts[name]:
            raise ReadError(f"{subject} has no {name}. Give it one.")
    try:
        fields = parse_qsl(texts["link"], max_num_fields=MOST_PARAMETERS)
    except ValueError:
        raise ReadError(f"{subject} has more than {MOST_PARAMETERS} parameters.") from None
    link = {name: text for name, text in fields if name not in NOT_KEPT}
    title, question, answer = (texts[name] for name in ("title", "question", "answer"))
    hides_end = said.get("hides_end") is True
    return Stop(lab, Experiment(title, link, question, "", answer, hides_end=hides_end))


def _text(said: Any, name: str, subject: str) -> str:
    """Return a text on one line, without control characters."""
    if not isinstance(said, str):
        raise ReadError(f"{subject}: its {name} is no text but {one_line(repr(said))}.")
    if len(said) > LONGEST[name]:
        raise ReadError(
            f"{subject}: its {name} has {len(said):,} characters; at most {LONGEST[name]:,} are "
            "allowed."
        )
    seen = "".join(c for c in said if c.isprintable() or c.isspace())
    return " ".join(seen.split())
