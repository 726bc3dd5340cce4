"""Networks: layers of units, each of which passes on what the layer before tells it."""
