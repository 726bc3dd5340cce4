"""The lab's questions, judged by counting the baskets."""

from algorithms.clustering.apriori.examples import GROCERIES, TEA, TEXTBOOK
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["itemsets", "rules"],
    "table": ["groceries", "textbook", "tea and coffee"],
    "support": ["10", "15", "20", "30"],
    "confidence": ["50", "80"],
}
TABLES = {"groceries": GROCERIES, "textbook": TEXTBOOK, "tea and coffee": TEA}


def judge(asked: Asked) -> str:
    table = TABLES[asked.link["table"]]
    held = [set(basket) for basket in table.held]

    def count(names: set[str]) -> int:
        return sum(names <= basket for basket in held)

    if asked.link["view"] == "rules":
        A, B = ({table.items[j] for j in S} for S in asked.after.rule)
        assert asked.right == f"{count(A | B)} of {count(A)}"
        return "rule"
    S = {table.items[j] for j in asked.after.candidate}
    if asked.right.isdigit():
        assert int(asked.right) == count(S)
        return "counted"
    initials = {name[0].upper(): name for name in table.items}
    part = {initials[letter] for letter in asked.right}
    assert part < S and count(part) < asked.after.least
    for other in asked.question.options:
        if other.text != asked.right:
            wrong = {initials[letter] for letter in other.text}
            assert not (wrong < S and count(wrong) < asked.after.least)
    return "pruned"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("apriori", SETTINGS, count, judge, {"rule", "counted", "pruned"})
