"""Learning theory: what a class of hypotheses can learn at all."""
