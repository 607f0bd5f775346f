"""How Sphinx builds the documentation: ``sphinx-build -W docs build/docs``."""

import tomllib
from pathlib import Path

_PROJECT = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))["project"]

project = _PROJECT["name"]
author = "the baycarp authors"
copyright = author
release = version = _PROJECT["version"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types of the standard library and of NumPy have no pages here
autodoc_typehints = "none"
napoleon_use_rtype = False

html_theme = "pydata_sphinx_theme"
html_title = f"{project} {release}"
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {"header_links_before_dropdown": 6, "show_toc_level": 2, "navigation_with_keys": False}
html_sidebars = {"index": [], "gallery": []}
copybutton_prompt_is_regexp = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
