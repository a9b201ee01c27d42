"""A package that means harm is refused at load, or its calls end with limit_exceeded. The process goes on."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest

from envolve.environments import Environment, Limits
from envolve.environments.connections import StepBudget
from envolve.environments.errors import PackageError
from envolve.environments.models import CallResult

from .conftest import MakeEnvironment

SCHEMA = """
CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, name TEXT) STRICT;
CREATE TABLE pile (id INTEGER NOT NULL PRIMARY KEY, data ANY) STRICT;
"""
SEED = "INSERT INTO items (name) VALUES " + ", ".join(f"('item {i}')" for i in range(60)) + ";"
FOREVER = "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c)"
BIG = "printf('%.*c', 60000, 'a')"

STOPPED = {
    "endless recursion": f"{FOREVER} SELECT count(*) FROM c",
    "cross join": "SELECT count(*) FROM items a, items b, items c, items d, items e, items f",
    "huge blob": "SELECT length(zeroblob(1000000000))",
    "huge text": "SELECT length(printf('%.*c', 1000000000, 'x'))",
    "doubled text": "WITH RECURSIVE c (s) AS (SELECT 'x' UNION ALL SELECT s || s FROM c) SELECT s FROM c ORDER BY 1",
    "huge text by replace": f"SELECT length(replace({BIG}, 'a', {BIG}))",
    "huge group_concat": f"SELECT length(group_concat({BIG})) FROM items",
    "huge json": f"SELECT length(json_group_array({BIG})) FROM items",
    "huge sort": f"{FOREVER}, d AS (SELECT i, {BIG} AS s FROM c LIMIT 9999) SELECT i FROM d ORDER BY s",
    "huge distinct": f"{FOREVER}, d AS (SELECT i || {BIG} AS s FROM c LIMIT 100000) SELECT count(DISTINCT s) FROM d",
    "long LIKE pattern": f"SELECT {BIG} LIKE {BIG}",
    "long GLOB pattern": f"SELECT {BIG} GLOB {BIG}",
    "many LIKEs": f"{FOREVER} SELECT sum({BIG} LIKE '%a%a%a%a%a%a%a%a%b') FROM (SELECT i FROM c LIMIT 10000000)",
    "window over much": f"{FOREVER} SELECT sum(i) OVER (ORDER BY i ROWS 9999 PRECEDING) FROM c LIMIT 900000",
    "json_each over much": "SELECT count(*) FROM items a, items b, items c, json_each('[1, 2]'), items d, items e",
}


def call(make: MakeEnvironment, sql: str, *, kind: str = "read", limits: Limits | None = None) -> CallResult:
    steps = f'  returns: {{value: "{sql}"}}\n' if kind == "read" else f'  steps: [{{do: "{sql}"}}]\n'
    tool = f"- name: act\n  description: Act\n  kind: {kind}\n{steps}"
    safe = "- {name: safe, description: Safe, kind: read, returns: {value: SELECT count(*) FROM items}}\n"
    with make(schema=SCHEMA, seed=SEED, tools=tool + safe).open(limits=limits) as episode:
        before = episode.final_image()
        result = episode.call("act")
        if not result.ok:
            assert episode.final_image() == before
        assert episode.call("safe").value == {"value": 60}, "the world goes on"
        return result


@pytest.mark.parametrize("name", STOPPED)
def test_reads_are_stopped(name: str, make_environment: MakeEnvironment) -> None:
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    result = call(make_environment, STOPPED[name])
    assert result.error is not None
    assert result.error.code == "limit_exceeded", result
    assert time.process_time() - start < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000, "KiB"


def test_large_sorts_spill_into_memory(make_environment: MakeEnvironment) -> None:
    count = FOREVER.replace("FROM c)", "FROM c LIMIT 8000)")
    numbers = f"{count}, d AS (SELECT i, printf('%.*c', 900, 'a') || i AS s FROM c)"
    for sql in (
        f"{numbers} SELECT i FROM d ORDER BY s DESC",
        f"{numbers} SELECT count(*) FROM (SELECT s FROM d UNION SELECT s || 'b' FROM d)",
        f"{numbers} SELECT count(DISTINCT s) FROM d",
    ):
        result = call(make_environment, sql)
        assert result.ok, result
        assert result.value["value"] in (999, 16000, 8000), result


def test_endless_results_are_stopped(make_environment: MakeEnvironment) -> None:
    tool = f'- {{name: act, description: Act, kind: read, returns: {{many: "{FOREVER} SELECT i FROM c"}}}}\n'
    with make_environment(tools=tool).open() as episode:
        result = episode.call("act")
        assert result.error is not None
        assert result.error.code == "limit_exceeded"


WRITES = {
    "filling up": f"{FOREVER} INSERT INTO pile (data) SELECT zeroblob(60000) FROM c",
    "endless insert": f"{FOREVER} INSERT INTO items (name) SELECT i FROM c",
    "huge row": "INSERT INTO pile (data) VALUES (zeroblob(70000))",
    "update of a cross join": "UPDATE items SET name = (SELECT count(*) FROM items a, items b, items c, items d)",
}


@pytest.mark.parametrize("name", WRITES)
def test_writes_are_stopped_and_undone(name: str, make_environment: MakeEnvironment) -> None:
    result = call(make_environment, WRITES[name], kind="write")
    assert result.error is not None
    assert result.error.code == "limit_exceeded", result


def test_triggers_that_start_each_other_are_stopped(make_environment: MakeEnvironment) -> None:
    schema = SCHEMA + (
        "CREATE TRIGGER ping AFTER INSERT ON items BEGIN INSERT INTO pile (data) VALUES (new.name); END;"
        "CREATE TRIGGER pong AFTER INSERT ON pile BEGIN INSERT INTO items (name) VALUES (new.data); END;"
    )
    tool = "- {name: act, description: Act, kind: write, steps: [{do: INSERT INTO items (name) VALUES ('a')}]}\n"
    with make_environment(schema=schema, tools=tool).open() as episode:
        assert episode.call("act").ok in (True, False)
        assert len(episode.changes().rows) < 100


def test_the_clock_is_a_backstop_and_the_worlds_fault(make_environment: MakeEnvironment) -> None:
    sought = "printf('%.*c', 30000 + i % 2, 'a') || 'b'"
    slow = f"{FOREVER} SELECT sum(instr({BIG}, {sought})) FROM (SELECT i FROM c LIMIT 1000000)"
    start = time.process_time()
    result = call(make_environment, slow, limits=Limits(seconds_per_call=0.2))
    assert result.error is not None
    assert result.error.code == "internal"
    assert "longer than 0.2 seconds" in result.detail
    assert time.process_time() - start < 10


def test_the_time_in_which_the_machine_does_other_things_counts_for_no_call() -> None:
    """A laptop that sleeps, a busy machine."""
    budget = StepBudget(Limits(seconds_per_call=0.05))
    assert not budget()
    time.sleep(0.2)
    assert not budget()
    start = time.thread_time()
    while time.thread_time() - start < 0.1:
        pass
    assert budget()
    assert budget.spent == "seconds"


REFUSED = {
    "ATTACH": "ATTACH ':memory:' AS other",
    "ATTACH a file": "ATTACH '/etc/passwd' AS other",
    "DETACH": "DETACH main",
    "PRAGMA": "PRAGMA writable_schema = 1",
    "PRAGMA as a table": "SELECT * FROM pragma_table_info('items')",
    "schema table": "SELECT sql FROM sqlite_schema",
    "schema table by its old name": "SELECT sql FROM sqlite_master",
    "sequence table": "SELECT * FROM sqlite_sequence",
    "dbstat": "SELECT * FROM dbstat",
    "carray": "SELECT * FROM carray(1, 1)",
    "VACUUM INTO": "VACUUM INTO '/tmp/stolen.db'",
    "load_extension": "SELECT load_extension('/tmp/x.so')",
    "readfile": "SELECT readfile('/etc/passwd')",
    "writefile": "SELECT writefile('/tmp/x', 'x')",
    "fts3_tokenizer": "SELECT fts3_tokenizer('simple')",
    "random": "SELECT random()",
    "randomblob": "SELECT hex(randomblob(4))",
    "random by another name": "SELECT abs( Random () )",
    "sqlite_version": "SELECT sqlite_version()",
    "changes": "SELECT changes()",
    "sqlite_log": "SELECT sqlite_log(1, 'x')",
    "CREATE": "CREATE TABLE more (a)",
    "DROP": "DROP TABLE items",
    "ALTER": "ALTER TABLE items ADD COLUMN more TEXT",
    "BEGIN": "BEGIN",
    "COMMIT": "COMMIT",
    "ROLLBACK": "ROLLBACK",
    "SAVEPOINT": "SAVEPOINT changeset",
    "RELEASE": "RELEASE changeset",
    "ANALYZE": "ANALYZE",
    "REINDEX": "REINDEX",
    "EXPLAIN": "EXPLAIN SELECT 1",
    "INSERT OR ROLLBACK": "INSERT OR ROLLBACK INTO items (name) VALUES ('a')",
    "REPLACE INTO": "REPLACE INTO items (id) VALUES (1)",
    "UPDATE OR REPLACE": "UPDATE OR REPLACE items SET id = 2",
    "nothing": "-- nothing",
    "another tongue": "GRANT ALL ON items",
    "half a statement": "SELECT (",
    "deep expression": "SELECT " + "NOT " * 300 + "1",
    "deep brackets": "SELECT " + "(" * 60 + "1" + ")" * 60,
    "virtual table of which no column is used": "SELECT count(*) FROM dbstat",
    "pragma of which no column is used": "SELECT count(*) FROM pragma_table_info('items')",
    "pragma in capitals": "SELECT count(*) FROM PRAGMA_table_info('items')",
    "pragma in quotes": 'SELECT count(*) FROM "Pragma_Function_List"',
    "many terms": "SELECT " + " + ".join(["1"] * 500),
    "many compounds": " UNION ALL ".join(["SELECT 1"] * 300),
    "long text": "SELECT '" + "x" * 150_000 + "'",
    "many columns": "SELECT " + ", ".join(f"{i} AS c{i}" for i in range(300)),
    "exploding views": "WITH a AS (SELECT 1 AS x FROM items), "
    + ", ".join(f"{chr(98 + i)} AS (SELECT p.x FROM {chr(97 + i)} p, {chr(97 + i)} q)" for i in range(20))
    + " SELECT count(*) FROM u",
}


@pytest.mark.parametrize("kind", ["read", "write"])
@pytest.mark.parametrize("name", REFUSED)
def test_refused_at_load(name: str, kind: str, make_environment: MakeEnvironment) -> None:
    start = time.process_time()
    with pytest.raises(PackageError) as caught:
        call(make_environment, REFUSED[name].replace('"', '\\"'), kind=kind)
    assert caught.value.file == "tools.yaml"
    assert time.process_time() - start < 5


@pytest.mark.parametrize("sql", ["SELECT 1", "DELETE FROM items", "UPDATE items SET name = 'x'"])
def test_each_place_takes_its_kind_of_statement(sql: str, make_environment: MakeEnvironment) -> None:
    with pytest.raises(PackageError):
        call(make_environment, sql, kind="write" if sql.startswith("SELECT") else "read")


SCHEMAS = {
    "PRAGMA": "PRAGMA journal_mode = WAL;",
    "ATTACH": "ATTACH '/tmp/x.db' AS x;",
    "temporary table": "CREATE TEMP TABLE t (id INTEGER PRIMARY KEY) STRICT;",
    "virtual table": "CREATE VIRTUAL TABLE t USING dbstat;",
    "rows": "INSERT INTO users VALUES (1, 'a');",
    "endless insert into sqlite_sequence": f"{FOREVER} INSERT INTO sqlite_sequence SELECT i, i FROM c;",
    "default that runs code": "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT DEFAULT (load_extension('x'))) STRICT;",
    "random default": "CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER DEFAULT (abs(random()))) STRICT;",
    "trigger that rolls back": "CREATE TRIGGER t AFTER INSERT ON users BEGIN SELECT RAISE(ROLLBACK, 'x'); END;",
    "REPLACE in a constraint": "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT UNIQUE ON CONFLICT REPLACE) STRICT;",
    "table named as SQLite's": "CREATE TABLE sqlite_mine (id INTEGER PRIMARY KEY) STRICT;",
    "quoted name": 'CREATE TABLE "a; DROP TABLE users" (id INTEGER PRIMARY KEY) STRICT;',
    "not closed": "CREATE TABLE t (id INTEGER PRIMARY KEY",
    "views built on each other": "CREATE VIEW v0 AS SELECT id FROM users;"
    + "".join(f"CREATE VIEW v{i + 1} AS SELECT a.id FROM v{i} a, v{i} b;" for i in range(14)),
    "views built on each other, hidden": 'CREATE VIEW "v0" AS SELECT id FROM users;'
    + "".join(
        f'CREATE /* a b */ VIEW IF NOT EXISTS "v{i + 1}" AS SELECT DISTINCT a.id FROM [v{i}] a, `v{i}` b, "V{i}" c;'
        for i in range(14)
    ),
    "half a view": "CREATE VIEW IF NOT EXISTS;",
    "columns computed from each other": "CREATE TABLE t (id INTEGER PRIMARY KEY, g0 TEXT AS (id || id)"
    + "".join(f", g{i + 1} TEXT AS (g{i} || g{i})" for i in range(60))
    + ") STRICT;",
    "many triggers": "".join(
        f"CREATE TRIGGER t{i} AFTER UPDATE ON users BEGIN UPDATE users SET name = '{i}' WHERE id = 1; END;"
        for i in range(1500)
    ),
    "many tables": "".join(f"CREATE TABLE t{i} (id INTEGER PRIMARY KEY) STRICT;" for i in range(16_000)),
    "many statements of nothing": ";" * 1_000_000,
    "many brackets": "CREATE TABLE " + "[" * 300_000,
    "many semicolons in a trigger": "CREATE TRIGGER t AFTER INSERT ON users BEGIN " + "SELECT 1; " * 50_000,
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_hostile_schemas_are_refused(name: str, make_environment: MakeEnvironment) -> None:
    start = time.process_time()
    with pytest.raises(PackageError, match=r"schema\.sql"):
        make_environment(schema=SCHEMAS[name])
    assert time.process_time() - start < 5


SEEDS = {
    "endless": f"{FOREVER} INSERT INTO users SELECT i + 100, 'a' FROM c;",
    "large": f"{FOREVER} INSERT INTO users SELECT i + 100, hex(zeroblob(1000000)) FROM c LIMIT 100;",
    "random": "INSERT INTO users VALUES (abs(random()) % 1000 + 100, 'a');",
    "schema": "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'x');",
    "another statement": "DROP TABLE users;",
    "text that is none": "INSERT INTO users VALUES (100, CAST(x'ff' AS TEXT));",
    "statements without end": ";" * 600_000,
    "long text": "INSERT INTO users VALUES (100, '" + "a" * 3_000_000 + "');",
    "very long text": "INSERT INTO users VALUES (100, '" + "ab''" * 2_000_000 + "');",
    "slow": "INSERT INTO users SELECT 100, count(*) FROM " + ", ".join(f"users u{i}" for i in range(60)) + ";",
}


@pytest.mark.parametrize("name", SEEDS)
def test_hostile_seeds_are_refused(name: str, make_environment: MakeEnvironment) -> None:
    start = time.process_time()
    with pytest.raises(PackageError, match=r"seed\.sql"):
        make_environment(seed=SEEDS[name])
    assert time.process_time() - start < 10


def test_a_pattern_that_backtracks_takes_no_time(make_environment: MakeEnvironment) -> None:
    tool = "- name: act\n  description: Act\n  kind: read\n  params: {x: {type: string, pattern: '^(a+)+$'}}\n"
    with make_environment(tools=tool).open() as episode:
        start = time.process_time()
        result = episode.call("act", x="a" * 50_000 + "b")
        assert result.error is not None
        assert time.process_time() - start < 1


def test_yaml_bombs_are_refused(package: Path) -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(24)
    )
    (package / "tools.yaml").write_text(bomb, encoding="utf-8")
    with pytest.raises(PackageError, match="anchors and aliases"):
        Environment.load(package)


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 50_000, "- " * 100_000, "a: " + "x" * 3_000_000])
def test_yaml_that_is_deep_or_long(text: str, package: Path) -> None:
    (package / "environment.yaml").write_text(text, encoding="utf-8")
    start = time.process_time()
    with pytest.raises(PackageError):
        Environment.load(package)
    assert time.process_time() - start < 5


def test_yaml_with_many_values(package: Path) -> None:
    (package / "environment.yaml").write_text("a:\n" + "- b\n" * 900_000, encoding="utf-8")
    start = time.process_time()
    with pytest.raises(PackageError, match="more than 200,000 values"):
        Environment.load(package)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("name", ["seed.sql", "environment.yaml", "tasks/move-the-anniversary-dinner.yaml"])
def test_links_that_lead_out_of_a_package(name: str, package: Path, tmp_path: Path) -> None:
    (package / name).rename(tmp_path / "secret")
    (package / name).symlink_to(tmp_path / "secret")
    with pytest.raises(PackageError, match="leads out of the package") as caught:
        Environment.load(package)
    assert caught.value.file == name


def test_a_folder_that_leads_out_of_a_package(package: Path, tmp_path: Path) -> None:
    (package / "tasks").rename(tmp_path / "tasks")
    (package / "tasks").symlink_to(tmp_path / "tasks")
    with pytest.raises(PackageError, match="leads out of the package"):
        Environment.load(package)


def test_a_package_may_be_reached_by_a_link(package: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(package)
    (package / "more.sql").write_text((package / "seed.sql").read_text(encoding="utf-8"), encoding="utf-8")
    (package / "seed.sql").unlink()
    (package / "seed.sql").symlink_to("more.sql")
    assert Environment.load(tmp_path / "link").tasks


WIDE = ", ".join(f"printf('%.*c', 60000, 'a') || i AS c{i}" for i in range(150))


@pytest.mark.parametrize("place", ["many", "one", "look-ups"])
def test_wide_rows_do_not_fill_the_memory(place: str, make_environment: MakeEnvironment) -> None:
    row = f"{FOREVER} SELECT {WIDE} FROM c"
    looks = "".join(f'    - let: {{r{i}: {{row: "{row}"}}}}\n' for i in range(60))
    body = f"  steps:\n{looks}" if place == "look-ups" else f'  returns: {{{place}: "{row}"}}\n'
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with make_environment(tools=f"- name: act\n  description: Act\n  kind: read\n{body}").open() as episode:
        result = episode.call("act")
    assert result.error is not None
    assert result.error.code == "limit_exceeded"
    assert time.process_time() - start < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000, "KiB"


def test_words_are_found_in_linear_time(make_environment: MakeEnvironment) -> None:
    words = "replace(printf('%.*c', {}, 'b'), 'b', 'a ')"
    result = call(make_environment, f"SELECT has_word({words.format(30_000)}, {words.format(15_000)} || 'c')")
    assert result.value == {"value": 0}
    start = time.process_time()
    call(make_environment, f"SELECT has_word({words.format(30_000)}, {words.format(15_000)} || 'c')")
    assert time.process_time() - start < 0.3
