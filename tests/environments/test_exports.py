"""The folder's names resolve, and importing what is light stays light."""

from __future__ import annotations

import subprocess
import sys

import pytest

import envolve.environments


@pytest.mark.parametrize("name", dir(envolve.environments))
def test_every_name_resolves(name: str) -> None:
    assert getattr(envolve.environments, name) is not None


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = envolve.environments.nothing


def test_models_come_without_the_runtime() -> None:
    code = "import sys, envolve.environments.models, envolve.environments.errors; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"apsw", "jsonschema", "yaml", "jinja2", "mcp", "networkx"} & set(loaded)


def test_worlds_come_without_what_only_others_need() -> None:
    code = "import sys, envolve.environments.package; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"jinja2", "mcp", "networkx", "hypothesis", "chromadb", "langgraph", "scipy", "numpy"} & set(loaded)
