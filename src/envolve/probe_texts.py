"""Probes in words: the calls as a script for `envolve solve`, what a sound world would have shown, and what came."""

from __future__ import annotations

import json
import shlex
from typing import Any, NamedTuple

from envolve.agents.tester import run_probe
from envolve.environments.models import Actor, Expectation, Finding, Probe
from envolve.environments.package import Environment

from .display import shortened

_LONGEST = 240


class Shown(NamedTuple):
    """A finding's probe. `script` is what `envolve solve --script` takes; empty if the probe makes no calls."""

    expected: str
    came: str
    script: tuple[dict[str, Any], ...] = ()

    def command(self, package: str, task: str | None) -> str:
        """The line to type. `package` is the folder's path."""
        words = ["envolve", "solve", package, *([task] if task else []), "--script", json.dumps(list(self.script))]
        return " ".join(map(shlex.quote, words))


def shown(environment: Environment, finding: Finding) -> Shown | None:
    """The probe of a finding, run once more to tell what comes; None without one."""
    probe = finding.probe
    if probe is None:
        return None
    expected = "; ".join(_expected(each) for each in probe.expect)
    if not probe.calls and finding.confirmed is not None:
        return Shown(expected, "it is reported each time" if finding.confirmed else "it is not reported again")
    result = run_probe(environment, finding)
    last = f"; it answered {_compact(result.results[-1].payload())}" if result.results else ""
    return Shown(expected, result.why.rstrip(".") + last, script_of(environment, probe))


def script_of(environment: Environment, probe: Probe) -> tuple[dict[str, Any], ...]:
    """The calls of a probe, each with its actor: in the task's place anybody else would act."""
    task = environment.task(probe.task)
    default = probe.actor or (task.actor if task is not None else environment.kit.first_actor())
    return tuple(
        {"call": call.call, "args": call.args, "actor": _actor(call.actor or default)} for call in probe.calls
    )


def _actor(actor: Actor) -> dict[str, Any]:
    return {"roles": list(actor.roles), "id": actor.id}


def _expected(expected: Expectation) -> str:
    """One expectation, as a sentence about the last call."""
    if expected.succeeds is not None:
        return "the last call succeeds" if expected.succeeds else "the last call is refused"
    if expected.fails is not None:
        return f"the last call is refused with {' or '.join(expected.fails)}"
    if expected.unchanged is not None:
        return "the last call changes nothing" if expected.unchanged else "the last call changes something"
    if expected.invariants is not None:
        return "every invariant holds"
    if expected.foreseen is not None:
        return "no internal error, no constraint that no step foresaw, no limit of the runtime"
    if expected.fits is not None:
        return "a result of the declared shape, each item once"
    if expected.gate is not None:
        return f"{expected.gate} reports nothing here"
    where = "states before and after" if expected.sql is not None else "last result"
    return f"true of the {where}: {_one_line(expected.sql or expected.result or '')}"


def _one_line(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST)


def _compact(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False, default=repr), _LONGEST)
