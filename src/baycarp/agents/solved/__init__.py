"""Players of solved strategies."""
