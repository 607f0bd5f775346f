"""The forms of `python -m experiments beliefs`: each measures and prints."""
