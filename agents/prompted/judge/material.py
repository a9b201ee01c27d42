"""What a judge is shown of a rollout, whichever its use, and the check of the step that it names."""

from __future__ import annotations

from ....environments.canonical import canonical_json
from ....environments.models import Trace
from ...judges.base import Case
from ..clipping import clipped
from ..showing import changes_text, tools_text, transcript_text

_MOST_TRANSCRIPT = 40_000
_MOST_SUBMIT = 4_000


def material(case: Case) -> dict[str, str]:
    return {
        "prompt": case.prompt,
        "tools": tools_text(case.environment, case.roles),
        "transcript": transcript_text(case.trace, _MOST_TRANSCRIPT) or "(nothing was done)",
        "submit": _submit(case),
        "changes": changes_text(case.changes),
        "end": _end(case.trace),
    }


def _submit(case: Case) -> str:
    """What the solver was told of the status, the rules to choose from and the answer."""
    return clipped(canonical_json(case.submit["properties"]), _MOST_SUBMIT)


def step_problems(step: int | None, trace: Trace) -> list[str]:
    """What is wrong with the number of a step."""
    steps = len(trace.events)
    if step is None or 1 <= step <= steps:
        return []
    numbered = f"the steps are numbered from 1 to {steps}; or give null" if steps else "give null"
    return [f"step: there is no step {step}; {numbered}"]


def _end(trace: Trace) -> str:
    if trace.submission is not None:
        return f"Submitted: {trace.submission.model_dump_json(exclude_none=True)}"
    if trace.limit is not None:
        return f"Nothing was submitted; the attempt ran into a limit ({trace.limit})."
    return "The attempt stopped without submitting, which counts as status done without an answer."
