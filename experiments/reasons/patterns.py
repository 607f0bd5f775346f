"""Patterns of words that state a hand, pot odds, a position, or a number of players; what they claim."""

import re
from typing import Any

from experiments.reasons.reading import COUNT, COUNTS, NUMBER, RANKS, SEAT, Reading, Take, named

__all__ = ["PATTERNS"]

R = rf"(?P<rank>{RANKS})"
R2 = rf"(?P<second>{RANKS})"
BLINDS = rf"(?:both blinds|{SEAT})"

# Hands.


def _hand(name: str | None = None, **fixed: Any) -> Take:
    def take(match: re.Match[str], reading: Reading) -> str:
        found = match.groupdict()
        ranks = [found[key] for key in ("rank", "second") if found.get(key)] or None
        is_ = name or _HAND_NAMES.get(str(found.get("name")), str(found.get("name")))
        negated = True if found.get("no") else None
        only = True if found.get("only") else None
        fields = {"ranks": ranks, "kicker": found.get("kicker"), "only": only, "not": negated, **fixed}
        return reading.add("hand", **{"is": is_, **fields})

    return take


_HAND_NAMES = {
    "trip": "trips",
    "openended straight draw": "open-ended straight draw",
    "gutshot straight draw": "gutshot",
    "gutshot draw": "gutshot",
    "four of kind": "four of a kind",
    "three of kind": "three of a kind",
    "big combo draw": "combo draw",
    "one pair": "pair",
    "boat": "full house",
    "pair": "pair",
}
_NO = r"(?:(?P<no>no|not(?: have| got)?) )?"
_ONLY = r"(?:(?P<only>only have|nothing but|just|only|nothing except) )?"
_MADE = (
    r"(?P<name>nut flush draw|busted flush draw|flush draw|openended straight draw|gutshot straight draw"
    r"|gutshot draw|gutshot|straight draw|(?:big )?combo draw|top pair|middle pair|bottom pair"
    r"|overpair|underpair|two pair"
    r"|one pair|straight flush|full house|four of kind|three of kind|nut flush|straight|flush|set"
    r"|overcards|boat)"
)


def _two_pair(match: re.Match[str], reading: Reading) -> str:
    reading.add("hand", **{"is": "two pair", "ranks": [match["rank"], match["second"]]})
    return reading.add("hand", **{"is": "kicker", "ranks": [match["kicker"]]})


def _suited_draw(match: re.Match[str], reading: Reading) -> str:
    return reading.add("hand", **{"is": "flush draw", "suit": match[0].split()[-1]})


_HAND_PATTERNS: tuple[tuple[str, Take], ...] = (
    (r"\bflush did not get there\b", _hand("busted flush draw")),
    (r"\bbest starting hand\b", _hand("pocket pair", ranks=["ace"])),
    (rf"\b(?:my )?pocket {R} are higher than any card on board\b", _hand("overpair")),
    (rf"\bpocket {R} made set\b", _hand("set")),
    (rf"\b(?:pocket pair|small pocket pair) (?:of |, ){R}\b", _hand("pocket pair")),
    (rf"\bpair of {R} in my hand\b", _hand("pocket pair")),
    (r"\bsmall pocket pair\b", _hand("small pocket pair")),
    (rf"\bpocket {R}\b", _hand("pocket pair")),
    (rf"\b{_NO}pocket pair\b", _hand("pocket pair")),
    (r"\bsuited connectors\b", _hand("connectors", suited=True)),
    (rf"\b{R} and {R2} of same suit\b", _hand("cards", suited=True)),
    (rf"\b{R}[- ]{R2} suited\b", _hand("cards", suited=True)),
    (rf"\b{R}[- ]{R2} offsuit\b", _hand("cards", suited=False)),
    (rf"(?:(?<=hold )|(?<=have )){R}-{R2}\b", _hand("cards")),
    (
        rf"\btwo pair , {R} and {R2}(?: ,)? with (?P<kicker>{RANKS}) kicker\b",
        _two_pair,
    ),
    (rf"\btwo pair ,? ?{R} and {R2}\b", _hand("two pair")),
    (rf"\bfull house , {R} full of {R2}\b", _hand("full house")),
    (rf"\btrip {R}\b", _hand("three of a kind")),
    (rf"\b(?:three of kind|set)(?: of| ,) {R}\b", _hand("three of a kind")),
    (rf"\bpair of {R} with (?P<kicker>{RANKS}) kicker\b", _hand("pair")),
    (r"\btop pair with best kicker\b", _hand("top pair", kicker="ace")),
    (rf"\b{_ONLY}pair of {R}\b", _hand("pair")),
    (rf"\b{R}[- ]high (?P<name>flush|straight)\b", _hand()),
    (rf"\bstraight(?: on (?:flop|turn|river))? ,? ?{R}[- ]high\b", _hand("straight")),
    (rf"\b{R}[- ]high\b", _hand("high card")),
    (r"\bno pair\b", _hand("no pair")),
    (r"\bno made hand\b", _hand("no pair")),
    (
        r"\bflush draw in (?:hearts|diamonds|clubs|spades)\b",
        _suited_draw,
    ),
    (r"\b(?P<name>flush draw) and nothing else\b", _hand(only=True)),
    (rf"\b{_ONLY}{_NO}(?:made )?{_MADE}(?: to board)?\b", _hand()),
    (r"\bi hit pair\b|\bpair already\b", _hand("pair")),
)


# Pot odds.


def _tolerance(text: str, about: bool) -> float:
    """Half a unit of the last digit, a whole one where it is about."""
    unit = 10.0 ** -len(text.partition(".")[2])
    return unit if about else unit / 2


_ABOUT = r"(?:(?P<about>about|roughly|around|almost|nearly|approximately|some) )?"


def _ratio(match: re.Match[str], reading: Reading) -> str:
    value = float(match["ratio"])
    if match["more"]:
        return reading.add("odds", ratio=value, more=True)
    within = 0.05 * value if match["about"] else min(0.1, _tolerance(match["ratio"], False))
    return reading.add("odds", ratio=value, within=within)


def _share(match: re.Match[str], reading: Reading) -> str:
    within = _tolerance(match["share"], bool(match["about"])) / 100
    return reading.add("odds", equity=round(float(match["share"]) / 100, 6), within=within)


def _amounts(match: re.Match[str], reading: Reading) -> str:
    found = {name: float(value) for name, value in match.groupdict().items() if value is not None}
    return reading.add("odds", **found)


def _no_bet(match: re.Match[str], reading: Reading) -> str:
    return reading.add("odds", **{"no bet": True})


def _more(match: re.Match[str], reading: Reading) -> str:
    return reading.add("odds", call=float(re.findall(NUMBER, match[0])[0]))


def _bet_faced(match: re.Match[str], reading: Reading) -> str:
    return reading.add("odds", **{"no bet": True, "not": True})


CALL, POT = rf"(?P<call>{NUMBER})", rf"(?P<pot>{NUMBER})"
_ODDS_PATTERNS: tuple[tuple[str, Take], ...] = (
    (
        rf"\b(?:pot |price |odds |lays? |laying |offering |giving |getting |get |is |are |me |only |odds )*"
        rf"(?P<more>better than |more than )?{_ABOUT}(?:only )?(?P<ratio>{NUMBER}) to 1(?: odds)?"
        rf"(?: on (?:limp|call|my money|this call|my call))?",
        _ratio,
    ),
    (
        rf"\b(?:would )?(?:need|needs|take|takes)?(?: only| just| at least)? ?{_ABOUT}(?P<share>{NUMBER}) %"
        rf"(?: equity)?(?: is enough)?(?: for (?:cold )?call| to (?:call|limp|continue)(?! \d))?",
        _share,
    ),
    (
        rf"\b(?:have to |must |need to |i )?(?:to )?call(?:ing)?(?: costs)? {CALL}(?: more)?"
        rf"(?: into| to) (?:pot of |win )?{POT}\b",
        _amounts,
    ),
    (rf"\b(?:calling|costs?|is|bet) (?:me )?{CALL}(?: more)? (?:into|to) (?:pot of |win )?{POT}\b", _amounts),
    (rf"\bpot (?:is|of) {POT}\b", _amounts),
    (rf"\bthere is {POT} in pot\b", _amounts),
    (rf"\bfacing bet of {CALL}\b", _amounts),
    (rf"\b(?:have to|must|need to|to) call {CALL}(?: more)?(?: to stay in)?\b", _amounts),
    (
        rf"\bcosts? (?:me )?{CALL}(?: more)? to call\b|\bcall {NUMBER} more\b",
        _more,
    ),
    (r"\bno bet to (?:call|me)\b|\bcan check for free\b|\bcheck for free\b", _no_bet),
    (
        r"\b(?:have to|must) call bet\b|\b(?:facing|face) bet\b",
        _bet_faced,
    ),
)


# Position.


def _position(is_: str | None = None, **fixed: Any) -> Take:
    def take(match: re.Match[str], reading: Reading) -> str:
        found = match.groupdict()
        place = is_ or named(str(found.get("seat")))
        against = {"of": _opponent(str(found["of"]))} if found.get("of") else {}
        return reading.add("position", **{"is": place, **against, **fixed})

    return take


def _opponent(word: str) -> str:
    """Against whom a position is held."""
    return "raiser" if word in ("raiser", "threebettor") else named(word)


def _behind(match: re.Match[str], reading: Reading) -> str:
    number = match.groupdict().get("count")
    return reading.add("position", **{"is": "behind", "number": COUNTS[number] if number else None})


def _behind_named(match: re.Match[str], reading: Reading) -> str:
    names = re.findall(SEAT, match["names"].replace("both blinds", "small-blind big-blind"))
    return reading.add("position", **{"is": "behind", "names": [named(each) for each in names]})


def _in_position(match: re.Match[str], reading: Reading) -> str:
    if "button and" in match[0]:
        reading.add("position", **{"is": "button"})
    return _position("in position")(match, reading)


def _first(match: re.Match[str], reading: Reading) -> str:
    return reading.add("position", **{"is": "first"})


_ON = rf"(?P<seat>{SEAT})"
_AGAINST = rf"(?: (?:against|on|to) (?P<of>{SEAT}|raiser|threebettor))?"
_WILL = r"(?:i )?(?:am|will be|will|would be|get to|have to|must)? ?"
_LATER = r"(?: (?:after flop|on (?:flop|turn|river|every street)|for whole hand))*"
_POSITION_PATTERNS: tuple[tuple[str, Take], ...] = (
    (
        rf"\b(?P<names>{BLINDS}(?: and {BLINDS})?) (?:are|is) still to act behind me\b",
        _behind_named,
    ),
    (r"\bbutton has position on me\b", _position("out of position", of="button")),
    (r"\bout of position against player on my left\b", _position("out of position")),
    (
        rf"\b{_WILL}out of position{_AGAINST}(?: for whole hand)?{_LATER}(?: in threebet pot)?\b",
        _position("out of position"),
    ),
    (r"\bhave position on both players in pot\b", _position("in position", of="entered")),
    (
        rf"\b(?:will )?have (?:button and )?position{_AGAINST}{_LATER}\b",
        _in_position,
    ),
    (rf"\b{_WILL}in position{_AGAINST.replace('on|', '')}{_LATER}\b", _position("in position")),
    (r"\b(?:have button)\b", _position("button")),
    (rf"\b{_WILL}(?:be )?first to act , under-gun\b", _position("under the gun")),
    (
        rf"\b{_WILL}(?:be )?(?:first to act|act first)(?: now)?{_LATER}\b",
        _first,
    ),
    (rf"\b{_WILL}(?:be )?(?:last to act|act last){_LATER}\b", _position("last")),
    (r"\bclose action(?: with this call)?\b", _position("closing")),
    (r"\bin early position\b", _position("early position")),
    (
        rf"\b(?:with |there are )?(?P<count>{COUNT})? ?players?(?: still)?(?: to act)? behind me\b",
        _behind,
    ),
    (rf"(?<= i am) (?:on|in)? ?{_ON}\b", _position()),
    (rf"(?<= i) am (?:on |in )?{_ON}\b", _position()),
)
_PLACE_PATTERNS: tuple[tuple[str, Take], ...] = ((rf"§\s+(?:in|on|from) {_ON}\b", _position()),)


# Players.


def _players(match: re.Match[str], reading: Reading) -> str:
    return reading.add("players", number=COUNTS[match["count"]])


_PLAYER_PATTERNS: tuple[tuple[str, Take], ...] = (
    (rf"\b(?P<count>{COUNT}) players saw (?:flop|turn|river)\b", _players),
    (r"\bthis is headsup pot\b|\bheadsup pot\b", lambda match, reading: reading.add("players", number=2)),
    (
        r"\bthere is one raise and one limper in front of me\b",
        lambda match, reading: reading.add("players", raises=1) + reading.add("players", limpers=1),
    ),
    (
        r"\bhave (?:button and )?initiative\b|\binitiative\b",
        lambda match, reading: reading.add("action", who="hero", did="attack", **{"only last": True}),
    ),
)

PATTERNS = (*_ODDS_PATTERNS, *_PLAYER_PATTERNS, *_POSITION_PATTERNS, *_HAND_PATTERNS, *_PLACE_PATTERNS)
