from playwright.sync_api import expect

from pages._shared.site.glossary import anchor, read_glossary


def test_a_link_leads_to_its_term(stage):
    """Streamlit makes the anchors."""
    stage.page.goto(f"{stage.address}/glossary")
    expect(stage.page.get_by_role("heading", name="Accuracy")).to_be_in_viewport()
    stage.page.locator("a[href$='#rectified-linear-unit']").first.click()
    expect(stage.page.locator("#rectified-linear-unit")).to_be_in_viewport()
    expect(stage.page.get_by_role("heading", name="Accuracy")).not_to_be_in_viewport()
    made = stage.page.locator("h5").evaluate_all("nodes => nodes.map((node) => node.id)")
    assert made == [anchor(term) for term in read_glossary()]
    expect(stage.page.locator(".katex-error")).to_have_count(0)
