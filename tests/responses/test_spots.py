"""Players of the package as models of a spot."""

import numpy as np
import pytest

import baycarp
from baycarp.agents.base import Decision
from baycarp.agents.registry import load
from baycarp.card import as_cards, holding_index
from baycarp.errors import ArgumentError
from baycarp.game import Action, State, Variant
from baycarp.opponents.moves.players import load_players
from baycarp.opponents.moves.reading import Reader
from baycarp.responses.spots import SpotRecord, follow_agent, follow_reader
from baycarp.solvers.spots.spot import Spot

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
IN_LIMIT = Spot("Td9d6hQc2s", 40, 1000, oop="QQ,87s,AJo", ip="JJ,KTs,55", betting=LIMIT)
NO_LIMIT = Spot("Td9d6hQc2s", 200, 900, oop="QQ,87s,AJo", ip="JJ,KTs,55", sizes="50%, a", raises="a")


def asked(follow, spot):
    """(line, board, shares by step) of every decision that is fixed."""
    tree = spot.build_tree()
    return {each.node: each for each in follow.tables(spot, tree)}, tree


def test_a_made_up_hand_has_the_pot_and_the_stacks_of_the_spot():
    spot = Spot("Td9d6hQc", 37.5, 100, line="check, bet 12.5", sizes="50%")
    record = SpotRecord.made_up(spot, 0.5)
    state, unit = record.state, record.unit
    assert state.pot == unit * 50
    assert tuple(state.stacks) == (unit * 100, unit * 87.5)
    assert state.to_act == 0
    assert tuple(state.board) == spot.cards
    with pytest.raises(ArgumentError):
        SpotRecord.made_up(spot, 30)


def test_an_agent_is_followed_holding_by_holding():
    """Each share is the probability of the agent's own decision in the hand that was played."""
    agent = load("rule")
    record = SpotRecord.made_up(IN_LIMIT, 10)
    tables, tree = asked(follow_agent(agent, "ip", record), IN_LIMIT)
    node = tree.find("bet 20").node
    state = record.state.copy()
    state.apply(Action("bet", 20))
    for hole in ("JhJs", "AcKc", "3h3s"):
        dealt = state.copy()
        dealt.deal(holes={1: hole})
        policy = load("rule").decide(dealt.observe(1, record.names)).policy_by_kind()
        shares = tables[node].shares[:, holding_index(*as_cards(hole))]
        assert shares == pytest.approx([policy.get(name, 0) for name in ("fold", "call", "raise")])


def test_an_agent_that_answers_as_a_table_is_asked_once():
    record = SpotRecord.made_up(IN_LIMIT, 10)
    tables, tree = asked(follow_agent(load("equilibrium"), "oop", record), IN_LIMIT)
    policies = load("equilibrium").policies(record.state)
    np.testing.assert_allclose(tables[tree.root].shares[1, 400], policies[400, 2], atol=1e-9)
    assert len(tables) == sum(bool(node.steps) and node.now.player == 0 for node in tree)


def test_bets_of_an_agent_count_as_the_sizes_beside_them():
    class HalfPot:
        """Bets 150 into 200."""

        plays = load("random").plays

        def sit(self, seat, variant, seed):
            pass

        def decide(self, observation, time_limit=None, budget=None):
            bet = Action("bet", 150)
            return Decision(bet, {bet: 0.5, Action("check"): 0.5})

    tables, tree = asked(follow_agent(HalfPot(), "oop", SpotRecord.made_up(NO_LIMIT, 10)), _one_decision())
    shares = tables[tree.root].shares[:, 500]
    assert shares[0] == 0.5
    below = (100 / 150 - 100 / 900) / ((100 / 150 - 100 / 900) + (150 / 900 - 100 / 900))
    assert shares[1:] == pytest.approx([0.5 * below, 0.5 * (1 - below)])


def _one_decision():
    tree = NO_LIMIT.build_tree()
    for line in ("check, bet 50%", "check, a", "bet 50%, a"):
        tree.remove(line)
    return Spot("Td9d6hQc2s", 200, 900, oop="QQ,87s,AJo", ip="JJ,KTs,55", tree=tree)


def test_models_of_players_are_followed_as_they_update_their_belief():
    record = SpotRecord.made_up(NO_LIMIT, 10)
    tables, tree = asked(follow_reader(Reader(load_players()), "oop", record), NO_LIMIT)
    shares = tables[tree.root].shares
    reader, state = Reader(load_players()), record.state.copy()
    before = reader.joint(state.observe(1, record.names))[0].sum(axis=0)
    state.apply(Action("check"))
    after = reader.joint(state.observe(1, record.names))[0].sum(axis=0)
    known = before > 1e-9
    ratio = after[known] / (before[known] * shares[0, known])
    np.testing.assert_allclose(ratio, ratio.mean(), rtol=1e-6)
    assert shares[0, known].std() > 0.01  # it depends on the cards


def test_the_best_answer_to_a_player_wins_more_than_the_equilibrium():
    record = SpotRecord.made_up(NO_LIMIT, 10)
    model = follow_reader(Reader(load_players()), "ip", record)
    plain = baycarp.solve(NO_LIMIT, target=0.5)
    answer = baycarp.solve(NO_LIMIT, locks=[model])
    assert answer.exploitability == pytest.approx(0, abs=1e-4)
    assert answer.values[0] > plain.values[0] - 0.005 * 200


def test_a_recorded_hand_leads_to_its_spot():
    state = State(Variant.ring(3, 10, betting="no-limit", stacks=(1000, 800, 600)))
    for action in (Action("raise", 40), "call", "call"):
        state.apply(action if isinstance(action, Action) else state.named(action))
    for board in ("Td9d6h", "Td9d6hQc"):
        state.deal(board=board)
        for _ in range(3):
            state.apply(Action("check"))
    state.deal(board="Td9d6hQc2s")
    for action in (Action("check"), Action("bet", 60), Action("raise", 150), Action("fold")):
        state.apply(action)
    observation = state.observe(1)
    record = SpotRecord.of(observation)
    assert record.seats == (1, 2)
    spot = Spot.of(observation, {1: "QQ", 2: "TT"}, sizes="60%", raises="a")
    tables, tree = asked(follow_agent(load("random"), "oop", record), spot)
    np.testing.assert_allclose(tables[tree.root].shares[:, 0], 1 / 3)
