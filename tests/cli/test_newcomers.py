"""What people type in their first minutes: each line of it works, or is answered in one."""

import pytest

import baycarp
from baycarp.agents.registry import load, players_of
from baycarp.cli import main
from baycarp.errors import IllegalAction, ModelError
from baycarp.game.variant import Variant
from baycarp.training.watch import folder_of, log_path

BOTS = """
from baycarp.agents.static.simple import AlwaysCall

class Fold(AlwaysCall):
    def decide(self, observation, time_limit=None, budget=None):
        return "fold"

class Nothing(AlwaysCall):
    def decide(self, observation, time_limit=None, budget=None):
        return None
"""

LOG = "STATE:0:rf:AhKd|7c2d:-10|10:Ann|Bob\n"


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(capsys, *words):
    """Exit status, output and errors of a command."""
    try:
        status = main([*map(str, words)])
    except SystemExit as ending:
        status = ending.code
    return status, *capsys.readouterr()


def test_a_trained_folder_is_an_agent_by_its_name(place, capsys):
    (place / "own.log").write_text(LOG)
    baycarp.imitate("from-log2", logs=["own.log"])
    assert load("from-log2").size == load("./from-log2").size
    assert typed(capsys, "match", "from-log2", "call", "--deals", "2", "--workers", "1")[0] == 0
    with pytest.raises(ModelError, match=r"agent 'from-log': did you mean from-log2\?"):
        load("from-log")
    (place / "notes").mkdir()
    with pytest.raises(ModelError, match=r"agent 'notes': a folder is named \./notes; expected a model's"):
        load("notes")
    (place / "from-log2").rename(place / "karma")  # the agents' own names come first
    assert type(load("karma")) is type(load("hari"))


def test_what_cannot_be_learned_from_leaves_no_trace(place, capsys):
    (place / "empty.log").write_text("")
    (place / "own.log").write_text(LOG)
    status, _, err = typed(capsys, "train", "tm", "--from", "empty.log", "--game", "holdem.limit.3p")
    assert (status, err) == (1, "baycarp train: empty.log: no hand in them\n")
    assert typed(capsys, "train", "tm", "--from", "own.log", "--player", "Cid", "--workers", "1")[0] == 1
    assert sorted(path.name for path in place.iterdir()) == ["empty.log", "own.log"]
    assert typed(capsys, "train", "tm", "--from", "own.log", "--workers", "1")[0] == 0


def test_longer_training_continues(place, capsys):
    words = ("train", "my-model", "--opponents", "none", "--workers", "1", "--hands")
    assert typed(capsys, *words, 20)[0] == 0
    short = log_path(place / "my-model" / "sessions", 0).read_bytes()
    assert typed(capsys, *words, 40)[0] == 0
    assert typed(capsys, "train", "other", *words[2:], 40)[0] == 0
    for name in ("preflop.npz", "river.npz"):  # as if nothing had been there before
        assert (place / "my-model" / name).read_bytes() == (place / "other" / name).read_bytes()
    assert log_path(place / "my-model" / "sessions", 0).read_bytes() == short
    status, _, err = typed(capsys, *words[:-1], "--seed", "7", "--hands", 40)
    assert (status, "another table's sessions" in err) == (1, True)
    assert folder_of(place / "new", None, 20) == place / "new"


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("bots.py:Fold", "Fold returned 'fold': expected Decision(action, {action: 1.0}) of one of obs"),
        ("bots.py:Nothing", "Nothing returned None: expected Decision("),
        (
            "bots.py:Flod",
            "agent 'bots.py:Flod': no Flod in it: expected one of Fold, Nothing; did you mean Fold?",
        ),
        ("empty.py:Flod", "agent 'empty.py:Flod': no Flod in it: expected a class"),
    ],
)
def test_a_bot_that_is_none_gets_one_line(place, capsys, bot, says):
    (place / "bots.py").write_text(BOTS)
    (place / "empty.py").write_text("")
    for workers in "12" if bot == "bots.py:Fold" else "1":
        status, _, err = typed(capsys, "match", bot, "rule", "--deals", "2", "--workers", workers)
        assert status == 1
        assert err.splitlines()[-1].startswith(f"baycarp match: {says}")
        assert "Traceback" not in err
    assert says in typed(capsys, "decide", "AhKd", "--agent", bot)[2].replace(f"{bot} ", f"{bot[8:]} ")
    with pytest.raises((IllegalAction, ModelError)):
        baycarp.decide("AhKd", agent=bot)


def test_a_refusal_lists_the_agents_that_play_the_game(capsys):
    game = "holdem.nolimit.3p"
    status, _, err = typed(capsys, "table", "karma", "rule", "call", "--game", game, "--workers", "1")
    assert status == 1
    assert "karma" in err
    assert "; it is played by baycarp, " in err
    variant = Variant.load(game)
    listed = err.rstrip().rpartition(" by ")[2].split(", ")
    assert listed == players_of(variant)
    assert {"baycarp", "sizer"} <= {*listed}
    for name in ("random", "frequency", "sizer", "rule", "sartre3p", "sartrenl", "jag", "simulation"):
        assert (name in listed) == load(name).plays.fits(variant)  # the agents themselves agree


@pytest.mark.parametrize("cards", [["AhKd", "Qs7d2c"], ["AhKd", "--board", "Qs7d2c"], ["Ah Kd", "Qs 7d 2c"]])
def test_cards_alone_are_a_spot(capsys, cards):
    status, out, _ = typed(capsys, "decide", *cards, "--agent", "sizer")
    assert status == 0
    assert "BTN call 50, BB check" in out  # the smallest pot that there is
    found = baycarp.decide("AhKd", "Qs7d2c", agent="sizer")
    assert found.observation.state.pot == 2 * found.observation.variant.big_blind
    facing = baycarp.decide("AhKd", "Qs7d2c", agent="sizer", to_call=2, opponents=2).observation.state
    assert (facing.owed, facing.pot) == (200, 500)


def test_a_log_of_the_own_table_is_read_by_every_command(place, capsys):
    words = ("table", "rule", "call", "Bob=maniac", "--hands", "6", "--workers", "1", "--out", "own")
    assert typed(capsys, *words)[0] == 0
    assert "> BTN rule" in typed(capsys, "decide", "own/hands.log", "--agent", "rule")[1]
    assert "6 hands, 3 players" in typed(capsys, "stats", "own/hands.log")[1]
    assert len([*baycarp.read("own/hands.log")]) == 6
