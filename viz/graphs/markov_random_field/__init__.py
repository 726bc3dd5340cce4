"""The modes of Markov random fields."""
