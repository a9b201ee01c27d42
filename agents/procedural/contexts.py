"""The names that templates may use: entities and roles of one world, variants, and what else it has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from .countries import country_named
from .design import ROLE_KEYS, Design
from .library import Archetype, Library, Link
from .naming import Called, called, staff_test
from .templates import condition, render, render_tree

PERSON = "people.person"


class Has(dict[str, bool]):
    """`has.messaging`: whether an archetype or link is part of the world."""

    def __missing__(self, key: str) -> bool:
        return False


class Contexts:
    """Contexts of all parts of a design. `names`: `archetype.entity` → what it is called."""

    def __init__(self, library: Library, design: Design) -> None:
        self.library = library
        self.design = design
        self._contexts: dict[str, dict[str, Any]] = {}
        variants = {**design.links, **design.archetypes}
        self._shared: dict[str, Any] = {
            "variants": variants,
            "has": Has({name: True for name in variants}),
            "place": design.name,
            "country": country_named(design.country),
        }
        self.names = self._named()
        self._shared |= {**self._roles(), "all": self._all()}

    def part(self, name: str) -> Archetype | Link:
        return self.library.archetypes.get(name) or self.library.links[name]

    def slots(self, name: str) -> dict[str, str]:
        """Slot → `archetype.entity` for everything that a part may name."""
        part = self.part(name)
        slots = {key: PERSON for key in ("person", *ROLE_KEYS)}
        slots |= part.joins if isinstance(part, Link) else self._fills(name, part)
        return slots | {entity: f"{name}.{entity}" for entity in part.entities if f"{name}.{entity}" in self.names}

    def of(self, name: str) -> dict[str, Any]:
        """The template context of an archetype or link."""
        if name not in self._contexts:
            own: dict[str, Any] = {slot: self._called(slot, key) for slot, key in self.slots(name).items()}
            context = {**self._shared, "variant": self._shared["variants"][name], "fills": self.slots(name), **own}
            self._contexts[name] = {**context, "defs": render_tree(self.part(name).defs, context)}
        return self._contexts[name]

    def rendered(self, name: str, section: str) -> Any:
        """A section of a part's file, without what is about entities that the design leaves out."""
        tree = getattr(self.part(name), section)
        if isinstance(tree, dict):
            left_out = self.part(name).entities.keys() - self.entities(name).keys()
            tree = {key: value for key, value in tree.items() if key.partition(".")[0] not in left_out}
        return render_tree(tree, self.of(name))

    def overridden(self, link: str) -> list[str]:
        """Workflows of others that a link makes impossible as they are."""
        items = render_tree(list(self.library.links[link].overrides), self.of(link))
        return [item["is"] if isinstance(item, dict) else item for item in items]

    @cached_property
    def left_out(self) -> frozenset[str]:
        """Names of the tools that the design does without."""
        places = [place.partition("/") for place in self.design.left_out]
        return frozenset(render(template, self.of(name)) for name, _, template in places)

    def tables(self, name: str) -> dict[str, str]:
        """Slot → table."""
        return {slot: self.names[key].table for slot, key in self.slots(name).items()}

    def entities(self, name: str) -> Mapping[str, Any]:
        """The entities that a part has in this design (those whose `when` holds)."""
        context = {**self._shared, "variant": self._shared["variants"][name]}
        items = self.part(name).entities.items()
        return {slot: entity for slot, entity in items if entity.when is None or condition(entity.when, context)}

    def _fills(self, name: str, part: Archetype) -> dict[str, str]:
        return {
            slot: self.design.fills[f"{name}.{slot}"] for slot in part.needs if f"{name}.{slot}" in self.design.fills
        }

    def _named(self) -> dict[str, Called]:
        names: dict[str, Called] = {}
        for name in (*self.design.archetypes, *self.design.links):
            for slot in self.entities(name):
                key = f"{name}.{slot}"
                names[key] = called(key, self.design.nouns[key])
        return {key: self._owned(key, one, names) for key, one in names.items()}

    def _owned(self, key: str, one: Called, names: Mapping[str, Called]) -> Called:
        name, slot = key.rsplit(".", 1)
        owner = self.part(name).entities[slot].owner
        if owner is None:
            return one._replace(staff_test=self.staff_test)
        slots = self.slots_for(name, names)
        text = render(
            owner, {**self._shared, "variant": self._shared["variants"][name], **slots, **self._role_names(names)}
        )
        condition_ = text if "@." in text else f"@.{text} = :actor_id"
        return one._replace(owner=condition_, staff_test=self.staff_test)

    def slots_for(self, name: str, names: Mapping[str, Called]) -> dict[str, Called]:
        part = self.part(name)
        others = part.joins if isinstance(part, Link) else self._fills(name, part)
        own = {entity: f"{name}.{entity}" for entity in part.entities}
        return {slot: names[key] for slot, key in {**others, **own}.items() if key in names}

    @property
    def staff_test(self) -> str:
        return staff_test(called("", self.design.roles["customer"]).one)

    def _role_names(self, names: Mapping[str, Called]) -> dict[str, Called]:
        table = names[PERSON].table
        roles: dict[str, Called] = {key: called(PERSON, self.design.roles[key], table=table) for key in ROLE_KEYS}
        return {**roles, "person": names[PERSON]}

    def _roles(self) -> dict[str, Any]:
        roles = self._role_names(self.names)
        manager = f"EXISTS (SELECT 1 FROM json_each(:actor_roles) WHERE value = '{roles['manager'].one}')"
        return {**roles, "is_staff": self.staff_test, "is_manager": manager}

    def _all(self) -> dict[str, dict[str, Called]]:
        """`all.bookings.booking`: the names of every entity, by part."""
        found: dict[str, dict[str, Called]] = {}
        for key, one in self.names.items():
            part, _, slot = key.rpartition(".")
            found.setdefault(part, {})[slot] = one
        return found

    def _called(self, slot: str, key: str) -> Called:
        one: Called = self._shared[slot] if slot in ROLE_KEYS else self.names[key]
        return one
