"""The modes of the hidden Markov model."""
