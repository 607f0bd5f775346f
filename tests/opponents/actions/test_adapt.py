"""The model of each opponent: styles, the power of each kind of action, and whether they say anything."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from reference.action_models import nearby
from reference.hand_types import hand_group

from baycarp.card import HOLDINGS
from baycarp.errors import EvidenceError, SchemaError
from baycarp.opponents.actions.adapt import PlayerModel
from baycarp.opponents.actions.buckets import BUCKETS, SHARES, both_orders, buckets, by_hand_group
from baycarp.opponents.actions.hand_actions import SHAPES, ActionModel, normalized, sensible
from baycarp.opponents.actions.hypotheses import hypotheses
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, PRICES, SITUATIONS, CodedAct
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.reliance import KINDS, Confidence, kind_of
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
SOME = Confidence((0.5, 2.0), ((0.6, 0.4), (0.2, 0.8), (0.5, 0.5), (0.9, 0.1)), blind=0.3, change=0.1)
ALONE = {"powers": (1.0,), "prior": ((1.0,),) * len(KINDS)}
CERTAIN = Confidence(**ALONE, blind=0.0, actions=1.0, change=0.0)


@cache
def raised_slowly(street, situation, bucket, model, power):
    """P(choice | bucket) of a style whose distance in log-odds from the mean over the deal is multiplied."""
    table = model.tables[street][situation]
    mean = sum(share * row for share, row in zip(SHARES[street], table, strict=True))
    raised = [
        float(p**power * m ** (1 - power)) if p > 0 else 0.0 for p, m in zip(table[bucket], mean, strict=True)
    ]
    return [each / sum(raised) for each in raised]


def act_slowly(act, by_power, model, confidence):
    """The mean over the powers of the kind of each choice, by the bucket for each power."""
    chances = []
    for choice in range(3):
        prior = confidence.prior[kind_of(act.street, choice)]
        chances.append(
            sum(
                weight * raised_slowly(act.street, act.situation, int(by_power[power]), model, power)[choice]
                for power, weight in zip(confidence.powers, prior, strict=True)
            )
        )
    return chances[act.choice] / sum(chances)


def joint_slowly(moves, board, group, confidence=SOME, styles=TWO):
    """P(style, moves | holding) of every style and holding, from the definition."""
    free = ~np.isin(HOLDINGS, board).any(axis=1)
    out = np.zeros((len(styles.models), 1326))
    for number, (model, share) in enumerate(zip(styles.models, styles.shares, strict=True)):
        for holding in np.flatnonzero(free).tolist():
            p = share
            for act in moves:
                first = {
                    power: by_hand_group() if power <= 0.5 else buckets((), group) for power in SOME.powers
                }
                later = buckets(board[: act.street + 2], group) if act.street else None
                by_power = {
                    power: (first[power] if later is None else later)[holding] for power in confidence.powers
                }
                p *= act_slowly(act, by_power, model, confidence)
            out[number, holding] = p
    return out


def test_the_belief_about_a_new_player_is_the_mean_over_styles_and_in_part_the_deal():
    known = PlayerModel(TWO, SOME)
    joint = joint_slowly(MOVES, FLOP, IncomeGroup.IR4)
    informed, free = joint.sum(axis=0) / joint.sum(), joint[0] > 0
    found = normalized(known.likelihood(MOVES, FLOP, IncomeGroup.IR4))
    assert found == pytest.approx(0.7 * informed + 0.3 * free / 1176, rel=1e-4)
    assert normalized(known.likelihood((), FLOP, IncomeGroup.IR4))[free] == pytest.approx(1 / 1176)


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


@pytest.mark.parametrize("holding", [-1, 700])
@pytest.mark.parametrize("actions", [1.0, 0.25])
def test_a_hand_moves_the_styles_and_a_part_returns_to_the_prior(holding, actions):
    """By Bayes at 1; below it the actions count to a power, the shown holding given the actions in full."""
    some = replace(SOME, actions=actions)
    known, prior = PlayerModel(TWO, some), np.array(TWO.shares)
    known.learn(MOVES, FLOP, IncomeGroup.IR4, holding)
    joint = joint_slowly(MOVES, FLOP, IncomeGroup.IR4, some)
    acted = joint.sum(axis=1) / prior / 1176
    evidence = prior * acted**actions * (1 if holding < 0 else joint[:, holding] / joint.sum(axis=1))
    assert known.styles == pytest.approx(0.9 * evidence / evidence.sum() + 0.1 * prior, rel=1e-4)
    if holding >= 0:
        pair = np.array([0.7 * joint[:, holding].sum() / joint.sum(), 0.3 / 1176])
        assert known.blind == pytest.approx(0.9 * pair[1] / pair.sum() + 0.1 * 0.3, rel=1e-4)
    assert known.hands == 1


def test_a_player_is_blind_only_after_showdowns():
    """It calls and raises with any cards, as often as no style does; only what it shows makes it blind."""
    beliefs = []
    for shows in (False, True):
        known, rng = PlayerModel(Styles((sensible(),), (1.0,))), np.random.default_rng(5)
        before = known.blind
        for _ in range(250):
            for choice in (1, 2):
                holding = int(rng.integers(1326)) if shows else -1
                known.learn((CodedAct(3, 0, BET, choice),), (), IncomeGroup.IR7, holding)
        beliefs.append(known.blind)
    assert beliefs[0] == pytest.approx(before)
    assert beliefs[1] > 0.6


def test_the_power_of_an_over_read_raiser_falls_and_that_of_a_strict_one_rises():
    """The first shows any cards after its raises, the second the best sixth; other kinds are not touched."""
    moved = {}
    for name, held in (("over-read", HELD >= 0), ("strict", HELD >= 11)):
        known, rng = PlayerModel(Styles((sensible(),), (1.0,))), np.random.default_rng(6)
        before = known.reliance.power
        for _ in range(100):
            holding = int(rng.choice(np.flatnonzero(held)))
            known.learn((CodedAct(3, 0, BET, 2),), (), IncomeGroup.IR7, holding)
        moved[name] = known.reliance.power - before
    assert moved["over-read"][1] < -0.2
    assert moved["strict"][1] > 0.5
    for name in moved:
        assert (np.delete(moved[name], 1) == 0).all()


def test_frequencies_move_the_next_action_and_not_the_order_of_the_holdings():
    style, rng = nearby(3), np.random.default_rng(7)
    known = PlayerModel(Styles((style,), (1.0,)))
    move = CodedAct(3, 0, BET, 2)
    before = normalized(known.likelihood((move,), (), IncomeGroup.IR7))
    play(known, rng, lambda _: (0.85, 0.1, 0.05), 300, shown=0.0)
    assert known.predict((), move, (), IncomeGroup.IR7) == pytest.approx((0.85, 0.1, 0.05), abs=0.05)
    after = normalized(known.likelihood((move,), (), IncomeGroup.IR7))
    assert np.corrcoef(before, after)[0, 1] > 0.9
    assert after.max() > before.max()  # fewer raises are better holdings


def test_the_choices_of_a_situation_are_probabilities():
    for table in hypotheses(TWO, SOME).tables:
        assert table.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    known = PlayerModel(TWO, SOME)
    for street, prices in enumerate(PRICE_OF):
        for situation in range(0, len(prices), 7):
            rows = known.choices(street, situation, IncomeGroup.IR4)
            assert rows.sum(axis=0) == pytest.approx(1.0, abs=1e-5)
            assert ((rows > 0).all(axis=(1, 2)) == LEGAL[prices[situation]]).all()


def test_the_belief_after_an_act_is_that_before_it_times_the_shares_of_the_act():
    known = PlayerModel(TWO, SOME)
    before = normalized(known.likelihood(MOVES[:2], FLOP, IncomeGroup.IR4))
    shares = known.shares(MOVES[:2], MOVES[2].situation, FLOP, IncomeGroup.IR4)
    assert shares.sum(axis=0)[before > 0] == pytest.approx(1.0)
    for choice in range(3):
        after = normalized(
            known.likelihood((*MOVES[:2], MOVES[2]._replace(choice=choice)), FLOP, IncomeGroup.IR4)
        )
        assert after == pytest.approx(normalized(before * shares[choice]), rel=1e-4)


def test_four_raises_of_one_hand_are_not_four_independent_signs_of_strength():
    """Between a raiser and a caller: the mean of products, against the product of the mean table."""
    styles, moves = Styles((sensible(), always(2)), (0.5, 0.5)), (CodedAct(3, 0, BET, 2),) * 4
    known = PlayerModel(styles, CERTAIN)
    best = HELD == 15
    together = normalized(known.likelihood(moves, (), IncomeGroup.IR7))[best].sum()
    mean = (known.choices(0, BET, IncomeGroup.IR7)[2] @ known.styles)[both_orders(IncomeGroup.IR7).cell]
    assert together < 0.7 * normalized(mean**4)[best].sum()


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
def test_the_belief_about_a_player_that_ignores_its_cards_comes_near_the_deal(shares):
    """Nothing that it does is worth anything; every nat of belief is a nat lost."""
    styles, rng = Styles((sensible(), nearby(3)), (0.5, 0.5)), np.random.default_rng(1)
    losses = np.array([play(PlayerModel(styles), rng, lambda _: shares, 200) for _ in range(10)])
    assert losses[:, 100:].mean() < 0.02


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
    shares = []
    for change in (0.003, 0.0):
        known = PlayerModel(
            Styles((always(1), always(2)), (0.5, 0.5)), Confidence(**ALONE, blind=0.5, change=change)
        )
        for choice, number in ((1, 200), (2, 30)):
            for _ in range(number):
                known.learn((CodedAct(3, 0, BET, choice),), (), IncomeGroup.IR7)
        shares.append(known.styles[1])
    assert shares[0] > 0.8
    assert shares[1] < 0.5


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


def test_a_hand_that_no_style_explains_gives_the_prior():
    never = [table.copy() for table in sensible().tables]
    never[0][BET] = (0.5, 0.5, 0.0)  # this style never raises here
    player = PlayerModel(Styles((ActionModel(tuple(never)), nearby(2)), (0.5, 0.5)), CERTAIN)
    player.learn([CodedAct(0, 0, BET, 0)], (), IncomeGroup.IR7)
    lone = PlayerModel(Styles((ActionModel(tuple(never)),), (1.0,)), CERTAIN)
    for model in (player, lone):
        model.learn([CodedAct(0, 0, BET, 2)], (), IncomeGroup.IR7)
        assert np.isfinite(model.weights).all()
    assert player.styles.tolist() == [0.0, 1.0]
    assert lone.styles[0] == 1.0
    assert normalized(lone.likelihood([CodedAct(0, 0, BET, 1)], (), IncomeGroup.IR7)).sum() == pytest.approx(
        1
    )


def test_a_fold_where_a_check_is_free_says_nothing():
    """Of people it says that they left the table."""
    known = PlayerModel(TWO)
    before = known.weights
    known.learn([CodedAct(0, 1, 0, 0)], FLOP, IncomeGroup.IR7)
    assert known.hands == 1
    assert np.array_equal(known.weights, before)


def test_what_cannot_be_is_refused():
    with pytest.raises(EvidenceError, match="holding 0"):
        PlayerModel(TWO).learn(MOVES, (0, 22, 50), IncomeGroup.IR2, 0)
    for wrong in ((4.5,), (0.0,), (), (-1.0, 1.0)):
        with pytest.raises(SchemaError, match="powers"):
            Confidence(wrong, ((1.0,) * len(wrong),) * len(KINDS))
    for prior in (((0.5, 0.5),) * 4, ((1.0,),), ((0.0,),) * 4):
        with pytest.raises(SchemaError, match="prior"):
            Confidence((1.0,), prior)
    for setting in ({"actions": 0.0}, {"change": 1.0}, {"blind": 1.0}):
        with pytest.raises(SchemaError, match=next(iter(setting))):
            Confidence(**setting)
