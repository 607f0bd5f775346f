"""The look-ahead beside exact values: best replies by definition, and models whose values are sums."""

import numpy as np
import pytest
from reference.toy_turn import BOARD, EDGE, alive, dealt, exact, holding, make_policy, ranges, turn

from baycarp.card import HOLDINGS, blocked_by, cards
from baycarp.errors import ArgumentError, BaycarpError
from baycarp.evaluation import equity
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import CALL, FOLD, RAISE
from baycarp.kernels.lookahead import Continuations, LookAhead

CALLS, FOLDS = (0.0, 1.0, 0.0), (1.0, 1e-12, 0.0)


@pytest.fixture(scope="module")
def toy():
    return dealt()


def begin(text, policy, seed, **settings):
    own = holding(text)
    weights, now = ranges()
    dead = sorted(set(range(52)) - alive(own))
    return LookAhead(
        turn(), own, BOARD, weights, np.stack([policy, policy]), now, [[EDGE]] * 4,
        acts=[(CALL, 0)] * 4, **{"dead": dead, "seed": seed, **settings},
    )  # fmt: skip


def against(chances, hand, hole, board, seed=1, weights=None, known=None):
    """A look-ahead against players that do the same with every holding."""
    seats = hand.variant.seats
    policy = np.broadcast_to(np.array(chances), (2, 4, 5, 1, 3))
    even = np.ones((seats, 1, len(HOLDINGS))) if weights is None else weights
    return LookAhead(
        hand, holding(hole), board, even, policy, np.zeros(len(HOLDINGS), int), [()] * 4,
        acts=[(CALL, 0)] * len(hand.acts), seed=seed, known=known,
    )  # fmt: skip


def called_to(street, seats=2):
    hand = State(Variant.ring(seats))
    while hand.street < street:
        hand.apply(hand.named("call" if hand.owed else "check"))
    return hand


def values(look):
    return {move.kind: move for move in look.values()}


@pytest.mark.parametrize("tight", [False, True])
@pytest.mark.parametrize("text", [pytest.param("KcTd", marks=pytest.mark.slow), "9h7d", "Ad5d"])
def test_the_value_is_that_of_the_best_reply(toy, text, tight):
    """By a policy that is learned: at most the best reply's, and nearly as much."""
    deals, buckets = toy[text]
    expected = exact(deals, make_policy(tight), buckets.__getitem__)
    look = begin(text, make_policy(tight), seed=2)
    look.run(100_000)
    for kind, move in values(look).items():
        assert expected[kind] - 4 * move.error - 2.0 < move.value < expected[kind] + 4 * move.error


@pytest.mark.parametrize(("street", "board"), [(0, ""), (1, "Ks8h3c"), (3, "Ks8h3c2dJd")])
def test_against_callers_a_check_to_the_end_is_the_share_of_the_pot(street, board):
    """Whoever never raises is worth the pot share; the own later bets can only add to it."""
    hand, shown = called_to(street), [int(card) for card in cards(board)] if board else []
    look = against(CALLS, hand, "KcTd", shown)
    look.run(20_000)
    found = values(look)
    pot, share = sum(hand.committed), equity("KcTd", "random", board)
    owed = hand.owed
    least = share * (pot + owed) - owed
    assert found[CALL].value > least - 4 * found[CALL].error
    if street == 3:
        bet = hand.variant.raise_sizes[3]
        assert abs(found[CALL].value - least) < 4 * found[CALL].error
        assert abs(found[RAISE].value - (share * (pot + 2 * bet) - bet)) < 4 * found[RAISE].error
        assert found[RAISE].error < 0.3


def test_against_folders_a_bet_wins_the_pot():
    hand = called_to(2, seats=4)
    look = against(FOLDS, hand, "7c2h", BOARD)
    look.run(200)
    bet = values(look)[RAISE]
    assert bet.value == pytest.approx(sum(hand.committed))
    assert bet.error == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("street", [0, 2])
@pytest.mark.slow
def test_the_error_is_that_of_repetitions(street):
    """Without a later choice that matters: against callers, a player that is all-in after this move."""
    hand = State(Variant.load("holdem.nolimit.3p.100bb"), (300, 300, 300))
    while hand.street < street:
        hand.apply(hand.named("call" if hand.owed else "check"))
    runs = []
    for seed in range(60):
        look = against(CALLS, hand, "QcJc", BOARD[: street + 2] if street else [], seed)
        look.run(500)
        runs.append(look.values()[-1][2:])
    found, errors = np.array(runs).T
    assert 0.7 < found.std(ddof=1) / errors.mean() < 1.35
    look = against(CALLS, hand, "QcJc", BOARD[: street + 2] if street else [], 1000)
    look.run(30_000)
    assert abs(found.mean() - look.values()[-1].value) < 4 * np.hypot(
        errors.mean() / 60**0.5, look.values()[-1].error
    )


def test_more_playouts_play_better():
    """The later decisions are learned: against players that act at random, most is won by the longest run."""
    hand, found = called_to(1, seats=3), []
    for playouts in (300, 20_000):
        runs = [against((0.1, 0.7, 0.2), hand, "QcJc", BOARD[:3], seed) for seed in range(8)]
        for look in runs:
            look.run(playouts)
        found.append(np.mean([values(look)[RAISE].value for look in runs]))
    assert found[1] > found[0] + 0.5


def test_what_is_known_is_learned_on():
    """It is there before the first playout, and prevails as far as it has more results."""
    look = against((0.1, 0.7, 0.2), called_to(1, seats=3), "QcJc", BOARD[:3])
    look.run(500)
    first = look.learned()
    assert (np.diff(first.keys) > 0).all()
    assert first.visits.any(axis=1).all()
    begun = against((0.1, 0.7, 0.2), called_to(1, seats=3), "QcJc", BOARD[:3], known=Continuations(*first))
    assert all((one == other).all() for one, other in zip(begun.learned(), first, strict=True))
    begun.run(500)
    second = begun.learned()
    shared = np.isin(second.keys, first.keys)
    assert (second.visits[shared] >= first.visits).all()
    assert second.visits.sum() > 1.5 * first.visits.sum()


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        ([0], 0.0, "keys"),
        ([1 << 16], 0.0, "keys"),
        ([5, 5], 0.0, "keys"),
        ([[5]], 0.0, "keys"),
        ([5], np.nan, "means"),
        (range(1, 40_000), 0.0, "known"),
    ],
)
def test_bad_continuations_are_named(keys, value, message):
    size = (len(keys), 12)

    def begun():
        known = Continuations(keys, np.full(size, value), np.ones(size, int))
        return against(CALLS, called_to(1), "QcJc", BOARD[:3], known=known)

    with pytest.raises(ArgumentError, match=message):
        begun()


@pytest.mark.parametrize("name", ["means", "visits"])
def test_continuations_of_another_shape_are_refused(name):
    given = {"keys": [5], "means": np.zeros((1, 12)), "visits": np.ones((1, 12), int)}
    with pytest.raises(ArgumentError, match=name):
        Continuations(**{**given, name: np.ones((1, 10))})


def test_differences_have_smaller_errors():
    look = against((0.1, 0.7, 0.2), called_to(1, seats=3), "QcJc", BOARD[:3])
    look.run(3000)
    check, bet = (move.error for move in look.values())
    assert look.differences()[0, 1] < 0.8 * np.hypot(check, bet)
    assert look.differences()[0, 0] == 0


def test_playouts_in_parts_give_the_same_bits():
    found = []
    for parts in ([3000], [1, 999, 2000]):
        look = begin("Ad5d", make_policy(tight=True), seed=5)
        for part in parts:
            look.run(part)
        found.append((look.values(), look.playouts, look.situations))
    assert found[0] == found[1]
    other = begin("Ad5d", make_policy(tight=True), seed=6)
    other.run(3000)
    assert other.values() != found[0][0]


@pytest.mark.parametrize("seats", [3, 6, 10])
def test_no_card_is_dealt_twice(seats):
    """All ranges are those of 44 cards: what clashes is drawn again, and all are in at the end."""
    hand = called_to(0, seats)
    weights = np.zeros((seats, 1, len(HOLDINGS)))
    weights[:, 0, ~blocked_by(range(8))] = 1.0  # nobody holds a deuce or a trey
    look = against(CALLS, hand, "2c2d", [], weights=weights)
    look.run(300)
    assert np.isfinite([move.value for move in look.values()]).all()
    assert look.forced <= 4 * 300 * 0.5


def test_a_fold_is_zero():
    look = against(CALLS, called_to(0), "7c2d", [])
    assert values(look)[FOLD][2:] == (0, 0)
    assert np.isnan(values(look)[CALL].value)
    look.run(10)
    assert values(look)[FOLD][2:] == (0, 0)


@pytest.mark.parametrize(
    ("setting", "value"),
    [("cells", 3), ("cells", 0), ("apart", 2.0), ("apart", -1), ("draw", 1.0), ("sizes", [1.0] * 9)],
)
def test_bad_settings_are_named(setting, value):
    with pytest.raises(BaycarpError, match=setting):
        begin("Ad5d", make_policy(tight=True), **{"seed": 0, setting: value})


def test_a_look_ahead_that_was_never_begun_is_refused():
    for use in (lambda look: look.run(1), lambda look: look.values(), lambda look: look.differences()):
        with pytest.raises(ArgumentError, match="begun"):
            use(LookAhead.__new__(LookAhead))
