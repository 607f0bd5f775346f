"""Random hands beside pokerkit, whose differences in the rules are listed in the test tree and counted."""

from random import Random

from baycarp.study.robustness.clone import from_tests
from baycarp.study.robustness.gate import Result, Share

__all__ = ["beside_pokerkit"]


def beside_pokerkit(share: Share) -> Result:
    """A share of the hands; a difference that is not listed is a finding."""
    referee = from_tests("reference.referee")
    result = Result()
    result.counts.update(dict.fromkeys(referee.DIFFERENCES, 0))
    for number in share:
        result.done += 1
        try:
            referee.referee_hand(Random(f"{share.seed} {number}"), result.counts)
        except AssertionError as error:
            result.find("other", f"hand {number}: {str(error).splitlines()[:1]}")
    return result
