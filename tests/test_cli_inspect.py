"""``baycarp inspect bn``."""

import pytest

from baycarp.agents.model import SHIPPED, load_model
from baycarp.agents.schemas import SCHEMAS
from baycarp.arena.session import Table, play_session
from baycarp.bn import Inference
from baycarp.cli import main
from baycarp.cli.inspect.bn import EXAMPLE
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.train.beliefs.confusion import confusion
from baycarp.train.rows import rows_of_session

NETWORK = load_model(SHIPPED, SCHEMAS).network


def test_the_worked_example_shows_bars_and_what_they_hang_on(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "bn.svg"
    assert main(["inspect", "bn", "--picture", str(picture)]) == 0
    text = capsys.readouterr().out
    best = Inference(NETWORK).posterior(EXAMPLE, ("HandGroup",)).top("HandGroup", 1)[0]
    assert f"{100 * best[1]:5.1f} %" in next(line for line in text.splitlines() if best[0] in line)
    assert "what HandType hangs on" in text
    drawn = picture.read_text()
    assert drawn.startswith("<?xml")
    assert len(drawn) > 10_000


def test_a_table_may_be_shown_instead(capsys):
    line = "MATCHSTATE:5:0:frfrffffc/c:|||||9c9h||/JsTd4c"
    assert main(["inspect", "bn", line, "--who", "3", "--see", "VPIP=a20_30"]) == 0
    text = capsys.readouterr().out
    assert "Raise" in text
    assert "a20_30" in text


@pytest.mark.parametrize("word", ["HandGroup=HandGroup1", "Action=Bet", "Action", "Mood=good"])
def test_what_cannot_be_seen_is_refused(capsys, word):
    assert main(["inspect", "bn", "--see", word]) == 1
    assert "expected NODE=STATE" in capsys.readouterr().err


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
