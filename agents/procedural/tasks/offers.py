"""What a composition offers to tasks, parsed once per environment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import ValidationError

from ....environments.errors import InputError
from ....environments.models import Frozen
from ....environments.package import Environment
from ..composition import Composition
from .workflows import Refer, Workflow

_Model = TypeVar("_Model", bound=Frozen)


class Offers:
    """Workflows by key, ways to refer by table, nouns, role names. Immutable."""

    def __init__(
        self,
        workflows: Mapping[str, Workflow],
        refers: Mapping[str, tuple[Refer, ...]],
        nouns: Mapping[str, str],
        roles: Mapping[str, str],
    ) -> None:
        self.workflows = workflows
        self._refers = refers
        self._nouns = nouns
        self.roles = roles

    def refers(self, table: str) -> tuple[Refer, ...]:
        return self._refers.get(table, ())

    def noun(self, table: str) -> str:
        """A table's noun, singular, human words."""
        return self._nouns.get(table) or table.removesuffix("s").replace("_", " ")

    def workflow(self, key: str, near: Workflow | None = None) -> Workflow | None:
        """A workflow by its key; a bare name is looked for beside `near` first."""
        if near is not None and (found := self.workflows.get(f"{near.stem}.{key}")):
            return found
        return self.workflows.get(key)


class _ByHash:
    """An environment that compares by its hash, so that a cache may key on it."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByHash) and other.environment.hash == self.environment.hash

    def __hash__(self) -> int:
        return hash(self.environment.hash)


def offers_of(environment: Environment) -> Offers:
    """The offers of a composed environment. Raises InputError if it was not composed, or a workflow is malformed."""
    return _read(_ByHash(environment))


@lru_cache(maxsize=64)
def _read(keyed: _ByHash) -> Offers:
    composition = Composition.from_environment(keyed.environment)
    return Offers(
        workflows={raw["key"]: _parsed(Workflow, raw, raw["key"]) for raw in composition.workflows},
        refers={
            table: tuple(_parsed(Refer, way, f"refer.{table}.{index}") for index, way in enumerate(ways))
            for table, ways in composition.refers.items()
        },
        nouns={table: words["one"] for table, words in composition.nouns.items()},
        roles=dict(composition.roles),
    )


def _parsed(model: type[_Model], raw: Mapping[str, Any], where: str) -> _Model:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise InputError(f"{where}: {error}", remedy="Correct the archetype or link file.") from error
