"""Numbers to predict."""
