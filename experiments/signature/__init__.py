"""The behaviour number: what every agent decides in fixed situations."""
