"""``baycarp play --terminal``: the session of the page, played through piped input."""

import os
import re
import subprocess
import sys
from io import StringIO
from itertools import chain, repeat

import pytest

from baycarp.arena.journal import Journal
from baycarp.cli import main
from baycarp.cli.terminal import Terminal
from baycarp.game import Observation, State, Variant
from baycarp.game.situation import as_text
from baycarp.kernels.game import deal
from baycarp.web.sitting import Seating, Sitting

SEATING = Seating(Variant.load("holdem.limit.3p"), ("Ann", "Bob"), ("rule", "call"), adviser="rule", seed=5)


def played(sitting, lines, **settings):
    """Everything that a terminal prints for some lines of input."""
    texts, given = [], iter(lines)

    def read(prompt):
        texts.append(prompt)
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    Terminal(sitting, read, texts.append, **settings).run()
    return texts


def typed(monkeypatch, capsys, text, *arguments):
    monkeypatch.setattr("sys.stdin", StringIO(text))
    status = main(["play", "--terminal", *map(str, arguments)])
    return status, capsys.readouterr().out


def test_piped_input_plays_hands_and_the_same_command_goes_on(monkeypatch, capsys, tmp_path):
    arguments = ("Ann=rule", "Bob=call", "--seed", 5, "--adviser", "rule", "--out", tmp_path)
    status, first = typed(monkeypatch, capsys, "c\n" * 4 + "\n" + "c\n", *arguments)
    assert status == 0
    assert "hand 1, holdem.limit.3p" in first
    with Journal(tmp_path / "play.journal", SEATING.header()) as journal:
        again = Sitting(SEATING)
        for (hand, at), record in journal.records.items():
            if again.over:
                again.next_hand(again.hand)
            while not again.waits:
                again.step()
            if again.seat == again.observe().state.to_act and len(again.observe().acts) == at:
                again.act(record["action"], hand, at)
    assert len(journal.records) > 4
    status, second = typed(monkeypatch, capsys, "q\n", *arguments)
    assert status == 0
    assert as_text(again.observe()) in second


@pytest.mark.slow
def test_no_extra_is_needed(tmp_path):
    blocked = "import sys; sys.modules.update(dict.fromkeys(('starlette', 'uvicorn', 'websockets')))"
    program = f"{blocked}; from baycarp.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, "play", "--terminal", "rule", "--out", str(tmp_path)],
        input="c\nq\n", capture_output=True, text=True, timeout=120, env=os.environ,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "You to act" in done.stdout


def test_results_are_those_of_the_session():
    sitting = Sitting(SEATING)
    texts = played(sitting, chain(*repeat(["c", ""], 160)))
    found = sitting.results()
    assert found["hands"] == len(sitting.finished) > 20
    assert f"hands {found['hands']}, chips {found['chips']:+}" in texts
    assert f"{found['won']['mean']:+.1f} ± {found['won']['margin']:.1f}" in texts[-3]
    by_control = f"{found['withoutLuck']['mean']:+.1f} ± {found['withoutLuck']['margin']:.1f} (95 %)"
    assert re.fullmatch(rf"luck taken out +{re.escape(by_control)}", texts[-2])
    assert texts[-1].startswith("Taken out is the luck of all cards (control variates); stats")


def test_a_finished_hand_is_shown_and_its_decisions_are_opened():
    sitting = Sitting(SEATING)
    texts = played(sitting, ["c"] * 4 + ["hand 1", "why 1", "why 1 1 all", "hands"])
    assert sitting.over
    assert sitting.finished[0].line() in texts
    panel = sitting.opened(0, 0)
    assert sum(panel.decision.reason in text for text in texts) >= 2
    assert f"\n{panel.decision.explain()}" in texts
    assert f"   1  {sitting.finished[0].chips:+}" in texts


def test_beliefs_are_drawn_as_grids():
    seating = Seating(Variant.ring(2), ("Ann",), ("baycarp2",), adviser="baycarp2", seed=1)
    texts = played(Sitting(seating), ["r"] * 3 + ["c"] * 8 + ["why 1 2"])
    grids = [text for text in texts if text.startswith("  A K Q J T 9 8 7 6 5 4 3 2\n")]
    assert grids
    assert all([len(line) for line in each.splitlines()] == [27] * 14 for each in grids)
    assert all("#" in each for each in grids)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("raise 3", "cannot raise to 3"),
        ("r lots", "size 'lots': expected a number from 20 to 20"),
        ("why 1", "once it is over"),
        ("why x", "expected a number"),
        ("why", "expected the number of an action"),
        ("hand 9", "hand 9: expected a finished one"),
        ("dance", "'dance': expected f, c, r"),
        ("why 9 9", "no decision to open"),
    ],
)
def test_a_wrong_line_changes_nothing(line, expected):
    sitting, untouched = Sitting(SEATING), Sitting(SEATING)
    while not untouched.waits:
        untouched.step()
    texts = played(sitting, [line])
    lines = [" ".join(text.split()) for text in texts]
    assert any(expected in line and line.endswith("; ? for help") for line in lines)
    assert sitting.observe().acts == untouched.observe().acts


def test_sizes_of_no_limit_have_names():
    seating = Seating(Variant.load("holdem.nolimit.2p.100bb"), ("Ann",), ("call",), seed=2)
    sitting = Sitting(seating)
    played(sitting, ["r pot"])
    acts = sitting.observe().acts
    own = next(act for act in acts if act.seat == sitting.seat)
    big = sitting.seating.variant.big_blind
    assert own.action.amount == (3 * big if own.owed else 2 * big + big)


def test_decisions_are_opened_early_in_study_mode_only():
    sitting = Sitting(SEATING)
    texts = played(sitting, ["c", "why 1"], open_cards=True)
    assert not sitting.over
    assert sitting.opened(0, 0, True).decision.reason in "\n".join(texts)


def test_no_text_has_cards_that_the_seat_has_not_observed():
    for number in range(200):
        variant = Variant.ring(2 + number % 8)
        state = State(variant, None, deal(3, 1, number, 2 * variant.seats + 5))
        while not state.is_over:
            for seat in range(variant.seats):
                observation = state.observe(seat)
                shown = {*re.findall(r"\b[2-9TJQKA][shdc]\b", as_text(observation))}
                own = {
                    *re.findall("..", str(observation.state).split(":")[1].replace("|", "").replace("/", ""))
                }
                assert shown <= own
                assert len(shown) == 2 + len(state.board)
            legal = state.legal_actions()
            state.apply(legal[number % len(legal)] if number % 3 else legal[-1])


def test_lines_of_a_full_table_fit_80_columns():
    state = State(Variant.ring(9), None, deal(3, 1, 1, 23))
    for _ in range(9):
        state.apply(state.legal_actions()[1])
    text = as_text(Observation(state.observe(0).state, 0, tuple(f"Player {n}" for n in range(9))))
    assert max(map(len, text.splitlines())) <= 80
