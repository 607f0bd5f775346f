"""Gambler's queries: what a player does with each holding, and what its action says about its holding.

All are queries of the networks of ``preflop`` and ``postflop``: single ones by compiled plans, those of all
holdings at once by ``bn.rows``. Evidence about the action is soft: a check is a call, or a fold that is free;
a call where no raise is allowed may have been a raise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn import Network, Posterior, QueryPlan, compile
from baycarp.bn.rows import RowPlan
from baycarp.card import CLASS_OF
from baycarp.errors import ArgumentError, brief
from baycarp.opponents.gambler.draws import Scare
from baycarp.opponents.gambler.postflop import (
    BIGGER,
    CATEGORIES,
    OPPONENTS_DRAW,
    PLAYER_DRAWS,
    acting,
    joint_network,
    postflop_network,
    reraise_network,
)
from baycarp.opponents.gambler.preflop import power_ratings, preflop_network
from baycarp.opponents.gambler.tables import ACTING, ACTIONS, BIASES, PLACES, STAKES_STATES

__all__ = [
    "FORMS",
    "Form",
    "Networks",
    "by_class",
    "evidence_of",
    "marginals",
    "not_dominated",
    "win_evidence",
    "wins",
    "with_roots",
]

Array = NDArray[np.float64]

Form = Literal["independent", "joint"]
FORMS: tuple[Form, ...] = ("independent", "joint")
"""The paper's form, of nine independent categories, and the joint one: see ``postflop``."""


def _no_yes(yes: Array) -> Array:
    """Evidence of a node of two states: shape (..., 2)."""
    return np.stack([1 - yes, yes], axis=-1)


def win_evidence(form: Form, shares: Array, pool: Scare) -> tuple[dict[str, Array], dict[str, Array]]:
    """The soft evidence of rows of draws (n, 9) against a scare pool: by row, and common to all."""
    if form == "joint":
        return {"player-draws": shares, "opponents-draw": pool.strongest}, {}
    own = zip(PLAYER_DRAWS, _no_yes(shares.T), strict=True)
    bigger = zip(BIGGER, _no_yes(pool.bigger), strict=True)
    return dict(own) | dict(bigger), dict(zip(OPPONENTS_DRAW, _no_yes(pool.any_draws), strict=True))


@lru_cache(maxsize=2)
def _win_plan(form: Form) -> RowPlan:
    """``win`` of many rows."""
    if form == "joint":
        nodes = ["player-draws", "opponents-draw"]
        return RowPlan(joint_network(), nodes, [], "win", [nodes])
    buckets = []
    for number in reversed(range(len(CATEGORIES))):
        name = CATEGORIES[number]
        bucket = [PLAYER_DRAWS[number], BIGGER[number], OPPONENTS_DRAW[number], f"win {name}"]
        if number < len(CATEGORIES) - 1:
            bucket += [f"higher {name}", f"won {CATEGORIES[number + 1]}"]
        buckets.append(bucket)
    return RowPlan(postflop_network(), [*PLAYER_DRAWS, *BIGGER], OPPONENTS_DRAW, "win", buckets)


def wins(form: Form, shares: Array, pool: Scare) -> Array:
    """P(win) of rows of draws against a scare pool: the network's query, for all rows at once.

    Parameters
    ----------
    form
        Of the post-flop network.
    shares
        float64, shape (n, 9): the probability that each row ends in each category.
    pool
        With n cells.

    Returns
    -------
    float64 array, shape (n,)
    """
    return _win_plan(form).posteriors(*win_evidence(form, shares, pool))[:, 1]


_ORDER = np.argsort(power_ratings(), kind="stable")


def not_dominated(opponents: Array) -> Array:
    """The probability that no opponent holds hole cards of a higher power rating, by starting class.

    Parameters
    ----------
    opponents
        float64, shape (k, 169): the distribution of each opponent's starting class.

    Returns
    -------
    float64 array, shape (169,)
        1 less the probability that *some* opponent's hole dominates (Matthews 2005, section 3).
    """
    above = np.zeros((len(opponents), len(_ORDER)))
    above[:, _ORDER] = 1 - np.cumsum(opponents[:, _ORDER], axis=1)
    return np.asarray(np.prod(np.clip(1 - above, 0, 1), axis=0))


def by_class(weights: Array) -> Array:
    """The distribution of the starting class under weights of holdings; shape (169,)."""
    mass = np.bincount(CLASS_OF, weights, len(_ORDER))
    return np.asarray(mass / mass.sum())


@dataclass(frozen=True)
class Networks:
    """The networks of one kind of player: the tables of its pre-flop network, and of its decisions after it.

    Parameters
    ----------
    preflop
        A network of ``preflop.STRUCTURE``.
    decision
        A network of the nodes of ``reraise_network``.
    form
        Of the post-flop network: one of ``FORMS``.

    Raises
    ------
    ArgumentError
        Another form.
    """

    preflop: Network
    decision: Network
    form: Form = "independent"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise ArgumentError(f"form {brief(self.form)}: expected one of {FORMS}")

    @staticmethod
    def ours(form: Form = "independent", acts: bool = False) -> "Networks":
        """Our tables; ``acts``: whether the others' acts on the street count after the flop."""
        return Networks(preflop_network(), reraise_network(ACTING if acts else ()), form)

    def __reduce__(self) -> tuple[type["Networks"], tuple[Network, Network, Form]]:
        return Networks, (self.preflop, self.decision, self.form)

    @cached_property
    def postflop(self) -> Network:
        """The post-flop network with the tables of the decision."""
        return postflop_network(self.decision) if self.form == "independent" else joint_network(self.decision)

    @cached_property
    def acting(self) -> tuple[str, ...]:
        """The nodes of the others' acts on the street, if there are any."""
        return acting(self.decision)

    @property
    def _observed(self) -> tuple[str, ...]:
        return "stakes", "position", *self.acting, "bias"

    @property
    def digest(self) -> str:
        """Of all tables."""
        return f"{self.preflop.digest()[:16]}-{self.decision.digest()[:16]}-{self.form}"

    @cached_property
    def _choices(self) -> dict[tuple[int, int, int, int], Array]:
        return {}

    def preflop_choices(self, position: int, early: int, mid: int, bias: int) -> Array:
        """P(action) of all starting classes, given codes of the other nodes; shape (169, 3)."""
        key = (position, early, mid, bias)
        found = self._choices.get(key)
        if found is None:
            classes = np.arange(self.preflop.structure.cardinality("hole"))
            codes = np.column_stack([classes, *(np.full(len(classes), code) for code in key)])
            found = self._choices[key] = self._forward.posteriors(codes)["action"]
        return found

    @cached_property
    def _forward(self) -> QueryPlan:
        return compile(self.preflop, ("hole", "position", "early-action", "mid-action", "bias"), ("action",))

    @cached_property
    def _decisions(self) -> Array:
        """P(action | win, stakes, position, acts, bias); shape (2, 12, 3, 3, 3) without acts."""
        nodes = ("win", *self._observed)
        shape = tuple(self.decision.structure.cardinality(node) for node in nodes)
        plan = compile(self.decision, nodes, ("action",))
        return plan.posteriors(np.indices(shape).reshape(len(shape), -1).T)["action"].reshape(*shape, 3)

    def choices(self, win: Array, key: tuple[int, ...], bias: int) -> Array:
        """P(action | evidence, bias) for probabilities of winning, shape (n,); shape (n, 3).

        ``key``: codes of stakes, position and, where the networks have them, the others' acts.
        """
        lost, won = (by_win[(*key, bias)] for by_win in self._decisions)
        return np.asarray(lost + win[:, None] * (won - lost))

    @cached_property
    def play_preflop(self) -> QueryPlan:
        """The own decision before the flop: action, and what it comes from."""
        nodes = ("hole", "position", "early-action", "mid-action", "bias")
        return compile(self.preflop, nodes, ("group", "strategy", "recommend", "action"))

    @cached_property
    def play_reraise(self) -> QueryPlan:
        """The own decision about a re-raise."""
        return compile(self.decision, self._observed, ("win", "recommend", "action"), ("win",))

    @cached_property
    def play_postflop(self) -> QueryPlan:
        """The own decision after the flop."""
        soft = (
            ("player-draws", "opponents-draw")
            if self.form == "joint"
            else (*PLAYER_DRAWS, *BIGGER, *OPPONENTS_DRAW)
        )
        return compile(self.postflop, self._observed, ("win", "recommend", "action"), soft)

    def decide_postflop(self, shares: Array, pool: Scare, evidence: Mapping[str, str]) -> Mapping[str, Array]:
        """``win``, ``recommend``, ``action`` of one row of draws, shape (9,), against a pool of one cell."""
        rows, shared = win_evidence(self.form, shares[None], pool)
        soft = {node: likely[0] for node, likely in rows.items()} | shared
        return marginals(self.play_postflop.posterior(evidence, soft))


def with_roots(network: Network, tables: Mapping[str, ArrayLike]) -> Network:
    """The network with other tables of some nodes: evidence about roots as their own probabilities."""
    kept = {node: network.cpt(node) for node in network.structure.nodes}
    return Network(network.structure, kept | dict(tables))


def marginals(found: Posterior) -> dict[str, Array]:
    """Posteriors of single nodes, by node."""
    return {node: found[node] for node in found if isinstance(node, str)}


def evidence_of(key: Sequence[int], bias: int) -> dict[str, str]:
    """The observed nodes of a decision, by name; ``key`` as in ``Networks.choices``."""
    stakes, place, *acts = key
    others = {node: ACTIONS[act] for node, act in zip(ACTING, acts, strict=False)}
    return {"stakes": STAKES_STATES[stakes], "position": PLACES[place], **others, "bias": BIASES[bias]}
