"""Every example in a docstring runs, and prints what it shows."""

import doctest
import importlib
import pkgutil

import pytest

import baycarp

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(baycarp.__path__, "baycarp.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
