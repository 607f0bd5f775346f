"""Texts of poker rooms: our own with results worked out by hand, damaged ones, and real ones."""

import random
import re
import tarfile
from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from reference.room_totals import hands as texts_of
from reference.room_totals import totals

from baycarp.game.notation import Hand, Refused, replay
from baycarp.game.notation.door import read
from baycarp.game.notation.rooms import ROOMS
from baycarp.game.notation.rooms.amounts import PARTS, amount, plain_amount
from baycarp.game.notation.rooms.cards import card_rows
from baycarp.game.notation.rooms.times import time_of

OURS = Path(__file__).with_name("rooms")

NET = {
    "stars.txt": {
        100000000001: "Ann .17 Bob -.02 Hero -.15",
        100000000002: "a:_[x] -79.25 The_(2)_Man -2 folds 132.25 Dee_Dee -55",
        100000000004: "Ann 1780 Bob -1400 Cid -50 Dee -30 Eve -300",
        100000000005: "Ann -1 Bob -6 Cid 6.35",
        100000000007: "Ann -.45 Bob -.45",
        100000000009: "Ann 1 Bob -1",
    },
    "ggpoker.txt": {
        "RC1000000001": "5f3a9b21 -12 Hero 108.5 c0ffee00 -2 d00dd00d -90",
        "HD1000000002": "Hero -.05 aaaa1111 -.1 bbbb2222 .13",
        "TM1000000004": "aaaa1111 -13820 Hero 13820",
    },
    "winamax.txt": {
        "3519840-130-1767348000": "Jean_Paul -890 x_raises 930 Zoé_(10) -15 Hero -30",
        "118267374808858625-31-1767349000": "Ann -40 Bob -400 Hero 440",
        "3519840-132-1767351000": "Ann -2 Bob 1.8",
    },
    "pacific.txt": {
        500000001: "Ann -2 Bob_the_2nd -3 Hero -60 Cid 62",
        500000002: "Ann -2200 Bob -1200 Hero 3400",
        500000003: "Ann .06 Bob -.06",
    },
    "party.txt": {
        30000000001: "Hero 49.5 Bob -49 bets -1.5 Big_Al -1 Ann 0",
        30000000002: "Ann -2100 Bob -1050 Hero 3150",
        30000000003: "Ann 2.7 Bob -3",
        30000000005: "Ann -6 Hero 7.5 Bob -2",
    },
    "fulltilt.txt": {
        20000000001: "El_Niño -3 Hero 38 Cid -38",
        20000000002: "Ann -9300 Hero -300 Bob 9600",
        20000000004: "Ann 2.45 Bob -2.7",
    },
    "bovada.txt": {
        4000000001: "Dealer 38.61 Small_Blind -38.11 Big_Blind -1 UTG -1.5 UTG+1 -1",
        4000000002: "Small_Blind -720 Big_Blind 1048 UTG 12 Dealer -340",
        4000000004: "Dealer -6 Big_Blind 5.5",
    },
    "ipoker.txt": {
        5000000001: "Tom_&_Co -100 Hero 99.5 Bob -1.5 Cid 0",
        5000000002: "Hero 1 Bob -1",
    },
    "pokernow.csv": {
        1: "Ann -10 Bob 10",
        2: "Ann -370 Bob 500 Cid -120 Dee -10",
        3: "Ann -10 Bob -20 Cid 50 Dee -20",
        4: "Ann 1025 Bob -610 Cid -430 Dee 15",
        5: "Ann 0 Bob 0",
        7: "Ann -1 Bob 3 Cid -2",
        8: "Ann -10 Bob -10 Cid 20",
        10: "Ann -60 Bob -20 Cid 80",
    },
}
"""What each player of our texts wins, blanks of names as ``_``; of PokerNow's the name's first word."""

REFUSED = {
    "stars.txt": ["another game", "run twice", "cut off", "chips do not add up"],
    "ggpoker.txt": ["another game"],
    "winamax.txt": ["another game"],
    "pacific.txt": ["another game"],
    "party.txt": ["another game"],
    "fulltilt.txt": ["another game"],
    "bovada.txt": ["another game"],
    "ipoker.txt": [],
    "pokernow.csv": ["another game", "run twice"],
}

ROOM = {
    "Stars": "Stars",
    "stars.txt": "Stars",
    "ggpoker.txt": "GGPoker",
    "winamax.txt": "Winamax",
    "pacific.txt": "PacificPoker",
    "party.txt": "PartyPoker",
    "fulltilt.txt": "FTP",
    "bovada.txt": "Bovada",
    "ipoker.txt": "iPoker",
}
"""The names of rooms in ``reference.room_totals``."""


def ours(name: str) -> tuple[dict[int | str, Hand], list[Refused]]:
    faults: list[Refused] = []
    return {hand.id: hand for hand in read(OURS / name, faults.append)}, faults


def money(hand: Hand) -> dict[str, Decimal]:
    assert hand.payoffs is not None
    return {player: chips * hand.unit for player, chips in zip(hand.players, hand.payoffs, strict=True)}


@pytest.mark.parametrize("name", NET)
def test_our_texts_have_the_results_that_were_worked_out(name):
    found, _ = ours(name)
    by_hand = {}
    for number, row in NET[name].items():
        words = row.split()
        by_hand[number] = {
            a.replace("_", " "): Decimal(b) for a, b in zip(words[::2], words[1::2], strict=True)
        }
    short = (lambda player: re.match(r"\w+", player)[0]) if name == "pokernow.csv" else str
    assert {n: {short(p): won for p, won in money(hand).items()} for n, hand in found.items()} == by_hand


@pytest.mark.parametrize("name", REFUSED)
def test_other_hands_are_refused_by_reason_and_place_and_the_rest_is_read(name):
    _, faults = ours(name)
    assert sorted(fault.reason for fault in faults) == sorted(REFUSED[name])
    assert all(re.match(rf".*{name}, line \d+ \(hand ", fault.where) for fault in faults)


@pytest.mark.parametrize("name", NET)
def test_a_text_is_of_one_room(name):
    text = (OURS / name).read_text("utf-8")
    assert sum(room.recognises(text[:4000]) for room in ROOMS) == 1


def test_the_origin_of_a_hand():
    hand = ours("stars.txt")[0][100000000002]
    origin = hand.origin
    assert (origin.room, origin.table, origin.currency, origin.tournament) == (
        "PokerStars",
        "Beta [II] (deep)",
        "EUR",
        "",
    )
    assert (hand.players[origin.hero], origin.rake * hand.unit) == ("a: [x]", 4)
    assert origin.time.astimezone(UTC) == datetime(2026, 1, 2, 19, 15, 30, tzinfo=UTC)
    assert ours("stars.txt")[0][100000000004].origin.tournament == "3141592653"
    assert ours("bovada.txt")[0][4000000001].origin.anonymous
    assert (
        ours("ggpoker.txt")[0]["RC1000000001"].origin.rake == 550 - 1000
    )  # fees, less the house's cash drop


def test_posts_straddles_and_bombs_as_the_record_has_them():
    variant = ours("stars.txt")[0][100000000002].variant
    assert (variant.blinds, variant.antes) == ((100, 200, 200, 0), (0, 0, 100, 100))
    variant = ours("ggpoker.txt")[0]["RC1000000001"].variant
    assert (variant.blinds, variant.least_bet, variant.first[0]) == ((100, 200, 400, 0), 200, 3)
    variant = ours("pokernow.csv")[0][8].variant
    assert (variant.first[0], variant.antes, max(variant.blinds)) == (-1, (10, 10, 10), 0)


def test_what_a_tournament_prints_no_posts_for_is_posted_by_its_level():
    hand = ours("party.txt")[0][30000000002]
    assert (hand.players, hand.variant.antes) == (("Bob", "Ann", "Hero"), (100, 100, 100))
    assert hand.variant.blinds[1] == 2000


def test_cards_of_other_languages():
    assert card_rows(["8Pik BKaro 10Herz", "DKreuz", "♠"[:0]]) == card_rows(["8s Jd Th", "Qc", ""])
    assert card_rows(["10♣ A♠"]) == card_rows(["Tc As"])
    assert card_rows(["Âh Äc Òd Ês"]) == card_rows(["Jh Qc Ad Ks"])
    assert card_rows(["Vh Bd"]) == card_rows(["Qh Jd"])  # Dutch: French has no B
    with pytest.raises(Refused, match="2 languages"):
        card_rows(["Vh 2d"])  # a French jack, a Dutch queen
    with pytest.raises(Refused, match="unknown card"):
        card_rows(["Xh"])


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        *(("$1,234.50", "1234.50"), ("1 234,50 EUR", "1234.50"), ("1.183.764 $", "1183764")),
        *(("0,01 $", "0.01"), ("8.000 $", "8000"), ("€0.05", "0.05"), ("1 123 698", "1123698")),
        *(("42.797,60 $", "42797.60"), ("$0.005", "0.005"), ("6.02k", "6020"), ("2B", "2000000000")),
        *(("12,5", "12.5"), ("1,250", "1250"), ("100,000", "100000"), ("1'000.50", "1000.50")),
    ],
)
def test_amounts_in_every_format(text, worth):
    assert amount(text) == Decimal(worth) * PARTS


def test_plain_amounts_have_english_marks():
    assert [plain_amount(text) / PARTS for text in ("$1,234.5", "3.125", "50K")] == [1234.5, 3.125, 50_000]
    for text in ("", "chips", "1" * 20, "1.00001", "999999999999999"):
        with pytest.raises(Refused):
            plain_amount(text)


def mistakes(hand: Hand, text: str, room: str) -> list[str]:
    """How a hand differs from the totals that plain expressions find in its text."""
    stated, state, unit = totals(text, room), replay(hand), hand.unit
    found = [
        f"stack of {player}"
        for player, chips in zip(hand.players, hand.stacks, strict=True)
        if player in stated.stacks and stated.stacks[player] != chips * unit
    ]
    dead = state.variant.antes if len(set(state.variant.antes)) > 1 else (0,) * len(hand.players)
    live = sorted(max(paid - ante, 0) for paid, ante in zip(state.committed, dead, strict=True))
    pot = sum(state.committed) - (live[-1] - live[-2])
    rake = hand.origin.rake * unit + stated.added
    collected = sum(stated.collected.values())
    found += ["chips lost"] * (sum(hand.payoffs) != -hand.origin.rake)
    rounded = room == "Winamax" and unit < 1 and hand.origin.tournament
    if stated.rake is not None and stated.rake != rake and not rounded:
        found.append("rake")
    if stated.pot is not None and stated.pot - stated.added not in (pot * unit, collected - stated.added):
        found.append("pot")
    if stated.collected.keys() <= set(hand.players) and collected:
        answered = True  # one player at most has a surplus: the chips of the others then settle it
        for player, payoff, paid in zip(hand.players, hand.payoffs, state.committed, strict=True):
            gross = stated.collected[player] + stated.returned[player]
            got, back = (payoff + paid) * unit, (live[-1] - live[-2]) * unit
            pushed = gross - got  # of a raise that nobody could answer
            if gross not in (got, got - back):
                if not (answered and pushed > 0 and paid == live[-1]):
                    found.append(f"result of {player}")
                answered = False
    return found


@pytest.mark.parametrize("name", sorted(set(NET) & set(ROOM)))
def test_totals_are_those_of_plain_expressions(name):
    text = (OURS / name).read_text("utf-8")
    found, _ = ours(name)
    verified = 0
    for part in texts_of(text, ROOM[name]):
        for number, hand in found.items():
            if re.search(rf"\b{number}\b|#[A-Z]*{re.sub('^[A-Z]*', '', str(number))}\b", part[:200]):
                assert mistakes(hand, part, ROOM[name]) == []
                verified += 1
    assert verified == len(found)


def damage(rng: random.Random, lines: list[str], others: list[str]) -> list[str]:
    """A few lines deleted, doubled, exchanged, cut, overwritten, or with other numbers."""
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(lines))
        line = lines[at]
        spot = rng.randrange(len(line) + 1)
        match rng.randrange(8):
            case 0:
                del lines[at]
            case 1:
                lines.insert(rng.randrange(len(lines) + 1), line)
            case 2:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], line
            case 3:
                lines[at] = (
                    line[:spot]
                    + chr(rng.choice((*b' ()[]:$.,0"#-<&', 0, 0x20AC, 0x663, 0xB2)))
                    + line[spot + 1 :]
                )
            case 4:
                lines[at] = line[:spot]
            case 5:
                numbers = list(re.finditer(r"\d+", line))
                if numbers:
                    number = rng.choice(numbers)
                    value = rng.choice((0, -1, 10 ** rng.randrange(1, 30), rng.randrange(5000)))
                    lines[at] = line[: number.start()] + str(value) + line[number.end() :]
            case 6:
                lines = lines[: at + 1]
            case 7:
                lines.insert(at, rng.choice(others))
        if not lines:
            lines = [rng.choice(others)]
    return lines


def survive(texts: int, seed: int) -> Counter[str]:
    """Read damaged texts: every outcome is a whole hand or a typed refusal."""
    rng, outcomes = random.Random(seed), Counter[str]()
    known = []
    for name in NET:
        lines = (OURS / name).read_text("utf-8").split("\n")
        room = next(room for room in ROOMS if room.recognises("\n".join(lines[:40])))
        known.append((room, lines))
    for _ in range(texts):
        room, lines = rng.choice(known)
        start = rng.randrange(len(lines))
        faults: list[Refused] = []
        for hand in room.read(
            damage(rng, lines[start : start + 60], rng.choice(known)[1]), "text", faults.append
        ):
            state = replay(hand)
            assert (state.is_over, sum(hand.payoffs)) == (True, -hand.origin.rake)
            assert all(won >= -stack for won, stack in zip(hand.payoffs, hand.stacks, strict=True))
            outcomes["read"] += 1
        outcomes.update(fault.reason for fault in faults)
    return outcomes


def test_damaged_texts_are_read_or_refused():
    outcomes = survive(400, seed=1)
    assert 100 < outcomes["read"] < outcomes.total() / 2


@pytest.mark.slow
def test_50000_damaged_texts_are_read_or_refused():
    assert survive(50_000, seed=2)["read"] > 10_000


def test_a_text_without_end_is_bounded():
    head = (OURS / "stars.txt").read_text("utf-8").split("\n")[:9]
    faults: list[Refused] = []
    assert not list(ROOMS[0].read([*head, *["Ann: checks"] * 5000], "x", faults.append))
    assert [fault.reason for fault in faults] == ["hand too long"]


def test_the_rest_of_a_hand_that_was_cut_at_its_head_is_counted():
    lines = (OURS / "stars.txt").read_text("utf-8").split("\n")[2:60]
    faults: list[Refused] = []
    assert [hand.id for hand in ROOMS[0].read(lines, "x", faults.append)] == [100000000002]
    assert [(fault.reason, fault.where) for fault in faults] == [("cut off", "x, line 1")]


def test_a_short_big_blind_leaves_the_others_the_whole_one():
    text = """Bovada Hand #4000000009 TBL#14 HOLDEM No Limit - 2026-01-02 10:10:00
        Seat 1: Dealer ($41.21 in chips)
        Seat 2: Small Blind ($41.21 in chips)
        Seat 3: Big Blind [ME] ($0.11 in chips)
        Small Blind : Small Blind $0.10
        Big Blind  [ME] : All-in $0.11
        *** HOLE CARDS ***
        Dealer : Card dealt to a spot [Kh 2d]
        Big Blind  [ME] : Card dealt to a spot [Ad Ah]
        Dealer : Calls $0.25
        Small Blind : Folds
        Dealer : Return uncalled portion of bet $0.14
        *** FLOP *** [Jd 6s 4c]
        *** TURN *** [Jd 6s 4c] [3s]
        *** RIVER *** [Jd 6s 4c 3s] [Jc]
        Big Blind  [ME] : Hand result $0.31
        *** SUMMARY ***
        Total Pot($0.32)"""
    (hand,) = read(text)
    assert (hand.variant.blinds, hand.payoffs, hand.origin.rake) == ((10, 25, 0), (-10, 20, -11), 1)


def test_a_big_blind_ante_is_dead_money():
    text = """Winamax Poker - Tournament "N" buyIn: 4€ level: 9 - HandId: #11-31-17 - Holdem no limit \
(300/150/300) - 2026/01/02 10:16:40 UTC
        Table: 'N(275362690)#3' 6-max (real money) Seat #2 is the button
        Seat 1: Ann (480)
        Seat 2: Bob (6200)
        Seat 3: Hero (4000)
        Ann posts ante 300
        Hero posts small blind 150
        Ann posts big blind 180 and is all-in
        Bob raises 300 to 600
        Hero folds
        *** FLOP *** [Qc 4d 4s]
        *** TURN *** [Qc 4d 4s][6s]
        *** RIVER *** [Qc 4d 4s 6s][2h]
        Bob shows [Ah Ks] (One pair : 4)
        Ann shows [8s 8d] (Two pairs : 8 and 4)
        Ann collected 810 from pot
        Bob collected 420 from side pot
        *** SUMMARY ***
        Total pot 1230 | No rake"""
    (hand,) = read(text)
    assert (hand.variant.antes, hand.payoffs) == ((0, 300, 0), (-150, 330, -180))


def test_xml_with_a_document_type_is_refused():
    text = (OURS / "ipoker.txt").read_text("utf-8")
    faults: list[Refused] = []
    evil = text.replace("<session", '<!DOCTYPE x [<!ENTITY a "b">]><session', 1)
    room = next(room for room in ROOMS if room.name == "iPoker")
    assert not list(room.read(evil.splitlines(), "x", faults.append))
    assert {fault.reason for fault in faults} == {"unknown format"}


def real(data: Path) -> dict[str, tuple[str, str]]:
    with tarfile.open(data / "rooms.tar.gz") as tar:
        members = [member for member in tar if member.isfile()]
        texts = {m.name: tar.extractfile(m).read().decode("utf-8-sig", "replace") for m in members}
    return {name: (name.split("/")[-2], text.replace("\r\n", "\n")) for name, text in texts.items()}


def test_real_hands_have_the_totals_of_their_own_lines(real_data):
    read_by_room, texts_by_room, wrong = Counter(), Counter(), []
    for name, (room, text) in real(real_data).items():
        found: dict[str, list[Hand]] = {}
        reader = next(each for each in ROOMS if each.recognises(text[:4000]))
        for hand in reader.read(text.split("\n"), name, lambda fault: None):
            found.setdefault(str(hand.id), []).append(hand)
        for part in texts_of(text, room):
            texts_by_room[room] += 1
            key = next(
                (key for key in found if re.search(rf"(?<![\w-]){key}\b", part[:160].replace("#C", "#"))),
                None,
            )
            if key is None:
                continue
            hand = found[key].pop(0)
            if not found[key]:
                del found[key]
            read_by_room[room] += 1
            wrong += [f"{name} {key}: {mistake}" for mistake in mistakes(hand, part, room)]
    assert wrong == []
    for room, count in texts_by_room.items():
        assert read_by_room[room] >= 0.94 * count, room  # files that were cut in the sample count here too


@pytest.mark.filterwarnings("ignore")
def test_pokerkit_pays_the_same_where_it_reads_a_hand(real_data, capsys):
    notation = pytest.importorskip("pokerkit.notation")
    compared = 0
    for name, (room, text) in real(real_data).items():
        if room != "Stars":  # its parsers of the other rooms read none of these texts
            continue
        reader = next(each for each in ROOMS if each.recognises(text[:4000]))
        mine = {hand.id: hand for hand in reader.read(text.split("\n"), name, lambda fault: None)}
        for history in notation.PokerStarsParser()(text, parse_value=Decimal):
            hand = mine.get(int(history.hand))
            if hand is None or any(hand.variant.antes):  # it passes over the antes of this room
                continue
            payoffs = dict(zip(history.players, list(history)[-1].payoffs, strict=True))
            by_rules = zip(hand.players, replay(hand).payoffs(), strict=True)
            assert {player: chips * hand.unit for player, chips in by_rules} == payoffs, (name, hand.id)
            compared += 1
    assert compared > 100


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Monday, April 25, 09:42:13 BST 2011", "2011-04-25T09:42:13+01:00"),
        ("15:13 ET - Wed, July 21, 2010", "2010-07-21T15:13:00-04:00"),
        ("22-Jan-2011 20:11:15", "2011-01-22T20:11:15"),
        ("*** 04 03 2012 15:32:21", "2012-03-04T15:32:21"),
    ],
)
def test_times_have_their_parts_in_any_order(text, time):
    assert time_of(text).isoformat() == time
