"""What the modes of the lab on thresholds show, say and ask."""
