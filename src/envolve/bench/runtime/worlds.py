"""What worlds cost: opening, calling, forking, memory.

`python -m envolve.bench.runtime.worlds [--episodes N] [--calls N]` prints the figures. Everything runs on one core and on
one synthetic environment of 18 tables, 36 tools and 2,000 rows, built for the purpose.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any

from envolve.environments.building import build_world
from envolve.environments.episode import Episode
from envolve.environments.limits import Limits
from envolve.environments.package import Environment

from ..figures import Figure, machine, median_figure, table
from .synthetic import AREAS, synthetic_environment

_UNLIMITED = Limits(calls=10**9)
_ROUNDS = 5


def rows(*, calls: int = 4_000, episodes: int = 10_000) -> list[Figure]:
    """All figures: `calls` calls for each time, `episodes` open at once for the memory (in a process of its own)."""
    environment = synthetic_environment()
    return [
        _build_time(),
        *_opening(environment, calls // 2),
        *_calling(environment, calls),
        _throughput(environment, calls),
        _forking(environment, calls // 4),
        *_memory(episodes),
    ]


def timed(action: Callable[[], Any], times: int) -> list[float]:
    """Seconds of each of `times` runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return found


def _build_time() -> Figure:
    def build() -> None:
        build_world.cache_clear()
        synthetic_environment()

    return median_figure("build and check the environment", [s * 1e3 for s in timed(build, 9)], "ms")


def _opening(environment: Environment, times: int) -> list[Figure]:
    def open_() -> None:
        environment.open("look-around").close()

    def open_and_write() -> None:
        with environment.open("look-around") as episode:
            episode.call("update_notes", id=mine[0], amount=5)

    mine = _owned(environment, "notes")
    return [
        median_figure("open a world", [s * 1e3 for s in timed(open_, times)], "ms", goal=0.5),
        median_figure("open a world, first write, close", [s * 1e3 for s in timed(open_and_write, times)], "ms"),
    ]


def _calling(environment: Environment, times: int) -> list[Figure]:
    with environment.open(limits=_UNLIMITED) as episode:
        own = _owned(environment, "notes")
        calls: dict[str, Callable[[int], Any]] = {
            "call: write with two guards": lambda i: episode.call(
                "update_notes", id=own[i % len(own)], amount=i, status="open"
            ),
            "call: read one row": lambda i: episode.call("get_person", person_id=7 + i % 90),
            "call: read a page of ten, sorted": lambda i: episode.call("list_notes", status="open"),
            "call: refused by a guard": lambda i: episode.call("update_notes", id=own[i % len(own)]),
        }
        return [_call_time(name, call, times) for name, call in calls.items()]


def _call_time(name: str, call: Callable[[int], Any], times: int) -> Figure:
    numbers = count()
    seconds = timed(lambda: call(next(numbers)), times)
    return median_figure(name, [s * 1e6 for s in seconds], "µs", goal=100.0 if "two guards" in name else None)


def _throughput(environment: Environment, calls: int) -> Figure:
    """Calls a second over one episode: a third each of writes, single rows and pages, over all tables.

    Counted in processor time, so that what else runs on the machine does not show.
    """
    rates = []
    for _ in range(_ROUNDS):
        with environment.open(limits=_UNLIMITED) as episode:
            todo = _mixed(environment, calls)
            start = time.process_time()
            for name, args in todo:
                episode.call(name, **args)
            rates.append(len(todo) / (time.process_time() - start))
    rates.sort()
    return Figure(
        "mixed calls per second of one core",
        rates[len(rates) // 2],
        "calls/s",
        calls * _ROUNDS,
        (rates[0], rates[-1]),
        8_000,
        "higher",
    )


def _mixed(environment: Environment, calls: int) -> list[tuple[str, dict[str, Any]]]:
    own = {area: _owned(environment, area) for area in AREAS}
    todo: list[tuple[str, dict[str, Any]]] = []
    for i in range(calls // 3):
        area = AREAS[i % len(AREAS)]
        todo.append((f"list_{area}", {"status": "open", "limit": 5}))
        todo.append(("get_person", {"person_id": 7 + i % 90}))
        todo.append((f"update_{area}", {"id": own[area][i % len(own[area])], "amount": i, "status": "open"}))
    return todo


def _owned(environment: Environment, area: str) -> list[int]:
    """Ids of the rows that the first person owns (every area has some)."""
    with environment.open() as episode:
        found = episode.call(f"list_{area}", owner_id=episode.actor.id)
    return [item["id"] for item in found.value["items"]]


def _forking(environment: Environment, times: int) -> Figure:
    with environment.open(limits=_UNLIMITED) as episode:
        episode.call("update_notes", id=_owned(environment, "notes")[0], amount=5)
        return median_figure("fork a world", [s * 1e3 for s in timed(lambda: episode.fork().close(), times)], "ms")


def _memory(episodes: int) -> list[Figure]:
    """Resident memory of many open episodes, each after three calls, measured in a process of its own."""
    command = [sys.executable, "-m", f"{__package__}.worlds", "--memory", str(episodes)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    opened, used, seconds = (float(value) for value in output)
    return [
        Figure("memory of an open episode", opened / episodes, "MB", episodes, goal=1.0),
        Figure("memory of an open episode after three calls", used / episodes, "MB", episodes, goal=1.0),
        Figure("processor time to open all and call three times", seconds, "s", episodes),
    ]


def _measure_memory(number: int) -> str:
    environment = synthetic_environment()
    own = _owned(environment, "notes")
    before = _resident()
    start = time.process_time()
    episodes: list[Episode] = [environment.open("look-around", seed=i) for i in range(number)]
    opened = _resident() - before
    for episode in episodes:
        episode.call("list_notes", status="open")
        episode.call("get_person", person_id=8)
        episode.call("update_notes", id=own[0], amount=3)
    return f"{opened} {_resident() - before} {time.process_time() - start}"


def _resident() -> float:
    """Resident memory of this process in MB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m envolve.bench.runtime.worlds", description=__doc__)
    parser.add_argument("--calls", type=int, default=4_000)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--memory", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        sys.stdout.write(_measure_memory(options.memory) + "\n")
        return
    start = time.perf_counter()
    figures = rows(calls=options.calls, episodes=options.episodes)
    repeat = f"python -m envolve.bench.runtime.worlds --calls {options.calls} --episodes {options.episodes}"
    sys.stdout.write(f"{table(figures)}\n{machine()}; {time.perf_counter() - start:.0f} s; again: {repeat}\n")


if __name__ == "__main__":
    main()
