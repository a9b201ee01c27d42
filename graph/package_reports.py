"""reports/ of an admitted package: what the gates saw when it was built, and the audits of its tasks."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from ..environments.errors import ServiceError
from ..environments.models import AuditReport
from .requests import BuildOutcome

BUILD, AUDIT = "build.json", "audit.json"


def write_build_report(package: Path, build: BuildOutcome) -> None:
    """Findings on the way with what was repaired, the tester's gates and coverage. Errors: ServiceError."""
    tested = build.tested.compared() if build.tested is not None else {}
    _write(
        package / "reports" / BUILD,
        {
            "designs": build.attempts,
            "gates": tested.get("gates", []),
            "coverage": tested.get("coverage", {}),
            "findings": [finding.model_dump(mode="json", exclude_none=True) for finding in build.findings],
            "repaired": list(build.fixed),
        },
    )


def update_audits(package: Path, reports: Sequence[AuditReport], *, without: Collection[str] = ()) -> None:
    """Add or replace the audits of these tasks, and drop those of the task ids `without`. Errors: ServiceError."""
    if not reports and not without:
        return
    path = package / "reports" / AUDIT
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    fresh = {report.task: report.model_dump(mode="json", exclude_none=True) for report in reports}
    audits = {task: report for task, report in sorted({**known, **fresh}.items()) if task not in without}
    if audits != known:
        _write(path, audits)


def _write(path: Path, content: dict[str, Any]) -> None:
    partial = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(exist_ok=True)
        with partial.open("w", encoding="utf-8") as file:
            json.dump(content, file, indent=1, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise ServiceError(f"{path}: {error.strerror}.", remedy="Free some space, or make it writable.") from error
