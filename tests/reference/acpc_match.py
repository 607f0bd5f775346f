"""Matches over real connections: a thread for each client, joined at the end of the match."""

import contextlib
import io
import socket
import threading

from baycarp.agents.registry import load
from baycarp.arena.acpc.client import Player, play
from baycarp.arena.acpc.dealer import deal_match
from baycarp.arena.acpc.door import accept, listen
from baycarp.arena.acpc.remote import Limits, Remote
from baycarp.game.notation.acpc import read_log

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")
PATIENCE = 20.0
LIMITS = Limits(PATIENCE, PATIENCE, PATIENCE)


class Keeps:
    """An agent that records its observations, results and actions."""

    def __init__(self, agent):
        self.agent, self.plays, self.shown, self.events, self.did = agent, agent.plays, [], [], []

    def sit(self, seat, variant, seed):
        self.agent.sit(0, variant, 100 + seat)

    def decide(self, observation, time_limit=None, budget=None):
        decision = self.agent.decide(observation, budget=budget)
        self.shown.append(observation)
        self.did.append(decision.action)
        return decision

    def learn(self, event):
        self.events.append(event)
        self.agent.learn(event)


class Seated(Keeps):
    """The same agent with the random draws of a given seat."""

    def __init__(self, agent, seat):
        super().__init__(agent)
        self.seat = seat

    def sit(self, seat, variant, seed):
        super().sit(self.seat, variant, seed)


def names_from(seat, seats):
    """The players in rotation from a given one."""
    return tuple(NAMES[(seat + place) % seats] for place in range(seats))


def dealt(variant, hands, seed, clients, limits=None):
    """Deal a match to clients, functions of a port; return the log, the totals, and the remotes."""
    doors = listen("127.0.0.1", (0,) * len(clients))
    ports = [door.getsockname()[1] for door in doors]
    failed = []

    def run(client, port):
        try:
            client(port)
        except Exception as error:  # shown by the test, not by the thread
            failed.append(error)

    threads = [threading.Thread(target=run, args=pair) for pair in zip(clients, ports, strict=True)]
    for thread in threads:
        thread.start()
    remotes = [Remote(wire, hands, limits or LIMITS) for wire in accept(doors, PATIENCE)]
    log = io.StringIO()
    totals = deal_match(variant, hands, seed, dict(zip(NAMES, remotes, strict=False)), log)
    for remote in remotes:
        remote.close()
    for thread in threads:
        thread.join(PATIENCE)
    assert not failed, failed
    return log.getvalue(), totals, remotes


def our_client(agent, variant, seat=0):
    """A baycarp client that plays one match; its ``player`` can be inspected afterwards."""
    player = Player(Seated(agent, seat), variant, players=names_from(seat, variant.seats))

    def run(port):
        play("127.0.0.1", port, player)

    run.player = player
    run.agent = player._agent
    return run


def caller(port):
    """A minimal client that checks and calls; it answers every line."""
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", port)) as connection,
        connection.makefile("r", newline="\n") as lines,
    ):
        connection.sendall(b"VERSION:2.0.0\n")
        for line in lines:
            connection.sendall(line.rstrip().encode() + b":c\n")


def clients_of(variant, specs):
    """The baycarp clients, one for each seat."""
    return [our_client(load(spec), variant, seat) for seat, spec in enumerate(specs)]


def hands_of(log, variant):
    return list(read_log(log.splitlines(), variant))
