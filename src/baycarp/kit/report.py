"""What the checks of an agent found."""

from dataclasses import asdict, dataclass
from textwrap import indent
from typing import Any

__all__ = ["AgentReport", "CheckOutcome"]


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One check.

    Parameters
    ----------
    name
        Of the check.
    about
        What an agent must do, in one line.
    problem
        What it did instead, in words; empty = the check was passed.
    note
        What was tried, or why the check was left out.
    tried
        Whether the check was made.
    seconds
        Its duration.
    """

    name: str
    about: str
    problem: str = ""
    note: str = ""
    tried: bool = True
    seconds: float = 0.0

    def __str__(self) -> str:
        mark = "FAILED" if self.problem else "passed" if self.tried else "-"
        line = f"{mark:<6}  {self.name:<15}  {self.about}"
        detail = self.problem or self.note
        return f"{line}\n{indent(detail, ' ' * 25)}" if detail else line


@dataclass(frozen=True, slots=True)
class AgentReport:
    """The checks of one agent, in order; ``print`` shows each with its reason.

    Parameters
    ----------
    agent
        Its name, as given.
    plays
        Its games.
    outcomes
        Of all checks.
    """

    agent: str
    plays: str
    outcomes: tuple[CheckOutcome, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not self.problems

    @property
    def problems(self) -> dict[str, str]:
        """The failed checks by name, with their reasons."""
        return {each.name: each.problem for each in self.outcomes if each.problem}

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        seconds = sum(each.seconds for each in self.outcomes)
        failed = len(self.problems)
        verdict = f"{failed} of {len(self.outcomes)} checks failed" if failed else "passed"
        head = f"{self.agent} ({self.plays}): {verdict}, {seconds:.1f} s"
        return "\n".join([head, *map(str, self.outcomes)])
