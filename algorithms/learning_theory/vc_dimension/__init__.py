"""Which labellings of points a class of hypotheses realises, and how many points it shatters."""
