"""The review of a log: rollouts against exact values, the choice of remarks, the page, its commands."""

import base64
import re
import shlex
from dataclasses import replace
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from io import StringIO
from itertools import combinations
from urllib.parse import parse_qsl

import numpy as np
import pytest

import baycarp
from baycarp.arena.journal import Journal
from baycarp.arena.session import Table, play_session
from baycarp.arena.workers import Workers
from baycarp.card import blocked_by, holding_index, text
from baycarp.cli import main
from baycarp.coach.choose import BLOCK, DRILL, Judged, ReviewSelection, choose, holm
from baycarp.coach.hands import read_hands
from baycarp.coach.page import Source, commands, page
from baycarp.coach.rollouts import Rollouts, compare
from baycarp.coach.spots import OpponentRange, Review, ReviewSpot, find_spots, reviewed_player
from baycarp.errors import JournalError, NotationError, RangeError
from baycarp.evaluation import equity
from baycarp.game import STREETS, Action, Variant
from baycarp.game.action import action_text
from baycarp.game.notation.acpc import format_state, parse_state, read_log
from baycarp.solvers.spots.spot import Spot
from baycarp.web.sitting import Seating, Sitting

GAME = "holdem.limit.2p.reverse_blinds"
THREE = "holdem.limit.3p"
VOTE = "baycarp2(opponents='styles')"


def river_spot(weights):
    """Bob's fold on the river; the opponent holds one of a range."""
    hand = parse_state("STATE:0:rc/cc/cc/rf:9h8h|AdKd/Ks7s2c/3s/Tc:-20|20:Ann|Bob", Variant.load(GAME))
    return ReviewSpot(
        hand, 1, 0, len(hand.actions) - 1, 1, Action("fold"), Action("call", 20), (OpponentRange(0, weights),)
    )


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Thirty hands of a player that calls every bet, and an agent that the reviews are judged by."""
    game = Variant.load("holdem.limit.3p")
    played = play_session(Table(game, ("Ann", "Bob", "Cy"), ("call", VOTE, "rule"), seed=1), 0, 30)
    path = tmp_path_factory.mktemp("log") / "it's hands.log"
    path.write_text("".join(f"{line}\n" for line in played.log))
    return path


@pytest.fixture(scope="module")
def reviewed(log):
    hands = list(read_log(log, Variant.load("holdem.limit.3p")))
    review = find_spots(hands, "Ann", "baycarp")
    return hands, review, choose(review, Rollouts("rule", 1, 100), Workers(1))


def test_an_answer_begins_with_the_reason_of_the_agent(reviewed):
    _, review, selection = reviewed
    text = page(review, selection, Source("x.log", "", "baycarp", "rule"))
    for judged in selection.remarks:
        reason = judged.spot.reason
        assert reason.startswith("You")
        assert f'<p class="reason">{reason}</p><p class="cost">' in unescape(text)


def test_the_gain_of_a_call_is_its_equity():
    """Call and fold on the river differ by the share of the pot, less the price: exact by enumeration."""
    spot = river_spot(np.ones(1326))
    observation = spot.observation()
    free = ~blocked_by((*observation.hole, *observation.board))
    share = equity(np.eye(1326)[holding_index(*observation.hole)], free.astype(float), observation.board)
    pot, price = observation.state.pot, observation.state.owed
    exact = (share * (pot + price) - price) / observation.variant.big_blind
    found = compare(Rollouts("call", 1, 4000), spot)
    assert 0 < found.error < 0.1
    assert abs(found.mean - exact) < 4 * found.error


def test_opponents_hold_what_the_belief_gives_them():
    aces = np.zeros(1326)
    aces[holding_index(51, 50)] = 1.0
    better = compare(Rollouts("call", 1, 20), river_spot(aces))
    observation = river_spot(aces).observation()
    assert (better.mean, better.error) == (-observation.state.owed / observation.variant.big_blind, 0.0)
    assert better.chance == 1.0
    with pytest.raises(RangeError):
        compare(Rollouts("call", 1, 20), river_spot(np.zeros(1326)))
    known = np.zeros(1326)
    known[holding_index(*observation.hole)] = 1.0
    with pytest.raises(RangeError):
        compare(Rollouts("call", 1, 20), river_spot(known))


def test_holm_is_the_closed_procedure_of_bonferroni():
    """A hypothesis is rejected if and only if Bonferroni rejects every intersection that it is in."""
    random = np.random.default_rng(1)
    for _ in range(200):
        chances = random.random(4) ** 4
        sets = [each for size in range(1, 5) for each in combinations(range(4), size)]
        rejected = {each for each in sets if min(chances[list(each)]) <= 0.05 / len(each)}
        closed = [all(each in rejected for each in sets if at in each) for at in range(4)]
        assert holm(list(chances), 0.05) == closed


def test_a_caller_gets_remarks_and_the_judging_agent_none(reviewed):
    hands, review, selection = reviewed
    assert review.hands == 30
    blocks = [each.spot.turn // BLOCK for each in selection.remarks]
    assert 3 <= len(blocks) == len(set(blocks)) <= 6
    assert all(each.spot.taken.name in ("call", "check") for each in selection.remarks)
    assert all(each.cost.interval[0] > 0 for each in selection.remarks)
    assert len(selection.drill) <= DRILL
    means = [each.cost.mean for each in selection.drill]
    assert means == sorted(means, reverse=True)
    own = choose(find_spots(hands, "Bob", VOTE), Rollouts("rule", 1, 100), Workers(1))
    assert len(own.remarks) <= 1


def test_workers_do_not_change_the_choice(reviewed):
    _, review, _ = reviewed
    few = replace(review, spots=review.spots[:4])
    one, two = (choose(few, Rollouts("rule", 1, 60), Workers(count)) for count in (1, 2))
    assert [each.cost for each in one.drill] == [each.cost for each in two.drill]


def test_deals_that_choose_do_not_value(reviewed):
    spot = reviewed[1].spots[0]
    first, second = (compare(Rollouts("rule", 1, 50, stream), spot) for stream in (0, 1))
    assert first.mean != second.mean


class _Parts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.ids = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *each) for each in attrs]


HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&lt;b&gt;</title></style>")


def hostile_page(reviewed):
    _, review, selection = reviewed

    def renamed(judged):
        hand = replace(judged.spot.hand, players=HOSTILE)
        ranges = tuple(replace(each, evidence=HOSTILE[1]) for each in judged.spot.ranges)
        return Judged(replace(judged.spot, hand=hand, ranges=ranges), judged.cost)

    kept = ReviewSelection(*(tuple(map(renamed, each)) for each in (selection.remarks, selection.drill)), 3)
    source = Source(f"{HOSTILE[0]}'.log", HOSTILE[1], HOSTILE[0], HOSTILE[2])
    return page(Review(HOSTILE[0], 30, 9, review.spots), kept, source)


def test_names_and_paths_are_no_markup(reviewed):
    parts = _Parts()
    parts.feed(hostile_page(reviewed))
    assert (
        parts.tags.count("script")
        == parts.tags.count("style")
        == parts.tags.count("title") - 169 * (parts.attributes.count(("svg", "class", "grid")))
        == 1
    )
    assert "img" not in parts.tags
    loads = {"src", "style", "action", "srcset", "formaction"}
    links = [value for _, name, value in parts.attributes if name == "href"]
    assert all(re.fullmatch(r"study\.html#[\w%&=.+~-]*", each) for each in links)
    assert not [each for each in parts.attributes if each[1] in loads or each[1].startswith("on")]


def test_the_content_policy_names_the_style_and_the_script(reviewed):
    text = hostile_page(reviewed)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    for tag in ("style", "script"):
        content = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[1]
        digest = base64.b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_a_decision_of_two_players_after_the_flop_links_to_its_study(reviewed):
    """The address holds a spot: its board and pot, and both ranges, with the player's own cards."""
    found = 0
    _, review, selection = reviewed
    for judged in (*selection.remarks, *selection.drill):
        spot, observation = judged.spot, judged.spot.observation()
        text = page(review, ReviewSelection((judged,), (), 1), Source("a.log", GAME, "rule", "rule"))
        links = re.findall(r'href="study\.html#([^"]*)"', text)
        is_spot = bool(observation.street) and len(observation.state.seats_in) == 2
        assert len(links) == is_spot
        assert ("Not to be studied" in text) != is_spot
        for link in links:
            fields = dict(parse_qsl(unescape(link), keep_blank_values=True))
            studied = Spot(
                fields["board"], float(fields["pot"]), float(fields["stack"]), fields["oop"], fields["ip"]
            )
            assert studied.cards == observation.board
            held = holding_index(*observation.hole)
            own = {each.position: each.weights for each in spot.believed}[spot.seat]
            assert own[held] > 0
            found += 1
    assert found


def test_the_command_decides_the_same_cards_again(reviewed, log, capsys):
    spot = reviewed[2].remarks[0].spot
    words = shlex.split(commands(spot, Source(str(log), "holdem.limit.3p", "rule", "rule")).splitlines()[1])
    assert words[0] == "baycarp"
    assert main(words[1:]) == 0
    first = capsys.readouterr().out
    preflop = next(each for each in reviewed[1].spots if each.observation().street == 0)
    words = shlex.split(commands(preflop, Source(str(log), GAME, "rule", "rule")).splitlines()[1])
    assert words[2] == str(log)
    words[words.index(GAME)] = "holdem.limit.3p"
    assert main(words[1:]) == 0
    seen = spot.observation()
    board, hole = (" ".join(text([card]) for card in known) for known in (seen.board, seen.hole))
    assert f"{STREETS[seen.street]}: {board}, pot {seen.state.pot}" in first
    assert hole in first


def test_the_other_command_plays_the_same_cards_again(reviewed, log, capsys, monkeypatch):
    spot = reviewed[2].remarks[0].spot
    monkeypatch.setattr("sys.stdin", StringIO("q\n"))
    words = shlex.split(commands(spot, Source(str(log), "holdem.limit.3p", "rule", "rule")).splitlines()[0])
    assert main([*words[1:], "--adviser", "rule", "--terminal"]) == 0
    printed = capsys.readouterr().out
    seen = spot.observation()
    board, hole = (" ".join(text([card]) for card in known) for known in (seen.board, seen.hole))
    assert re.search(rf"> \S+ You +{hole} ", printed)
    assert f"{STREETS[seen.street]}: {board}, pot {seen.state.pot}" in printed
    assert "You to act" in printed


def test_an_unknown_player_is_refused(reviewed):
    hands = reviewed[0]
    assert reviewed_player(hands, "Ann") == "Ann"
    with pytest.raises(NotationError, match="'Ann', 'Bob', 'Cy'"):
        reviewed_player(hands, "")
    with pytest.raises(NotationError, match="no hand with recorded cards"):
        find_spots([replace(hands[0], holes=((), (), ()))], "Ann", "rule")


def test_the_command_line_writes_the_page(log, tmp_path, capsys):
    out = tmp_path / "r.html"
    typed = ["review", str(log), "--player", "Ann", "--game", "holdem.limit.3p", "--judge", "rule"]
    assert main([*typed, "--deals", "50", "--workers", "1", "--out", str(out)]) == 0
    assert out.read_text().startswith("<!doctype html>")
    assert "30 hands" in capsys.readouterr().out


@pytest.mark.parametrize("game", [Variant.load(GAME), Variant.ring(2), Variant.ring(3), Variant.load(THREE)])
def test_a_folder_of_the_browsers_table_is_played_again(tmp_path, capsys, game):
    """Also of a game without --game, whose name no shipped one or one with other blinds has."""
    others = ("Rule", "Second")[: game.seats - 1]
    seating = Seating(game, others, ("rule",) * len(others), "rule", seed=5)
    with Journal(tmp_path / "play.journal", seating.header()) as journal:
        sitting = Sitting(seating, journal)
        while len(sitting.finished) < 6:
            if sitting.over:
                sitting.next_hand(sitting.hand)
            elif sitting.waits:
                legal = sitting.observe().legal_actions()
                act = next(each for each in legal if each.name in ("check", "call"))
                sitting.act(action_text(act), sitting.hand, len(sitting.observe().acts))
            else:
                sitting.step()
        lines = [each.line() for each in sitting.finished]
    assert [format_state(hand) for hand in read_hands(tmp_path)] == lines
    assert [format_state(hand) for hand in baycarp.read(tmp_path)] == lines
    out = tmp_path / "review.html"
    assert main(["review", str(tmp_path), "--deals", "10", "--workers", "1", "--out", str(out)]) == 0
    assert "6 hands" in capsys.readouterr().out


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"0123456789abcdef {}\n",
        b"0123456789abcdef []\n",
        b'0123456789abcdef {"variant": "../../etc/passwd"}\n',
        b'0123456789abcdef {"variant": "holdem.limit.3p", "names": 1, "specs": 2}\n',
    ],
)
def test_a_folder_of_another_kind_is_refused_and_left_as_it_is(tmp_path, header):
    (tmp_path / "play.journal").write_bytes(header)
    with pytest.raises(JournalError, match="session of a shipped game"):
        read_hands(tmp_path, GAME)
    assert (tmp_path / "play.journal").read_bytes() == header
