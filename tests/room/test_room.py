"""The state machine of a room: phases, votes, bounds, and messages of any shape."""

import json
import random
from typing import Any

import pytest

from pages._shared.room import room as rooming
from pages._shared.room.following import MOST_ADDRESS, Place, place
from pages._shared.room.question import Question, question
from pages._shared.room.reading import message
from pages._shared.room.room import GRACE, Refused, Room
from pages._shared.room.rooms import IDLE, LETTERS, LIFE, MOST_ROOMS, Rooms
from pages._shared.room.sockets import steer

ASKED = {
    "way": "buttons",
    "text": "Which?",
    "options": ["x", "y", "z"],
    "right": 2,
    "reason": "So.",
}
TAP = {**ASKED, "way": "tap", "spots": [[0.1, 0.1], [0.9, 0.9], [0.1, 0.9]]}
NUMBER = {**ASKED, "way": "number", "spots": [1, 5, 9], "bounds": [0, 10, 1]}


@pytest.fixture
def room() -> Room:
    return Room("ABCD", "s" * 20, 0.0)


def ask(room: Room, raw: dict[str, Any] = ASKED, seconds: float = 0) -> Question:
    found = question(raw)
    room.ask(found, b"", 1.0, seconds)
    return found


def test_a_question_goes_through_its_phases_and_nothing_else_does(room: Room) -> None:
    assert not any([room.close(1), room.again(1), room.reveal(1), room.show(1)])
    ask(room)
    assert room.phase == "asking" and not room.again(1) and not room.show(1)
    assert room.close(2) and room.phase == "closed" and not room.close(2)
    assert room.again(3) and room.phase == "asking again"
    assert room.close(4) and not room.again(4), "there are two rounds"
    assert room.reveal(5) and room.phase == "revealed" and not room.reveal(5)
    ask(room)
    assert room.reveal(6), "an open vote may be revealed at once"
    room.rest(7)
    assert room.phase == "lobby" and room.question is None and len(room.results) == 2


def test_a_phone_has_one_vote_which_it_can_change_until_the_vote_is_closed(room: Room) -> None:
    phone = room.join("p", 0)
    assert not room.vote(phone, 0, 1, 0), "nothing is asked"
    ask(room)
    assert room.vote(phone, 1, 0, 1) and room.vote(phone, 1, 2, 1)
    assert room.join("p", 1) is phone and room.answered == 1
    assert not room.vote(phone, 2, 1, 1), "that is another question"
    room.close(2)
    assert not room.vote(phone, 1, 1, 2)
    room.again(3)
    assert room.answered == 0 and room.vote(phone, 1, 1, 3)
    assert phone.votes == (2, 1)
    ask(room)
    assert phone.votes == (None, None)


def test_both_rounds_are_counted_with_who_went_to_the_right_answer(room: Room) -> None:
    phones = [room.join(f"p{i}", 0) for i in range(5)]
    ask(room)
    for phone, vote in zip(phones, [0, 0, 2, 2], strict=False):
        room.vote(phone, 1, vote, 1)
    room.close(2)
    room.again(2)
    for phone, vote in zip(phones, [2, 1, 0], strict=False):
        room.vote(phone, 1, vote, 3)
    room.reveal(4)
    (result,) = room.results
    assert (result.first, result.second) == ((2, 0, 2), (1, 1, 1))
    assert (result.gained, result.lost, result.score) == (1, 1, (2, 4))  # the fourth keeps its vote
    assert [(phone.right, phone.answered) for phone in phones] == [
        (1, 1), (0, 1), (0, 1), (1, 1), (0, 0),
    ]  # fmt: skip
    told = room.for_teacher(4, on_wall=True)
    assert sorted(told["tally"], key=str) == [(0, 1, 1), (0, 2, 1), (2, 0, 1), (2, None, 1)]


def test_a_countdown_closes_the_vote_after_what_comes_at_its_end(room: Room) -> None:
    phone = room.join("p", 0)
    ask(room, seconds=30)
    assert room.for_phone(phone, 11)["left"] == 20_000
    assert room.vote(phone, 1, 0, 31) and not room.tick(31)
    assert not room.vote(phone, 1, 1, 31 + GRACE)
    assert room.phase == "closed" and phone.votes == (0, None)


def test_nobody_is_told_too_early(room: Room) -> None:
    phone = room.join("p", 0)
    ask(room, TAP)
    room.vote(phone, 1, [0.1, 0.8], 1)
    for _ in range(2):
        text = json.dumps([room.for_phones(), room.for_phone(phone, 1)])
        assert "So." not in text and "spots" not in text and "tally" not in text
        wall = room.for_teacher(1, on_wall=True)
        assert wall["tally"] is None and "key" not in wall and wall["answered"] == 1
        assert room.for_teacher(1, on_wall=False)["tally"] == [((0.1, 0.8), None, 1)]
        room.close(2)
    assert room.show(3) and room.for_teacher(3, on_wall=True)["tally"]
    room.reveal(4)
    assert room.for_phones()["revealed"] == {"right": "z", "reason": "So."}
    assert room.for_phone(phone, 4)["right"] is True
    assert "tally" not in room.for_phones()


@pytest.mark.parametrize(
    ("raw", "answer", "read", "option"),
    [
        (ASKED, 1, 1, 1),
        (TAP, [0.2, 2], (0.2, 1.0), 2),
        (TAP, [1, 0.7], (1.0, 0.7), 1),
        (NUMBER, 6.6, 6.6, 1),
        (NUMBER, 99, 10.0, 2),
    ],
)
def test_an_answer_counts_for_the_nearest_option(raw, answer, read, option) -> None:
    asked = question(raw)
    assert asked.read(answer) == read and asked.option_of(read) == option


BAD = [None, True, "1", -1, 3, 1.5, [], [1], [0.1, "a"], {"a": 1}, 1e999, [1e999, 0], 10**400]


@pytest.mark.parametrize("raw", [ASKED, TAP, NUMBER])
def test_other_answers_are_refused(raw) -> None:
    asked = question(raw)
    for answer in BAD:
        if raw is NUMBER and answer in (-1, 3, 1.5) and answer is not True:
            continue
        with pytest.raises(ValueError):
            asked.read(answer)


@pytest.mark.parametrize(
    "change",
    [
        {"way": "markup"}, {"way": []}, {"options": ["x"]}, {"options": list("abcdef")},
        {"right": 3}, {"right": True}, {"text": 1}, {"text": "x" * 3000}, {"area": [0, 0, 1]},
        {"way": "tap"}, {"way": "tap", "spots": [[0, 0]]}, {"way": "number", "spots": [1, 2, 3]},
        {"way": "number", "spots": [1, 2, 3], "bounds": [3, 1, 1]},
    ],
)  # fmt: skip
def test_other_questions_are_refused(change) -> None:
    with pytest.raises(ValueError):
        question({**ASKED, **change})


def test_ten_thousand_hostile_messages_change_nothing_but_votes(room: Room) -> None:
    chance = random.Random(1)
    parts: list[Any] = [*BAD[:-1], "\ud800", "<b>", 0, 0.5, [0, 0], "ask", "vote", "look", "s" * 20]
    names = ["vote", "number", "do", "seconds", "look", "text", "way", "options", "right", "spots"]
    phone = room.join("p", 0)
    ask(room)
    for _ in range(10_000):
        said = {name: chance.choice(parts) for name in chance.sample(names, 4)}
        try:
            room.vote(phone, said.get("number", 1), said.get("vote"), 1)
        except ValueError:
            continue
    assert room.phase == "asking" and phone.votes[0] in (None, 0) and phone.votes[1] is None
    for _ in range(10_000):
        text = "".join(chance.choices('{}[]",:0aé\\e9-truNIfn', k=chance.randrange(60)))
        try:
            assert isinstance(message(text, 300), dict)
        except ValueError:
            continue
    for text in ["[" * 250, '{"a":' * 60, "NaN", '{"vote":Infinity}', "9" * 299, "x" * 301, None]:
        with pytest.raises(ValueError):
            message(text, 300)


def test_a_teacher_s_message_of_any_shape_raises_value_error_alone(room: Room) -> None:
    chance = random.Random(2)
    parts: list[Any] = [
        *BAD,
        "ask",
        "again",
        "close",
        "show",
        "reveal",
        "rest",
        "look",
        "<b>",
        "tap",
    ]
    names = ["do", "seconds", "look", "text", "way", "options", "right", "spots", "picture", "area"]
    for _ in range(10_000):
        said = {name: chance.choice(parts) for name in chance.sample(names, 5)}
        try:
            steer(room, said, 1)
        except ValueError:
            continue
    assert room.number == 0
    for picture in ["%", "QUJD", 1]:
        with pytest.raises(ValueError):
            steer(room, {**ASKED, "do": "ask", "picture": picture}, 1)


def test_phones_are_bounded_and_those_that_left_make_way(room: Room, monkeypatch) -> None:
    monkeypatch.setattr(rooming, "MOST_PHONES", 3)
    for name in "abc":
        room.join(name, 0).lines = 1
    with pytest.raises(Refused):
        room.join("d", 0)
    room.phones["b"].lines = room.phones["c"].lines = 0
    ask(room)
    room.vote(room.phones["b"], 1, 1, 1)
    room.join("d", 1)
    assert set(room.phones) == {"a", "b", "d"}, "a vote is kept as long as possible"


def codes(count: int) -> list[str]:
    return [f"{LETTERS[i // 400]}A{LETTERS[i // 20 % 20]}{LETTERS[i % 20]}" for i in range(count)]


def test_rooms_are_bounded_the_oldest_idle_first(monkeypatch) -> None:
    rooms = Rooms()
    for i, code in enumerate(codes(1000)):
        rooms.open(code, "s" * 20, "light", f"address {i}", float(i))
        assert len(rooms.all) <= MOST_ROOMS
    assert list(rooms.all) == codes(1000)[-MOST_ROOMS:]
    for room in rooms.all.values():
        room.join("p", 1000).lines = 1
    with pytest.raises(Refused, match="full"):
        rooms.open("ZZZZ", "s" * 20, "light", "b", 1001)
    oldest = next(iter(rooms.all))
    rooms.open("ZZZZ", "s" * 20, "light", "b", 1000 + IDLE)
    assert oldest not in rooms.all
    assert len(rooms.end_old(1000 + LIFE)) == MOST_ROOMS - 1 and list(rooms.all) == ["ZZZZ"]


def test_only_who_opened_a_room_steers_it_and_codes_cannot_be_guessed_in_bulk() -> None:
    rooms = Rooms()
    room = rooms.open("ABCD", "s" * 20, "light", "t", 0)
    assert rooms.open("ABCD", "s" * 20, "light", "t", 0) is room
    with pytest.raises(Refused, match="taken"):
        rooms.open("ABCD", "t" * 20, "light", "t", 0)
    with pytest.raises(Refused, match="wrong"):
        rooms.steer("ABCD", "t" * 20, "x", 0)
    found = 0
    for i in range(1000):
        try:
            rooms.find("ABCD" if i > 500 else "EEEE", "guesser", i / 1000, "g" * 20)
            found += 1
        except Refused:
            continue
    assert found == 0, "after sixty wrong codes a right one is refused, too"
    room.join("p", 1)
    assert rooms.find("ABCD", "guesser", 1, "p") is room, "a phone of the room comes back"
    assert rooms.find("ABCD", "guesser", 100, "q") is room, "and a minute later anybody"


def test_an_address_opens_a_bounded_number_of_rooms() -> None:
    rooms, opened = Rooms(), 0
    for code in codes(100):
        try:
            rooms.open(code, "s" * 20, "light", "one", 0)
            opened += 1
        except Refused as refused:
            assert refused.why == "often"
    assert opened == 30


LABS = {"k_means", "dbscan"}


def test_a_class_is_led_to_a_lab_of_the_app_and_nowhere_else() -> None:
    said = {"address": "k_means?k=5&step=3&hide=a,b", "absent": 7}
    assert place(said, LABS) == Place("k_means?k=5&step=3&hide=a%2Cb", 7)
    assert place({"address": None}, LABS) is None and place({}, LABS) is None
    markup = place({"address": 'dbscan?a="><script>\r\nSet-Cookie: x&b=%0d#c'}, LABS)
    assert markup and not set('"<>\r\n#') & set(markup.address)
    long = "x" * MOST_ADDRESS
    for address in [
        "https://evil.example/k_means?k=3", "//evil.example?k=3", "/k_means?k=3", "../k_means?k=3",
        "javascript:alert(1)", "gallery?k=3", "K_means?k=3", "", 1, ["k_means?k=3"], True,
        f"k_means?k={long}", f"k_means?k={'é' * 3000}",
        "k_means?" + "&".join("k=3" for _ in range(200)), "k_means?k=\ud800",
    ]:  # fmt: skip
        with pytest.raises(ValueError):
            place({"address": address}, LABS)
    for absent in ["many", None, [1], 1e999, True]:
        with pytest.raises(ValueError):
            place({"address": "k_means?k=3", "absent": absent}, LABS)


def test_those_who_follow_are_told_the_newest_place_and_phones_whether_there_is_one(room: Room):
    assert room.for_followers() == {"address": "", "absent": 0}
    assert room.lead(Place("k_means?step=0", 0), 5) and room.moved == 5
    assert not room.lead(Place("k_means?step=1", 0), 6), "phones need not hear of every step"
    assert room.for_followers() == {"address": "k_means?step=1", "absent": 0}
    assert room.for_phones()["leads"] is True and "k_means" not in json.dumps(room.for_phones())
    assert room.lead(None, 7) and not room.lead(None, 8)
    assert room.for_phones()["leads"] is False
