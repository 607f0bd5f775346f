"""What a solve of heads-up hold'em is: a game, an abstraction, and the settings of its solver."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from baycarp.errors import ArgumentError, brief
from baycarp.game import Variant
from baycarp.solvers.buckets.abstraction import Abstraction, parse_buckets
from baycarp.solvers.limit.solver import LimitSettings
from baycarp.solvers.nolimit.deals import verify_river
from baycarp.solvers.nolimit.solver import NoLimitSettings

__all__ = ["BUCKETS", "SolvePlan", "SolverSettings"]

SolverSettings: TypeAlias = LimitSettings | NoLimitSettings

SETTINGS: Mapping[str, type[SolverSettings]] = {"limit": LimitSettings, "no-limit": NoLimitSettings}
BUCKETS: Mapping[str, str] = {"limit": "p50,p50,p50", "no-limit": "e100,e60,p50"}
"""The usual buckets by the kind of betting."""


@dataclass(frozen=True)
class SolvePlan:
    """What is solved, and how.

    Parameters
    ----------
    game
        The name of the game.
    buckets
        The specification of the abstraction, as ``parse_buckets`` takes it.
    abstraction
        The abstraction.
    settings
        Of the solver.
    against
        The specification of the opponent's buckets on the flop and the turn, where it has its own and plays
        best responses on the river; empty: both players have the same buckets.
    opponent
        The opponent's abstraction, with one bucket on the river.
    """

    game: str
    buckets: str
    abstraction: Abstraction
    settings: SolverSettings
    against: str = ""
    opponent: Abstraction | None = None

    @staticmethod
    def of(game: str, buckets: str = "", seed: int = 1, against: str = "") -> "SolvePlan":
        """The plan of some specifications; without buckets the usual ones.

        Raises
        ------
        ArgumentError
            No such buckets, or in no-limit an opponent of its own or a river without percentiles.
        VariantError
            No such game.
        """
        betting = Variant.load(game).betting
        if against and betting == "no-limit":
            raise ArgumentError(f"opponent {brief(against)}: expected none, {game} is no fixed limit")
        opponent = parse_buckets(f"{against},p1", seed) if against else None
        buckets = buckets or BUCKETS[betting]
        abstraction = parse_buckets(buckets, seed)
        if betting == "no-limit":
            verify_river(abstraction)
        return SolvePlan(game, buckets, abstraction, SETTINGS[betting](seed=seed), against, opponent)

    @property
    def command(self) -> str:
        """The command that does its first iterations, without their number."""
        opponent = f" --opponent {self.against}" if self.against else ""
        return f"baycarp solve {self.game} --buckets {self.buckets}{opponent} --seed {self.settings.seed}"

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON values."""
        made = {
            "game": self.game,
            "buckets": self.buckets,
            "abstraction": self.abstraction.to_dict(),
            "settings": asdict(self.settings),
        }
        if self.opponent:
            made |= {"against": self.against, "opponent": self.opponent.to_dict()}
        return made

    @staticmethod
    def from_dict(given: Any) -> "SolvePlan":
        """The plan that ``to_dict`` gave; raises ``BaycarpError``, ``KeyError`` or ``TypeError``."""
        game = str(given["game"])
        abstraction = Abstraction.from_dict(given["abstraction"])
        opponent = Abstraction.from_dict(given["opponent"]) if "opponent" in given else None
        settings = SETTINGS[Variant.load(game).betting](**given["settings"])
        against = str(given.get("against", ""))
        return SolvePlan(game, str(given["buckets"]), abstraction, settings, against, opponent)
