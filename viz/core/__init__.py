"""What pictures share: the plane, curves, panels, frames, words, the theme."""
