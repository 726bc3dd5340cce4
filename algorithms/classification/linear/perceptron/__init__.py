"""The perceptron for two classes and for several, the delta rule, and the bound on mistakes."""
