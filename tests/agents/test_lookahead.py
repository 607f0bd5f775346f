"""The look-ahead over observations: both bettings, every street, what it says of plain spots."""

import numpy as np
import pytest

from baycarp.agents.value.lookahead import LookAhead, look_ahead
from baycarp.agents.value.stages import ActionValue
from baycarp.errors import ArgumentError
from baycarp.game import Action, State, Variant
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.moves.players import load_players
from baycarp.opponents.moves.reading import Reader

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
