"""Study a spot in the browser."""

from argparse import Namespace

from baycarp.cli.options import option, options, path
from baycarp.cli.page import PAGE, serve_pages
from baycarp.cli.solve_spot import LINE, SPOT, TARGET
from baycarp.coach.page import content_policy
from baycarp.errors import ArgumentError
from baycarp.files import read_bytes
from baycarp.web.served import ServedFile
from baycarp.web.spots.fields import USUAL
from baycarp.web.spots.study import Study

__all__ = ["add", "run"]

LONGEST = 1 << 25
"""Bytes of a review, at most."""

add = options(
    option("review", nargs="?", type=path, metavar="FILE", help="a page of review, with links to its spots"),
    SPOT,
    TARGET,
    LINE,
    PAGE,
)


def run(args: Namespace) -> int:
    """Serve the page until it is interrupted."""
    given = {name: getattr(args, name) for name in USUAL if getattr(args, name, None) is not None}
    if args.board is None and (args.turn or args.river):
        raise ArgumentError("--turn, --river: expected a --board")
    texts = {name: value if isinstance(value, str) else f"{value:.10g}" for name, value in given.items()}
    texts["board"] = "".join(each for each in (args.board, args.turn, args.river) if each)
    line = texts.pop("line", "")
    if args.board:
        texts = {"oop": "", "ip": "", **texts}  # all holdings, as of ``baycarp solve``
    else:
        del texts["board"]
    study = Study(fields={**USUAL, **texts}, shown=line, target=args.target or Study.target)
    review = None
    if args.review:
        review = ServedFile(read_bytes(args.review, LONGEST).decode("utf-8", "replace"), content_policy())
    return serve_pages(args, lambda stack: {"study": study}, "review.html" if review else "#study", review)
