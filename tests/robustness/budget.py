"""How many examples a property of robustness has, by the profile: few by default, ``large`` for hours."""

from hypothesis import HealthCheck, settings

FEW = 100
"""Examples of the default profile."""


def budget(share=1.0):
    """The settings of a property.

    Parameters
    ----------
    share
        Examples beside those of the profile: less than 1 where an example takes long. The default profile
        tries the same examples in each run.
    """
    examples = settings().max_examples
    return settings(
        max_examples=max(1, round(share * examples)),
        deadline=None,
        derandomize=examples <= FEW,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
