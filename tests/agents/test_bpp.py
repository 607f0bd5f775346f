"""The Bayesian Poker Player: its types, network, curves, tables and twin beside slow counts and pgmpy."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from pgmpy.inference import VariableElimination

import baycarp
from baycarp.agents.bpp import Bpp, BppStage, curves, enumerated, inferred, winnings
from baycarp.agents.trace import stage_of
from baycarp.arena.hand import play_hand
from baycarp.bn.pgmpy import to_pgmpy
from baycarp.card import HOLDINGS, cards, holding_index
from baycarp.errors import TableError
from baycarp.game import STREETS, Action, HandOver, State, Variant
from baycarp.kernels.hands import rank
from baycarp.opponents.bpp.acts import ACTS, LEGAL, POTS, SHAPE, ActTable, AnsweringAct, responses
from baycarp.opponents.bpp.hands import (
    BOARDS,
    SEGMENT_OF,
    SEGMENTS,
    TYPES,
    board_state,
    draws,
    hand_types,
    type_of,
)
from baycarp.opponents.bpp.network import network, typical
from baycarp.rules.betting.context import facing
from baycarp.rules.hand import BLOCKED
from experiments.recipes.bpp import GAME, count_acts, count_cards

RANKS = "23456789TJQKA"


def named(hand):
    """The type of some cards, from the rules of poker alone."""
    values = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    counts = Counter(values).most_common()
    suit = max("cdhs", key=lambda each: sum(card[1] == each for card in hand))
    of_suit = {RANKS.index(card[0]) for card in hand if card[1] == suit}

    def straight(held):
        low = held | ({-1} if 12 in held else set())
        return any({top - step for step in range(5)} <= low for top in range(3, 13))

    pairs = [value for value, count in counts if count >= 2]
    if straight(of_suit):
        return "straight flush"
    if counts[0][1] == 4:
        return "four of a kind"
    if counts[0][1] == 3 and len(pairs) > 1:
        return "full house"
    if len(of_suit) >= 5:
        return "flush"
    if straight(set(values)):
        return "straight"
    if counts[0][1] == 3:
        return "three of a kind"
    if pairs:
        return "two pair" if len(pairs) > 1 else f"pair of {RANKS[pairs[0]]}"
    high = RANKS[values[0]]
    return "busted " + {
        "A": "ace",
        "K": "king",
        "Q": "queen",
        "J": "medium",
        "T": "medium",
        "9": "medium",
    }.get(high, "low")


def text_of(ids):
    return [RANKS[card // 4] + "cdhs"[card % 4] for card in ids]


def test_types_are_those_of_the_rules_and_order_hands_of_seven_cards():
    rng = np.random.default_rng(1)
    for _ in range(40):
        deck = rng.permutation(52).tolist()
        board = tuple(deck[:5])
        for shown in (board[:0], board[:3], board[:4], board):
            kinds, drawing = hand_types(shown), draws(shown)
            assert board_state(shown) == (BOARDS.index(named(text_of(shown))) if shown else 0)
            for hole in (deck[5:7], deck[7:9], [deck[0], deck[9]]):
                held = [*hole, *shown]
                kind = kinds[holding_index(*hole)]
                if set(hole) & set(shown):
                    assert kind == BLOCKED
                    continue
                assert TYPES[kind] == TYPES[type_of(held)] == named(text_of(held))
                most = max(Counter(card % 4 for card in held).values())
                assert drawing[holding_index(*hole)] == (most == 4 and len(shown) in (3, 4))
        types, ranks = (
            hand_types(board),
            [rank([*hole, *board]) if not set(hole) & set(board) else 0 for hole in HOLDINGS[:200].tolist()],
        )
        for one, other in combinations(range(200), 2):
            if ranks[one] and ranks[other] and types[one] > types[other]:
                assert ranks[one] > ranks[other]


def test_segments_join_types_alike_and_leave_out_what_lies_on_the_board():
    def segment(board, hole):
        shown = tuple(cards(board).tolist()) if board else ()
        holding = holding_index(*cards(hole).tolist())
        return SEGMENTS[
            SEGMENT_OF[board_state(shown), hand_types(shown)[holding], int(draws(shown)[holding])]
        ]

    assert segment("", "8h8d") == segment("8s3d2c", "8h7d") == "pair, an eight or lower"
    assert segment("9s9d2c", "8h7d") == "busted, a jack or lower"  # the pair is everyone's
    assert segment("9s9d2c", "2h7d") == "two pair or three"
    assert segment("Kh7h2c", "Ah3h") == "flush draw"
    assert segment("Kh7h2c", "Kd3h") == "pair, a nine or higher"
    assert {*SEGMENT_OF.ravel().tolist()} == {*range(len(SEGMENTS))}


def test_dealt_tables_are_those_of_counting_one_board(monkeypatch):
    found = count_cards(1, 3)
    board = np.random.default_rng(3).permutation(52)[:5].tolist()
    expected = Counter()
    for hole in HOLDINGS.tolist():
        if not set(hole) & set(board):
            now = [*hole, *board[:3]]
            drawing = max(Counter(card % 4 for card in now).values()) == 4
            expected[
                TYPES.index(named(text_of([*hole, *board]))), TYPES.index(named(text_of(now))), int(drawing)
            ] += 1
    assert {
        tuple(cell): found["current"][1][tuple(cell)] for cell in np.argwhere(found["current"][1]).tolist()
    } == expected
    assert found["board"][3].sum() == found["current"][2].sum() == 1081


def responses_of(line):
    observation = baycarp.observe(line, game=GAME.name)
    return observation, responses(observation.acts, 1 - observation.seat, observation.variant)


def test_each_of_the_eight_states_of_an_action():
    hand = State(GAME)
    for name in ("call", "check", "check", "bet", "raise", "fold"):
        hand.apply(hand.named(name))
    done = [responses(hand.acts, seat, GAME) for seat in (1, 0)]
    as_text = [[(each.street, ACTS[each.before], ACTS[each.act]) for each in mine] for mine in done]
    assert as_text == [
        [(0, "paybigblind", "call"), (1, "check", "bet"), (1, "raise", "fold")],
        [(0, "call", "check"), (1, "pass", "check"), (1, "bet", "raise")],
    ]
    assert [POTS[each.pot] for each in done[0]] == ["1 bets", "2 bets", "5 bets"]
    assert LEGAL[ACTS.index("paysmallblind")].tolist() == [act == "paybigblind" for act in ACTS]


@pytest.fixture(scope="module")
def table():
    """A player that has been learned: no row is that of the typical one."""
    found = typical()
    found.own += np.random.default_rng(5).uniform(0, 30, SHAPE) * LEGAL[:, None, :]
    return found


@pytest.mark.parametrize(
    "line",
    ["MATCHSTATE:0:0:r:8h8d|", "MATCHSTATE:1:0:cc/r:|AhKh/Qh7h2c", "MATCHSTATE:1:0:rrc/cr:|QhJd/QsQd2c"],
)
def test_posteriors_are_those_of_pgmpy_with_the_action_observed(line, table):
    observation, done = responses_of(line)
    now = [each for each in done if each.street == observation.street]
    win, final = inferred(observation, table, tuple(now))
    board, holding = tuple(observation.board), holding_index(*observation.hole)
    evidence = {
        "Round": STREETS[observation.street],
        "Board": BOARDS[board_state(board)],
        "BPP_Current": named(text_of([*observation.hole, *board])),
        "BPP_Draw": "yes" if draws(board)[holding] else "no",
    }
    if now:
        evidence |= {
            "Pot": POTS[now[0].pot],
            "BPP_Action": ACTS[now[0].before],
            "OPP_Action": ACTS[now[0].act],
        }
    assert len(now) == 1
    asked = VariableElimination(to_pgmpy(network(table)))
    assert win == pytest.approx(asked.query(["BPP_Win"], evidence, show_progress=False).values[1], abs=1e-9)
    np.testing.assert_allclose(
        final, asked.query(["OPP_Final"], evidence, show_progress=False).values, atol=1e-9
    )


def test_actions_of_earlier_streets_are_evidence_of_the_final_type(table):
    """By a slow sum over the tables of the network."""
    observation, done = responses_of("MATCHSTATE:0:0:rc/cc/:QhJd|/Qs7d2c/8c")
    bn, (raised, checked) = network(table), done
    flop = board_state(tuple(observation.board[:3]))
    likely = np.ones(25)
    for final in range(25):
        for each, board in ((raised, 0), (checked, flop)):
            total = mass = 0.0
            for kind in range(25):
                for drawn in range(2):
                    share = (
                        bn.cpt("OPP_Current")[each.street, final, kind]
                        * bn.cpt("OPP_Draw")[each.street, final, kind, drawn]
                    )
                    share *= bn.cpt("Board")[each.street, kind, board]
                    row = bn.cpt("OPP_Action")[
                        each.street, each.pot, each.before, SEGMENT_OF[board, kind, drawn]
                    ]
                    total, mass = total + share * row[each.act], mass + share
            likely[final] *= total / mass
    turn = board_state(tuple(observation.board))
    kind = TYPES.index("pair of Q")
    mine = bn.cpt("BPP_Final") * bn.cpt("BPP_Current")[2, :, kind] * bn.cpt("BPP_Draw")[2, :, kind, 0]
    theirs = likely * (bn.cpt("OPP_Current")[2] @ bn.cpt("Board")[2, :, turn])
    joint = mine[:, None] * bn.cpt("OPP_Final") * theirs
    win, final = inferred(observation, table, done)
    assert win == pytest.approx((joint * bn.cpt("BPP_Win")[..., 1]).sum() / joint.sum(), abs=1e-9)
    np.testing.assert_allclose(final, joint.sum(axis=0) / joint.sum(), atol=1e-9)


def test_the_twin_counts_every_holding_and_river(table):
    observation, done = responses_of("MATCHSTATE:1:0:rc/cc/r:|QhJd/Qs7d2c/8c")
    board, hole = tuple(observation.board), observation.hole
    won = total = 0.0
    rows = table.cpt()
    for holding, (one, other) in enumerate(HOLDINGS.tolist()):
        if {one, other} & {*board, *hole}:
            continue
        weight = 1.0
        for each in done:
            shown = board[: each.street + 2] if each.street else ()
            kind, drawn = TYPES.index(named(text_of([one, other, *shown]))), int(draws(shown)[holding])
            weight *= rows[
                each.street, each.pot, each.before, SEGMENT_OF[board_state(shown), kind, drawn], each.act
            ]
        rivers = [card for card in range(52) if card not in {one, other, *board, *hole}]
        ends = np.array(
            [[*pair, *board, river] for pair in (hole, (one, other)) for river in rivers], np.uint8
        )
        mine, theirs = rank(ends).reshape(2, -1).astype(int)
        won += weight * ((mine > theirs).sum() + (mine == theirs).sum() / 2)
        total += weight * len(rivers)
    assert enumerated(observation, table, done) == pytest.approx(won / total, abs=1e-9)


def test_utilities_are_those_of_the_table_of_outcomes():
    """F and F' with half a bet of each player on every later street: 10 chips now, 20 and 20 later."""
    observation, _ = responses_of("MATCHSTATE:1:0:cc/r:|QhJd/Qs7d2c")
    spot = facing(observation)
    contributed, final = 10 + 20, 20 + 10 + 10 + 2 * 20
    raised, larger = 20 + 20, 20 + 10 + 20 + 10 + 2 * 20
    found = winnings(0.25, spot, 10)
    assert found["fold"] == 0.0
    assert found["pass"] == pytest.approx((0.25 * (final - contributed) - 0.75 * contributed) / 10)
    assert found["bet"] == pytest.approx((0.25 * (larger - raised) - 0.75 * raised) / 10)
    capped, _ = responses_of("MATCHSTATE:0:0:cc/rrrr:QhJd|/Qs7d2c")
    assert "bet" not in winnings(0.25, facing(capped), 10)


def test_betting_curves_are_exponentials_and_draw_equal_actions_alike():
    fold, passes, bets = curves({"fold": 0.0, "pass": -0.5, "bet": -1.5}, may_fold=True)
    stay, bet = 0.5 * np.exp(-2 * 0.5), 0.5 * np.exp(-2 * 1.0)
    assert (fold, passes, bets) == pytest.approx((1 - stay, stay * (1 - bet), stay * bet))
    assert curves({"fold": 0.0, "pass": 0.0, "bet": 0.0}, may_fold=True) == (0.5, 0.25, 0.25)
    assert curves({"fold": 0.0, "pass": -2.0}, may_fold=False) == (0.0, 1.0, 0.0)


def test_the_action_is_drawn_from_the_curves():
    observation, _ = responses_of("MATCHSTATE:1:0:cc/r:|QhJd/Qs7d2c")
    drawn, policy = Counter(), None
    for seed in range(400):
        agent = Bpp()
        agent.sit(1, GAME, seed)
        decision = agent.decide(observation)
        drawn[decision.action] += 1
        policy = decision.policy
    stage = stage_of(decision.trace, BppStage)
    assert list(policy.values()) == pytest.approx(curves(stage.winnings, may_fold=True))
    for action, probability in policy.items():
        assert drawn[action] / 400 == pytest.approx(probability, abs=4 * (0.25 / 400) ** 0.5)


def test_a_shown_hand_counts_for_its_segment_and_a_hidden_one_for_those_inferred():
    agent, static = Bpp(), Bpp(learning=False)
    hand = State(GAME, deck=cards("AhAd7c2dKs8s3d4c5h"))
    for name in ("raise", "call", "check", "check", "check", "check", "check", "check"):
        hand.apply(hand.named(name))
    for each in (agent, static):
        each.learn(HandOver(hand.observe(None, ("Ann", "Bob"), 1), hand.payoffs()))
    assert not static.tables
    shown = agent.tables["Bob"].own
    assert shown.sum() == 4.0  # a raise and three checks
    assert shown[0, 0, ACTS.index("paybigblind"), 0, ACTS.index("raise")] == 1.0
    before = typical().likelihood(AnsweringAct(0, 1, ACTS.index("paybigblind"), ACTS.index("raise")))
    after = agent.tables["Bob"].likelihood(AnsweringAct(0, 1, ACTS.index("paybigblind"), ACTS.index("raise")))
    assert after[0] > before[0]
    np.testing.assert_array_equal(after[1:], before[1:])

    agent.sit(0, GAME, 0)
    folded = State(GAME, deck=cards("AhAd7c2dKs8s3d4c5h"))
    folded.apply(Action("fold"))
    agent.learn(HandOver(folded.observe(None, ("Ann", "Bob"), 1), folded.payoffs()))
    found = agent.tables["Bob"].own[0, 0, ACTS.index("paybigblind"), :, ACTS.index("fold")]
    likely = typical().likelihood(AnsweringAct(0, 1, ACTS.index("paybigblind"), ACTS.index("fold")))
    share = np.bincount([SEGMENT_OF[0, kind, 0] for kind in hand_types(())], minlength=8) * likely
    np.testing.assert_allclose(found, share / share.sum())


def test_a_fold_where_a_check_is_free_counts_nothing():
    hand, agent = State(GAME), Bpp()
    for kind in (1, 0):  # the button calls, and the big blind folds
        hand.play(kind)
    agent.learn(HandOver(hand.observe(None, ("Ann", "Bob"), 1), hand.payoffs()))
    assert [round(agent.tables[name].own.sum(), 9) for name in ("Ann", "Bob")] == [0.0, 1.0]


def test_watched_actions_are_those_of_the_hands():
    counts = count_acts(6, 1)
    assert counts.sum() > 12
    assert not counts[:, :, ~LEGAL.any(axis=1)].any()
    assert ActTable(counts.astype(float)).cpt().sum(axis=-1) == pytest.approx(1.0)


@pytest.mark.parametrize("game", ["holdem.limit.2p", "holdem.limit.2p.reverse_blinds"])
@pytest.mark.parametrize("agent", ["bpp", "bpp(combinatorial=True)"])
def test_every_hand_ends_legally(game, agent):
    variant = Variant.load(game)
    agents = [baycarp.load(agent), baycarp.load("random")]
    for seat, each in enumerate(agents):
        each.sit(seat, variant, seat)
    rng = np.random.default_rng(2)
    for number in range(12):
        hand = State(variant, deck=rng.permutation(52)[:9].astype(np.uint8))
        assert sum(play_hand(hand, agents, ("A", "B"), number).payoffs()) == 0


def test_it_plays_heads_up_limit_only():
    with pytest.raises(TableError, match="limit, 2 seats"):
        baycarp.load("bpp").sit(0, Variant.ring(3), 0)
