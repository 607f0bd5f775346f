"""Networks by style and by opponent: levels of the same tables, with the deal below all of them."""

import numpy as np
import pytest

from baycarp.bn import Inference
from baycarp.bn.learn import counts
from baycarp.errors import SchemaError
from baycarp.opponents.network.dealt import card_parents, dealt
from baycarp.opponents.network.statistics import PlayerStats
from baycarp.opponents.network.topology import STRUCTURE, TYPE_NODES
from baycarp.rules.hand import GROUPS
from baycarp.training.networks import fit_network, posteriors
from baycarp.training.rows import NetworkRow, rows_of_session
from baycarp.training.watch import hands_of
from experiments.beliefs.backoff import backed_off
from experiments.beliefs.player_networks import HabitGroups, fit_backing_off, fit_player_networks

LOOSE = PlayerStats(400, 240, 100, (300, 200, 100), (200, 150, 60))
TIGHT = PlayerStats(400, 60, 20, (60, 40, 20), (10, 5, 2))


def drawn(rng, player, habits, groups, rows=150):
    """Rows of one player that holds each of the groups with the same probability, whatever it does."""
    for _ in range(rows):
        states = {
            "Position": str(rng.choice(STRUCTURE.states["Position"])),
            "VPIP": "a20_30",
            "PFR": "a5_10",
            "Action": str(rng.choice(["Call", "Raise"])),
            "HandGroup": str(rng.choice(groups)),
        }
        yield NetworkRow(states, 4, True, player, habits)


@pytest.fixture(scope="module")
def fitted():
    """Three loose players with the weakest groups, three tight ones with the strongest."""
    rng, rows = np.random.default_rng(1), []
    for number in range(3):
        rows += drawn(rng, f"loose {number}", LOOSE, GROUPS[6:])
        rows += drawn(rng, f"tight {number}", TIGHT, GROUPS[:4])
    return fit_player_networks(rows, STRUCTURE, styles=2)


def chances(network, action="Call"):
    place = [STRUCTURE.states[name].index(state) for name, state in
             (("PFR", "a5_10"), ("VPIP", "a20_30"), ("Position", "Late"), ("Action", action))]  # fmt: skip
    return network.cpt("HandGroup")[tuple(place)]


def test_players_are_grouped_by_their_habits(fitted):
    assert fitted.groups(LOOSE) != fitted.groups(TIGHT)
    noisy = PlayerStats(200, 110, 55, (140, 90, 50), (90, 60, 30))
    assert fitted.groups(noisy) == fitted.groups(LOOSE)
    assert fitted.groups(None) == fitted.groups(PlayerStats())
    assert HabitGroups.of({})(LOOSE) == 0


def test_each_style_has_its_own_network(fitted):
    loose, tight = (chances(fitted.networks[fitted.groups(each)]) for each in (LOOSE, TIGHT))
    assert loose[6:].sum() > 0.85
    assert tight[:4].sum() > 0.85
    assert loose.sum() == pytest.approx(1)


def test_styles_that_play_alike_have_the_network_of_the_population():
    rng, rows = np.random.default_rng(2), []
    for number in range(3):
        rows += drawn(rng, f"loose {number}", LOOSE, GROUPS[2:6])
        rows += drawn(rng, f"tight {number}", TIGHT, GROUPS[2:6])
    alike = fit_player_networks(rows, STRUCTURE, styles=2)
    population = fit_backing_off(rows)
    for network in alike.networks:
        np.testing.assert_allclose(chances(network), chances(population), atol=0.03)


def test_tables_that_no_row_observes_are_those_of_the_deal(fitted):
    bare = fit_backing_off([])
    for network in fitted.networks:
        for node in TYPE_NODES[1:]:
            np.testing.assert_allclose(network.cpt(node), bare.cpt(node))


def test_a_players_rows_move_its_network_from_that_of_its_style():
    """Players of one style with a group each: own rows are worth more than the style's."""
    rng, rows = np.random.default_rng(3), []
    for number in range(4):
        rows += drawn(rng, f"player {number}", TIGHT, [GROUPS[2 * number], GROUPS[2 * number + 1]])
    fitted = fit_player_networks(rows, STRUCTURE, styles=2)
    style = fitted.groups(TIGHT)
    new = [row.states for row in drawn(rng, "new", TIGHT, [GROUPS[0]], 20)]
    own = fitted.of_player(style, counts(STRUCTURE, new))
    assert chances(fitted.networks[style])[0] < 0.2
    assert chances(own)[0] > 0.5
    nothing = fitted.of_player(style, counts(STRUCTURE, []))
    for node in STRUCTURE.nodes:
        np.testing.assert_allclose(nothing.cpt(node), fitted.networks[style].cpt(node))
    expected = backed_off(counts(STRUCTURE, new)["HandGroup"], fitted.networks[style].cpt("HandGroup"),
                          fitted.own["HandGroup"])  # fmt: skip
    np.testing.assert_allclose(own.cpt("HandGroup"), expected)


def test_rows_of_one_player_are_refused():
    rows = list(drawn(np.random.default_rng(4), "alone", TIGHT, GROUPS[:4], 10))
    with pytest.raises(SchemaError, match="rows of 1 players"):
        fit_player_networks(rows, STRUCTURE)


@pytest.fixture(scope="module")
def rows(small_model, watched_table):
    logs = sorted((small_model / "sessions").glob("*.log"))
    return [list(rows_of_session(hands_of(log, watched_table))) for log in logs]


def test_a_network_that_backs_off_has_the_deal_where_nothing_was_observed(rows):
    """Without rows every hidden table is the deal; with them, rows that were never met move together."""
    bare = fit_backing_off([])
    for node in ("HandGroup", *TYPE_NODES[1:]):
        cards = card_parents(STRUCTURE, node)
        at = tuple(slice(None) if parent in cards else np.newaxis for parent in STRUCTURE.parents[node])
        expected = np.broadcast_to(dealt(cards, node)[at], STRUCTURE.shape(node))
        np.testing.assert_allclose(bare.cpt(node), expected, rtol=1e-9)
    fitted, plain = fit_backing_off(rows[0]), fit_network(rows[0])
    shown_rows = [row.states for row in rows[0] if row.showdown]
    met = counts(STRUCTURE, shown_rows)["HandGroup"].sum(axis=-1)
    assert (met == 0).mean() > 0.5
    unmet = fitted.cpt("HandGroup")[met == 0]
    np.testing.assert_allclose(plain.cpt("HandGroup")[met == 0], 0.1)
    assert (unmet.argmax(axis=-1) == GROUPS.index("HandGroup10")).mean() > 0.2
    assert len(np.unique(unmet.round(9), axis=0)) < 0.5 * len(unmet)


def test_back_off_predicts_other_sessions_better_than_the_thesis_tables(rows):
    """The log loss of the hand group on held-out rows with known cards."""
    trained, held_out = rows
    losses = {}
    fitted = {
        "bdeu": fit_network(trained),
        "backoff": fit_backing_off(trained),
        "deal": fit_backing_off([]),
    }
    for name, network in fitted.items():
        inference = Inference(network)
        columns, chances = posteriors(inference, held_out, "HandGroup")
        losses[name] = -np.log(chances[np.arange(len(held_out)), columns["HandGroup"]]).mean()
    assert losses["backoff"] < losses["bdeu"]
    assert losses["backoff"] < losses["deal"]
