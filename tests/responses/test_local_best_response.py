"""Local best responses: what they win, against values known otherwise; and the journal of their hands."""

import json
from functools import partial

import numpy as np
import pytest

import baycarp
from baycarp.agents.base import Decision
from baycarp.agents.registry import load
from baycarp.arena.journal import Journal
from baycarp.arena.workers import THIS_PROCESS
from baycarp.card import HOLDINGS, as_cards, blocked_by, holding_index
from baycarp.cli import main
from baycarp.errors import JournalError, TableError
from baycarp.evaluation import equity
from baycarp.game import State, Variant
from baycarp.kernels.game import deal
from baycarp.responses.belief import HoldingBelief, HoldingPlayer, TablePlayer
from baycarp.responses.local import play_deal, utilities
from baycarp.responses.local_run import LocalPlan, local_bound, play_unit
from baycarp.responses.luck import PARTS, Luck, less_luck

GAME = Variant.load("holdem.limit.2p.reverse_blinds")
FOLDS = "frequency(fold=1.0, raises=0.0, bet=0.0)"


def results(spec, units, seed=1):
    return np.concatenate(
        [np.array(play_unit(LocalPlan(spec, GAME.name, 20, seed), unit)["hands"]) for unit in range(units)]
    )


def test_it_wins_all_that_a_player_loses_by_folding():
    found = results(FOLDS, 20)
    assert (found[..., 0] == [5, 10]).all()  # the button's small blind; and the big blind, after a raise
    assert (found[..., 2:] == 0).all()  # no luck but that of the hole cards
    assert local_bound(GAME, found).mean == pytest.approx(750, abs=1e-6)  # which then counts for nothing


@pytest.mark.parametrize("kind", [TablePlayer, partial(HoldingPlayer, sampled=25)], ids=["table", "holdings"])
@pytest.mark.slow
def test_luck_is_0_in_the_mean_and_results_are_those_of_play(kind):
    """Against the same hands with the holdings that were dealt, and no luck taken out."""
    player = kind(load("station"))
    hands = np.array([play_deal(player, GAME, deck(hand), hand % 2, hand) for hand in range(240)])
    error = hands.std(axis=0) / np.sqrt(len(hands))
    assert (np.abs(hands[:, 1:].mean(axis=0)) < 4 * error[1:]).all()
    assert (error[1:] > 0).all()
    luck = hands[:, 1:].sum(axis=1)
    assert (hands[:, 0] - luck).std() < 0.6 * hands[:, 0].std()


@pytest.mark.slow
def test_the_mean_over_holdings_is_that_of_the_holding_dealt():
    """One possible holding, the one dealt: what is won in play. Its mean is that over many holdings."""
    players = Dealt(load("rule")), HoldingPlayer(load("rule"))
    dealt, mean = (
        np.array([play_deal(player, GAME, deck(hand), hand % 2, hand)[0] for hand in range(300)])
        for player in players
    )
    assert (dealt == dealt.round()).all()
    assert abs((dealt - mean).mean()) < 4 * (dealt - mean).std() / np.sqrt(len(mean))
    assert mean.std() < dealt.std()


class Dealt(HoldingPlayer):
    """A player whose holding is known to the one who counts."""

    def possible(self, free, actual, draw):
        HoldingPlayer.possible(self, free, actual, draw)  # the same draws afterwards
        return np.array([actual])


def test_the_luck_of_a_card_is_0_in_the_mean():
    """Exactly, over every river, each as probable as the holdings leave it."""
    turn, own = spot("raise call check check", "Kc9d4s7h", "QdJd")
    turn.apply(turn.named("check"))
    turn.apply(turn.named("check"))
    free = np.flatnonzero(~blocked_by([*own, *turn.board]))
    possible = np.random.default_rng(2).choice(free, 30, replace=False)
    lucks, pairs = [], []
    for card in set(range(52)) - {*own.tolist(), *turn.board}:
        river, board = turn.copy(), np.array([*turn.board, card], np.uint8)
        luck = Luck(TablePlayer(load("rule")), own, possible, 1, GAME)
        luck.deal(river, board)
        lucks.append(luck.result(river, board)[1 + river.street])
        pairs.append((~blocked_by([card]))[possible].sum())
    assert sum(pairs) == 30 * 44
    assert np.average(lucks, weights=pairs) == pytest.approx(0, abs=1e-9)
    assert max(lucks) > 10


def test_coefficients_do_not_see_the_deals_that_they_change():
    draw = np.random.default_rng(3)
    hands = draw.normal(size=(400, 2, 1 + PARTS))
    hands[..., 0] += 3 * hands[..., 1] + 5
    found = less_luck(hands)
    assert found.mean() == pytest.approx(5, abs=0.2)
    assert found.std() < 1.2
    changed = hands.copy()
    changed[::2] *= 7
    assert less_luck(changed)[::2] == pytest.approx(7 * found[::2])
    assert less_luck(hands[:20]) == pytest.approx(hands[:20, :, 0] - hands[:20, :, 1:].sum(axis=2))


def deck(hand):
    return np.frombuffer(deal(5, 0, hand, 9), np.uint8)


@pytest.mark.parametrize(("spec", "exact"), [("call", 1163), ("raise", 3698)])
@pytest.mark.slow
def test_it_is_near_the_exact_value_where_the_player_does_not_look_at_its_cards(spec, exact):
    """The published values of a best response (Johanson et al. 2011); the interval is that of the sample."""
    bound = local_bound(GAME, results(spec, 25))
    assert 0.6 * exact < bound.mean + bound.margin
    assert bound.mean - bound.margin < exact
    assert bound.margin < 0.1 * exact


def test_it_wins_from_rules_and_chance():
    for spec in ("random", "folder"):
        bound = local_bound(GAME, results(spec, 15))
        assert bound.mean > bound.margin


def spot(names, board="", own="AsAd"):
    state = State(GAME)
    for name in names.split():
        state.apply(state.named(name))
    if board:
        state.deal(board=board)
    return state, as_cards(own, "own", (2,))


def belief_of(player, own, board=()):
    free = np.flatnonzero(~blocked_by([*own.tolist(), *board]))
    return HoldingBelief(player, own, free, np.ones(len(free)), {})


def test_values_are_those_of_the_formula():
    """On the river, by enumeration: pot 80 after a bet of 20; a raise meets folds of what the rule folds."""
    state, own = spot("raise call check check check check bet", "Kc9d4s7h2c", "KdQd")
    player = load("rule")
    belief = belief_of(TablePlayer(player), own, state.board)
    values = {action.name: value for action, value in utilities(state, belief).items()}
    after = state.copy()
    after.apply(after.named("raise"))
    folds = player.policies(after)[belief.holdings, 0]

    def share(weights):
        one, other = np.zeros(1326), np.zeros(1326)
        one[holding_index(*own)] = 1
        other[belief.holdings] = weights
        return equity(one, other, np.array(state.board, np.uint8))

    won = share(np.ones(len(folds)))
    assert values["fold"] == 0
    assert values["call"] == pytest.approx(won * 60 - (1 - won) * 20)
    chance, called = folds.mean(), share(1 - folds)
    assert values["raise"] == pytest.approx(chance * 60 + (1 - chance) * (called * 80 - (1 - called) * 40))
    assert 0 < chance < 1


def test_a_belief_follows_the_policy():
    state, own = spot("")
    player = load("rule")
    belief = belief_of(TablePlayer(player), own)
    policies = player.policies(state)[belief.holdings]
    belief.observe(state, 2)
    assert (belief.weights == policies[:, 2]).all()
    assert 0 < belief.weights.sum() < len(belief.weights)
    belief.answers[""] = np.tile([0.0, 1.0, 0.0], (len(policies), 1))
    belief.observe(state, 2)  # no holding would raise: nothing is learned
    assert (belief.weights == policies[:, 2]).all()


def test_a_raise_that_every_holding_folds_to_wins_the_pot():
    """Weights whose shares sum to a little less than 1."""
    state, own = spot("")
    belief = belief_of(TablePlayer(load(FOLDS)), own)
    belief.weights = np.random.default_rng(1).random(len(belief.weights))
    assert max(utilities(state, belief).values()) == state.pot


def test_a_belief_that_the_board_empties_begins_anew():
    state, own = spot("call check", "Kc9d4s")
    belief = belief_of(TablePlayer(load("rule")), own)
    kings = np.array([holding_index(*pair) for pair in ((44, 45), (44, 46))])  # Kc with another king
    belief.weights = np.isin(belief.holdings, kings).astype(float)
    belief.block(state.board)
    assert belief.weights.sum() == 47 * 46 / 2
    assert not belief.weights[np.isin(belief.holdings, kings)].any()


def test_a_player_that_is_asked_holding_by_holding_gives_the_same():
    player = load("rule")
    for names, board in (("raise", ""), ("call check", "Kc9d4s"), ("raise call check bet", "Kc9d4s")):
        state, _ = spot(names, board)
        some = np.random.default_rng(1).choice(np.flatnonzero(~blocked_by(state.board)), 25, replace=False)
        made, table = HoldingPlayer(player).policies(state, some), TablePlayer(player).policies(state, some)
        np.testing.assert_allclose(made, table)


def test_with_all_holdings_asked_the_same_hands_are_played(monkeypatch):
    monkeypatch.setattr(HoldingPlayer, "believed", TablePlayer.believed)
    monkeypatch.setattr(HoldingPlayer, "possible", TablePlayer.possible)
    player = load("station")
    for hand in range(2):
        one, other = (
            play_deal(kind(player), GAME, deck(hand), hand, 1) for kind in (TablePlayer, HoldingPlayer)
        )
        assert one == pytest.approx(other)


class Coin:
    """A player that folds or raises by a random number of the hand, whatever it holds."""

    def decide(self, observation):
        raises = np.random.default_rng((7, observation.hand)).random() < 0.5
        legal = observation.legal_actions()
        return Decision(legal[0], {legal[-1 if raises else 0]: 1.0})


def test_the_responder_does_not_know_the_random_numbers_of_the_hand():
    state, _ = spot("")
    some = np.arange(3)
    known = [
        (one.policies(state, some) == one.apart().policies(state, some)).all()
        for one in (HoldingPlayer(Coin(), hand) for hand in range(200))
    ]
    assert 70 < sum(known) < 130


def test_the_belief_is_about_the_player_apart_and_results_about_the_player_in_play():
    """A player that folds in all hands but those by which it is asked for a belief, where it calls."""
    folds, calls = HoldingPlayer(load(FOLDS)), HoldingPlayer(load("call"))
    believed = []

    class Apart(HoldingPlayer):
        def apart(self):
            believed.append(self.hand)
            return calls

    hands = [play_deal(Apart(load(FOLDS), hand), GAME, deck(hand), 1, hand) for hand in range(20)]
    assert believed == list(range(20))
    as_known = [play_deal(folds, GAME, deck(hand), 1, hand) for hand in range(20)]
    assert all(chips == 10 for chips, *_ in as_known)  # every raise wins the big blind
    assert 0 < sum(chips == 10 for chips, *_ in hands) < 20  # raises for value alone


def test_the_belief_is_sampled_without_a_look_at_the_player():
    """The player's own holding is in a sample as often as any other."""
    free, draw = np.arange(400), np.random.default_rng(1)
    samples = [HoldingPlayer(load("call")).believed(free, draw) for _ in range(200)]
    assert all(len(set(sample.tolist())) == 100 for sample in samples)
    assert len(HoldingPlayer(load("call"), sampled=30).apart().believed(free, draw)) == 30
    assert np.bincount(np.concatenate(samples)).min() > 25
    assert len(HOLDINGS[samples[0]]) == 100


@pytest.mark.slow
def test_any_number_of_workers_and_an_interruption_give_the_same_bytes(tmp_path, capsys):
    call = ["exploit", "call", "--hands", "50", "--json"]
    assert main([*call, "--workers", "1", "--out", str(tmp_path / "one")]) == 0
    first = capsys.readouterr().out
    assert json.loads(first)["hands"] == 60  # whole blocks
    assert main([*call, "--workers", "2", "--out", str(tmp_path / "two")]) == 0
    assert capsys.readouterr().out == first
    journal, whole = tmp_path / "two" / "local.journal", (tmp_path / "one" / "local.journal").read_bytes()
    assert journal.read_bytes() == whole
    journal.write_bytes(whole[:-40])
    assert main([*call, "--workers", "1", "--out", str(tmp_path / "two")]) == 0
    assert (journal.read_bytes(), capsys.readouterr().out) == (whole, first)


def test_fewer_holdings_are_fewer_questions_and_another_journal(tmp_path, monkeypatch):
    asked = []
    policies = HoldingPlayer.policies

    def counted(player, state, holdings):
        asked.append(len(holdings))
        return policies(player, state, holdings)

    monkeypatch.setattr(HoldingPlayer, "policies", counted)
    run = partial(baycarp.exploit, "formula", hands=20, out=tmp_path)
    run(holdings=15)
    assert {15, 40} <= set(asked)  # of beliefs, and of results
    assert max(asked) == 40
    with pytest.raises(JournalError, match="holdings"):
        run()


def test_other_games_and_damaged_journals_are_refused(tmp_path):
    with pytest.raises(TableError, match="heads-up fixed limit"):
        assert LocalPlan("call", "holdem.limit.3p", 20, 1).header
    with pytest.raises(TableError, match="sizer"):
        assert LocalPlan("sizer", GAME.name, 20, 1).header
    plan = LocalPlan("call", GAME.name, 20, 1)
    with Journal(tmp_path / "j", plan.header) as journal:
        journal.append((0,), {"hands": [[1, 2]]})
        with pytest.raises(JournalError, match="expected the results of 10 deals"):
            plan.results(journal, THIS_PROCESS, lambda done: None)
