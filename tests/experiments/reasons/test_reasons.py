"""Stated reasons: the score on 300 sentences, and what is not understood."""

import json

import pytest

from baycarp.errors import NotationError
from experiments.__main__ import main
from experiments.reasons.check import check_claims, check_reason, score, sentences, situations
from experiments.reasons.claims import is_true
from experiments.reasons.extract import claims_of

WHERE = situations()


@pytest.mark.parametrize(("name", "size"), [("building", 200), ("held_back", 100)])
def test_the_checker_is_precise(name, size):
    rows = sentences(name)
    found, wrong = score(rows)
    assert found.precision.value >= 0.95
    assert found.recall.value >= 0.9
    assert found.understood.of == len(rows) == size
    assert len(wrong) == found.precision.of - found.precision.count


def test_half_of_the_sentences_are_false_and_none_is_twice():
    rows = [*sentences("building"), *sentences("held_back")]
    assert (len(rows), sum(truth for _, truth, _ in rows)) == (300, 150)
    assert len({(where, words) for where, _, words in rows}) == 300
    assert len({where for where, _, _ in rows}) == len(WHERE) == 20


@pytest.mark.parametrize(
    "words",
    [
        "I have top pair unless he is bluffing.",
        "If I had top pair I would raise.",
        "He never checked the turn.",
        "My image at the table is loose.",
        "I have top pair and a backdoor flush draw.",
        "",
    ],
)
def test_what_is_not_understood_never_holds(words):
    assert {each.verdict for each in check_reason(words, WHERE["s01"])} <= {"not understood"}


def test_a_word_that_is_unknown_takes_every_verdict_away():
    for where, _, words in sentences("building"):
        (reason,) = check_reason(f"{words.rstrip('.')} quux.", WHERE[where])
        assert (reason.verdict, "quux" in reason.left) == ("not understood", True)


def test_each_sentence_of_a_text_has_its_verdict():
    text = "I have top pair. I am on the button.\nThe pot odds are 2 to 1! The moon is full."
    verdicts = [each.verdict for each in check_reason(text, WHERE["s01"])]
    assert verdicts == ["holds", "holds", "fails", "not understood"]


@pytest.mark.parametrize(
    ("where", "claim", "true"),
    [
        ("s01", {"claim": "hand", "is": "top pair", "ranks": ["king"], "kicker": "ace"}, True),
        ("s01", {"claim": "hand", "is": "top pair", "not": True}, False),
        ("s04", {"claim": "hand", "is": "straight", "ranks": ["king"]}, True),
        ("s04", {"claim": "hand", "is": "busted flush draw"}, False),
        ("s10", {"claim": "hand", "is": "nut flush"}, False),
        ("s17", {"claim": "hand", "is": "gutshot", "only": True}, True),
        ("s01", {"claim": "odds", "ratio": 2.9, "within": 0.05}, True),
        ("s01", {"claim": "odds", "equity": 0.3, "more": True}, False),
        ("s14", {"claim": "odds", "ratio": 3}, False),
        ("s16", {"claim": "position", "is": "behind", "names": ["button", "big blind"]}, True),
        ("s16", {"claim": "position", "is": "closing"}, False),
        ("s18", {"claim": "position", "is": "closing"}, True),
        ("s06", {"claim": "position", "who": "button", "is": "cutoff"}, False),
        ("s15", {"claim": "action", "who": "hero", "did": "checkraise", "street": "flop"}, True),
        ("s15", {"claim": "action", "who": "villain", "did": "bet", "street": "turn"}, False),
        ("s10", {"claim": "action", "who": "nobody", "did": "through", "street": "flop"}, True),
        ("s12", {"claim": "players", "number": 4}, True),
    ],
)
def test_claims_are_verified_by_the_hand(where, claim, true):
    assert is_true(claim, WHERE[where]) == true
    (checked,) = check_claims([claim], WHERE[where])
    assert checked.verdict == ("holds" if true else "fails")


@pytest.mark.parametrize(
    "claim", [{}, {"claim": "mood"}, {"claim": "hand"}, {"claim": "odds"}, {"claim": "position", "is": "up"}]
)
def test_another_claim_is_not_understood(claim):
    with pytest.raises(NotationError):
        is_true(claim, WHERE["s01"])
    assert [each.verdict for each in check_claims([claim], WHERE["s01"])] == ["not understood"]


def test_the_spelling_does_not_matter():
    one = claims_of("I’m getting 3-to-1 and I have a set of sevens").claims
    assert one == claims_of("I am getting 3 to 1, and I have a set of sevens.").claims
    assert len(one) == 2


def test_a_file_of_reasons_is_checked(tmp_path, capsys):
    spot = {"game": "holdem.limit.6p", "seat": 1, "holes": ["", "QsQd", "", "", "", ""]}
    spot["actions"] = ["fold", "fold", "fold", "raise", "fold"]
    lines = [spot | {"reason": "I have pocket queens. I feel good."}]
    lines.append(spot | {"claims": [{"claim": "odds", "ratio": 2}]})
    path = tmp_path / "reasons.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert main(["reasons", str(path)]) == 0
    assert "holds 1, fails 1, not understood 1" in capsys.readouterr().out
    path.write_text(json.dumps(spot))
    assert main(["reasons", str(path)]) == 1
    assert "expected a reason or claims" in capsys.readouterr().err
