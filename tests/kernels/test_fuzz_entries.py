"""Every public kernel header has a target in the fuzz harness."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "csrc"
WITHOUT_TARGET = {
    "card.h": "constants and bits of cards, used by every target",
    "rng.h": "the generator of the targets' inputs",
    "simd.h": "the levels that targets choose from",
    "stop.h": "the type of a caller's function",
    "showdown.h": "called by sweep.h and equity.h",
    "triple.h": "called by simulate.h",
}


def test_every_kernel_header_is_fuzzed():
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "fuzz").glob("fuzz_*.c"))
    included = set(re.findall(r'#include "baycarp/(\w+\.h)"', sources))
    headers = {path.name for path in (ROOT / "include" / "baycarp").glob("*.h")}
    assert headers - included == WITHOUT_TARGET.keys() - included


def test_every_target_is_in_the_list():
    sources = {path: path.read_text("utf-8") for path in (ROOT / "fuzz").glob("fuzz_*.c")}
    defined = {
        name
        for text in sources.values()
        for name in re.findall(r"^(?:static )?void (target_\w+)\(.*\) \{", text, re.M)
    }
    listed = re.search(
        r"targets\[\]\)\(source \*\) = \{(.*?)\};", sources[ROOT / "fuzz" / "fuzz_kernels.c"], re.S
    )
    assert set(re.findall(r"target_\w+", listed[1])) == defined
