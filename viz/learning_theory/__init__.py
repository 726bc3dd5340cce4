"""Pictures of learning theory."""
