"""The figures of the couplings: contrasts are older than the play, and are paired on common decks."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from baycarp.agents.couplings.architectures import ARCHITECTURES
from baycarp.files import read_json
from baycarp.opponents.belief import short_digest
from experiments.couplings import contrasts as plan
from experiments.couplings.beside import Beside, changed
from experiments.couplings.figures import FEWEST, contrasts, field, rate
from experiments.couplings.study import TABLES

FOLDER = Path(plan.__file__).parent
BEGUN = read_json(FOLDER / "begun.json", 1000)
"""By table what the command wrote beside the journal: when it began, and the contrasts of its header."""

STUDY = SimpleNamespace(place=SimpleNamespace(met=("a",) * 7))


def git(*words):
    return subprocess.run(["git", *words], cwd=FOLDER, capture_output=True, text=True, check=False)


def test_the_contrasts_were_written_down_before_the_first_hand():
    shallow = git("rev-parse", "--is-shallow-repository")
    found = git("log", "-1", "--format=%at", "--", "contrasts.py")
    if found.returncode or not found.stdout.strip() or "true" in shallow.stdout:
        pytest.skip("no history: expected a whole clone")
    assert int(found.stdout) < min(begun["time"] for begun in BEGUN.values())


@pytest.mark.parametrize("table", TABLES)
def test_the_journals_are_of_these_contrasts(table):
    """A change of the contrasts needs another start, whose time and digest are copied anew."""
    assert BEGUN[table]["contrasts"] == short_digest(plan.digest_of_plan())


def test_every_arm_of_a_contrast_is_played():
    arms = [arm for stage in plan.ARMS.values() for arm in stage]
    assert len(arms) == len(set(arms))
    assert {arm for each in plan.CONTRASTS for arm in each[:2]} <= set(arms)
    assert set(arms) - set(ARCHITECTURES) == {"g-bucks", "baycarp2", "casper"}
    assert set(ARCHITECTURES) - set(arms) == {"features"}  # which is network-cases


def played(means, deals, rng):
    """Arms whose winnings share the luck of their decks."""
    luck = {session: rng.normal(0, 3, deals) for session in range(4)}
    return {
        arm: {session: luck[session] + mean + rng.normal(0, 0.2, deals) for session in range(sessions)}
        for arm, (mean, sessions) in means.items()
    }


def test_arms_are_paired_on_the_decks_that_both_have_played():
    rng = np.random.default_rng(1)
    means = {"network-cases": (0.5, 4), "none-cases": (0.2, 3), "cases-cases": (0.5, 2)}
    arms = dict.fromkeys([arm for stage in plan.ARMS.values() for arm in stage], (0.0, 0)) | means
    found = contrasts(STUDY, played(arms, 200, rng))
    first, second = found[0], found[1]
    assert (first.one, first.other) == ("network-cases", "none-cases")
    assert first.rate.n == 3 * 200 * 8
    assert abs(first.rate.mean - 0.3) < first.rate.margin < 0.05  # the luck is gone
    assert first.certain
    assert not second.certain
    assert second.rate.n == 2 * 200 * 8
    assert [each.rate.n for each in found[2:5]] == [0, 0, 0]
    assert rate(STUDY, played(means, 200, rng), "network-cases").margin > 0.1


def test_few_deals_test_nothing():
    rng = np.random.default_rng(2)
    arms = dict.fromkeys([arm for stage in plan.ARMS.values() for arm in stage], (0.0, 1)) | {"plans": (9, 1)}
    assert not any(each.certain for each in field(STUDY, played(arms, FEWEST - 1, rng)))
    others = field(STUDY, played(arms, FEWEST, rng))
    assert {arm for each in others if each.certain for arm in each[:2]} >= {"plans"}
    assert len(others) == 17 * 16 / 2 - 6


def test_decisions_that_differ_are_counted():
    one, other = (
        Beside(actions=["fold", "call", "bet", "bet"]),
        Beside(actions=["fold", "bet", "bet", "call"]),
    )
    assert changed(one, other) == 0.5
