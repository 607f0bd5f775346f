"""BIF beside pgmpy's own reader and writer, and what is no network."""

import warnings

import numpy as np
import pytest

from baycarp.bn import Structure, random_network
from baycarp.bn.bif import parse_bif, read_bif, write_bif
from baycarp.bn.bif_text import ESCAPED
from baycarp.bn.pgmpy import from_pgmpy, to_pgmpy
from baycarp.errors import BaycarpError, ModelError

NETWORK = random_network(
    Structure(
        {"A": ["x", "y"], "B": ["u", "v", "w"], "C": ["p", "q"]},
        {"C": ["B", "A"], "B": ["A"]},
    ),
    seed=3,
)
HEAD = "variable A { type discrete [2] {x, y}; } variable B { type discrete [2] {x, y}; }"
ROOT = "probability (A) { table 0.25, 0.75; }"


def test_pgmpy_reads_what_is_written_and_its_files_are_read(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.readwrite import BIFReader, BIFWriter

        write_bif(NETWORK, tmp_path / "ours.bif")
        theirs = from_pgmpy(BIFReader(str(tmp_path / "ours.bif")).get_model())
        (tmp_path / "theirs.bif").write_text(str(BIFWriter(to_pgmpy(NETWORK))))
    for found in (theirs, read_bif(tmp_path / "theirs.bif")):
        for node in NETWORK.structure.nodes:
            axes = [found.structure.family(node).index(m) for m in NETWORK.structure.family(node)]
            np.testing.assert_allclose(found.cpt(node).transpose(axes), NETWORK.cpt(node), atol=1e-12)


def test_whole_tables_have_the_node_slowest_and_a_default_fills_the_rest():
    whole = parse_bif(HEAD + ROOT + "probability (B | A) { table 0.1 0.2 0.9 0.8; }")
    np.testing.assert_array_equal(whole.cpt("B"), [[0.1, 0.9], [0.2, 0.8]])
    rest = parse_bif(HEAD + ROOT + "probability (B | A) { default 0.5 0.5; (y) 0.2, 0.8; } // end")
    np.testing.assert_array_equal(rest.cpt("B"), [[0.5, 0.5], [0.2, 0.8]])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "variable A { type discrete [2] {x, y};",
        "node A { }",
        HEAD + ROOT,
        HEAD + ROOT + "probability (B | A) { (x) 0.5, 0.5; }",
        HEAD + ROOT + "probability (B | A) { (z) 0.5, 0.5; }",
        HEAD + ROOT + "probability (B | A) { table 0.5 0.5; }",
        HEAD + ROOT + "probability (B | A) { (x) 0.5, half; }",
        HEAD + ROOT + "probability (B | A) { (x 0.5, 0.5; }",
        HEAD + ROOT + "probability (B | A) { (x) 0.5, 0.5 }",
        HEAD + ROOT + "probability (B | Z) { default 0.5, 0.5; }",
        HEAD + ROOT + "probability () { table 1; }",
        HEAD + ROOT + "probability (B | A) { (x) 1e308, 1e308; (y) inf, nan; }",
    ],
)
def test_other_texts_are_refused(text):
    with pytest.raises(BaycarpError):
        parse_bif(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("variable A { type discrete [3] {x, y}; }", "as many states as the number"),
        (f"{HEAD} variable A {{ type discrete [2] {{x, y}}; }}", "one block of its states"),
        (f"{HEAD} {ROOT} {ROOT}", "one block of its probabilities"),
        (f"{HEAD} {ROOT} probability (B | A) {{ (x) 0, 1; (y) 0, 1; (x) 1, 0; }}", r"'B': \('x',\): .* once"),
        (f"{HEAD} {ROOT} probability (B | A) {{ table 1 1 0 0; (x) 0, 1; }}", "'B': .* no row beside"),
        (f"{HEAD} {ROOT} probability (B | A) {{ (x) 0, 1; table 1 1 0 0; }}", "'B': .* no row beside"),
        (f"{HEAD} {ROOT} probability (B | A) {{ table 1 1; table 0 0; }}", "'B': 'table': expected once"),
        (f"{HEAD} {ROOT} probability (B | A) {{ default 1; default 0; }}", "'B': 'default': expected once"),
        ("variable A { type discrete [1] {x}; type discrete [1] {y}; }", "states of a variable once"),
        (
            f"{HEAD} {ROOT} probability (B | A) {{ table 1 1 0 0; default 0 1; }}",
            "'B': 'default': .* default",
        ),
        (f"{HEAD} {ROOT} probability (B | A) {{ default 0 1; table 1 1 0 0; }}", "'B': 'table': .* default"),
        (f"{HEAD} {ROOT} probability (B | A) {{ (x) 0, 1; (y) 1, 0; default ; }}", "numbers before ';'"),
    ],
)
def test_contradictions_are_named(text, reason):
    with pytest.raises(BaycarpError, match=reason):
        parse_bif(text)


@pytest.mark.parametrize("number", ["0.2_5", "\u0660.25", "0_1", "\uff10.25"])
def test_numbers_are_ascii_decimals(number):
    with pytest.raises(ModelError, match="expected a number"):
        parse_bif(HEAD + f"probability (A) {{ table {number} .75; }}")


@pytest.mark.parametrize(
    "words",
    [
        "it's 5\" wide",
        '5" wide, 3" high and 2" deep',
        'one "',
        'one " of text',
        'label = "a; b"',
        '"a; b"',
        'says "a; } b", and 5" wide',
        'p="type discrete [1] { z };"',
    ],
)
def test_a_property_is_any_text_up_to_its_semicolon(words):
    text = f"""network "a {{ b" {{ property {words}; }}
    variable A {{ property {words}; type discrete [2] {{ x, "y z" }}; }}
    probability (A) {{ property {words}; table 1 0; }}"""
    network = parse_bif(text)
    assert dict(network.structure.states) == {"A": ("x", "y z")}
    assert network.cpt("A").tolist() == [1, 0]


MARKED = """network n {{ {} }} variable A {{ type discrete [2] {{ "a\\u0062", y }}; }}
probability (A) {{ table 1 0; }}"""


def test_quoted_names_are_escaped_by_the_property_alone():
    states = {
        given: parse_bif(MARKED.format(given)).structure.states["A"][0]
        for given in (ESCAPED, f"// {ESCAPED}\n")
    }
    assert [*states.values()] == ["ab", r"a\u0062"]
