from playwright.sync_api import expect

from pages._shared.glossary import anchor, read_glossary


def test_the_address_of_a_term_leads_to_it(stage):
    """Streamlit makes the anchors, and scrolls."""
    stage.page.goto(f"{stage.address}/glossary#kl-divergence")
    expect(stage.page.locator("#kl-divergence")).to_be_in_viewport()
    expect(stage.page.get_by_role("heading", name="Accuracy")).not_to_be_in_viewport()
    made = stage.page.locator("h5").evaluate_all("nodes => nodes.map((node) => node.id)")
    assert made == [anchor(term) for term in read_glossary()]
    expect(stage.page.locator(".katex-error")).to_have_count(0)
