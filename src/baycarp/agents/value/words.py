"""A decision by value in a sentence: what the own hand beats, and what the price needs."""

from math import hypot

from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.game.action import Action

__all__ = ["above", "amount_words", "close_to", "cost_words", "first_line"]

COUNTS = dict(enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine"), 2))
"""Several opponents in words."""

YOU = "You"
"""The reader, with verbs of its own; the name of the person at the page's table."""


def first_line(stage: ValueStage, player: str = YOU) -> str:
    """What the hand beats or wins, and what the call needs or a bet wins: the first line of an explanation.

    Parameters
    ----------
    stage
        The values of a decision.
    player
        The name of the deciding player, where the reader is another one.

    Examples
    --------
    >>> first_line(ValueStage("equity", 0.05, 0.12, "jake", "bets"))
    'You beat 5 % of what jake bets here; the call needs 12 %.'
    >>> first_line(ValueStage("equity", 0.05, 0.12, "You", "bets"), "ann")
    'ann beats 5 % of what you bet here; the call needs 12 %.'
    >>> first_line(ValueStage("look-ahead", 0.31, 0.12, opponents=3))
    'Your share of the pot against the three is 31 %; the call needs 12 %.'
    """
    share, price = _percents(stage.share, stage.price)
    needs = f"the call needs {price}" if stage.price > 0 else _free(stage)
    ending = "" if player == YOU else "s"
    if stage.opponents > 1:
        owner = "Your" if player == YOU else f"{player}'s"
        return f"{owner} share of the pot against the {COUNTS[stage.opponents]} is {share}; {needs}."
    if stage.to_come:
        win = f"win{ending}"
        often = {0.0: f"never {win}", 1.0: f"always {win}"}.get(stage.share, f"{win} {share} of the time")
        have = f"{often} against"
    else:
        part = {0.0: "none", 1.0: "all"}.get(stage.share, share)
        have = f"beat{ending} {part} of"
    return f"{player} {have} what {_act(stage)} here; {needs}."


def amount_words(chips: float, error: float, big_blind: int) -> str:
    """An amount with its standard error, in big blinds, or in chips where the big blind is not known.

    Examples
    --------
    >>> amount_words(-12, 1, 10), amount_words(0, 0, 10), amount_words(7.5, 0.25, 0)
    ('-1.20 ± 0.10', '0', '7.5 ± 0.2')
    """
    unit, digits = (big_blind, 2) if big_blind else (1, 1)
    words = f"{round(chips / unit, digits) + 0.0:.{digits}f}" if chips else "0"  # no "-0.00"
    return f"{words} ± {error / unit:.{digits}f}" if error else words


def close_to(stage: ValueStage, action: Action) -> list[Action]:
    """The other actions whose values are within the error of an action's, or above it.

    Examples
    --------
    >>> fold, call, push = Action("fold"), Action("call", 20), Action("raise", 40)
    >>> values = (ActionValue(fold, 0.0), ActionValue(call, -1.0, 2.0), ActionValue(push, -9.0, 2.0))
    >>> close_to(ValueStage("equity", 0.3, 0.3, values=values), fold)
    [Action(name='call', amount=20)]
    """
    best = _valued(stage, action)
    if best is None:
        return []
    others = [each for each in stage.values if each.action != action]
    return [each.action for each in others if best.chips - each.chips <= hypot(best.error, each.error)]


def above(stage: ValueStage, action: Action) -> list[Action]:
    """The other actions whose values are above an action's by more than the error, the best first.

    Examples
    --------
    >>> check, bet = Action("check"), Action("bet", 10)
    >>> values = (ActionValue(check, 4.6, 1.2), ActionValue(bet, 7.4, 1.2))
    >>> above(ValueStage("equity", 0.3, 0.0, values=values), check)
    [Action(name='bet', amount=10)]
    """
    own = _valued(stage, action)
    if own is None:
        return []
    better = [each for each in stage.values if each.chips - own.chips > hypot(own.error, each.error)]
    return [each.action for each in sorted(better, key=lambda each: -each.chips)]


def cost_words(stage: ValueStage, best: Action, other: Action) -> str:
    """What another action gives up, in words: nothing certain within the error; "" where it is not valued.

    Examples
    --------
    >>> fold, call = Action("fold"), Action("call", 20)
    >>> values = (ActionValue(fold, 0.0), ActionValue(call, -12.0, 1.0))
    >>> cost_words(ValueStage("equity", 0.05, 0.12, values=values, big_blind=10), fold, call)
    'costs 1.20 ± 0.10 big blinds'
    """
    one, two = _valued(stage, best), _valued(stage, other)
    if one is None or two is None or one == two:
        return ""
    if other in close_to(stage, best):
        return "close, either is fine"
    unit = "big blinds" if stage.big_blind else "chips"
    return f"costs {amount_words(one.chips - two.chips, hypot(one.error, two.error), stage.big_blind)} {unit}"


def _valued(stage: ValueStage, action: Action) -> ActionValue | None:
    return next((each for each in stage.values if each.action == action), None)


def _percents(share: float, price: float) -> tuple[str, str]:
    """Both in whole per cents, or in tenths where whole ones would hide which is greater."""
    digits = 1 if price and f"{share:.0%}" == f"{price:.0%}" and share != price else 0
    return _percent(share, digits), _percent(price, digits)


def _percent(part: float, digits: int) -> str:
    edge = 10.0 ** -(digits + 2)
    if 0 < part < edge / 2:
        return f"less than {100 * edge:g} %"
    if 1 - edge / 2 < part < 1:
        return f"more than {100 * (1 - edge):g} %"
    return f"{100 * part:.{digits}f} %"


def _act(stage: ValueStage) -> str:
    """The opponent with its act; before any act it holds cards."""
    act = stage.act or "holds"
    return (
        f"you {act.removesuffix('s')}"
        if stage.opponent == YOU
        else f"{stage.opponent or 'the opponent'} {act}"
    )


def _free(stage: ValueStage) -> str:
    """What the best bet wins beside the free check."""
    check = next((each for each in stage.values if each.action.name == "check"), None)
    bets = [each for each in stage.values if each.action.name in ("bet", "raise")]
    if check is None or not bets:
        return "the check is free"
    best = max(bets, key=lambda each: each.chips)
    return f"{_named(best, len(bets))} {_beside(best, check, stage.big_blind)}"


def _named(value: ActionValue, sizes: int) -> str:
    """An action with its article; with its amount where there are several sizes."""
    name, amount = value.action
    size = {"bet": f" of {amount}", "raise": f" to {amount}"}[name] if sizes > 1 else ""
    return f"a {name}{size}"


def _beside(bet: ActionValue, check: ActionValue, big_blind: int) -> str:
    """What a bet wins beside a check: within the error the same."""
    chips, error = bet.chips - check.chips, hypot(bet.error, check.error)
    if abs(chips) <= error:
        return "and a check are worth about the same"
    unit = "big blinds" if big_blind else "chips"
    amount = amount_words(abs(chips), 0.0, big_blind)
    return f"wins {amount} {unit} {'more' if chips > 0 else 'less'} than a check"
