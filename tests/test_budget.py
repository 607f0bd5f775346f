"""Budgets: invalid limits, and the clock."""

import dataclasses
import math
import time

import pytest

from baycarp.budget import Budget


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test sets."""
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize("seconds", [-1, -1e-9, math.nan, -math.inf, -(10**400)])
def test_time_is_at_least_0(seconds):
    with pytest.raises(ValueError, match=r"time: expected seconds >= 0, got"):
        Budget(time=seconds)


@pytest.mark.parametrize("playouts", [0, -5, 1.5, 2.0, math.nan])
def test_playouts_are_an_integer_of_at_least_1(playouts):
    with pytest.raises(ValueError, match=f"playouts: expected a whole number, at least 1, got {playouts}"):
        Budget(playouts=playouts)


def test_the_least_budgets_are_allowed():
    assert Budget(time=0).time == 0
    assert Budget(playouts=1).playouts == 1
    assert Budget() == Budget(time=None, playouts=None)


@pytest.mark.parametrize("seconds", [math.inf, 10**400])
def test_no_limit_of_time_is_none(seconds):
    assert Budget(time=seconds).time is None


def test_a_budget_is_a_frozen_value():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Budget().time = 1
    assert len({Budget(1, 2), Budget(1, 2), Budget(1, 3)}) == 2


def test_the_meter_counts_from_its_start(clock):
    meter = Budget(time=0.25).start()
    assert (meter.spent(), meter.left()) == (0, 0.25)
    clock[0] += 0.125
    assert (meter.spent(), meter.left()) == (0.125, 0.125)
    clock[0] += 0.25
    assert (meter.spent(), meter.left()) == (0.375, -0.125)


def test_two_meters_of_one_budget_are_independent(clock):
    budget = Budget(time=1)
    first = budget.start()
    clock[0] += 0.5
    assert (first.left(), budget.start().left()) == (0.5, 1)


def test_without_a_time_limit_there_is_always_time(clock):
    meter = Budget(playouts=10).start()
    clock[0] += 1e9
    assert meter.left() == math.inf
    assert meter.budget.playouts == 10


def test_the_real_clock_advances():
    meter = Budget(time=60).start()
    first = meter.spent()
    time.sleep(0.002)
    assert 0 <= first < meter.spent()


def test_a_number_of_playouts_of_any_size_can_be_printed():
    assert repr(Budget(playouts=10**5000)) == f"Budget(time=None, playouts={2**63 - 1})"
    with pytest.raises(ValueError, match="at least 1, got <int>"):
        Budget(playouts=-(10**5000))
