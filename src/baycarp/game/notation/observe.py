"""A seat's observation, from any of its descriptions."""

from pathlib import Path

from baycarp.errors import NotationError, brief
from baycarp.game.notation.acpc import parse_matchstate
from baycarp.game.notation.phh import parse_phh
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant

__all__ = ["observe"]


def observe(
    source: str | State, game: str | Path | Variant | None = None, seat: int | None = None
) -> Observation:
    """A seat's observation, from a text or a state.

    Parameters
    ----------
    source
        An ACPC ``MATCHSTATE:`` line, a hand in PHH, or a ``State``.
    game
        For an ACPC line: a shipped game's name, the path of an ACPC game file, or a ``Variant``.
    seat
        The observing position; None = the public observation. An ACPC line names its own.

    Raises
    ------
    NotationError
        Neither such a text nor a state.
    VariantError
        A game that does not exist or contradicts itself.
    """
    if isinstance(source, State):
        return source.observe(seat)
    if not isinstance(source, str):
        raise NotationError(f"{brief(source)}: expected a MATCHSTATE line, a hand in PHH, or a State")
    if source.startswith("MATCHSTATE:"):
        if game is None:
            raise NotationError(f"{source[:60]!r}: an ACPC state needs its game, like 'holdem.limit.3p'")
        return parse_matchstate(source, game if isinstance(game, Variant) else Variant.load(game))
    if "variant" in source and "=" in source:
        return parse_phh(source).observe(seat)
    raise NotationError(f"{source[:60]!r}: expected a MATCHSTATE line or a hand in PHH")
