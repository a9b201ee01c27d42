"""What `import envolve` offers."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import envolve

from .session import ROOT


def test_all_names_are_there_and_documented() -> None:
    for name in envolve.__all__:
        assert getattr(envolve, name).__doc__, name
    assert sorted(envolve.__all__) == envolve.__all__
    assert set(dir(envolve)) == {*envolve.__all__, "__version__"}


def test_type_checkers_see_the_same_names() -> None:
    source = Path(envolve.__file__).read_text(encoding="utf-8")
    checked = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    names = {alias.asname for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert names == set(envolve.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = envolve.no_such_name


def test_the_version_is_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert envolve.__version__ == project["version"] == version("envolve")


def test_importing_does_no_work() -> None:
    code = "import sys, envolve; print(*(name for name in sys.modules if name.startswith('envolve')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["envolve"]
