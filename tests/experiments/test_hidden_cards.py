"""The scores of EM over hidden holdings on a small population."""

import numpy as np
import pytest

from baycarp.errors import ArgumentError
from baycarp.game.variant import Variant
from baycarp.trees import Growth
from experiments.players import hidden_cards
from experiments.players.holding_policy import HoldingGrowth
from experiments.players.holding_rows import HoldingRows
from experiments.players.holdings_em import HoldingsEM

GAME = Variant.load("holdem.nolimit.2p.100bb")


def rows(count, seed=2):
    return HoldingRows.of(hidden_cards.population_hands(GAME, count, seed))


def test_models_are_scored_on_the_last_fifth_beside_the_deal(monkeypatch):
    monkeypatch.setattr(hidden_cards, "GROWTHS", (HoldingGrowth(Growth(2, 20.0, 0.2), 0.5),))
    found = rows(200)
    judged = {each.name: each for each in hidden_cards.judge_hidden(found, HoldingsEM(rounds=2))}
    test = found.of_hands(160, 200)
    last = np.flatnonzero(np.diff(test.choices.players, append=-1))
    free = np.array([(52 - len(test.boards[at])) * (51 - len(test.boards[at])) / 2 for at in last])
    deal = judged["deal"]
    assert deal.folded[0] == pytest.approx(np.log(free)[test.folded].mean(), abs=1e-6)
    assert deal.times == 1
    assert judged["all cards"].gain[0] > 0
    assert judged["all cards"].times > 1.2
    for name, each in judged.items():
        assert each.gain[0] == pytest.approx(deal.folded[0] - each.folded[0], nan_ok=True)
        assert 0 <= each.best_folds <= 1 or name in ("deal", "leftover start", "the players")
    plain, cured = judged["EM"], judged["EM, folds corrected"]
    assert cured.best_folds < 0.1 < plain.best_folds


def test_hands_without_a_showdown_are_refused():
    found = rows(200)
    hidden = HoldingRows(
        found.choices, found.boards, found.holding, found.shown & False, found.folded, found.hands
    )
    with pytest.raises(ArgumentError, match="showdowns"):
        hidden_cards.judge_hidden(hidden, HoldingsEM(rounds=1))


def test_the_population_sits_at_fresh_tables_every_hundred_hands():
    played = list(hidden_cards.population_hands(GAME, 150, 3))
    assert len(played) == 150
    assert len({name for hand in played[:100] for name in hand.players}) == 2
    assert set(played[100].players) != set(played[0].players)
