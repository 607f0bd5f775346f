"""The coach: every decision of a player valued, themes and remarks, a drill, and the user's own file."""
