"""The bench of worlds runs, on an environment of the size it claims."""

from __future__ import annotations

from typing import Any

from envolve.bench.figures import table
from envolve.bench.runtime.synthetic import synthetic_environment
from envolve.bench.runtime.worlds import rows
from envolve.environments.connections import connected


def test_the_environment_has_the_size_it_claims() -> None:
    environment = synthetic_environment()
    assert len(environment.tables()) == 18
    assert len(environment.tools) == 36
    with connected(environment.image) as connection:
        counts: list[Any] = [
            connection.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in environment.tables()
        ]
    assert sum(counts) == 2_000
    assert synthetic_environment().id == environment.id


def test_every_figure_is_measured() -> None:
    figures = rows(calls=36, episodes=20)
    assert all(figure.value > 0 and figure.n > 0 for figure in figures)
    assert {figure.name for figure in figures if figure.goal is not None} == {
        "open a world",
        "call: write with two guards",
        "mixed calls per second of one core",
        "memory of an open episode",
        "memory of an open episode after three calls",
    }
    assert len(table(figures).splitlines()) == len(figures)
