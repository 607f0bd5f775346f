"""What is done at the table: a decision with its reasons, and recorded hands read, reviewed and counted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from baycarp.agents.base import Agent
from baycarp.agents.registry import DEFAULT, load_for
from baycarp.agents.trust import verify_plain
from baycarp.api.stats import PlayerStatistics, stats
from baycarp.card import text
from baycarp.coach.advice import Advice
from baycarp.coach.review import advises, reviewed_player
from baycarp.coach.valuation import Judge
from baycarp.errors import NotationError
from baycarp.game import Observation, Variant
from baycarp.game.action import action_text
from baycarp.game.notation.door import read_text
from baycarp.game.notation.hand import Hand
from baycarp.game.notation.wire import read_game, read_hand
from baycarp.game.situation import as_text
from baycarp.opponents.stats import STATISTICS
from baycarp.tools.cards import held
from baycarp.tools.parameters import AgentName, Game, HandNumber, HandTexts, PlayerName, Seed, TableSpot
from baycarp.web.review import MOST, read

__all__ = ["HandTools", "decide"]

SECONDS = 4.0
"""The time that an agent has for a decision."""

PLAYOUTS = 500
"""Of a look-ahead that values a reviewed decision."""

COUNTED = 12
"""Players whose statistics are in an answer, those of most hands."""

HEADS_UP = "holdem.limit.2p.reverse_blinds"


def decide(spot: TableSpot, agent: AgentName = "", seed: Seed = 0) -> dict[str, Any]:
    """Decide a spot by a shipped agent: the action, the probability of each action, and the reasons.

    'you hold', 'pot', 'to call' and 'equity to call' (the share of the pot that pays the call) state the
    spot itself; 'explanation' is the agent's own record: beliefs, retrieved cases, pot odds.
    """
    variant = read_game(spot.game)
    if spot.seat >= variant.seats:
        raise NotationError(f"seat {spot.seat}: expected one below {variant.seats}")
    hand, seat = read_hand(spot.message(variant.seats), None)
    player = _plain(variant, agent)
    observation = hand.observe(seat)
    player.plays.verify_turn(observation)
    player.sit(spot.seat, variant, seed)
    decision = player.decide(observation, time_limit=SECONDS)
    record = decision.to_dict()
    kept = {name: record[name] for name in ("action", "amount", "policy", "reason", "exact")}
    return {"agent": agent or DEFAULT, **kept, **_stated(observation)} | {"explanation": decision.explain()}


def _plain(variant: Variant, agent: str) -> Agent:
    """An agent that a stranger may name, and that plays the game."""
    spec = agent or DEFAULT
    verify_plain(spec)
    return load_for(variant, spec)


def _stated(observation: Observation) -> dict[str, Any]:
    """The facts of a spot that are misread most."""
    state = observation.state
    found: dict[str, Any] = {"pot": state.pot}
    if len(observation.hole) == 2:
        found["you hold"] = held(text(observation.hole), text(observation.board))
    if not state.is_over:
        legal = [action_text(action) for action in observation.legal_actions()]
        found |= {"position to act": state.to_act, "legal": legal, "to call": state.owed}
        if state.owed:
            found["equity to call"] = round(state.owed / (state.pot + state.owed), 4)
    return found


class HandTools:
    """The tools that take recorded hands, of the call or of the files that the server was started with.

    Parameters
    ----------
    paths
        The files; nothing else on disk is read.
    game
        Of ACPC logs among them.
    """

    def __init__(self, paths: Sequence[Path] = (), game: str = HEADS_UP) -> None:
        self._paths, self._game = paths, game

    def read_hand(
        self, hands: HandTexts = "", game: Game = HEADS_UP, number: HandNumber = 1, seat: int | None = None
    ) -> dict[str, Any]:
        """Read one recorded hand: the table, the cards, every action in words; 'game' is that of ACPC lines.

        With a seat (a position from 0) as that seat sees it; without, as everybody does.
        """
        found, count = self._hand(hands, game, number)
        if seat is not None and not 0 <= seat < found.variant.seats:
            raise NotationError(f"seat {seat}: expected one below {found.variant.seats}")
        observation = found.observe(seat)
        return {"number": number, "of": count, "text": as_text(observation), **_stated(observation)}

    def review_hand(
        self,
        hands: HandTexts = "",
        game: Game = HEADS_UP,
        number: HandNumber = 1,
        player: PlayerName = "",
        judge: AgentName = "",
    ) -> dict[str, Any]:
        """Review a player's decisions of one recorded hand, whose cards must be in the record.

        'disputed' are the decisions that lose big blinds by the judging agent's values: the action taken, the
        right ones, the 'cost' in big blinds with its standard 'error', and the reason in a sentence. Actions
        that are worth the same within the error are all right.
        """
        found, _ = self._hand(hands, game, number)
        if judge:
            verify_plain(judge)
        name = reviewed_player([found], player or found.players[0])
        advices = advises([found], name, Judge(judge or DEFAULT, PLAYOUTS))
        return {
            "player": name,
            "judge": judge or DEFAULT,
            "decisions": len(advices),
            "disputed": [_disputed(each) for each in advices if not each.right],
        }

    def statistics(
        self, hands: HandTexts = "", game: Game = HEADS_UP, player: PlayerName = ""
    ) -> dict[str, Any]:
        """Count what players do in recorded hands: (made, opportunities) with a 95 % interval of each.

        The statistics are those of trackers ('vpip', 'pfr', 'three_bet', ...); 'won' and 'won all-in
        adjusted' (equity counts where cards were shown) are big blinds per 100 hands with an interval.
        """
        found = stats(self._all(hands, game), player=player)
        return {
            "players": {each.name: _habits(each) for each in found.players[:COUNTED]},
            "of players": len(found.counts.players),
            "notes": [*found.notes()],
        }

    @cached_property
    def _stored(self) -> list[Hand]:
        found = (hand for path in self._paths for hand in read(path, self._game, lambda refused: None))
        return [_named(hand) for hand, _ in zip(found, range(MOST), strict=False)]

    def _all(self, hands: str, game: str) -> list[Hand]:
        if hands:
            return [_named(hand) for hand, _ in zip(_read(hands, game), range(MOST), strict=False)]
        if not self._paths:
            raise NotationError(
                "hands: expected recorded hands; the server was started without a file of them"
            )
        return self._stored

    def _hand(self, hands: str, game: str, number: int) -> tuple[Hand, int]:
        found = self._all(hands, game)
        if number > len(found):
            raise NotationError(f"number {number}: expected at most {len(found)}")
        return found[number - 1], len(found)


def _read(hands: str, game: str) -> Iterator[Hand]:
    if hands.lstrip().startswith("MATCHSTATE:"):
        yield read_hand({"game": game, "state": hands.strip()}, None)[0]
    else:
        yield from read_text(hands, game=read_game(game))


def _named(hand: Hand) -> Hand:
    """The hand with names: ``seat 1`` and so on where the record has none."""
    return hand if hand.players else replace(hand, players=_names(hand))


def _names(hand: Hand) -> tuple[str, ...]:
    return hand.players or tuple(f"seat {seat + 1}" for seat in range(hand.variant.seats))


def _disputed(advice: Advice) -> dict[str, Any]:
    observation = advice.observation
    return {
        "street": observation.street,
        "board": text(observation.board),
        "taken": action_text(advice.taken),
        "right": [action_text(action) for action in advice.best],
        "cost": round(advice.cost, 2),
        "error": round(advice.error, 2),
        "theme": advice.theme,
        "reason": advice.sentence,
        "spot": as_text(observation),
    }


def _habits(player: PlayerStatistics) -> dict[str, Any]:
    shares = {each.name: player.share(each.name) for each in STATISTICS}
    found = {
        name: [share.count, share.of, *(_rounded(share.interval) if share.of else ())]
        for name, share in shares.items()
    }
    rates = {"won": player.rate(), "won all-in adjusted": player.rate(luck=False)}
    for name, rate in rates.items():
        found[name] = [round(rate.mean, 1), round(rate.margin, 1)]
    return {"hands": player.hands, **found}


def _rounded(bounds: tuple[float, float]) -> list[float]:
    return [round(bound, 3) for bound in bounds]
