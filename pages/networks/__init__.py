"""Networks: layers of units that learn together."""

from pages._shared.lab.sections import Section

SECTION = Section(
    "Networks", 6, two_classes=True, numbers=("network_regression", "universal_approximation"),
    drawings=("convolution",),
)  # fmt: skip
