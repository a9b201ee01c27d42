"""A small world whose task carries marks that must never reach an agent, and a service over it on real ports."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from envolve.environments.models import EnvironmentSpec, Task, ToolsFile
from envolve.environments.package import Environment
from envolve.environments.serving import Endpoints, EnvironmentService, ServiceSettings

SCHEMA = """
CREATE TABLE staff (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE items (
  id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL CHECK (count >= 0)
) STRICT;
"""

SEED = """
INSERT INTO staff (id, name) VALUES (7, 'Ada Lindqvist');
INSERT INTO items (id, name, count) VALUES (11, 'blue lamp', 9), (23, 'red lamp', 4), (38, 'Žlutá židle', 2);
"""

SPEC = {
    "id": "stock-room",
    "scenario": "A stock room",
    "roles": {"clerk": {"table": "staff"}},
    "clock": "2026-03-02 09:00:00",
    "policy": "1. Nothing leaves without a clerk.",
}

FIFTEEN_TIMES = ", ".join(f"items i{number}" for number in range(15))

TOOLS = {
    "tools": [
        {
            "name": "find_items",
            "description": "Items whose name has a word.",
            "kind": "read",
            "params": {"word": {"type": "string", "maxLength": 100}},
            "required": ["word"],
            "returns": {"many": "SELECT id, name, count FROM items WHERE has_word(name, :word)", "order": "id"},
        },
        {
            "name": "count_items",
            "description": "How many kinds of items there are.",
            "kind": "read",
            "returns": {"value": "SELECT count(*) FROM items"},
        },
        {
            "name": "take_item",
            "description": "Take some of an item out of the room.",
            "kind": "write",
            "params": {
                "item_id": {"type": "integer", "ref": "items.id"},
                "amount": {"type": "integer", "minimum": 1},
            },
            "required": ["item_id", "amount"],
            "steps": [
                {"let": {"left": "SELECT count - :amount FROM items WHERE id = :item_id"}},
                {"require": "SELECT :left >= 0", "error": {"code": "conflict", "message": "Too few are left."}},
                {"do": "UPDATE items SET count = :left WHERE id = :item_id", "rows": 1},
            ],
            "returns": {"one": "SELECT id, name, count FROM items WHERE id = :item_id"},
            "contract": {"items": {"update": ["count"]}},
        },
        {
            "name": "grind",
            "description": "Counts to the given number, slowly: up to three to the fifteenth.",
            "kind": "read",
            "params": {"up_to": {"type": "integer", "minimum": 1}},
            "required": ["up_to"],
            "returns": {"value": f"SELECT count(*) FROM (SELECT 1 FROM {FIFTEEN_TIMES} LIMIT :up_to)"},
        },
    ]
}

TASK = {
    "id": "hidden-task-name",
    "instruction": "Take two blue lamps.",
    "actor": {"roles": ["clerk"], "id": 7},
    "goal": {"text": "GOALTEXT", "sql": "SELECT count = 7 AND 'GOALSQL' <> '' FROM after.items WHERE id = 11"},
    "gold": [
        {"call": "find_items", "args": {"word": "blue"}, "as": "goldfound"},
        {"pick": "goldpick", "sql": "SELECT id FROM $goldfound"},
        {"call": "take_item", "args": {"item_id": "$goldpick.id", "amount": 2}},
        {"submit": {"status": "done"}},
    ],
    "verifier": {
        "require": [
            {"name": "CHECKNAME", "sql": "SELECT count = 7 AND 'CHECKSQL' <> '' FROM after.items WHERE id = 11"}
        ],
        "allow": [{"table": "items", "key": {"id": 11}, "columns": ["count"]}],
    },
}

MARKS = ("GOALTEXT", "GOALSQL", "CHECKNAME", "CHECKSQL", "goldfound", "goldpick", "hidden-task-name")
"""Words of the task's goal, gold, verifier and id."""

TASK_ID = "hidden-task-name"


@pytest.fixture(scope="session")
def world() -> Environment:
    return Environment.build(
        spec=EnvironmentSpec.model_validate(SPEC),
        schema_sql=SCHEMA,
        seed_sql=SEED,
        tools=ToolsFile.model_validate(TOOLS),
        tasks=[Task.model_validate(TASK)],
    )


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@dataclass(frozen=True)
class Running:
    """A service that runs, and an HTTP client on its control surface that holds the token."""

    service: EnvironmentService
    ends: Endpoints
    control: httpx.AsyncClient

    async def open(self, **request: Any) -> tuple[str, str]:
        """Id and MCP URL of a new episode (of the task, unless told otherwise)."""
        answer = await self.control.post("/episodes", json={"task": TASK_ID, **request})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"], answer.json()["mcp_url"]

    async def summaries(self) -> dict[str, dict[str, Any]]:
        """The episodes that were opened through the control surface, by id."""
        listed = (await self.control.get("/episodes")).json()["episodes"]
        return {episode["id"]: episode for episode in listed if not episode["standing"]}

    async def verify(self, id: str) -> dict[str, Any]:
        answer = await self.control.post(f"/episodes/{id}/verify")
        assert answer.status_code == 200, answer.text
        verdict: dict[str, Any] = answer.json()
        return verdict


Serve = Callable[..., AbstractAsyncContextManager[Running]]


@pytest.fixture(scope="session")
def serve(world: Environment) -> Serve:
    """Starts a service on free ports: `async with serve(**settings) as running`."""

    @asynccontextmanager
    async def start(service: EnvironmentService | None = None, **settings: Any) -> AsyncIterator[Running]:
        service = service or EnvironmentService([world], ServiceSettings(port=0, **settings))
        async with service.running() as ends:
            headers = {"Authorization": f"Bearer {ends.control_token}"}
            async with httpx.AsyncClient(base_url=ends.control_url, headers=headers, trust_env=False) as control:
                yield Running(service, ends, control)

    return start


@pytest.fixture(scope="module")
async def running(serve: Serve, anyio_backend: str) -> AsyncIterator[Running]:
    """One service for all tests of a module that do not mind each other's episodes."""
    async with serve() as running:
        yield running
