"""Every public function, with arguments that are damaged or of any kind, returns or raises a typed error."""

import random
import warnings

import numpy as np
import pytest
from hypothesis import given
from robustness import hostile
from robustness.budget import budget
from robustness.valid_calls import ENTRIES, UNTRIED, _casebase, _network, _query, _ring

from baycarp import Range, Spot
from baycarp.agents.registry import AGENTS, load
from baycarp.bn import Inference, Network, Sample, em, fit, random_network
from baycarp.budget import Budget
from baycarp.cases import (
    CaseStore,
    Exponential,
    Linear,
    competence,
    local_similarities,
    retrieve,
    spreads,
)
from baycarp.errors import (
    ArgumentError,
    CardError,
    EvidenceError,
    IllegalAction,
    RangeError,
    SchemaError,
    StoreError,
)
from baycarp.estimation import equities
from baycarp.evaluation import strength
from baycarp.game import State, Variant
from baycarp.kernels.evidence import strength_buckets
from baycarp.kernels.game import Hand, deal, random_hands
from baycarp.kernels.hands import census
from baycarp.kernels.runout import runout
from baycarp.kernels.search import bucket_table, hand_choices
from baycarp.kernels.similarity import exp_nonpositive, exp_nonpositive_all
from baycarp.kernels.sweeps import share
from baycarp.solvers import (
    CFR,
    ExternalSampling,
    RestrictedCFR,
    StrategyProfile,
    best_response,
    flatten,
    value,
)


@pytest.mark.parametrize("name", hostile.FUNCTIONS)
def test_hostile_arguments_are_taken_or_refused(name):
    @budget(0.4)
    @given(hostile.calls(name))
    def is_taken_or_refused(call):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                call()
            except Exception as error:
                if not hostile.is_typed(error):
                    raise

    is_taken_or_refused()


@pytest.mark.parametrize("name", hostile.FUNCTIONS)
def test_the_call_that_is_varied_is_valid(name):
    args, keywords = ENTRIES[name]()
    given = {
        key: value.value if isinstance(value, (hostile.Fixed, hostile.Amount)) else value
        for key, value in [*enumerate(args), *keywords.items()]
    }
    hostile.FUNCTIONS[name](*(given[i] for i in range(len(args))), **{key: given[key] for key in keywords})


@pytest.mark.parametrize("name", hostile.FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_some_of_the_varied_calls_pass(name):
    """Refusals at the arguments alone would put nothing to the test."""
    for seed in range(40):
        try:
            return hostile.call(name, random.Random(seed))()
        except hostile.TYPED:
            continue
        except ValueError as error:
            if not hostile.is_typed(error):
                raise
    pytest.fail("40 of 40 calls are refused")


def test_every_public_function_has_an_entry():
    untried = {name for names in UNTRIED.values() for name in names}
    assert hostile.public().keys() - ENTRIES.keys() == untried
    assert ENTRIES.keys() == hostile.FUNCTIONS.keys()


def test_which_errors_are_typed():
    typed = [SchemaError("x"), TypeError("x"), OSError("x"), ValueError("Buffer dtype mismatch")]
    assert all(map(hostile.is_typed, typed))
    untyped = [
        ValueError("x"),
        OverflowError("x"),
        RecursionError("x"),
        IndexError("x"),
        KeyError("x"),
        AttributeError("x"),
        RuntimeError("x"),
    ]
    unicode = [UnicodeDecodeError("ascii", b"\xff", 0, 1, "x"), UnicodeEncodeError("ascii", "é", 0, 1, "x")]
    assert not any(map(hostile.is_typed, [*untyped, *unicode]))


def fit_by_em(**change):
    network = _network()
    observed = Sample({"A": [0, -1], "B": [1, 1]})
    return em(observed, network, **{"iterations": 3, "tolerance": 0.0, "prior": 1.0} | change)


NINES = np.ones(1326)
HUGE = 10**400  # beyond every double


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: share("AhAd", 6, 100, -1), ArgumentError),
        (lambda: share("AhAd", 6, 100, 2**64), ArgumentError),
        (lambda: share("AhAd", 6, 2**70, 1), ArgumentError),
        (lambda: share("AhAd", 2**40, 100, 1), ArgumentError),
        (lambda: share("AhAd", 6, 100, "x"), TypeError),
        (lambda: strength("AhKd", "Qs7d2c", ahead=2**40), ArgumentError),
        (lambda: census(2**70), ArgumentError),
        (lambda: deal(float("nan"), 2, 3, 9), CardError),
        (lambda: Inference(_network()).posteriors({"A": [[0, 1]]}, ["B"]), EvidenceError),
        (lambda: Budget(time="soon"), TypeError),
        (lambda: Budget(playouts=[1]), ArgumentError),
        (lambda: random_network(_network().structure, -1), ArgumentError),
        (lambda: random_network(_network().structure, 1, -1.0), SchemaError),
        (lambda: fit_by_em(prior=[1, 2, 3]), TypeError),
        (lambda: fit(_network().structure, {"A": [0], "B": [1]}, np.ones(2)), TypeError),
        (lambda: Range([[1], [1, 2]]), ArgumentError),
        (lambda: Range.from_groups({1: [1, 2]}), TypeError),
        (lambda: retrieve(_casebase(), _query(), np.ones(2)), TypeError),
        (lambda: competence(_casebase(), 5, -1), ArgumentError),
        (lambda: spreads(_casebase().schema, [_casebase().columns()], -1), ArgumentError),
        (lambda: local_similarities(_casebase(), _casebase().schema.situation(_query()), [[1]]), SchemaError),
        (lambda: runout([[0, 1], [2, 3]], [], [-1]), ArgumentError),
        (lambda: runout([[0, 1], [2, 3]], [], [2**70]), ArgumentError),
        (lambda: Range.from_groups({1.0: 1}), RangeError),
        (lambda: Network(None, {}), TypeError),
        (lambda: fit_by_em(iterations=float("nan")), TypeError),  # would never end
        (lambda: fit_by_em(iterations=-1), ArgumentError),
        (lambda: fit_by_em(tolerance=float("nan")), SchemaError),
        (lambda: CaseStore("a\0b", []), StoreError),
        (lambda: _casebase().case(float("inf")), SchemaError),
        (lambda: _casebase().case(2**70), SchemaError),
        (lambda: _casebase().extend_columns({"solutions": [1, 2]}), SchemaError),
        (
            lambda: retrieve(_casebase(), _query(), 0.0, 2**200),
            ArgumentError,
        ),
        (lambda: Network(_network().structure, {"A": [HUGE, 0], "B": np.ones((2, 3)) / 3}), SchemaError),
        (lambda: Inference(_network()).explain({}, {"A": [HUGE, 1]}), EvidenceError),
        (lambda: Linear(max=HUGE), ArgumentError),
        (lambda: Exponential(1, HUGE), ArgumentError),
        (lambda: Spot("Qs7d2c", HUGE, 100, "AA", "KK"), ArgumentError),
        (lambda: strength_buckets(NINES, NINES, np.ones(1), HUGE), ArgumentError),
        (lambda: bucket_table("Qs7d2c", [HUGE]), ArgumentError),
        (lambda: bucket_table("Qs7d2c", [0.5], HUGE), ArgumentError),
        (lambda: exp_nonpositive(-HUGE), ArgumentError),
        (lambda: exp_nonpositive_all([-HUGE]), ArgumentError),
        (lambda: random_hands(_ring(), np.True_, 1), TypeError),
        (lambda: Hand(_ring().rules, (40,) * 3).act(float("nan"), 0), IllegalAction),
        (lambda: hand_choices(_ring().rules, (40,) * 3, [(float("nan"), 0)]), IllegalAction),
        (lambda: CFR(None), TypeError),
        (lambda: ExternalSampling(None, 1), TypeError),
        (lambda: StrategyProfile.uniform(None), TypeError),
        (lambda: StrategyProfile.of(None, ({}, {})), TypeError),
        (lambda: StrategyProfile(None, (NINES, NINES)), TypeError),
        (lambda: RestrictedCFR(None, 0, 0.5), TypeError),
        (lambda: best_response(None, 0), TypeError),
        (lambda: value(None), TypeError),
        (lambda: flatten(None), TypeError),
        (lambda: random_network(None, 1), TypeError),
    ],
)
def test_an_argument_out_of_range_is_named(call, error):
    with pytest.raises(error, match="expected"):
        call()


DECIDING = sorted({*AGENTS} - {"program"})  # what a program answers is its own


@pytest.mark.parametrize("agent", DECIDING)
def test_a_decision_without_an_observation_is_refused(agent):
    with pytest.raises(TypeError, match="expected an Observation, got None"):
        load(agent).decide(None)


@pytest.mark.parametrize("agent", DECIDING)
def test_a_decision_out_of_turn_is_refused(agent):
    player = load(agent)
    ends = (
        "limit.2p.reverse_blinds",
        "nolimit.2p.reverse_blinds",
        "nolimit.2p.100bb",
        "nolimit.3p",
        "limit.3p",
    )
    games = (Variant.load(f"holdem.{end}") for end in ends)
    game = next(game for game in games if player.plays.fits(game))
    state = State(game, deck=range(2 * game.seats + 5))
    other = (state.to_act + 1) % 2
    with pytest.raises(IllegalAction, match="cannot act: to act is "):
        player.decide(state.observe(other))
    while not state.is_over:
        state.apply(state.named("fold" if state.owed else "check"))
    with pytest.raises(IllegalAction, match="to act is nobody"):
        player.decide(state.observe(0))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_the_seed_of_an_estimate_is_checked(seed):
    with pytest.raises(ArgumentError, match=r"seed: expected 0\.\."):
        equities("AhKd", NINES, NINES, budget=Budget(playouts=10), seed=seed)
