"""State equality in random worlds, against a brute-force definition."""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments import Environment

from .boards import NUMBERED, REFERS, End, State, Write, boards, quiet


@pytest.fixture(scope="module")
def environment() -> Environment:
    return boards()


OLD: dict[str, list[Any]] = {"boards": [1], "lists": [11, 12, 13], "cards": [21, 22], "tickets": ["T1"]}
MOST = {"boards": 2, "lists": 2, "cards": 3, "tickets": 1, "uses": 1}


@st.composite
def writes(draw: st.DrawFn) -> list[Write]:
    """Rows to add, told apart by symbols (`("cards", 0)`), then rows to change and to delete."""
    counts = {table: draw(st.integers(0, most)) for table, most in MOST.items()}

    def one_of(table: str, *, none: bool = False) -> Any:
        new = [(table, number) for number in range(counts[table])]
        nothing: list[Any] = [None] if none else []
        return draw(st.sampled_from([*nothing, *OLD[table], *new]))

    short, place = st.sampled_from("ab"), st.integers(0, 4)
    found: list[Write] = [("boards", (("boards", i), draw(short))) for i in range(counts["boards"])]
    found += [("lists", (("lists", i), one_of("boards"), draw(place))) for i in range(counts["lists"])]
    found += [
        ("cards", (("cards", i), one_of("lists"), one_of("cards", none=True), draw(short), draw(short), None))
        for i in range(counts["cards"])
    ]
    found += [("tickets", (("tickets", i), one_of("cards"))) for i in range(counts["tickets"])]
    found += [("uses", (("uses", i), one_of("tickets", none=True), None)) for i in range(counts["uses"])]
    for _ in range(draw(st.integers(0, 2))):
        found.append(("links", (one_of("cards"), one_of("cards"), draw(short))))
    if draw(st.booleans()):
        found.append(("update", "cards", "parent_id", one_of("cards", none=True), draw(st.sampled_from([21, 22]))))
    if draw(st.booleans()):
        found.append(("update", "lists", "position", draw(place), draw(st.sampled_from([11, 12, 13]))))
    if draw(st.booleans()):
        found.append(("update", "lists", "board_id", one_of("boards"), draw(st.sampled_from([11, 12, 13]))))
    if draw(st.booleans()):
        found.append(("delete", "links", draw(st.sampled_from([21, 22]))))
    return found


def apply(found: list[Write], rng: random.Random) -> Callable[[apsw.Connection], None]:
    """Run the writes with new ids drawn at random; rows go in in any order."""
    ids = dict(enumerate(rng.sample(range(100, 200), 20)))
    names: dict[Any, Any] = {}

    def value(symbol: Any) -> Any:
        if not isinstance(symbol, tuple):
            return symbol
        name = names.setdefault(symbol, ids[len(names)])
        return f"T{name}" if symbol[0] == "tickets" else name

    def run(connection: apsw.Connection) -> None:
        rows = [write for write in found if write[0] not in ("update", "delete")]
        rng.shuffle(rows)
        for table, values in rows:
            marks = ", ".join("?" * len(values))
            connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", tuple(map(value, values)))
        for kind, table, *rest in (write for write in found if write[0] in ("update", "delete")):
            if kind == "update":
                column, new, key = rest
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (value(new), key))
            else:
                connection.execute(f"DELETE FROM {table} WHERE from_id = ?", rest)

    return run


def form(state: State) -> str:
    """The definition, by brute force: the least dump of the state over every way to number its new rows."""
    new = {
        table: [row[key] for row in state[table] if row[key] not in OLD.get(table, [])]
        for table, key in NUMBERED.items()
    }
    orders = [list(itertools.permutations(rows)) for rows in new.values()]
    return min(
        dump(
            state,
            {
                table: {row: f"new{i}" for i, row in enumerate(order)}
                for table, order in zip(new, choice, strict=True)
            },
        )
        for choice in itertools.product(*orders)
    )


def dump(state: State, names: Mapping[str, Mapping[Any, str]]) -> str:
    lines = []
    for table, rows in state.items():
        if table == "log":
            continue
        for row in rows:
            shown = dict(row)
            if table == "lists":
                siblings = [other["position"] for other in rows if other["board_id"] == row["board_id"]]
                shown["position"] = sum(position < row["position"] for position in siblings)
            for column in ("created_at", "slug"):
                shown.pop(column, None)
            for column in shown:
                target = REFERS.get((table, column)) or (table if NUMBERED.get(table) == column else None)
                if target:
                    shown[column] = names[target].get(shown[column], shown[column])
            lines.append(f"{table} {shown!r}")
    return "\n".join(sorted(lines))


@quiet
@given(found=writes(), seed=st.integers(0, 3))
def test_numbering_does_not_count(environment: Environment, found: list[Write], seed: int) -> None:
    one = End(environment, apply(found, random.Random(seed)))
    other = End(environment, apply(found, random.Random(seed + 100)))
    assert form(one.state) == form(other.state)
    assert one.signature() == other.signature()


@settings(quiet, max_examples=150)
@given(one=writes(), data=st.data())
def test_signatures_are_equal_exactly_if_the_states_are(
    environment: Environment, one: list[Write], data: st.DataObject
) -> None:
    other = data.draw(st.one_of(nearby(one), writes()))
    first = End(environment, apply(one, random.Random(1)))
    second = End(environment, apply(other, random.Random(2)))
    assert (first.signature() == second.signature()) == (form(first.state) == form(second.state))


@st.composite
def nearby(draw: st.DrawFn, found: list[Write]) -> list[Write]:
    """The same writes with one left out, or with one value replaced by another of its kind."""
    if not found:
        return draw(writes())
    at = draw(st.integers(0, len(found) - 1))
    rest = found[:at] + found[at + 1 :]
    table, values, *_ = found[at]
    if table in ("update", "delete") or draw(st.booleans()):
        used = {part for write in rest for part in flat(write)}
        return rest if isinstance(values, str) or values[0] not in used else found
    place = draw(st.integers(1, len(values) - 1))
    kin = [write[1][place] for write in found if write[0] == table] + [None if table != "lists" else 1]
    if table in ("lists", "links", "boards") and None in kin:
        kin.remove(None)
    changed = (*values[:place], draw(st.sampled_from(kin)), *values[place + 1 :])
    if table == "cards" and (changed[1] is None or changed[3] is None):
        return found
    return [*found[:at], (table, changed), *found[at + 1 :]]


def flat(write: Write) -> Iterator[Any]:
    for part in write:
        yield part
        if isinstance(part, tuple):
            yield from part
