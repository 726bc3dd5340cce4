"""Data to learn from: presets that teach, and truths to draw samples from."""
