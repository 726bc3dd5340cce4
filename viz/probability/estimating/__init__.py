"""How the lab on estimating shows its runs."""
