"""Matches with ``tests/peers``: a client and a dealer written independently from the protocol's text.

At every table ours and theirs sit in turn: once through their dealer, once through ours. All three parties
keep their own accounts of every hand, and must come to the same.
"""

import json
import subprocess
import sys
import threading
from importlib.resources import files
from pathlib import Path

import pytest
from reference.acpc_match import NAMES, PATIENCE, dealt, hands_of, our_client

from baycarp.agents.registry import load
from baycarp.game.notation.hand import replay
from baycarp.game.variant import Variant

PEER = Path(__file__).resolve().parents[2] / "peers" / "acpc_peer.py"
GAMES = files("baycarp") / "data" / "games"

MATCHES = {
    "holdem.limit.2p.reverse_blinds": (40, ("rule",)),
    "holdem.nolimit.2p.reverse_blinds": (40, ("random",)),
    "holdem.limit.3p": (12, ("rule", "jag")),
    "holdem.limit.6p": (6, ("formula", "jag", "random")),
    "holdem.nolimit.6p": (6, ("random", "call", "random")),
}
"""Hands, and our agents in the seats 0, 2, 4; the others are theirs."""

RULES = ("random", "call", "raise")


def peer(*arguments):
    command = [sys.executable, str(PEER), *map(str, arguments), "--odd", "first"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def their_client(game, seat):
    """A client of theirs that plays one match; its ``report`` can be looked at afterwards."""

    def run(port):
        rule = ["--rule", RULES[seat // 2], "--seed", seat]
        with peer("client", "127.0.0.1", port, GAMES / f"{game}.game", *rule) as process:
            out, err = process.communicate(timeout=10 * PATIENCE)
        assert process.returncode == 0, err
        run.report = json.loads(out)

    return run


def seated(game, specs):
    """Clients by seat: ours in even seats, theirs in odd ones."""
    variant = Variant.load(game)
    return [
        their_client(game, seat) if seat % 2 else our_client(load(specs[seat // 2]), variant, seat)
        for seat in range(variant.seats)
    ]


def agree(played, totals, clients, game):
    """The accounts of the dealer (its log, its totals) and of every client are the same."""
    variant = Variant.load(game)
    assert [hand.id for hand in played] == list(range(len(played)))
    for hand in played:
        assert hand.payoffs == replay(hand).payoffs()
    for seat, client in enumerate(clients):
        won = [hand.payoffs[(seat - hand.id) % variant.seats] for hand in played]
        assert totals[NAMES[seat]] == sum(won)
        if seat % 2:
            assert client.report["faults"] == []
            assert client.report["hands"] == len(played)
            assert client.report["per_hand"] == won
            assert client.report["total"] == sum(won)
        else:
            assert not client.player.refused
            assert client.player.net == won
    assert any(totals.values())


def through_our_dealer(game, hands, specs):
    variant, clients = Variant.load(game), seated(game, specs)
    log, totals, remotes = dealt(variant, hands, 4, clients)
    agree(hands_of(log, variant), totals, clients, game)
    assert len(hands_of(log, variant)) == hands
    assert {str(remote.conduct) for remote in remotes} == {"0 lines ignored, 0 actions mended"}


def through_their_dealer(game, hands, specs, folder):
    variant, clients = Variant.load(game), seated(game, specs)
    names, log = NAMES[: variant.seats], folder / "their.log"
    options = ["--names", ",".join(names), "--log", log]
    with peer("dealer", GAMES / f"{game}.game", hands, 4, 0, *options) as dealer:
        ports = map(int, dealer.stdout.readline().split())
        threads = [
            threading.Thread(target=run, args=(port,)) for run, port in zip(clients, ports, strict=True)
        ]
        for thread in threads:
            thread.start()
        out, err = dealer.communicate(timeout=10 * PATIENCE)
        for thread in threads:
            thread.join(PATIENCE)
    assert dealer.returncode == 0, err
    _, chips, players = out.splitlines()[-1].split(":")
    assert players.split("|") == list(names)
    assert "mended" not in err
    assert "ignored" not in err
    played = hands_of(log.read_text(), variant)
    assert len(played) == hands
    agree(played, dict(zip(names, map(int, chips.split("|")), strict=True)), clients, game)


@pytest.mark.parametrize("game", MATCHES)
def test_their_clients_and_ours_play_through_our_dealer(game):
    through_our_dealer(game, *MATCHES[game])


@pytest.mark.parametrize("game", MATCHES)
def test_ours_and_theirs_play_through_their_dealer(game, tmp_path):
    through_their_dealer(game, *MATCHES[game], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", MATCHES)
def test_full_matches(game, tmp_path):
    _, specs = MATCHES[game]
    hands = 3000 // Variant.load(game).seats
    through_our_dealer(game, hands, specs)
    through_their_dealer(game, hands, specs, tmp_path)
