"""The players of the University of Alberta: Pokibot's formulas and Simbot."""
