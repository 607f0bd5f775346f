"""The fall-back ladder, by a clock that the tests turn."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baycarp.agents.anytime import UNKNOWN, Answer, Ladder, cheapest
from baycarp.errors import RangeError
from baycarp.game.state import State
from baycarp.game.variant import Variant


class Clock:
    """A running budget whose time passes when it is told to: in work (``now``), or waiting."""

    def __init__(self, seconds):
        self.now, self.waited, self.seconds = 0.0, 0.0, seconds

    def spent(self):
        return self.now + self.waited

    def reached(self, step, answer):
        pass

    def worked(self):
        return self.now

    def left(self):
        return self.seconds - self.spent()


@pytest.fixture
def seen():
    return State(Variant.ring(3), deck=range(11)).observe(2)  # two opponents


def answer(climb, name, reason="because"):
    action = climb.seen.state.named(name)
    return Answer(action, {action: 1.0}, reason)


def rung(clock, seconds, name):
    def work(climb):
        with climb.stage(f"think of {name}") as said:
            clock.now += seconds
            said["word"] = name
        return answer(climb, name)

    return work


def fails(climb):
    with climb.stage("half done"):
        raise RangeError("nothing left")


def test_cheapest_checks_where_it_is_free_and_folds_otherwise(seen):
    climb = Ladder().start(Clock(1), seen)
    climb.step("rules", cheapest)
    decision = climb.decision()
    assert decision.action.name == "fold"
    assert decision.policy_by_kind() == {"fold": 1.0, "call": 0.0, "raise": 0.0}
    state = seen.state.copy()
    for name in ("call", "call"):
        state.apply(state.named(name))
    climb = Ladder().start(Clock(1), state.observe(1))
    climb.step("rules", cheapest)
    assert climb.decision().action.name == "check"


def test_the_last_step_that_was_done_answers(seen):
    clock = Clock(1.0)
    climb = Ladder().start(clock, seen)
    climb.step("a", rung(clock, 0.1, "fold"))
    climb.step("b", rung(clock, 0.2, "raise"))
    decision = climb.decision()
    assert (decision.action.name, decision.exact) == ("raise", True)
    assert decision.elapsed == pytest.approx(0.3)
    assert [(s.name, s.done, s.seconds, s.said) for s in decision.trace] == [
        ("a", True, pytest.approx(0.1), {"answer": "fold"}),
        ("b", True, pytest.approx(0.2), {"answer": "raise to 4"}),
        ("think of raise", True, pytest.approx(0.2), {"word": "raise"}),
    ]


def test_a_step_is_left_when_it_is_not_expected_to_fit(seen):
    ladder, clock = Ladder(), Clock(10.0)
    climb = ladder.start(clock, seen)
    climb.step("a", rung(clock, 0.0, "fold"))
    climb.step("b", rung(clock, 0.4, "raise"))
    assert ladder.expects("b", 0) == pytest.approx(0.2)  # seconds an opponent
    for seconds, done in ((0.41, True), (0.39, False)):
        clock = Clock(seconds)
        climb = ladder.start(clock, seen)
        climb.step("a", rung(clock, 0.0, "fold"))
        climb.step("b", rung(clock, 0.4, "raise"))
        decision = climb.decision()
        assert decision.exact == done
        assert decision.action.name == ("raise" if done else "fold")
    why = decision.trace[1]
    assert (why.name, why.done, why.seconds) == ("b", False, 0.0)
    assert why.said == {"why": "expected 400.0 ms, 390.0 ms left"}


def test_the_first_step_is_always_taken(seen):
    clock = Clock(-1.0)
    climb = Ladder().start(clock, seen)
    climb.step("a", rung(clock, 5.0, "call"))
    climb.step("b", rung(clock, 0.0, "raise"))
    assert climb.decision().action.name == "call"
    assert not climb.decision().exact


def test_an_error_of_a_step_is_raised_whatever_answer_there_is(seen):
    with pytest.raises(RangeError, match="nothing left"):
        Ladder().start(Clock(1), seen).step("a", fails)
    climb = Ladder().start(Clock(1), seen)
    climb.step("rules", cheapest)
    with pytest.raises(RangeError, match="nothing left"):
        climb.step("b", fails)


def test_a_dear_step_is_remembered_and_slowly_forgotten():
    ladder = Ladder()
    assert ladder.expects("b", 1) == UNKNOWN
    ladder.record("b", 1, 1.0)
    ladder.record("b", 1, 0.1)
    assert ladder.expects("b", 1) == pytest.approx(0.98)
    for _ in range(120):
        ladder.record("b", 1, 0.1)
    assert ladder.expects("b", 1) == pytest.approx(0.1)
    assert ladder.expects("b", 2) == UNKNOWN


def climbed(ladder, seen, seconds, work, wait=0.0):
    """Take the cheapest, then a step that works and waits; whether it was taken, and the seconds over."""
    clock = Clock(seconds)

    def reason(climb):
        clock.now += work
        clock.waited += wait
        return answer(climb, "raise")

    climb = ladder.start(clock, seen)
    climb.step("rules", cheapest)
    climb.step("b", reason)
    return climb.decision().action.name == "raise", clock.spent() - seconds


def test_a_step_that_was_too_dear_once_is_tried_again(seen):
    ladder = Ladder()
    ladder.record("b", 0, 0.02)
    tries = [climbed(ladder, seen, 0.02, work=0.002)[0] for _ in range(1000)]
    assert not any(tries[:600])
    assert all(tries[700:])  # 0.999^693 = 1/2


def test_a_step_that_is_always_too_dear_is_seldom_tried(seen):
    ladder = Ladder()
    tries = [climbed(ladder, seen, 0.02, work=0.04) for _ in range(8000)]
    assert 4 < sum(over > 0 for _, over in tries) < 16  # about one in a thousand
    assert all(taken == (over > 0) for taken, over in tries)


def test_a_rare_wait_is_borne(seen):
    ladder = Ladder()
    tries = [climbed(ladder, seen, 0.02, 0.002, wait=0.05 * (n % 3000 == 700))[0] for n in range(7000)]
    assert all(tries)


@pytest.mark.parametrize("every", [2, 50])
def test_on_a_machine_that_is_too_busy_decisions_are_seldom_late(seen, every):
    ladder = Ladder()
    tries = [climbed(ladder, seen, 0.02, 0.002, wait=0.05 * (n % every == 0)) for n in range(10_000)]
    late = sum(over > 0 for _, over in tries)
    assert 0 < late <= 10_000 / 1000


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.02, 0.1]))
def test_no_step_is_begun_that_is_not_expected_to_end_in_time(seed, seconds):
    chance, ladder, begun = random.Random(seed), Ladder(), 0
    seen = State(Variant.ring(3), deck=range(11)).observe(2)
    for _ in range(40):
        clock = Clock(seconds)
        climb = ladder.start(clock, seen)
        climb.step("rules", cheapest)
        for name in ("glance", "precedents"):
            expected = 2 * ladder.expects(name, 0) + ladder.wait
            left = clock.left()

            def reason(climb, clock=clock):
                clock.now += chance.expovariate(100)
                clock.waited += chance.choice((0, 0, 0, 0.01))
                return answer(climb, "raise")

            climb.step(name, reason)
            assert (clock.left() < left) == (expected <= left)
            begun += clock.left() < left
    assert begun


def test_waits_that_fit_the_limit_change_nothing(seen):
    ladder = Ladder()
    assert all(climbed(ladder, seen, 0.02, 0.002, wait=0.012)[0] for _ in range(100))
    assert ladder.wait == pytest.approx(0.012)
    assert ladder.expects("b", 0) == pytest.approx(0.001)  # work alone, an opponent


def test_waits_are_forgotten_after_so_many_steps(seen):
    ladder = Ladder()
    for _ in range(2):
        climbed(ladder, seen, 0.02, 0.001, wait=0.05)
    assert ladder.wait == pytest.approx(0.05)
    assert not climbed(ladder, seen, 0.02, 0.001)[0]
    assert climbed(ladder, seen, 0.06, 0.001)[0]  # there is time to wait
    for _ in range(2500):
        climbed(ladder, seen, 0.02, 0.001)
    assert ladder.wait == 0
    assert climbed(ladder, seen, 0.02, 0.001)[0]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.0005, 0.002, 0.004, 0.008, 0.016, 0.032]), max_size=60))
def test_the_wait_is_the_second_longest_of_late(waits):
    ladder = Ladder()
    for number in range(3):  # old ones, and room to forget them
        ladder.record("b", 1, 0.0, 0.02 + number)
        for _ in range(4999 if number == 2 else 10):
            ladder.record("b", 1, 0.0)
    for number, wait in enumerate(waits):
        ladder.record("b", 1, 0.0, wait)
        worth = sorted(w for w in waits[: number + 1] if w > 0.001)
        assert ladder.wait == (worth[-2] if len(worth) > 1 else 0)


def test_work_goes_on_while_there_is_time_for_more_and_costs_its_first_chunk(seen):
    clock, ladder, chunks = Clock(1.0), Ladder(), []

    def chunk():
        chunks.append(clock.left())
        clock.now += 0.1
        return len(chunks) == 20

    def work(climb):
        clock.now += 0.05
        assert climb.repeat(chunk) == (len(chunks) == 20)
        return answer(climb, "call")

    ladder.start(clock, seen).step("work", work)
    assert chunks[-1] >= 0.2 > clock.left()  # another is begun while twice its time is left
    assert len(chunks) == 8
    assert ladder.expects("work", 0) == pytest.approx((0.05 + 0.1) / 2)  # of two opponents
    clock.seconds = 9.0
    ladder.start(clock, seen).step("work", work)
    assert len(chunks) == 20


def test_work_keeps_time_back_for_a_wait(seen):
    clock, ladder, chunks = Clock(1.0), Ladder(), []
    for _ in range(2):
        ladder.wait_for(0.5)

    def chunk():
        chunks.append(clock.left())
        clock.now += 0.125
        return False

    ladder.start(clock, seen).step("work", lambda climb: climb.repeat(chunk) or answer(climb, "call"))
    assert chunks == [1.0, 0.875, 0.75]
