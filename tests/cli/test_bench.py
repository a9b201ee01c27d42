"""The runtime bench: what is measured, and what is quoted beside it."""

from __future__ import annotations

import pytest

from envolve.bench.runtime.awm import QUOTED, SOURCE
from envolve.bench.runtime.suite import runtime_figures
from envolve.cli.bench.runtime import _show_quoted

from .conftest import Cli


def test_what_is_quoted_stands_beside_what_was_measured(capsys: pytest.CaptureFixture[str]) -> None:
    figures = runtime_figures(calls=40, episodes=20, starts=1)
    units = {figure.name: figure.unit for figure in figures}
    assert all(units[quoted.beside] == quoted.unit for quoted in QUOTED if quoted.beside)
    assert not {quoted.name for quoted in QUOTED} & set(units)
    _show_quoted(figures)
    out = capsys.readouterr().out
    assert "quoted and not measured here" in out
    assert SOURCE in out
    assert "91a9578" in SOURCE


def test_help_says_how_long_it_takes(cli: Cli) -> None:
    assert "minute" in cli("bench", "--help").out
    assert "minute" in cli("bench", "runtime", "--help").out
