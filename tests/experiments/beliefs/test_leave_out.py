"""One population left out: nothing of it reaches the models; goals and changes of style by numbers known."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from baycarp.arena.session import Table
from baycarp.card import blocked_by
from baycarp.errors import ModelError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.variant import Variant
from baycarp.training.watch import hands_of, watch
from experiments.beliefs import populations, style_change
from experiments.beliefs.columns import Judged
from experiments.beliefs.fitting import FITS, training_rows
from experiments.beliefs.goals import goals
from experiments.beliefs.intervals import Figure
from experiments.beliefs.leave_out import Plan, leave_out
from experiments.beliefs.measure import judge_session
from experiments.beliefs.populations import Population, PopulationSession
from experiments.beliefs.style_change import DIRECTIONS, Lag, changes
from experiments.beliefs.summary import beside_base_lines
from experiments.beliefs.unobserved import with_unobserved
from experiments.populations.kinds import POPULATIONS


def deal(view, street):
    free = ~blocked_by(view.observation.board)
    return free / free.sum()


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two populations: the tables hold a member each and a company of two."""
    found = []
    for name, spec in (("loose", "call"), ("tight", "rule")):
        table = Table(Variant.ring(3), (name, "x", "y"), (spec, "jag", "random"), 2)
        hands = tuple(hands_of(watch(table, [0], 40, tmp_path_factory.mktemp(name))[0], table))
        found.append(Population(name, (PopulationSession(hands, frozenset([name]), table),)))
    return found


def test_a_population_teaches_by_its_members_and_only_while_it_is_not_judged(two, tmp_path):
    given = []

    def spy(training):
        rows = [row.player for each in training.values() for row in each.actions]
        given.append((set(training), set(rows), [len(each.nodes) for each in training.values()]))
        return deal

    results = list(leave_out(two, Plan({"spy": spy}, tmp_path, {"other": deal})))
    assert [left.population for left in results] == ["loose", "tight"]
    assert [names for names, _, _ in given] == [{"tight"}, {"loose"}]
    assert [players for _, players, _ in given] == [{"tight: tight"}, {"loose: loose"}]
    assert all(sum(nodes) > 0 for _, _, nodes in given)
    for left in results:
        assert set(left.judged.points.player) == {left.population}
        assert list(left.judged.scores)[3:] == ["spy", "spy, no hand known", "other", "other, no hand known"]
        assert left.lags == {}


class Counts:
    """A model with a memory: 0.9 of the deal once a hand is known or counted, the rest on one holding."""

    def sit(self):
        self.hands = 0

    def learn(self, event):
        self.hands += 1

    def __call__(self, view, street):
        belief = deal(view, street)
        if self.hands or view.habits.hands:
            belief *= 0.9
            belief[np.flatnonzero(belief)[0]] += 0.1
        return belief

    def predict(self, view):
        return np.full(3, 1 / 6 if self.hands else 1 / 3)


def test_the_copy_without_a_hand_answers_every_hand_as_the_first_one(two):
    hands = two[0].sessions[0].hands[:6]
    judged = judge_session(hands, with_unobserved({"m": Counts()}))
    loss = judged.scores["m"]["loss"] - judged.deal
    assert loss == pytest.approx(np.where(judged.points.hand > 0, -np.log(0.9), 0))
    assert judged.scores["m, no hand known"]["loss"] == pytest.approx(judged.deal)
    assert judged.actions.losses["m, no hand known"] == pytest.approx(np.log(3))
    assert judged.actions.losses["m"][judged.actions.hand > 0] == pytest.approx(np.log(6))


def test_unknown_or_single_populations_are_refused(two, tmp_path):
    with pytest.raises(ModelError, match="expected two or more"):
        list(leave_out(two[:1], Plan({}, tmp_path, {})))
    with pytest.raises(ModelError, match="of different names"):
        list(leave_out([*two, two[0]], Plan({}, tmp_path, {})))
    with pytest.raises(ModelError, match="nobody"):
        list(leave_out(two, Plan({}, tmp_path, {}, only=("nobody",))))


@pytest.mark.parametrize("name", FITS)
def test_every_fit_is_a_model(two, name):
    training = {each.name: training_rows(each.sessions[0].hands, None, "") for each in two}
    model = FITS[name](training)
    judged = judge_session(two[0].sessions[0].hands[:10], {name: model})
    assert np.isfinite(judged.scores[name]["loss"]).all()


class Fits:
    """A fit that counts its models and the beliefs that they give, and can be interrupted at one of these."""

    def __init__(self, last=None):
        self.fitted, self.beliefs, self.last = 0, 0, last

    def __call__(self, training):
        self.fitted += 1
        return self.believe

    def believe(self, view, street):
        self.beliefs += 1
        if self.beliefs == self.last:
            raise KeyboardInterrupt
        return deal(view, street)


def test_an_interrupted_measurement_judges_the_rest_and_gives_the_same_result(two, tmp_path):
    populations = [Population(each.name, each.sessions * 3) for each in two]
    whole, again = Fits(), Fits()
    expected = list(leave_out(populations, Plan({"m": whole}, tmp_path / "whole", {}, {"seed": 1})))
    first = Plan({"m": Fits(whole.beliefs // 2 + 1)}, tmp_path / "two", {}, {"seed": 1})
    with pytest.raises(KeyboardInterrupt):
        list(leave_out(populations, first))
    rest = list(leave_out(populations, replace(first, fits={"m": again})))
    for one, other in zip(expected, rest, strict=True):
        assert one.population == other.population
        np.testing.assert_equal(asdict(one.judged), asdict(other.judged))
    assert 0 < again.beliefs < whole.beliefs
    idle = Fits()
    (only,) = leave_out(populations, replace(first, fits={"m": idle}, only=("tight",)))
    np.testing.assert_equal(asdict(only.judged), asdict(expected[1].judged))
    assert idle.fitted == 0


def test_sessions_judged_by_other_models_are_refused(two, tmp_path):
    plan = Plan({"m": Fits()}, tmp_path, {}, {"models": ["m"], "seed": 1})
    next(leave_out(two, plan))
    with pytest.raises(ModelError, match=r"judged\.json: .*seed"):
        next(leave_out(two, replace(plan, origin={"models": ["m"], "seed": 2})))
    file = tmp_path / "judged" / "loose" / "0000.npz"
    file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises(ModelError, match=r"0000\.npz: no judged session"):
        next(leave_out(two, plan))


def test_changes_of_style_are_judged_once(two, tmp_path, monkeypatch):
    for name, hands in (("BEFORE", 12), ("SETTLED", 4), ("AFTER", 12)):
        monkeypatch.setattr(style_change, name, hands)
    sessions = tuple(session for each in two for session in each.sessions)
    populations = [Population("both", sessions), two[0]]
    plan = Plan({"m": Fits()}, tmp_path, {}, pairs=1, only=("both",))
    (first,) = leave_out(populations, plan)
    idle = Fits()
    (second,) = leave_out(populations, replace(plan, fits={"m": idle}))
    assert str(first.lags) == str(second.lags)
    assert idle.fitted == 0
    assert [lag.direction for lag in first.lags["m"]] == list(DIRECTIONS)


def test_no_limit_hands_teach_their_preflop_with_shown_cards_alone():
    game = Variant.ring(2, betting="no-limit", stacks=(400, 400))
    shown = parse_state("STATE:0:r6c/cc/cc/cc:AhKd|7c7d/Qs7h2c/9h/3d:-6|6:Ann|Bob", game)
    folded = parse_state("STATE:1:r6c/r20f:AhKd|7c7d/Qs7h2c:6|-6:Bob|Ann", game)
    rows = training_rows([shown, folded], None, "pro: ")
    assert {row.player for row in rows.actions} == {"pro: Ann", "pro: Bob"}
    assert {row.street for row in rows.actions} == {0}
    assert [row.shown for row in rows.actions] == [True, True, False, False]
    assert [row.holding >= 0 for row in rows.actions] == [True, True, False, False]
    assert [row.showdown for row in rows.nodes] == [True, True, False, False]
    assert {name for row in rows.nodes for name in row.states} <= {
        "Position",
        "Action",
        "VPIP",
        "PFR",
        "HandGroup",
    }


def judged_with(scores, observed, unobserved=None):
    """Enough decision points before the flop with these scores of one model, and losses without any hand."""
    rng, n = np.random.default_rng(1), len(observed)
    game = Variant.ring(2)
    hand = parse_state("STATE:0:cc/cc/cc/cc:AhKd|7c7d/Qs7h2c/9h/3d:-2|2:Ann|Bob", game)
    one = judge_session([hand], {"m": deal})
    points = replace(
        one.points,
        **{
            field: np.repeat(getattr(one.points, field)[:1], n, axis=0)
            for field in ("street", "seats", "position", "place", "player", "action", "board")
        },
        hand=np.arange(n),
        observed=observed,
        holding=rng.integers(0, 1326, n),
    )
    columns = {name: np.full(n, column[0]) for name, column in one.scores["m"].items()}
    fresh = columns if unobserved is None else {**columns, "loss": unobserved}
    both = {"m": {**columns, **scores}, "m, no hand known": fresh}
    return beside_base_lines(Judged(both, points, one.actions, np.full(n, np.nan)))


def verdicts(judged, ignores_cards=False, lags=()):
    return [goal.verdict for goal in goals(judged, "m", ignores_cards, lags)]


@pytest.mark.slow
def test_goals_are_judged_by_their_bounds():
    n, bare = 4000, np.log(1326)
    observed = np.where(np.arange(n) % 2, 0, 60)
    first = observed == 0
    even = np.linspace(0, 0.999, n)
    good = {"loss": np.where(first, bare + 9, bare - 0.5), "below": even, "beside": 0 * even}
    assert verdicts(judged_with(good, observed, np.full(n, bare + 0.009))) == [*["met"] * 4, "too few"]
    worse = {"loss": np.where(first, 0, bare + 0.1), "below": even**2, "beside": 0 * even}
    assert verdicts(judged_with(worse, observed, np.full(n, bare + 0.011))) == [*["NOT met"] * 4, "too few"]
    for late, wanted in ((0.015, "met"), (0.03, "NOT met")):
        assert verdicts(judged_with({"loss": np.full(n, bare + late)}, observed), True)[1] == wanted
    few = judged_with(good, np.where(np.arange(n) % 8, 0, 60))
    assert verdicts(few)[1] == "too few"
    for right, wanted in ((0.86, "met"), (0.84, "NOT met")):
        wrong = (np.arange(n) % 100 >= 100 * right).astype(float)
        sure = judged_with(
            {"sure": np.full(n, 0.95), "group_above": wrong, "group_tied": np.ones(n)}, observed
        )
        assert verdicts(sure)[4] == wanted
    lags = [Lag(DIRECTIONS[0], 1200, Figure(0.049, 0.1)), Lag(DIRECTIONS[1], 1200, Figure(0.051, 0.1))]
    assert verdicts(sure, lags=lags)[5:] == ["met", "NOT met"]
    assert verdicts(sure, lags=[replace(lags[0], points=999)])[5:] == ["too few"]


def test_the_loosest_and_the_tightest_of_a_table_size_swap(two, tmp_path, monkeypatch):
    pool = Population("both", tuple(session for each in two for session in each.sessions))
    found = changes(pool, 3)
    assert [(change.direction, change.player) for change in found] == list(
        zip(DIRECTIONS, ("loose", "tight"), strict=True)
    )
    assert found[0].before.specs == ("call", "jag", "random")
    assert found[0].after.specs == ("rule", "jag", "random")
    assert (found[1].before.specs[0], found[1].after.specs[0]) == ("rule", "call")
    assert found[0].before.players == found[0].after.players
    for name, hands in (("BEFORE", 30), ("SETTLED", 10), ("AFTER", 30)):
        monkeypatch.setattr(style_change, name, hands)
    played = style_change.play_changes(found, tmp_path)
    assert [(len(before), len(after)) for before, after in played] == [(30, 30)] * 2
    watched = style_change.sessions_of(found, played)
    judged = [style_change.judge_player(each, {"deal": deal, "slow": Slow()}) for each in watched]
    lags = style_change.lag(found, judged)
    assert [each.behind.value for each in lags["deal"]] == [0, 0]
    assert all(each.behind.value == pytest.approx(np.log(2)) for each in lags["slow"])
    observed = [
        judge_session(after, {"deal": deal}, players=[change.player]).points.observed
        for change, (_, after) in zip(found, played, strict=True)
    ]
    assert [each.points for each in lags["deal"]] == [int((at >= 10).sum()) for at in observed]


class Slow(Counts):
    """Half as probable a truth as the deal's, once it has received more hands than the second part has."""

    def __call__(self, view, street):
        belief = deal(view, street)
        if self.hands >= 30:
            belief = belief / 2
            belief[np.flatnonzero(blocked_by([view.observation.board[0]] if street else [0]))[0]] += 0.5
        return belief


def test_populations_are_played_once_and_members_are_known(tmp_path):
    found = populations.play(1, 3, 5, tmp_path)
    assert [each.name for each in found] == list(POPULATIONS)
    logs = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.log")}
    assert len(logs) == len(POPULATIONS)
    again = populations.play(1, 3, 5, tmp_path)
    assert again == found
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.log")} == logs
    for population in found:
        (session,) = population.sessions
        assert len(session.hands) == 3
        assert all(name.startswith(population.name) for name in session.members)
    with pytest.raises(ModelError, match="another"):
        populations.play(1, 3, 6, tmp_path)
