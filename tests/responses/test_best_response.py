"""Best responses in the real game against values computed in other ways."""

import json
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from baycarp.agents.base import ClassPolicies
from baycarp.agents.cases.classes import checked_policies
from baycarp.agents.registry import load
from baycarp.arena.journal import Journal
from baycarp.arena.workers import Workers
from baycarp.card import CLASS_OF, HOLDINGS, as_cards, blocked_by
from baycarp.cli import main
from baycarp.errors import ArgumentError, JournalError, TableError
from baycarp.game import State, Variant
from baycarp.kernels.hands import rank
from baycarp.kernels.response import ANSWERS, LANES, Street, add_values, zeros
from baycarp.kernels.sweeps import sweep
from baycarp.responses import flops_run
from baycarp.responses.betting import Seat, StreetPolicies
from baycarp.responses.bounds import drawn, estimates, exact, sampled
from baycarp.responses.flop import BoardHoldings, Dealer, flop_values
from baycarp.responses.flops_run import DEALS, FlopsPlan
from baycarp.responses.preflop import LEFT, PAIRS, PreflopBetting, by_class
from baycarp.responses.suits import FLOPS, IMAGES, fixing, flops, next_cards, verify_suits
from baycarp.solvers.buckets.boards import RENAMED

GAME = Variant.load("holdem.limit.2p.reverse_blinds")
ONE_BET = replace(GAME, name="one bet", max_raises=(1, 1, 1, 1))
TOY = tuple(range(40, 52))
"""Queens, kings, aces: all four suits of three ranks."""


class Mixer(ClassPolicies):
    """Policies that differ by class of holding and by betting sequence, without any sense."""

    def hand_classes(self, state):
        """By pairs, suitedness with the board and ranks; independent of the names of suits."""
        high, low = HOLDINGS.T.astype(int)
        ranks = high // 4 * 13 + low // 4
        board = np.array(state.board, int)
        matching = sum((card % 4 == suit).astype(int) for card in board for suit in (high % 4, low % 4))
        return ((ranks * 7 + matching * 3 + (high % 4 == low % 4)) % 11).astype(np.uint16)

    def class_policies(self, state):
        draw = np.random.default_rng(list(state.betting.encode()))
        weights = draw.random((11, 3)) * (draw.random((11, 3)) < 0.7) + [0, 0.01, 0]
        names = {action.name for action in state.legal_actions()}
        weights[:, 0] *= "fold" in names
        weights[:, 2] *= bool(names & {"bet", "raise"})
        return weights / weights.sum(axis=1, keepdims=True)


class Folder(ClassPolicies):
    """Folds to any price, else checks."""

    def hand_classes(self, state):
        return np.zeros(1326, np.uint16)

    def class_policies(self, state):
        return np.array([[1.0, 0, 0] if state.owed else [0, 1.0, 0]])


def values_on(player, variant, flop, deck=tuple(range(52))):
    """The values of both positions on a flop, and the openings."""
    openings = [PreflopBetting(player, variant, position) for position in (0, 1)]
    reached = [opening.reached() for opening in openings]
    seats = [Seat.of(player, position, reached[position][0]) for position in (0, 1)]
    dealer = Dealer(player, variant, deck)
    return openings, reached, flop_values(dealer, seats, flop, [reach for _, reach in reached])


def reference(state, position, hole, reach, player, deck):
    """The value of one holding by enumeration: of cards, of opposing holdings, of the rules' payoffs."""
    if state.is_over:
        return sum(
            probability * settled(state, position, hole, other) for other, probability in reach.items()
        )
    if len(state.board) < (0, 3, 4, 5)[state.street]:
        total = 0.0
        for card in deck:
            if card in hole or card in state.board:
                continue
            after = state.copy()
            after.deal(board=[*state.board, card])
            alive = {other: p for other, p in reach.items() if card not in HOLDINGS[other]}
            total += reference(after, position, hole, alive, player, deck)
        return total / (len(deck) - len(state.board) - 4)
    mine, values = state.to_act == position, []
    policies = None if mine else player.policies(state)
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        column = {"fold": 0, "check": 1, "call": 1}.get(action.name, 2)
        alive = (
            reach if mine else {o: p * policies[o, column] for o, p in reach.items() if policies[o, column]}
        )
        values.append(reference(after, position, hole, alive, player, deck) if alive else 0.0)
    return max(values) if mine else sum(values)


def settled(state, position, hole, other):
    if state.acts[-1].action.name == "fold":
        return state.payoffs()[position]
    mine, theirs = (rank([*state.board, *map(int, cards)]) for cards in (hole, HOLDINGS[other]))
    return (int(mine > theirs) - int(mine < theirs)) * state.pot / 2


@pytest.mark.slow
@pytest.mark.parametrize("position", [0, 1])
def test_a_small_deck_equals_enumeration(position):
    flop = as_cards("QcKdKh").tolist()
    player = Mixer()
    _, reached, values = values_on(player, ONE_BET, flop, TOY)
    states, reach = reached[position]
    free = [i for i in range(1326) if set(HOLDINGS[i].tolist()) <= set(TOY) - set(flop)]
    draw = np.random.default_rng(5)
    assert len(free) == 36
    for lane, state in enumerate(states):
        for own in draw.choice(free, 2 if lane else 4, replace=False).tolist():
            hole = HOLDINGS[own].tolist()
            start = state.copy()
            start.deal(board=flop)
            others = {o: reach[lane, o] for o in free if not set(HOLDINGS[o].tolist()) & set(hole)}
            expected = reference(start, position, hole, others, player, TOY)
            assert values[position, lane, own] == pytest.approx(expected, rel=1e-10)


@pytest.mark.slow
def test_always_fold_loses_750_mbb_on_any_flops():
    """Its opponent wins 500 as the big blind and 1,000 as the small blind."""
    openings = [PreflopBetting(Folder(), GAME, position) for position in (0, 1)]
    states = [len(opening.reached()[0]) for opening in openings]
    rows = {}
    for name in ("2c2d2h", "9c9d9h", "2c8cAc", "TcQcKc"):
        flop = tuple(as_cards(name).tolist())
        _, _, values = values_on(Folder(), GAME, flop)
        rows[flop] = DEALS * by_class(values)[:, : max(states)]
    lower, upper = sampled(openings, rows, list(rows))
    for bound in (lower, upper):
        assert bound.mean == pytest.approx(750, abs=1e-9)
        assert (bound.button, bound.big_blind) == pytest.approx((1000, 500), abs=1e-9)


@cache
def river_strengths(flop):
    """The strength of all holdings on every board of five cards, by the pair of cards to come."""
    rest = [card for card in range(52) if card not in flop]
    return {frozenset(pair): sweep([*flop, *pair]) for pair in combinations(rest, 2)}


def stopping_value(flop, own, matched, bets):
    """What a holding wins on a flop against a player whose range stays uniform: each street costs 0 bets and
    the pot, or one of ``bets`` (a street's numbers of bets that the responder can choose)."""
    hole = set(HOLDINGS[own].tolist())
    rest = [card for card in range(52) if card not in flop and card not in hole]
    strengths = river_strengths(flop)

    def best(chips, size, after):
        return max(-chips, *(after(chips + size * number) for number in bets))

    def on_turn(turn):
        shares = [2 * strengths[frozenset((turn, river))][own] - 1 for river in rest if river != turn]
        return lambda chips: best(
            chips,
            20,
            lambda paid: sum(best(paid, 20, share.__mul__) for share in shares) / len(shares),
        )

    turns = [on_turn(turn) for turn in rest]
    return best(matched, 10, lambda paid: sum(turn(paid) for turn in turns) / len(turns))


@pytest.mark.parametrize(("name", "bets"), [("call", (0, 1)), ("raise", (1, 2, 3, 4))])
@pytest.mark.slow
def test_players_that_ignore_their_cards_are_a_stopping_problem(name, bets):
    """Against always-call a street costs no bet or one; against always-raise one to four, or the pot."""
    flop = tuple(as_cards("2h9hKh").tolist())
    _, reached, values = values_on(load(name), GAME, flop)
    others = 47 * 46 / 2
    blocked = blocked_by(flop)
    holdings = [i for i in np.random.default_rng(3).permutation(1326).tolist() if not blocked[i]][:3]
    for position in (0, 1):
        states, reach = reached[position]
        for lane, state in enumerate(states):
            for own in holdings[: 3 if lane == len(states) - 1 else 1]:
                won = values[position, lane, own] / others
                if not reach[lane].any():
                    assert won == 0
                    continue
                assert won == pytest.approx(stopping_value(flop, own, state.pot / 2, bets), rel=1e-9)


def states_of(variant, seed, number):
    """Decisions in random hands, their boards known."""
    draw = np.random.default_rng(seed)
    found = []
    while len(found) < number:
        deck = draw.permutation(52)[:9].tolist()
        state = State(variant, deck=deck)
        while not state.is_over and len(found) < number:
            found.append(state.copy())
            state.apply(state.legal_actions()[draw.integers(len(state.legal_actions()))])
    return found


@pytest.mark.parametrize("name", ["random", "call", "raise", "frequency", "rule", "jag", "maniac", "folder"])
def test_the_tables_of_a_player_are_its_decisions(name):
    player = load(name)
    columns = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}
    draw = np.random.default_rng(8)
    for state in states_of(GAME, 7, 60):
        public = state.observe(None).state
        table = checked_policies(player.policies(public), public)
        for own in draw.permutation(1326)[:12].tolist():
            hole = HOLDINGS[own].tolist()
            if set(hole) & set(public.board):
                continue
            view = public.copy()
            view.deal({view.to_act: hole})
            row = np.zeros(3)
            for action, probability in player.decide(view.observe(view.to_act)).policy.items():
                row[columns[action.name]] += probability
            assert np.array_equal(row, table[own]), (view, hole)


def test_the_flops_that_differ_by_more_than_suits():
    classes = flops()
    assert len(classes) == 1755
    assert sum(classes.values()) == 22_100
    assert set(classes.values()) == {4, 12, 24}


def test_boards_and_their_images_are_all_boards():
    for flop in drawn(5, seed=4):
        rest = [card for card in range(52) if card not in flop]
        boards = set()
        for turn in next_cards(rest, fixing(flop)):
            left = [card for card in rest if card != turn.card]
            rivers = next_cards(left, fixing(flop, [turn.card]))
            for each in turn.permutations:
                assert sorted(RENAMED[each, list(flop)].tolist()) == sorted(flop)
            seen = [int(RENAMED[each, river.card]) for river in rivers for each in river.permutations]
            assert sorted(seen) == left
            boards |= {int(RENAMED[each, turn.card]) for each in turn.permutations}
        assert boards == set(rest)
    assert all(np.array_equal(np.sort(row), np.arange(1326)) for row in IMAGES)


def test_merging_suits_changes_nothing():
    """Every turn and river of a flop by itself."""
    flop = as_cards("QcKdKh").tolist()
    player = Mixer()
    _, _, merged = values_on(player, ONE_BET, flop, TOY)
    relabelled = RENAMED[13, flop].tolist()
    _, _, other = values_on(player, ONE_BET, relabelled, TOY)
    assert np.allclose(merged, other[:, :, IMAGES[13]], rtol=1e-12)


def test_classes_that_depend_on_suits_are_refused():
    def classes(board):
        return (HOLDINGS[:, 0] % 4 == 2).astype(np.uint16)

    with pytest.raises(TableError, match="names of suits"):
        verify_suits(classes, (0, 5, 10))
    verify_suits(lambda board: np.zeros(1326, np.uint16), (0, 5, 10))


def test_holdings_that_do_not_fit_are_refused():
    betting = StreetPolicies(zeros(1, ANSWERS, 1, 3), np.zeros((1, LANES)), 2.0, 4)
    for n, holdings in ((4, 3), (1327, 2000)):
        rows = np.zeros(n, np.uint16)
        board = BoardHoldings(rows, np.array([[0, 1]] * n, np.uint8), rows, None, rows[None], holdings)
        with pytest.raises(ArgumentError, match="holding: expected at most"):
            Street(board, betting, True)
    with pytest.raises(ArgumentError, match="streets: expected at least one"):
        add_values([], zeros(1, 4), None, zeros(1, 4))


def test_policies_that_are_none_are_refused():
    state = State(GAME)
    state.apply(state.named("call"))
    for row in ([0.5, 0.25, 0.25], [0, 0.5, 0.4], [0, 1.5, -0.5]):
        with pytest.raises(TableError, match="policy after 'c'"):
            checked_policies(np.array([row]), state)
    assert checked_policies(np.array([[0, 0.5, 0.5]]), state) is not None


def test_the_lower_estimate_values_what_another_half_has_chosen():
    """On flops that err in opposite directions, the mean over all is right and that of a half wrong."""
    opening, draw = PreflopBetting(Mixer(), GAME, 0), np.random.default_rng(2)
    mean, error = draw.normal(size=(2, 7, 169)) / 20
    truth = opening.values(mean, mean[None])[0]
    lower, upper = estimates(opening, np.array([mean + error, mean - error] * 3))
    assert upper.mean() == pytest.approx(truth)
    assert lower.mean() < truth - 0.1
    assert np.allclose(estimates(opening, np.array([mean] * 4)), truth)


def test_the_value_over_all_flops_is_exact():
    """Against always-fold, with the values of flops constant; then one of 4 of the 22,100 flops differs.

    The big blind's best sequences meet four flops: two after a call of the button, two after a raise.
    """
    openings = [PreflopBetting(Folder(), GAME, position) for position in (0, 1)]
    each = np.array([10 * opening.pairs() * FLOPS / LEFT / PAIRS for opening in openings])
    classes = flops()
    lone = next(flop for flop, count in classes.items() if count == 4)
    bound = exact(openings, dict.fromkeys(classes, each))
    assert (bound.mean, bound.margin) == pytest.approx((750, 0))
    better = exact(openings, dict.fromkeys(classes, each) | {lone: each + 1})
    assert better.big_blind - 500 == pytest.approx(4 * 100 * 169 * 4 / 22_100)


def test_a_sample_of_fewer_than_four_flops_is_refused():
    with pytest.raises(TableError, match="3 flops: expected at least 4"):
        drawn(3, seed=1)


def test_the_pairs_that_a_flop_leaves():
    """By enumeration of both holdings; and 48 cards make 17,296 of the 22,100 flops of 52."""
    opening, flop = PreflopBetting(Mixer(), GAME, 1), as_cards("Ks8d8c").tolist()
    _, reach = opening.reached()
    cards = [set(holding) for holding in HOLDINGS.tolist()]
    found, mean = opening.pairs(flop), opening.pairs()
    for cell in (0, 5, 20, 100):
        expected = np.zeros(len(reach))
        for own, other in product(np.flatnonzero(cell == CLASS_OF), range(1326)):
            if len(cards[own] | cards[other] | set(flop)) == 7:
                expected += reach[:, other]
        assert np.allclose(expected, found[:, cell])
    assert mean.sum() == pytest.approx(LEFT / FLOPS * 1225 * reach.sum())


TRIPS = [tuple(as_cards(name).tolist()) for name in ("2c2d2h", "AcAdAh")]


@pytest.fixture(scope="module")
def valued_once():
    """In this process a flop is valued once; worker processes value it themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flops_run, "value_flop", cache(flops_run.value_flop))
        yield


@pytest.mark.usefixtures("valued_once")
@pytest.mark.slow
def test_the_journal_is_the_same_for_any_number_of_workers(tmp_path, monkeypatch):
    """And a run that was cut short goes on to the same bytes."""
    plan, journals = FlopsPlan("call", GAME.name, 4, 1), []
    for name, workers, parts in (("two", 2, (2,)), ("one", 1, (2,)), ("cut", 1, (1, 2))):
        path = tmp_path / name / "flops.journal"
        for flops_done in parts:
            monkeypatch.setattr(FlopsPlan, "_flops", lambda plan, n=flops_done: TRIPS[:n])
            with Journal(path, plan.header) as journal:
                found = plan.values(journal, Workers(workers), lambda done: None)
        journals.append((path.read_bytes(), [found[flop].tobytes() for flop in TRIPS]))
    assert journals[0] == journals[1] == journals[2]


def test_the_journal_of_another_agent_and_damaged_values_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "flops.journal"
    monkeypatch.setattr(FlopsPlan, "_flops", lambda plan: TRIPS[:1])
    plan = FlopsPlan("call", GAME.name, 4, 1)
    with Journal(path, plan.header) as journal:
        journal.append(("2c2d2h",), {"values": "AAAA"})
        with pytest.raises(JournalError, match="expected values of both positions"):
            plan.values(journal, Workers(1), lambda done: None)
    with pytest.raises(JournalError, match="agent"):
        Journal(path, FlopsPlan("raise", GAME.name, 4, 1).header)


@pytest.mark.usefixtures("valued_once")
def test_the_command_prints_both_estimates(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("baycarp.responses.flops_run.drawn", lambda number, seed: 2 * TRIPS)
    call = ["exploit", "call", "--flops", "4", "--workers", "1", "--out", str(tmp_path)]
    assert main([*call, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["agent"], record["flops"]) == ("call", 4)
    lower, upper = record["bounds"]
    assert [each["name"].split()[0] for each in (lower, upper)] == ["lower", "upper"]
    assert lower["mbb/h"] <= upper["mbb/h"]
    assert main(call) == 0
    assert "upper estimate" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["formula"], "expected one such as call, rule or equilibrium"),
        (["call", "--game", "holdem.limit.3p"], "expected heads-up fixed limit"),
    ],
)
def test_what_has_no_exact_best_response_is_refused(words, text, tmp_path, capsys):
    assert main(["exploit", *words, "--out", str(tmp_path)]) == 1
    assert text in capsys.readouterr().err
