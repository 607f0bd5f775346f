"""The tables that a new session may have: games and players by names that the page gets and sends back.

The page sends no specification, no path and no module: a name that is not of these lists is refused.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import TypeVar

from baycarp.agents.table import PEOPLE
from baycarp.arena.decks import SEED
from baycarp.arena.names import distinct
from baycarp.errors import NotationError, TableError
from baycarp.game import Variant
from baycarp.game.notation.wire import Message, string
from baycarp.opponents.known import KnownPlayer
from baycarp.web.frames import Frame
from baycarp.web.sitting import PERSON, Seating, Sitting

__all__ = ["GAMES", "OPPONENTS", "Lobby", "LobbyGame", "LobbyPlayer", "file_of", "model_of"]

Found = TypeVar("Found")

MOST = 8
"""Opponents, at most."""


@dataclass(frozen=True, slots=True)
class LobbyGame:
    """A game in words, and the shipped games by the number of seats: a format, or the name of two seats."""

    name: str
    words: str
    betting: str
    games: str
    heads_up: str

    def variant(self, seats: int) -> Variant:
        """The game of so many seats, 2 to 9."""
        return Variant.load(self.heads_up if seats == 2 else self.games.format(seats))


GAMES = (
    LobbyGame("limit", "Limit: bets of 10, then of 20; blinds 5 and 10", "limit", "holdem.limit.{}p",
              "holdem.limit.2p.reverse_blinds"),
    LobbyGame("no-limit", "No-limit, 100 big blinds; blinds 50 and 100", "no-limit",
              "holdem.nolimit.{}p.100bb", "holdem.nolimit.2p.100bb"),
    LobbyGame("deep", "No-limit, 200 big blinds; blinds 50 and 100", "no-limit", "holdem.nolimit.{}p",
              "holdem.nolimit.2p.reverse_blinds"),
)  # fmt: skip
"""The games of the lobby."""


@dataclass(frozen=True, slots=True)
class LobbyPlayer:
    """A player of the lobby: a name, its style in words, its specification, and the bettings that it plays.

    ``most``: seats of a game that it plays, at most.
    """

    name: str
    words: str
    spec: str
    bettings: tuple[str, ...]
    most: int = MOST + 1


BETTINGS = ("limit", "no-limit")

OPPONENTS = (
    LobbyPlayer("baycarp", "models each opponent; the strongest", "baycarp", BETTINGS),
    LobbyPlayer("karma", "tight, raises with strong hands", "karma", ("limit",)),
    LobbyPlayer("erasmus", "tight, mostly calls", "erasmus", ("limit",)),
    LobbyPlayer("doyle", "moderate, balanced", "doyle", ("limit",)),
    LobbyPlayer("jake", "loose, plays many hands", "jake", ("limit",)),
    LobbyPlayer("rule", "fixed rules, tight", "rule", ("limit",)),
    LobbyPlayer("jag", "fixed rules, loose and aggressive", "jag", ("limit",)),
    LobbyPlayer("maniac", "raises nearly everything", "maniac", ("limit",)),
    LobbyPlayer("station", "calls nearly everything", "station", ("limit",)),
    LobbyPlayer("tight people", "as tight players of recorded games", PEOPLE["tight-1"], ("limit",)),
    LobbyPlayer("usual people", "as the median of recorded games", PEOPLE["median-1"], ("limit",)),
    LobbyPlayer("loose people", "as loose players of recorded games", PEOPLE["loose-1"], ("limit",)),
    LobbyPlayer("solver", "plays a solved strategy, heads-up", "equilibrium", ("limit",), 2),
    LobbyPlayer("sizer", "fixed rules with bets of many sizes", "sizer", ("no-limit",)),
    LobbyPlayer("sizer-3", "as sizer, in another style", "sizer(number=3)", ("no-limit",)),
    LobbyPlayer("solver-nl", "plays a solved strategy, heads-up", "equilibriumnl", ("no-limit",), 2),
    LobbyPlayer("caller", "checks and calls, never bets", "call", BETTINGS),
)  # fmt: skip
"""The shipped players of the lobby."""


@dataclass(frozen=True)
class Lobby:
    """The tables of a new session.

    Parameters
    ----------
    opened
        Opens a session in a folder of its own: of a seating, with the models that its players need there.
    adviser
        The specification of the agent that advises the person, where the page names none.
    named
        Agents that the command line named: the specification by the name at the table.
    known
        Players of logs that the command line named: what learns the model, by the player's name.
    """

    opened: Callable[[Seating, Sequence[KnownPlayer]], Sitting]
    adviser: str = ""
    named: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Callable[[], KnownPlayer]] = field(default_factory=dict)

    def record(self) -> Frame:
        """The lists of the page, as JSON values; specifications are not in them."""
        players = [
            {"name": each.name, "words": each.words, "bettings": list(each.bettings), "most": each.most}
            for each in self._players().values()
        ]
        known = [
            {"name": name, "words": "plays like this player of your hands", "bettings": list(BETTINGS)}
            | {"most": MOST + 1}
            for name in self.known
        ]
        return {
            "type": "lobby",
            "games": [{"name": each.name, "words": each.words, "betting": each.betting} for each in GAMES],
            "players": players,
            "known": known,
            "adviser": next(
                (name for name, each in self._players().items() if each.spec == self.adviser), ""
            ),
        }

    def begin(self, message: Message) -> Sitting:
        """Begin the session that a message names, with a seed of the system's entropy.

        Parameters
        ----------
        message
            ``game``: of the list; ``players``: names of the list, one a seat beside the person, each as often
            as wanted; ``adviser``: a name of the list, "" = none.

        Raises
        ------
        NotationError
            A name that is not of the lists, or a number of players that no game has.
        TableError
            A player that does not play the game.
        """
        game = _named(string(message, "game"), {each.name: each for each in GAMES}, "game")
        given = message.get("players")
        if not isinstance(given, list) or not 1 <= len(given) <= MOST:
            raise NotationError(f"players: expected a list of 1 to {MOST} names")
        names = [string({"name": each}, "name") for each in given]
        players, models = self._players(), dict[str, KnownPlayer]()
        everybody = dict.fromkeys((*players, *self.known))
        for name in names:
            _named(name, {each: each for each in everybody}, "player")
        adviser = string(message, "adviser")
        spec = _named(adviser, players, "adviser").spec if adviser else ""
        seats = len(names) + 1
        for name in filter(None, (*names, adviser)):
            player = players.get(name)
            if player and not (game.betting in player.bettings and seats <= player.most):
                raise TableError(f"{name} cannot play {game.name} with {seats} seats")
        for name in {*names} & {*self.known}:
            models[name] = self.known[name]()
        specs = tuple(model_of(models[name]) if name in models else players[name].spec for name in names)
        seed = SystemRandom().randrange(SEED + 1)
        return self.opened(
            Seating(game.variant(seats), distinct(names, [PERSON]), specs, spec, seed), list(models.values())
        )

    def _players(self) -> dict[str, LobbyPlayer]:
        """Those with specifications, by name; a name of the command line stands before a shipped one."""
        named = (
            LobbyPlayer(name, f"{spec}, as you named it", spec, BETTINGS) for name, spec in self.named.items()
        )
        shipped = (each for each in OPPONENTS if self.named.get(each.name, "") in ("", each.spec))
        players = {each.name: each for each in (*named, *shipped)}
        return {name: each for name, each in players.items() if name not in self.known}


def model_of(player: KnownPlayer) -> str:
    """The specification of a bot that plays like a player; its model lies in the folder of the session."""
    return f"alike(model={file_of(player)!r})"


def file_of(player: KnownPlayer) -> str:
    """The file of a model in the folder of the session, with a part of its digest."""
    name = re.sub(r"[^A-Za-z0-9]", "_", player.name)[:40]
    return f"{name}-{player.players.digest[:8]}.npz"


def _named(name: str, found: Mapping[str, Found], what: str) -> Found:
    if name not in found:
        raise NotationError(f"{what} {name[:60]!r}: expected a name of the list")
    return found[name]
