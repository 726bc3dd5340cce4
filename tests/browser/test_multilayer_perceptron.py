import re

from playwright.sync_api import expect


def test_training_bends_the_border_and_keeps_the_step_when_the_point_is_dragged(stage):
    stage.open("multilayer_perceptron")
    stage.press("Home")
    expect(stage.caption).to_contain_text("Start: before any learning the loss is 0.828")
    stage.press("End")
    expect(stage.caption).to_contain_text("Epoch 300: the loss falls")
    expect(stage.caption).to_contain_text(
        "1 of 145 training points and 4 of 55 held-out ones are wrong"
    )
    before = stage.caption.inner_text().split("\n")
    stage.drag_handle(stage.page.locator(".handle"), 0.8, 0.2)
    expect(stage.page).to_have_url(re.compile("query="))
    expect(stage.caption).to_contain_text("so class 2.")
    expect(stage.caption).to_contain_text(before[0])


def test_a_unit_that_was_left_out_says_its_number_again(stage):
    stage.open("multilayer_perceptron?dropout=30")
    stage.press("Home")
    for crossed in ("1 of 4", "1 of 4", "2 of 4", "3 of 4"):
        stage.press("ArrowRight")
        expect(stage.caption).to_contain_text(f"left out in the last update: {crossed}")
        stage.settle()
        texts = stage.page.locator(".stage .beside figure").first
        said = [text.strip() for text in texts.locator(".textpoint text").all_text_contents()]
        assert len([text for text in said if text]) == 7 - int(crossed[0])


def test_one_step_goes_forward_and_back(stage):
    stage.open("multilayer_perceptron?view=one%20step")
    expect(stage.caption).to_contain_text("The ringed point, of class “1”, goes into the network.")
    said = ["Forward, layer 1", "Forward, the output", "the loss is", "Backward, output layer"]
    said += ["Backward, layer 1", "Update, the output", "Update, layer 1", "With the new weights"]
    for words in said:
        stage.press("ArrowRight")
        expect(stage.caption).to_contain_text(words)


def test_a_search_fills_the_map_trial_by_trial(stage):
    stage.open("multilayer_perceptron?view=search&plan=random")
    numbers = stage.page.locator(".stage .beside figure").first.locator(".textpoint text")

    def written() -> int:
        stage.settle()
        return len([text for text in numbers.all_text_contents() if text.strip()])

    expect(stage.caption).to_contain_text("Trial 1: with η = ")
    assert written() == 1
    stage.press("ArrowRight", "ArrowRight")
    expect(stage.caption).to_contain_text("Tried so far: 3 learning rates")
    assert 1 < written() <= 3
    stage.press("End")
    expect(stage.caption).to_contain_text("Trial 36: with η = ")
    expect(stage.caption).to_contain_text("of 25 validation points wrong")
    expect(stage.caption).to_contain_text("test points wrong")


def test_batch_normalisation_goes_forward_and_back_and_predicts_in_three_ways(stage):
    stage.open("multilayer_perceptron?view=batch%20normalisation&updates=100")
    expect(stage.caption).to_contain_text("the weights are the same")
    for words in (
        "Update 1, forward: z of unit 1 of layer 1",
        "backward",
        "Update 1: the training",
    ):
        stage.press("ArrowRight")
        expect(stage.caption).to_contain_text(words)
    stage.press("End")
    expect(stage.caption).to_contain_text("Update 100: the training loss goes to")
    right = stage.page.locator(".stage")
    expect(right).to_contain_text("A unit on the mini-batch")
    stage.open("multilayer_perceptron?view=batch%20normalisation&updates=30&unit=2.3")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("z of unit 3 of layer 2")


def test_batch_normalisation_opens_on_a_mini_batch_of_the_middle(stage):
    stage.open("multilayer_perceptron")
    stage.page.get_by_role("radio", name="batch normalisation").click()
    expect(stage.caption).to_contain_text("Update 100, forward: z of unit 1 of layer 1")
    stage.press("Home")
    expect(stage.caption).to_contain_text("the weights are the same")
