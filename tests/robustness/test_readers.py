"""Every function that reads files or messages from outside is tried by a property of this folder."""

import ast
from pathlib import Path

from robustness.file_kinds import KINDS
from robustness.parsers import PARSERS

import baycarp

READERS = {
    "CaseBase.load": "case-base",
    "CaseStore.load": "case store",
    "Variant.load": "game file",
    "Variant.parse": "game",
    "import_csv": "cases as CSV",
    "load": "agent",
    "load_continuations": "continuations",
    "load_model": "model, manifest",
    "load_players": "players",
    "load_solution": "solve, strategy",
    "load_strategy": "strategy of a small game",
    "load_styles": "styles",
    "load_weights": "weights",
    "parse": "agent",
    "Solution.load": "solution of a spot",
    "load_solver": "solution of a spot",
    "parse_line": "Meerkat",
    "parse_bif": "network as BIF",
    "parse_matchstate": "ACPC state, limit",
    "parse_phh": "PHH",
    "parse_state": "ACPC log",
    "read": "hands of any format",
    "read_text": "hands of any format",
    "read_action": "engine",
    "read_answer": "ACPC answer",
    "read_archive": "IRC archive",
    "read_bif": "network as BIF",
    "read_game": "engine",
    "read_hand": "engine",
    "read_lines": "Meerkat",
    "read_log": "ACPC log",
    "read_phhs": "PHH",
    "read_plan": "solve, checkpoint",
    "read_section": "PHH",
    "read_tables": "IRC",
    "salvage": "case store, salvaged",
}
"""By name, the parser or the kind of file that tries it."""

INTERNAL = {
    "ModelSettings.load": "a file of players, as load_players reads it",
    "ModelSource.load": "a model, as load_model reads it",
    "SessionMark.parse": "a comment line; other lines are None",
    "Until.parse": "an option, tried by test_commands",
    "load_shown": "case-bases of the readers above, and players, tried by opponents.shown.test_shown",
    "load_for": "a specification, as load reads it",
    "parse_buckets": "an option, tried by test_commands",
    "parse_csv": "text of the readers above",
    "parse_json": "text of the readers above",
    "parse_toml": "text of the readers above",
    "parse_menu": "an option, tried by test_commands",
    "parse_sizes": "an option, tried by test_commands",
    "parse_seats": "an option, tried by test_commands",
    "read_arrays": "archives of the readers above",
    "HandTools.read_hand": "a tool, tried by test_tools",
    "read_by": "a strategy by the name of its reader",
    "read_as": "a solution by its name",
    "read_locks": "a form of the page, tried by web.test_study",
    "read_bytes": "files of the readers above",
    "read_blocks": "text of parse_bif",
    "read_csv": "files of the readers above",
    "read_headed": "archives of the readers above",
    "read_headed_arrays": "archives of the readers above",
    "read_hands": "hands that web.review.read reads; the header of a session, tried by its tests",
    "read_json": "files of the readers above",
    "read_model": "archives of the readers above",
    "read_played": "hands that web.review.read reads; the header of a session, tried by its tests",
    "read_player": "an agent of memory",
    "read_score": "a message of the page, tried by coach.test_kept",
    "read_seating": "the header of a session, tried by the tests of coach.hands",
    "read_session": "a source that game.notation.door reads",
    "read_trace": "records of this process' own traces",
}
"""Functions of like names that read nothing from outside, and why."""


def public_readers():
    """Public functions and methods of public classes that read, by their names."""
    root = Path(baycarp.__file__).parent
    for path in root.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and is_reader(node.name):
                yield node.name
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                methods = (each for each in node.body if isinstance(each, ast.FunctionDef))
                yield from (
                    f"{node.name}.{each.name}"
                    for each in methods
                    if is_reader(each.name) and (each.name != "read" or each.decorator_list)
                )


def is_reader(name):
    if name in ("parse", "read", "load", "salvage"):
        return True
    return name.startswith(("parse_", "read_", "load_", "import_"))


def test_every_reader_is_tried():
    assert set(public_readers()) == {*READERS, *INTERNAL}
    assert set(READERS.values()) <= {*KINDS, *PARSERS}
