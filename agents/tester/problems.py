"""Packages that cannot even be built, as findings: for coders whose work did not load."""

from __future__ import annotations

from ...environments.errors import PackageError
from ...environments.models import Finding

_PLACES = {"schema.sql": "schema", "seed.sql": "seed", "environment.yaml": "environment"}


def findings_of(error: PackageError) -> tuple[Finding, ...]:
    """One finding for each problem that a PackageError holds: of the load gate, or of the compile gate for tools."""
    return tuple(_finding(problem) for problem in error.problems)


def _finding(problem: PackageError) -> Finding:
    compiled = problem.file == "tools.yaml"
    gate = "compile" if compiled else "load"
    base = _PLACES.get(problem.file, problem.file.removesuffix(".yaml").replace("/", "."))
    where = problem.field if compiled and problem.field else ".".join(filter(None, (base, problem.field)))
    return Finding(
        kind="does_not_compile" if compiled else "does_not_load",
        severity="blocker",
        where=where,
        message=str(problem),
        source=f"gate:{gate}",
        evidence={"file": problem.file, "line": problem.line} if problem.line is not None else {"file": problem.file},
        confirmed=True,
    )
