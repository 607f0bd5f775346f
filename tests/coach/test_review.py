"""The review of a log: the values, their independence of what nobody saw, the page, the folders."""

import base64
import json
import re
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from urllib.parse import parse_qsl

import pytest

import baycarp
from baycarp.arena.journal import Journal
from baycarp.arena.session import Table, play_session
from baycarp.arena.workers import Workers
from baycarp.budget import Budget
from baycarp.cli import main
from baycarp.coach.findings import find_themes
from baycarp.coach.hands import read_hands
from baycarp.coach.page import ReviewSource, page
from baycarp.coach.review import BLOCK, advises, review, review_of, reviewed_player
from baycarp.coach.themes import Occasion
from baycarp.coach.valuation import Judge, judged
from baycarp.errors import ArgumentError, JournalError, NotationError
from baycarp.evaluation import strength
from baycarp.game import Action, Variant
from baycarp.game.action import action_text
from baycarp.game.notation import door
from baycarp.game.notation.acpc import format_state, read_log
from baycarp.game.notation.hand import states
from baycarp.web.sitting import Seating, Sitting

GAME = "holdem.limit.2p.reverse_blinds"
THREE = "holdem.limit.3p"
RIVER = "STATE:0:rc/cc/cc/r{}:{}|AdKd/Ks7s2c/3s/Tc:20|-20:Ann|Bob"
QUICK = Judge(playouts=60)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Twenty-four hands of a player that calls every bet, and of two that know better."""
    game = Variant.load(THREE)
    played = play_session(Table(game, ("Ann", "Bob", "Cy"), ("call", "baycarp", "rule"), seed=1), 0, 24)
    path = tmp_path_factory.mktemp("log") / "it's hands.log"
    path.write_text("".join(f"{line}\n" for line in played.log))
    return path


@pytest.fixture(scope="module")
def reviewed(log):
    hands = list(read_log(log, Variant.load(THREE)))
    return hands, review(hands, "Ann", QUICK)


def river(act, hole="9h8h"):
    (hand,) = door.read(RIVER.format(act, hole), game=GAME)
    return hand


def test_a_fold_of_the_best_hand_but_a_few_costs_what_the_call_wins():
    """Heads-up on the river, beside the exact share of a call against any two cards."""
    *_, fold = advises([river("f")], "Bob")
    assert (fold.taken, fold.theme) == (Action("fold"), "folds too much to bets on the river")
    call = next(value for value in fold.values if value.action.name == "call")
    share = strength("AdKd", "Ks7s2c3sTc")[0]
    pot = fold.observation.state.pot
    assert 0.6 * share * (pot + 20) - 20 < call.chips < pot + 20
    assert fold.cost > 10 * fold.error > 0
    assert fold.sentence.startswith("You beat")
    assert Action("fold") not in fold.best


def test_a_value_does_not_depend_on_cards_that_the_player_did_not_see():
    one, other = ([*judged([river("f", hole)], "Bob", QUICK)] for hole in ("9h8h", "KhKc"))
    for (_, first), (_, second) in zip(one, other, strict=True):
        assert [each.stage.values for each in first] == [each.stage.values for each in second]
        assert [each.policy for each in first] == [each.policy for each in second]


@pytest.mark.slow
def test_a_caller_gets_remarks_of_calls_and_the_default_agent_hardly_any(reviewed):
    hands, found = reviewed
    assert found.hands == 24
    assert 1 <= len(found.remarks) <= 24 // BLOCK
    assert {each.taken.name for each in found.remarks} <= {"call", "check"}
    costs = [each.cost for each in found.remarks]
    assert costs == sorted(costs, reverse=True)
    assert all(each.cost > each.error for each in found.remarks)
    assert len(review(hands, "Bob", QUICK).remarks) <= 1


def test_right_decisions_of_a_theme_stand_between_the_mistakes_of_the_drill(reviewed):
    spots = reviewed[1].spots
    wrong, right = ([each.theme for each in spots if each.right is value] for value in (False, True))
    assert wrong
    assert set(right) <= set(wrong)
    assert all(right.count(theme) <= wrong.count(theme) for theme in right)
    assert all(each.taken in each.best for each in spots if each.right)


@pytest.mark.slow
def test_workers_and_blocks_do_not_change_the_values(reviewed):
    hands, _ = reviewed
    few = Judge(playouts=20)
    one, two = ([*judged(hands, "Ann", few, workers=Workers(count))] for count in (1, 2))
    flat = [
        [(each.hand, each.act, each.stage.values) for _, rows in found for each in rows]
        for found in (one, two)
    ]
    assert list(map(str, flat[0])) == list(map(str, flat[1]))
    assert [count for count, _ in two] == [10, 20, 24]


def test_mistakes_have_the_policy_of_an_agent_without_memory(reviewed):
    hands, few, found = reviewed[0], Judge(playouts=20), 0
    for _, rows in judged(hands, "Ann", few):
        for each in rows:
            if each.is_right(each.taken):
                assert not each.unknown
                continue
            hand = hands[each.hand]
            seat = hand.players.index("Ann")
            observation = [*states(hand)][each.act].observe(seat, hand.players, each.hand)
            memoryless = few.seated(hand.variant, hands[0].players.index("Ann"))
            policy = memoryless.decide(observation, budget=Budget(playouts=20)).policy
            assert each.unknown == pytest.approx(dict(policy))
            found += 1
    assert found > 5


def test_hands_that_are_left_out_count_nowhere(reviewed):
    hands, _ = reviewed
    found = review(hands, "Ann", Judge(playouts=20), left_out=range(12, 24))
    assert found.hands == 12
    assert all(each.observation.hand < 12 for each in (*found.remarks, *found.spots))


def test_an_unknown_player_and_an_agent_without_values_are_refused(reviewed):
    hands = reviewed[0]
    assert reviewed_player(hands, "Ann") == "Ann"
    with pytest.raises(NotationError, match="'Ann', 'Bob', 'Cy'"):
        reviewed_player(hands)
    with pytest.raises(NotationError, match="no hand with recorded cards"):
        review([replace(hands[0], holes=((), (), ()))], "Ann")
    with pytest.raises(ArgumentError, match="values its actions"):
        review(hands, "Ann", Judge("rule"))


def test_the_themes_of_a_review_are_those_of_its_decisions(reviewed):
    hands, found = reviewed
    decisions = [each for _, rows in judged(hands, "Ann", QUICK) for each in rows]
    again = review_of(hands, "Ann", decisions)
    assert [str(each) for each in again.themes] == [str(each) for each in found.themes]
    observations = {
        (each.observation.hand, len(each.observation.acts)): each for each in advises(hands, "Ann", QUICK)
    }
    rows = [
        (each, Occasion.of(observations[each.hand, each.act].observation, each.stage.share))
        for each in decisions
    ]
    assert [each.occasions for each in find_themes(rows, 24)] == [each.occasions for each in found.themes]


class _Parts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *each) for each in attrs]


HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;b&gt;</title></style>",
)


def hostile_page(reviewed):
    hands = [
        replace(hand, players=tuple(HOSTILE[ord(name[0]) % 3] for name in hand.players))
        for hand in reviewed[0]
    ]
    found = review(hands[:8], HOSTILE[ord("A") % 3], Judge(playouts=20))
    return page(found, hands, ReviewSource(f"{HOSTILE[0]}'.log", HOSTILE[1]))


def test_names_and_paths_are_no_markup(reviewed):
    text = hostile_page(reviewed)
    parts = _Parts()
    parts.feed(text)
    assert [parts.tags.count(tag) for tag in ("script", "style", "title", "img")] == [2, 1, 1, 0]
    loads = {"src", "href", "style", "action", "srcset", "formaction"}
    assert not [each for each in parts.attributes if each[1] in loads or each[1].startswith("on")]
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])
    assert data["review"]["player"] in HOSTILE


def test_the_content_policy_names_the_style_and_the_script(reviewed):
    text = hostile_page(reviewed)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    for tag, begins in (("style", "<style>"), ("script", '<script type="module">')):
        content = re.search(rf"{begins}(.*?)</{tag}>", text, re.DOTALL)[1]
        digest = base64.b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_a_decision_links_to_its_hand_and_names_its_command(reviewed, log):
    hands, found = reviewed
    text = page(found, hands, ReviewSource(str(log), THREE))
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])
    for advice, spot in zip(found.spots, data["spots"], strict=True):
        number, act = advice.observation.hand, len(advice.observation.acts)
        assert f"--hand {number + 1} --act {act + 1} --game {THREE}" in spot["links"]["command"]
        is_spot = bool(advice.observation.street) and len(advice.observation.state.seats_in) == 2
        assert ("study" in spot["links"]) == is_spot
        if is_spot:
            fields = dict(parse_qsl(spot["links"]["study"].split("?", 1)[1]))
            assert fields == {"line": format_state(hands[number]), "game": THREE, "act": str(act)}
        assert spot["seat"] in ("BTN", "SB", "BB")


def test_the_command_line_writes_the_page(log, tmp_path, capsys):
    out = tmp_path / "r.html"
    typed = ["review", str(log), "--player", "Ann", "--game", THREE, "--playouts", "20"]
    assert main([*typed, "--workers", "1", "--out", str(out)]) == 0
    assert out.read_text().startswith("<!doctype html>")
    assert "24 hands" in capsys.readouterr().out


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
                if sitting.hand == 5:
                    sitting.mark(5)
            elif sitting.waits:
                legal = sitting.observe().legal_actions()
                act = next(each for each in legal if each.name in ("check", "call"))
                sitting.act(action_text(act), sitting.hand, len(sitting.observe().acts))
            else:
                sitting.step()
        lines = [each.line() for each in sitting.finished]
    assert [format_state(hand) for hand in read_hands(tmp_path)] == lines
    assert [format_state(hand) for hand in baycarp.read(tmp_path)] == lines[:5]
    out = tmp_path / "review.html"
    assert main(["review", str(tmp_path), "--playouts", "10", "--workers", "1", "--out", str(out)]) == 0
    assert "5 hands" in capsys.readouterr().out


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
