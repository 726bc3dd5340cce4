"""What the modes of the multi-layer perceptron show."""
