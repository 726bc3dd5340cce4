"""Trees of questions: growing, pruning, ID3."""
