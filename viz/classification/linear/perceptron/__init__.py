"""The modes of the perceptron."""
