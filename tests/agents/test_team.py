"""Who plays which role, and with which settings."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from envolve.agents.prompted.architect import PromptedArchitect
from envolve.agents.prompted.composer import PromptedComposer
from envolve.agents.team import TeamSpec, assemble
from envolve.environments.errors import InputError

MODEL = "openai:x@http://127.0.0.1:1/v1"


def test_the_architect_of_a_procedural_coder_composes() -> None:
    assert isinstance(assemble(TeamSpec(architect=MODEL)).architect, PromptedComposer)
    written = TeamSpec(architect=MODEL, coder=MODEL, task_writer=MODEL, evolver=MODEL)
    assert isinstance(assemble(written).architect, PromptedArchitect)


@pytest.mark.parametrize(
    ("roles", "remedy"),
    [
        ({"coder": MODEL}, "--task-writer"),
        ({"task_writer": MODEL}, "--evolver"),
        ({"coder": MODEL, "task_writer": MODEL, "evolver": MODEL, "fault_rate": 0.5}, "--fault-rate"),
        ({"architect": "gpt-5"}, "openai:gpt-5"),
    ],
)
def test_roles_that_cannot_work_together_are_told(roles: dict[str, Any], remedy: str) -> None:
    with pytest.raises(InputError) as caught:
        assemble(TeamSpec(**roles))
    assert remedy in caught.value.remedy


def test_a_role_may_have_settings_of_its_own() -> None:
    spec = TeamSpec.model_validate(
        {"model_settings": {"temperature": 0.5, "timeout": 60}, "role_settings": {"critics": {"temperature": 0}}}
    )
    assert (spec.settings_of("critics").temperature, spec.settings_of("critics").timeout) == (0, 60)
    assert spec.settings_of("coder").temperature == 0.5
    assert TeamSpec.model_validate_json(spec.model_dump_json()) == spec
    with pytest.raises(ValidationError):
        TeamSpec.model_validate({"role_settings": {"critics": {"warmth": 1}}})
