"""The review as one page of HTML without requests: the views of the table's page, with the review in it.

All text of the log is data of the page, which its script draws as text.
"""

import base64
import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from urllib.parse import quote, urlencode

from baycarp.coach.advice import Advice
from baycarp.coach.frames import is_spot, line_of, review_frame, spot_frame
from baycarp.coach.review import Review
from baycarp.files import packaged, plain_text
from baycarp.game.notation.hand import Hand

__all__ = ["ReviewSource", "content_policy", "page"]


STYLES = ("style.css", "shell.css", "table.css", "panel.css", "coach.css")

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\.{1,2}/([\w/.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:const|function) ([\w$]+)|^export \{([^}]*)\};$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReviewSource:
    """Where the hands are from: the log's path, and its game or ""."""

    log: str
    game: str


def page(review: Review, hands: list[Hand], source: ReviewSource) -> str:
    """The page.

    Parameters
    ----------
    review
        Of the hands.
    hands
        Of the log.
    source
        For the commands that open a situation again.
    """

    def links(advice: Advice) -> Mapping[str, str]:
        number, act = advice.observation.hand, len(advice.observation.acts)
        game = ["--game", source.game] if source.game else []
        where = ["--hand", str(number + 1), "--act", str(act + 1)]
        command = shlex.join(["baycarp", "play", "--again", source.log, *where, *game])
        found = {"hand": f"Hand {number + 1}", "command": command}
        if line := line_of(hands[number]):
            query = urlencode({**line, "act": str(act)}, quote_via=quote)
            found |= {"study": f"./#study?{query}"} if is_spot(advice) else {}
        return found

    spots = [
        spot_frame(each, links(each), key=f"{each.observation.hand}/{len(each.observation.acts)}")
        for each in review.spots
    ]
    data = {"review": review_frame(review, links), "spots": spots}
    written = json.dumps(data).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{content_policy()}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Review of {escape(plain_text(review.player))}</title><style>{_style()}</style></head><body>"
        '<header><h1>baycarp</h1><nav id="views" aria-label="Views"></nav></header>'
        '<main id="view" tabindex="-1"></main>'
        '<div id="live" class="unseen" role="log" aria-label="What happens"></div>'
        '<p id="error" role="alert"></p>'
        f'<script type="application/json" id="data">{written}</script>'
        f'<script type="module">{_script()}</script></body></html>\n'
    )


def content_policy() -> str:
    """The content policy of a page: no style or script but its own, no request."""
    style, script = (f"sha256-{_digest(each)}" for each in (_style(), _script()))
    return (
        f"default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"
    )


def _digest(content: str) -> str:
    return base64.b64encode(sha256(content.encode()).digest()).decode()


@cache
def _style() -> str:
    return "".join(_static(name) for name in STYLES)


@cache
def _script() -> str:
    """The views and their modules as one script: each module is a function that returns its exports."""
    own = packaged("coach", "static", "page.js").decode()
    made: dict[str, str] = {}
    for name in _IMPORT.findall(own):
        _add(name[1], made)
    return "".join([*made.values(), _bound(own)])


def _add(name: str, made: dict[str, str]) -> None:
    """Add a module after those that it imports."""
    source = _static(name)
    for _, other in _IMPORT.findall(source):
        if other not in made:
            _add(other, made)
    names = [name for one, several in _EXPORT.findall(source) for name in (one, *several.split(",")) if name]
    plain = re.sub(r"^export (\{[^}]*\};)?", "", _bound(source), flags=re.MULTILINE)
    made[name] = f"const {_variable(name)} = (() => {{\n{plain}\nreturn {{ {', '.join(names)} }};\n}})();\n"


def _bound(source: str) -> str:
    """A module with its imports as variables."""
    return _IMPORT.sub(lambda found: f"const {{{_renamed(found[1])}}} = {_variable(found[2])};\n", source)


def _renamed(names: str) -> str:
    return re.sub(r" as ", ": ", names)


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name)


def _static(name: str) -> str:
    return packaged("web", "static", name).decode()
