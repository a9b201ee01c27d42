"""What does not depend on the arm, worked out once for all arms of a seed: what tester and rules find in a package, and
the vectors of texts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from envolve.agents.base import Dossier
from envolve.agents.critics.rules_critic import RulesCritic
from envolve.agents.tester import Effort, confirm, run_gates
from envolve.environments.models import Finding
from envolve.environments.package import Environment
from envolve.memory import Embedder
from envolve.memory.records import Vector


class Looking:
    """`calls`: of the tester, for each tool. Both are functions of the package and the seed."""

    def __init__(self, seed: int, calls: int) -> None:
        self._seed = seed
        self._effort = Effort(calls_per_tool=calls, least=calls)
        self._known = dict[tuple[str, str], tuple[Finding, ...]]()

    def tested(self, environment: Environment) -> tuple[Finding, ...]:
        """What blocks of the tester's findings."""
        return self._once("gates", environment, self._gates)

    def reviewed(self, environment: Environment) -> tuple[Finding, ...]:
        """What blocks of the rules critic's claims."""
        return self._once("rules", environment, self._rules)

    def _gates(self, environment: Environment) -> Sequence[Finding]:
        return run_gates(environment, seed=self._seed, effort=self._effort).findings

    def _rules(self, environment: Environment) -> Sequence[Finding]:
        return confirm(environment, asyncio.run(RulesCritic().review(Dossier(environment, {}))))

    def _once(
        self, by: str, environment: Environment, look: Callable[[Environment], Sequence[Finding]]
    ) -> tuple[Finding, ...]:
        key = (by, environment.hash)
        if key not in self._known:
            self._known[key] = blocking(look(environment))
        return self._known[key]


class EachOnce:
    """An embedder that reads a text once, whichever arm asks for it."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._known = dict[str, Vector]()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        for text in texts:
            if text not in self._known:
                self._known[text] = self._embedder.embed([text])[0]
        return np.stack([self._known[text] for text in texts])


def blocking(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.confirmed and finding.severity != "minor")
