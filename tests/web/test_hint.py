"""A hint before the action: the adviser's own decision, from what the seat may know, in a marked hand."""

import json
from random import Random

import pytest
from reference.spots import spots

from baycarp.agents.mcts import SearchStage
from baycarp.agents.trace import stage_of
from baycarp.arena.journal import Journal
from baycarp.card import text
from baycarp.errors import TableError
from baycarp.game import Variant
from baycarp.web.again import RecordedOpening
from baycarp.web.sitting import Seating, Sitting

LIMIT, HEADS_UP, NO_LIMIT = "holdem.limit.3p", "holdem.limit.2p.reverse_blinds", "holdem.nolimit.3p.100bb"


def seating(game, adviser="baycarp"):
    variant = Variant.load(game)
    names = tuple(f"p{seat}" for seat in range(1, variant.seats))
    return Seating(variant, names, ("call",) * len(names), adviser, seed=3)


def openings(game, count, seed):
    """Decisions of the person: the deck, the actions before it, and the known cards of the deck's."""
    found = []
    for state in spots(Variant.load(game), 200, seed=seed):
        if state.is_over or len(state.acts) < 2:
            continue
        seat, seats = state.to_act, state.variant.seats
        holes = [card for position in range(seats) for card in state.hole_of(position)]
        rest = [card for card in range(52) if card not in {*holes, *state.board}]
        board = [*state.board, *rest[: 5 - len(state.board)]]
        known = {2 * seat, 2 * seat + 1, *range(2 * seats, 2 * seats + len(state.board))}
        actions = tuple(act.action for act in state.acts)
        found.append((RecordedOpening(seat, bytes([*holes, *board]), None, actions), known))
    return Random(seed).sample(found, count)


def redealt(opening, known, seed):
    """The opening with other cards in every place that the person cannot see."""
    free = [place for place in range(len(opening.deck)) if place not in known]
    kept = [opening.deck[place] for place in known]
    cards = Random(seed).sample([card for card in range(52) if card not in kept], len(free))
    deck = bytearray(opening.deck)
    for place, card in zip(free, cards, strict=True):
        deck[place] = card
    return RecordedOpening(opening.seat, bytes(deck), opening.stacks, opening.actions)


def hint(sitting):
    return sitting.hint(sitting.hand, len(sitting.observe().acts)).hint()


@pytest.mark.parametrize("game", [LIMIT, HEADS_UP, NO_LIMIT])
def test_a_hint_is_the_same_after_a_redeal_of_what_the_seat_cannot_see(game):
    for number, (opening, known) in enumerate(openings(game, 4, seed=7)):
        answers = []
        for seed in range(3):
            sitting = Sitting(seating(game), start=redealt(opening, known, 10 * number + seed))
            sitting.open_cards()
            answers.append(json.dumps(hint(sitting)))
            shown = [player for player in json.loads(answers[-1])["situation"]["players"] if player["cards"]]
            assert [player["cards"] for player in shown] == [
                [text((card,)) for card in sorted(sitting.observe().hole, reverse=True)]
            ]
        assert answers[0] == answers[1] == answers[2]


def test_opened_cards_are_in_the_frame_and_a_hint_does_not_use_them():
    opening, _known = openings(LIMIT, 1, seed=2)[0]
    sitting = Sitting(seating(LIMIT), start=opening)
    closed = sitting.frame()
    assert sum(bool(player["cards"]) for player in closed["players"]) == 1
    before = hint(sitting)
    sitting.open_cards()
    assert [player["cards"] for player in sitting.frame()["players"]] == [
        [text((card,)) for card in sorted(opening.deck[2 * seat : 2 * seat + 2], reverse=True)]
        for seat in range(3)
    ]
    assert hint(sitting) == before


def test_a_hint_is_the_advice_that_is_shown_afterwards():
    opening, _ = openings(LIMIT, 1, seed=5)[0]
    plain, hinted = (Sitting(seating(LIMIT), start=opening) for _ in range(2))
    at = len(plain.observe().acts)
    advised = hint(hinted)
    for sitting in (plain, hinted):
        sitting.act(sitting.frame()["choices"]["stay"], 0, at)
    panels = [sitting.panel(0, at, open_cards=True) for sitting in (plain, hinted)]
    assert panels[0] == panels[1]
    different = {"taken", "verdict", "flips", "agent", "hand", "act"}
    assert {key: value for key, value in advised.items() if key not in different} == {
        key: value for key, value in panels[0].items() if key not in different
    }


def test_a_hint_of_a_search_ends_with_the_time_of_a_hint():
    """Without a limit the adviser would search for hours."""
    opening, _ = openings(LIMIT, 1, seed=5)[0]
    sitting = Sitting(seating(LIMIT, adviser="mcts(playouts=1000000000)"), start=opening)
    panel = sitting.hint(0, len(sitting.observe().acts))
    search = stage_of(panel.decision.trace, SearchStage)
    assert 0 < search.iterations < 1_000_000_000
    sitting.act(sitting.stay, 0, len(sitting.observe().acts))
    assert sitting.opened(0, len(opening.actions), open_cards=True).decision == panel.decision


def test_a_hint_is_for_the_turn_alone_and_marks_the_hand():
    sitting = Sitting(seating(LIMIT, adviser="rule"))
    while not sitting.waits:
        sitting.step()
    at = len(sitting.observe().acts)
    with pytest.raises(TableError, match="expected the decision that you are to make"):
        sitting.hint(0, at + 1)
    assert not sitting.is_aided
    sitting.hint(0, at)
    assert sitting.is_aided
    with pytest.raises(TableError, match="no adviser"):
        Sitting(seating(LIMIT, adviser="")).hint(0, 0)


@pytest.mark.parametrize("help", ["hint", "open", ""])
def test_a_hand_with_help_is_in_no_win_rate_also_after_a_restart(tmp_path, help):
    seated = seating(LIMIT, adviser="rule")
    with Journal(tmp_path / "play.journal", seated.header()) as journal:
        sitting = Sitting(seated, journal)
        while not sitting.over:
            if not sitting.waits:
                sitting.step()
                continue
            if help == "hint":
                hint(sitting)
            elif help == "open":
                sitting.open_cards()
            sitting.act(sitting.frame()["choices"]["stay"], 0, len(sitting.observe().acts))
    with Journal(tmp_path / "play.journal", seated.header()) as journal:
        again = Sitting(seated, journal)
    for each in (sitting, again):
        assert (each.results()["hands"], each.results()["counted"]) == (1, int(not help))
        assert each.finished[0].is_aided == bool(help)
