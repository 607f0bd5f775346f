"""The files beside the code: citation, templates and hooks are valid, and agree with the package."""

import re
import tomllib
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from baycarp.cli import COMMANDS

ROOT = Path(__file__).parent.parent


def loaded(name):
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_citation_is_complete():
    """The keys that the Citation File Format 1.2.0 requires, of the work and of each reference."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = loaded("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert (str(citation["version"]), citation["license"]) == (project["version"], project["license"])
    assert [author["name"] for author in citation["authors"]] == [a["name"] for a in project["authors"]]
    for reference in citation["references"]:
        assert {"type", "title", "authors"} <= set(reference)
        assert all({"family-names", "given-names"} <= set(author) for author in reference["authors"])


def test_every_source_of_the_readme_is_cited():
    sources = re.findall(r"(\w+)(?: et al\.)? \((\d{4})\)", (ROOT / "README.md").read_text("utf-8"))
    cited = {
        (author["family-names"], str(reference["year"]))
        for reference in loaded("CITATION.cff")["references"]
        for author in reference["authors"]
    }
    assert ("Unger", "2011") in sources
    assert cited >= set(sources)


@pytest.mark.parametrize(
    "name", sorted(path.name for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
)
def test_templates_have_the_required_keys(name):
    form = loaded(f".github/ISSUE_TEMPLATE/{name}")
    assert {"name", "description", "body"} <= set(form)
    for part in form["body"]:
        assert part["type"] in ("markdown", "textarea", "input", "dropdown", "checkboxes")
        assert part["attributes"]["label"]


def test_commands_of_hooks_and_workflows_exist():
    """Hooks and workflows run tools of the extra `dev`, sessions of nox, and files of the repository."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = " ".join(spec for group in project["optional-dependencies"].values() for spec in group)
    for hook in loaded(".pre-commit-config.yaml")["repos"][0]["hooks"]:
        tool, *words = hook["entry"].split()
        assert re.search(rf"\b{tool}\b", extras) or tool == "python"
        assert all((ROOT / word).exists() for word in words if word.startswith("tests/"))
    sessions = re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text("utf-8"), re.MULTILINE)
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values():
            matrix = job.get("strategy", {}).get("matrix", {})
            named = [*matrix.get("session", []), *(more["session"] for more in matrix.get("include", []))]
            for step in job["steps"]:
                words = step.get("run", "").split()
                if words[:2] == ["nox", "-s"]:
                    wanted = named if words[2].startswith("${{") else words[2:]
                    assert {name.partition("-")[0] for name in wanted} <= {*sessions}
                if words[:1] == ["bash"]:
                    assert (ROOT / words[1]).exists()


def test_the_changelog_has_the_sections_of_keep_a_changelog():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert versions[0].startswith("Unreleased\n")
    for version in versions:
        kinds = re.findall(r"^### (\w+)$", version, flags=re.MULTILINE)
        order = [kind for kind in ("Added", "Changed", "Removed", "Fixed") if kind in kinds]
        assert kinds == order != [] or version.strip() == "Unreleased"
        body = version.split("\n", 1)[1]
        assert all(re.match(r"### |- |  |$", line) for line in body.splitlines()), version[:20]


def test_what_commands_write_is_ignored():
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()}
    folders = set()
    for name in COMMANDS:
        parser = ArgumentParser()
        import_module(f"baycarp.cli.{name}").add(parser)
        usual = parser.get_default("usual")
        folders |= {str(default) for default in (usual, parser.get_default("out")) if default}
        folders |= {f"{usual}-*"} if usual else set()
    assert {"match", "match-*", "review.html", "table"} <= folders
    assert folders <= ignored
