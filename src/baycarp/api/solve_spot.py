"""Spots: ``baycarp.solve`` of a ``Spot`` approaches its equilibrium; ``solve_many`` solves several."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any, TypedDict, Unpack

from baycarp.errors import ArgumentError, brief, one_of
from baycarp.solvers.spots.locks import RangeFrequency, Restricted, SpotLock, seat
from baycarp.solvers.spots.sizes import PLAYERS
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.solver import SpotPoint, SpotSettings, SpotSolver
from baycarp.solvers.spots.spot import Spot

__all__ = ["SpotSolveOptions", "restricted_curve", "solve_many", "solve_spot"]

LEAST = 1e-6
"""The share of a model that counts as 0: what is won from it is still computed."""


class SpotSolveOptions(TypedDict, total=False):
    """The names and types of ``SpotSettings``, target and time apart."""

    iterations: int | None
    memory: int | float | str | None
    bits: int
    threads: int
    discount: str | tuple[float, float, float, int]
    locks: Sequence[SpotLock | RangeFrequency]
    restricted: Restricted | None
    stop: Callable[[], bool]
    report: Callable[[SpotPoint], None]


class _TimedOptions(SpotSolveOptions, total=False):
    target: float
    time: float | None


def solve_spot(
    spot: Spot, target: float = 0.3, time: float | None = None, **settings: Unpack[SpotSolveOptions]
) -> Solution:
    """Approach the equilibrium of a spot, or the best answer to what is locked.

    Parameters
    ----------
    spot
        Board, pot, stack, ranges, sizes.
    target
        Exploitability in per cent of the pot, at which it ends.
    time
        Seconds after which it ends; None = no limit.
    settings
        Others of ``SpotSettings``: iterations, memory, bits, threads, discount, locks, restricted, stop,
        report. Ctrl-C, as any other interruption, is raised; ``stop`` ends the work with its solution.

    Raises
    ------
    ArgumentError
        A setting outside its range; more memory than it may take, with sizes that fit; a frequency that is
        not reached.

    Examples
    --------
    >>> spot = Spot("Td9d6hQc2s", 200, 900, oop="QQ,54s", ip="TT", sizes="a", raises="")
    >>> solution = solve_spot(spot, target=0.05)
    >>> [round(value) for value in solution.values], solution.exploitability <= 0.05
    ([156, 44], True)
    """
    names = {each.name for each in fields(SpotSettings)}
    for name in settings:
        if name not in names:
            raise ArgumentError(f"setting {name!r}: {one_of(name, sorted(names))}")
    own = SpotSettings(target=target, time=time, **settings)
    solver = SpotSolver(spot, own)
    solver.run()
    if not own.stop():
        solver.verify_frequencies()
    return Solution(solver)


def solve_many(spots: Iterable[Spot], **settings: Unpack[_TimedOptions]) -> Iterator[Solution]:
    """Solve spots one after another, each with the same settings, those of ``solve_spot``.

    A solution holds the memory of its spot until it is let go. ``stop`` ends the spot in work and all others.

    Raises
    ------
    ArgumentError
        As ``solve_spot``.
    """
    for spot in spots:
        solution = solve_spot(spot, **settings)
        yield solution
        if settings.get("stop", lambda: False)():
            return


def restricted_curve(
    spot: Spot,
    model: SpotLock,
    player: str,
    shares: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0),
    **settings: Unpack[_TimedOptions],
) -> list[dict[str, Any]]:
    """Restricted Nash responses to a model: what each wins from it, and loses to a best response.

    Parameters
    ----------
    spot
        The spot, without rake.
    model
        What the player follows, such as ``Follow``.
    player
        ``"oop"`` or ``"ip"``: the player that follows it.
    shares
        The probabilities with which it does.
    settings
        Of ``solve_spot``.

    Returns
    -------
    Records by share: the EV in chips of the other player's strategy against the model (``model``) and against
    a best response to it (``worst``), and the exploitability of the restricted game.

    Raises
    ------
    ArgumentError
        A spot with rake: a best response there does not give the other's worst case.

    References
    ----------
    Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies".
    """
    if spot.rake:
        raise ArgumentError(f"rake {brief(spot.rake)}: expected a spot without rake")
    other, found = PLAYERS[1 - seat(player)], []
    for share in shares:
        restricted = Restricted(model, player, max(share, LEAST))
        given: _TimedOptions = {**settings, "restricted": restricted}
        solution = solve_spot(spot, **given)
        record = {"share": share, "model": solution.against_model(), "worst": solution.worst(other)}
        found.append(record | {"exploitability": solution.exploitability})
    return found
