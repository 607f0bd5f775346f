"""What a decision by re-solving records."""

from dataclasses import dataclass

from baycarp.agents.trace import Stage

__all__ = ["ResolveStage"]


@dataclass(frozen=True, slots=True)
class ResolveStage(Stage, name="re-solve"):
    """The rest of the hand was solved anew.

    Parameters
    ----------
    root
        The street that it begins with: ``"turn"`` or ``"river"``.
    safe
        Whether a best response wins no more than from the blueprint.
    iterations
        Of the solve.
    gap
        Half of what both best responses gain in the solved game, as a share of the pot at the root.
    """

    root: str
    safe: bool
    iterations: int
    gap: float
