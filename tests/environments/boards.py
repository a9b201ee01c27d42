"""A world of boards, lists and cards in which states are compared, and end states made by writes."""

from collections.abc import Callable
from typing import Any

import apsw
from hypothesis import settings

from envolve.environments import Environment
from envolve.environments.changes import ChangeSet, decode
from envolve.environments.models import ColumnClasses, EnvironmentSpec, Role, Tool, ToolsFile
from envolve.environments.states import state_signature

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


def boards() -> Environment:
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
