"""The tree-search player: legal everywhere, repeatable, and better than plain opponents."""

import signal
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest
from reference.games import random_action, random_game, random_stacks

from baycarp.agents.anytime import Recorder
from baycarp.agents.mcts import MCTS, ModelSettings, ReadingStage, SearchSettings, SearchStage
from baycarp.agents.registry import load
from baycarp.agents.searching import SIZES
from baycarp.agents.trace import stage_of, trace_record
from baycarp.agents.trace_json import read_trace
from baycarp.arena.session import Table, play_session
from baycarp.budget import Budget
from baycarp.errors import ModelError, TableError
from baycarp.game import Action, HandOver, State, Variant
from baycarp.game.notation.observe import observe
from baycarp.opponents.moves.buckets import OUTS, SQUARES

TWO = Variant.load("holdem.nolimit.2p.100bb")
NAMES = tuple("abcdefghij")


def against(opponent, hands, spec="mcts(playouts=300)", game=TWO):
    """The net chips of hands by all-in equity, in big blinds."""
    table = Table(game, ("searcher", "other"), (spec, opponent), 3, estimators=("all-in",))
    return play_session(table, 4_000_000, hands).estimates["all-in"][:, 0] / game.big_blind


def dealt(*actions, hole="AhAd", board=None):
    state = State(TWO)
    for action in actions:
        state.apply(action if isinstance(action, Action) else state.named(action))
    state.deal({state.to_act: hole}, board)
    return state


@pytest.mark.parametrize("betting", ["limit", "no-limit"])
def test_every_action_is_legal(betting):
    draw, player, asked = Random(5), MCTS(SearchSettings(playouts=30)), 0
    while asked < 150:
        game = random_game(draw, betting=betting)
        if game.seats == 10:
            continue
        state = State(game, random_stacks(draw, game), draw.sample(range(52), 2 * game.seats + 5))
        player.sit(0, game, asked)
        while not state.is_over:
            seat = state.to_act
            decision = player.decide(state.observe(seat, NAMES[: game.seats], asked))
            asked += 1
            assert sum(decision.policy.values()) == pytest.approx(1)
            assert all(state.can(action) for action in decision.policy)
            assert decision.policy[decision.action] > 0
            _, least, most, _ = state.bounds()
            state.apply(random_action(draw, state.legal_actions(), least, most))
        player.learn(HandOver(state.observe(None, NAMES[: game.seats], asked), state.payoffs()))


@pytest.mark.parametrize("seats", [3, 6, 9])
@pytest.mark.slow
def test_whole_hands_at_tables_of_several(seats):
    game = Variant.load(f"holdem.nolimit.{seats}p.100bb")
    specs = ("mcts(playouts=40)", *("sizer", "call", "mcts(playouts=20)", "raise") * 2)[:seats]
    table = Table(game, NAMES[:seats], specs, 1)
    assert (play_session(table, 4_000_000, 45 // seats).net.sum(axis=1) == 0).all()


def test_a_seed_and_a_number_of_playouts_fix_the_decision():
    found = []
    for seed in (1, 1, 2):
        player = MCTS(SearchSettings(playouts=200))
        player.sit(1, TWO, seed)
        decision = player.decide(dealt().observe(1))
        found.append([move.value for move in stage_of(decision.trace, SearchStage).moves])
    assert found[0] == found[1] != found[2]


def test_the_tree_is_kept_within_a_hand():
    player, state = MCTS(SearchSettings(playouts=9000, explore=500)), dealt(board="Ac7d2s5h9d")
    player.sit(1, TWO, 1)
    state.deal({1: "AhAd"})
    player.decide(state.observe(1))
    for name in ("call", "check", "check"):
        state.apply(state.named(name))
    kept = stage_of(player.decide(state.observe(1)).trace, SearchStage)
    assert kept.kept
    assert sum(move.visits for move in kept.moves) > kept.iterations
    fresh = MCTS(SearchSettings(playouts=3000))
    fresh.sit(1, TWO, 1)
    assert not stage_of(fresh.decide(state.observe(1)).trace, SearchStage).kept


def test_a_hand_of_the_same_number_from_the_other_seat_is_another_hand():
    player, game = load("mcts(playouts=20)"), "holdem.limit.2p.reverse_blinds"
    player.decide(observe("MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", game=game))
    player.decide(observe("MATCHSTATE:1:0:rc/c:|AhKd/Ks7d2c", game=game))


def observations(draw, hands=2):
    """Of all decisions of random hands of one game: the stacks and the cards differ, the numbers hardly."""
    game, found = random_game(draw), []
    for _ in range(hands):
        state = State(game, random_stacks(draw, game), draw.sample(range(52), 2 * game.seats + 5))
        while not state.is_over:
            found.append(state.observe(state.to_act, NAMES[: game.seats], draw.randrange(2)))
            _, least, most, _ = state.bounds()
            state.apply(random_action(draw, state.legal_actions(), least, most))
    return found if game.seats < 10 else observations(draw, hands)


def test_a_decision_with_other_stacks_is_not_that_of_the_last_ones():
    both = MCTS(SearchSettings(playouts=150))
    both.sit(1, TWO, 1)
    for stacks in ((10_000, 10_000), (10_000, 350)):
        state = State(TWO, stacks)
        state.deal({1: "AhKd"})
        alone = MCTS(SearchSettings(playouts=150))
        alone.sit(1, TWO, 1)
        assert both.decide(state.observe(1)).policy == alone.decide(state.observe(1)).policy


def test_decisions_in_any_order_are_of_what_is_observed():
    draw, player = Random(7), MCTS(SearchSettings(playouts=10))
    asked = observations(draw)
    player.sit(0, asked[0].variant, 1)
    for _ in range(30):
        observation = draw.choice(asked)
        decision = player.decide(observation)
        assert decision.action in decision.policy
        assert all(observation.state.can(action) for action in decision.policy)


def test_several_in_threads_decide_as_alone():
    asked = observations(Random(3))[:5]

    def decided(seed):
        player = MCTS(SearchSettings(playouts=30))
        player.sit(0, asked[0].variant, seed)
        return [player.decide(observation).policy for observation in asked]

    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(decided, range(3))) == [decided(seed) for seed in range(3)]


def test_a_time_without_end_is_none_and_one_beyond_all_others_can_be_interrupted():
    def stop(*_):
        raise KeyboardInterrupt

    player, observation = MCTS(SearchSettings(playouts=40)), dealt().observe(1)
    player.sit(1, TWO, 1)
    alone = player.decide(observation)
    assert player.decide(observation, time_limit=float("inf")).policy == alone.policy
    assert player.decide(observation, budget=Budget(time=1e300, playouts=40)).policy == alone.policy
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            player.decide(observation, time_limit=1e300)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert player.decide(observation).policy == alone.policy


@pytest.mark.parametrize(("acts", "board"), [((), None), (("call", "check", "bet"), "Kc7d2s")])
def test_one_holding_after_another_is_decided_as_the_first_one(acts, board):
    """What a player computed for other cards of its own changes no later decision at the same place."""
    several = MCTS(SearchSettings(playouts=150))
    several.sit(1, TWO, 1)
    for hole in ("AhAd", "7h6c", "Qs9s"):
        observation = dealt(*acts, hole=hole, board=board).observe(1, NAMES[:2])
        alone = MCTS(SearchSettings(playouts=150))
        alone.sit(1, TWO, 1)
        assert several.decide(observation).policy == alone.decide(observation).policy


def test_the_nuts_are_bet_and_air_is_folded():
    river = "AsKsQs2h3d"
    acts = ("call", "check") + ("check", "check") * 2 + ("check",)
    player = MCTS(SearchSettings(playouts=2000))
    nuts = player.decide(dealt(*acts, hole="JsTs", board=river).observe(1))
    assert nuts.action.name == "bet"
    all_in = dealt(*acts[:-1], Action("bet", 9900), hole="7h6c", board=river)
    assert player.decide(all_in.observe(all_in.to_act)).policy[Action("fold")] > 0.99


@pytest.mark.slow
def test_calls_are_exploited():
    """Always-call loses far more than by equal play: a player that only checked would win nothing."""
    won = against("call", 80)
    assert won.mean() - 2.6 * won.std() / len(won) ** 0.5 > 0


def test_explanations_have_every_opponent_and_action():
    game = Variant.load("holdem.nolimit.3p.100bb")
    state = State(game)
    state.apply(state.named("raise"))
    state.deal({1 if state.to_act == 1 else state.to_act: "AhKd"})
    player = MCTS(SearchSettings(playouts=300))
    decision = player.decide(state.observe(state.to_act, ("ann", "bob", "cy")))
    reading, search = stage_of(decision.trace, ReadingStage), stage_of(decision.trace, SearchStage)
    assert {each.player for each in reading.opponents} == {"ann", "bob", "cy"} - {
        ("ann", "bob", "cy")[state.to_act]
    }
    assert sum(move.visits for move in search.moves) == search.iterations == 300
    assert len(search.moves) == len(decision.policy)
    assert sum(search.reply.values()) == pytest.approx(1)
    assert read_trace(trace_record(decision.trace)) == decision.trace
    assert "standard" in decision.explain()


def test_deadlines():
    player = MCTS()
    player.sit(1, TWO, 1)
    none = player.decide(dealt().observe(1), budget=Budget(time=0.0))
    assert none.action.name == "fold"
    assert not none.exact
    some = player.decide(dealt().observe(1), budget=Budget(time=0.5, playouts=100))
    assert stage_of(some.trace, SearchStage).iterations == 100


@pytest.mark.parametrize(
    "spec",
    [
        "mcts(playouts=0)",
        "mcts(explore=0.0)",
        "mcts(backup='mean')",
        "mcts(window=0)",
        "mcts(model='no/file')",
        "mcts(sizes=())",
        "mcts(sizes=(1.0, 0.5))",
        "mcts(sizes=(0.0, 0.5))",
        "mcts(sizes=(0.5, 1e999))",
        f"mcts(sizes={tuple(range(1, 10))})",
    ],
)
def test_settings_are_verified(spec):
    with pytest.raises(ModelError):
        load(spec)


def test_ten_seats_are_refused():
    with pytest.raises(TableError, match="2 to 9 seats"):
        MCTS().sit(0, Variant.load("holdem.nolimit.10p.game".removesuffix(".game")), 1)


@pytest.mark.slow
def test_won_from_a_member_of_the_population():
    won = np.concatenate([against(f"sizer(number={number})", 300, "mcts") for number in (301, 302)])
    assert won.mean() - 2.6 * won.std() / len(won) ** 0.5 > 0


def test_the_policy_without_time_is_that_of_the_own_roll_outs():
    """Of a clock that is always late, the bucket's policy of all players, by the sizes of the search."""
    player = MCTS()
    player.sit(1, TWO, 1)
    observation = dealt(hole="AhAd").observe(1)
    stages = {}
    for limit in (0.0, 10.0):
        recorder = Recorder(Budget(time=limit).start())
        stages[limit] = player._by_policy(observation, recorder).policy
    assert stages[0.0] == stages[10.0]
    _, chances = player.players.policies.moves(observation.state, [], (), SIZES, OUTS.count)
    assert list(stages[0.0].values()) == chances[-1, OUTS.count - 1].tolist()
    assert {action.name for action in stages[0.0]} == {"fold", "call", "raise"}
    assert stages[0.0][Action("fold")] < 0.02


def shipped(**settings):
    """A player of the shipped models, seated."""
    given = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    player = load(f"mcts(playouts=50, {given})")
    player.sit(1, TWO, 3)
    return player


def facing_a_bet(board="Kc7d2s"):
    state = dealt("raise", "call", hole="AhAd", board=board)
    raiser = state.to_act
    state.apply(Action("bet", 100))
    state.deal({raiser: "", state.to_act: "AhAd"})
    return state.observe(state.to_act, NAMES[:2])


def test_the_published_form_sets_every_switch_and_each_can_be_set_back():
    player = load("mcts(published=True)")
    assert player.models == ModelSettings("learned", True, False, 400, 0.0, False, False)
    assert not player.settings.all_in
    assert (len(player.players.shares), player.players.buckets) == (10, SQUARES)
    back = load("mcts(published=True, blind=True, own=0.5, all_in=True)")
    assert (back.models.blind, back.models.own, back.settings.all_in) == (True, 0.5, True)
    assert load("mcts").models == ModelSettings()


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 6, 9])
def test_the_published_form_is_legal_with_two_to_nine_seats(seats):
    game, spec = Variant.load(f"holdem.nolimit.{seats}p.100bb"), "mcts(published=True, playouts=20)"
    table = Table(game, NAMES[:seats], (spec, *("random",) * (seats - 1)), seats)
    assert play_session(table, 0, 20).tallies[0].hands == 20


def test_without_blind_clusters_only_those_of_the_model_are_left():
    for blind, count in ((True, 3), (False, 0)):
        players = shipped(blind=blind).players
        assert len(players.priors) == len(players.shares) + count
        assert players.priors.sum() == pytest.approx(1)
        assert players.policies.clusters == len(players.priors) + 1
        assert players.cluster_name(len(players.priors)) == "as it has acted so far"


def test_the_whole_stack_is_a_bet_of_its_own_or_only_one_of_a_size():
    """With 100 big blinds two pots are far less; with five big blinds they are more than the stack."""
    for all_in in (True, False):
        for stack, has_all_in in ((10_000, all_in), (500, True)):
            state = State(TWO, (stack, stack))
            state.deal({state.to_act: "AhAd"})
            decision = shipped(all_in=all_in).decide(state.observe(state.to_act, NAMES[:2]))
            amounts = [each.amount for each in decision.policy if each.name == "raise"]
            assert (max(amounts) == stack) is has_all_in
            assert len(amounts) > 1


def test_raises_are_of_the_given_sizes():
    """The small blind raises over a call: from 100 chips, by shares of a pot of 200, the least 100 more."""
    state = State(TWO)
    state.deal({state.to_act: "AhAd"})
    decision = shipped(sizes=(0.75, 2.5)).decide(state.observe(state.to_act, NAMES[:2]))
    amounts = {each.amount for each in decision.policy if each.name == "raise"}
    assert amounts == {200, 250, 600, 10_000}


def test_clusters_are_those_after_the_last_hand_where_the_hand_does_not_count():
    """The clusters keep the membership, and each its belief about the holdings."""
    observation = facing_a_bet()
    inside, after = (shipped(in_hand=each, earned=False) for each in (True, False))
    seat = 1 - observation.seat
    one, other = (player._joint(observation)[seat] for player in (inside, after))
    member = after._reader.membership("a" if seat == 0 else "b")
    assert other.sum(axis=1) == pytest.approx(member)
    assert np.abs(one.sum(axis=1) - member).max() > 0.01
    for cluster in np.flatnonzero(member > 1e-9):
        assert other[cluster] / other[cluster].sum() == pytest.approx(one[cluster] / one[cluster].sum())


def test_actions_are_relied_on_whole_where_nothing_has_to_be_earned():
    observation, seat = facing_a_bet(), 0
    for earned in (True, False):
        reader = shipped(earned=earned)._reader
        (move, *_) = reader.moves(observation)[1 - observation.seat]
        relied = reader.relied(NAMES[seat], move)
        assert bool(np.abs(relied - move.chances).max() < 1e-12) is not earned


def test_corrected_models_fold_aces_more_seldom_and_weak_holdings_more_often():
    plain, corrected = (shipped(corrected=each).players for each in (False, True))
    for situation in (1, 3, 5, 7):
        tree, other = plain.trees[0][situation], corrected.trees[0][situation]
        inputs = np.zeros((plain.buckets.count, 42))
        inputs[:, -1] = np.arange(plain.buckets.count)
        folds, fewer = tree(inputs)[:, 0], other(inputs)[:, 0]
        assert fewer[-1] < 0.03
        assert fewer[0] >= min(folds[0], 0.5)
        assert other(inputs).sum(axis=1) == pytest.approx(1)
