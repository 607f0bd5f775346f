"""The model of each opponent: Bayes over styles and over players that ignore their cards."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from reference.action_models import nearby
from reference.hand_types import hand_group

from baycarp.card import HOLDINGS
from baycarp.errors import EvidenceError, SchemaError
from baycarp.opponents.actions.adapt import PlayerModel
from baycarp.opponents.actions.buckets import BLOCKED, BUCKETS, SHARES, both_orders, buckets, by_hand_group
from baycarp.opponents.actions.hand_actions import SHAPES, ActionModel, normalized, sensible
from baycarp.opponents.actions.hypotheses import SMOOTH, Confidence, hypotheses
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, PRICES, SITUATIONS, CodedAct
from baycarp.opponents.actions.styles import Styles
from baycarp.rules.income import IncomeGroup

BET = SITUATIONS[0] // len(PRICES)
HELD = buckets((), IncomeGroup.IR7)
FLOP = (1, 22, 50)
MOVES = (CodedAct(3, 0, BET, 2), CodedAct(3, 1, 7, 1), CodedAct(3, 1, SITUATIONS[1] // 5 + 3, 2))


def always(choice):
    """A player that nearly always chooses one action where it is legal."""
    tables = []
    for street, shape in enumerate(SHAPES):
        table = np.full(shape, 0.02)
        table[:, :, choice] = 1.0
        table *= LEGAL[PRICE_OF[street]][:, None, :]
        tables.append(table / table.sum(axis=2, keepdims=True))
    return ActionModel(tuple(tables))


TWO = Styles((nearby(1), nearby(2)), (0.25, 0.75))
SOME = Confidence(((0.5, 0.7, 0.3), (2.0, 1.0, 0.2)), change=0.1)
CERTAIN = Confidence(((1.0, 1.0, 1.0),), actions=1.0, change=0.0)


@cache
def act_slowly(street, situation, choice, bucket, model, power):
    """P(choice | bucket) of a style whose distance in log-odds from the mean over the deal is multiplied."""
    table = model.tables[street][situation]
    mean = sum(share * row for share, row in zip(SHARES[street], table, strict=True))
    raised = [
        float(p**power * m ** (1 - power)) if p > 0 else 0.0 for p, m in zip(table[bucket], mean, strict=True)
    ]
    return raised[choice] / sum(raised)


def blind_players():
    """The grid of fixed frequencies, written out: (fold, raise | a bet; bet | none)."""
    quarters = [k / 4 for k in range(5)]
    return [(f, r, b) for f in quarters for r in quarters if f + r <= 1 for b in quarters]


def act_blindly(street, situation, choice, player):
    fold, bold, bet = player
    price = PRICE_OF[street][situation]
    shares = {0: (0, 1 - bet, bet), 4: (fold, 1 - fold, 0)}.get(price, (fold, 1 - fold - bold, bold))
    legal = LEGAL[price]
    return (1 - SMOOTH) * shares[choice] + SMOOTH * legal[choice] / legal.sum()


def joint_slowly(moves, board, group, confidence=SOME, styles=TWO):
    """P(hypothesis, moves | holding) of every hypothesis and holding, from the definition."""
    out = []
    for before, after, prior in confidence.informed:
        first = by_hand_group() if before <= confidence.hand_groups else buckets((), group)
        codes = {s: buckets(board[: s + 2], group) if s else first for s in range(4)}
        for model, share in zip(styles.models, styles.shares, strict=True):
            out.append([])
            for holding in range(1326):
                p = prior * share
                for _, street, situation, choice in moves:
                    bucket = codes[street][holding]
                    p *= (
                        0
                        if bucket == BLOCKED
                        else act_slowly(street, situation, choice, bucket, model, after if street else before)
                    )
                out[-1].append(p)
    players = blind_players()
    for player in players:
        p = (
            confidence.blind
            / len(players)
            * np.prod([act_blindly(s, at, c, player) for _, s, at, c in moves])
        )
        out.append([p] * 1326)
    free = ~np.isin(HOLDINGS, board).any(axis=1)
    return np.array(out) * free


def test_the_belief_about_a_new_player_is_the_mean_over_all_hypotheses():
    known = PlayerModel(TWO, SOME)
    held = joint_slowly(MOVES, FLOP, IncomeGroup.IR4).sum(axis=0)
    found = normalized(known.likelihood(MOVES, FLOP, IncomeGroup.IR4))
    assert found == pytest.approx(held / held.sum(), rel=1e-4)
    assert normalized(known.likelihood((), FLOP, IncomeGroup.IR4))[found > 0] == pytest.approx(1 / 1176)


def test_the_two_orders_before_the_flop_are_those_of_the_buckets():
    for group in IncomeGroup:
        orders = both_orders(group)
        assert np.array_equal(orders.expected[orders.cell], buckets((), group))
        assert np.array_equal(orders.hand_group[orders.cell], by_hand_group())


def test_a_better_hand_group_is_never_in_a_worse_bucket():
    """Groups as ``rules.hand`` names them; the shares of the buckets are those of every order."""
    codes, group = by_hand_group(), np.array([int(hand_group(each)[9:]) for each in HOLDINGS.tolist()])
    for number in range(1, 10):
        assert codes[group == number].min() >= codes[group == number + 1].max()
    assert SHARES[0] == pytest.approx(np.bincount(codes) / 1326, abs=0.01)


def test_a_changed_prior_counts_as_if_the_player_had_begun_with_it():
    """Two hands between two kinds without forgetting: the factor may come before, between or after them."""
    certain = Confidence(((0.5, 0.5, 0.3), (1.0, 1.0, 0.2)), actions=1.0, change=0.0)
    prior, moves = hypotheses(TWO, certain).prior, (MOVES, MOVES[:2])
    factor = np.linspace(0.5, 2.0, len(prior))
    found = []
    for when in range(3):
        known = PlayerModel(TWO, certain)
        for number in range(3):
            if number == when:
                known.adjust(factor)
            if number < 2:
                known.learn(moves[number], FLOP, IncomeGroup.IR4)
        found.append(known.weights)
    joint = [joint_slowly(each, FLOP, IncomeGroup.IR4, certain).sum(axis=1) for each in moves]
    expected = joint[0] * joint[1] / prior * factor
    for weights in found:
        assert weights == pytest.approx(expected / expected.sum(), rel=1e-4)


@pytest.mark.parametrize("holding", [-1, 700])
@pytest.mark.parametrize("actions", [1.0, 0.25])
def test_a_hand_moves_the_hypotheses_and_a_part_returns_to_the_prior(holding, actions):
    """By Bayes at 1; below it the actions count to a power, the shown holding given the actions in full."""
    some = replace(SOME, actions=actions)
    known = PlayerModel(TWO, some)
    prior = known.weights.copy()
    known.learn(MOVES, FLOP, IncomeGroup.IR4, holding)
    joint = joint_slowly(MOVES, FLOP, IncomeGroup.IR4, some)
    acted = joint.sum(axis=1) / prior / 1176
    evidence = prior * acted**actions * (1 if holding < 0 else joint[:, holding] / joint.sum(axis=1))
    assert known.weights == pytest.approx(0.9 * evidence / evidence.sum() + 0.1 * prior, rel=1e-4)
    if actions == 1:
        bayes = joint.sum(axis=1) if holding < 0 else joint[:, holding]
        assert evidence / evidence.sum() == pytest.approx(bayes / bayes.sum())
    assert known.hands == 1


def test_shown_cards_outweigh_frequencies_of_actions():
    """A player raises with any cards, as often as a style that raises with good ones, and shows them.

    A style that raises with any cards, too, does so more often. By Bayes at power 1 the frequency decides.
    """
    careful = nearby(3)
    often = SHARES[0] @ careful.tables[0][BET]
    tables = [table.copy() for table in careful.tables]
    tables[0][BET] = (*(often[:2] * 0.7 / often[:2].sum()), 0.3)
    styles, found = Styles((careful, ActionModel(tuple(tables))), (0.5, 0.5)), []
    for actions in (0.05, 1.0):
        rng, known = np.random.default_rng(4), PlayerModel(styles, replace(CERTAIN, actions=actions))
        for _ in range(600):
            choice, holding = int(rng.choice(3, p=often)), int(rng.integers(1326))
            known.learn([CodedAct(3, 0, BET, choice)], (), IncomeGroup.IR7, holding if choice == 2 else -1)
        found.append(known.weights[1])
    assert found[0] > 0.99
    assert found[1] < 0.01


def test_the_prior_has_every_hypothesis_once_and_sums_to_1():
    made = hypotheses(TWO, SOME)
    assert made.prior.sum() == pytest.approx(1.0)
    assert made.prior[:4] == pytest.approx([0.3 * 0.25, 0.3 * 0.75, 0.2 * 0.25, 0.2 * 0.75])
    assert len(made.prior) == 4 + len(blind_players())
    for table in made.tables:
        assert table.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert made.blind.sum(axis=1) == pytest.approx(1.0)


def test_four_raises_of_one_hand_are_not_four_independent_signs_of_strength():
    """Between a raiser and a caller: the mean of products, against the product of the mean table."""
    styles, moves = Styles((sensible(), always(2)), (0.5, 0.5)), (CodedAct(3, 0, BET, 2),) * 4
    known = PlayerModel(styles, CERTAIN)
    best = HELD == 15
    together = normalized(known.likelihood(moves, (), IncomeGroup.IR7))[best].sum()
    apart = known.model.posterior(moves, (), IncomeGroup.IR7)[best].sum()
    assert together < 0.7 * apart


def play(known, rng, act, hands, shown=0.3):
    """A player that acts once a hand before the flop; some holdings are shown; the model's losses."""
    losses = []
    for _ in range(hands):
        holding = int(rng.integers(1326))
        choice = int(rng.choice(3, p=act(HELD[holding])))
        move = CodedAct(3, 0, BET, choice)
        losses.append(
            -np.log(normalized(known.likelihood((move,), (), IncomeGroup.IR7))[holding]) - np.log(1326)
        )
        known.learn((move,), (), IncomeGroup.IR7, holding if choice and rng.random() < shown else -1)
    return np.array(losses)


@pytest.mark.parametrize("shares", [(0.2, 0.3, 0.5), (0.6, 0.1, 0.3), (0.05, 0.9, 0.05)])
def test_the_belief_about_a_player_that_ignores_its_cards_stays_near_the_deal(shares):
    """Nothing that it does is worth anything; every nat of belief is a nat lost."""
    styles, rng = Styles((sensible(), always(2)), (0.5, 0.5)), np.random.default_rng(1)
    losses = np.array([play(PlayerModel(styles), rng, lambda _: shares, 200) for _ in range(20)])
    assert losses[:, 0].mean() < 0.02
    assert losses[:, 50:].mean() < 0.01


def test_cards_are_read_of_a_player_that_minds_them():
    rng, table = np.random.default_rng(2), nearby(3).tables[0][BET]
    styles = Styles((nearby(3), nearby(4)), (0.5, 0.5))
    losses = np.array([play(PlayerModel(styles), rng, table.__getitem__, 200) for _ in range(10)])
    best = np.array(
        [
            play(PlayerModel(Styles((nearby(3),), (1.0,)), CERTAIN), rng, table.__getitem__, 200)
            for _ in range(10)
        ]
    )
    assert losses[:, 100:].mean() < 0.6 * best[:, 100:].mean() < -0.03  # gains are negative losses
    known = PlayerModel(styles)
    before = known.blind
    play(known, rng, table.__getitem__, 200)
    assert known.blind < 0.1 < before


def test_the_model_follows_a_change_of_play():
    """Two hundred hands of calls, then thirty of raises: a model that admits changes is ahead."""
    chances = []
    for change in (0.003, 0.0):
        known = PlayerModel(
            Styles((always(1), always(2)), (0.5, 0.5)), Confidence(((1.0, 1.0, 0.5),), change=change)
        )
        for choice, number in ((1, 200), (2, 30)):
            for _ in range(number):
                known.learn((CodedAct(3, 0, BET, choice),), (), IncomeGroup.IR7)
        chances.append(known.model.tables[0][BET, :, 2].mean())
    assert chances[0] > 0.8
    assert chances[1] < 0.5


def test_learning_repeats_and_stays_a_model():
    def learned():
        known = PlayerModel(TWO)
        for number in range(400):
            known.learn(MOVES, FLOP, IncomeGroup.IR2, 900 if number % 3 else -1)
        return known

    one, two = learned(), learned()
    assert np.array_equal(one.weights, two.weights)
    assert one.weights.sum() == pytest.approx(1.0)
    assert (one.weights > 0).all()
    for street, table in enumerate(one.model.tables):
        assert (table[~np.broadcast_to(LEGAL[PRICE_OF[street]][:, None, :], table.shape)] == 0).all()


def test_the_shares_of_buckets_are_those_of_random_boards():
    rng = np.random.default_rng(3)
    assert SHARES[0] == pytest.approx(np.bincount(HELD) / 1326, abs=0.01)
    for street in (1, 2, 3):
        found = np.zeros(256)
        for _ in range(25):
            board = tuple(rng.permutation(52)[: street + 2].tolist())
            found += np.bincount(buckets(board, IncomeGroup.IR7), minlength=256)
        found = found[: BUCKETS[street]]
        assert np.abs(found / found.sum() - SHARES[street]).sum() < 0.2


def test_a_hand_that_no_hypothesis_explains_gives_the_prior():
    never = [table.copy() for table in sensible().tables]
    never[0][BET] = (0.5, 0.5, 0.0)  # this style never raises here
    player = PlayerModel(Styles((ActionModel(tuple(never)), nearby(2)), (0.5, 0.5)), CERTAIN)
    player.learn([CodedAct(0, 0, BET, 0)], (), IncomeGroup.IR7)
    lone = PlayerModel(Styles((ActionModel(tuple(never)),), (1.0,)), CERTAIN)
    for model in (player, lone):
        model.learn([CodedAct(0, 0, BET, 2)], (), IncomeGroup.IR7)
        assert np.isfinite(model.weights).all()
    assert player.weights[:2].tolist() == [0.0, 1.0]
    assert lone.weights[0] == 1.0
    assert normalized(lone.likelihood([CodedAct(0, 0, BET, 1)], (), IncomeGroup.IR7)).sum() == pytest.approx(
        1
    )


def test_what_cannot_be_is_refused():
    with pytest.raises(EvidenceError, match="holding 0"):
        PlayerModel(TWO).learn(MOVES, (0, 22, 50), IncomeGroup.IR2, 0)
    for wrong in (
        ((4.5, 1.0, 0.1),),
        ((1.0, 0.0, 0.1),),
        ((0.5, 0.5, 0.7), (1.0, 1.0, 0.4)),
        ((1.0, 1.0, -0.1),),
    ):
        with pytest.raises(SchemaError, match="expected"):
            Confidence(wrong)
    with pytest.raises(SchemaError, match="actions"):
        Confidence(actions=0.0)
    with pytest.raises(SchemaError, match="change"):
        Confidence(change=1.0)
