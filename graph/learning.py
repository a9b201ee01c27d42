"""What is remembered of the findings of a build: where each showed, and what mended it.

A change counts as a fix only if the finding's probe shows it in the package before and not in the one after, nor in
any later one. Of a finding without a probe no fix is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..agents.tester import run_probe
from ..environments.models import Finding
from ..environments.package import Environment
from ..memory.defects import fix_text, scene_of
from .requests import Found, Lesson, Lessons


def learn_step(found: Sequence[tuple[Environment, Found]], drafts: Sequence[Environment]) -> Lessons:
    """A lesson each, of the finding and the package that it was found in. `drafts` are that package, if it is of the
    last design, and all repaired ones after each other."""
    return Lessons(
        lessons=tuple(
            Lesson(scene=scene_of(environment, entry.finding), fix=_fix(entry.finding, environment, drafts))
            for environment, entry in found
        )
    )


def _fix(finding: Finding, environment: Environment, drafts: Sequence[Environment]) -> str:
    """Of the last repair before which the probe still showed it; "" if it does to the end, or cannot be told."""
    hashes = [draft.hash for draft in drafts]
    if finding.confirmed is not True or finding.probe is None or environment.hash not in hashes:
        return ""
    later = drafts[hashes.index(environment.hash) :]
    shown = [_shows(draft, finding) for draft in later]
    if True not in shown or shown[-1] is not False:
        return ""
    last = max(index for index, shows in enumerate(shown) if shows)
    after = next(index for index in range(last + 1, len(shown)) if shown[index] is False)
    return fix_text(later[last], later[after], finding.where)


def _shows(environment: Environment, finding: Finding) -> bool | None:
    """Whether the probe reproduces the finding; None where it cannot be run."""
    result = run_probe(environment, finding)
    return result.reproduced if result.valid else None
