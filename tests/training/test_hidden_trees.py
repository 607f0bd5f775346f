"""EM over hidden holdings for the search's models: Bayes written out, ascent, and what showdowns lack."""

from dataclasses import replace

import numpy as np
import pytest

from baycarp.card import HOLDINGS, blocked_by
from baycarp.cli import main
from baycarp.errors import ArgumentError
from baycarp.game import Variant
from baycarp.game.notation.hand import replay
from baycarp.opponents.moves.buckets import OUTS, SQUARES
from baycarp.opponents.moves.players import load_players
from baycarp.training import hidden_trees
from baycarp.training.hidden_trees import fit_shown, fit_spectated, left_over, posterior, spectated
from baycarp.training.player_trees import known_of
from experiments.players.hidden_cards import population_hands

TWO, THREE = (Variant.load(f"holdem.nolimit.{seats}p.100bb") for seats in (2, 3))


@pytest.fixture(scope="module")
def hands():
    return list(population_hands(TWO, 1200, 1))


def test_a_spectator_sees_the_cards_of_showdowns_alone():
    played = list(population_hands(THREE, 150, 2))
    seen, shown = spectated(played), []
    for hand in played:
        gone = {act.seat for act in replay(hand).acts if act.action.name == "fold"}
        showdown = len(gone) < THREE.seats - 1
        holes = tuple(() if seat in gone or not showdown else hole for seat, hole in enumerate(hand.holes))
        shown.append(replace(hand, holes=holes))
    again = spectated(shown)
    assert (seen.holding == again.holding).all()
    assert (seen.boards == again.boards).all()
    assert 0.05 < (seen.holding >= 0).mean() < 0.6
    by_row = [sum(1 for row in seen.rows.tolist() if row == each) for each in range(40)]
    assert by_row == [len(acts) for hand in played for acts in by_seat(hand)][:40]
    assert len(spectated(played, without=played[0].players[0]).rows) < len(seen.rows)
    with pytest.raises(ArgumentError, match="names"):
        spectated([replace(played[0], players=())])


def by_seat(hand):
    acts = replay(hand).acts
    found = [[act for act in acts if act.seat == seat] for seat in range(hand.variant.seats)]
    return [each for each in found if each]


def test_the_e_step_is_bayes_written_out(hands):
    seen = spectated(hands[:60])
    made = np.random.default_rng(3).uniform(0.05, 1, (len(seen.choices), OUTS.count))
    shares, likelihoods = posterior(seen, made)
    assert shares.sum(axis=1) == pytest.approx(1)
    kinds = set()
    for row in range(len(seen.holding)):
        at = np.flatnonzero(seen.rows == row)
        hand = hands[int(seen.public.hands[at[0]])]
        cards = [tuple(hand.board[: (0, 3, 4, 5)[each // 2]]) for each in seen.public.situations[at]]
        free = ~blocked_by(cards[-1])
        joint = np.where(free, 1 / free.sum(), 0.0)
        if seen.holding[row] >= 0:
            joint *= np.arange(len(HOLDINGS)) == seen.holding[row]
        for decision, board in zip(at, cards, strict=True):
            joint *= made[decision, OUTS.on(board, 2)]
        assert likelihoods[row] == pytest.approx(np.log(joint.sum()))
        for decision, board in zip(at, cards, strict=True):
            expected = np.bincount(OUTS.on(board, 2)[free], joint[free] / joint.sum(), OUTS.count)
            assert shares[decision] == pytest.approx(expected)
        kinds.add((seen.holding[row] >= 0, len(set(cards)) > 1))
    assert kinds == {(shown, several) for shown in (False, True) for several in (False, True)} - {
        (True, False)
    }


def test_the_leftover_start_weighs_each_holding_by_what_showdowns_leave(hands):
    """Before any model a hidden bucket is as likely as the deal of its holdings, less the shown ones."""
    seen = spectated(hands[:40], kind=SQUARES)
    deal = np.random.default_rng(2).uniform(0.1, 1, len(HOLDINGS))
    made = np.ones((len(seen.choices), SQUARES.count))
    shares, _ = posterior(seen, made, deal)
    for row in np.flatnonzero(seen.holding < 0)[:20]:
        at = np.flatnonzero(seen.rows == row)
        hand = hands[int(seen.public.hands[at[0]])]
        boards = [tuple(hand.board[: (0, 3, 4, 5)[each // 2]]) for each in seen.public.situations[at]]
        free = deal * ~blocked_by(boards[-1])
        for decision, board in zip(at, boards, strict=True):
            expected = np.bincount(SQUARES.on(board, 2), free, SQUARES.count) / free.sum()
            assert shares[decision] == pytest.approx(expected)
    shown = seen.holding[seen.holding >= 0]
    assert len(shown)
    left = left_over(shown, len(seen.holding))
    assert left.sum() == pytest.approx(1)
    assert left[shown[0]] < 1 / len(HOLDINGS) < left.max()


@pytest.mark.slow
def test_em_learns_by_buckets_of_squares_from_the_leftover_start(hands):
    """The file says which buckets, and the weakest folds more than the second strongest."""
    seen = spectated(hands, kind=SQUARES)
    players = fit_spectated(seen, 2, start="leftover").players
    assert players.buckets == SQUARES
    row = seen.public.features[seen.public.situations == 1][0]
    weak, strong = (players.trees[-1][1](np.append(row, bucket)[None])[0, 0] for bucket in (1, 18))
    assert weak > strong


def test_the_likelihood_never_falls(hands, monkeypatch):
    seen, history = spectated(hands[:400]), []
    fitted = fit_shown(spectated(hands), 2)
    exact = replace(fitted, weight=1e-9, growth=replace(fitted.growth, prior=1e-9))
    assigned = np.arange(len(seen.names)) % 2

    def recorded(seen, made):
        shares, likelihoods = posterior(seen, made)
        history.append(likelihoods.sum())
        return shares, likelihoods

    monkeypatch.setattr(hidden_trees, "posterior", recorded)
    shares, _ = posterior(seen, np.random.default_rng(1).uniform(0.2, 1, (len(seen.choices), OUTS.count)))
    hidden_trees._ascend(seen, exact, assigned, shares)
    assert len(history) > 3
    assert (np.diff(history) > -1e-6 * abs(history[0])).all()


def test_hidden_holdings_teach_what_showdowns_do_not(hands):
    """Log loss of choices with the true bucket, of hands of the same players that were not learned from."""
    early, late = hands[:900], hands[900:]
    seen, known = spectated(early), known_of(late)
    losses, folds = [], []
    for fit in (fit_shown, fit_spectated):
        own = fit(seen, 1).players.trees[-1]
        chances = np.array(
            [
                own[situation](row[None])[0]
                for row, situation in zip(known.inputs, known.public.situations, strict=True)
            ]
        )
        losses.append(-np.log(chances[np.arange(len(chances)), known.choices]).mean())
        row = known.inputs[known.public.situations == 1][0, :-1]
        folds.append([own[1](np.append(row, bucket)[None])[0, 0] for bucket in (2, OUTS.count - 2)])
    assert losses[1] < losses[0] - 0.02
    assert folds[1][0] > folds[1][1]


def test_the_command_learns_from_what_is_shown(tmp_path, capsys):
    words = ["train", str(tmp_path), "--agent", "mcts", "--hands", "400", "--seats", "2", "--clusters", "2"]
    for holdings in ("learned", "shown"):
        assert main([*words, "--holdings", holdings, "--workers", "1"]) == 0
        assert f"{holdings}.npz" in capsys.readouterr().out
    found = [load_players(tmp_path / f"{name}.npz").digest for name in ("learned", "shown")]
    assert found[0] != found[1]
    assert main(["train", str(tmp_path), "--holdings", "learned"]) == 1
    assert "--holdings: not an option of watched hands" in capsys.readouterr().err
