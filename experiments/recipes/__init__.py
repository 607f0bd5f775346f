"""The recipes of the data that the package ships."""
