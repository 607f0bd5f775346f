"""Players of fixed rules, and the controls."""
