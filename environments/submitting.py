"""The tool that the runtime adds to a task's episode: `submit`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jsonschema

from .arguments import validation_problem
from .models import Submission, Verifier

_STATUSES = ("done", "refused", "impossible")


def submit_tool(verifier: Verifier) -> dict[str, Any]:
    """MCP definition of `submit`. Its schema follows the answer's kind and the refusal options, not what is right."""
    from .answer_matching import answer_schema

    reasons = list(verifier.submit.options)
    properties: dict[str, Any] = {
        "status": {
            "type": "string",
            "enum": list(_STATUSES),
            "description": "done, refused (a rule forbids the request) or impossible (it cannot be done)",
        },
        "reason": {"type": ["integer", "null"], "description": "For refusals: the number of the rule"},
    }
    if reasons:
        properties["reason"]["enum"] = [*reasons, None]
    answer = answer_schema(verifier.answer)
    if answer:
        properties["answer"] = answer
    return {
        "name": "submit",
        "description": "Hand in the result and end the episode.",
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": ["status"],
            "additionalProperties": False,
        },
    }


class SubmissionReader:
    """Checks what is handed in against the schema of `submit`."""

    def __init__(self, verifier: Verifier) -> None:
        self.tool = submit_tool(verifier)
        self._validator = jsonschema.Draft202012Validator(self.tool["inputSchema"])

    def read(self, args: Mapping[str, Any]) -> Submission | str:
        """The submission, or what is wrong with it. A null answer counts as none."""
        given = {name: value for name, value in args.items() if value is not None or name == "status"}
        problem = validation_problem(self._validator, given)
        return problem if problem else Submission(**given)
