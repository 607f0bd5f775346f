"""The no-limit games of the package played by its own players: session, dealer, engine, client."""

import io
import json

import numpy as np
import pytest
from reference.acpc_match import NAMES, Seated, clients_of, dealt, hands_of

from baycarp.agents.registry import load
from baycarp.arena.acpc.dealer import deal_match
from baycarp.arena.acpc.remote import Conduct
from baycarp.arena.engine import Engine, Options
from baycarp.arena.session import Table, play_session
from baycarp.cli import main
from baycarp.game import Action, State, Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import replay

GAMES = [f"holdem.nolimit.{seats}p.100bb" for seats in range(2, 10)]


def table(name, **given):
    game = Variant.load(name)
    specs = tuple(f"sizer(number={seat})" for seat in range(game.seats))
    return Table(game, tuple(f"s{seat}" for seat in range(game.seats)), specs, 4, **given)


@pytest.mark.parametrize("name", GAMES)
def test_sizers_play_every_game_with_stacks_reset(name):
    """The log holds every chip: replayed by the rules, each hand begins with 100 big blinds a seat."""
    seated = table(name)
    played = play_session(seated, 0, 60)
    assert (played.net.sum(axis=1) == 0).all()
    assert np.abs(played.net).max() > 500
    for line, net in zip(played.log, np.sort(played.net, axis=1), strict=True):
        state = replay(parse_state(line, seated.variant))
        stacks = [left + paid for left, paid in zip(state.stacks, state.committed, strict=True)]
        assert stacks == [10_000] * seated.variant.seats
        assert sorted(state.payoffs()) == net.tolist()


def test_carried_stacks_are_played_too():
    played = play_session(table(GAMES[1], stacks="carried", estimators=("all-in", "control")), 0, 40)
    assert (played.net.sum(axis=1) == 0).all()
    assert np.isfinite(played.estimates["control"]).all()


def test_the_control_estimate_of_sizers_has_the_mean_of_the_chips_and_less_variance():
    played = play_session(table(GAMES[0], estimators=("control",)), 1, 400)
    net, control = played.net[:, 0], played.estimates["control"][:, 0]
    assert control.std() < 0.9 * net.std()
    difference = net - control
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(net))


def test_the_dealer_plays_sizers_as_agents_and_over_connections():
    """The same seeds, in this process and as clients: the same hands."""
    game = Variant.load("holdem.nolimit.3p.100bb")
    specs = [f"sizer(number={number})" for number in range(3)]
    log, totals, remotes = dealt(game, 40, 3, clients_of(game, specs))
    assert len(hands_of(log, game)) == 40
    assert sum(totals.values()) == 0
    here = io.StringIO()
    ours = {
        name: Seated(load(spec), seat) for seat, (name, spec) in enumerate(zip(NAMES, specs, strict=False))
    }
    assert deal_match(game, 40, 3, ours, here) == totals
    assert states(here.getvalue()) == states(log)
    assert [remote.conduct for remote in remotes] == [Conduct()] * 3


def states(log):
    return [line for line in log.splitlines() if line.startswith("STATE")]


def test_the_engine_decides_with_every_size_of_the_policy():
    engine = Engine(Options(agent="sizer(number=7)"))
    position = {
        "type": "position",
        "game": "holdem.nolimit.2p.100bb",
        "state": "MATCHSTATE:1:0:r300c/r600:|AhTh/Td7d2c",
    }
    assert not [*engine.answer_line(json.dumps(position).encode())]
    _, decision = engine.answer_line(b'{"type": "go", "trace": true}')
    state = State(Variant.load("holdem.nolimit.2p.100bb"))
    for action in (Action("raise", 300), Action("call", 200), Action("bet", 300)):
        state.apply(action)
    assert sum(decision["policy"].values()) == pytest.approx(1)
    assert len([text for text in decision["policy"] if text.startswith("raise ")]) == 8
    for text in decision["policy"]:
        name, _, amount = text.partition(" ")
        state.verify(Action(name, int(amount or 0)))


def test_the_table_command_plays_a_game_and_counts_in_its_unit(capsys, tmp_path):
    game = ["--game", GAMES[1], "--hands", "30", "--workers", "1", "--full", "--out", str(tmp_path)]
    assert main(["table", "Ann=call", *game]) == 0
    out = capsys.readouterr().out
    for text in ("Sizer 0", "Sizer 1", "Ann", "mbb/h", "thousandths of a big blind won"):
        assert text in out
    assert "small bets" not in out
    lines = [line for line in (tmp_path / "hands.log").read_text().splitlines() if line.startswith("STATE")]
    variant = Variant.load(GAMES[1])
    won = sum(
        hand.payoffs()[each.players.index("Ann")]
        for each in (parse_state(line, variant) for line in lines)
        for hand in [replay(each)]
    )
    assert f"{won:+d}" in out
    assert f"{won / 30 * 10:+.3f}" in out


def test_the_table_command_names_other_players(capsys, tmp_path):
    others = ["call", "Bob=rule", "--hands", "4", "--workers", "1", "--out", str(tmp_path)]
    assert main(["table", "call", *others]) == 0
    out = capsys.readouterr().out
    assert "call-2" in out
    assert "Bob" in out
    assert "sb/h" in out
