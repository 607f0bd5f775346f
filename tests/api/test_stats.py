"""``baycarp.stats``: filters, intervals, tables, records, frames; and the model of a player on real hands."""

import json
import re

import numpy as np
import pytest

import baycarp
from baycarp.errors import ArgumentError, NotationError
from baycarp.game import Variant
from baycarp.game.notation.acpc import parse_state
from baycarp.opponents.moves.players import load_players

LINES = [
    "STATE:0:rc/crf:AhKd|7c2h/Qs7d2c:-20|20:Ann|Bob",
    "STATE:1:rf:2c7d|AhKd:-10|10:Bob|Ann",
    "STATE:2:cc/cc/cc/cc:2c7d|AhKd/Qs7h2h/3c/4c:10|-10:Ann|Bob",
]


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    path = tmp_path_factory.mktemp("stats") / "hands.log"
    path.write_text("\n".join(LINES) + "\n")
    return path


def test_a_file_several_or_hands_are_counted_alike(record):
    game = "holdem.limit.2p.reverse_blinds"
    hands = [*baycarp.read(record, game=game)]
    expected = baycarp.stats(record, game).to_records()
    assert json.dumps(baycarp.stats(hands).to_records()) == json.dumps(expected)
    assert json.dumps(baycarp.stats(iter(hands)).to_records()) == json.dumps(expected)
    assert baycarp.stats([record, record], game).counts.hands == 6  # no room: numbers are of a file


def test_shares_have_wilson_intervals_and_filters_hold(record):
    found = baycarp.stats(record, player="Ann", position="bb")
    (row,) = (each for each in found.to_records() if each["statistic"] == "vpip" and each["depth"] == "all")
    assert (row["player"], row["position"], row["made"], row["of"], row["value"]) == ("Ann", "BB", 1, 2, 0.5)
    assert (row["low"], row["high"]) == pytest.approx((0.0945, 0.9055), abs=1e-4)  # of 1 in 2
    flop = baycarp.stats(record, street="flop").player("Bob")
    assert str(flop.share("aggression_frequency", street="flop")) == "1/1"
    assert {each["statistic"] for each in baycarp.stats(record, street="flop").to_records()} == {
        "continuation_bet", "fold_to_continuation_bet", "check_raise", "aggression_factor",
        "aggression_frequency", "won", "won_all_in_adjusted",
    }  # fmt: skip


def test_the_second_rate_is_named_by_its_estimator(record):
    assert re.search(r"all-in adjusted +.*\n", text := str(baycarp.stats(record)))
    assert "All-in adjusted: equity replaces the board of an all-in" in text
    assert "All-in adjusted" not in str(baycarp.stats(record, street="flop"))  # has no win rate


def test_win_rates_are_those_of_numpy(record):
    rate = baycarp.stats(record).player("Ann").rate()
    won = np.array([-20, 10, 10]) / 10
    assert rate.mean == pytest.approx(100 * won.mean())
    spread = won.std(ddof=1) / 3**0.5
    assert rate.margin == pytest.approx(100 * 4.302653 * spread)


@pytest.mark.parametrize(
    ("filters", "error", "says"),
    [
        ({"player": "Cid"}, ArgumentError, "'Cid': expected one of the hands', such as Ann, Bob"),
        ({"position": "middle"}, ArgumentError, "position 'middle'"),
        ({"street": "ocean"}, ArgumentError, "street 'ocean'"),
        ({"since": "soon"}, ArgumentError, "since 'soon'"),
        ({"since": "2026-01-01"}, NotationError, "no hand is left to count: 3 no date"),
        ({"stakes": "50/100"}, NotationError, "3 stakes other than 50/100"),
        ({"place": 1}, ArgumentError, "setting 'place': expected one of player, position"),
    ],
)
def test_wrong_filters_are_named(record, filters, error, says):
    with pytest.raises(error, match=says):
        baycarp.stats(record, **filters)


def test_tables_fit_80_columns_and_the_rest_is_said(record):
    for filters in ({}, {"player": "Ann"}, {"player": ["Bob", "Ann"], "position": "BTN"}):
        text = str(baycarp.stats(record, **filters))
        assert max(map(len, text.splitlines())) <= 80
        assert "VPIP" in text


def test_names_from_a_file_do_nothing_to_a_terminal():
    line = LINES[0].replace("Ann", "[/x]\x1b[2J\u202e")
    text = str(baycarp.stats([parse_state(line, Variant.load("holdem.limit.2p.reverse_blinds"))]))
    assert "[/x]\\x1b[2J\\u202e" in text
    assert not {"\x1b", "\u202e"} & {*text}


def test_frames_of_any_maker_and_files(record, tmp_path):
    found = baycarp.stats(record)
    frame = pytest.importorskip("pandas") and found.to_frame("pandas")
    assert list(frame.columns)[:4] == ["player", "position", "depth", "hands"]
    assert len(frame) == len(found.to_records())
    found.save(tmp_path / "stats.csv")
    assert (tmp_path / "stats.csv").read_text().startswith("player,position,depth,hands,statistic,made,of,")
    found.draw(tmp_path / "stats.svg")
    assert "VPIP" in (tmp_path / "stats.svg").read_text() or (tmp_path / "stats.svg").stat().st_size > 5000


def test_without_narwhals_a_frame_hints(record, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "narwhals", None)
    with pytest.raises(ImportError, match=r"pip install 'baycarp\[frames\]'"):
        baycarp.stats(record).to_frame()


def test_a_model_is_saved_and_introduced(record, tmp_path):
    model = baycarp.stats(record).player("Ann").model()
    model.save(tmp_path / "ann.npz")
    assert load_players(tmp_path / "ann.npz").shares == (1.0,)
    bot = baycarp.load(f"alike(model={str(tmp_path / 'ann.npz')!r})")
    searcher = baycarp.load(f"mcts(model={str(tmp_path / 'ann.npz')!r}, playouts=10)")
    observation = baycarp.observe("MATCHSTATE:0:0:r:AhKd|", game="holdem.limit.2p.reverse_blinds")
    for agent in (bot, searcher):
        decision = agent.decide(observation)
        assert sum(decision.policy.values()) == pytest.approx(1)
    for name in ("baycarp", "mcts", "baycarp2", "gambler"):
        agent = baycarp.load(name)
        agent.sit(0, Variant.load("holdem.limit.2p.reverse_blinds"), 1)
        before = str(agent.decide(observation._replace(players=("me", "Ann"))).policy)
        assert model.introduce(agent) == 3
        assert before  # it still decides
        agent.decide(observation._replace(players=("me", "Ann")))


@pytest.mark.slow
def test_real_hands_make_a_bot_whose_frequencies_are_the_players(real_data):
    """Learned from 4/5 of Pluribus' opponent's hands, judged at its decisions in the last fifth."""
    from reference.frequencies import expected_and_made

    every = baycarp.read(real_data / "pluribus-6max-nolimit.phhs.gz")
    hands = [hand for hand in every if "Bill" in hand.players]
    hands = hands[:1500]
    learned, held_out = hands[:1200], hands[1200:]
    model = baycarp.stats(learned).player("Bill").model().players
    expected, made = expected_and_made(model, "Bill", held_out)
    shipped, _ = expected_and_made(load_players(), "Bill", held_out)
    for street in (0, 1):
        count = made[street].sum()
        error = np.abs(expected[street] - made[street]) / count
        assert error.max() < 0.035 + 2 * (0.25 / count) ** 0.5
    pre = made[0].sum()
    assert np.abs(expected[0] - made[0]).sum() < np.abs(shipped[0] - made[0]).sum()
    assert np.abs(expected[0] - made[0]).max() / pre < 0.05
