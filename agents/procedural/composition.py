"""A composed environment: its design, rendered to schema, tools and rules, and what it offers to tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from ...environments.canonical import canonical_json
from ...environments.errors import InputError
from ...environments.models import Tool
from . import tables as rendered_tables
from . import toolmaking
from .contexts import Contexts
from .design import ROLE_KEYS, Design
from .library import Library, library
from .wordlists import word_lists

if TYPE_CHECKING:
    from ...environments.package import Environment

Tree = dict[str, Any]


class Composition:
    """One design, rendered. Everything is computed on demand and kept; nothing is drawn.

    Keys: tables are named by `archetype.entity`, workflows by `archetype.name` (or `link.name`).
    """

    def __init__(self, design: Design, source: Library | None = None) -> None:
        self.design = design
        self._library = source or library()
        self._contexts = Contexts(self._library, design)

    @classmethod
    def from_environment(cls, environment: Environment) -> Composition:
        """The composition that an environment was rendered from. Raises InputError for any other environment."""
        design = {
            key: value for key, value in environment.spec.provenance.design.items() if key in Design.model_fields
        }
        if not design.get("archetypes"):
            raise InputError(
                f"{environment.id} was not composed from archetypes",
                remedy="Procedural task writing needs an environment that the procedural agents made.",
            )
        return _composition(canonical_json(design))

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of archetypes and links, in order."""
        return (*self.design.archetypes, *self.design.links)

    @property
    def roles(self) -> dict[str, str]:
        """Role key (`customer`, `staff`, `manager`) → role name in `spec.roles`."""
        return {key: self._base[key].one for key in ROLE_KEYS}

    @property
    def role_nouns(self) -> dict[str, dict[str, str]]:
        """Role key → human words (`one`, `plural`)."""
        return {key: {"one": self._base[key].noun, "plural": self._base[key].plural} for key in ROLE_KEYS}

    @property
    def actor_table(self) -> str:
        return str(self._base["person"].table)

    @property
    def nouns(self) -> dict[str, dict[str, str]]:
        """Table → human words (`one`, `plural`)."""
        return {name.table: {"one": name.noun, "plural": name.plural} for name in self._contexts.names.values()}

    @cached_property
    def tables(self) -> dict[str, rendered_tables.Table]:
        return rendered_tables.tables(self._contexts)

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        return toolmaking.tools(self._contexts)

    def own_tools(self, part: str) -> list[str]:
        """Names of the tools that an archetype or link brings itself."""
        named = (spec["name"] for spec in self._contexts.rendered(part, "tools"))
        return [name for name in named if name not in self._contexts.left_out]

    @cached_property
    def invariants(self) -> tuple[dict[str, str], ...]:
        return tuple(item for _, item in self._collected("invariants"))

    @cached_property
    def policies(self) -> tuple[dict[str, Any], ...]:
        """In the order of their numbers: `number`, `key` (`part.key`), `text`, `part`."""
        items = enumerate(self._collected("policies"), start=1)
        return tuple({**item, "key": f"{part}.{item['key']}", "part": part, "number": n} for n, (part, item) in items)

    @cached_property
    def glossary(self) -> dict[str, str]:
        return {word: sql for _, items in self._sections("glossary") for word, sql in items.items()}

    @cached_property
    def lifecycles(self) -> dict[str, dict[str, list[str]]]:
        """`table.column` → status → the statuses that may follow it."""
        found = {}
        for part, items in self._sections("lifecycle"):
            by_slot = self._contexts.tables(part)
            for place, transitions in items.items():
                slot, _, column = place.partition(".")
                found[f"{by_slot[slot]}.{column}"] = transitions[0] if isinstance(transitions, list) else transitions
        return found

    def main_noun(self, archetype: str) -> dict[str, str]:
        """Human words for the entity an archetype is about (the first that it offers)."""
        entity = next(iter(self._library.archetypes[archetype].offers))
        return self.nouns[self._contexts.names[f"{archetype}.{entity}"].table]

    @cached_property
    def requirements(self) -> tuple[str, ...]:
        """What users want to do: the `about` of each workflow and question."""
        return tuple(dict.fromkeys(f"{flow['about'].strip()}." for flow in self.workflows if flow.get("about")))

    @cached_property
    def workflows(self) -> tuple[Tree, ...]:
        """Workflows and questions (kind `question`), as mappings with `key`; targets name their table."""
        found = (*self._tasks("workflows", "change"), *self._tasks("questions", "question"))
        gone = {key for name in self.design.links for key in self._contexts.overridden(name)}
        kept = (flow for flow in found if flow["key"] not in gone and self._possible(flow.get("gold", ())))
        return tuple(self._with_goal(flow) for flow in kept)

    @cached_property
    def refusals(self) -> tuple[Tree, ...]:
        """Requests that a policy forbids: `key`, `of` (the workflow whose request it is), `policy`, `actors`,
        `targets`, `choose` (these replace the workflow's)."""
        flows = {flow["key"] for flow in self.workflows}
        return tuple(
            {**item, "of": self._qualified(part, item["of"]), "policy": self._qualified(part, item["policy"])}
            for part, items in self._sections("refusals")
            for item in (self._task(part, name, tree) | {"actors": tree["actors"]} for name, tree in items.items())
            if self._qualified(part, item["of"]) in flows
        )

    @cached_property
    def refers(self) -> dict[str, list[Tree]]:
        """Table → ways to point at one of its rows."""
        found: dict[str, list[Tree]] = {}
        for part, items in self._sections("refer"):
            by_slot = self._contexts.tables(part)
            for slot, ways in items.items():
                possible = [self._way(part, way) for way in ways if self._possible(way["find"])]
                found.setdefault(by_slot[slot], []).extend(possible)
        return found

    def _possible(self, steps: Iterable[Tree]) -> bool:
        """Whether every tool that the steps call is there."""
        return not any(step.get("call") in self._contexts.left_out for step in steps)

    @property
    def schema_sql(self) -> str:
        return rendered_tables.schema_sql(self.tables)

    def seed_sql(self) -> str:
        """The seed data; the one part that is drawn (from the design's seed)."""
        from .seeding import seed_sql

        return seed_sql(self._contexts, self.tables, word_lists(self._library, self.design))

    def _sections(self, name: str) -> Iterable[tuple[str, Any]]:
        for part in self.parts:
            if section := self._contexts.rendered(part, name):
                yield part, section

    def _collected(self, name: str) -> Iterable[tuple[str, Tree]]:
        return ((part, item) for part, items in self._sections(name) for item in items)

    @cached_property
    def _further_goals(self) -> dict[str, list[str]]:
        """Workflow key → conditions that links add to its goal."""
        found: dict[str, list[str]] = {}
        for part, goals in self._sections("goals"):
            for key, sql in goals.items():
                found.setdefault(self._qualified(part, key), []).append(sql["sql"] if isinstance(sql, dict) else sql)
        return found

    def _with_goal(self, flow: Tree) -> Tree:
        further = self._further_goals.get(flow["key"])
        if not further or "goal" not in flow:
            return flow
        conditions = " AND ".join(f"({sql.strip()})" for sql in (flow["goal"]["sql"], *further))
        return {**flow, "goal": {**flow["goal"], "sql": f"SELECT {conditions}"}}

    def _tasks(self, section: str, kind: str) -> Iterable[Tree]:
        for part, items in self._sections(section):
            for name, tree in items.items():
                yield {"kind": kind, **self._task(part, name, tree)}

    def _task(self, part: str, name: str, tree: Tree) -> Tree:
        task = {**tree, "key": f"{part}.{name}", "tables": self._contexts.tables(part)}
        if "actors" in tree:
            task["actors"] = with_managers(tree["actors"])
        if "targets" in tree:
            task["targets"] = {slot: self._target(part, slot, target) for slot, target in tree["targets"].items()}
        if "ways" in tree:
            task["ways"] = {slot: [self._way(part, way) for way in ways] for slot, ways in tree["ways"].items()}
        if "next" in tree:
            task["next"] = [{**step, "workflow": self._qualified(part, step["workflow"])} for step in tree["next"]]
        return task

    def _target(self, part: str, slot: str, target: Any) -> Tree:
        spec: Tree = {"sql": target} if isinstance(target, str) else dict(target)
        spec["table"] = self._table(part, spec.get("table", slot))
        if "by" in spec and "staff" in spec["by"]:
            spec["by"] = {"manager": spec["by"]["staff"], **spec["by"]}
        return spec

    def _way(self, part: str, way: Tree) -> Tree:
        spec = dict(way)
        if "actors" in way:
            spec["actors"] = with_managers(way["actors"])
        if "uses" in way:
            spec["uses"] = {
                slot: {"table": self._table(part, use.get("table", slot)), "sql": use["sql"]}
                for slot, use in way["uses"].items()
            }
        return spec

    def _table(self, part: str, slot: str) -> str:
        """The table of a slot; a name that is no slot is a table already."""
        return self._contexts.tables(part).get(slot, slot)

    def _qualified(self, part: str, name: str) -> str:
        return name if "." in name else f"{part}.{name}"

    @cached_property
    def _base(self) -> Mapping[str, Any]:
        return self._contexts.of("people")


def with_managers(keys: Iterable[Any]) -> list[str]:
    """Role keys, with managers wherever staff are: managers may do what staff may."""
    wanted = {key["is"] if isinstance(key, dict) else key for key in keys}
    return [key for key in ROLE_KEYS if key in wanted or (key == "manager" and "staff" in wanted)]


@lru_cache(maxsize=4)  # a quarter of a megabyte each
def _composition(design: str) -> Composition:
    return Composition(Design.model_validate_json(design))
