import re

from playwright.sync_api import expect

MET = "rgb(213, 94, 0)"


def test_another_measure_has_other_neighbours(stage):
    stage.open("similarity_measures?k=10&query=1.079,1.15")
    expect(stage.caption).to_contain_text("(Manhattan)")
    stage.press("End")
    expect(stage.caption).to_contain_text("All 10 neighbours are met")
    assert stage.fills().count(MET) == 10
    before = stage.fills()
    stage.choose("Measure", "cosine")
    expect(stage.caption).to_contain_text("(cosine)")
    expect(stage.caption).to_contain_text("shorter than the direct way")
    stage.settle()
    assert stage.fills().count(MET) == 10 and stage.fills() != before
    stage.drag((0.65, 0.7), (0.3, 0.25))
    expect(stage.page).to_have_url(re.compile(r"query=(?!1\.079)"))
