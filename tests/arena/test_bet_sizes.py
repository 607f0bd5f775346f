"""A no-limit agent with two sizes of a bet in its policy, wherever a decision goes."""

import json
from collections import Counter
from functools import partial

import numpy as np
import pytest
from reference.acpc_match import NAMES, Seated, dealt, hands_of, our_client
from reference.two_sizes import TwoSizes

import baycarp
from baycarp.agents.policy import by_kind, policy_from_text
from baycarp.agents.static.simple import AlwaysCall
from baycarp.arena import engine as engine_module
from baycarp.arena import session as session_module
from baycarp.arena.engine import Engine, Options
from baycarp.arena.hand import play_hand
from baycarp.arena.session import Table, play_session
from baycarp.arena.variance import stream
from baycarp.arena.variance.control import control
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import deal

DEEP = Variant.ring(3, betting="no-limit", stacks=(40, 100, 250))
HEADS_UP = Variant.load("holdem.nolimit.2p.reverse_blinds")
SHORT = Variant.ring(2, betting="no-limit", stacks=(60, 60))


def test_policies_are_legal_sum_to_1_and_give_the_drawn_action():
    """Surplus of each action over its chance, by kind and size, in standard errors."""
    surplus, variance, sized = Counter(), Counter(), 0

    def watch(state, decision):
        nonlocal sized
        for action in decision.policy:
            state.verify(action)
        assert sum(decision.policy.values()) == pytest.approx(1)
        assert decision.policy[decision.action] > 0
        assert sum(decision.policy_by_kind().values()) == pytest.approx(1)
        bets = [action for action in decision.policy if action.name in ("bet", "raise")]
        sized += len(bets) == 2
        for action, chance in decision.policy.items():
            key = action.name, action in bets[1:]
            surplus[key] += (action == decision.action) - chance
            variance[key] += chance * (1 - chance)

    agents = seated(DEEP, TwoSizes(), TwoSizes(), TwoSizes())
    for hand in range(150):
        play_hand(State(DEEP, deck=deal(1, 0, hand, 11)), agents, ("a", "b", "c"), hand, watch=watch)
    assert sized > 300
    for key, total in surplus.items():
        assert abs(total) < 4 * variance[key] ** 0.5, key


def seated(variant, *agents):
    for seat, agent in enumerate(agents):
        agent.sit(seat, variant, seat)
    return agents


def test_a_session_estimates_its_luck(monkeypatch):
    monkeypatch.setattr(session_module, "load", lambda spec: TwoSizes() if spec == "sizes" else AlwaysCall())
    table = Table(DEEP, NAMES[:3], ("sizes", "sizes", "call"), seed=2, estimators=("control",))
    played = play_session(table, 0, 60)
    assert not played.net.sum(axis=1).any()
    np.testing.assert_allclose(played.estimates["control"].sum(axis=1), 0, atol=1e-9)
    assert played.estimates["control"].std() < played.net.std()


def heads_up(hands, agents, seed=0):
    """Finished hands with their policies, the button going round."""
    for hand in range(hands):
        order, policies = [hand % 2, 1 - hand % 2], []
        over = play_hand(
            State(SHORT, deck=deal(seed, 0, hand, 9)),
            [agents[seat] for seat in order],
            ("a", "b"),
            hand,
            watch=lambda state, decision, policies=policies: policies.append(decision.policy),
        )
        yield over, policies, order.index(0), stream(seed, 0, hand)


def merged(policy):
    """The same with one size: all of the bet's chance on the larger."""
    largest = {action.name: action for action in sorted(policy)}
    return {largest[name]: chance for name, chance in by_kind(policy).items()}


def test_sizes_in_the_policy_narrow_the_estimate_and_leave_its_mean():
    """Against a caller a bet's size is drawn without regard to the cards, and pays by them."""
    agents = seated(SHORT, TwoSizes(large=0.5, folds=0.0), AlwaysCall())
    chips, sized, kinds = np.array(
        [
            (
                over.payoffs()[me],
                control(over, policies, seed)[me],
                control(over, [merged(policy) for policy in policies], seed)[me],
            )
            for over, policies, me, seed in heads_up(1500, agents)
        ]
    ).T
    assert sized.std() < 0.95 * kinds.std()
    assert kinds.std() < chips.std()
    for other in (chips, kinds):
        off = sized - other
        assert abs(off.mean()) < 3.5 * off.std() / len(off) ** 0.5


SPOT = "MATCHSTATE:0:0:cc/:AhKd|/Ks7d2c"


def test_a_record_survives_json():
    decision = TwoSizes().decide(baycarp.observe(SPOT, HEADS_UP))
    record = json.loads(json.dumps(decision.to_dict()))
    assert record["policy"] == {"check": 0.5, "bet 100": 0.375, "bet 300": 0.125}
    assert policy_from_text(record["policy"]) == decision.policy
    assert decision.policy_by_kind() == {"check": 0.5, "bet": 0.5}
    assert "policy   check: 0.50  bet 100: 0.38  bet 300: 0.12" in decision.explain()
    assert "<td>bet 300</td>" in decision._repr_html_()


def test_the_engine_answers_with_every_size(monkeypatch):
    monkeypatch.setattr(engine_module, "load", lambda spec: TwoSizes())
    engine = Engine(Options())
    position = {"type": "position", "state": SPOT, "game": "holdem.nolimit.2p.reverse_blinds"}
    assert list(engine.answer_line(json.dumps(position).encode())) == []
    *_, answer = engine.answer_line(b'{"type": "go"}')
    answer = json.loads(json.dumps(answer))
    assert answer["policy"] == {"check": 0.5, "bet 100": 0.375, "bet 300": 0.125}
    chosen = f"{answer['action']} {answer['amount']}" if answer["amount"] else answer["action"]
    assert answer["policy"][chosen] > 0


def test_it_plays_over_acpc_what_it_plays_among_us():
    clients = [our_client(TwoSizes(), HEADS_UP, seat) for seat in range(2)]
    log, totals, remotes = dealt(HEADS_UP, 30, 3, clients)
    agents = [Seated(TwoSizes(), seat) for seat in range(2)]
    for agent in agents:
        agent.sit(0, HEADS_UP, 0)
    sizes = Counter()
    for number, hand in enumerate(hands_of(log, HEADS_UP)):
        order = [(number + position) % 2 for position in range(2)]
        watch = partial(count_sizes, sizes)
        deck = bytes([*hand.holes[0], *hand.holes[1], *hand.board, *rest_of(hand)])[:9]
        names = tuple(NAMES[seat] for seat in order)
        state = play_hand(
            State(HEADS_UP, deck=deck), [agents[seat] for seat in order], names, number, watch=watch
        )
        assert hand.actions == tuple(act.action for act in state.acts)
    assert min(sizes["small"], sizes["large"]) > 5
    assert sum(totals.values()) == 0
    assert all(str(remote.conduct) == "0 lines ignored, 0 actions mended" for remote in remotes)


def count_sizes(sizes, state, decision):
    if decision.action.name in ("bet", "raise"):
        sizes["small" if decision.action.amount == state.bounds()[1] else "large"] += 1


def rest_of(hand):
    """Cards for the rest of a board that was not dealt."""
    held = {*hand.holes[0], *hand.holes[1], *hand.board}
    return [card for card in range(52) if card not in held]
