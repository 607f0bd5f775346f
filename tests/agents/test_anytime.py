"""Anytime decisions, by a clock that the tests turn."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baycarp.agents.anytime import LONG, UNKNOWN, Answer, Anytime, Recorder, Run, cheapest
from baycarp.agents.external.program import ProgramStage
from baycarp.agents.trace import TierStage
from baycarp.game.action import Action
from baycarp.game.state import State
from baycarp.game.variant import Variant


class Clock:
    """A running budget whose time the tests set: as work (``now``), or as waiting."""

    def __init__(self, seconds):
        self.now, self.waited, self.seconds = 0.0, 0.0, seconds

    def spent(self):
        return self.now + self.waited

    def reached(self, tier, answer):
        pass

    def worked(self):
        return self.now

    def left(self):
        return self.seconds - self.spent()


@pytest.fixture
def observation():
    return State(Variant.ring(3), deck=range(11)).observe(2)  # two opponents


def tier(run, name, work):
    """What an agent does: begin a tier if there is time, work, hand over the answer."""
    if run.begins(name):
        run.ends(name, work(run))


def rules(observation):
    return lambda run: cheapest(observation)


def answer(observation, name, reason="because"):
    action = observation.state.named(name)
    return Answer(action, {action: 1.0}, reason)


def working(clock, observation, seconds, name):
    def work(run):
        clock.now += seconds
        run.add(ProgramStage(f"think of {name}", seconds=run.lap()))
        return answer(observation, name)

    return work


def test_cheapest_checks_where_it_is_free_and_folds_otherwise(observation):
    run = Run(Anytime(), Clock(1), observation)
    tier(run, "rules", rules(observation))
    decision = run.result()
    assert decision.action.name == "fold"
    assert decision.policy_by_kind() == {"fold": 1.0, "call": 0.0, "raise": 0.0}
    state = observation.state.copy()
    for name in ("call", "call"):
        state.apply(state.named(name))
    assert cheapest(state.observe(1)).action.name == "check"


def test_the_last_tier_that_was_done_answers(observation):
    clock = Clock(1.0)
    run = Run(Anytime(), clock, observation)
    tier(run, "a", working(clock, observation, 0.1, "fold"))
    tier(run, "b", working(clock, observation, 0.2, "raise"))
    decision = run.result()
    assert (decision.action.name, decision.exact) == ("raise", True)
    assert decision.elapsed == pytest.approx(0.3)
    assert decision.trace == (
        TierStage("a", Action("fold"), seconds=pytest.approx(0.1)),
        TierStage("b", Action("raise", 4), seconds=pytest.approx(0.2)),
        ProgramStage("think of raise", seconds=pytest.approx(0.2)),
    )


def test_every_stage_has_the_time_since_the_one_before(observation):
    clock = Clock(1.0)
    run = Run(Anytime(), clock, observation)

    def work(run):
        for part in range(1, 4):
            clock.now += part / 8
            clock.waited += part / 16
            run.add(ProgramStage(str(part), seconds=run.lap()))
        return answer(observation, "call")

    clock.now = 0.125  # before the tier: no stage's
    tier(run, "a", work)
    assert [stage.seconds for stage in run.result().trace] == pytest.approx([1.125, 0.1875, 0.375, 0.5625])


def test_a_tier_is_left_out_when_it_is_not_expected_to_fit(observation):
    anytime, clock = Anytime(), Clock(10.0)
    run = Run(anytime, clock, observation)
    tier(run, "a", working(clock, observation, 0.0, "fold"))
    tier(run, "b", working(clock, observation, 0.4, "raise"))
    assert anytime.expects("b", 0) == pytest.approx(0.2)  # seconds an opponent
    for seconds, done in ((0.41, True), (0.39, False)):
        clock = Clock(seconds)
        run = Run(anytime, clock, observation)
        tier(run, "a", working(clock, observation, 0.0, "fold"))
        tier(run, "b", working(clock, observation, 0.4, "raise"))
        decision = run.result()
        assert decision.exact == done
        assert decision.action.name == ("raise" if done else "fold")
    assert decision.trace[1] == TierStage("b", reason="expected 400.0 ms, 390.0 ms left", done=False)
    assert decision.trace[2:] == (ProgramStage("think of fold"),)  # of the tier that answered


def test_the_first_tier_is_always_taken(observation):
    clock = Clock(-1.0)
    run = Run(Anytime(), clock, observation)
    tier(run, "a", working(clock, observation, 5.0, "call"))
    tier(run, "b", working(clock, observation, 0.0, "raise"))
    assert run.result().action.name == "call"
    assert not run.result().exact


def test_a_sampled_answer_is_not_exact(observation):
    run = Run(Anytime(), Clock(1), observation)
    fold = Action("fold")
    tier(run, "a", lambda run: Answer(fold, {fold: 1.0}, "sampled", exact=False))
    assert not run.result().exact


def test_a_dear_tier_is_remembered_and_slowly_forgotten():
    anytime = Anytime()
    assert anytime.expects("b", 1) == UNKNOWN
    anytime.record("b", 1, 9.0)  # it loads what it needs
    anytime.leave_out("b", 1)
    assert anytime.expects("b", 1) == pytest.approx(4.5)
    anytime.record("b", 1, 1.0)
    anytime.record("b", 1, 0.1)
    assert anytime.expects("b", 1) == pytest.approx(0.98)
    for _ in range(120):
        anytime.record("b", 1, 0.1)
    assert anytime.expects("b", 1) == pytest.approx(0.1)
    assert anytime.expects("b", 2) == UNKNOWN


def tried(anytime, observation, seconds, work, wait=0.0):
    """The cheapest, then a tier that works and waits; whether it was done, and the seconds over."""
    clock = Clock(seconds)

    def slow(run):
        clock.now += work
        clock.waited += wait
        return answer(observation, "raise")

    run = Run(anytime, clock, observation)
    tier(run, "rules", rules(observation))
    tier(run, "b", slow)
    return run.result().action.name == "raise", clock.spent() - seconds


def test_a_tier_that_was_too_dear_once_is_tried_again(observation):
    anytime = Anytime()
    for _ in range(2):
        anytime.record("b", 0, 0.02)
    tries = [tried(anytime, observation, 0.02, work=0.002)[0] for _ in range(1000)]
    assert not any(tries[:600])
    assert all(tries[700:])  # 0.999^693 = 1/2


def test_a_tier_that_is_always_too_dear_is_seldom_tried(observation):
    anytime = Anytime()
    tries = [tried(anytime, observation, 0.02, work=0.04) for _ in range(8000)]
    assert 4 < sum(over > 0 for _, over in tries) < 16  # about one in a thousand
    assert all(taken == (over > 0) for taken, over in tries)


def test_a_rare_wait_is_borne(observation):
    anytime = Anytime()
    tries = [tried(anytime, observation, 0.02, 0.002, wait=0.05 * (n % 3000 == 700))[0] for n in range(7000)]
    assert all(tries)


@pytest.mark.parametrize("every", [2, 50])
def test_on_a_machine_that_is_too_busy_decisions_are_seldom_late(observation, every):
    anytime = Anytime()
    tries = [tried(anytime, observation, 0.02, 0.002, wait=0.05 * (n % every == 0)) for n in range(10_000)]
    late = sum(over > 0 for _, over in tries)
    assert 0 < late <= 10_000 / 1000


def by_rules(anytime, observation, seconds, work, wait=0.0):
    """As an agent decides, by two tiers above the cheapest that work alike: which of them were done."""
    clock = Clock(seconds)

    def answered(observation, run):
        clock.now += work
        clock.waited += wait
        return answer(observation, "raise")

    found = anytime.decide(clock, observation, {"a": answered, "b": answered}, first="rules")
    return [stage.done for stage in found.trace][1:]


def test_however_long_waits_are_the_first_tier_that_thinks_is_begun(observation):
    anytime = Anytime()
    for n in range(100):
        by_rules(anytime, observation, 0.02, 0.002, wait=0.05 * (n % 50 == 0))
    found = [by_rules(anytime, observation, 0.02, 0.002) for _ in range(20)]
    assert found == [[True, False]] * 20  # the second one keeps time for a wait
    assert by_rules(anytime, observation, 0.08, 0.002) == [True, True]


def test_the_first_tier_that_thinks_is_begun_where_its_usual_work_fits(observation):
    anytime = Anytime()
    for work in (0.9, *[0.004] * 30, 0.03, *[0.004] * 20):
        by_rules(anytime, observation, 1.0, work)
    assert anytime.expects("a", 0) > 0.005  # an opponent: at most
    assert anytime.usual("a", 0) == pytest.approx(0.002, rel=0.2)
    assert by_rules(anytime, observation, 0.006, 0.004)[0]
    tries = [by_rules(anytime, observation, 0.003, 0.004)[0] for _ in range(1000)]
    assert 0 < sum(tries) < 40  # seldom: it is late each time


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.02, 0.1]))
def test_no_tier_is_begun_that_is_not_expected_to_end_in_time(seed, seconds):
    chance, anytime, begun = random.Random(seed), Anytime(), 0
    observation = State(Variant.ring(3), deck=range(11)).observe(2)
    for _ in range(40):
        clock = Clock(seconds)
        run = Run(anytime, clock, observation)
        tier(run, "rules", rules(observation))
        for name in ("fast", "full"):
            expected = anytime.takes(2 * anytime.expects(name, 0))
            left = clock.left()

            def work(run, clock=clock):
                clock.now += chance.expovariate(100)
                clock.waited += chance.choice((0, 0, 0, 0.01))
                return answer(observation, "raise")

            tier(run, name, work)
            assert (clock.left() < left) == (expected <= left)
            begun += clock.left() < left
    assert begun


def test_waits_that_fit_the_limit_change_nothing(observation):
    anytime = Anytime()
    assert all(tried(anytime, observation, 0.02, 0.002, wait=0.012)[0] for _ in range(100))
    assert anytime.wait == pytest.approx(0.012)
    assert anytime.expects("b", 0) == pytest.approx(0.001)  # work alone, an opponent


def test_waits_are_forgotten_after_recent_tiers(observation):
    anytime = Anytime()
    for _ in range(2):
        tried(anytime, observation, 0.02, 0.001, wait=0.05)
    assert anytime.wait == pytest.approx(0.05)
    assert not tried(anytime, observation, 0.02, 0.001)[0]
    assert tried(anytime, observation, 0.06, 0.001)[0]  # there is time to wait
    for _ in range(2500):
        tried(anytime, observation, 0.02, 0.001)
    assert anytime.wait == 0
    assert tried(anytime, observation, 0.02, 0.001)[0]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.0005, 0.002, 0.004, 0.008, 0.016, 0.032]), max_size=60))
def test_the_wait_is_the_second_longest_of_late(waits):
    anytime = Anytime()
    for number in range(3):  # old ones, and room to forget them
        anytime.record("b", 1, 0.0, 0.02 + number)
        for _ in range(4999 if number == 2 else 10):
            anytime.record("b", 1, 0.0)
    for number, wait in enumerate(waits):
        anytime.record("b", 1, 0.0, wait)
        worth = sorted(w for w in waits[: number + 1] if w > 0.001)
        assert anytime.wait == (worth[-2] if len(worth) > 1 else 0)


def test_chunks_are_added_while_time_is_left_and_the_first_is_the_cost(observation):
    clock, anytime, chunks = Clock(1.0), Anytime(), []

    def chunk():
        chunks.append(clock.left())
        clock.now += 0.1
        return len(chunks) == 20

    def work(run):
        clock.now += 0.05
        assert run.repeat(chunk) == (len(chunks) == 20)
        return answer(observation, "call")

    tier(Run(anytime, clock, observation), "work", work)
    assert chunks[-1] >= 0.2 > clock.left()  # another is begun while twice its time is left
    assert len(chunks) == 8
    assert anytime.expects("work", 0) == pytest.approx((0.05 + 0.1) / 2)  # of two opponents
    clock.seconds = 9.0
    tier(Run(anytime, clock, observation), "work", work)
    assert len(chunks) == 20


@pytest.mark.parametrize("keep", [0.0, 0.25, 0.5, 1.0, 3.0])
def test_chunks_leave_the_time_that_follows(observation, keep):
    clock = Clock(2.0)

    def chunk():
        clock.now += 0.125
        return False

    for recorder, spare in ((Run(Anytime(), clock, observation), 0.25), (Recorder(clock), 0.125)):
        clock.now = 0.0
        assert not recorder.repeat(chunk, keep)
        first = 2.0 - 0.125  # is done in any case
        assert min(keep, first) <= clock.left() <= min(keep + spare, first)


def test_a_tier_without_an_answer_leaves_the_one_before_and_its_stages(observation):
    clock, anytime = Clock(1.0), Anytime()

    def call(observation, run):
        return working(clock, observation, 0.1, "call")(run)

    def nothing(observation, run):
        clock.now += 0.3
        run.add(ProgramStage("think in vain", seconds=run.lap()))

    found = anytime.decide(clock, observation, {"a": call, "b": nothing}, first="rules")
    assert found.action.name == "call"
    assert not found.exact
    tiers = {stage.tier: stage for stage in found.trace if isinstance(stage, TierStage)}
    assert (tiers["a"].done, tiers["b"].done) == (True, False)
    assert [stage.answer for stage in found.trace if isinstance(stage, ProgramStage)] == ["think of call"]
    assert anytime.expects("b", 0) == pytest.approx(0.3 / 2)  # its work is known, all the same


def test_long_work_is_begun_by_the_share_of_the_processor_that_tiers_had(observation):
    anytime = Anytime()
    for _ in range(20):
        tried(anytime, observation, 0.5, 0.005, wait=0.015)  # a quarter of the time
    assert anytime.takes(0.005) == pytest.approx(0.02)
    assert anytime.takes(0.1) == pytest.approx(0.4 + 0.015)


def test_no_more_time_is_kept_than_a_machine_at_work_takes(observation):
    anytime = Anytime()
    for _ in range(2):
        anytime.waited(0.6)
    assert anytime.wait == LONG < 0.6
    assert tried(anytime, observation, 0.5, 0.01)[0]


def test_work_keeps_time_back_for_a_wait(observation):
    clock, anytime, chunks = Clock(1.0), Anytime(), []
    for _ in range(2):
        anytime.waited(LONG)

    def chunk():
        chunks.append(clock.left())
        clock.now += 0.125
        return False

    tier(
        Run(anytime, clock, observation),
        "work",
        lambda run: run.repeat(chunk) or answer(observation, "call"),
    )
    assert chunks == [1.0, 0.875, 0.75, 0.625, 0.5]
