"""A world's time is its own, inside SQL too: it starts at the package's clock and moves with successful writes."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from envolve.environments import Environment, Episode, Limits
from envolve.environments.clock import WorldClock
from envolve.environments.connections import connected

from .conftest import MakeEnvironment

TOOLS = """
- name: add
  description: Add a row
  kind: write
  params: {n: {type: integer}}
  steps:
    - require: SELECT :n IS NOT 13
      error: {code: conflict, message: No.}
    - do: INSERT INTO times (bound, made, n) VALUES (:now, datetime('now'), :n) RETURNING id
      as: id
  returns: {one: "SELECT bound, made, stamp, date('now') AS day, current_time AS clock FROM times WHERE id = :id"}
- name: look
  description: Look
  kind: read
  returns: {one: "SELECT :now AS bound, datetime('now') AS made, CURRENT_TIMESTAMP AS stamp, :today AS day"}
"""
SCHEMA = """CREATE TABLE times (
  id INTEGER NOT NULL PRIMARY KEY, bound TEXT, made TEXT, stamp TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, n INTEGER
) STRICT;"""


@pytest.fixture(scope="module")
def timed(make_environment: MakeEnvironment) -> Environment:
    return make_environment(schema=SCHEMA, tools=TOOLS, clock="2026-12-31 23:59:58")


def seen(episode: Episode, tool: str = "look", **args: Any) -> set[str]:
    """Every time that a call shows, which must be one."""
    value = episode.call(tool, **args).value
    return {value["bound"], value["made"], value["stamp"]}


def test_one_second_per_successful_write(timed: Environment) -> None:
    with timed.open() as episode:
        assert seen(episode) == {"2026-12-31 23:59:58"}
        assert seen(episode, "add") == {"2026-12-31 23:59:58"}
        assert seen(episode) == {"2026-12-31 23:59:59"}
        assert seen(episode) == {"2026-12-31 23:59:59"}, "reading takes no time"
        assert not episode.call("add", n=13).ok
        assert seen(episode, "add") == {"2026-12-31 23:59:59"}, "nor does failing"
        assert episode.call("look").value["day"] == "2027-01-01"
        last = episode.call("add").value
        assert (last["day"], last["clock"]) == ("2027-01-01", "00:00:00")


def test_forks_have_their_own_time(timed: Environment) -> None:
    with timed.open() as episode:
        episode.call("add")
        with episode.fork() as fork:
            fork.call("add")
            assert seen(fork) == {"2027-01-01 00:00:00"}
        assert seen(episode) == {"2026-12-31 23:59:59"}


def test_worlds_in_different_threads_keep_their_time(timed: Environment) -> None:
    failures: list[set[str]] = []
    start = threading.Barrier(4)

    def work(number: int) -> None:
        with timed.open(limits=Limits(calls=10_000)) as episode:
            for _ in range(number):
                episode.call("add")
            start.wait()
            for _ in range(150):
                times = seen(episode) | seen(episode, "add")
                if len(times) != 1:
                    failures.append(times)

    threads = [threading.Thread(target=work, args=(number * 100,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_worlds_side_by_side_in_one_thread(timed: Environment) -> None:
    with timed.open() as first, timed.open() as second:
        first.call("add")
        assert seen(second) == {"2026-12-31 23:59:58"}
        assert seen(first) == {"2026-12-31 23:59:59"}


def test_the_seed_is_built_at_the_worlds_time(make_environment: MakeEnvironment) -> None:
    environment = make_environment(schema=SCHEMA, seed="INSERT INTO times (id, made) VALUES (4, datetime('now'));")
    with connected(environment.image) as connection:
        WorldClock("1999-01-01 00:00:00").enter()
        rows = connection.execute("SELECT made, stamp FROM times").fetchall()
    assert rows == [("2026-03-02 09:00:00",) * 2]


@pytest.mark.parametrize(
    "start", ["0001-01-01 00:00:00", "1969-12-31 23:59:59", "2000-02-29 12:00:00", "9998-01-01 00:00:00"]
)
def test_sqlite_agrees_with_the_clock(start: str) -> None:
    clock = WorldClock(start)
    with connected() as connection:
        for _ in range(3):
            clock.enter()
            assert connection.execute("SELECT datetime('now')").fetchall() == [(clock.now,)]
            clock.tick()
