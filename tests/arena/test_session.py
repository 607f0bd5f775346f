"""Sessions: they depend on the seed, and on nothing else."""

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from baycarp.agents.registry import load
from baycarp.arena.report import report
from baycarp.arena.session import Played, Table, play_session, split
from baycarp.budget import Budget
from baycarp.errors import TableError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

BOT = Path(__file__).parents[1] / "bots" / "bot.py"
TABLE = Table(Variant.ring(4), ("Ann", "Bob", "Cleo", "Dan"), ("rule", "jag", "random", "call"), seed=5)


def same(one, other):
    return np.array_equal(one.net, other.net) and one.tallies == other.tallies and one.log == other.log


@pytest.fixture(scope="module")
def played():
    return play_session(TABLE, 3, 24)


def test_a_deck_belongs_to_seed_session_and_hand():
    decks = {
        tuple(deal(seed, session, hand, 21)) for seed in range(4) for session in range(4) for hand in range(4)
    }
    assert len(decks) == 64
    assert list(deal(1, 2, 3, 52))[:21] == list(deal(1, 2, 3, 21))
    assert sorted(deal(1, 2, 3, 52)) == list(range(52))


def test_decks_are_fair():
    first = np.bincount([deal(0, 0, hand, 1)[0] for hand in range(5200)], minlength=52)
    assert ((first - 100) ** 2 / 100).sum() < 90  # chi square, 51 degrees of freedom: 1 in 1600


def test_a_session_follows_from_its_seeds(played):
    assert same(played, play_session(TABLE, 3, 24))
    other = Table(TABLE.variant, TABLE.players, TABLE.specs, seed=6)
    assert not same(played, play_session(other, 3, 24))
    assert not np.array_equal(played.net, play_session(TABLE, 4, 24).net)


def test_chips_are_conserved(played):
    assert played.net.shape == (24, 4)
    assert not played.net.sum(axis=1).any()
    assert [tally.net for tally in played.tallies] == played.net.sum(axis=0).tolist()
    assert {tally.hands for tally in played.tallies} == {24}


def test_the_log_is_the_session_and_the_button_rotates(played):
    for hand, line in enumerate(played.log):
        parsed = parse_state(line, TABLE.variant)
        order = [(hand + 1 + position) % 4 for position in range(4)]
        assert parsed.players == tuple(TABLE.players[seat] for seat in order)
        assert parsed.players[-1] == TABLE.players[hand % 4]  # the button
        assert parsed.id == 3 * 24 + hand
        state = replay(parsed)
        assert [played.net[hand, seat] for seat in order] == list(state.payoffs())
        cards = [card for hole in parsed.holes for card in hole]
        assert cards == list(deal(5, 3, hand, 13))[:8]


def test_the_button_rotates_heads_up():
    table = Table(Variant.ring(2), ("Ann", "Bob"), ("call", "call"))
    log = play_session(table, 0, 2).log
    assert [parse_state(line, table.variant).players for line in log] == [("Bob", "Ann"), ("Ann", "Bob")]


def test_agents_sit_down_afresh_with_seeds_of_their_own(monkeypatch):
    seats = []

    def watched(spec):
        agent = load(spec)
        sit = agent.sit
        agent.sit = lambda seat, variant, seed: (seats.append((seat, seed)), sit(seat, variant, seed))
        return agent

    monkeypatch.setattr("baycarp.arena.session.load", watched)
    for number in (0, 1):
        play_session(TABLE, number, 1)
    assert [seat for seat, _ in seats] == [0, 1, 2, 3] * 2
    assert len({seed for _, seed in seats}) == 8


def test_the_budget_reaches_the_agents(monkeypatch):
    table = Table(Variant.ring(2), ("a", "b"), ("call", "call"), budget=Budget(playouts=7))
    received = []

    def listening(spec):
        agent = load(spec)
        decide = agent.decide
        agent.decide = lambda observation, budget: (received.append(budget), decide(observation))[1]
        return agent

    monkeypatch.setattr("baycarp.arena.session.load", listening)
    play_session(table, 0, 1)
    assert set(received) == {Budget(playouts=7)}


def test_queries_of_a_case_base_are_counted(small_model):
    spec = f"baycarp2(model={str(small_model)!r})"
    table = Table(Variant.ring(3), ("a", "b", "hero"), ("call", "rule", spec))
    done = play_session(table, 0, 12)
    acts = [
        act.street
        for line in done.log
        for parsed in [parse_state(line, table.variant)]
        for act in replay(parsed).acts
        if parsed.players[act.seat] == "hero"
    ]
    hero = done.tallies[2]
    assert hero.asked == {street: acts.count(street) for street in set(acts)}
    assert all(hero.fell_back[street] <= hero.asked[street] for street in range(4))
    assert not done.tallies[0].asked


@pytest.mark.parametrize(
    ("players", "specs", "match"),
    [
        (("a", "b", "c"), ("call",) * 3, "seats 4: got 3 names, 3 agents"),
        (("a", "b", "c", "d"), ("call",) * 3, "seats 4: got 4 names, 3 agents"),
        (("a", "b", "c", "a"), ("call",) * 4, "different names"),
    ],
)
def test_tables_that_cannot_be_set(players, specs, match):
    with pytest.raises(TableError, match=match):
        Table(Variant.ring(4), players, specs)


def test_an_agent_is_seated_only_at_games_that_it_plays(small_model):
    spec = f"baycarp2(model={str(small_model)!r})"
    table = Table(Variant.load("holdem.nolimit.2p.reverse_blinds"), ("a", "b"), ("call", spec))
    with pytest.raises(TableError, match=r"no-limit, 2 seats.*expected limit, 2 to 10 seats"):
        play_session(table, 0, 1)


def test_estimators_and_carried_stacks_are_verified():
    with pytest.raises(TableError, match="estimator 'luck'"):
        Table(Variant.ring(2), ("a", "b"), ("call", "call"), estimators=("luck",))
    with pytest.raises(TableError, match="names no stacks"):
        Table(Variant.ring(2), ("a", "b"), ("call", "call"), stacks="carried")


def test_carried_stacks_are_those_after_the_last_hand(monkeypatch):
    """Computed from the nets alone: a player that cannot pay the big blind buys in again with 20 chips."""
    game = Variant.ring(3, betting="no-limit", stacks=(20, 20, 20))
    table = Table(game, ("a", "b", "c"), ("raise", "call", "random"), seed=2, stacks="carried")
    began = []

    def watched(spec):
        agent = load(spec)
        decide = agent.decide

        def noted(observation, time_limit=None, budget=None):
            if not observation.acts:
                began.append(
                    tuple(map(sum, zip(observation.state.stacks, observation.state.committed, strict=True)))
                )
            return decide(observation, budget=budget)

        agent.decide = noted
        return agent

    monkeypatch.setattr("baycarp.arena.session.load", watched)
    played = play_session(table, 0, 60)
    held = [20, 20, 20]
    for hand in range(60):
        order = [(hand + 1 + position) % 3 for position in range(3)]
        assert began[hand] == tuple(held[seat] for seat in order)
        held = [
            have + won if have + won >= 2 else 20 for have, won in zip(held, played.net[hand], strict=True)
        ]
    assert not played.net.sum(axis=1).any()
    assert len(set(began)) > 10
    assert set(play_session(replace(table, stacks="reset"), 0, 3).net.ravel().tolist()) <= set(range(-20, 41))


def test_faults_of_an_external_program_are_counted():
    dies = f"program(command={shlex.join([sys.executable, '-S', str(BOT), 'dies'])!r}, start=30)"
    table = Table(Variant.ring(2), ("bad", "good"), (dies, "call"))
    played = play_session(table, 0, 3)
    assert played.tallies[0].faults == {"died": 3}
    assert not played.tallies[1].faults


def test_a_session_survives_its_record(played):
    again = Played.from_dict(json.loads(json.dumps(played.to_dict())))
    assert same(again, played)
    assert again.net.dtype == np.int64


@pytest.mark.parametrize(
    "change", [{"net": [[True, False]]}, {"log": {}}, {"estimates": {"x": [["1", "-1"]]}}]
)
def test_a_record_of_other_types_is_refused(played, change):
    with pytest.raises(TableError, match="not the record"):
        Played.from_dict(json.loads(json.dumps(played.to_dict())) | change)


def test_columns_follow_the_players():
    """In the seating (2, 0, 1) player 2 sits at seat 0, player 0 at seat 1, player 1 at seat 2."""
    net = np.array([[5, -3, -2]])
    played = Played(net, ("at 0", "at 1", "at 2"), {"x": net / 2})
    changed = played.by_player((2, 0, 1))
    assert changed.net.tolist() == [[-3, -2, 5]]
    assert changed.tallies == ("at 1", "at 2", "at 0")
    assert changed.estimates["x"].tolist() == [[-1.5, -1, 2.5]]


@pytest.mark.parametrize("hands", [1, 40, 499, 500, 501, 1000, 1200, 10_000])
def test_hands_are_split_evenly_into_few_sessions(hands):
    count, each = split(hands)
    assert each <= 500
    assert hands <= count * each < hands + count
    assert count == 1 or (count - 1) * 500 < hands


def test_report_adds_sessions_in_order():
    sessions = [play_session(TABLE, number, 8) for number in range(3)]
    total = report(TABLE, sessions)
    assert np.array_equal(total.net, np.concatenate([done.net for done in sessions]))
    assert total.small_bet == 2
    rows = total.rows()
    assert [row["player"] for row in rows] == ["Ann", "Bob", "Cleo", "Dan"]
    for seat, row in enumerate(rows):
        chips = total.net[:, seat]
        assert (row["hands"], row["net"]) == (24, chips.sum())
        assert row["rate"] == pytest.approx(chips.mean() / 2)
        assert row["margin"] == pytest.approx(2.068658 * chips.std(ddof=1) / 2 / 24**0.5)
        won = sum(done.tallies[seat].won for done in sessions)
        assert row["won"] == pytest.approx(100 * won / 24)
    curve = total.curve("Bob")
    for hand in range(24):
        assert curve[hand] == pytest.approx(total.net[: hand + 1, 1].sum() / 2 / (hand + 1))


def test_report_of_nothing():
    empty = report(TABLE, [])
    assert empty.net.shape == (0, 4)
    assert [row["hands"] for row in empty.rows()] == [0] * 4


def test_voluntary_money_is_counted_over_a_session(played):
    for seat, tally in enumerate(played.tallies):
        hands = 0
        for line in played.log:
            parsed = parse_state(line, TABLE.variant)
            position = parsed.players.index(TABLE.players[seat])
            acts = [act for act in replay(parsed).acts if act.seat == position and act.street == 0]
            hands += any(act.paid for act in acts)
        assert tally.played == hands
