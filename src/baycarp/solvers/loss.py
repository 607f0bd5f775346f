"""What a strategy loses inside its abstraction, as an estimate."""

from dataclasses import dataclass

__all__ = ["Loss"]


@dataclass(frozen=True, slots=True)
class Loss:
    """What players that know a strategy win from it, the mean of both positions.

    Parameters
    ----------
    lower
        What the found responses win on a sample that they were not chosen on: in expectation no more than
        the exploitability inside the abstraction, and below 0 where they have learned too little.
    error
        Its standard error.
    upper
        What they win on the sample that they were chosen on; None where it is not measured.
    sample
        The boards or deals that the responses are valued on.
    """

    lower: float
    error: float
    upper: float | None
    sample: int

    def scaled(self, unit: float) -> "Loss":
        """The same in units of this size."""
        upper = None if self.upper is None else self.upper / unit
        return Loss(self.lower / unit, self.error / unit, upper, self.sample)
