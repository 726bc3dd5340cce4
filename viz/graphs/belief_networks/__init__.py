"""How belief networks are shown."""
