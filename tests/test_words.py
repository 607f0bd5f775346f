"""Words that identifiers no longer use, and public words that one class owns: the exceptions only shrink."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "src" / "baycarp"
BASELINE = Path(__file__).with_name("words.txt")

BANNED = {
    *(
        "acquaintance",
        "acquaintances",
        "acquainted",
        "climb",
        "exam",
        "exams",
        "foretold",
        "glance",
        "grounds",
    ),
    *("hear", "heard", "his", "knob", "knobs", "ladder", "lesson", "lots", "precedent", "precedents", "rung"),
    *("said", "stranger", "strangers", "taught", "tell", "told", "whatif", "who", "whoever", "whose"),
}
"""Parts of names; what to say instead is in CONTRIBUTING.md."""

OWNED = {
    *("Action", "Decision", "Match", "Model", "Move", "Plan"),
    *("Range", "Result", "Solution", "Spot", "Strategy", "Table"),
}
"""Public words: a class of such a name is defined at most once."""

OWNED_TWICE: set[str] = set()
"""Those that still have several owners; take a word out as soon as it has one."""

HOMONYMS = 0
"""Names of classes that are defined more than once, at most; the goal is 10, lower it with every rename."""

PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def defined(source):
    """The names that a module defines: modules aside, whatever a reader can meet as an identifier of ours."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.Name(ctx=ast.Store()) | ast.Name(ctx=ast.Del()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.alias(asname=str(name)):
                yield name
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name


def banned(name):
    return not BANNED.isdisjoint(part.lower() for part in PART.findall(name))


def in_use():
    for path in sorted([*ROOT.rglob("*.py"), *ROOT.rglob("*.pyi")]):
        here = path.relative_to(ROOT).as_posix()
        names = {*defined(path.read_text("utf-8")), *path.relative_to(ROOT).with_suffix("").parts}
        yield from (f"{here} {name}" for name in sorted(names) if banned(name))


def test_the_parts_of_a_name_are_found():
    source = "class TheRung: pass\ndef f(told, *, a): his_own = a.x_said = 1\nwith a as (b, KNOBS): pass"
    names = set(defined(source))
    assert names == {"TheRung", "f", "told", "a", "his_own", "x_said", "b", "KNOBS"}
    assert {name for name in names if banned(name)} == {"TheRung", "told", "his_own", "x_said", "KNOBS"}
    assert not any(map(banned, ("history", "this", "slots", "wrung", "HISTORY", "toldo")))


def test_no_name_uses_a_word_that_is_replaced():
    new = sorted(set(in_use()) - set(BASELINE.read_text("utf-8").splitlines()))
    assert not new, "say it as CONTRIBUTING.md does"


def test_the_baseline_holds_nothing_that_is_gone():
    gone = sorted(set(BASELINE.read_text("utf-8").splitlines()) - set(in_use()))
    assert not gone, f"take these lines out of {BASELINE.name}"


def classes():
    """By name of a class, the modules that define it."""
    found = defaultdict(set)
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].add(path.relative_to(ROOT).as_posix())
    return found


def test_a_public_word_has_one_owner():
    several = {name for name, modules in classes().items() if len(modules) > 1}
    assert several & OWNED <= OWNED_TWICE


def test_the_names_of_classes_differ():
    several = {name: sorted(modules) for name, modules in classes().items() if len(modules) > 1}
    assert len(several) <= HOMONYMS, several
