"""What the items of a round may know of the past: everything that earlier rounds committed, and nothing else.

At the ordered commit the same questions are asked once more, now with what the round itself has committed: the
later of two alike becomes a duplicate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..agents.base import Blueprint, Neighbour, PastDefect, Scenario
from ..environments.canonical import seed_from
from ..environments.models import Task
from ..environments.models.environment import Split
from ..memory.defects import PastDefect as Remembered
from ..memory.embedders import Embedder
from ..memory.index import MemoryIndex
from ..memory.librarian import Librarian
from ..memory.novelty import Candidate, Novelty, NoveltyVerdict
from ..memory.records import Vector
from ..memory.signatures import Signature
from ..memory.texts import task_text
from .requests import Description

DEFECTS_TOLD = 5
DEFECTS_RECALLED = 16
"""Past defects whose probes are tried in a new environment; the nearest of them are told to coder and critics, and to
the architect of another design."""
TOOLS_ASKED = 60
"""Tools of a blueprint that past defects are looked for by."""


class RoundMemory:
    """Asked by the graphs of a round's items; `begin` says which round it is."""

    def __init__(self, librarian: Librarian, index: MemoryIndex, *, held_out: float = 0.0) -> None:
        self._librarian = librarian
        self._index = index
        self._novelty: Novelty = librarian.novelty()
        self._held_out = held_out
        self._round = 1
        self._vectors = dict[str, Vector]()

    @property
    def embedder(self) -> Embedder:
        return self._librarian.embedder

    def begin(self, number: int) -> None:
        """Before the round is planned: what planning retrieves must not depend on when the index was opened.

        Errors: ServiceError if the index cannot be written.
        """
        self._novelty.refresh()
        self._index.update()
        self._round = number
        self._vectors.clear()

    def neighbours(self, description: Description) -> tuple[NoveltyVerdict, list[Neighbour]]:
        """Whether an environment repeats one that an earlier round admitted, and what is near."""
        candidate = Candidate(self.vector(description.text), description.signature)
        verdict = self._novelty.check_environment(candidate, before_round=self._round)
        return verdict, [_neighbour(near) for near in verdict.neighbours if near.view != "targets"]

    def repeated_task(self, task: Task, signature: Signature, exempt: tuple[str, ...]) -> str:
        """Which earlier task this one repeats and why; "" if none. `exempt` are versions that it may be like."""
        candidate = Candidate(self.vector(task_text(task)), signature)
        return _reason(self._novelty.check_task(candidate, before_round=self._round, exempt=exempt))

    def past_defects(self, scenario: Scenario) -> tuple[PastDefect, ...]:
        """For the architect. Asked when a round is planned: what was retrieved then is an input of the item."""
        found = self._librarian.defects(_about(scenario), n=DEFECTS_TOLD, before_round=self._round)
        return tuple(_told(defect) for defect in found)

    def defects_like(self, scenario: Scenario, blueprint: Blueprint) -> tuple[PastDefect, ...]:
        """For coder, recall and critics, the nearest first: near to what is being built, the scenario or any one tool
        by its name and description. With their probes."""
        tools = [f"{tool.name.replace('_', ' ')}: {tool.description}" for tool in blueprint.contracts]
        found = self._librarian.defects(
            _about(scenario), *tools[:TOOLS_ASKED], n=DEFECTS_RECALLED, before_round=self._round
        )
        return tuple(with_probe(defect) for defect in found)

    def refresh(self) -> None:
        """Take in what was committed since: before each ordered commit."""
        self._novelty.refresh()

    def repeats_now(self, description: Description) -> str:
        """As `neighbours`, with what this round has committed so far; "" if it repeats nothing."""
        candidate = Candidate(self.vector(description.text), description.signature)
        return _reason(self._novelty.check_environment(candidate))

    def task_repeats_now(self, task: Candidate, exempt: tuple[str, ...], beside: Mapping[str, Candidate]) -> str:
        """As `repeated_task`, with what this round has committed so far, and with the tasks `beside` it by version."""
        return _reason(self._novelty.check_task(task, exempt=exempt, beside=beside))

    def split(self, description: Description) -> Split:
        """By structural cluster: environments of the same schema graph always fall on the same side."""
        schema = description.signature.parts.get("schema", {})
        return "held_out" if seed_from("split", schema) % 10_000 < self._held_out * 10_000 else "train"

    def vector(self, text: str) -> Vector:
        """Embedded once a round: the graphs and the commit ask for the same texts."""
        if text not in self._vectors:
            self._vectors[text] = self.embedder.embed([text])[0]
        return self._vectors[text]


def with_probe(defect: Remembered) -> PastDefect:
    """A remembered defect as the roles get it, with what is needed to try its probe elsewhere."""
    scene = defect.scene
    told = _told(defect)
    return told.model_copy(
        update={
            "environment": defect.environment,
            "probe": defect.probe,
            "tools": scene.tools,
            "clock": scene.clock,
        }
    )


def _told(defect: Remembered) -> PastDefect:
    return PastDefect(kind=defect.kind, where=defect.where, message=defect.message, fix=defect.fix)


def _about(scenario: Scenario) -> str:
    return f"{scenario.name}. {scenario.text}"


def told(defects: Sequence[PastDefect]) -> tuple[PastDefect, ...]:
    """The nearest of the defects as roles are told of them, without what only probing needs."""
    return tuple(
        PastDefect(kind=defect.kind, where=defect.where, message=defect.message, fix=defect.fix)
        for defect in defects[:DEFECTS_TOLD]
    )


def _neighbour(near: object) -> Neighbour:
    return Neighbour.model_validate(near, from_attributes=True)


def _reason(verdict: NoveltyVerdict) -> str:
    return f"like {verdict.of}: {verdict.reason}" if verdict.duplicate else ""
