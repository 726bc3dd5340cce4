from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from viz.core.question import MOST_OPTIONS, Option, apart, asking, question, quiz

RIGHT, OTHERS = Option("right", (0, 1.0, 2.0)), [Option(f"other {i}") for i in range(8)]
K_MEANS = next(lab for lab in LABS if lab.name == "k_means")


def test_the_right_answer_is_among_the_most_tempting_others():
    asked = question("Which?", RIGHT, OTHERS, "So it is.")
    assert asked and asked.options[asked.right] == RIGHT
    assert {*asked.options} == {RIGHT, *OTHERS[: MOST_OPTIONS - 1]}
    assert asked == question("Which?", RIGHT, OTHERS, "So it is.")


def test_the_order_tells_nothing():
    places = {
        asked.right
        for i in range(50)
        if (asked := question(f"Which of {i}?", RIGHT, OTHERS[:2], "So it is."))
    }
    assert places == {0, 1, 2}


def test_answers_that_read_alike_are_one_and_without_another_there_is_no_question():
    twice = [Option("other 0", (0, 3.0, 3.0)), *OTHERS[:1], Option("right")]
    asked = question("Which?", RIGHT, twice, "So it is.")
    assert asked and len(asked.options) == 2 and asked.options[asked.right] == RIGHT
    assert question("Which?", RIGHT, [Option("right")], "So it is.") is None


def test_after_the_last_step_nothing_is_asked():
    asked = question("Which?", RIGHT, OTHERS, "So it is.")
    ask = asking(4, lambda now, rng: asked)
    assert [ask(now) is asked for now in range(4)] == [True, True, True, False]


def test_what_is_asked_is_the_same_everywhere():
    ask = asking(9, lambda now, rng: question(f"{rng.random()}?", RIGHT, OTHERS, "So it is."))
    assert ask(3) == ask(3) != ask(4)


def test_a_quiz_has_steps_with_questions_alone_and_is_drawn_by_its_seed():
    asked = question("Which?", RIGHT, OTHERS, "So it is.")
    ask = asking(100, lambda now, rng: asked if now % 3 == 0 else None)
    steps = quiz(ask, 100, 10, 7)
    assert len(set(steps)) == 10 and list(steps) == sorted(steps)
    assert all(step % 3 == 0 for step in steps)
    assert steps == quiz(ask, 100, 10, 7) != quiz(ask, 100, 10, 8)
    assert quiz(ask, 100, 50, 7) == tuple(range(0, 99, 3))
    assert quiz(ask, 1, 10, 7) == ()


def test_places_that_cannot_be_told_apart_are_left_out():
    assert apart([(0, 0.0, 0.0), (0, 0.5, 0.0), (0, 2.0, 0.0), (0, 2.0, 0.9)], 1.0) == [0, 2]


def test_a_link_opens_a_quiz_and_a_wrong_one_a_sentence():
    session = Session().open(K_MEANS, quiz="3", quiz_seed="5")
    stage = session.stage
    assert len(stage["quiz"]) == 3 and max(stage["quiz"]) < stage["opening"]["total"] - 1
    assert session.app.query_params == {"quiz": "3", "quiz_seed": "5"}
    assert Session().open(K_MEANS).stage["quiz"] == []
    refused = Session().open(K_MEANS, quiz="many")
    assert refused.stage["quiz"] == []
    assert "Questions of the quiz" in refused.app.warning[0].value
