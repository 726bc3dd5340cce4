"""Version spaces of boxes, and how many samples make the tightest box probably good."""
