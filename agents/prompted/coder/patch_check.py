"""Whether a patch mends what it is for and breaks nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ....environments.canonical import canonical_json
from ....environments.errors import EnvolveError, PackageError
from ....environments.models import Finding
from ....environments.package import Environment
from ...tester import run_probe
from ..architect.sketch import bounded, broken_invariants, told
from .drafts import PatchDraft
from .patching import patched, tool_json
from .tool_edits import PatchProblem
from .toolmaking import static_problems


class PatchCheck:
    """Checks patches of an environment against findings.

    A patch must apply, build, hold to contracts and invariants. Probes that still show their finding are told once:
    a patch that mends some of many findings is better than none. Findings that a patch calls no defect are not
    told of. Tools that it asks to see are shown once.
    """

    def __init__(self, environment: Environment, findings: Sequence[Finding], seed: int) -> None:
        self._environment = environment
        self._findings = findings
        self._seed = seed
        self._told = self._showed = False

    def __call__(self, draft: PatchDraft) -> list[str]:
        if draft.give_up is not None:
            return []
        if draft.show:
            return self._shown(draft.show)
        if unknown := [each.finding for each in draft.no_defect if each.finding > len(self._findings)]:
            return [f"no_defect: there is no finding {unknown[0]}; there are {len(self._findings)}."]
        if leaves_all_alone(draft, self._findings):
            return []
        try:
            after = patched(self._environment, draft)
        except PackageError as error:
            return told(error)
        except PatchProblem as problem:
            return [problem.message]
        except EnvolveError as error:
            return [str(error)]
        if after.hash == self._environment.hash:
            return ["the patch changes nothing: change what the findings name, or say under give_up why not."]
        problems = [*self._new(after)]
        if not problems and not self._told:
            problems = list(self._shown_again(after, {each.finding for each in draft.no_defect}))
            self._told = True
        return bounded(problems)

    def _new(self, after: Environment) -> Iterator[str]:
        """What is wrong now and was not before."""
        names = list(after.tools)
        before = {*static_problems(self._environment, names), *broken_invariants(self._environment)}
        for problem in (*static_problems(after, names), *broken_invariants(after)):
            if problem not in before:
                yield problem

    def _shown(self, names: Sequence[str]) -> list[str]:
        if self._showed:
            return ["show: tools were shown once; give the patch now, or say under give_up why there is none."]
        self._showed = True
        tools = self._environment.tools
        known = [canonical_json(tool_json(tools[name])) for name in names if name in tools]
        unknown = [f"there is no tool {name}" for name in names if name not in tools]
        return ["these are the tools that you asked for; give the patch now, without show.", *known, *unknown]

    def _shown_again(self, after: Environment, left_alone: Collection[int]) -> Iterator[str]:
        for number, finding in enumerate(self._findings, 1):
            probe = finding.probe if number not in left_alone else None
            # A probe without calls runs a gate again, which is the tester's to do, in full.
            if probe is not None and probe.calls and all(expected.gate is None for expected in probe.expect):
                result = run_probe(after, finding, seed=self._seed)
                if result.reproduced:
                    yield f"finding {number} ({finding.where}) still shows with this patch: {result.why}"


def leaves_all_alone(draft: PatchDraft, findings: Sequence[Finding]) -> bool:
    """Whether a patch says of every finding that it is no defect, and changes nothing."""
    given = draft.model_fields_set - {"no_defect"}
    named = {each.finding for each in draft.no_defect}
    return (
        bool(named) and named >= set(range(1, len(findings) + 1)) and not any(getattr(draft, name) for name in given)
    )
