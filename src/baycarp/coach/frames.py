"""A review as the page draws it: JSON values, every text of them to be drawn as text."""

from collections.abc import Callable, Mapping
from math import isnan

from baycarp.agents.value.stages import ActionValue
from baycarp.agents.value.words import amount_words
from baycarp.card import text
from baycarp.coach.advice import Advice
from baycarp.coach.boxes import Box
from baycarp.coach.findings import FEWEST, ThemeFinding
from baycarp.coach.reads import GROUPS, OpponentRead
from baycarp.coach.review import Review
from baycarp.errors import NotationError
from baycarp.game import STREETS, Act, Action, Observation
from baycarp.game.action import action_text
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Hand
from baycarp.game.seats import seat_label
from baycarp.game.situation import act_in_words
from baycarp.game.variant import Variant, shipped
from baycarp.web.frames import Frame

__all__ = ["Links", "is_spot", "line_of", "review_frame", "spot_frame"]

KEYS = {"fold": "f", "check": "c", "call": "c", "bet": "r", "raise": "r"}
"""The keys of the answers; further sizes have digits."""

Links = Callable[[Advice], Mapping[str, str]]
"""What leads to a decision: ``hand``, its hand in words; the addresses ``replay`` and ``study``, where
there are such; ``command``, where no server answers."""


def review_frame(review: Review, links: Links) -> Frame:
    """The review without its drill."""
    return {
        "player": review.player,
        "hands": review.hands,
        "decisions": review.decisions,
        "themes": [_theme_frame(each) for each in review.themes],
        "remarks": [spot_frame(each, links(each)) for each in review.remarks],
    }


def spot_frame(
    advice: Advice,
    links: Mapping[str, str],
    key: str = "",
    read: OpponentRead | None = None,
    box: Box | None = None,
) -> Frame:
    """A decision with its answers; of a read the groups alone, without the belief."""
    observation = advice.observation
    state, big_blind = observation.state, observation.variant.big_blind
    assert observation.seat is not None
    shown = {value.action: value for value in advice.values}
    return {
        "key": key,
        "street": STREETS[observation.street],
        "seat": seat_label(observation.variant, observation.seat),
        "hole": _cards(tuple(sorted(observation.hole, reverse=True))),
        "board": _cards(observation.board),
        "pot": f"{state.pot} ({state.pot / big_blind:g} bb)",
        "owed": state.owed,
        "acts": [_act(act, observation) for act in observation.acts],
        "taken": str(advice.taken),
        "best": " or ".join(map(str, advice.best)),
        "cost": advice.cost,
        "costWords": amount_words(advice.cost, advice.error, 1),
        "sentence": advice.sentence,
        "theme": advice.theme,
        "answers": [_answer(action, shown, advice) for action in _answers(advice)],
        "links": dict(links),
        "read": {"about": read.opponent, "groups": list(GROUPS)} if read else None,
        "box": box.to_dict() if box else None,
    }


def line_of(hand: Hand) -> dict[str, str] | None:
    """The line of a hand and its game, as links have them; None where the game is not a shipped one."""
    name = hand.variant.name
    if name not in shipped() or Variant.load(name) != hand.variant:
        return None
    try:
        return {"line": format_state(hand), "game": name}
    except NotationError:
        return None


def is_spot(advice: Advice) -> bool:
    """Whether a decision can be studied as a spot: of two players, after the flop."""
    return bool(advice.observation.street) and len(advice.observation.state.seats_in) == 2


def _theme_frame(found: ThemeFinding) -> Frame:
    margin = found.rate.margin
    return {
        "name": found.name,
        "advice": found.theme.advice,
        "occasions": found.occasions,
        "faults": found.faults,
        "judged": found.is_judged,
        "named": found.named,
        "cost": round(found.rate.mean, 2),
        "margin": None if isnan(margin) else round(margin, 2),
        "words": found.in_words(),
        "enough": FEWEST,
    }


def _answers(advice: Advice) -> list[Action]:
    """The legal actions, and the sizes that are valued; each once, cheapest first."""
    legal = [*advice.observation.legal_actions()]
    valued = [value.action for value in advice.values]
    passive = [action for action in legal if action.name not in ("bet", "raise")]
    sized = {action for action in (*valued, advice.taken) if action.name in ("bet", "raise")}
    return [*passive, *sorted(sized or {action for action in legal if action not in passive})]


def _answer(action: Action, shown: dict[Action, ActionValue], advice: Advice) -> Frame:
    observation = advice.observation
    big_blind, value = observation.variant.big_blind, shown.get(action)
    best = max(advice.values, key=lambda each: each.chips, default=None)
    right = action in advice.best or (action == advice.taken and advice.right)
    lost = 0.0 if right or value is None or best is None else (best.chips - value.chips) / big_blind
    return {
        "action": action_text(action),
        "name": str(action),
        "key": KEYS[action.name],
        "right": right,
        "value": round(value.chips / big_blind, 3) if value else None,
        "error": round(value.error / big_blind, 3) if value else None,
        "words": amount_words(value.chips, value.error, big_blind) if value else "",
        "lost": round(lost, 3),
        "taken": action == advice.taken,
    }


def _act(act: Act, observation: Observation) -> Frame:
    return {
        "street": STREETS[act.street],
        "who": seat_label(observation.variant, act.seat, observation.players),
        "action": act_in_words(act),
    }


def _cards(ids: tuple[int, ...]) -> list[str]:
    shown = text(ids)
    return [shown[at : at + 2] for at in range(0, len(shown), 2)]
