"""The default agent as the registry names it: a case-based system that proposes, and the risk."""

from dataclasses import dataclass
from typing import Any

from baycarp.agents.cases.system import Opponents, System
from baycarp.agents.factory import Setting, described, typed
from baycarp.agents.value.player import ValuePlayer
from baycarp.errors import ModelError, brief, one_of
from baycarp.opponents.actions.model import ByActions
from baycarp.strategies.baycarp import BAYCARP2

__all__ = ["DEFAULT_SYSTEM", "ValueSystem"]

SETTINGS = ("model", "memory", "opponents", "learning")
"""Of the cases: what a specification may set beside ``risk``."""


@dataclass(frozen=True, slots=True)
class ValueSystem:
    """A player by value.

    Parameters
    ----------
    cases
        What proposes; its opponent model is the action-conditioned one.
    about
        What it is, in one line.
    """

    cases: System
    about: str = ""

    def settings(self) -> tuple[Setting, ...]:
        """What a specification may set."""
        risk = next(each for each in described(ValuePlayer) if each.name == "risk")
        return (risk, *(each for each in self.cases.settings() if each.name in SETTINGS))

    def __call__(self, **given: Any) -> ValuePlayer:
        """The player with these settings.

        Raises
        ------
        ModelError
            Another setting, or a value of another type; an opponent model that values no actions.
        """
        own = {"risk": given.pop("risk")} if "risk" in given else {}
        typed({"risk": float}, own)
        known = ("risk", *SETTINGS)
        if foreign := sorted({*given} - {*SETTINGS}):
            raise ModelError(f"setting {brief(foreign[0])}: {one_of(foreign[0], known)}")
        system = self.cases.changed(**given)
        cases = system.player()
        if not isinstance(cases.strategy.opponents, ByActions):
            kind = repr(system.opponents.kind)
            raise ModelError(f"opponents {kind}: expected 'styles' or a file of styles: they value actions")
        return ValuePlayer(cases, **own)


DEFAULT_SYSTEM = ValueSystem(
    System(BAYCARP2, opponents=Opponents("styles")),
    about="the default: values of the actions against what opponents hold and do; cases propose and explain",
)
