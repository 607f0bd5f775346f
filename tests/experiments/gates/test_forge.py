"""Forged files are refused by name; a reader that believes a right digest would not refuse half of them."""

import pytest

from experiments.gates import forge
from experiments.gates.gate import Share

FEW = {
    "solve, buckets": 4,
    "solve, strategy": 2,
    "no-limit solve, strategy": 6,
    "case store": 20,
    "cases as CSV": 12,
}
"""Files of kinds that take long; 40 of others."""

KINDS = pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind in FEW)) for kind in forge.FORGED]
)

WITHOUT_FORMS = ("players", "styles", "solve, checkpoint", "model, manifest")
"""Kinds of which hostile content is refused by the declared form alone."""


def forged(kind, number=40):
    return forge.forged(kind, Share(0, FEW.get(kind, number)))


@pytest.mark.filterwarnings("ignore")
@KINDS
def test_forged_files_are_refused_by_name(kind):
    result = forged(kind)
    assert not result.found, result.examples
    assert result.counts["refused"] + result.counts["harmless"] == result.done
    assert result.counts["refused"] >= 0.8 * result.done
    assert result.counts["a digest is right"] >= result.done / 2


@pytest.mark.filterwarnings("ignore")
@KINDS
def test_a_reader_that_believes_a_right_digest_is_found(kind):
    result = forge.believed(kind, Share(0, FEW.get(kind, 40)))
    assert result.found["other"] >= result.done / 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", WITHOUT_FORMS)
def test_without_the_forms_hostile_content_is_believed(kind):
    with forge.without_forms():
        assert sum(forged(kind).found.values()) >= 3


@pytest.mark.parametrize("kind", [kind for kind in forge.FORGED if kind not in FEW])
def test_what_is_forged_was_good(kind):
    path, _ = forge.made(kind)
    assert forge.trusts(kind, path)
