"""The opponent models of the shipped agents, as they come.

The network is trained on the default table alone; the styles also on drawn populations and on two archives of
people, whose first hands are therefore not held-out for them (the head of ``styles.npz`` names them).
"""

from baycarp.opponents.actions.styles import load_styles
from baycarp.strategies.model import SHIPPED, load_model
from experiments.beliefs.acting import SeatedPlayerModels
from experiments.beliefs.decision_points import Model
from experiments.beliefs.earned import SeatedNetwork
from experiments.beliefs.gambler import SeatedGambler
from experiments.beliefs.networks import NetworkModel

__all__ = ["shipped_models"]


def shipped_models() -> dict[str, Model]:
    """The models by name.

    ``baycarp``: a model of each player, which begins as its style's. ``baycarp2``: the network as far as each
    player's showdowns support it. ``thesis``: the network as it is (Unger 2011). ``gambler``: every player is
    taken to play by the networks of Gambler (Matthews 2005).

    Raises
    ------
    ModelError
        A shipped file is missing or damaged.
    """
    network = load_model(SHIPPED).network
    assert network is not None  # the default model has one
    return {
        "baycarp": SeatedPlayerModels(load_styles()),
        "baycarp2": SeatedNetwork(network),
        "thesis": NetworkModel(network),
        "gambler": SeatedGambler(),
    }
