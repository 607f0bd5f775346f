"""Running counts, by name."""

from dataclasses import replace

from reference.play import play

from baycarp.game.event import Acted, HandOver
from baycarp.game.variant import Variant
from baycarp.opponents.network.statistics import Statistics
from baycarp.opponents.network.topology import topology
from baycarp.rules import READINGS, PlayerView

NAMES = ("Ann", "Bob", "Cid", "Dee")


def hand_over(actions, players=NAMES):
    observation = play(Variant.ring(4), actions).observe(players=players)
    return HandOver(observation, (0, 0, 0, 0))


def test_voluntary_and_raised_hands():
    """Cid calls, Dee raises, Ann folds her small blind, Bob calls; then all check."""
    stats = Statistics()
    stats.observe(hand_over("c r f c c  k k k  k k k  k k k"))
    assert [(stats.of(name).vpip, stats.of(name).pfr) for name in NAMES] == [(0, 0), (1, 0), (1, 0), (1, 1)]


def test_blinds_and_free_checks_are_not_voluntary():
    stats = Statistics()
    stats.observe(hand_over("f f c k  k k  k k  k k"))
    assert [stats.of(name).vpip for name in NAMES] == [1, 0, 0, 0]


def test_a_hand_counts_once_however_often_one_acts():
    stats = Statistics()
    stats.observe(hand_over("r r r c f c"))
    assert (stats.of("Cid").voluntary, stats.of("Cid").raised, stats.of("Cid").hands) == (1, 1, 1)


def test_players_keep_their_counts_when_seats_move():
    stats = Statistics()
    stats.observe(hand_over("r f f f"))
    stats.observe(hand_over("f r f f", ("Dee", "Ann", "Bob", "Cid")))
    assert (stats.of("Cid").vpip, stats.of("Cid").hands) == (1, 2)
    assert stats.of("Bob").vpip == 0


def test_nothing_is_known_before_the_first_hand_and_during_it():
    stats = Statistics()
    over = hand_over("r f f f")
    for index, act in enumerate(over.observation.acts):
        before = play(Variant.ring(4), " ".join(done.action.name for done in over.observation.acts[:index]))
        stats.observe(Acted(before.observe(players=NAMES), act))
    view = PlayerView(over.observation, 2, stats.of("Cid"))
    assert READINGS["VPIP"].read(view) is None
    assert READINGS["PFR"].read(view) is None
    stats.observe(over)
    assert READINGS["VPIP"].read(view) == "a60_100"
    assert READINGS["PFR"].read(view) == "a25_100"


def test_a_hand_without_names_counts_for_no_player():
    stats = Statistics()
    stats.observe(hand_over("r f f f", ()))
    assert stats.of("").hands == 0


def test_aggression_is_the_share_of_a_streets_hands_with_a_bet_or_raise():
    """Bob bets the flop and Dee raises; Ann folded before it and has no decision there."""
    stats = Statistics()
    stats.observe(hand_over("c r f c c  b c r c c  k k b c f  k k"))
    assert [stats.of(name).streets for name in NAMES] == [(0, 0, 0), (1, 1, 1), (1, 1, 0), (1, 1, 1)]
    assert [stats.of(name).aggressive for name in NAMES] == [(0, 0, 0), (1, 0, 0), (0, 0, 0), (1, 1, 0)]
    assert [stats.of(name).aggression(1) for name in NAMES] == [None, 1, 0, 1]
    before = replace(stats.of("Bob"))
    stats.observe(hand_over("c r f c c  k k k  k k k  k k k"))
    assert (stats.of("Bob").aggression(1), stats.of("Bob").aggression(2)) == (0.5, 0)
    assert before.aggression(1) == 1


def test_aggression_is_a_node_of_each_street():
    stats = Statistics()
    over = hand_over("c r f c c  b c r c c  k k b c f  k k")
    stats.observe(over)
    view = PlayerView(over.observation, 1, stats.of("Bob"))
    nodes = ("AggressionFlop", "AggressionTurn", "AggressionRiver")
    assert [READINGS[node].read(view) for node in nodes] == ["a60_100", "a0_10", "a0_10"]
    cold = PlayerView(over.observation, 0, stats.of("Ann"))
    assert [READINGS[node].read(cold) for node in nodes] == [None, None, None]
    structure = topology(aggression=True)
    assert structure.parents["HandTypeTurn"] == (
        "HandType",
        "ActionTurn",
        "BoardChangeTurn",
        "AggressionTurn",
    )
    assert set(structure.nodes) - set(topology().nodes) == set(nodes)
