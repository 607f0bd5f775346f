"""What a reason claims about a hand, and whether it is true: hand class, pot odds, position, who did what.

A claim is a JSON object with its kind in ``claim``:

    hand      ``is``: a name of ``rules.words`` (``top pair``, ``flush draw``, ``pair``, ...) or ``no pair``;
              besides ``ranks`` (``["king"]``), ``kicker``, ``suited``, and ``only``: nothing else is held
    odds      any of ``ratio`` (pot to call), ``equity`` (needed, 0..1), ``pot``, ``call``; ``within`` (its
              tolerance), or ``more``: it is greater than this
    position  ``who``; ``is``: ``button``, ``small blind``, ..., ``in position``, ``out of position``,
              ``first``, ``last``, ``closing``, ``behind`` with ``number``; against whom: ``of``
    action    ``who`` (``hero``, ``villain``, ``nobody``, ``others``, or a position); ``did``: see ``DEEDS``;
              besides ``street``, ``amount``
    players   ``number`` who saw the present street, or who are still in

Each may have ``not``: the claim is then that it is false.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from baycarp.errors import NotationError
from baycarp.game import STREETS, Act, Observation
from baycarp.hand_names import RANK_NAMES
from baycarp.rules.words import HandWords, hand_words

__all__ = ["DEEDS", "POSITIONS", "Claim", "is_true", "positions"]

Claim = Mapping[str, Any]

POSITIONS = ("button", "small blind", "big blind", "cutoff", "hijack", "under the gun")


def positions(seats: int) -> dict[str, int]:
    """The position of each name at a table; heads-up the button is the small blind.

    Examples
    --------
    >>> positions(6)["hijack"], positions(2)["small blind"]
    (3, 1)
    """
    found = {"button": seats - 1, "small blind": 0 if seats > 2 else 1, "big blind": 1 if seats > 2 else 0}
    if seats > 3:
        found["under the gun"] = 2
    for name, back in (("cutoff", 2), ("hijack", 3)):
        if seats - back > 1:
            found[name] = seats - back
    return found


def is_true(claim: Claim, observation: Observation) -> bool:
    """Whether a claim is true of a hand, as the observing seat sees it.

    Raises
    ------
    NotationError
        No claim of these kinds.
    """
    kind = str(claim.get("claim"))
    if kind not in _KINDS:
        raise NotationError(f"claim {kind!r:.40}: expected one of {', '.join(_KINDS)}")
    try:
        found = _KINDS[kind](claim, observation)
    except (KeyError, TypeError, ValueError) as error:
        raise NotationError(f"claim {dict(claim)!r:.200}: {error}") from error
    return found != bool(claim.get("not"))


# The hand.

_PARTS = ("top pair", "middle pair", "bottom pair", "overpair", "underpair", "set", "trips")


def _hand(claim: Claim, observation: Observation) -> bool:
    words = hand_words(observation.hole, observation.board)
    name = claim["is"]
    if not _is_named(name, words, observation):
        return False
    if "suit" in claim and claim["suit"] != _most_suited(observation):
        return False
    if claim.get("only") and (words.made != "high card" if "draw" in name or name == "gutshot" else False):
        return False
    if claim.get("only") and name == "gutshot" and words.draws != ("gutshot",):
        return False
    wanted = [RANK_NAMES.index(rank) for rank in claim.get("ranks", ())]
    if name == "cards":
        held = sorted((card // 4 for card in observation.hole), reverse=True)
        if held != sorted(wanted, reverse=True):
            return False
    elif name == "kicker":
        return wanted == [
            max({card // 4 for card in (*observation.hole, *observation.board)} - {*words.ranks})
        ]
    elif list(words.ranks[: len(wanted)]) != wanted:
        return False
    if "kicker" in claim and words.kicker != RANK_NAMES.index(claim["kicker"]):
        return False
    one, other = (card % 4 for card in observation.hole)
    return "suited" not in claim or claim["suited"] == (one == other)


def _is_named(name: str, words: HandWords, observation: Observation) -> bool:
    high, low = sorted((card // 4 for card in observation.hole), reverse=True)
    pocket = high == low
    named: dict[str, Callable[[], bool]] = {
        "cards": lambda: True,
        "kicker": lambda: True,
        "pocket pair": lambda: pocket,
        "small pocket pair": lambda: pocket and high < RANK_NAMES.index("seven"),
        "no pair": lambda: words.made == "high card",
        "pair": lambda: words.made == "pair",
        "three of a kind": lambda: words.made == "three of a kind",
        "straight draw": lambda: any("straight" in each or each == "gutshot" for each in words.draws),
        "combo draw": lambda: len(words.draws) > 1,
        "busted flush draw": lambda: _busted(words, observation),
        "overcards": lambda: bool(observation.board) and low > max(card // 4 for card in observation.board),
        "nut flush": lambda: words.made == "flush" and _is_nut_flush(observation),
        "nut flush draw": lambda: "flush draw" in words.draws and _is_nut_flush(observation),
        "connectors": lambda: high - low == 1,
    }
    if name in named:
        return named[name]()
    if name in _PARTS:
        return words.part == name
    return name == words.made or name in words.draws


def _busted(words: HandWords, observation: Observation) -> bool:
    before = hand_words(observation.hole, observation.board[:4])
    return len(observation.board) == 5 and "flush draw" in before.draws and words.made == "high card"


SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


def _most_suited(observation: Observation) -> str:
    """The suit of most of the seat's seven cards."""
    dealt = [*observation.hole, *observation.board]
    return SUIT_WORDS[max(range(4), key=lambda suit: sum(card % 4 == suit for card in dealt))]


def _is_nut_flush(observation: Observation) -> bool:
    """Whether the seat has the highest card of the suit that does not lie on the board."""
    suit = SUIT_WORDS.index(_most_suited(observation))
    own, lying = (
        {card // 4 for card in each if card % 4 == suit} for each in (observation.hole, observation.board)
    )
    return max(set(range(13)) - lying) in own


# Pot odds.


def _odds(claim: Claim, observation: Observation) -> bool:
    state = observation.state
    if claim.get("no bet"):
        return state.owed == 0
    facts = {"pot": float(state.pot), "call": float(state.owed)}
    if state.owed:
        facts |= {"ratio": state.pot / state.owed, "equity": state.owed / (state.pot + state.owed)}
    stated = {name: float(claim[name]) for name in ("ratio", "equity", "pot", "call") if name in claim}
    if not stated:
        raise ValueError("expected ratio, equity, pot or call")
    if not stated.keys() <= facts.keys():
        return False
    if claim.get("more"):
        return all(facts[name] > value for name, value in stated.items())
    within = float(claim.get("within", 0))
    return all(abs(facts[name] - value) <= within + 1e-9 for name, value in stated.items())


# Position.


def _position(claim: Claim, observation: Observation) -> bool:
    state, seat = observation.state, _seat_of(claim.get("who", "hero"), observation)
    is_, names = claim["is"], positions(observation.variant.seats)
    if is_ in names:
        return seat == names[is_]
    if is_ in POSITIONS:
        return False
    order = _order(observation)
    inside = [each for each in order if each in state.seats_in]
    if is_ == "early position":
        return observation.variant.seats > 4 and seat in (2, 3)[: 1 + (observation.variant.seats > 6)]
    if is_ == "behind":
        left = _not_acted(observation)
        if "names" in claim:
            return {names.get(each, -1) for each in claim["names"]} <= {*left}
        return len(left) == claim["number"] if "number" in claim else bool(left)
    if is_ == "closing":
        return not _to_act_behind(observation)
    if is_ == "first now":
        return not [act for act in observation.acts if act.street == observation.street]
    if is_ == "first":
        return inside[0] == seat
    if is_ == "last":
        return inside[-1] == seat
    others = _against(claim.get("of"), [each for each in inside if each != seat], observation)
    places = [order.index(each) for each in others]
    if is_ == "in position":
        return all(order.index(seat) > place for place in places)
    if is_ == "out of position":
        return any(order.index(seat) < place for place in places)
    raise ValueError(f"{is_!r}: expected a position")


def _against(of: str | None, inside: list[int], observation: Observation) -> list[int]:
    """The opponents that a claim about position means."""
    if of is None:
        return inside
    if of == "raiser":
        return [[act.seat for act in observation.acts if act.action.name in ("bet", "raise")][-1]]
    if of == "entered":
        return sorted({act.seat for act in observation.acts if act.paid and act.seat in inside})
    return [_seat_of(of, observation)]


def _order(observation: Observation) -> list[int]:
    """The positions in the order of play after the flop."""
    seats = observation.variant.seats
    return [(observation.variant.first[1] + step) % seats for step in range(seats)]


def _not_acted(observation: Observation) -> list[int]:
    """Players behind the observer who have not acted on the street."""
    acted = {act.seat for act in observation.acts if act.street == observation.street}
    return [seat for seat in _to_act_behind(observation) if seat not in acted]


def _to_act_behind(observation: Observation) -> list[int]:
    """Players who act after the observer before the street ends, unless it is raised."""
    state, seats = observation.state, observation.variant.seats
    assert observation.seat is not None
    acted = {act.seat for act in observation.acts if act.street == observation.street}
    raisers = [
        at
        for at, act in enumerate(observation.acts)
        if act.street == observation.street and act.action.name in ("bet", "raise")
    ]
    if raisers:
        acted = {act.seat for act in observation.acts[raisers[-1] :]}
    after = [(observation.seat + step) % seats for step in range(1, seats)]
    return [seat for seat in after if seat in state.seats_in and seat not in acted]


# Actions.


def _did(acts: Sequence[Act], name: str) -> bool:
    return any(act.action.name == name for act in acts)


def _aggressive(acts: Sequence[Act]) -> bool:
    return _did(acts, "bet") or _did(acts, "raise")


def _then(first: str, second: str) -> Callable[[Sequence[Act]], bool]:
    """Both actions on one street, one after the other."""

    def found(acts: Sequence[Act]) -> bool:
        names = [(act.street, act.action.name) for act in acts]
        return any(
            (street, second) in names[at + 1 :] for at, (street, name) in enumerate(names) if name == first
        )

    return found


DEEDS: Mapping[str, Callable[[Sequence[Act]], bool]] = {
    "fold": lambda acts: _did(acts, "fold"),
    "check": lambda acts: _did(acts, "check"),
    "call": lambda acts: _did(acts, "call"),
    "bet": lambda acts: _did(acts, "bet"),
    "raise": lambda acts: _did(acts, "raise"),
    "open": lambda acts: any(act.action.name == "raise" and act.bets == 1 and not act.street for act in acts),
    "limp": lambda acts: any(act.action.name == "call" and act.bets == 1 and not act.street for act in acts),
    "threebet": lambda acts: any(
        act.action.name == "raise" and act.bets == 2 and not act.street for act in acts
    ),
    "checkraise": _then("check", "raise"),
    "checkcall": _then("check", "call"),
    "enter": lambda acts: _did(acts, "call") or _aggressive(acts),
    "attack": _aggressive,
}
"""What a player may have done, of its acts."""


def _action(claim: Claim, observation: Observation) -> bool:
    who, did = claim["who"], claim["did"]
    street = claim.get("street")
    acts = [act for act in observation.acts if street is None or act.street == STREETS.index(street)]
    if did == "stay":
        return _seat_of(who, observation) in observation.state.seats_in
    if did == "through":
        return bool(acts) and not _aggressive(acts) and STREETS.index(street) < observation.street
    if "amount" in claim:
        amount = claim["amount"]
        acts = [act for act in acts if amount in (act.action.amount, act.paid)]
    done = {
        seat for seat in range(observation.variant.seats) if DEEDS[did]([a for a in acts if a.seat == seat])
    }
    if who == "nobody":
        return not done
    if who == "others out":
        kept = {observation.seat, *(_seat_of(each, observation) for each in claim.get("but", ()))}
        return set(observation.state.seats_in) <= kept
    if who == "somebody":
        return bool(done - {observation.seat})
    if claim.get("only last"):
        attackers = [act.seat for act in acts if act.action.name in ("bet", "raise")]
        return bool(attackers) and attackers[-1] == _seat_of(who, observation)
    return _seat_of(who, observation) in done


def _seat_of(who: str, observation: Observation) -> int:
    """The position of a player in the words of the claim."""
    assert observation.seat is not None
    if who == "hero":
        return observation.seat
    if who == "villain":
        others = [seat for seat in observation.state.seats_in if seat != observation.seat]
        if len(others) != 1:
            raise ValueError("villain: expected one opponent")
        return others[0]
    return positions(observation.variant.seats).get(who, -1)


def _players(claim: Claim, observation: Observation) -> bool:
    before = [
        act for act in observation.acts if act.action.name == "fold" and act.street < observation.street
    ]
    if claim.get("limpers") is not None:
        return bool(sum(DEEDS["limp"]([act]) for act in observation.acts) == claim["limpers"])
    if claim.get("raises") is not None:
        return bool(sum(act.action.name == "raise" for act in observation.acts) == claim["raises"])
    return bool(observation.variant.seats - len(before) == claim["number"])


_KINDS: Mapping[str, Callable[[Claim, Observation], bool]] = {
    "hand": _hand,
    "odds": _odds,
    "position": _position,
    "action": _action,
    "players": _players,
}
