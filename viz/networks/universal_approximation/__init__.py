"""What the modes of universal approximation show."""
