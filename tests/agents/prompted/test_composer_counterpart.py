"""The reverse of composing: the procedural architect's blueprint in the hands of a coder that is a model.

Its replies are what the procedural coder writes for the same blueprint, put into the form that a model is asked for.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from envolve.agents.base import Brief, Scenario
from envolve.agents.llm import ModelSettings, chat_with
from envolve.agents.procedural import ProceduralArchitect, ProceduralCoder
from envolve.agents.procedural.composition import Composition
from envolve.agents.prompted.coder import PromptedCoder
from envolve.agents.prompted.coder.rows import Rows, rows_of
from envolve.agents.tester import run_gates
from envolve.environments.errors import InputError
from envolve.environments.package import Environment

from ...scripted_model import ScriptedModel

BRIEF = Brief(
    scenario=Scenario(
        id="boat-club",
        name="Boat Club",
        category="",
        text="A rowing club where members book boats, report damage and pay what they owe.",
    ),
    seed=7,
    size={"tables": 9, "tools": 22},
)


class Copyist:
    """Writes every group and table as an environment has them."""

    def __init__(self, environment: Environment) -> None:
        self._tools = environment.tools
        self._rows: Rows = rows_of(environment)
        self.asked = 0

    def answer(self, body: dict[str, Any]) -> str:
        self.asked += 1
        user = str(body["messages"][1]["content"])
        if str(body["messages"][0]["content"]).startswith("You fill tables"):
            found = re.search(r"Give the rows of ([\w, ]+)\.", user)
            assert found
            return json.dumps({"tables": [self._table(name) for name in found[1].split(", ")]})
        names = re.findall(r'^\{.*"name":"(\w+)".*\} result: ', user, re.MULTILINE)
        return json.dumps({"tools": [self._tool(name) for name in names]})

    def _tool(self, name: str) -> dict[str, Any]:
        written: dict[str, Any] = self._tools[name].model_dump(
            mode="json", by_alias=True, exclude_defaults=True, include={"name", "steps", "returns"}
        )
        return written

    def _table(self, name: str) -> dict[str, Any]:
        rows = list(self._rows[name].values())
        return {"table": name, "columns": list(rows[0]), "rows": [list(row.values()) for row in rows]}


def test_a_prompted_coder_writes_what_a_procedural_architect_designed(model_server: ScriptedModel) -> None:
    blueprint = asyncio.run(ProceduralArchitect().design(BRIEF))
    copyist = Copyist(asyncio.run(ProceduralCoder().write(BRIEF, blueprint)))
    model_server.answer(copyist.answer)
    coder = PromptedCoder(chat_with(model_server.name, ModelSettings(patience=1)))
    environment = asyncio.run(coder.write(BRIEF, blueprint))
    groups = -(-len(blueprint.contracts) // 7)
    batches = -(-blueprint.schema_sql.count("CREATE TABLE") // 4)
    assert copyist.asked == groups + batches, "no reply had to be mended"
    assert set(environment.tools) == {tool.name for tool in blueprint.contracts}
    assert [finding for finding in run_gates(environment, seed=1).findings if finding.confirmed] == []
    assert environment.spec.provenance.agents == {"architect": "procedural", "coder": model_server.name}
    with pytest.raises(InputError, match="not composed"):
        Composition.from_environment(environment)
