"""The cases that CASEY begins with: without them a session would end before it has the cases to decide by."""

from dataclasses import replace
from pathlib import Path

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.registry import load_for
from baycarp.arena.decks import LEARNED
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.arena.session import agent_seed
from baycarp.errors import ModelError
from baycarp.game import State, Variant
from baycarp.strategies.model import Model, is_model, load_model, save_model

__all__ = ["CASEY", "HANDS", "taught"]

CASEY = "casey"

TEACHER = "rule"
"""In all other seats: the player that its authors have let it play against. It is not of the field."""

HANDS = 10_000
"""Of the lesson."""


def taught(folder: Path, game: Variant, seed: int, hands: int = HANDS) -> str:
    """The specification of CASEY after a lesson, whose cases a folder has or is given now.

    Parameters
    ----------
    folder
        Of the model.
    game
        Of the lesson.
    seed
        Of its cards and draws.
    hands
        Of the lesson.

    Raises
    ------
    ModelError
        A model of another lesson.
    """
    command = f"python -m experiments field: {hands} hands of {game.name} against {TEACHER}"
    if not is_model(folder):
        pupil = _learned(game, seed, hands)
        save_model(folder, pupil, command, seed)
    if (found := load_model(folder).manifest["command"]) != command:
        raise ModelError(f"{folder}: made by {found!r}: expected {command!r}")
    return f"{CASEY}(model={str(folder)!r})"


def _learned(game: Variant, seed: int, hands: int) -> Model:
    """CASEY's model with the cases of its own play."""
    agents = [load_for(game, spec) for spec in (CASEY, *(TEACHER,) * (game.seats - 1))]
    for seat, agent in enumerate(agents):
        agent.sit(seat, game, agent_seed(seed, LEARNED, seat))
    names = tuple(f"seat {seat}" for seat in range(game.seats))
    for dealt in deals(names, seed, LEARNED, hands):
        state = State(game, deck=dealt.deck)
        play_hand(state, dealt.by_position(agents), dealt.names, dealt.hand)
    pupil = agents[0]
    assert isinstance(pupil, CasePlayer)
    return replace(pupil.model, casebases=pupil.casebases)
