"""EM over hidden holdings, judged where all cards are recorded: the true holding of players that folded.

The first four fifths of the hands, in time, train everything; the limits of the trees are chosen on the last
fifth of those, by the likelihood of actions and shown holdings; the last fifth of all hands is scored once.
Learners are given the holdings of showdowns alone. Source: van der Kleij (2010), sections 5.5 to 5.7. Ours:
scores on folded holdings, which were not recorded there, and a fifth of the hands to score instead of 5 %.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import mean_by_hand
from baycarp.arena.session import play_session
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.game.variant import Variant
from baycarp.rules.features import SITUATIONS
from baycarp.training.hidden_trees import left_over
from baycarp.trees import Growth
from experiments.players.fold_correction import correct_folds
from experiments.players.holding_policy import HoldingGrowth, HoldingPolicy
from experiments.players.holding_rows import HoldingRows, Memberships, made_probabilities, posterior
from experiments.players.holdings_em import (
    HoldingsEM,
    Start,
    learn_given,
    learn_holdings,
    unconditioned,
)
from experiments.players.sizer_tables import tables

__all__ = ["HiddenCards", "best_bucket_folds", "judge_hidden", "population_hands", "shown_times"]

Array = NDArray[np.float64]
Pair = tuple[float, float]

GROWTHS = tuple(HoldingGrowth(Growth(depth, 20.0, 0.2), blur) for depth in (4, 6) for blur in (0.3, 0.5))
"""The limits that are compared on held-out hands."""

HANDS = 100
"""Hands at a table of the population."""

STRONG = 0.95
"""The rank from which a bucket belongs to the strongest twentieth."""

FLOP = 3
"""The situation of a fold, call or raise on the flop."""

SHORT = 4
"""The rounds of EM by which limits are compared."""


@dataclass(frozen=True, slots=True)
class HiddenCards:
    """A model of holdings, on the last fifth of the hands. Pairs are a mean and its 95 % margin by hand.

    Parameters
    ----------
    name
        Of the model.
    folded, gain
        Log loss of the true holding of players that folded, in nats; that of the deal less this.
    shown
        The same log loss of players whose holding was shown.
    times
        The mean probability of shown holdings, divided by that of the deal.
    strong_folds
        The probability of a fold where a holding of the strongest twentieth faces a bet, by the model;
        nan = it has none.
    best_folds
        The same of the strongest bucket on the flop, over all decisions that face a bet.
    """

    name: str
    folded: Pair
    gain: Pair
    shown: Pair
    times: float
    strong_folds: Pair
    best_folds: float


def population_hands(game: Variant, hands: int, seed: int) -> Iterator[Hand]:
    """Hands of members of the no-limit population, other ones at every table.

    Raises
    ------
    TableError
        A fixed-limit game.
    """
    for number, table in enumerate(tables(game, -(-hands // HANDS), seed)):
        played = play_session(table, PLAYED + number, min(HANDS, hands - number * HANDS))
        yield from (parse_state(line, game) for line in played.log)


def judge_hidden(rows: HoldingRows, settings: HoldingsEM) -> list[HiddenCards]:
    """Train on the first four fifths of the hands, and score the last fifth.

    Parameters
    ----------
    rows
        Players in hands; showdowns, and folded players whose holdings are recorded.
    settings
        Of EM; its start and growth are replaced.

    Raises
    ------
    ArgumentError
        No showdown to learn from, or no folded holding to score.
    """
    end = int(rows.hands.max()) + 1
    train, test = rows.of_hands(0, end * 4 // 5), rows.of_hands(end * 4 // 5, end)
    if not train.shown.any() or not (test.folded & (test.holding >= 0)).any():
        raise ArgumentError(f"{end} hands: expected showdowns, and folded holdings in the last fifth")
    members = Memberships(settings.buckets)
    settings = replace(settings, growth=_growth(train, settings, members))
    held_out = _HeldOut.of(test, members)
    start = posterior(
        test, held_out.nobody, held_out.unread, members, left_over(train.holding[train.shown], len(train))
    )
    return [
        held_out.truth(),
        held_out.scored("deal", held_out.deal),
        held_out.scored("leftover start", start.losses),
        *(held_out.judged(name, policy) for name, policy in _learned(train, settings, members)),
    ]


def shown_times(rows: HoldingRows, settings: HoldingsEM) -> Pair:
    """The probability of holdings shown in the last 5 % of the hands, divided by that of the deal.

    EM from the leftover start learns from the others (van der Kleij 2010, figure 5.4).

    Returns
    -------
    mean, margin
        95 %, by hand; nan without a holding that was shown.
    """
    end = int(rows.hands.max()) + 1
    train, test = rows.of_hands(0, end * 19 // 20), rows.of_hands(end * 19 // 20, end)
    members = Memberships(settings.buckets)
    policy = learn_holdings(train, train.shown, replace(settings, start="leftover"), members).policy
    held_out = _HeldOut.of(test, members)
    made = made_probabilities(policy, test.choices)
    given = np.exp(-posterior(test, held_out.nobody, made, members).losses[test.shown])
    return mean_by_hand(given / np.exp(-held_out.deal[test.shown]).mean(), test.hands[test.shown])


def best_bucket_folds(rows: HoldingRows, settings: HoldingsEM) -> dict[str, float]:
    """The folds of the strongest bucket on the flop, over all decisions that face a bet, by model.

    EM from the leftover start, without and with the correction of folds (van der Kleij 2010, figure 5.5).
    """
    members = Memberships(settings.buckets)
    policy = learn_holdings(rows, rows.shown, replace(settings, start="leftover"), members).policy
    features = rows.choices.features[rows.choices.situations == FLOP]
    named = {"EM": policy, "EM, folds corrected": correct_folds(policy)}
    return {name: float(each.probabilities(FLOP, features)[:, -1, 0].mean()) for name, each in named.items()}


def _growth(train: HoldingRows, settings: HoldingsEM, members: Memberships) -> HoldingGrowth:
    """The limits with the greatest likelihood of the last fifth of the training hands, by short EM."""
    end = int(train.hands.max()) + 1
    inside, outside = train.of_hands(0, end * 4 // 5), train.of_hands(end * 4 // 5, end)

    def likelihood(growth: HoldingGrowth) -> float:
        short = replace(settings, start="ordered", growth=growth, rounds=SHORT)
        policy = learn_holdings(inside, inside.shown, short, members).policy
        made = made_probabilities(policy, outside.choices)
        return float(posterior(outside, outside.shown, made, members).likelihoods.mean())

    return max(GROWTHS, key=likelihood)


def _learned(
    train: HoldingRows, settings: HoldingsEM, members: Memberships
) -> Iterator[tuple[str, HoldingPolicy]]:
    """The policies that are compared, by name."""
    yield "showdowns alone", learn_given(train, train.shown, settings, members).policy
    named: tuple[tuple[str, Start], ...] = (
        ("EM", "leftover"),
        ("EM, ordered start", "ordered"),
        ("EM, restarts", "random"),
    )
    for name, start in named:
        policy = learn_holdings(train, train.shown, replace(settings, start=start), members).policy
        yield name, policy
        if start != "random":
            yield f"{name}, folds corrected", correct_folds(policy)
    yield "all cards", learn_given(train, train.holding >= 0, settings, members).policy


@dataclass(frozen=True, slots=True)
class _HeldOut:
    """The hands that are scored.

    Parameters
    ----------
    rows, members
        Players in hands, and the memberships.
    nobody
        No holding is given: bool, shape (rows,).
    unread, deal
        The probabilities of actions by no model, and its losses.
    known
        The membership of the recorded holding at every decision.
    """

    rows: HoldingRows
    members: Memberships
    nobody: NDArray[np.bool_]
    unread: Array
    deal: Array
    known: Array

    @classmethod
    def of(cls, rows: HoldingRows, members: Memberships) -> "_HeldOut":
        nobody = np.zeros(len(rows), np.bool_)
        unread = unconditioned(rows.choices, members.buckets)
        losses = posterior(rows, nobody, unread, members).losses
        return cls(rows, members, nobody, unread, losses, members.of_known(rows))

    def truth(self) -> HiddenCards:
        """What the players did with strong holdings."""
        folds = (self.rows.choices.moves == 0).astype(np.float64)
        strong = self._strong()
        flop = self.rows.choices.situations == FLOP
        best = self.known[flop, self.members.buckets.counts[1] - 1]
        share = float(best @ folds[flop] / best.sum()) if best.any() else np.nan
        nothing = (np.nan, np.nan)
        hands = self.rows.choices.hands[strong]
        return HiddenCards(
            "the players", nothing, nothing, nothing, np.nan, mean_by_hand(folds[strong], hands), share
        )

    def scored(self, name: str, losses: Array) -> HiddenCards:
        """The scores of losses by row, without those of folds."""
        folded = self.rows.folded & (self.rows.holding >= 0)
        shown, hands = self.rows.shown, self.rows.hands
        times = float(np.exp(-losses[shown]).mean() / np.exp(-self.deal[shown]).mean())
        return HiddenCards(
            name,
            mean_by_hand(losses[folded], hands[folded]),
            mean_by_hand((self.deal - losses)[folded], hands[folded]),
            mean_by_hand(losses[shown], hands[shown]),
            times,
            (np.nan, np.nan),
            np.nan,
        )

    def judged(self, name: str, policy: HoldingPolicy) -> HiddenCards:
        """The scores of a policy."""
        choices = self.rows.choices
        made = made_probabilities(policy, choices)
        losses = posterior(self.rows, self.nobody, made, self.members).losses
        folds = replace(choices, moves=np.zeros_like(choices.moves))
        by_bucket = made_probabilities(policy, folds)
        strong = self._strong()
        mean = (by_bucket[strong] * self.known[strong]).sum(axis=1)
        best = by_bucket[choices.situations == FLOP, policy.buckets.counts[1] - 1]
        return replace(
            self.scored(name, losses),
            strong_folds=mean_by_hand(mean, choices.hands[strong]),
            best_folds=float(best.mean()),
        )

    def _strong(self) -> NDArray[np.bool_]:
        """The decisions that face a bet with a holding of the strongest twentieth."""
        buckets, situations = self.members.buckets, self.rows.choices.situations
        share = np.zeros(len(situations))
        for situation in range(1, len(SITUATIONS), 2):
            at, best = situations == situation, buckets.ranks(situation // 2) >= STRONG
            share[at] = self.known[at][:, : len(best)] @ best
        return np.asarray(share > 0.5)
