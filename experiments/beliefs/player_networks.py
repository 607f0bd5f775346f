"""The thesis' network by playing style and by opponent (Unger 2011, section 9.1).

Players are grouped by their habits, and each group has a network of its own, which backs off to that of the
population. An opponent's network backs off to that of its style. Both are levels of the same tables
(``backoff``): the population's first, then those that keep the style, then those that keep the player. The
strengths of the style's levels are learned with all rows of a player left out, those of a player's own levels
from rows of showdowns, since a seated observer sees no others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Network, Structure
from baycarp.bn.learn import encode
from baycarp.errors import SchemaError
from baycarp.opponents.network.statistics import PlayerStats
from baycarp.opponents.network.topology import HIDDEN, STRUCTURE
from baycarp.training.networks import node_states
from baycarp.training.priors import base_of
from baycarp.training.rows import NetworkRow
from experiments.beliefs.backoff import backed_off, fit_backed_off
from experiments.beliefs.backoff_levels import BackoffLevel, Chain, learn_levels, learn_strengths
from experiments.populations.styles import group

__all__ = ["HabitGroups", "PlayerNetworks", "fit_backing_off", "fit_player_networks"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

STYLES = 4
"""The greatest number of groups; our choice."""

TYPICAL = 10.0
"""Hands of the mean player that each player's habits begin with; our choice."""


@dataclass(frozen=True, slots=True, eq=False)
class HabitGroups:
    """Groups of players by habits: VPIP, PFR, and the aggression on flop, turn and river.

    Parameters
    ----------
    mean
        The mean habits; float64, shape (5,).
    spread
        Their standard deviations over players, 1 where there is none.
    centres
        The habits in the middle of each group; shape (groups, 5).
    """

    mean: Array
    spread: Array
    centres: Array

    @classmethod
    def of(cls, players: Mapping[str, PlayerStats], styles: int = STYLES) -> "HabitGroups":
        """Group players by k-means (``populations.styles.group``); without players there is one group."""
        if not players:
            return cls(np.full(5, 0.5), np.ones(5), np.full((1, 5), 0.5))
        counts = np.array([_counts(stats) for stats in players.values()])
        mean = (counts[:, 0].sum(axis=0) + 0.5) / (counts[:, 1].sum(axis=0) + 1.0)
        found = np.array([_habits(stats, mean) for stats in players.values()])
        spread = found.std(axis=0)
        spread[spread == 0] = 1.0
        return cls(mean, spread, group(tuple(players), found, styles).centres)

    def __call__(self, stats: PlayerStats | None) -> int:
        """The group of a player: that with the nearest centre."""
        mine = _habits(stats or PlayerStats(), self.mean)
        return int(np.linalg.norm((self.centres - mine) / self.spread, axis=1).argmin())


def _counts(stats: PlayerStats) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Hands with each habit, and their opportunities."""
    return (stats.voluntary, stats.raised, *stats.aggressive), (stats.hands, stats.hands, *stats.streets)


def _habits(stats: PlayerStats, mean: Array) -> Array:
    above, of = np.array(_counts(stats))
    return np.asarray((above + TYPICAL * mean) / (of + TYPICAL))


@dataclass(frozen=True, slots=True, eq=False)
class PlayerNetworks:
    """A network for each style, and the levels by which a player's own rows change it.

    Parameters
    ----------
    groups
        The styles.
    networks
        The network of each style.
    own
        Hidden node -> levels of a player's table; the base is the style's table.
    """

    groups: HabitGroups
    networks: tuple[Network, ...]
    own: Mapping[str, tuple[BackoffLevel, ...]]

    def of_player(self, style: int, counts: Mapping[str, Ints]) -> Network:
        """The network of one player.

        Parameters
        ----------
        style
            The player's style.
        counts
            ``bn.learn.counts`` of the player's own rows.
        """
        network = self.networks[style]
        cpts = {node: network.cpt(node) for node in network.structure.nodes}
        cpts |= {node: backed_off(counts[node], cpts[node], levels) for node, levels in self.own.items()}
        return Network(network.structure, cpts)


def fit_player_networks(
    rows: Sequence[NetworkRow], structure: Structure, showdowns_only: bool = True, styles: int = STYLES
) -> PlayerNetworks:
    """Fit a network for each style, and the strengths of a player's own rows.

    Parameters
    ----------
    rows
        With player, habits and the nodes of the structure, of two or more players.
    structure
        Of ``opponents.network.topology``.
    showdowns_only
        Whether styles and population are trained on the rows of showdowns only.
    styles
        The greatest number of styles.

    Raises
    ------
    SchemaError
        Rows of fewer than two players.
    """
    used = [row for row in rows if (row.showdown or not showdowns_only) and row.habits is not None]
    names = {name: number for number, name in enumerate(dict.fromkeys(row.player for row in used))}
    if len(names) < 2:
        raise SchemaError(f"rows of {len(names)} players: expected two or more")
    groups = HabitGroups.of(_last_habits(used), styles)
    marks = np.array([(names[row.player], groups(row.habits), row.showdown) for row in used], np.int64)
    states = node_states(structure, used)
    columns = encode(structure, states)
    population = fit_backing_off(used, structure, showdowns_only)
    tables, own = {}, {}
    for node in structure.nodes:
        if node in HIDDEN:
            family = np.column_stack([columns[member] for member in structure.family(node)])
            tables[node], own[node] = _fit_node(structure, node, family, marks, len(groups.centres))
    networks = []
    for style in range(len(groups.centres)):
        cpts = {n: tables[n][style] if n in tables else population.cpt(n) for n in structure.nodes}
        networks.append(Network(structure, cpts))
    return PlayerNetworks(groups, tuple(networks), own)


def fit_backing_off(
    rows: Sequence[NetworkRow], structure: Structure = STRUCTURE, showdowns_only: bool = True
) -> Network:
    """Fit a network of all players whose tables back off, those of hidden nodes to the deal.

    All rows of a player are left out together, so that the strengths of the levels are those for a player not
    met before. Rows of fewer than two players are left out one by one. The parameters are those of
    ``fit_network``.

    Examples
    --------
    >>> from baycarp.opponents.network.dealt import dealt
    >>> group = fit_backing_off([]).cpt("HandGroup")  # without observations
    >>> bool(np.allclose(group, dealt((), "HandGroup")))
    True
    """
    used = [row for row in rows if row.showdown or not showdowns_only]
    bases = {node: base_of(structure, node) for node in structure.nodes if node in HIDDEN}
    names = {name: number for number, name in enumerate(dict.fromkeys(row.player for row in used))}
    blocks = [names[row.player] for row in used] if len(names) > 1 else None
    return fit_backed_off(structure, node_states(structure, used), bases, blocks)


def _last_habits(rows: Sequence[NetworkRow]) -> dict[str, PlayerStats]:
    """Each player's statistics over the most hands."""
    found: dict[str, PlayerStats] = {}
    for row in rows:
        if row.habits and row.habits.hands >= found.get(row.player, PlayerStats()).hands:
            found[row.player] = row.habits
    return found


def _fit_node(
    structure: Structure, node: str, family: Ints, marks: Ints, styles: int
) -> tuple[Array, tuple[BackoffLevel, ...]]:
    """The table of a node by style, and a player's own levels.

    ``marks``: player, style and whether there was a showdown, by row.
    """
    whole = (family >= 0).all(axis=1)
    family, (player, style, showdown) = family[whole], marks[whole].T
    base = np.broadcast_to(base_of(structure, node), structure.shape(node))
    mine = base[tuple(family[:, :-1].T)]
    population = learn_levels(Chain(family, mine, player))
    before = [BackoffLevel(tuple(axis + 1 for axis in level.kept), level.strength) for level in population]
    kept = tuple(dict.fromkeys([(), *(level.kept for level in population)]))
    by_style = Chain(np.column_stack([style, family]), mine, player)
    after = learn_strengths(by_style, [(0, *(axis + 1 for axis in axes)) for axes in kept], before)
    count = np.zeros((styles, *structure.shape(node)), np.int64)
    np.add.at(count, (style, *family.T), 1)
    table = backed_off(count, base, (*before, *after))
    known = showdown > 0
    by_player = np.column_stack([player, style, family])[known]
    chain = Chain(by_player, by_style.left((*before, *after))[known])
    found = learn_strengths(chain, [(0, *(axis + 2 for axis in axes)) for axes in kept])
    own = tuple(BackoffLevel(tuple(axis - 2 for axis in level.kept[1:]), level.strength) for level in found)
    return table, own
