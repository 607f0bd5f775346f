"""``baycarp inspect bn``."""

import re

import pytest

from baycarp.arena.session import Table, play_session
from baycarp.bn import Inference, Network, Structure, io
from baycarp.cli import main
from baycarp.cli.inspect.bn import EXAMPLE
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.strategies.model import SHIPPED, load_model
from baycarp.training.networks import confusion
from baycarp.training.rows import rows_of_session

NETWORK = load_model(SHIPPED).network


def test_the_worked_example_shows_bars_and_evidence(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "bn.svg"
    assert main(["inspect", "bn", "--picture", str(picture)]) == 0
    text = capsys.readouterr().out
    best = Inference(NETWORK).posterior(EXAMPLE, ("HandGroup",)).top("HandGroup", 1)[0]
    assert f"{100 * best[1]:5.1f} %" in next(line for line in text.splitlines() if best[0] in line)
    assert "evidence for HandType" in text
    drawn = picture.read_text()
    assert drawn.startswith("<?xml")
    assert len(drawn) > 10_000


def test_a_state_replaces_the_worked_example(capsys):
    line = "MATCHSTATE:5:0:frfrffffc/c:|||||9c9h||/JsTd4c"
    assert main(["inspect", "bn", line, "--position", "UTG+1", "--see", "VPIP=a20_30"]) == 0
    text = capsys.readouterr().out
    assert "Raise" in text
    assert "a20_30" in text


@pytest.mark.parametrize("word", ["HandGroup=HandGroup1", "Action=Bet", "Action", "Mood=good"])
def test_evidence_that_cannot_be_observed_is_refused(capsys, word):
    assert main(["inspect", "bn", "--see", word]) == 1
    assert "expected NODE=STATE" in capsys.readouterr().err


@pytest.mark.parametrize("names", [("A", "B"), ("HandTypeFinal", "VPIP"), ("[/b]", "[red]")])
def test_any_network_is_inspected(capsys, tmp_path, names):
    above, below = names
    structure = Structure({above: ["x", "y"], below: ["u", "v"]}, {below: [above]})
    io.save(Network(structure, {above: [0.5, 0.5], below: [[0.1, 0.9], [0.6, 0.4]]}), tmp_path / "h.npz")
    inspect = ["inspect", "bn", "--model", str(tmp_path / "h.npz")]
    assert main(inspect) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in names)
    assert "50.0 %" in shown
    assert main([*inspect, "--see", f"{below}=u"]) == 0
    shown = capsys.readouterr().out
    assert "85.7 %" in shown
    assert f"evidence for {above}" in shown
    assert main([*inspect, "--see", f"{below}=u", "--see", f"{above}=x"]) == 0
    assert main([*inspect, "--log", str(tmp_path / "hands.log")]) == 1
    assert "no network of readings" in capsys.readouterr().err
    assert main([*inspect, "--states"]) == 0


def test_confusion_counts_every_row_once(capsys, tmp_path):
    table = Table(Variant.ring(3), ("Ann", "Bob", "Cid"), ("jake", "jake", "karma"), 2)
    log = tmp_path / "hands.log"
    played = play_session(table, 0, 30).log
    log.write_text("\n".join(played))
    rows = list(rows_of_session(parse_state(line, table.variant) for line in played))
    for node, street in (("HandGroup", 0), ("HandTypeTurn", 2)):
        found = confusion(NETWORK, rows, node)
        truths = [row.states[node] for row in rows if row.streets > street]
        assert found.counts.sum() == found.bins[:, 0].sum() == len(truths) > 0
        for code, state in enumerate(found.states):
            assert found.counts[code].sum() == truths.count(state)
    assert main(["inspect", "bn", "--log", str(log), "--game", "holdem.limit.3p"]) == 0
    assert "HandTypeFinal: truth" in capsys.readouterr().out


@pytest.mark.parametrize("who", ["CO", "7"])
def test_a_missing_position_is_refused(capsys, who):
    words = ["MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", "--position", who]
    assert main(["inspect", "bn", *words]) == 1
    assert capsys.readouterr() == ("", f"baycarp inspect bn: position {who!r}: expected one of BB, BTN\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"root:x:0:0\n", "unknown format: .root:x:0:0.: expected hands of PHH, ACPC log"),
        (b"", "expected hands whose cards are all known"),
        (b"\xff", "unknown format"),
    ],
)
def test_a_file_that_is_no_log_is_refused(capsys, tmp_path, content, message):
    (tmp_path / "hands.log").write_bytes(content)
    assert main(["inspect", "bn", "--log", str(tmp_path / "hands.log")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(message, err)


@pytest.mark.parametrize("words", [["bn"], ["cases"], ["cases", "--street", "turn"]])
@pytest.mark.parametrize("name", ["x.xyz", "png", "x.jpg"])
def test_an_unknown_picture_format_is_refused_before_any_output(capsys, tmp_path, words, name):
    assert main(["inspect", *words, "--picture", str(tmp_path / name)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(f"{name}': expected a name that ends in .png, .svg, .pdf\n")
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
