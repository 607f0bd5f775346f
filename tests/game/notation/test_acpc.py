import random

import pytest

from baycarp.card import text
from baycarp.errors import BaycarpError, NotationError
from baycarp.game.notation import acpc
from baycarp.game.notation.hand import Refused, replay
from baycarp.game.variant import Variant

LIMIT = Variant.load("holdem.limit.2p.reverse_blinds")
LIMIT3 = Variant.load("holdem.limit.3p")
DEEP = Variant.load("holdem.nolimit.2p.reverse_blinds")

MATCHSTATES = [
    # The states of one limit hand as the dealer of the competition sends them to the big blind.
    (LIMIT, "MATCHSTATE:0:30::9s8h|", 1),
    (LIMIT, "MATCHSTATE:0:30:c:9s8h|", 0),
    (LIMIT, "MATCHSTATE:0:30:cc/:9s8h|/8c8d5c", 0),
    (LIMIT, "MATCHSTATE:0:30:cc/r:9s8h|/8c8d5c", 1),
    (LIMIT, "MATCHSTATE:0:30:cc/rc/:9s8h|/8c8d5c/6s", 0),
    (LIMIT, "MATCHSTATE:0:30:cc/rc/rrc/:9s8h|/8c8d5c/6s/Kd", 0),
    (LIMIT, "MATCHSTATE:0:30:cc/rc/rrc/rf:9s8h|/8c8d5c/6s/Kd", None),
    (LIMIT, "MATCHSTATE:1:0::|TdAs", 1),
    (LIMIT3, "MATCHSTATE:2:5:rrc:||AhKd", 2),
    (DEEP, "MATCHSTATE:1:0:r200r600:|TdAs", 1),
    (DEEP, "MATCHSTATE:1:0:r200r600c/r1200:|TdAs/2c8c3h", 1),
]


@pytest.mark.parametrize(("variant", "line", "to_act"), MATCHSTATES)
def test_a_matchstate_is_read_and_printed_as_it_was(variant, line, to_act):
    observation = acpc.parse_matchstate(line + "\r\n", variant)
    assert observation.state.to_act == to_act
    assert acpc.format_matchstate(observation) == line


def test_the_heads_up_seats_are_the_dealers():
    """Position 0 is the big blind; the button, position 1, owes half a blind and is first preflop alone."""
    before = acpc.parse_matchstate("MATCHSTATE:1:0::|AhKd", LIMIT)
    assert before.state.to_act == 1
    assert before.state.bets == (10, 5)
    after = acpc.parse_matchstate("MATCHSTATE:1:0:cc/:|AhKd/2c8c3h", LIMIT)
    assert after.state.to_act == 0


def test_a_raise_of_a_line_is_a_total_of_the_hand_and_ours_of_the_street():
    observation = acpc.parse_matchstate("MATCHSTATE:0:0:r300c/r900r2100c/cr4500:AhKd|/2c8c3h/9d", DEEP)
    assert [
        str(act.action) for act in observation.acts if act.action.amount and act.action.name != "call"
    ] == [
        "raise to 300",
        "bet 600",
        "raise to 1800",
        "bet 2400",
    ]
    assert observation.state.committed == (2100, 4500)


def test_only_the_receivers_cards_are_seen():
    observation = acpc.parse_matchstate("MATCHSTATE:0:0:cc/:AhKd|QsQd/2c8c3h", LIMIT)
    assert text(observation.hole) == "AhKd"
    assert observation.state.holes[1] == ()


WRONG = [
    ("", "wrong fields"),
    ("MATCHSTATE", "wrong fields"),
    ("STATE:0:0::9s8h|", "wrong fields"),
    ("MATCHSTATE:0:30::9s8h|:c", "wrong fields"),
    ("MATCHSTATE:2:30::9s8h|", "bad position: '2'"),
    ("MATCHSTATE:-1:30::9s8h|", "bad position"),
    ("MATCHSTATE:0:x::9s8h|", "bad hand number"),
    ("MATCHSTATE:0:30::9s8h", "wrong number of players"),
    ("MATCHSTATE:0:30::9s8h||", "wrong number of players"),
    ("MATCHSTATE:0:30::|9s8h", "wrong number of cards"),
    ("MATCHSTATE:0:30::9s|", "wrong number of cards"),
    ("MATCHSTATE:0:30::9s8x|", "unknown card: '8x'"),
    ("MATCHSTATE:0:30::9s9s|", "card dealt twice: 9s"),
    ("MATCHSTATE:0:30:cc/:9s8h|/8h8d5c", "card dealt twice: 8h"),
    ("MATCHSTATE:0:30:cx:9s8h|", "unknown action: 'x' at column 2"),
    ("MATCHSTATE:0:30:ccc:9s8h|", "wrong round: 'c' at column 3"),
    ("MATCHSTATE:0:30:cc:9s8h|", "wrong round: 0 '/'"),
    ("MATCHSTATE:0:30:c/c:9s8h|/8c8d5c", "wrong round"),
    ("MATCHSTATE:0:30:cc//:9s8h|/8c8d5c/2c", "wrong round: 2 '/'"),
    ("MATCHSTATE:0:30:cc/:9s8h|", "board of another street: 0 cards on the flop"),
    ("MATCHSTATE:0:30:cc/:9s8h|/8c8d5c/2c", "board of another street: 4 cards on the flop"),
    ("MATCHSTATE:0:30:fc:9s8h|", "action after the end"),
    ("MATCHSTATE:0:30:cf:9s8h|", "fold where a check is free: BB on the preflop"),
    ("MATCHSTATE:0:30:rrrr:9s8h|", "illegal action"),
    ("MATCHSTATE:0:30:r20:9s8h|", "wrong raise"),
    ("MATCHSTATE:0:30:" + "c" * 5000 + ":9s8h|", "line too long: 5022 characters"),
]


@pytest.mark.parametrize(("line", "reason"), WRONG)
def test_a_wrong_matchstate_is_refused_with_the_value(line, reason):
    with pytest.raises(NotationError, match=r"^MATCHSTATE '") as caught:
        acpc.parse_matchstate(line, LIMIT)
    assert reason in str(caught.value)


@pytest.mark.parametrize("betting", ["r150", "r20001", "r", "r200r299", "r99999999999999"])
def test_a_raise_of_a_wrong_size_is_refused(betting):
    with pytest.raises(Refused, match=r"illegal action|wrong raise|unknown action"):
        acpc.parse_matchstate(f"MATCHSTATE:0:0:{betting}:AhKd|", DEEP)


LOG = """# name/game/hands/seed
STATE:0:rc/crc/crc/cc:5cQh|Jd9d/8h6d5d/Ac/5s:50|-50:Ann|Bob
STATE:1:rrc/rc/rc/rrc:TsAh|4cAs/5s2cJd/5c/Ad:0|0:Bob|Ann
STATE:2:rrc/rc/crrf:AcKd|9d7h/QsQd8d/Ah:60|-60:Ann|Bob
SCORE:110|-110:Ann|Bob
"""


def test_a_log_is_read_and_written_as_it_was(tmp_path):
    hands = list(acpc.read_log(LOG.splitlines(), LIMIT))
    assert [hand.id for hand in hands] == [0, 1, 2]
    assert [replay(hand).payoffs() for hand in hands] == [hand.payoffs for hand in hands]
    for name in ("match.log", "match.log.gz"):
        assert acpc.write_log(tmp_path / name, hands) == 3
        assert list(acpc.read_log(tmp_path / name, LIMIT)) == hands
    assert (tmp_path / "match.log").read_text() == LOG.split("\n", 1)[1]


def test_all_in_hands_keep_their_rounds():
    line = "STATE:24:r228r894r4500r20000c///:QhQs|AsKd/6d6c7s/Qd/Th:20000|-20000:Ann|Bob"
    hand = acpc.parse_state(line, DEEP)
    assert replay(hand).payoffs() == hand.payoffs == (20000, -20000)
    assert acpc.format_state(hand) == line


def test_stated_payoffs_stand_beside_the_replayed_ones():
    """An all-in settled in expectation: queens against ace-king, all-in before the flop."""
    line = "STATE:24:r20000c///:QhQs|AsKd/6d6c7s/Qd/Th:2788.5|-2788.5:Ann|Bob"
    hand = acpc.parse_state(line, DEEP)
    assert hand.payoffs == (2788.5, -2788.5)
    assert replay(hand).payoffs() == (20000, -20000)
    assert acpc.format_state(hand) == line


def test_unknown_payoffs_and_cards_are_written_as_unknown():
    line = "STATE:28:cc/rc/rc/rc:|3sQh/9sJsTd/3d/Jc:?|?:Ann|Bob"
    hand = acpc.parse_state(line, LIMIT)
    assert hand.payoffs is None
    assert hand.holes[0] == ()
    assert acpc.format_state(hand) == line


def test_the_first_wrong_hand_is_raised_with_its_line():
    with pytest.raises(Refused, match=r"^line 3: illegal action"):
        list(acpc.read_log(LOG.replace("rrc/rc/rc/rrc", "rrrrc/rc/rc/rrc").splitlines(), LIMIT))


def test_wrong_hands_are_handed_over_and_the_others_read():
    refused = []
    hands = list(acpc.read_log(LOG.replace("rrc/", "rrrr/", 1).splitlines(), LIMIT, refused.append))
    assert [hand.id for hand in hands] == [0, 2]
    assert [(error.where, error.reason) for error in refused] == [("line 3", "illegal action")]


def test_names_that_would_break_the_line_are_refused():
    hand = acpc.parse_state(LOG.splitlines()[1], LIMIT)
    for name in ("A|B", "A:B", "", "A\n", "A\udcff"):
        with pytest.raises(NotationError, match="an ACPC name"):
            acpc.format_state(type(hand)(**{**fields(hand), "players": (name, "Bob")}))


def fields(hand):
    return {name: getattr(hand, name) for name in hand.__slots__}


def mutated(line, rng):
    """One to three edits: a character changed, dropped, doubled, or a piece moved."""
    for _ in range(rng.randint(1, 3)):
        at, kind = rng.randrange(len(line) + 1), rng.randrange(4)
        if kind == 0:
            line = line[:at] + rng.choice(":/|rcf0123456789?-.AKhs\x00é٣ ") + line[at + 1 :]
        elif kind == 1:
            line = line[:at] + line[at + 1 :]
        elif kind == 2:
            line = line[:at] + line[max(0, at - rng.randint(1, 40)) :]
        else:
            line = line[at:] + line[:at]
    return line


@pytest.mark.parametrize("variant", [LIMIT, DEEP], ids=["limit", "no-limit"])
def test_mutated_lines_raise_errors_of_the_package_alone(variant):
    rng = random.Random(2)
    whole = [line for game, line, _ in MATCHSTATES if game is variant]
    refused = 0
    for _ in range(3000):
        line = mutated(rng.choice(whole), rng)
        try:
            acpc.parse_matchstate(line, variant)
        except BaycarpError:
            refused += 1
    assert 2000 < refused < 3000


def test_mutated_log_lines_raise_errors_of_the_package_alone():
    rng = random.Random(3)
    refused = 0
    for _ in range(3000):
        line = mutated(rng.choice(LOG.splitlines()[1:4]), rng)
        try:
            acpc.format_state(acpc.parse_state(line, LIMIT))
        except BaycarpError:
            refused += 1
    assert 2000 < refused < 3000
