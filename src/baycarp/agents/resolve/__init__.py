"""Re-solving: the rest of a heads-up hand is solved anew at the table, from the turn or the river on."""
