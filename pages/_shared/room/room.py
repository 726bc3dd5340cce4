"""One room: its phases, its phones and their votes. It knows no socket and no clock.

    lobby -> asking -> closed -> asking again -> closed -> revealed -> asking ...
                          \\-------------------------------/^

The teacher moves the room from phase to phase, and the end of a countdown closes a vote. Phones
come and go in every phase; a phone is a random number, and has one vote for each round of a
question, which it can change until the vote is closed.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from pages._shared.room.following import Place
from pages._shared.room.question import Answer, Question
from pages._shared.room.sheet import Sheet, Verdict

Phase = Literal["lobby", "asking", "closed", "asking again", "revealed"]
Look = Literal["light", "dark"]
Votes = tuple[Answer | None, Answer | None]  # of the two rounds

MOST_PHONES = 2000
MOST_RESULTS = 100  # questions whose counts are kept
MOST_SECONDS = 600  # of a countdown
GRACE = 0.5  # seconds after a countdown, for what phones send at its end


class Refused(Exception):
    """A request that is not met; `why` is a word for the browser."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(slots=True)
class Phone:
    """What a room knows of a phone: its votes on the open question and its score."""

    votes: Votes = (None, None)
    right: int = 0
    answered: int = 0
    lines: int = 0  # connections that are open now


@dataclass(frozen=True)
class Result:
    """The counts of one question.

    gained, lost : phones that went to, or left, the right answer. score : of the last votes, those
    that were right, and all.
    """

    text: str
    options: tuple[str, ...]
    right: int
    first: tuple[int, ...]  # votes for each option
    second: tuple[int, ...] | None  # None: there was one round
    gained: int
    lost: int
    score: tuple[int, int]


@dataclass(eq=False)
class Room:
    """A room. moved : when somebody last did something, in seconds of any clock."""

    code: str
    secret: str
    moved: float
    look: Look = "light"
    phase: Phase = "lobby"
    round: int = 1
    number: int = 0  # of the question, from 1
    question: Question | Sheet | None = None
    verdict: Verdict | None = None  # on drawings, once their best is shown
    picture: bytes = b""
    shown: bool = False  # the teacher has put the bars on the wall before the answer
    deadline: float | None = None
    phones: dict[str, Phone] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    led: Place | None = None  # what those who follow the wall are shown
    followers: int = 0

    @property
    def is_asking(self) -> bool:
        """Return whether votes are taken."""
        return self.phase in ("asking", "asking again")

    def join(self, name: str, now: float) -> Phone:
        """Return the phone with a name; raise Refused if there is no room for another one."""
        phone = self.phones.get(name)
        if phone is None:
            if len(self.phones) >= MOST_PHONES:
                self._forget_one()
            phone = self.phones[name] = Phone()
        self.moved = now
        return phone

    def _forget_one(self) -> None:
        """Make room: forget a phone that has left, one without a vote first."""
        gone = [(name, phone) for name, phone in self.phones.items() if not phone.lines]
        if not gone:
            raise Refused("full")
        name, _ = min(gone, key=lambda one: one[1].votes != (None, None))
        del self.phones[name]

    def ask(
        self, question: Question | Sheet, picture: bytes, now: float, seconds: float = 0
    ) -> None:
        """Put a question to all phones. seconds : until the vote closes by itself, 0 for never."""
        self.question, self.picture, self.verdict = question, picture, None
        self.number += 1
        for phone in self.phones.values():
            phone.votes = (None, None)
        self.round = 1
        self._open("asking", now, seconds)

    def again(self, now: float, seconds: float = 0) -> bool:
        """Have the closed question voted on again; return whether that was possible."""
        if self.phase != "closed" or self.round == 2:
            return False
        self.round = 2
        self._open("asking again", now, seconds)
        return True

    def _open(self, phase: Phase, now: float, seconds: float) -> None:
        self.phase, self.moved, self.shown = phase, now, False
        until = min(max(seconds, 0.0), MOST_SECONDS)
        self.deadline = now + until if until else None

    def vote(self, phone: Phone, number: Any, raw: Any, now: float) -> bool:
        """Take a phone's answer to a question, or a change of it; return whether it counts."""
        self.tick(now)
        if not self.is_asking or number != self.number or self.question is None:
            return False
        answer = self.question.read(raw)
        first, _ = phone.votes
        phone.votes = (answer, None) if self.round == 1 else (first, answer)
        self.moved = now
        return True

    def close(self, now: float) -> bool:
        """Close the vote; return whether one was open."""
        if not self.is_asking:
            return False
        self.phase, self.deadline, self.moved = "closed", None, now
        return True

    def tick(self, now: float) -> bool:
        """Close the vote if its countdown is over; return whether this closed it."""
        over = self.deadline is not None and now >= self.deadline + GRACE
        return over and self.close(now)

    def reveal(self, now: float) -> bool:
        """Show the answer, and count who had it; return whether a question was open."""
        if self.question is None or self.phase in ("lobby", "revealed"):
            return False
        self.close(now)
        self.phase, self.moved = "revealed", now
        if isinstance(self.question, Sheet):
            return True  # no drawing is right or wrong
        for phone in self.phones.values():
            last = self._last(phone)
            if last is not None:
                phone.answered += 1
                phone.right += self.question.option_of(last) == self.question.right
        self.results = [*self.results, self._result(self.question)][-MOST_RESULTS:]
        return True

    def judge(self, verdict: Verdict) -> bool:
        """Take what the revealed drawings cost; return whether it could."""
        if self.phase != "revealed" or not isinstance(self.question, Sheet):
            return False
        self.verdict = verdict
        return True

    def show(self, now: float) -> bool:
        """Put the bars of a closed vote on the wall, or take them off; return whether it could."""
        if self.phase != "closed":
            return False
        self.shown, self.moved = not self.shown, now
        return True

    def rest(self, now: float) -> None:
        """Go back to the lobby, where phones see their score."""
        self.close(now)
        self.phase, self.question, self.picture, self.moved = "lobby", None, b"", now

    def lead(self, place: Place | None, now: float) -> bool:
        """Lead those who follow to a place, or to none; return whether leading began or ended."""
        turned = (place is None) != (self.led is None)
        self.led, self.moved = place, now
        return turned

    def _last(self, phone: Phone) -> Answer | None:
        first, second = phone.votes
        return first if second is None else second

    def _result(self, asked: Question) -> Result:
        first = [0] * len(asked.options)
        second = [0] * len(asked.options)
        gained = lost = scored = 0
        for (one, two), count in self._tally().items():
            before, after = (None if a is None else asked.option_of(a) for a in (one, two))
            if before is not None:
                first[before] += count
            if after is not None:
                second[after] += count
            scored += count * ((before if after is None else after) == asked.right)
            if before is not None and after is not None:
                gained += count * (before != asked.right == after)
                lost += count * (before == asked.right != after)
        return Result(
            asked.text, asked.options, asked.right, tuple(first),
            tuple(second) if self.round == 2 else None,
            gained, lost, (scored, self._tally().total()),
        )  # fmt: skip

    def _tally(self) -> Counter[Votes]:
        """Return the number of phones for each pair of votes that was given."""
        found = Counter(phone.votes for phone in self.phones.values())
        del found[(None, None)]
        return found

    @property
    def present(self) -> int:
        """Return the number of phones that are connected."""
        return sum(phone.lines > 0 for phone in self.phones.values())

    @property
    def answered(self) -> int:
        """Return the number of phones that have answered in this round."""
        return sum(phone.votes[self.round - 1] is not None for phone in self.phones.values())

    def for_phones(self) -> dict[str, Any]:
        """Return what every phone is told. There are no counts in it, and no answer too early."""
        asked = self.question
        told: dict[str, Any] = {
            "phase": self.phase, "round": self.round, "number": self.number, "look": self.look,
            "leads": self.led is not None,
        }  # fmt: skip
        if asked is not None:
            told["question"] = {**asked.asked(), "area": asked.area, "picture": bool(self.picture)}
            judge = self.verdict if isinstance(asked, Sheet) else asked
            if self.phase == "revealed" and judge is not None:
                told["revealed"] = judge.revealed()
        return told

    def for_phone(self, phone: Phone, now: float) -> dict[str, Any]:
        """Return what one phone is told beside that: its own votes, and its score at the end."""
        asked, last = self.question, self._last(phone)
        told: dict[str, Any] = {"votes": phone.votes, "left": self._left(now)}
        if last is None or self.phase != "revealed":
            pass
        elif self.verdict is not None:
            told["cost"] = self.verdict.costs.get(last)
        elif isinstance(asked, Question):
            chosen = asked.option_of(last)
            told |= {"chosen": asked.options[chosen], "right": chosen == asked.right}
        if self.phase in ("lobby", "revealed"):
            told["score"] = (phone.right, phone.answered)
        return told

    def for_teacher(self, now: float, *, on_wall: bool) -> dict[str, Any]:
        """Return what the teacher's page is told. on_wall : the class sees it, too.

        The tally is a list of the first vote, the second vote, and how many phones gave these two.
        """
        sees = not on_wall or self.phase == "revealed" or self.shown
        told = {
            **self.for_phones(),
            "code": self.code, "phones": self.present, "answered": self.answered,
            "left": self._left(now), "shown": self.shown, "followers": self.followers,
            "tally": [(*votes, n) for votes, n in self._tally().items()] if sees else None,
            "results": [vars(result) for result in self.results],
        }  # fmt: skip
        asked = self.question
        if isinstance(asked, Question) and sees:
            told["key"] = {"options": asked.options, "right": asked.right, "spots": asked.spots}
        return told

    def for_followers(self) -> dict[str, Any]:
        """Return where those who follow the wall go."""
        return {"address": "", "absent": 0} if self.led is None else vars(self.led)

    def _left(self, now: float) -> float | None:
        """Return the milliseconds until the vote closes, or None without a countdown."""
        return None if self.deadline is None else max(0.0, round(1000 * (self.deadline - now)))
