"""Imitation: every decision of a named player in logs is a case, and no other."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from reference.play import random_hand

from baycarp.agents.registry import load
from baycarp.arena import session
from baycarp.arena.session import Table, play_session
from baycarp.arena.workers import Workers
from baycarp.bn.learn import counts
from baycarp.cli import main
from baycarp.errors import ModelError
from baycarp.game.event import HandOver
from baycarp.game.notation.acpc import parse_state, write_log
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.game.notation.observe import observe
from baycarp.game.notation.phh import write_phhs
from baycarp.game.variant import Variant
from baycarp.opponents.network.topology import STRUCTURE, TYPE_NODES
from baycarp.strategies.baycarp import BAYCARP2, SCHEMAS
from baycarp.strategies.model import load_model
from baycarp.training.imitate import Demonstrations, imitate
from baycarp.training.logs import Logs
from baycarp.training.rows import rows_of_session

GAME = Variant.load("holdem.limit.2p.reverse_blinds")
PLAYED = Table(GAME, ("Ann", "Bob"), ("rule", "formula(tightness=0.4)"), seed=5)
STREETS = [schema.name for schema in SCHEMAS]


@pytest.fixture(scope="module")
def hands():
    return [parse_state(line, GAME) for line in play_session(PLAYED, 0, hands=80).log]


@pytest.fixture(autouse=True)
def _short_sessions(monkeypatch):
    monkeypatch.setattr(session, "HANDS", 20)


@pytest.fixture
def learn(tmp_path):
    """Write hands as a log and imitate; the folder is named after the log."""

    def from_hands(hands, players=("Ann",), name="log", **settings):
        path = tmp_path / f"{name}.log"
        write_log(path, hands)
        demonstrations = Demonstrations(Logs((path,), GAME), players)
        return imitate(BAYCARP2, demonstrations, tmp_path / name, "a test", **settings)

    return from_hands


def cases(made):
    """Every case as plain values, street by street."""
    return {
        name: [casebase.case(i) for i in range(len(casebase))]
        for name, casebase in made.model.casebases.items()
    }


def at(case):
    return case["provenance"]["hand"], case["provenance"]["player"]


def same_network(one, other):
    return all(np.array_equal(one.cpt(node), other.cpt(node)) for node in STRUCTURE.nodes)


def decisions(hands, name):
    """The player's actions by street and name: a plain count."""
    did = Counter()
    for hand in hands:
        for act in replay(hand).acts:
            did[STREETS[act.street], act.action.name] += hand.players[act.seat] == name
    return +did


def test_every_decision_of_the_named_player_is_a_case_and_no_other(learn, hands):
    made = learn(hands)
    held_out = hands[40:60]  # one of four sessions is held out
    used = [hand for hand in hands if hand not in held_out]
    found = Counter((street, case["solution"]) for street, all_ in cases(made).items() for case in all_)
    assert found == decisions(used, "Ann")
    seats = {hand.id: hand.players.index("Ann") for hand in used}
    holes = {hand.id: hand.holes[seats[hand.id]] for hand in used}
    for all_ in cases(made).values():
        for case in all_:
            hand, seat = at(case)
            assert seat == seats[hand]
            assert sorted(case["provenance"]["hole"]) == sorted(holes[hand])
    assert made.account.hands == 80
    assert made.account.decisions == {"cases": decisions(hands, "Ann").total()}
    assert made.account.players == {"Ann": 80, "Bob": 80}


def test_agreement_is_a_plain_count(learn, hands, tmp_path):
    """On the held-out hands; the agent decides as at the table."""
    made = learn(hands)
    agent = load(f"baycarp2(model={str(tmp_path / 'log')!r}, learning=False, published=True)")
    agent.sit(0, GAME, 0)
    met = Counter()
    for hand in hands[40:60]:
        for state in states(hand):
            if state.is_over:
                agent.learn(HandOver(state.observe(None, hand.players), state.payoffs()))
            elif hand.players[state.to_act] == "Ann":
                done = hand.actions[len(state.acts)]
                chosen = agent.decide(state.observe(state.to_act, hand.players, hand.id)).action
                met[state.street, chosen.name == done.name] += 1
    assert made.agreement == met
    assert sum(of for (_, same), of in met.items() if same) > met.total() / 2  # a static player of few habits


def test_outcomes_follow_the_rule_of_the_thesis(learn, hands):
    """Unger (2011), section 6.2.1: the cost of the action, negative where the pot was lost."""
    first = {hand.id: hand for hand in hands}
    for case in cases(learn(hands))["preflop"]:
        hand, seat = at(case)
        final = replay(first[hand])
        won = seat in final.seats_in and final.payoffs()[seat] + final.committed[seat] > 0
        assert case["outcome"] == 0 or (case["outcome"] > 0) == won


def test_the_network_learns_cards_from_showdowns_alone(learn, hands):
    made = learn(hands)
    used = [*hands[:40], *hands[60:]]
    rows = [row for i in range(0, 60, 20) for row in rows_of_session(used[i : i + 20])]
    assert made.showdowns == sum(row.showdown for row in rows)
    shown = counts(STRUCTURE, [row.states for row in rows if row.showdown])
    all_ = counts(STRUCTURE, [row.states for row in rows])
    for node in STRUCTURE.nodes:
        met = (shown if node in ("HandGroup", *TYPE_NODES) else all_)[node]
        prior = 10 / met.size
        expected = (met + prior) / (met + prior).sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(made.model.network.cpt(node), expected, atol=1e-12)


def hidden(hands, name):
    """The hands with the cards of ``name`` only where they were shown."""
    observation = []
    for hand in hands:
        seat = hand.players.index(name)
        if len(replay(hand).seats_in) == 1:
            holes = tuple(() if position == seat else hole for position, hole in enumerate(hand.holes))
            hand = replace(hand, holes=holes)
        observation.append(hand)
    return observation


def test_folded_cards_of_others_change_nothing(learn, hands):
    """Neither the cases nor the tables depend on them."""
    whole, observation = learn(hands), learn(hidden(hands, "Bob"), name="seen")
    assert cases(whole) == cases(observation)
    assert same_network(whole.model.network, observation.model.network)


def test_hands_without_the_players_cards_give_statistics_and_no_cases(learn, hands):
    whole, observation = learn(hands), learn(hidden(hands, "Ann"), name="seen")
    shown = {hand.id for hand in hands if len(replay(hand).seats_in) > 1}
    for street, found in cases(observation).items():
        expected = [case for case in cases(whole)[street] if at(case)[0] in shown]
        for one, other in zip(found, expected, strict=True):
            assert {**one, "id": 0} == {**other, "id": 0}  # features too: opponents' habits are counted on
    unseen = [hand for hand in hands if hand.id not in shown]
    assert observation.account.decisions["cards or end unknown"] == decisions(unseen, "Ann").total() > 0
    assert same_network(whole.model.network, observation.model.network)


def test_a_showdown_without_a_winner_gives_no_cases(learn, hands):
    shown = [hand for hand in hands if len(replay(hand).seats_in) == 2]
    mucked = []
    for hand in shown:
        seat = hand.players.index("Ann")
        holes = tuple(hole if position == seat else () for position, hole in enumerate(hand.holes))
        mucked.append(replace(hand, holes=holes))
    imitated = learn(mucked, name="paid")  # the source has the payoffs
    assert imitated.account.decisions["cases"] == decisions(shown, "Ann").total()
    with pytest.raises(ModelError, match="no decision with known cards"):
        learn([replace(hand, payoffs=None) for hand in mucked], name="mucked")


def test_phh_gives_the_same_model_as_acpc(learn, hands, tmp_path):
    write_phhs(tmp_path / "hands.phhs.gz", hands)
    demonstrations = Demonstrations(Logs((tmp_path / "hands.phhs.gz",)), ("Ann",))
    made = imitate(BAYCARP2, demonstrations, tmp_path / "phh", "a test")
    assert cases(made) == cases(learn(hands))


def test_names_are_those_of_the_logs(learn, hands):
    with pytest.raises(ModelError, match=r"'Eve'.*most hands: '(Ann|Bob)', "):
        learn(hands, ["Eve"], name="eve")
    both = learn(hands, ["Ann", "Bob"], name="both")
    everybody = learn(hands, None, name="everybody")
    assert cases(both) == cases(everybody)
    assert sum(map(len, cases(both).values())) > sum(map(len, cases(learn(hands)).values()))


def test_logs_without_a_hand_are_refused(tmp_path):
    (tmp_path / "bad.log").write_text("STATE:nothing\n")
    with pytest.raises(ModelError, match=r"no hand can be used: .*bad\.log, line 1: wrong fields"):
        imitate(BAYCARP2, Demonstrations(Logs((tmp_path / "bad.log",), GAME)), tmp_path / "m", "a test")


FILES = ("manifest.json", "network.npz", *(f"{schema.name}.npz" for schema in SCHEMAS))


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.mark.parametrize("stage", ["sessions read", "sessions described"])
def test_an_interruption_loses_only_unfinished_sessions(learn, hands, tmp_path, stage):
    learn(hands, name="straight")

    def stop(what, done, of):
        if (what, done) == (stage, 2):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(hands, name="cut", progress=stop)
    assert not (tmp_path / "cut" / "manifest.json").exists()
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "cut" / "sessions").glob("*.npz")}
    assert len(kept) == {"sessions read": 2, "sessions described": 6}[stage]
    log = tmp_path / "cut.log"
    imitate(BAYCARP2, Demonstrations(Logs((log,), GAME), ("Ann",)), tmp_path / "cut", "a test")
    assert contents(tmp_path / "cut") == contents(tmp_path / "straight")
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


@pytest.mark.slow
def test_two_workers_make_the_same_bytes(learn, hands, tmp_path):
    learn(hands, name="one")
    learn(hands, name="two", workers=Workers(2))
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_folder_belongs_to_its_logs(learn, hands):
    learn(hands)
    with pytest.raises(ModelError, match=r"source\.json: another source's sessions"):
        learn(hands[:40])
    with pytest.raises(ModelError, match=r"source\.json"):
        learn(hands, ["Bob"])


def test_the_model_plays_any_number_of_seats(learn, hands, tmp_path):
    """Heads-up cases at a ring table, and the other way round: readings are total."""
    learn(hands)
    rng = np.random.default_rng(3)
    rings = [
        Hand.of(random_hand(Variant.ring(seats), rng)[0], tuple(f"p{n}" for n in range(seats)), seats)
        for seats in range(2, 11)
        for _ in range(4)
    ]
    write_phhs(tmp_path / "rings.phhs", rings)
    demonstrations = Demonstrations(Logs((tmp_path / "rings.phhs",)))
    made = imitate(BAYCARP2, demonstrations, tmp_path / "rings", "a test")
    assert made.account.hands == 36
    for folder in ("log", "rings"):
        assert load_model(tmp_path / folder).manifest["command"] == "a test"
        agent = load(tmp_path / folder)
        for line in ("MATCHSTATE:0:0:r:AhKd|", "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c"):
            observation = observe(line, game=GAME)
            assert agent.decide(observation).action in observation.legal_actions()
    agent = load(tmp_path / "log")
    for observation in (replay_to(hand) for hand in rings):
        assert agent.decide(observation).action in observation.legal_actions()


def test_the_command_accounts_for_every_hand(hands, tmp_path, capsys):
    log = tmp_path / "others.log"
    write_log(log, hidden(hands, "Ann"))
    log.write_text(log.read_text().replace("STATE:7:", "STATE:seven:"))
    asked = ["train", tmp_path / "ann", "--from", log, "--player", "Ann", "--game", GAME.name, "--workers", 1]
    assert main([*map(str, asked)]) == 0
    out = capsys.readouterr().out
    assert "hands    79 used, 1 skipped\n         1 bad hand number; the first:" in out
    assert "'seven': expected a whole number" in out
    assert re.search(r"^agrees   on \d+ of \d+ held-out actions: ", out, re.MULTILINE)
    assert re.search(r"actions  \d+ of those imitated\n +no cases: \d+ other", out)
    assert re.search(r"^ ?HandTypeFinal +active +\d+ ", out, re.MULTILINE)
    command = load_model(tmp_path / "ann").manifest["command"]
    assert command == f"baycarp train --from {log} --player Ann --game {GAME.name}"
    assert main([*map(str, asked[:2]), "--player", "Ann"]) == 1
    assert "--player: not an option of watched hands" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "named"),
    [
        (["--opponents", "styles"], "--opponents"),
        (["--seats", "2-4"], "--seats"),
        (["--seed", "2"], "--seed"),
        (["--revise", "g-bucks"], "--revise"),
        (["--sessions", "kept"], "--sessions"),
        (["--keep"], "--keep"),
    ],
)
def test_options_that_imitation_does_not_use_are_refused(option, named, tmp_path, capsys):
    assert main(["train", str(tmp_path / "ann"), "--from", str(tmp_path), *option]) == 1
    assert capsys.readouterr().err.rstrip().endswith(f"{named}: not an option of --from")
    assert not (tmp_path / "ann").exists()


def replay_to(hand):
    """The observation of the hand's last decision."""
    *_, last, _ = states(hand)
    return last.observe(last.to_act, hand.players)
