"""Many weak models that vote as one strong model: boosting."""
