"""The parameters of the tools; the words here are what a model reads in the JSON schema."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AgentName",
    "BettingLine",
    "Board",
    "Game",
    "HandNumber",
    "HandTexts",
    "Hole",
    "Known",
    "PlayerName",
    "RangeText",
    "Seed",
    "Sides",
    "StreetSpot",
    "TableSpot",
    "VillainRanges",
]

LONGEST = 65536
"""Characters of recorded hands in one call."""

Board = Annotated[str, Field(max_length=10, description="The board: '', or 3 to 5 cards as 'Ks7d2c'")]
Known = Annotated[str, Field(max_length=14, description="Cards that are seen elsewhere, as 'AhKs7d2c'")]
Hole = Annotated[str, Field(max_length=4, description="Two hole cards, as 'AhKd'")]
RangeText = Annotated[
    str, Field(max_length=4096, description="A range, as 'TT+, AQs+, A5s-A2s:0.5', or 'random'")
]
Sides = Annotated[
    list[RangeText],
    Field(min_length=2, max_length=6, description="Of each player two cards, as 'AhKd', or a range"),
]
VillainRanges = Annotated[
    list[RangeText], Field(max_length=5, description="A range for each opponent; [] = one, any two cards")
]
Game = Annotated[
    str,
    Field(
        max_length=60,
        description="A shipped game: holdem.limit.Np (2 to 10 seats; heads-up holdem.limit.2p.reverse_blinds)"
        " or holdem.nolimit.Np.100bb (2 to 9 seats)",
    ),
]
AgentName = Annotated[
    str,
    Field(
        max_length=200,
        description="A shipped agent, with plain settings if any: 'baycarp', 'rule', 'sizer(number=3)'; "
        "'' = baycarp in limit, sizer in no-limit",
    ),
]
HandTexts = Annotated[
    str,
    Field(
        max_length=LONGEST,
        description="Recorded hands: PHH, or lines of an ACPC log (STATE:...); "
        "'' = the hands of the files that the server was started with",
    ),
]
HandNumber = Annotated[int, Field(ge=1, le=2000, description="Which of the hands, from 1")]
Seed = Annotated[int, Field(ge=0, le=2**31, description="Of the agent's draws")]
PlayerName = Annotated[str, Field(max_length=100, description="The player's name in the record")]


BettingLine = Annotated[
    str,
    Field(
        max_length=200,
        description="The way to a decision, with the cards where they are dealt: 'check, bet 120, call, 2s'; "
        "'' = the first one",
    ),
]


class StreetSpot(BaseModel):
    """Two players from a flop, turn or river on, each with a range."""

    model_config = ConfigDict(extra="forbid")

    board: str = Field(min_length=6, max_length=10, description="3 to 5 cards, as 'Td9d6hQc2s'")
    pot: float = Field(gt=0, le=1e9, description="Chips in the pot at the start of the street")
    stack: float = Field(gt=0, le=1e9, description="Chips behind each player: the shorter stack")
    oop: RangeText = Field(description="The range of the player that acts first")
    ip: RangeText = Field(description="The range of the other player")
    sizes: str = Field(default="60%, a", max_length=60, description="Bets: shares of the pot; 'a' is all-in")
    raises: str = Field(
        default="3x, a", max_length=60, description="Raises: multiples of the bet; 'a' is all-in"
    )


class TableSpot(BaseModel):
    """A decision at the table, as the deciding seat sees it."""

    model_config = ConfigDict(extra="forbid")

    game: Game
    seat: int = Field(
        ge=0,
        le=9,
        description="The deciding position: 0 is the first left of the button, the last one the button. "
        "Heads-up 0 is the big blind and 1 the button with the small blind",
    )
    hole: Hole
    board: Board = ""
    actions: list[Annotated[str, Field(max_length=20)]] = Field(
        default=[],
        max_length=200,
        description="All actions from the first after the blinds: 'fold', 'check', 'call', 'bet 10', "
        "'raise 20'. An amount is the player's total of the street, in chips",
    )
    stacks: list[Annotated[int, Field(ge=1, le=10**9)]] | None = Field(
        default=None, max_length=10, description="Chips by position before the blinds; null = the game's"
    )

    def message(self, seats: int) -> dict[str, Any]:
        """The position as the engine protocol has it (``game.notation.wire.read_hand``)."""
        holes = ["" if seat != self.seat else self.hole for seat in range(seats)]
        found = {"game": self.game, "seat": self.seat, "holes": holes, "board": self.board}
        return found | {"actions": self.actions, "stacks": self.stacks}
