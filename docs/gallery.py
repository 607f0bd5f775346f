"""The pictures of the gallery, made by the lines that stand above them: ``python docs/gallery.py``.

Each block of ``gallery.md`` is executed, in order and with names in common. It writes a picture, or its
last line is a value that draws itself in a notebook; Chromium takes the latter's picture, and that of an SVG.
"""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PAGE = Path(__file__).with_name("gallery.md")
PICTURES = Path(__file__).parent / "pictures" / "gallery"
SHOWN = re.compile(r"^```(py|sh)\n(.*?)^```\n\n!\[[^]]*\]\(pictures/gallery/(\w+)\.png\)$", flags=re.M | re.S)
WIDTH = 900
"""Pixels of a picture, at most."""
STYLE = (
    "<style>body {margin: 8px; display: inline-block; font: 14px sans-serif} svg {min-width: 600px}</style>"
)


def made(folder: Path) -> Iterator[tuple[str, Path]]:
    """Execute the blocks in a folder: the name of each picture, and its file (PNG, SVG, HTML)."""
    names: dict[str, Any] = {}
    for language, block, name in SHOWN.findall(PAGE.read_text("utf-8")):
        before = {*folder.iterdir()}
        if language == "sh":
            for line in block.splitlines():
                subprocess.run([sys.executable, "-m", *shlex.split(line)], cwd=folder, check=True, stdout=-3)
        elif html := _run(block, names):
            (folder / f"{name}.html").write_text(html, "utf-8")
        (file,) = (path for path in {*folder.iterdir()} - before if path.suffix in (".png", ".svg", ".html"))
        yield name, file


def _run(block: str, names: dict[str, Any]) -> str:
    """Execute a block: the drawing of the value of its last line; "" where that has none."""
    *lines, last = ast.parse(block).body
    exec(compile(ast.Module(lines, []), str(PAGE), "exec"), names)
    assert isinstance(last, ast.Expr)
    value = eval(compile(ast.Expression(last.value), str(PAGE), "eval"), names)
    return value._repr_html_() if hasattr(value, "_repr_html_") else ""


def main() -> None:
    """Make them, in 64 colours and at most ``WIDTH`` pixels wide."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    chromium = os.environ.get("BAYCARP_CHROMIUM") or shutil.which("chromium")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        os.chdir(folder)
        page = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page(
            viewport={"width": 660, "height": 480}
        )
        for name, file in made(Path(folder)):
            if file.suffix != ".png":
                page.set_content(STYLE + file.read_text("utf-8"))
                file = file.with_suffix(".png")
                page.locator("body").screenshot(path=file)
            image = Image.open(file).convert("RGB")
            image.thumbnail((WIDTH, 10 * WIDTH), Image.Resampling.LANCZOS)
            small = image.quantize(64, dither=Image.Dither.NONE)
            small.save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
