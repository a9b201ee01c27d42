"""What the coder's prompt teaches of the format: its worked example builds, and does what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from envolve.agents.prompted import coder
from envolve.agents.prompted.coder.drafts import WrittenTools
from envolve.agents.prompted.coder.toolmaking import ToolsCheck, tools_of
from envolve.environments.models import Actor, EnvironmentSpec, Role, Tool, ToolsFile
from envolve.environments.package import Environment

PROMPTS = Path(coder.__file__).parent / "prompts"
SEED = """
INSERT INTO people VALUES (412, 'Ada', 'member'), (415, 'Ben', 'member'), (421, 'Lin', 'librarian');
INSERT INTO items VALUES (77, 'The Sea', 0), (81, 'A Room', 1);
INSERT INTO loans VALUES (901, 77, 412, '2026-03-04', 1, 'open'), (907, 81, 412, '2026-03-02', 0, 'open'),
  (912, 77, 415, '2026-03-09', 0, 'returned');
"""
SPEC = EnvironmentSpec(
    id="library",
    scenario="A library",
    roles={
        "member": Role(table="people", where="role = 'member'"),
        "librarian": Role(table="people", where="role = 'librarian'"),
    },
    clock="2026-03-02 09:00:00",
)


def example() -> tuple[str, list[Tool], WrittenTools]:
    text = (PROMPTS / "example.md.j2").read_text(encoding="utf-8")
    (schema,) = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    contracts, reply = (json.loads(part) for part in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    return schema, [Tool.model_validate(tool) for tool in contracts], WrittenTools.model_validate(reply)


@pytest.fixture(scope="module")
def library() -> Environment:
    schema, contracts, written = example()
    tools = tools_of({tool.name: tool for tool in contracts}, written)
    return Environment.build(spec=SPEC, schema_sql=schema, seed_sql=SEED, tools=ToolsFile(tools=tools))


def call(library: Environment, id_: int, role: str, name: str, **args: Any) -> Any:
    return library.open(actor=Actor(roles=(role,), id=id_)).call(name, **args)


def test_the_example_passes_the_check_that_replies_must() -> None:
    schema, contracts, written = example()
    check = ToolsCheck(SPEC, schema, {tool.name: tool for tool in contracts}, {"renew_loan": ("id", "due_on")})
    assert check(written) == []


def test_the_example_reads(library: Environment) -> None:
    own = call(library, 412, "member", "list_loans").value
    assert [item["id"] for item in own["items"]] == [907, 901]
    assert own["items"][0]["is_held"] is True
    all_ = call(library, 421, "librarian", "list_loans", sort="title", limit=2).value
    assert [item["id"] for item in all_["items"]] == [907, 901]
    assert all_["total"] == 3
    assert call(library, 421, "librarian", "list_loans", title="sea", status="returned").value["total"] == 1
    assert call(library, 421, "librarian", "list_loans", title="room a").value["total"] == 1


def test_the_example_writes_and_refuses(library: Environment) -> None:
    assert call(library, 412, "member", "renew_loan", loan_id=901).value == {
        "id": 901,
        "due_on": "2026-03-18",
        "renewals": 2,
    }
    assert call(library, 415, "member", "renew_loan", loan_id=901).error.code == "forbidden"
    assert "waits for item 81" in call(library, 412, "member", "renew_loan", loan_id=907).error.message
    assert "is returned, not open" in call(library, 421, "librarian", "renew_loan", loan_id=912).error.message


def test_the_format_is_taught_in_few_tokens() -> None:
    text = "".join((PROMPTS / f"{name}.md.j2").read_text(encoding="utf-8") for name in ("format", "example"))
    assert len(text) / 3.2 < 2_900
