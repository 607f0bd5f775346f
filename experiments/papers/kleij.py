"""Van der Kleij (2010): the back-up of 3.6.1, moves and their prediction, holdings by EM, the search."""

from functools import lru_cache, partial
from itertools import product
from math import prod

import numpy as np

from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import interval
from baycarp.arena.session import Table
from baycarp.arena.workers import Workers
from baycarp.game import ACTIONS, Variant
from baycarp.training.sizers import MEMBERS
from experiments.papers.entry import Entry, read_entries
from experiments.papers.run import Maker, Run, estimate, fresh, sessions
from experiments.papers.verdict import UNDECIDED, Estimate, Made, Value
from experiments.players.against_styles import Meeting, by_hand, drawn_styles, meet, pooled
from experiments.players.cluster_spread import spreads
from experiments.players.hidden_cards import best_bucket_folds, population_hands, shown_times
from experiments.players.holding_rows import HoldingRows
from experiments.players.holdings_em import HoldingsEM
from experiments.players.move_accuracy import MoveAccuracy, accuracies
from experiments.players.moves import chi_square, moves, population
from experiments.players.soft_clusters import soft_gain

__all__ = ["MAKERS", "backed_up"]

CHANCES, VALUES, SAMPLES = (0.1, 0.9), (0.0, 1.0), 2
"""Of the children a and b; the number of samples."""


def backed_up(drawn: tuple[int, ...], by_probability: bool) -> float:
    """The value of a node after samples of its children.

    Parameters
    ----------
    drawn
        The child of each sample: 0 or 1.
    by_probability
        Whether children count by their probability once both are sampled; otherwise by how often they are.

    Examples
    --------
    >>> backed_up((0, 1), by_probability=True), backed_up((0, 1), by_probability=False)
    (0.9, 0.5)
    """
    if by_probability and len(set(drawn)) == len(VALUES):
        return sum(chance * value for chance, value in zip(CHANCES, VALUES, strict=True))
    return sum(VALUES[child] for child in drawn) / len(drawn)


def _expected(by_probability: bool) -> float:
    draws = product(range(len(VALUES)), repeat=SAMPLES)
    return sum(prod(CHANCES[child] for child in drawn) * backed_up(drawn, by_probability) for drawn in draws)


def bias(entry: Entry, run: Run) -> Made:
    """The expectation over all samples, by the weights of the children."""
    return Made.of(entry, lambda row: [_expected(by_probability=row == "by probability")])


LEAST_FOLDS = 0.02
"""The share of folds from which a bucket counts as folding; ours."""


PLAYER = "mcts(published=True)"
"""The search player of figures 6.5 and 6.8."""

QUICK = "mcts(published=True, playouts=500)"
"""The same with half of the playouts, for 400 games in minutes."""

FIRST = 400
"""The games of figure 6.5 against each opponent."""

LEARNER = "mcts"
"""The opponent that learns, in place of people: clusters and a model of the individual, from every hand."""


def _game(seats: int) -> Variant:
    return Variant.load(f"holdem.nolimit.{seats}p.100bb")


def _population(seats: int, run: Run) -> HoldingRows:
    return HoldingRows.of(population_hands(_game(seats), run.hands, run.seed))


@lru_cache(maxsize=4)
def _accuracies(seats: int, run: Run) -> MoveAccuracy:
    return accuracies(population_hands(_game(seats), run.hands, run.seed), run.seed)


def _estimate(mean: tuple[float, float], scale: float = 1.0) -> Estimate:
    return Estimate(scale * mean[0], scale * (mean[0] - mean[1]), scale * (mean[0] + mean[1]))


def _seats(row: str) -> int:
    return int(row.split()[0])


def kinds(entry: Entry, run: Run) -> Made:
    """How often the kind of the next move is predicted, by the models and by the commonest kind."""

    def shares(row: str) -> list[Estimate]:
        found = _accuracies(_seats(row), run)
        return [_estimate(found.kinds), _estimate(found.commonest, 100), _estimate(found.by_price, 100)]

    return Made.of(entry, shares, run.hands)


def matrix(seats: int, entry: Entry, run: Run) -> Made:
    """The kinds of moves that are predicted, by the actual ones."""
    found = _accuracies(seats, run).matrix

    def shares(row: str) -> list[Estimate]:
        return [_estimate(mean, 100) for mean in found[ACTIONS.index(row.removeprefix("predicted "))]]

    return Made.of(entry, shares, run.hands)


def chi(entry: Entry, run: Run) -> Made:
    """Of the printed counts of table 6.1."""
    sizes = next(each for each in read_entries() if each.id == "004-6.1")

    def statistic(row: str) -> list[Value]:
        places = [n for n, column in enumerate(sizes.columns) if column.name.endswith(row)]
        expected, observed = ([float(cells[place]) for _, cells in sizes.rows] for place in places)
        return [chi_square(observed, expected)]

    return Made.of(entry, statistic)


SIMILAR = 0.01
"""The share of predicted moves by which clusters of similar quality differ at most; ours."""


def soft(entry: Entry, run: Run) -> Made:
    """Whether clusters with soft membership predict as many moves as those of members alone."""

    def found(row: str) -> list[Value]:
        mean, margin = soft_gain(population_hands(_game(_seats(row)), run.hands, run.seed), run.seed)
        words = {
            "similar": abs(mean) + margin <= SIMILAR,
            "better": mean > margin,
            "worse": mean < -margin,
        }
        word = next((word for word, holds in words.items() if holds), UNDECIDED)
        return [word, _estimate((mean, margin), 100)]

    return Made.of(entry, found, run.hands)


def bet_sizes(entry: Entry, run: Run) -> Made:
    """How often the size of a bet is predicted, beside the commonest size."""

    def sizes(row: str) -> list[Estimate]:
        found = _accuracies(_seats(row), run)
        return [_estimate(found.bets, 100), _estimate(found.commonest_bet, 100)]

    return Made.of(entry, sizes, run.hands)


def raise_sizes(entry: Entry, run: Run) -> Made:
    """The same of raises."""

    def sizes(row: str) -> list[Estimate]:
        found = _accuracies(_seats(row), run)
        return [_estimate(found.raises, 100), _estimate(found.commonest_raise, 100)]

    return Made.of(entry, sizes, run.hands)


def rising(entry: Entry, run: Run) -> Made:
    """Whether clusters predict more moves after the last round than drawn at random."""

    def found(row: str) -> list[str]:
        mean, margin = _accuracies(_seats(row), run).gain
        return ["improves" if mean > margin else "worsens" if mean < -margin else UNDECIDED]

    return Made.of(entry, found, run.hands)


def spread(entry: Entry, run: Run) -> Made:
    """Whether the clusters' habits lie further apart than those of random clusters."""
    found = spreads(population_hands(_game(6), run.hands, run.seed), run.seed)
    return Made.of(entry, lambda row: ["spread out" if found[row].apart else UNDECIDED], run.hands)


def always_call(entry: Entry, run: Run) -> Made:
    """The small blinds a hand that the search player wins from always-call."""
    game = _game(2)
    table = Table(game, ("search", "call"), (PLAYER, "call"), run.seed, estimators=("all-in",))
    played = sessions(table, PLAYED, run)
    won = np.concatenate([each.estimates["all-in"][:, 0] for each in played])
    rate = interval(won / min(game.blinds), unit="small blinds")
    return Made.of(entry, lambda row: [estimate(rate)], run.hands)


def move_mix(entry: Entry, run: Run) -> Made:
    """The composition of moves of the population, by seats."""
    found = [moves(population(_game(_seats(column.name)), run.hands, run.seed)) for column in entry.columns]
    return Made.of(entry, lambda row: [100 * each.share(row) for each in found], run.hands)


def first_games(entry: Entry, run: Run) -> Made:
    """What the search player wins in its first 400 hands against each of styles that were not trained on."""
    met = Meeting(_game(2), PLAYER, drawn_styles(MEMBERS, MEMBERS), -(-run.hands // FIRST), FIRST, run.seed)
    rate = pooled(list(meet(met, Workers(run.workers))))
    return Made.of(entry, lambda row: [estimate(rate)], run.hands)


def against_a_learner(entry: Entry, run: Run) -> Made:
    """What the search player wins in either half of its first 400 games against opponents that learn."""
    game = _game(2)
    table = Table(game, ("search", "learner"), (QUICK, LEARNER), run.seed, estimators=("all-in",))
    played = fresh(table, PLAYED, (-(-run.hands // FIRST), FIRST), run)
    won = [each.estimates["all-in"][:, 0] / min(game.blinds) for each in played]
    halves = by_hand(won, (0, FIRST // 2, FIRST)).values()
    change = pooled([each[FIRST // 2 :] - each[: FIRST // 2] for each in won])
    words = {"detrimental": change.mean < -change.margin, "helps": change.mean > change.margin}
    word = next((word for word, holds in words.items() if holds), UNDECIDED)
    return Made.of(entry, lambda row: [*map(estimate, halves), word], run.hands)


def shown(entry: Entry, run: Run) -> Made:
    """The probability of holdings that were shown, beside that of the deal."""
    mean, margin = shown_times(_population(9, run), HoldingsEM(seed=run.seed))
    return Made.of(entry, lambda row: [Estimate(mean, mean - margin, mean + margin)], run.hands)


def strong_folds(entry: Entry, run: Run) -> Made:
    """Whether the strongest bucket folds on the flop."""
    found = best_bucket_folds(_population(2, run), HoldingsEM(seed=run.seed))
    return Made.of(entry, lambda row: ["folds" if found[row] >= LEAST_FOLDS else "hardly folds"], run.hands)


MAKERS: dict[str, Maker] = {
    "004-sec3.6.1": bias,
    "004-4.2": move_mix,
    "004-4.3": kinds,
    "004-4.4": kinds,
    "004-4.5": kinds,
    "004-4.3-matrix": partial(matrix, 2),
    "004-4.4-matrix": partial(matrix, 6),
    "004-4.5-matrix": partial(matrix, 9),
    "004-4.6": bet_sizes,
    "004-4.7": raise_sizes,
    "004-sec4.4": soft,
    "004-fig4.2": spread,
    "004-fig4.3": rising,
    "004-fig5.4": shown,
    "004-fig5.5": strong_folds,
    "004-sec6.3.1": chi,
    "004-fig6.5": first_games,
    "004-fig6.5-learning": against_a_learner,
    "004-fig6.8": always_call,
}
