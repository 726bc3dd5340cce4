"""How one unit is shown through time: the plain unit and the cell with gates."""
