"""The look-ahead over observations: both bettings, every street, what it says of plain spots."""

import numpy as np
import pytest

from baycarp.agents.value.continuations import load_continuations, save_continuations
from baycarp.agents.value.lookahead import LookAhead, look_ahead
from baycarp.agents.value.stages import ActionValue
from baycarp.errors import ArgumentError
from baycarp.game import Action, State, Variant
from baycarp.kernels.lookahead import Continuations, Learned
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.moves.players import load_players
from baycarp.opponents.moves.reading import Reader
from experiments.recipes.continuations import learn

BOARD = "Ah7d2c9sKs"


def models(betting):
    return PlayerModels(load_styles()) if betting == "limit" else Reader(load_players())


def observed(variant, *acts, hole="Ac8c"):
    state = State(variant)
    for name in acts:
        state.apply(state.named(name))
    shown = BOARD[: 2 * (0, 3, 4, 5)[state.street]]
    state.deal({state.to_act: hole}, shown or None)
    return state.observe(state.to_act)


@pytest.mark.parametrize("street", range(4))
@pytest.mark.parametrize("seats", [2, 6, 10])
def test_every_action_has_a_value_in_fixed_limit(seats, street):
    variant = Variant.ring(seats)
    acts = [*["call"] * (seats - 1), "check", *["check"] * seats * (street - 1)] if street else []
    observation = observed(variant, *acts)
    found = look_ahead(observation, models("limit"), playouts=100, seed=1)
    assert [value.action for value in found] == list(observation.legal_actions())
    assert all(np.isfinite([value.chips, value.error]).all() for value in found)
    assert [value.chips for value in found if value.action.name == "fold"] in ([], [0.0])


@pytest.mark.parametrize("seats", [2, 6, 9])
def test_every_size_has_a_value_in_no_limit(seats):
    observation = observed(Variant.load(f"holdem.nolimit.{seats}p.100bb"))
    found = look_ahead(observation, models("no-limit"), playouts=60, seed=1)
    assert len(found) > 4
    assert all(observation.state.can(value.action) for value in found)
    assert all(np.isfinite([value.chips, value.error]).all() for value in found)


def test_a_seed_and_a_number_of_playouts_fix_the_values():
    observation, model = observed(Variant.ring(6)), models("limit")
    whole, parts = LookAhead(observation, model, 7), LookAhead(observation, model, 7)
    whole.run(600)
    for part in (1, 199, 400):
        parts.run(part)
    assert whole.values() == parts.values() == look_ahead(observation, model, 600, 7)
    assert whole.values() != look_ahead(observation, model, 600, 8)
    assert whole.difference_error(1, 2) < np.hypot(*(value.error for value in whole.values()[1:]))


def test_better_hands_are_worth_more():
    folded = ["fold"] * 4
    values = []
    for hole in ("AsAd", "KsTd", "7s2d"):
        found = look_ahead(observed(Variant.ring(6), *folded, hole=hole), models("limit"), 4000, 1)
        values.append(max(value.chips for value in found[1:]))
    assert values[0] > values[1] + 2 > values[2] + 2


def test_a_prior_counts_by_its_precision():
    observation, model = observed(Variant.ring(6)), models("limit")
    own = look_ahead(observation, model, 200, 1)
    prior = (ActionValue(Action("call", 2), 100.0, own[1].error),)
    assert look_ahead(observation, model, 200, 1, prior)[1].chips == pytest.approx(own[1].chips / 2 + 50)
    assert look_ahead(observation, model, 200, 1, prior)[2] == own[2]


def test_a_model_of_the_other_betting_is_refused():
    observation = observed(Variant.ring(2))
    with pytest.raises(ArgumentError, match="a model of no-limit"):
        look_ahead(observation, models("no-limit"), 100, 1)
    with pytest.raises(ArgumentError, match="playouts 1"):
        look_ahead(observation, models("limit"), 1, 1)


def nothing_known():
    return Continuations(np.empty(0, int), np.empty((0, 12)), np.empty((0, 12), int))


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_what_ships_makes_a_look_ahead_play_better(seats):
    """Against players that were not among those it was learned with; hands drawn, nothing known of them."""
    rng, won = np.random.default_rng(11), {"shipped": [], "nothing": []}
    variant, model = Variant.load(f"holdem.nolimit.{seats}p.100bb"), models("no-limit")
    for hand in range(30):
        state = State(variant, deck=rng.permutation(52)[: 2 * seats + 5].tolist())
        for name in ["fold"] * max(seats - 3, 0) + ["call"] * min(hand % 3, seats - 1):
            state.apply(state.named(name))
        observation = state.observe(state.to_act)
        for name, known in (("shipped", None), ("nothing", nothing_known())):
            search = LookAhead(observation, model, hand, known=known)
            search.run(300)
            won[name].append(search.values()[1].chips / variant.big_blind)  # of a call or check
    assert np.mean(won["shipped"]) > np.mean(won["nothing"]) + 1


def test_continuations_are_written_and_read(tmp_path):
    keys = np.array([3, 77])
    learned = Learned(keys, np.ones((2, 12), np.float32), np.full((2, 12), 5000, np.uint32))
    path = tmp_path / "continuations.npz"
    save_continuations({"limit": learned, "no-limit": learned}, path, "a test")
    found = load_continuations(path)
    assert {name: len(each) for name, each in found.items()} == {"limit": 2, "no-limit": 2}
    observation = observed(Variant.ring(3))
    begun = LookAhead(observation, models("limit"), 1, known=found["limit"]).learned()
    assert (begun.keys == keys).all()
    assert (begun.visits == 100).all()  # so many a mean counts for at most


def test_the_recipe_gives_the_same_again():
    first, again = (learn("no-limit", 4, seed=3) for _ in range(2))
    assert len(first.keys) > 20
    assert all((one == other).all() for one, other in zip(first, again, strict=True))
