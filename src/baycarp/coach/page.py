"""The review as one page of HTML, without requests, with all text of the log escaped."""

import base64
import shlex
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from urllib.parse import quote, urlencode

from baycarp.card import text
from baycarp.coach.choose import BLOCK, Judged, ReviewSelection
from baycarp.coach.pictures import cards, grid
from baycarp.coach.rollouts import Difference
from baycarp.coach.spots import OpponentRange, Review, ReviewSpot
from baycarp.errors import BaycarpError, TableError
from baycarp.game import STREETS, Act, Action, Observation, Variant
from baycarp.game.seats import seat_label, seat_names
from baycarp.web.spots.opened import fields_of

__all__ = ["Source", "commands", "content_policy", "page"]

STATIC = Path(__file__).parent / "static"

KINDS = {"fold": "fold", "check": "stay", "call": "stay", "bet": "push", "raise": "push"}
"""The three answers of the drill."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the hands are from: the log's path, its game or "", the judging agent, that of the rollouts."""

    log: str
    game: str
    judge: str
    rest: str


def page(review: Review, selection: ReviewSelection, source: Source) -> str:
    """The page; everything of the log is escaped.

    Parameters
    ----------
    review, selection
        Of the log.
    source
        Of the hands, for the commands that open a situation again.
    """
    style, script = ((STATIC / name).read_text("utf-8") for name in ("review.css", "review.js"))
    policy = content_policy()
    remarks = "".join(_remark(each, source) for each in selection.remarks)
    spots = "".join(_drill(number, each, source) for number, each in enumerate(selection.drill, 1))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Review of {escape(review.player)}</title><style>{style}</style></head><body><main>"
        f"{_head(review, selection, source)}"
        f'<section id="remarks" aria-label="Remarks"><h2>Remarks</h2>{remarks or "<p>None.</p>"}</section>'
        f'<section id="drill" aria-label="Drill"><h2>Drill</h2>{_intro(selection)}{spots}'
        '<p id="score" role="status"></p></section>'
        f"</main><script>{script}</script></body></html>\n"
    )


def content_policy() -> str:
    """The content policy of a page: no style or script but its own, no request."""
    style, script = (_hash((STATIC / name).read_text("utf-8")) for name in ("review.css", "review.js"))
    return (
        f"default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"
    )


def commands(spot: ReviewSpot, source: Source) -> str:
    """Two commands: one plays the hand again from the spot, one opens the judging agent's decision.

    The decision is of a match state where the game is named by its file and has the usual stacks; else of the
    hand of the log, where it is the player's first one on that street.
    """
    observation = spot.observation()
    game = ["--game", source.game] if source.game else []
    where = ["--hand", str(spot.number)]
    again = ["baycarp", "play", "--again", source.log, *where, "--act", str(spot.act + 1), *game]
    if spot.hand.stacks is None and _loads(source.game, observation.variant):
        state = observation.state
        shown = "|".join(text(hole) for hole in state.holes)
        board = "".join("/" + text(state.board[a:b]) for a, b in ((0, 3), (3, 4), (4, 5)) if state.board[a:b])
        what = [f"MATCHSTATE:{spot.seat}:{spot.number - 1}:{state.betting}:{shown}{board}", *game]
    else:
        seat = seat_names(observation.variant)[spot.seat]
        at = ["--street", STREETS[observation.street], "--position", seat]
        what = [source.log, *game, *where, *at]
    return "\n".join(map(shlex.join, (again, ["baycarp", "decide", *what, "--agent", source.judge])))


def _loads(game: str, variant: Variant) -> bool:
    try:
        return Variant.load(game) == variant
    except (BaycarpError, OSError):
        return False


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(sha256(content.encode()).digest()).decode()}"


def _head(review: Review, selection: ReviewSelection, source: Source) -> str:
    blocks = -(-review.hands // BLOCK)
    return (
        f"<header><h1>Review of {escape(review.player)}</h1><p>{review.hands} hands, {review.decisions} "
        f"decisions; {escape(source.judge)} disagrees with {len(review.spots)} of them. "
        f"{len(selection.remarks)} remarks in {blocks} times {BLOCK} hands; "
        f"{selection.tested} candidates.</p>"
        "<details><summary>How a decision is valued</summary><p>The cost is the mean of what the other "
        "action would have won more, in big blinds, on the same deals of the others' cards (drawn from the "
        f"beliefs) and of the board, when all players go on as {escape(source.rest)} does. The interval has "
        "95 %. The deals that choose a decision are not those that value it. A remark needs a joint "
        "certainty of 97.5 % over all candidates (Holm). It is a cost against these players, not against "
        "perfect ones.</p></details></header>"
    )


def _intro(selection: ReviewSelection) -> str:
    if not selection.drill:
        return "<p>No spots.</p>"
    return (
        "<p>Keys: <kbd>F</kbd> fold, <kbd>C</kbd> check or call, <kbd>R</kbd> bet or raise, <kbd>N</kbd> "
        f"the next of {len(selection.drill)} spots.</p>"
    )


def _remark(judged: Judged, source: Source) -> str:
    spot, observation = judged.spot, judged.spot.observation()
    return (
        f'<article class="remark"><h3>Hand {spot.number}, {STREETS[observation.street]}: '
        f"{escape(_name(spot.taken))} instead of {escape(_name(spot.better))}</h3>"
        f"{_situation(spot, observation)}{_answer(judged, observation, source)}</article>"
    )


def _drill(number: int, judged: Judged, source: Source) -> str:
    spot, observation = judged.spot, judged.spot.observation()
    legal = {KINDS[action.name]: action.name for action in observation.legal_actions()}
    keys = (("fold", "F"), ("stay", "C"), ("push", "R"))
    buttons = "".join(
        f'<button type="button" data-answer="{kind}">{legal[kind].capitalize()} <kbd>{key}</kbd></button>'
        for kind, key in keys
        if kind in legal
    )
    return (
        f'<article class="spot" hidden data-better="{KINDS[spot.better.name]}">'
        f'<h3 tabindex="-1">Spot {number}: {STREETS[observation.street]}</h3>{_situation(spot, observation)}'
        f'<p class="answers">{buttons}</p><div class="answer" hidden><p class="verdict" role="status"></p>'
        f"<p>In hand {spot.number} you chose to {escape(_name(spot.taken))}.</p>"
        f"{_answer(judged, observation, source)}"
        '<p><button type="button" class="next">Next spot <kbd>N</kbd></button></p></div></article>'
    )


def _situation(spot: ReviewSpot, observation: Observation) -> str:
    state, variant = observation.state, observation.variant
    owed = f", {state.owed} to call" if state.owed else ""
    acts = "".join(f"<li>{_acted(act, observation)}</li>" for act in observation.acts)
    return (
        f'<div class="situation"><span class="cards">{cards(observation.hole)}</span>'
        f'<span class="cards">{cards(observation.board)}</span></div>'
        f"<p>{seat_names(variant)[spot.seat]} of {variant.seats}; pot {state.pot}{owed}; big blind "
        f'{variant.big_blind}.</p><ol class="acts" aria-label="Actions so far">{acts}</ol>'
    )


def _acted(act: Act, observation: Observation) -> str:
    return f"{STREETS[act.street]}: {escape(_player(observation, act.seat))} {escape(_name(act.action))}"


def _answer(judged: Judged, observation: Observation, source: Source) -> str:
    spot = judged.spot
    belief = _range(_matters(spot, observation), observation) if spot.ranges else ""
    reason = f'<p class="reason">{escape(spot.reason)}</p>' if spot.reason else ""
    better = escape(_name(spot.better).capitalize())
    return (
        f'{reason}<p class="cost"><b>{better}</b> is better by {_cost(judged.cost)}.</p>'
        f"{belief}{_cases(spot)}{_study(spot)}<p>The same cards again:</p>"
        f'<pre tabindex="0" aria-label="Commands"><code>{escape(commands(spot, source))}</code></pre>'
    )


def _study(spot: ReviewSpot) -> str:
    """A link to the study of the decision against this player; where it is no spot, why not."""
    if not spot.believed:
        why = "before the flop" if not spot.observation().street else "of other than two players, or all-in"
        return f'<p class="no-study">Not to be studied as a spot: {why}.</p>'
    try:
        fields = fields_of(spot.observation(), {each.position: each.weights for each in spot.believed})
    except TableError as error:
        return f'<p class="no-study">{escape(str(error))}</p>'
    target = f"study.html#{urlencode(fields, quote_via=quote)}"
    return (
        f'<p class="study"><a href="{escape(target)}">Study this decision against this player</a>'
        "<span hidden> (<code>baycarp study</code> with this file opens it)</span></p>"
    )


def _cost(cost: Difference) -> str:
    low, high = cost.interval
    return f"{cost.mean:.2f} big blinds (95 % interval {low:.2f} to {high:.2f}, {cost.deals} deals)"


def _matters(spot: ReviewSpot, observation: Observation) -> OpponentRange:
    """The belief about the last opponent that bet or raised and is still in; else the narrowest."""
    by_seat = {each.position: each for each in spot.ranges}
    for act in reversed(observation.acts):
        if act.seat in by_seat and act.action.name in ("bet", "raise"):
            return by_seat[act.seat]
    return max(spot.ranges, key=lambda each: float((each.weights**2).sum() / each.weights.sum() ** 2))


def _range(belief: OpponentRange, observation: Observation) -> str:
    name = _player(observation, belief.position)
    seen = f"<p>{escape(belief.evidence)}</p>" if belief.evidence else ""
    return (
        f"<figure><figcaption>The belief about {escape(name)}</figcaption>"
        f"{grid(belief.weights, f'Range of {name}: darker is likelier')}{seen}</figure>"
    )


def _cases(spot: ReviewSpot) -> str:
    if not spot.cases:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{case.case}</th><td>{case.similarity:.3f}</td>'
        f"<td>{escape(str(case.solution))}</td><td>{case.outcome:+.2f}</td></tr>"
        for case in spot.cases
    )
    return (
        "<table><caption>The nearest cases</caption><thead><tr>"
        + "".join(f'<th scope="col">{name}</th>' for name in ("case", "similarity", "action", "outcome"))
        + f"</tr></thead><tbody>{rows}</tbody></table>"
    )


def _player(observation: Observation, seat: int) -> str:
    return seat_label(observation.variant, seat, observation.players)


def _name(action: Action) -> str:
    return str(action)
