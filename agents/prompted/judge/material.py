"""What a judge is shown of a rollout, whichever its use, and the check of the step that it names."""

from __future__ import annotations

from ....environments.models import Trace
from ...judges.base import Case
from ..showing import changes_text, tools_text, transcript_text

_MOST_TRANSCRIPT = 40_000


def material(case: Case) -> dict[str, str]:
    return {
        "prompt": case.prompt,
        "tools": tools_text(case.environment, case.roles),
        "transcript": transcript_text(case.trace, _MOST_TRANSCRIPT) or "(nothing was done)",
        "changes": changes_text(case.changes),
        "end": _end(case.trace),
    }


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
