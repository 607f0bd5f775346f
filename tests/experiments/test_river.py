"""The last street as a small game: payoffs by hand, information sets, and a bluff that is priced by hand."""

import pytest

from baycarp.errors import ArgumentError
from baycarp.solvers import CFR, StrategyProfile, best_response, exploitability, flatten, value
from experiments.cases.river import Opening, River

LETTERS = {"p": 20, "a": 400}


def river(deals=((0, 0, 1),), **openings):
    return River(deals, 20, 400, LETTERS, {name.strip("_"): each for name, each in openings.items()})


@pytest.mark.parametrize(
    ("moves", "won"),
    [
        (("check", "check"), 10),
        (("p", "fold"), 10),
        (("p", "call"), 30),
        (("a", "call"), 410),
        (("p", "a", "fold"), -30),
        (("p", "a", "call"), 410),
        (("check", "p", "fold"), -10),
        (("check", "p", "a", "fold"), 30),
        (("180", "~p", "fold"), 10),
        (("180", "~a", "call"), 190),
        (("180", "~p", "a", "fold"), -190),
        (("180", "~p", "a", "call"), 410),
    ],
)
def test_payoffs_by_hand(moves, won):
    """Half of the pot of 20, and the first player's holding wins."""
    game = river(_180=Opening(180, {"p": 0.5, "a": 0.5}))
    assert game.returns((0, moves)) == (won, -won)


def test_a_translated_amount_makes_no_new_information_set_of_the_second_player():
    deals = [(i, j, i - j) for i in range(2) for j in range(2)]
    plain = flatten(river(deals))
    translated = flatten(river(deals, _180=Opening(180, {"p": 0.5, "a": 0.5})))
    assert set(translated.sides[1].informations) == set(plain.sides[1].informations)
    assert set(translated.sides[0].informations) > set(plain.sides[0].informations)


def always(tree, player, action):
    """A table that takes an action wherever it is legal, else the first."""
    other = StrategyProfile.uniform(tree).tables()[player]
    return {
        key: {name: float(name == (action if action in row else next(iter(row)))) for name in row}
        for key, row in other.items()
    }


def test_the_best_response_bets_what_is_taken_for_a_small_bet():
    """A victim calls pot bets and folds to all-in bets: a bet of 180 that is taken for the pot gains 180."""
    for shares, most in (({"p": 1.0}, 190), ({"a": 1.0}, 30), ({"p": 0.5, "a": 0.5}, 100)):
        tree = flatten(river(_180=Opening(180, shares)))
        victim = always(tree, 1, "call")
        victim["0:a"] = {"fold": 1.0, "call": 0.0}
        played = StrategyProfile.of(tree, (StrategyProfile.uniform(tree).tables()[0], victim))
        assert best_response(played, 0).value == pytest.approx(most)  # 30 by a pot bet that is called


def test_the_bluffs_of_the_equilibrium():
    """The first player holds the best or the worst hand, the second one in between and never raises.

    An all-in bet of 400 into 20: the second calls with probability 20 / 420, so that a bluff wins nothing,
    and by 40 / 800 of pot odds the first bluffs 400 / 420 times as often as it bets the best hand.
    """
    tree = flatten(River([(0, 0, -1), (1, 0, 1)], 20, 400, {"a": 400}))
    solver = CFR(tree, plus=True)
    for _ in range(4000):
        solver.step()
    found = solver.average()
    assert exploitability(found) < 0.02
    assert found.at(1, "0:a")["call"] == pytest.approx(20 / 420, abs=0.01)
    assert found.at(0, "0:")["a"] == pytest.approx(400 / 420, abs=0.02)
    assert value(found) == pytest.approx(10 * (400 / 420), abs=0.05)


def test_refusals():
    with pytest.raises(ArgumentError, match="expected deals"):
        River([], 20, 400, LETTERS)
    with pytest.raises(ArgumentError):
        River([(0, 0, 1)], 20, 300, LETTERS)
    with pytest.raises(ArgumentError):
        river(_500=Opening(500, {"a": 1.0}))
