"""What a belief hangs on."""

from baycarp.bn import Inference, Network, Structure
from baycarp.bn.inference import shifts


def test_evidence_is_ranked_by_how_much_of_the_belief_moves():
    structure = Structure(
        {"Cards": ["weak", "strong"], "Bet": ["no", "yes"], "Hat": ["red", "blue"], "Call": ["no", "yes"]},
        {"Bet": ["Cards"], "Call": ["Cards"]},
    )
    network = Network(
        structure,
        {
            "Cards": [0.5, 0.5],
            "Bet": [[0.9, 0.1], [0.2, 0.8]],
            "Hat": [0.3, 0.7],
            "Call": [[0.6, 0.4], [0.4, 0.6]],
        },
    )
    found = shifts(Inference(network), {"Hat": "red", "Call": "no", "Bet": "yes"}, "Cards")
    assert [(shift.node, shift.towards) for shift in found][:2] == [("Bet", "strong"), ("Call", "weak")]
    with_all, without_bet = 0.8 * 0.4 / (0.8 * 0.4 + 0.1 * 0.6), 0.4
    assert abs(found[0].moved - (with_all - without_bet)) < 1e-12
    assert found[2].moved < 1e-12
