import random
from dataclasses import replace

import pytest
from reference.games import random_action, random_game, random_stacks

from baycarp.errors import IllegalAction, NotationError
from baycarp.game import State, Variant
from baycarp.game.notation.observe import observe
from baycarp.game.seats import position_of, seat_names
from baycarp.game.situation import as_text
from baycarp.web.frames import frame

RING = Variant.load("holdem.limit.8p")


def two_worlds(rng, game, stacks, seat, street):
    """The same hand twice: what ``seat`` may know on ``street`` is the same, every other card another."""
    order = rng.sample(range(52), 2 * game.seats + 5 + 20)
    one = order[: 2 * game.seats + 5]
    board = 2 * game.seats
    shown = {board + i for i in range((0, 3, 4, 5)[street])} | (
        {2 * seat, 2 * seat + 1} if seat is not None else set()
    )
    rest = [card for card in range(52) if card not in {one[i] for i in shown}]
    other = [one[i] if i in shown else rest.pop(rng.randrange(len(rest))) for i in range(len(one))]
    return State(game, stacks, one), State(game, stacks, other)


def test_hidden_cards_do_not_change_an_observation():
    rng = random.Random(3)
    looks = 0
    for _ in range(300):
        game = random_game(rng)
        stacks = random_stacks(rng, game)
        seat, street = rng.choice([None, *range(game.seats)]), rng.randrange(4)
        one, other = two_worlds(rng, game, stacks, seat, street)
        while one.street <= street and not (one.is_over and len(one.seats_in) > 1):
            assert one.observe(seat) == other.observe(seat)
            assert repr(one.observe(seat)) == repr(other.observe(seat))
            looks += 1
            if one.is_over:
                break
            _, least, most, _ = one.bounds()
            action = random_action(rng, one.legal_actions(), least, most)
            one.apply(action)
            other.apply(action)
    assert looks > 1000


def test_a_seat_observes_its_own_cards_and_the_board_so_far():
    state = State(RING, deck=bytes(range(21)))
    observation = state.observe(3, players=tuple("abcdefgh"), hand=7)
    assert observation.hole == (6, 7)
    assert observation.state.holes == ((), (), (), (6, 7), (), (), (), ())
    assert (observation.board, observation.street, observation.players[3], observation.hand) == (
        (),
        0,
        "d",
        7,
    )
    for _ in range(8):
        state.apply(state.named("call") if state.owed else state.named("check"))
    assert state.observe(3).board == (16, 17, 18)
    public = state.observe()
    assert (public.seat, public.hole, set(public.state.holes)) == (None, (), {()})


def test_a_showdown_shows_the_hands_of_all_players_in():
    state = State(Variant.ring(3), deck=bytes(range(11)))
    state.apply(state.named("fold"))
    for _ in range(8):
        assert set(state.observe().state.holes) == {()}
        state.apply(state.named("call") if state.owed else state.named("check"))
    assert state.observe().state.holes == ((0, 1), (2, 3), ())
    assert state.observe(2).state.holes == ((0, 1), (2, 3), (4, 5))
    folded = State(Variant.ring(3), deck=bytes(range(11)))
    for _ in range(2):
        folded.apply(folded.named("fold"))
    assert folded.observe(0).state.holes == ((0, 1), (), ())


def test_an_observation_does_not_contain_the_deck():
    state = State(RING, deck=bytes(range(21)))
    copy = state.observe(2).state.copy()
    while copy.to_act is not None:
        copy.apply(copy.legal_actions()[1 if copy.owed else 0])
    assert copy.street == 3
    assert copy.board == ()


def test_an_observation_stays_as_it_was():
    state = State(RING)
    observation = state.observe(2)
    state.apply(state.named("raise"))
    assert observation.acts == ()
    assert observation.legal_actions() != state.legal_actions()
    with pytest.raises(AttributeError):
        observation.seat = 3


def test_observe_reads_a_state():
    state = State(RING, deck=bytes(range(21)))
    assert observe(state, seat=2) == state.observe(2)
    with pytest.raises(IllegalAction, match="seat 8"):
        observe(state, seat=8)


def test_observe_names_what_it_cannot_read():
    with pytest.raises(NotationError, match="hello"):
        observe("hello")
    with pytest.raises(NotationError, match="needs its game"):
        observe("MATCHSTATE:0:0::AhKd|")


def test_every_output_names_a_seat_alike():
    named = observe("MATCHSTATE:2:0:rc:||AhKd", game="holdem.limit.3p")._replace(players=("Ann", "", "Cid"))
    lines = as_text(named).splitlines()
    assert [line[2:].split("  ")[0] for line in lines[1:4]] == ["SB Ann", "BB", "BTN Cid"]
    assert frame(named)["players"][2]["seat"] == "BTN"
    assert seat_names(Variant.load("holdem.limit.2p.reverse_blinds")) == ("BB", "BTN")
    irc = replace(Variant.ring(2), blinds=(1, 2), first=(0, 0, 0, 0))
    assert seat_names(irc) == ("SB", "BB")
    with pytest.raises(NotationError, match="position 'MP': expected one of SB, BB, BTN"):
        position_of(named.variant, "MP")


@pytest.mark.parametrize("seats", range(2, 11))
def test_seat_names_differ_and_end_at_the_button(seats):
    names = seat_names(Variant.ring(seats))
    assert len({*names}) == len(names) == seats
    assert names[-1] == "BTN"
    assert [position_of(Variant.ring(seats), name) for name in names] == [*range(seats)]
