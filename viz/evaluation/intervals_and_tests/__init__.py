"""What the modes of the lab on confidence intervals and tests show, say and ask."""
