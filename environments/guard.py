"""What SQL may do: an allow-list that SQLite asks while it prepares a statement."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple

import apsw

_MATH = """abs acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi
pow power radians round sign sin sinh sqrt tan tanh trunc"""
_CORE = """char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood likely lower
ltrim max min nullif octet_length printf quote replace rtrim soundex substr substring subtype trim typeof unhex
unicode unistr unlikely upper zeroblob"""
_DATE = """current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch"""
_AGGREGATE = """avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total"""
_WINDOW = """cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number"""
_JSON = """-> ->> json json_array json_array_insert json_array_length json_error_position json_extract
json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote json_remove
json_replace json_set json_type json_valid"""
_OURS = "fold same_text has_word has_words minutes_between code"
_CONSTANTS = "CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP"
FUNCTIONS = frozenset(" ".join((_MATH, _CORE, _DATE, _AGGREGATE, _WINDOW, _JSON, _OURS, _CONSTANTS)).split())
"""SQLite reports functions by their registered name, and the three constants as they were written."""
TABLE_FUNCTIONS = frozenset({"json_each", "json_tree"})

CALL = "call"
"""The savepoint in which a call writes in a world that can go back."""
_ALWAYS = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE})
_WRITES: dict[int, Literal["insert", "update", "delete"]] = {
    apsw.SQLITE_INSERT: "insert",
    apsw.SQLITE_UPDATE: "update",
    apsw.SQLITE_DELETE: "delete",
}
_OK, _DENY = apsw.SQLITE_OK, apsw.SQLITE_DENY


@cache
def _modules() -> frozenset[str]:
    """Virtual tables of this SQLite."""
    connection = apsw.Connection(":memory:")
    try:
        return frozenset(str(name) for (name,) in connection.execute("SELECT name FROM pragma_module_list"))
    finally:
        connection.close()


def is_named_query(table: str | None, column: str | None, schema: str | None) -> bool:
    """Whether a read that SQLite reports is one of a WITH query none of whose columns are used, as in
    `WITH c AS (…) SELECT count(*) FROM c`: its name stands where a table's would."""
    return (
        column == "" and schema is None and table not in _modules() and not str(table).lower().startswith("pragma_")
    )


Guard = Callable[[int, str | None, str | None, str | None, str | None], int]


def world_guard(tables: Iterable[str]) -> Guard:
    """The authorizer of running worlds: their own tables, deterministic functions, and what the runtime itself needs.

    One guard serves all worlds of an environment. It is asked some twenty times a write, hence the one look-up.
    """
    own = frozenset(tables)
    allowed: set[tuple[int, str | None]] = {(action, None) for action in _ALWAYS}
    allowed |= {(apsw.SQLITE_READ, name) for name in own | TABLE_FUNCTIONS}
    allowed |= {(action, name) for action in _WRITES for name in own}
    allowed |= {(apsw.SQLITE_TRANSACTION, step) for step in ("BEGIN", "COMMIT", "ROLLBACK")}
    # The session extension reads the columns of each table it records, and makes changesets in a savepoint; who
    # serializes a database asks how many pages it has.
    allowed |= {(apsw.SQLITE_PRAGMA, name) for name in ("table_info", "table_xinfo", "page_count")}
    savepoints = ("changeset", CALL)
    function, savepoint, read = apsw.SQLITE_FUNCTION, apsw.SQLITE_SAVEPOINT, apsw.SQLITE_READ

    def guard(action: int, first: str | None, second: str | None, schema: str | None, origin: str | None) -> int:
        if (action, first) in allowed or (action == function and second in FUNCTIONS):
            return _OK
        if action == read:
            return _OK if is_named_query(first, second, schema) else _DENY
        return _OK if action == savepoint and second in savepoints else _DENY

    return guard


def read_guard(readable: Callable[[str], bool]) -> Guard:
    """The authorizer of queries that check: they read the tables that `readable` names, and do nothing else."""

    def guard(action: int, first: str | None, second: str | None, schema: str | None, origin: str | None) -> int:
        if action in _ALWAYS:
            return _OK
        if action == apsw.SQLITE_READ:
            named = str(first)
            allowed = readable(named) or named in TABLE_FUNCTIONS or is_named_query(first, second, schema)
        else:
            allowed = action == apsw.SQLITE_FUNCTION and second in FUNCTIONS
        return _OK if allowed else _DENY

    return guard


class Write(NamedTuple):
    """A write of a statement, its triggers included. `column` is given for updates."""

    table: str
    op: Literal["insert", "update", "delete"]
    column: str | None = None


@dataclass
class Inspector:
    """The authorizer under which a package's SQL is checked: notes what is read and written, and why it refuses."""

    tables: Collection[str]
    writing: bool
    reads: set[tuple[str, str]] = field(default_factory=set)
    writes: set[Write] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    refused: str = ""

    def __call__(
        self, action: int, first: str | None, second: str | None, schema: str | None, origin: str | None
    ) -> int:
        problem = self._problem(action, first or "", second or "", schema)
        if problem:
            self.refused = self.refused or problem
            return _DENY
        return _OK

    def _problem(self, action: int, first: str, second: str, schema: str | None) -> str:
        if action in _ALWAYS:
            return ""
        if action == apsw.SQLITE_READ:
            return "" if is_named_query(first, second, schema) else self._read(first, second)
        if action == apsw.SQLITE_FUNCTION:
            self.functions.add(second.lower())
            return "" if second in FUNCTIONS else f"function {second}() is not among those allowed"
        if action in _WRITES:
            return self._write(action, first, second)
        name = apsw.mapping_authorizer_function[action]
        return f"{str(name).removeprefix('SQLITE_')} is not allowed here"

    def _read(self, table: str, column: str) -> str:
        if table in TABLE_FUNCTIONS:
            return ""
        if table not in self.tables:
            return f"table {table} is out of reach"
        self.reads.add((table, column))
        return ""

    def _write(self, action: int, table: str, column: str) -> str:
        if not self.writing:
            return f"writes {table}, but may only read"
        if table not in self.tables:
            return f"table {table} is out of reach"
        operation = _WRITES[action]
        self.writes.add(Write(table, operation, column if operation == "update" else None))
        return ""
