"""Running probes: a claim is confirmed when its probe reproduces it, and only then. A probe that no world could meet
(`possible.py`) reproduces nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from ...environments.errors import EnvolveError
from ...environments.models import CallResult, Expectation, Finding, Frozen, Probe
from ...environments.package import Environment
from ...environments.verification import StateReader
from .anatomy import Anatomy
from .expectations import Scene, unmet
from .possible import impossible
from .rerun import shows_again
from .stage import Stage
from .trees import parse


class ProbeResult(Frozen):
    """Whether a probe reproduced its finding, and why (not). A probe that cannot be run reproduces nothing: then
    `valid` is False."""

    reproduced: bool
    why: str
    valid: bool = True
    results: tuple[CallResult, ...] = ()
    """What its calls answered."""

    def __bool__(self) -> bool:
        return self.reproduced


def run_probe(environment: Environment, claim: Finding | Probe, *, seed: int = 0) -> ProbeResult:
    """Run a probe, or a finding's, in a fresh world. It reproduces the finding if an expectation is not met, or if
    one of its calls ends in an internal error."""
    probe = claim.probe if isinstance(claim, Finding) else claim
    if probe is None:
        return ProbeResult(reproduced=False, valid=False, why="The finding has no probe.")
    finding = claim if isinstance(claim, Finding) else None
    try:
        return _run(environment, probe, finding, seed)
    except EnvolveError as error:
        return ProbeResult(reproduced=False, valid=False, why=f"The probe cannot be run: {error}")


def confirm(environment: Environment, findings: Iterable[Finding], *, seed: int = 0) -> list[Finding]:
    """The findings with `confirmed` set by running their probes; None stays where there is no probe, or one that
    cannot be run."""
    return [_confirmed(environment, finding, seed) for finding in findings]


def _confirmed(environment: Environment, finding: Finding, seed: int) -> Finding:
    if finding.probe is None:
        return finding
    result = run_probe(environment, finding, seed=seed)
    return finding.model_copy(update={"confirmed": result.reproduced if result.valid else None})


def _run(environment: Environment, probe: Probe, finding: Finding | None, seed: int) -> ProbeResult:
    if (never := impossible(environment, probe)) is not None:
        return ProbeResult(reproduced=False, valid=False, why=never)
    for expected in probe.expect:
        if expected.gate is not None and shows_again(environment, expected.gate, finding, seed):
            return ProbeResult(reproduced=True, why=f"{expected.gate} reports it again.")
    rest = [expected for expected in probe.expect if expected.gate is None]
    if not rest and not probe.calls:
        return ProbeResult(reproduced=False, why="The gate reports nothing at this place.")
    task = environment.task(probe.task)
    actor = probe.actor or (task.actor if task is not None else environment.kit.first_actor())
    with Stage(environment, task) as stage:
        outcomes = [stage.call(call.call, call.args, call.actor or actor) for call in probe.calls]
        results = tuple(outcome.result for outcome in outcomes)
        why = _internal(results)
        if why is None:
            with StateReader(environment, environment.image_for(task), actor=actor) as reader:
                reader.show(stage.image(), stage.changes())
                scene = Scene(Anatomy(environment), stage, reader, tuple(outcomes), probe.calls)
                why = next((why for each in rest if (why := unmet(each, scene)) is not None), None)
    if why is not None and not probe.calls and not all(map(_looks_at_rows, rest)):
        # True or false of every world: it shows nothing of this one.
        return ProbeResult(reproduced=False, valid=False, why="The probe calls nothing and looks at no row.")
    return ProbeResult(reproduced=why is not None, why=why or "Everything is as expected.", results=results)


def _looks_at_rows(expected: Expectation) -> bool:
    """Whether an expectation can turn out otherwise in another world, without any call."""
    tree = parse(expected.sql) if expected.sql is not None else None
    return expected.invariants is not None or (tree is not None and tree.find(exp.Table) is not None)


def _internal(results: Sequence[CallResult]) -> str | None:
    for index, result in enumerate(results):
        if result.error is not None and result.error.code == "internal":
            return f"Call {index} ends in an internal error: {result.detail}"
    return None
