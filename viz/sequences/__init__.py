"""Pictures of sequences."""
