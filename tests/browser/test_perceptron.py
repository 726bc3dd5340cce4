import re

from playwright.sync_api import expect


def test_a_point_on_the_wrong_side_takes_the_separator_away(stage):
    stage.open("perceptron?data=separable&n=40")
    expect(stage.caption).to_contain_text("A separator exists")
    stage.press("]")
    expect(stage.caption).to_contain_text("mistake 1 of at most")
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")
    image = stage.page.locator(".stage .picture image")
    before = image.get_attribute("href")
    stage.press("1", "a")
    stage.click(0.2, 0.9)  # among the second class
    expect(stage.notice).to_contain_text("the data changed")
    expect(stage.count).to_have_text("41 points")
    expect(stage.caption).to_contain_text("No separator exists")
    expect(image).not_to_have_attribute("href", before)
    stage.press("Control+z")
    expect(stage.caption).to_contain_text("Converged")


def test_xor_comes_back_to_its_weights(stage):
    stage.open("perceptron?data=gates&second=2&n=4&noise=0&order=cyclic&init=ones")
    expect(stage.caption).to_contain_text("No separator exists (linear programming)")
    stage.press("End")
    expect(stage.caption).to_contain_text("Cycle: after epoch 3 the weights are those of one epoch")
    stage.press("Home", "]")
    first, rule, picked = stage.caption.inner_text().split("\n")
    assert "on the wrong side, mistake 1" in first
    assert picked.startswith("Picked point: w·x + b = ")
    assert re.search(r"w ← w \+ η y x = \(1.000, 1.000\) \+ 1 · \(.1\) · \(", rule)
    stage.press("ArrowRight", "ArrowLeft")
    assert stage.caption.inner_text() == f"{first}\n{rule}\n{picked}"


def test_too_many_classes_get_a_sentence_and_the_delta_rule_its_own_rate(stage):
    stage.open("perceptron?data=blobs&classes=3")
    expect(stage.caption).to_contain_text("exactly two classes; these data have 3")
    stage.open("perceptron?data=moons&variant=delta rule&delta_rate=1")
    expect(stage.page.get_by_text("keep the delta rule stable")).to_be_visible()
    stage.press("End")
    expect(stage.caption).to_contain_text("Diverged")


def test_several_classes_have_a_vector_each(stage):
    stage.open("perceptron?data=row&variant=several classes")
    expect(stage.caption).to_contain_text("the class with the highest score")
    stage.press("]")
    expect(stage.caption).to_contain_text("mistake 1: both weight vectors move")
    stage.press("End")
    expect(stage.caption).to_contain_text("Converged")


def test_every_step_of_a_long_run_can_be_reached(stage):
    stage.open("perceptron?data=moons&n=1000&epochs=200")
    stage.page.locator(".stage .scrub").fill("12345")
    expect(stage.where).to_contain_text("step 12345 of 50000")
    expect(stage.caption).to_contain_text("Epoch 13, sample")
    stage.page.locator(".picture").focus()
    stage.press("ArrowRight")
    expect(stage.where).to_contain_text("step 12346 of 50000")
    expect(stage.page.get_by_text("there are at most 50 epochs")).to_be_visible()


def test_an_experiment_opens_its_data(stage):
    stage.open("perceptron")
    stage.page.get_by_role("tab", name="Try this").click()
    stage.page.get_by_role("link", name="Every mistake is one vector").click()
    expect(stage.count).to_have_text("4 points")
    expect(stage.caption).to_contain_text("at most 51 mistakes")
