"""Every real hand of hold'em is replayed: what was done is legal, and the payoffs are the stated ones.

The table is the truth about the files; the quick suite replays a sample of each, the slow suite all of them.
"""

import gzip
import re
import tarfile
from collections import Counter
from itertools import islice

import pytest
from reference.games import limit

from baycarp.errors import BaycarpError
from baycarp.game.notation import Refused, acpc, irc, phh, replay, states
from baycarp.game.variant import Variant


def deep():
    return Variant.load("holdem.nolimit.2p.reverse_blinds")


def text(path):
    return gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text("utf-8")


def sampled(path, every):
    """Every n-th line of a log."""
    return islice(text(path).splitlines(), 0, None, every)


def log(variant):
    return lambda path, every, refusal: acpc.read_log(sampled(path, every), variant(), refusal)


def phhs(path, every, refusal):
    sections = re.split(r"^(?=\[\d+\]$)", text(path), flags=re.M)[1:]
    for section in sections[::every]:
        try:
            yield phh.parse_phh(section)
        except Refused as refused:
            refusal(refused)


def tables(path):
    with tarfile.open(path) as tar:
        files = [member for member in tar if member.isfile()]
        return {file.name.split("/")[-1]: tar.extractfile(file).read().decode() for file in files}


def archive(path, every, refusal):
    found = tables(path)
    rows = "\n".join(found["hdb"].splitlines()[::every])
    return irc.read_tables(rows, found["hroster"], found["pdb"], refusal)


READERS = {
    "acpc-2017-nolimit-2p.log": (log(deep), 10),
    "expert-limit-2p.log.gz": (log(lambda: limit(10)), 300),
    "limit-headsup-online.log.gz": (log(lambda: limit(100)), 60),
    "irc-limit-ring-1995-04.tar.gz": (archive, 50),
    "pluribus-6max-nolimit.phhs.gz": (phhs, 20),
    "wsop-2023-43-day5.phhs": (phhs, 1),
    "famous-hands.phhs": (phhs, 1),
}

TABLE = {
    "acpc-2017-nolimit-2p.log": {"payoffs equal": 3000},
    "expert-limit-2p.log.gz": {"payoffs equal": 150000},
    "limit-headsup-online.log.gz": {
        "payoffs equal": 23815,
        "a hand at showdown not told": 5029,
        "payoffs not stated": 579,
        # The source says 0|0 where one hand beats the other.
        "payoffs differ": 2,
        # All-in: five cards, but neither the stacks nor the rest of the betting.
        "refused: run out with nobody all-in": 521,
        # The dealers' rules know no such fold.
        "refused: fold where a check is free": 54,
    },
    "irc-limit-ring-1995-04.tar.gz": {
        "payoffs equal": 18919,
        "a hand at showdown not told": 5557,
        # Most of them left the table when it was their turn.
        "refused: fold where a check is free": 1706,
        "refused: more than ten seats": 1267,
        # The tables do not tell when.
        "refused: left out of turn": 46,
        "refused: player rows missing": 31,
        # The server let them raise players who were all-in.
        "refused: raise that nobody can answer": 14,
        # A player all-in for one chip who has 887.
        "refused: no action recorded": 1,
    },
    "pluribus-6max-nolimit.phhs.gz": {"payoffs equal": 5000},
    "wsop-2023-43-day5.phhs": {"payoffs equal": 18, "refused: another game": 65},
    "famous-hands.phhs": {"payoffs not stated": 1, "refused: another game": 4},
}
"""What becomes of each file's hands. All but the refused are replayed to the end, every action verified."""


def outcome(hand):
    """How a replayed hand compares with its source, in a few words."""
    state = replay(hand)
    assert state.is_over
    if hand.payoffs is None:
        return "payoffs not stated"
    assert len(hand.payoffs) == state.variant.seats
    try:
        ours = state.payoffs()
    except BaycarpError:
        # Somebody's cards at the showdown were not told: the chips still have to add up.
        assert sum(hand.payoffs) == 0
        assert all(got >= -paid for got, paid in zip(hand.payoffs, state.committed, strict=True))
        return "a hand at showdown not told"
    return "payoffs equal" if ours == hand.payoffs else "payoffs differ"


def count(folder, name, every):
    counts = Counter()

    def refusal(refused):
        counts[f"refused: {refused.reason}"] += 1

    for hand in READERS[name][0](folder / name, every, refusal):
        counts[outcome(hand)] += 1
    return counts


@pytest.mark.parametrize("name", READERS)
def test_a_sample_of_each_file_is_replayed(real_data, name):
    counts = count(real_data, name, READERS[name][1])
    assert set(counts) <= set(TABLE[name])
    assert sum(counts.values()) >= sum(TABLE[name].values()) // READERS[name][1] - 1


def test_the_pots_of_the_irc_hands_are_those_of_the_server(real_data):
    """The server's own count of the pot at flop, turn and river, which the reader does not look at."""
    path = real_data / "irc-limit-ring-1995-04.tar.gz"
    server_pots = {row.split()[0]: row.split()[4:7] for row in tables(path)["hdb"].splitlines()}
    compared = 0
    for hand in archive(path, 50, lambda refused: None):
        pots = {}
        for state in states(hand):
            if state.to_act is not None:
                pots.setdefault(state.street, state.pot)
        for street in set(pots) - {0}:
            assert pots[street] == int(server_pots[str(hand.id)][street - 1].split("/")[1])
            compared += 1
    assert compared > 800


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_every_hand_is_replayed_or_refused_by_name(real_data, name):
    assert count(real_data, name, 1) == TABLE[name]
