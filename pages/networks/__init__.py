"""Networks: layers of units that learn together."""

from pages._shared.sections import Section

SECTION = Section(
    "Networks", 6, two_classes=True, alone=("descent",),
    numbers=("network_regression", "universal_approximation"),
)  # fmt: skip
