"""A broken package is refused by every command, with file and field, before anything of it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Cli

QUERY = "SELECT id, name, email, role FROM people WHERE has_word(name, :name)"
FIND = "tools.find_people"

BROKEN = {
    "a wrong type": ("environment.yaml", "roles:\n", "roles: 5\nunused:\n", ["environment.yaml", "roles"]),
    "not YAML": ("tools.yaml", "tools:", "tools: [", ["tools.yaml", "is not YAML"]),
    "another format": ("environment.yaml", "format: 1", "format: 9", ["environment.yaml:1", "format", "format 1"]),
    "an unknown table": ("tools.yaml", "email, role FROM people", "email, role FROM persons", [FIND, "persons"]),
    "a read tool that writes": ("tools.yaml", QUERY, "DELETE FROM people RETURNING id", [FIND, "tools.yaml"]),
    "ATTACH": ("tools.yaml", QUERY, "ATTACH '/etc/passwd' AS stolen", [FIND]),
    "PRAGMA": ("tools.yaml", QUERY, "PRAGMA writable_schema = ON", [FIND]),
    "an extension": ("tools.yaml", QUERY, "SELECT load_extension('/tmp/x.so') AS id", [FIND]),
    "the schema itself": ("tools.yaml", QUERY, "SELECT name FROM sqlite_master", [FIND]),
    "two statements": ("tools.yaml", QUERY, "SELECT 1 AS id; DROP TABLE people", [FIND]),
    "a schema that fails": ("schema.sql", "CREATE TABLE people (", "CREATE TABLE people (,", ["schema.sql"]),
    "a seed that fails": ("seed.sql", "INSERT", "INSERT INTO no VALUES (1);\nINSERT", ["seed.sql"]),
}  # fmt: skip


def spoil(package: Path, file: str, before: str, after: str) -> None:
    path = package / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_told_with_file_and_field(cli: Cli, package: Path, case: str) -> None:
    file, before, after, words = BROKEN[case]
    spoil(package, file, before, after)
    cli("check", package).refused(2, *words)


@pytest.mark.parametrize("file", ["tools.yaml", "schema.sql", "seed.sql"])
def test_a_missing_file_is_named(cli: Cli, package: Path, file: str) -> None:
    (package / file).unlink()
    cli("audit", package).refused(2, file, "missing")


@pytest.mark.parametrize(
    "command",
    [
        ["check", "PACKAGE"],
        ["audit", "PACKAGE"],
        ["measure", "PACKAGE", "--solver", "gold"],
        ["solve", "PACKAGE", "count-fridays-guests", "--solver", "gold"],
        ["evolve", "PACKAGE", "count-fridays-guests", "--operator", "widen"],
        ["serve", "PACKAGE"],
    ],
    ids=lambda command: command[0],
)
def test_every_command_refuses_it(cli: Cli, package: Path, command: list[str]) -> None:
    spoil(package, "tools.yaml", "FROM people", "FROM persons")
    cli(*(package if word == "PACKAGE" else word for word in command)).refused(2, "tools.yaml", "persons")


def test_all_problems_of_a_kind_are_told(cli: Cli, package: Path) -> None:
    spoil(package, "environment.yaml", "summary:", "sumary:")
    spoil(package, "environment.yaml", "category:", "catgory:")
    cli("check", package).refused(2, "environment.yaml:4: sumary", "also environment.yaml:5: catgory")


def test_texts_of_a_package_cannot_steer_the_terminal(cli: Cli, package: Path) -> None:
    """Nothing that a message quotes is sent as it is: escape sequences would be obeyed."""
    path = package / "tasks" / "count-fridays-guests.yaml"
    hostile = path.read_text(encoding="utf-8").replace(
        "status: done}\n  answer", 'status: "\\e[31m\\a\\e]0;x"}\n  answer'
    )
    path.write_text(hostile, encoding="utf-8")
    done = cli("check", package)
    done.refused(2, "count-fridays-guests.yaml")
    assert "\x1b" not in done.err
    assert "\x07" not in done.err


def test_a_query_that_never_ends_is_stopped(cli: Cli, package: Path) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS id FROM n"
    spoil(package, "tools.yaml", QUERY, endless)
    spoil(package, "tools.yaml", "    order: name, id\n", "    order: id\n")
    calls = '[{"call": "find_people", "args": {"name": "Ada"}}]'
    done = cli("solve", package, "count-fridays-guests", "--script", calls)
    assert done.code == 1
    assert "limit_exceeded" in done.out


def test_a_folder_without_a_package_is_named(cli: Cli, tmp_path: Path) -> None:
    cli("check", tmp_path).refused(2, str(tmp_path), "environment.yaml")
    cli("audit", tmp_path / "nowhere").refused(2, "nowhere")


def test_an_unknown_task_lists_those_there_are(cli: Cli, package: Path) -> None:
    cli("solve", package, "no-such-task", "--solver", "gold").refused(2, "no-such-task", "count-fridays-guests")
