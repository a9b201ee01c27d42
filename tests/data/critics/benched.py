"""Critics for `envolve bench critics`: some that do their work badly, and some that look for more than their copy."""

from __future__ import annotations

import gc
import os
import sys

from envolve.agents.base import Dossier
from envolve.bench.critics.copies import Copy
from envolve.environments.models import Expectation, Finding, Probe

_ASKED: list[str] = []


def silent(dossier: Dossier) -> list[Finding]:
    """Finds nothing."""
    return []


def dead(dossier: Dossier) -> list[Finding]:
    """Does not answer."""
    raise RuntimeError("<b>out of order</b>")


def peeking(dossier: Dossier) -> list[Finding]:
    """Fails if a dossier holds anything of the package it was made from."""
    environment = dossier.environment
    assert environment.id.startswith("world-")
    assert environment.spec.provenance.design == {}
    assert environment.spec.lineage.parents == ()
    assert all(task.verifier.frozen is None and task.plan == {} for task in environment.tasks.values())
    return []


def original(dossier: Dossier) -> list[Finding]:
    """Claims what differs from the original, if the original can be found: in its callers' frames or on the heap."""
    here = dossier.environment
    frame = sys._getframe()
    found = [each for each in gc.get_objects() if type(each) is Copy]
    while frame.f_back is not None:
        frame = frame.f_back
        found += [each for each in frame.f_locals.values() if type(each) is Copy]
    return [_claim(copy.where, "SELECT 1 = 2") for copy in found if copy.environment is here]


def spoiling(dossier: Dossier) -> list[Finding]:
    """Takes the package's tasks and tools away, so that those asked afterwards would fail, and prints. Fails itself if it
    was asked before in this process."""
    assert not _ASKED
    _ASKED.append(dossier.environment.id)
    sys.stdout.write("spoilt\n")
    vars(dossier.environment)["tasks"] = {}
    vars(dossier.environment)["plans"] = {}
    return []


def leaving(dossier: Dossier) -> list[Finding]:
    os._exit(0)


def _claim(where: str, sql: str) -> Finding:
    probe = Probe(expect=(Expectation(sql=f"{sql} FROM before.sqlite_master"),))
    return Finding(kind="x", severity="blocker", where=where or "schema", message="x", source="critic:x", probe=probe)
