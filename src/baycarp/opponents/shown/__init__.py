"""Cases as an opponent model: situations in which opponents showed their cards, retrieved by similarity."""
