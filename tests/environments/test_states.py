"""State equality: what is ignored, what is renamed, what is ranked, against a brute-force definition."""

import itertools
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments import Environment
from envolve.environments.changes import ChangeSet, decode
from envolve.environments.models import ColumnClasses, EnvironmentSpec, Role, Tool, ToolsFile
from envolve.environments.states import state_signature
from envolve.environments.states.labelling import Edge, canonical_order

SCHEMA = """
CREATE TABLE boards (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE lists (
  id INTEGER NOT NULL PRIMARY KEY, board_id INTEGER NOT NULL REFERENCES boards (id),
  position INTEGER NOT NULL) STRICT;
CREATE TABLE cards (
  id INTEGER NOT NULL PRIMARY KEY, list_id INTEGER NOT NULL REFERENCES lists (id),
  parent_id INTEGER REFERENCES cards (id), title TEXT NOT NULL, created_at TEXT, slug TEXT UNIQUE) STRICT;
CREATE TABLE links (
  from_id INTEGER NOT NULL REFERENCES cards (id), to_id INTEGER NOT NULL REFERENCES cards (id), kind TEXT,
  PRIMARY KEY (from_id, to_id)) STRICT;
CREATE TABLE looks (board_id INTEGER NOT NULL PRIMARY KEY REFERENCES boards (id), color TEXT) STRICT;
CREATE TABLE tickets (code TEXT NOT NULL PRIMARY KEY, card_id INTEGER REFERENCES cards (id)) STRICT;
CREATE TABLE uses (id INTEGER NOT NULL PRIMARY KEY, ticket_code TEXT REFERENCES tickets (code),
  slug TEXT REFERENCES cards (slug)) STRICT;
CREATE TABLE log (id INTEGER NOT NULL PRIMARY KEY, card_id INTEGER, at TEXT) STRICT;
CREATE TABLE notes (from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, line INTEGER NOT NULL, text TEXT,
  PRIMARY KEY (from_id, to_id, line), FOREIGN KEY (from_id, to_id) REFERENCES links) STRICT;
CREATE TABLE marks (id INTEGER NOT NULL PRIMARY KEY, from_id INTEGER, to_id INTEGER,
  FOREIGN KEY (from_id, to_id) REFERENCES links (from_id, to_id)) STRICT;
CREATE TABLE remarks (id INTEGER NOT NULL PRIMARY KEY, log_id INTEGER REFERENCES log (id), text TEXT) STRICT;
"""
SEED = """
INSERT INTO boards (id, name) VALUES (1, 'a');
INSERT INTO lists (id, board_id, position) VALUES (11, 1, 1), (12, 1, 2), (13, 1, 3);
INSERT INTO cards (id, list_id, parent_id, title, slug) VALUES (21, 11, NULL, 'a', 's1'), (22, 12, 21, 'b', 's2');
INSERT INTO links (from_id, to_id, kind) VALUES (21, 22, 'x'), (22, 21, 'x');
INSERT INTO marks (id, from_id, to_id) VALUES (1, 21, 22);
INSERT INTO looks (board_id, color) VALUES (1, 'red');
INSERT INTO tickets (code, card_id) VALUES ('T1', 21);
INSERT INTO log (id, card_id, at) VALUES (31, 21, 'x');
"""
CLASSES = ColumnClasses(
    clock=("*.created_at",), code=("tickets.code", "cards.slug"), log=("log",), order={"lists.position": "board_id"}
)
TABLES = ("boards", "lists", "cards", "links", "looks", "tickets", "uses", "log", "remarks")
NUMBERED = {"boards": "id", "lists": "id", "cards": "id", "tickets": "code", "uses": "id", "remarks": "id"}
REFERS = {
    ("lists", "board_id"): "boards",
    ("cards", "list_id"): "lists",
    ("cards", "parent_id"): "cards",
    ("links", "from_id"): "cards",
    ("links", "to_id"): "cards",
    ("looks", "board_id"): "boards",
    ("tickets", "card_id"): "cards",
    ("uses", "ticket_code"): "tickets",
}
Row = dict[str, Any]
State = dict[str, list[Row]]
Write = tuple[Any, ...]
quiet = settings(derandomize=True, database=None, deadline=None)


@pytest.fixture(scope="module")
def environment() -> Environment:
    tool = Tool(name="look", description="Look.", kind="read")
    spec = EnvironmentSpec(
        id="boards",
        scenario="Boards",
        roles={"user": Role(table="boards")},
        clock="2026-03-02 09:00:00",
        columns=CLASSES,
    )
    return Environment.build(spec=spec, schema_sql=SCHEMA, seed_sql=SEED, tools=ToolsFile(tools=(tool,)))


class End:
    """An end state reached from the seed state by some writes: what changed, and the state itself."""

    def __init__(self, environment: Environment, write: Callable[[apsw.Connection], object]) -> None:
        connection = apsw.Connection(":memory:")
        connection.deserialize("main", environment.image)
        session = apsw.Session(connection, "main")
        session.attach()
        write(connection)
        self.environment = environment
        self.changes = ChangeSet(rows=decode(session.changeset(), environment.tables()))
        self.after = connection.serialize("main")
        self.state = read(connection)

    def signature(self, **free: list[str]) -> str:
        return state_signature(self.environment, self.changes, self.after, free=free)


def read(connection: apsw.Connection) -> State:
    found: State = {}
    for table in TABLES:
        columns = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        found[table] = [dict(zip(columns, row, strict=True)) for row in connection.execute(f"SELECT * FROM {table}")]
    return found


def by_sql(environment: Environment, *statements: str) -> End:
    return End(environment, lambda connection: [connection.execute(sql) for sql in statements])


# --- single rules -------------------------------------------------------------------------------------------------


def linked(card: int, line: int = 1, text: str = "t") -> list[str]:
    """A new card, a link from it, and a note on the link."""
    return [
        f"INSERT INTO cards VALUES ({card}, 11, NULL, 'n', NULL, NULL)",
        f"INSERT INTO links VALUES ({card}, 22, 'x')",
        f"INSERT INTO notes VALUES ({card}, 22, {line}, '{text}')",
    ]


def marked(card: int, kind: str = "x") -> list[str]:
    """A link to a new card, and an old mark moved to it by one of its two columns."""
    return [
        f"INSERT INTO cards VALUES ({card}, 11, NULL, 'n', NULL, NULL)",
        f"INSERT INTO links VALUES (21, {card}, '{kind}')",
        f"UPDATE marks SET to_id = {card}",
    ]


SAME = {
    "references by several columns": (linked(51), linked(61)),
    "a reference of which one column changed": (marked(51), marked(61)),
    "two alike rows with rows of their own": (linked(51) + linked(52, text="u"), linked(61, text="u") + linked(62)),
    "clock columns": (["UPDATE cards SET created_at = 'now' WHERE id = 21"], []),
    "code columns": (["UPDATE cards SET slug = 'new' WHERE id = 21"], []),
    "log tables": (["INSERT INTO log VALUES (99, 21, 'y')", "DELETE FROM log WHERE id = 31"], []),
    "ids of new rows": (["INSERT INTO boards VALUES (7, 'b')"], ["INSERT INTO boards VALUES (8, 'b')"]),
    "codes that are keys": (["INSERT INTO tickets VALUES ('T2', 21)"], ["INSERT INTO tickets VALUES ('T9', 21)"]),
    "references to new rows": (
        ["INSERT INTO boards VALUES (7, 'b')", "INSERT INTO looks VALUES (7, 'red')"],
        ["INSERT INTO boards VALUES (9, 'b')", "INSERT INTO looks VALUES (9, 'red')"],
    ),
    "an old row that points to a new one": (
        ["INSERT INTO cards VALUES (51, 11, NULL, 'n', NULL, NULL)", "UPDATE cards SET parent_id = 51 WHERE id = 21"],
        ["INSERT INTO cards VALUES (61, 11, NULL, 'n', NULL, NULL)", "UPDATE cards SET parent_id = 61 WHERE id = 21"],
    ),
    "a reference by a code that changed": (
        ["UPDATE cards SET slug = 'p' WHERE id = 21", "INSERT INTO uses VALUES (1, NULL, 'p')"],
        ["INSERT INTO uses VALUES (1, NULL, 's1')"],
    ),
    "a reference to a new log row": (
        ["INSERT INTO log VALUES (40, 21, 'y')", "INSERT INTO remarks VALUES (1, 40, 'r')"],
        ["INSERT INTO log VALUES (50, 21, 'z')", "INSERT INTO remarks VALUES (2, 50, 'r')"],
    ),
    "positions with the same ranks": (["UPDATE lists SET position = position * 10 + 5"], []),
    "a gap left or closed": (
        ["DELETE FROM lists WHERE id = 11"],
        ["DELETE FROM lists WHERE id = 11", "UPDATE lists SET position = position - 1"],
    ),
    "room made at the end or far behind": (
        ["INSERT INTO lists VALUES (14, 1, 4)"],
        ["INSERT INTO lists VALUES (15, 1, 400)"],
    ),
    "a change undone": (["UPDATE boards SET name = 'z'", "UPDATE boards SET name = 'a'"], []),
}
DIFFERENT = {
    "a key's other columns": (linked(51), linked(51, line=2)),
    "which of two alike rows has it": (
        [*linked(51), *linked(52), "INSERT INTO notes VALUES (51, 22, 7, 'z')", "UPDATE cards SET parent_id = 51"],
        [*linked(51), *linked(52), "INSERT INTO notes VALUES (51, 22, 7, 'z')", "UPDATE cards SET parent_id = 52"],
    ),
    "what a mark points to": (marked(51), marked(51)[:2]),
    "an old row or a new one as target": (
        [*marked(51), "INSERT INTO marks VALUES (2, 21, 51)"],
        [*marked(51), "INSERT INTO marks VALUES (2, 21, 22)"],
    ),
    "a value": (["UPDATE boards SET name = 'z'"], []),
    "null and empty": (["INSERT INTO uses VALUES (1, NULL, NULL)"], ["INSERT INTO uses VALUES (1, '', NULL)"]),
    "text and number": (["INSERT INTO boards VALUES (2, '5')"], ["INSERT INTO boards VALUES (2, '5.0')"]),
    "a row more": (["INSERT INTO boards VALUES (2, 'b'), (3, 'b')"], ["INSERT INTO boards VALUES (2, 'b')"]),
    "a row gone": (["DELETE FROM links WHERE from_id = 21"], ["DELETE FROM links WHERE from_id = 22"]),
    "who points to whom": (
        ["INSERT INTO cards VALUES (51, 11, NULL, 'a', NULL, NULL), (52, 11, 51, 'b', NULL, NULL)"],
        ["INSERT INTO cards VALUES (51, 11, 52, 'a', NULL, NULL), (52, 11, NULL, 'b', NULL, NULL)"],
    ),
    "an old row or a new one like it": (
        ["INSERT INTO cards VALUES (51, 11, NULL, 'a', NULL, NULL)", "UPDATE cards SET parent_id = 51 WHERE id = 22"],
        ["INSERT INTO cards VALUES (51, 11, NULL, 'a', NULL, NULL)"],
    ),
    "two circles of three or one of six": (
        [
            f"INSERT INTO cards VALUES ({50 + i}, 11, {50 + i // 3 * 3 + (i + 1) % 3}, 'n', NULL, NULL)"
            for i in range(6)
        ],
        [f"INSERT INTO cards VALUES ({50 + i}, 11, {50 + (i + 1) % 6}, 'n', NULL, NULL)" for i in range(6)],
    ),
    "order": (["UPDATE lists SET position = 5 WHERE id = 11"], []),
    "a new row first or last": (
        ["INSERT INTO lists VALUES (14, 1, 0)"],
        ["INSERT INTO lists VALUES (14, 1, 9)"],
    ),
    "positions that become the same": (["UPDATE lists SET position = 1 WHERE id = 12"], []),
    "another group": (["INSERT INTO boards VALUES (2, 'b')", "UPDATE lists SET board_id = 2 WHERE id = 13"], []),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_states_that_are_the_same(environment: Environment, one: list[str], other: list[str]) -> None:
    assert by_sql(environment, *one).signature() == by_sql(environment, *other).signature()


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_states_that_differ(environment: Environment, one: list[str], other: list[str]) -> None:
    assert by_sql(environment, *one).signature() != by_sql(environment, *other).signature()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("INSERT INTO looks VALUES (2, 'red')", "INSERT INTO looks VALUES (2, 'blue')", True),
        ("INSERT INTO looks VALUES (2, 'red')", "INSERT INTO looks VALUES (2, NULL)", True),
        ("UPDATE looks SET color = 'green'", "UPDATE looks SET color = 'blue'", True),
        ("UPDATE looks SET color = 'green'", "", False),
        ("INSERT INTO looks VALUES (2, 'red')", "INSERT INTO looks VALUES (3, 'red')", False),
    ],
)
def test_values_of_free_columns_do_not_count_but_touching_a_row_does(
    environment: Environment, one: str, other: str, same: bool
) -> None:
    first, second = by_sql(environment, one), by_sql(environment, other)
    assert (first.signature(looks=["color"]) == second.signature(looks=["color"])) is same


def test_a_free_key_is_renamed_like_a_number(environment: Environment) -> None:
    one = by_sql(environment, "INSERT INTO looks VALUES (7, 'red')")
    other = by_sql(environment, "INSERT INTO looks VALUES (8, 'red')")
    assert one.signature() != other.signature()
    assert one.signature(looks=["board_id"]) == other.signature(looks=["board_id"])


def test_free_positions_do_not_count(environment: Environment) -> None:
    one = by_sql(environment, "INSERT INTO lists VALUES (14, 1, 0)")
    other = by_sql(environment, "INSERT INTO lists VALUES (14, 1, 9)")
    assert one.signature(lists=["position"]) == other.signature(lists=["position"])


def test_an_open_world_serves_as_the_end_state(environment: Environment) -> None:
    end = by_sql(environment, "UPDATE lists SET position = 5 WHERE id = 11")
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", end.after)
    assert state_signature(environment, end.changes, connection) == end.signature()


# --- random worlds against the definition -------------------------------------------------------------------------

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


# --- canonical labelling ------------------------------------------------------------------------------------------


def view(content: list[str], edges: list[Edge]) -> Any:
    place = {node: index for index, node in enumerate(canonical_order(content, edges))}
    nodes = sorted((place[node], text) for node, text in enumerate(content))
    return nodes, sorted((place[edge.source], edge.label, place[edge.target]) for edge in edges)


def renumbered(content: list[str], edges: list[Edge], to: list[int]) -> tuple[list[str], list[Edge]]:
    moved = [content[to.index(node)] for node in range(len(content))]
    return moved, [Edge(to[edge.source], edge.label, to[edge.target]) for edge in edges]


def graphs(size: int) -> st.SearchStrategy[tuple[list[str], list[Edge]]]:
    node = st.integers(0, size - 1)
    edge = st.builds(Edge, node, st.sampled_from("pq"), node)
    return st.tuples(st.lists(st.sampled_from("ab"), min_size=size, max_size=size), st.lists(edge, max_size=8))


@quiet
@given(st.integers(1, 7).flatmap(lambda size: st.tuples(graphs(size), st.permutations(range(size)))))
def test_order_does_not_depend_on_numbering(case: tuple[tuple[list[str], list[Edge]], list[int]]) -> None:
    (content, edges), to = case
    assert view(content, edges) == view(*renumbered(content, edges, to))


@settings(quiet, max_examples=300)
@given(st.integers(1, 4).flatmap(lambda size: st.tuples(graphs(size), graphs(size))))
def test_equal_views_mean_equal_graphs(
    case: tuple[tuple[list[str], list[Edge]], tuple[list[str], list[Edge]]],
) -> None:
    (content, edges), (others, other_edges) = case
    isomorphic = any(
        (moved := renumbered(content, edges, list(to)))[0] == others and sorted(moved[1]) == sorted(other_edges)
        for to in itertools.permutations(range(len(content)))
    )
    assert (view(content, edges) == view(others, other_edges)) == isomorphic


@pytest.mark.parametrize("size", [3, 6, 10])
def test_every_row_joined_with_every_other(size: int) -> None:
    joins = list(itertools.product(range(size), range(size)))
    content = ["left"] * size + ["right"] * size + ["join"] * len(joins)
    edges = [
        Edge(2 * size + number, label, end)
        for number, (left, right) in enumerate(joins)
        for label, end in (("left", left), ("right", size + right))
    ]
    to = random.Random(1).sample(range(len(content)), len(content))
    assert view(content, edges) == view(*renumbered(content, edges, to))


def graph(kind: str, size: int) -> tuple[list[str], list[Edge]]:
    """Rows without any difference of their own, but for the way in which they point at each other."""
    pairs = {
        "everyone points at everyone": [(i, j) for i in range(size) for j in range(size) if i != j],
        "a ring": [(i, (i + 1) % size) for i in range(size)],
        "a chain": [(i, i + 1) for i in range(size - 1)],
        "all at one": [(i, 0) for i in range(1, size)],
        "pairs of twins in a row": [
            (2 * i + a, 2 * i + 2 + b) for i in range(size // 2 - 1) for a in (0, 1) for b in (0, 1)
        ],
        "a cube": [(i, i ^ (1 << bit)) for i in range(size) for bit in range(10) if i ^ (1 << bit) < size],
    }[kind]
    return ["row"] * size, [Edge(source, "to", target) for source, target in pairs]


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("everyone points at everyone", 60),
        ("a ring", 200),
        ("a chain", 1000),
        ("all at one", 1000),
        ("pairs of twins in a row", 400),
        ("a cube", 64),
    ],
)
def test_large_and_symmetric_changes_take_no_time(kind: str, size: int) -> None:
    content, edges = graph(kind, size)
    start = time.process_time()
    assert sorted(canonical_order(content, edges)) == list(range(size))
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("everyone points at everyone", 14),
        ("a ring", 24),
        ("a chain", 80),
        ("pairs of twins in a row", 24),
        ("a cube", 16),
    ],
)
def test_how_rows_are_numbered_does_not_show(kind: str, size: int) -> None:
    content, edges = graph(kind, size)

    def form(edges: list[Edge]) -> list[tuple[int, int]]:
        place = {node: index for index, node in enumerate(canonical_order(content, edges))}
        return sorted((place[edge.source], place[edge.target]) for edge in edges)

    for seed in range(5):
        numbers = list(range(size))
        random.Random(seed).shuffle(numbers)
        assert form([Edge(numbers[edge.source], "to", numbers[edge.target]) for edge in edges]) == form(edges)
