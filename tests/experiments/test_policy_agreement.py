"""``python -m experiments agreement``: the re-used cases beside the teacher's policy."""

import json
from math import log

import pytest

from baycarp.cases import Case, CaseBase
from baycarp.errors import TableError
from baycarp.game import Variant
from baycarp.game.action import STREETS
from baycarp.rules.betting.sequence import sequence_keys
from baycarp.strategies.model import Model, save_model
from baycarp.strategies.sartre import GAME, SARTRE2010
from experiments.__main__ import main
from experiments.cases.policy_agreement import PREDICTORS, cross_entropy, policy_agreement

VARIANT = Variant.load(GAME)
CASES, BETTING, FREQUENCIES = range(len(PREDICTORS))


def casebase(street, rows):
    """A case-base of (number of the hole cards or strength, betting sequence, cases by solution)."""
    schema = SARTRE2010.bases[STREETS[street]]
    base = CaseBase(schema)
    for number, betting, counts in rows:
        cards = {"strength": number, "texture": "A"} if street else {"hole": number}
        situation = schema.situation({**cards, "sequence": sequence_keys(betting)})
        for solution, count in zip(schema.solutions, counts, strict=True):
            for _ in range(count):
                base.append(Case(situation, solution, 0.0))
    return base


@pytest.fixture(scope="module")
def learner(tmp_path_factory):
    """Before the flop it has the best and the worst hole cards, later streets one case each."""
    before = [(1.0, "", (0, 3, 1)), (169.0, "", (4, 0, 0)), (1.0, "r", (0, 0, 2))]
    bases = {
        name: casebase(street, [(25.0, "cc-", (0, 3, 1))]) for street, name in enumerate(STREETS) if street
    }
    bases = {STREETS[0]: casebase(0, before), **bases}
    folder = tmp_path_factory.mktemp("learner")
    save_model(folder, Model(SARTRE2010, None, bases, {"game": GAME}), "a test", 0)
    return f"sartre2010(model={str(folder)!r})"


def test_the_loss_of_a_certain_action_is_that_of_its_smoothed_share(learner):
    found = policy_agreement([learner], "call", VARIANT, 40, seed=3)
    assert found.streets.tolist() == [0, 0, 1, 1, 2, 2, 3, 3] * 40
    assert found.hands.tolist() == [hand for hand in range(40) for _ in range(8)]
    assert found.entropies == pytest.approx(0)
    losses = found.losses[0]
    # later streets: no bet, so that (call, raise) are legal, and one case with 3 and 1 of them
    assert losses[:, found.streets > 0] == pytest.approx(-log((3 + 1 / 2) / (4 + 1)))
    # first decision: (fold, call, raise); the better of two hole cards calls, the other never does
    first = losses[:, ::8]
    rows = {round(float(each), 9) for each in first[CASES]}
    assert rows == {round(-log((calls + 1 / 3) / (4 + 1)), 9) for calls in (3, 0)}
    assert first[BETTING] == pytest.approx(-log((3 + 1 / 3) / (8 + 1)))
    assert first[FREQUENCIES] == pytest.approx(-log((3 + 1 / 3) / (10 + 1)))


def test_a_mixed_policy_is_compared_action_by_action(learner):
    found = policy_agreement([learner], "random", VARIANT, 60, seed=4)
    later = found.streets > 0
    assert later.sum() > 50
    votes = {2: (3, 1), 3: (0, 3, 1), 22: (0, 3)}
    expected = {
        (
            round(log(len(each)), 9),
            round(-sum(log((n + 1 / len(each)) / (sum(each) + 1)) for n in each) / len(each), 9),
        )
        for each in votes.values()
    }
    expected.add(
        (round(log(2), 9), round(-(log(0.5 / 5) + log(4.5 / 5)) / 2, 9))
    )  # a raise beyond the cap calls
    got = set(zip(found.entropies[0, later].round(9), found.losses[0, CASES, later].round(9), strict=True))
    assert len(got) >= 2
    assert got <= expected


def test_equal_distributions_have_no_divergence():
    policy = {"fold": 0.25, "call": 0.75}
    entropy = -sum(p * log(p) for p in policy.values())
    assert cross_entropy(policy, {"fold": 25e9, "call": 75e9}) == pytest.approx(entropy)
    assert cross_entropy(policy, {"fold": 1, "call": 0}) > entropy


def test_means_are_of_the_decisions_of_a_street(learner):
    found = policy_agreement([learner, learner], "random", VARIANT, 30, seed=5)
    for player in (0, 1):
        own = found.losses[player, CASES] - found.entropies[player]
        assert found.divergence(player, CASES).mean == pytest.approx(own.mean())
        flop = found.divergence(player, CASES, 1)
        assert (flop.mean, flop.n) == (
            pytest.approx(own[found.streets == 1].mean()),
            (found.streets == 1).sum(),
        )


def test_the_hands_have_their_seed(learner):
    one, same, other = (policy_agreement([learner], "random", VARIANT, 20, seed) for seed in (7, 7, 8))
    assert one.losses.tolist() == same.losses.tolist()
    assert one.losses.tolist() != other.losses.tolist()


def test_players_without_cases_of_the_betting_are_refused():
    with pytest.raises(TableError, match="case player"):
        policy_agreement(["call"], "call", VARIANT, 1, seed=1)
    with pytest.raises(TableError, match="case player"):
        policy_agreement(["baycarp2"], "call", VARIANT, 1, seed=1)
    with pytest.raises(TableError, match="sizer"):
        policy_agreement(["sartre"], "sizer", VARIANT, 1, seed=1)


def test_the_command_prints_a_line_for_each_street(learner, capsys):
    words = ["agreement", "--learners", learner, "--teacher", "call", "--teacher-hands", "5"]
    assert main([*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [row["street"] for row in record] == ["all", *STREETS]
    assert [row["decisions"] for row in record] == [40, 10, 10, 10, 10]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert f"{record[0]['divergence']['cases']['mean']:+.3f}" in text
    assert "5 held-out hands" in text
