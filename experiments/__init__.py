"""What examines the package: experiments, published figures, gates, recipes of shipped data."""
