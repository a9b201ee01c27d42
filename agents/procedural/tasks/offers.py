"""What a composition offers to tasks, parsed once per environment."""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import ValidationError

from ....environments.canonical import canonical_json
from ....environments.errors import InputError
from ....environments.keeping import Latest
from ....environments.models import Frozen
from ....environments.package import Environment
from ..composition import Composition
from .workflows import Refer, Workflow
from .worlds import World

_Model = TypeVar("_Model", bound=Frozen)


class Offers:
    """Workflows by key, ways to refer by table, nouns, role names. Immutable.

    `rules`: how many policy rules there are. `holders`: table → (condition, noun) of the roles that its rows hold.
    """

    def __init__(
        self,
        workflows: Mapping[str, Workflow],
        refers: Mapping[str, tuple[Refer, ...]],
        nouns: Mapping[str, str],
        roles: Mapping[str, str],
        *,
        refusals: Mapping[str, Workflow] = MappingProxyType({}),
        rules: int = 0,
        holders: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType({}),
    ) -> None:
        self.workflows = workflows
        self.refusals = refusals
        self.rules = rules
        self.roles = roles
        self._refers = refers
        self._nouns = nouns
        self._holders = holders

    def narrowed(self, *, workflows: Set[str] | None = None, refusals: Set[str] | None = None) -> Offers:
        """The offers with the named workflows only, or with the named refusals only."""
        return Offers(
            {key: flow for key, flow in self.workflows.items() if workflows is None or key in workflows},
            self._refers,
            self._nouns,
            self.roles,
            refusals={key: flow for key, flow in self.refusals.items() if refusals is None or key in refusals},
            rules=self.rules,
            holders=self._holders,
        )

    def refers(self, table: str) -> tuple[Refer, ...]:
        return self._refers.get(table, ())

    def noun(self, table: str) -> str:
        """A table's noun, singular, human words."""
        return self._nouns.get(table) or table.removesuffix("s").replace("_", " ")

    def noun_of(self, world: World, table: str, row: Any) -> str:
        """What one row is called: by the role that it holds, else its table's noun."""
        if isinstance(row, int):
            for condition, noun in self._holders.get(table, ()):
                if world.rows(f'SELECT 1 FROM "{table}" WHERE id = :id AND ({condition})', {"id": row}):
                    return noun
        return self.noun(table)

    def workflow(self, key: str, near: Workflow | None = None) -> Workflow | None:
        """A workflow by its key; a bare name is looked for beside `near` first."""
        if near is not None and (found := self.workflows.get(f"{near.stem}.{key}")):
            return found
        return self.workflows.get(key) or self.refusals.get(key)


_OFFERS: Latest[tuple[str, str], Offers] = Latest(8)
"""By hash and design, those of the latest environments: more than half a megabyte each."""


def offers_of(environment: Environment) -> Offers:
    """The offers of a composed environment. Raises InputError if it was not composed, or a workflow is malformed."""
    key = (environment.hash, canonical_json(environment.spec.provenance.design))
    return _OFFERS.of(key, lambda: offers_in(environment, Composition.from_environment(environment)))


def offers_in(environment: Environment, composition: Composition) -> Offers:
    """The offers of an environment that was composed so. Raises InputError if a workflow is malformed."""
    workflows = {raw["key"]: _parsed(Workflow, raw, raw["key"]) for raw in composition.workflows}
    rules = {policy["key"]: policy["number"] for policy in composition.policies}
    refusals = [_refusal(raw, workflows, rules) for raw in composition.refusals]
    return Offers(
        workflows=workflows,
        refers={
            table: tuple(_parsed(Refer, way, f"refer.{table}.{index}") for index, way in enumerate(ways))
            for table, ways in composition.refers.items()
        },
        nouns={table: words["one"] for table, words in composition.nouns.items()},
        roles=dict(composition.roles),
        refusals={refusal.key: refusal for refusal in refusals},
        rules=len(rules),
        holders=_holders(environment, composition),
    )


def _refusal(raw: Mapping[str, Any], workflows: Mapping[str, Workflow], rules: Mapping[str, int]) -> Workflow:
    """A forbidden request: another workflow's, with rows or values that a policy rules out."""
    base = workflows[raw["of"]].model_dump(by_alias=True, exclude_unset=True)
    merged = {**base, "key": raw["key"], "kind": "refusal", "of": raw["of"], "rule": rules[raw["policy"]]}
    for name in ("targets", "choose"):
        merged[name] = {**base.get(name, {}), **raw.get(name, {})}
    for name in ("goal", "next", "creates", "free", "needs", "answer"):
        merged.pop(name, None)
    merged |= {name: raw[name] for name in ("actors", "say", "why", "needs") if name in raw}
    return _parsed(Workflow, merged, raw["key"])


def _holders(environment: Environment, composition: Composition) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for key, name in composition.roles.items():
        role = environment.spec.roles[name]
        if role.where is not None:
            found.setdefault(role.table, []).append((role.where, composition.role_nouns[key]["one"]))
    return {table: tuple(pairs) for table, pairs in found.items()}


def _parsed(model: type[_Model], raw: Mapping[str, Any], where: str) -> _Model:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise InputError(f"{where}: {error}", remedy="Correct the archetype or link file.") from error
