"""Texts that SQL makes and that are no valid Unicode: a clean error, and nothing of them stays in a world."""

import sqlite3
from pathlib import Path

import pytest

from envolve.environments import Environment
from envolve.environments.errors import PackageError
from envolve.environments.models import Task

from .conftest import MakeEnvironment

SCHEMA = "CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, name TEXT, amount INTEGER, tag TEXT UNIQUE) STRICT;\n"
SEED = "INSERT INTO items (id, name, amount) VALUES (1, 'one', 200), (2, 'zwölf', -5), (300, 'drei', NULL);\n"
NO_TEXTS = [
    "char(55296)",
    "char(:code)",
    "'a' || char(57343) || 'b'",
    "CAST(x'ff' AS TEXT)",
    "x'c3' || ''",
    "json_extract('\"\\ud800\"', '$')",
    "json_extract(:text, '$')",
    "(SELECT value FROM json_each(:texts))",
    "substr(CAST('é' AS BLOB), 2) || ''",
    "unistr('\\D800')",
    "fold('É' || char(55296))",
    "group_concat(char(55296))",
]
PARAMS = (
    "  params: {code: {type: integer, default: 55296}, text: {type: string, default: '\"\\ud800\"'},"
    " texts: {type: array, items: {type: string}}}\n"
)


def tool(name: str, kind: str, body: str) -> str:
    return f"- name: {name}\n  description: Act\n  kind: {kind}\n{PARAMS}{body}"


def quoted(sql: str) -> str:
    return "'" + sql.replace("'", "''") + "'"


@pytest.mark.parametrize("text", NO_TEXTS)
def test_a_text_that_is_none_ends_the_call(text: str, make_environment: MakeEnvironment) -> None:
    tools = (
        tool("read", "read", f"  returns: {{value: {quoted(f'SELECT {text}')}}}\n")
        + tool("look", "read", f"  steps: [{{let: {{found: {quoted(f'SELECT {text}')}}}}}]\n")
        + tool(
            "write",
            "write",
            f"  steps: [{{do: {quoted(f'UPDATE items SET name = (SELECT {text}) WHERE id = 2')}}}]\n",
        )
        + tool(
            "add", "write", f"  steps: [{{do: {quoted(f'INSERT INTO items (name, amount) SELECT {text}, 128')}}}]\n"
        )
        + tool("safe", "read", "  returns: {many: SELECT * FROM items, order: id}\n")
    )
    with make_environment(SCHEMA, SEED, tools).open() as episode:
        before = episode.final_image()
        for name in ("read", "look", "write", "add"):
            result = episode.call(name, texts=["a"] if "texts" not in text else ["\\ud800"])
            if "texts" in text:
                # JSON that the runtime binds is valid, whatever its texts look like.
                assert result.ok, (name, result)
                continue
            assert result.error is not None, name
            assert (result.error.code, result.error.message) == ("limit_exceeded", "A text is not valid Unicode."), (
                name
            )
            assert episode.final_image() == before, name
        assert episode.call("safe").ok
        episode.changes()
        assert episode.trace.model_dump_json()


@pytest.mark.parametrize("name", ["", "a", "ä", "日本", "😀", "a\u0000b", "\U0010ffff" * 100, "a" * 127, "é" * 64])
@pytest.mark.parametrize("amount", [0, 1, 127, 128, 200, 255, 65_533, -1, 2**40 + 128])
def test_valid_texts_beside_any_numbers_are_kept(name: str, amount: int, make_environment: MakeEnvironment) -> None:
    text = "replace(:name, '~', char(0))"
    write = tool("write", "write", "").replace(
        PARAMS, "  params: {name: {type: string}, amount: {type: integer}}\n"
    ) + (
        f"  steps: [{{do: {quoted(f'UPDATE items SET name = {text}, amount = :amount, tag = {text} WHERE id = 300')}}}]\n"
    )
    with make_environment(SCHEMA, SEED, write).open() as episode:
        assert episode.call("write", name=name.replace("\0", "~"), amount=amount).ok
        assert episode.changes().rows[0].new == {"name": name, "amount": amount, "tag": name}


def test_a_setup_that_makes_one_is_refused(make_environment: MakeEnvironment) -> None:
    environment = make_environment(SCHEMA, SEED)
    for sql, fine in (
        ("UPDATE users SET name = char(55296)", False),
        ("INSERT INTO items (name) SELECT char(56000) UNION SELECT 'a'", False),
        ("UPDATE items SET name = 'é', amount = 200", True),
    ):
        task = Task.model_validate(
            {
                "id": "spoiled",
                "instruction": "Look.",
                "actor": {"roles": ["user"], "id": 5},
                "goal": {"text": "Looked."},
                "setup": [sql],
            }
        )
        if fine:
            environment.open(task).close()
            continue
        with pytest.raises(PackageError, match=r"tasks/spoiled\.yaml: setup: a text is not valid UTF-8"):
            environment.open(task)


def test_a_seed_database_that_holds_one_is_refused(package: Path) -> None:
    (package / "seed.sql").rename(package / "seed.txt")
    with sqlite3.connect(package / "seed.db") as connection:
        connection.executescript((package / "schema.sql").read_text(encoding="utf-8"))
        connection.executescript((package / "seed.txt").read_text(encoding="utf-8"))
        connection.execute("UPDATE people SET name = CAST(x'41ff' AS TEXT) WHERE id = 204")
    connection.close()
    with pytest.raises(PackageError, match=r"seed\.db: holds a text that is not valid UTF-8"):
        Environment.load(package)
