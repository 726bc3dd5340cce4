"""Predict, then reveal: by the keyboard, by the pointer on the picture, and as a quiz by a link."""

import re

import pytest
from playwright.sync_api import Locator, expect

from deploy.read_results import read_result
from tests.browser.conftest import until
from tests.browser.test_labs import problems_in_both_themes


def test_a_question_comes_before_the_step_and_its_answer_after_it(stage):
    stage.open("k_means?k=3&seed=0")
    asked, options = stage.page.locator(".quiz .asked"), stage.page.locator(".quiz .options button")
    score = stage.page.locator(".quiz .score")
    stage.press("q", "ArrowRight")
    expect(asked).to_have_text(re.compile(r"^Move: .*\?$"))
    expect(stage.where).to_have_text(re.compile("step 0 of"))
    expect(stage.caption).to_be_hidden()
    inertia, choice = stage.page.locator("figure").all()[:2]
    until(stage.page, lambda: places_of_curve(inertia) == 1)  # to the shown step
    assert places_of_curve(choice) > 2  # the choice of k tells nothing of the step
    assert problems_in_both_themes(stage.page) == []
    stage.press("Space", "b")  # the first of them waits for an answer
    expect(asked).to_have_text(re.compile(r"^(✓ Right: B|✕ No, not B)"))
    expect(stage.where).to_have_text(re.compile("step 1 of"))
    expect(stage.caption).to_contain_text("Move: every centre")
    until(stage.page, lambda: places_of_curve(inertia) > 2)
    expect(score).to_have_text(re.compile("of 1$"))

    stage.press("Space")  # goes on, to the next question
    expect(asked).to_have_text(re.compile(r"^Assign: .*\?$"))
    options.first.focus()
    stage.press("Space")  # presses the button that has the focus
    expect(asked).to_have_text(re.compile(r"(Right: A|not A)"))
    expect(stage.page.locator(".quiz .go-on")).to_be_focused()
    expect(score).to_have_text(re.compile("of 2$"))

    stage.press("ArrowLeft", "ArrowLeft")  # back without a question, and on with one
    expect(stage.where).to_have_text(re.compile("step 0 of"))
    expect(asked).to_be_empty()
    stage.press("ArrowRight")
    expect(asked).to_have_text(re.compile(r"\?$"))
    pin = stage.page.locator(".picture .pin", has_text="A")
    pin.click()  # on the picture
    expect(asked).to_have_text(re.compile(r"(Right: A|not A)"))
    expect(score).to_have_text(re.compile("of 2$"))  # the first answer counts
    stage.press("q", "ArrowRight")
    expect(stage.where).to_have_text(re.compile("step 2 of"))
    expect(stage.page.locator(".quiz")).to_be_hidden()


def test_a_situation_shows_what_tells_its_answer_when_the_answer_is_opened(stage):
    stage.open("decision_tree?data=moons&n=200&noise=0.5&depth=8&held=50")
    errors = stage.page.locator("figure", has_text="Errors while it grows")
    until(stage.page, lambda: places_of_curve(errors) == 1)
    stage.press("t")
    until(stage.page, lambda: places_of_curve(errors) == 20)
    stage.press("t", "ArrowRight")
    until(stage.page, lambda: places_of_curve(errors) == 2)
    stage.press("End")
    until(stage.page, lambda: places_of_curve(errors) == 20)


def places_of_curve(view: Locator) -> int:
    """Return the number of places along the first curve that a linked view draws."""
    drawn = "(plot) => plot._fullData?.[0]?.x.length ?? 0"
    return view.locator(".js-plotly-plot").evaluate(drawn)


@pytest.mark.long
def test_a_quiz_of_a_link_goes_from_question_to_question_and_says_what_was_missed(stage):
    stage.open("decision_tree")
    stage.press("q")
    link = stage.page.locator(".quiz .link")
    link.get_by_role("combobox").select_option("5")
    link.get_by_role("button").click()
    address = link.get_by_role("textbox").input_value()
    # The address that others reach: that of the network, where the machine is in one.
    found = re.fullmatch(r"http://[\d.]+:\d+/(decision_tree\?quiz=5&quiz_seed=(\d+))", address)
    assert found

    stage.open(found[1])
    asked, score = stage.page.locator(".quiz .asked"), stage.page.locator(".quiz .score")
    for answered in range(5):
        expect(asked).to_have_text(re.compile(r"\?( \(.+\))?\s*$"))
        if answered:
            expect(score).to_have_text(re.compile(f"of {answered} answered, 5 in all"))
        stage.press("ArrowRight" if answered == 0 else "a")  # the first one is skipped
        expect(asked).to_have_text(re.compile("^(Skipped|✓|✕)"))
        if answered == 2:
            stage.page.reload()  # what was answered stays
        else:
            stage.press("Space")
    expect(asked).to_have_text(re.compile(r"^The quiz is over: \d of 5 right\.$"))
    right = int(re.findall(r"\d", asked.inner_text())[0])
    stage.page.reload()
    expect(asked).to_have_text(f"The quiz is over: {right} of 5 right.")
    stage.page.get_by_label("Your name, for the result").fill("Ada")
    with stage.page.expect_download() as download:
        stage.page.get_by_role("button", name="Save as text").click()
    result = read_result(download.value.path().read_text(encoding="utf-8"))
    assert result["Name"] == "Ada" and result["Score"] == f"{right} of 5"
    assert result["Code"] == "fits" and result["Questions"] == f"5, drawn with seed {found[2]}"
    assert result["Lab"].startswith("decision_tree") and result["Link"] == address
    missed = stage.page.locator(".quiz .options p:not(.hand-in)")
    expect(missed).to_have_count(5 - right)
    expect(missed.first).to_contain_text("Skipped. It was")
    assert problems_in_both_themes(stage.page) == []
    step = missed.first.get_by_role("button")
    step.click()
    expect(stage.where).to_contain_text(f" {step.inner_text().split()[-1]} of")
    stage.page.get_by_role("button", name="End quiz").click()
    expect(stage.page.locator(".quiz")).to_be_hidden()
