"""Whatever is wrong in a package is refused with file, field and line, and what to do about it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from envolve.environments import Environment
from envolve.environments.errors import InputError, PackageError


class Spoiled(NamedTuple):
    """One change to the sample and the error it leads to. `line` is that of `after`'s first line."""

    file: str
    before: str
    after: str
    field: str
    message: str


SPEC, TOOLS, SCHEMA, SEED = "environment.yaml", "tools.yaml", "schema.sql", "seed.sql"
TASK = "tasks/move-the-anniversary-dinner.yaml"

CASES = {
    "other format": Spoiled(SPEC, "format: 1", "format: 2", "format", "is 2; this version reads format 1"),
    "format as text": Spoiled(TOOLS, "format: 1", 'format: "1"', "format", "is '1'"),
    "unknown field": Spoiled(SPEC, "category:", "catgory:", "catgory", "there is no such field"),
    "missing field": Spoiled(SPEC, "scenario: Restaurant", "summery: Restaurant", "scenario", "the field is missing"),
    "wrong type": Spoiled(SPEC, 'clock: "2026', 'clock: "26', "clock", "String should match pattern"),
    "unknown role table": Spoiled(
        SPEC, "host: {table: people", "host: {table: persons", "roles.host.table", "there is no table 'persons'"
    ),
    "role condition": Spoiled(SPEC, "role = 'host'", "rol = 'host'", "roles.host.where", "no such column: rol"),
    "unknown column class": Spoiled(
        SPEC, "bookings.confirmation_code", "bookings.confirm", "columns.code", "bookings has no column 'confirm'"
    ),
    "clock column of no table": Spoiled(SPEC, '"*.created_at"', '"*.made_at"', "columns.clock", "no table has"),
    "unknown log table": Spoiled(SPEC, "log: [booking_events]", "log: [events]", "columns.log", "no table 'events'"),
    "unknown order group": Spoiled(
        SPEC,
        "position: restaurant_id",
        "position: place_id",
        "columns.order.waitlist.position",
        "no column 'place_id'",
    ),
    "clock that is no moment": Spoiled(
        SPEC, "2026-03-02 09:00:00", "2026-02-30 09:00:00", "clock", "no moment that a world can start at"
    ),
    "clock at the end of time": Spoiled(
        SPEC, "2026-03-02 09:00:00", "9999-12-31 23:59:59", "clock", "would end after the year 9998"
    ),
    "word with a column that no table has": Spoiled(
        SPEC,
        "status = 'confirmed' AND starts_at",
        "state = 'confirmed' AND starts_at",
        "glossary.upcoming",
        "no table",
    ),
    "word with columns of two tables": Spoiled(
        SPEC, "status = 'confirmed' AND starts_at", "cuisine <> '' AND starts_at", "glossary.upcoming", "no table has"
    ),
    "word that is no condition": Spoiled(
        SPEC, "upcoming: status = 'confirmed' AND", "upcoming: status = AND", "glossary.upcoming", "syntax error"
    ),
    "word that binds what is not known": Spoiled(
        SPEC, "AND starts_at > :now", "AND starts_at > :then", "glossary.upcoming", "binds :then"
    ),
    "invariant that does not prepare": Spoiled(
        SPEC, "SELECT a.id, b.id FROM bookings a", "SELECT a.no FROM bookings a", "invariants.0.sql", "no such column"
    ),
    "invariant that writes": Spoiled(
        SPEC,
        "sql: |\n      SELECT a.id",
        "sql: |\n      DELETE FROM waitlist --",
        "invariants.0.sql",
        "may only read",
    ),
    "unknown tool role": Spoiled(
        TOOLS, "roles: [host]", "roles: [chef]", "tools.find_people.roles", "'chef' is no role"
    ),
    "unknown required": Spoiled(
        TOOLS, "required: [name]", "required: [nam]", "tools.find_people.required", "'nam' is no parameter"
    ),
    "unknown ref table": Spoiled(
        TOOLS,
        "ref: restaurants.id",
        "ref: places.id",
        "tools.list_tables.params.restaurant_id.ref",
        "no table 'places'",
    ),
    "unknown ref column": Spoiled(
        TOOLS,
        "ref: restaurants.id",
        "ref: restaurants.no",
        "tools.list_tables.params.restaurant_id.ref",
        "no column 'no'",
    ),
    "scope that does not prepare": Spoiled(
        TOOLS, 'where: "person_id', 'where: "owner_id', "tools.get_booking.params.booking_id.scope.where", "owner_id"
    ),
    "scope for an unknown role": Spoiled(
        TOOLS,
        "roles: [diner]}\n  steps",
        "roles: [eater]}\n  steps",
        "tools.get_booking.params.booking_id.scope.roles",
        "'eater' is no role",
    ),
    "query that does not prepare": Spoiled(
        TOOLS,
        "SELECT id, name, email, role FROM people",
        "SELECT id, nam FROM people",
        "tools.find_people.returns.many",
        "no such column: nam",
    ),
    "two statements": Spoiled(
        TOOLS,
        "value: SELECT :wanted AS marked",
        'value: "SELECT :wanted; SELECT 1"',
        "tools.mark_no_shows.returns.value",
        "more than one statement",
    ),
    "unbound name": Spoiled(
        TOOLS, "has_word(name, :name)", "has_word(name, :nam)", "tools.find_people.returns.many", "binds :nam"
    ),
    "message that names nothing": Spoiled(
        TOOLS,
        "is {booking_status}, not",
        "is {booking_stat}, not",
        "shared.steps.must_be_confirmed.0.error.message",
        "{booking_stat} is not always bound",
    ),
    "message that names what may be absent": Spoiled(
        TOOLS,
        "belongs to another restaurant.",
        "and {note}.",
        "tools.book_table.steps.4.error.message",
        "{note} is not always bound",
    ),
    "shared steps that do not exist": Spoiled(
        TOOLS,
        '- use: check_time\n    - require: "SELECT :party',
        '- use: check_tim\n    - require: "SELECT :party',
        "tools.book_table.steps.6",
        "shared.steps has no 'check_tim'",
    ),
    "shared parameter that does not exist": Spoiled(
        TOOLS, "{use: own_booking}", "{use: a_booking}", "tools.get_booking.params.booking_id", "has no 'a_booking'"
    ),
    "step of no kind": Spoiled(
        TOOLS,
        "- use: must_be_confirmed",
        "- check: must_be_confirmed",
        "tools.move_booking.steps.2",
        "a step is one of let, require, do, use",
    ),
    "order by a column that is not returned": Spoiled(
        TOOLS, "order: name, id", "order: surname", "tools.find_people.returns.order", "no such column: surname"
    ),
    "default order that does not exist": Spoiled(
        TOOLS, "default: best_rated", "default: worst", "tools.find_restaurants.returns.order", "default 'worst'"
    ),
    "type of no column": Spoiled(
        TOOLS,
        "types: {features: json}",
        "types: {feature: json}",
        "tools.list_tables.returns.types.feature",
        "no column",
    ),
    "read tool that writes": Spoiled(
        TOOLS,
        "Cancel a confirmed booking and free its table.\n  kind: write",
        "Cancel it.\n  kind: read",
        "tools.cancel_booking.kind",
        "a read tool has no `do`",
    ),
    "write tool without a write": Spoiled(
        TOOLS,
        "Return one booking.\n  kind: read",
        "Return it.\n  kind: write",
        "tools.get_booking.kind",
        "has a `do`",
    ),
    "REPLACE": Spoiled(
        TOOLS,
        "do: INSERT INTO booking_events",
        "do: INSERT OR REPLACE INTO booking_events",
        "tools.book_table.steps.10.do",
        "REPLACE is refused",
    ),
    "last_insert_rowid": Spoiled(
        TOOLS,
        "VALUES (:new_id, 'booked'",
        "VALUES (last_insert_rowid(), 'booked'",
        "tools.book_table.steps.10.do",
        "last_insert_rowid() is refused",
    ),
    "randomness": Spoiled(
        TOOLS,
        "SELECT coalesce(:person_id, :actor_id)",
        "SELECT abs(random())",
        "tools.book_table.steps.0.let.guest_id",
        "random() is refused",
    ),
    "code in a read tool": Spoiled(
        TOOLS,
        "SELECT id, name, email, role FROM people",
        "SELECT code('A') AS id, name FROM people",
        "tools.find_people.returns.many",
        "code() is only for tools that write",
    ),
    "code in a role": Spoiled(
        SPEC, "role = 'host'", "role = code('A')", "roles.host.where", "code() is only for tools that write"
    ),
    "seed with a value that worlds cannot read": Spoiled(
        SEED, "'Birthday cake at eight'", "'" + "x" * 70_000 + "'", "", "more than 65,536 bytes"
    ),
    "pattern that cannot be used": Spoiled(
        TOOLS,
        "minLength: 1, maxLength: 80",
        'pattern: "(?=x)"',
        "tools.find_people.params.name.pattern",
        "look-around",
    ),
    "keyword of another type": Spoiled(
        TOOLS,
        "{type: string, minLength: 1",
        "{type: string, minimum: 1",
        "tools.find_people.params.name",
        "minimum does not go with type string",
    ),
    "default that is not valid": Spoiled(
        TOOLS,
        "maximum: 4, description",
        "maximum: 4, default: 9, description",
        "tools.find_restaurants.params.max_price_level.default",
        "greater than the maximum",
    ),
    "tool named twice": Spoiled(
        TOOLS, "name: find_people", "name: get_my_profile", "tools.1", "another tool is named"
    ),
    "name of the runtime": Spoiled(
        TOOLS, "name: find_people", "name: submit", "tools.submit.name", "tool of the runtime"
    ),
    "contract with an unknown table": Spoiled(
        TOOLS,
        "booking_events: {insert: true}",
        "events: {insert: true}",
        "tools.book_table.contract.events",
        "no table",
    ),
    "contract with an unknown column": Spoiled(
        TOOLS,
        "update: [status]}",
        "update: [state]}",
        "tools.mark_no_shows.contract.bookings.update",
        "no column 'state'",
    ),
    "table that is not STRICT": Spoiled(
        SCHEMA, "at TEXT NOT NULL\n) STRICT;", "at TEXT NOT NULL\n);", "booking_events", "not STRICT"
    ),
    "table without a key": Spoiled(
        SCHEMA,
        "CREATE TABLE waitlist (\n  id INTEGER NOT NULL PRIMARY KEY",
        "CREATE TABLE waitlist (\n  id INTEGER NOT NULL",
        "waitlist",
        "no primary key",
    ),
    "reference to no table": Spoiled(
        SCHEMA,
        "person_id INTEGER NOT NULL REFERENCES people (id),\n  party_size",
        "person_id INTEGER NOT NULL REFERENCES persons (id),\n  party_size",
        "waitlist",
        "table 'persons', which does not",
    ),
    "virtual table": Spoiled(
        SCHEMA,
        "CREATE INDEX people_name ON people (name);",
        "CREATE VIRTUAL TABLE x USING fts5(a);",
        "",
        "CREATE VTABLE is not allowed",
    ),
    "seed that breaks a CHECK": Spoiled(SEED, "'Harbour', 'Italian', 3,", "'Harbour', 'Italian', 8,", "", "CHECK"),
    "seed that points nowhere": Spoiled(
        SEED, "(517, 31,", "(517, 30,", "dining_tables", "a row of restaurants that does not"
    ),
    "seed that does more than insert": Spoiled(
        SEED, "INSERT INTO waitlist", "DELETE FROM waitlist; INSERT INTO waitlist", "", "DELETE is not allowed"
    ),
    "seed with the machine's time zone": Spoiled(
        SEED, "'2026-02-25 08:00:00'", "datetime('now', 'localtime')", "", "localtime"
    ),
    "unknown role of an actor": Spoiled(TASK, "roles: [host]", "roles: [chef]", "actor.roles", "no role 'chef'"),
    "unknown allowed column": Spoiled(
        TASK, "columns: [table_id", "columns: [table_no", "verifier.allow.0", "table_no"
    ),
    "task whose id is not its file's": Spoiled(
        TASK, "id: move-the-", "id: shift-the-", "id", "unlike the file's name"
    ),
    "gold without submit": Spoiled(
        TASK, "  - {submit: {status: done}}\n", "", "", "gold ends with its only submit step"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_names_file_and_field(name: str, package: Path) -> None:
    case = CASES[name]
    path = package / case.file
    text = path.read_text(encoding="utf-8")
    assert case.before in text, "the case no longer fits the sample"
    path.write_text(text.replace(case.before, case.after, 1), encoding="utf-8")
    with pytest.raises(PackageError) as caught:
        Environment.load(package)
    error = caught.value
    assert error.file == case.file
    assert error.field == case.field
    assert case.message in error.bare
    assert str(error).startswith(case.file)


YAML_CASES = {
    "alias": ("roles: &r {diner: {table: people}}\nother: *r\n", "anchors and aliases are refused", 2),
    "anchor": ("scenario: &a text\n", "anchors and aliases are refused", 2),
    "tag": ("scenario: !!python/object:os.system x\n", "tags are refused", 2),
    "key twice": ("id: a\nscenario: b\nid: c\n", "the key is given twice", 4),
    "key that is a list": ("[a]: b\n", "keys are texts", 2),
    "two documents": ("id: a\n---\nid: b\n", "holds more than one document", 3),
    "unclosed bracket": ("roles: [a, b\nid: c\n", "is not YAML", None),
    "tab": ("roles:\n\ta: b\n", "is not YAML", 3),
    "deep nesting": ("id: " + "[" * 60 + "]" * 60 + "\n", "is nested too deeply", 2),
    "control character": ("id: a\x07b\n", "is not YAML", None),
}


@pytest.mark.parametrize("name", YAML_CASES)
def test_yaml_beyond_plain_data_is_refused(name: str, package: Path) -> None:
    text, message, line = YAML_CASES[name]
    (package / SPEC).write_text("format: 1\n" + text, encoding="utf-8")
    with pytest.raises(PackageError, match=message) as caught:
        Environment.load(package)
    assert caught.value.file == SPEC
    assert line is None or caught.value.line == line


def test_the_line_is_named(package: Path) -> None:
    path = package / TOOLS
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines) if "AND status IN" in line)
    lines[number] = lines[number].replace("status IN", "stat IN")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(PackageError) as caught:
        Environment.load(package)
    assert caught.value.line is not None
    assert 0 <= number + 1 - caught.value.line <= 3, "the step's own lines"


def test_sql_files_name_the_line(package: Path) -> None:
    path = package / SEED
    text = path.read_text(encoding="utf-8").replace("INSERT INTO waitlist", "INSERT INTO waitlists")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PackageError) as caught:
        Environment.load(package)
    assert caught.value.line == text[: text.index("INSERT INTO waitlists")].count("\n") + 1


def test_all_problems_of_a_kind_are_listed(package: Path) -> None:
    path = package / TOOLS
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("ref: restaurants.id", "ref: places.id").replace("[host]", "[chef]"), encoding="utf-8"
    )
    with pytest.raises(PackageError) as caught:
        Environment.load(package)
    fields = {problem.field for problem in caught.value.problems}
    assert {"tools.find_people.roles", "tools.join_waitlist.params.restaurant_id.ref"} <= fields
    assert all(problem.line for problem in caught.value.problems)


@pytest.mark.parametrize("name", [SPEC, TOOLS, SCHEMA, SEED])
def test_missing_file(name: str, package: Path) -> None:
    (package / name).unlink()
    with pytest.raises(PackageError, match=f"{name}: the file is missing"):
        Environment.load(package)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no environment package"):
        Environment.load(tmp_path / "nothing")


def test_too_large(package: Path) -> None:
    (package / TOOLS).write_text("#" * 5_000_000, encoding="utf-8")
    with pytest.raises(PackageError, match="larger than 4 MB"):
        Environment.load(package)


def test_not_text(package: Path) -> None:
    (package / SCHEMA).write_bytes(b"CREATE \xff\xfe")
    with pytest.raises(PackageError, match="not UTF-8"):
        Environment.load(package)


def test_no_ordinary_file(package: Path) -> None:
    (package / SEED).unlink()
    os.mkfifo(package / SEED)
    with pytest.raises(PackageError, match="no ordinary file"):
        Environment.load(package)
