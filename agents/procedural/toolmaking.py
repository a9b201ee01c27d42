"""Tools of a world: the short form of the library files, filled in to the form of tools.yaml."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...environments.errors import InputError
from ...environments.models import Tool
from .contexts import Contexts
from .design import ROLE_KEYS
from .naming import Called
from .shorthand import parameter

Draft = dict[str, Any]
_SELECT, _WHERE = "/*select*/", "/*where*/"


def tools(contexts: Contexts) -> tuple[Tool, ...]:
    """The tools of all parts, with what links add to them."""
    drafts: dict[str, Draft] = {}
    for name in (*contexts.design.archetypes, *contexts.design.links):
        for draft in _drafts(contexts, name):
            if draft["name"] in drafts:
                raise InputError(f"{name}: a second tool is called {draft['name']!r}", remedy="Name it otherwise.")
            drafts[draft["name"]] = draft
    for name in (*contexts.design.archetypes, *contexts.design.links):
        _extend(contexts, name, drafts)
    return tuple(Tool.model_validate(_finished(draft)) for draft in drafts.values())


def _drafts(contexts: Contexts, name: str) -> Iterable[Draft]:
    maker = _Maker(contexts, name)
    return [maker.draft(spec) for spec in contexts.rendered(name, "tools") if spec["name"] not in contexts.left_out]


def _extend(contexts: Contexts, name: str, drafts: dict[str, Draft]) -> None:
    maker = _Maker(contexts, name)
    for spec in contexts.rendered(name, "extend"):
        if spec["tool"] in contexts.left_out:
            continue
        if spec["tool"] not in drafts:
            raise InputError(
                f"{name} extends {spec['tool']!r}, which does not exist", remedy=f"Tools: {sorted(drafts)}"
            )
        maker.extend(drafts[spec["tool"]], spec)


class _Maker:
    """Turns short forms into drafts, with the slots of one part."""

    def __init__(self, contexts: Contexts, name: str) -> None:
        everything = {key: one.table for key, one in contexts.names.items()}
        self._tables = {**everything, **contexts.tables(name)}
        self._context = contexts.of(name)

    def draft(self, spec: Draft) -> Draft:
        roles = self._roles(spec.get("roles"))
        draft: Draft = {
            "name": spec["name"],
            "description": spec["about"].strip(),
            "roles": roles,
            "params": {},
            "required": [],
            "steps": self._steps(spec.get("steps", ())),
            "returns": spec.get("returns"),
            "contract": {},
        }
        if spec.get("distractor"):
            draft["distractor"] = True
        self._add_params(draft, spec.get("params", {}))
        self._add_writes(draft, spec.get("writes", {}))
        return draft

    def extend(self, draft: Draft, spec: Draft) -> None:
        self._add_params(draft, spec.get("params", {}))
        self._add_writes(draft, spec.get("writes", {}))
        draft["description"] += f" {spec['about']}" if "about" in spec else ""
        first_do = next((index for index, step in enumerate(draft["steps"]) if "do" in step), len(draft["steps"]))
        draft["steps"][first_do:first_do] = self._steps(spec.get("before", ()))
        draft["steps"] += self._steps(spec.get("after", ()))
        self._add_to_query(draft, _SELECT, f", {spec['select']}" if "select" in spec else "")
        self._add_to_query(draft, _WHERE, f" AND {spec['where']}" if "where" in spec else "")

    def _add_to_query(self, draft: Draft, marker: str, text: str) -> None:
        """Puts `text` where the query has the marker. Raises InputError if it has none."""
        if not text:
            return
        kind = _query_kind(draft)
        query = draft["returns"][kind]
        if marker not in query:
            raise InputError(f"{draft['name']} has no {marker} to extend", remedy="Mark the place in its query.")
        draft["returns"] = {**draft["returns"], kind: query.replace(marker, text + marker)}

    def _roles(self, keys: list[Any] | None) -> list[str] | None:
        """Role keys as the world's roles; managers may do what staff may."""
        if keys is None:
            return None
        wanted = {_plain(key) for key in keys}
        wanted |= {"manager"} if "staff" in wanted else set()
        return [self._context[key].one for key in ROLE_KEYS if key in wanted]

    def _steps(self, steps: Iterable[Draft]) -> list[Draft]:
        """Steps with role keys as the world's roles."""
        return [{**step, "roles": self._roles(step["roles"])} if "roles" in step else dict(step) for step in steps]

    def _add_params(self, draft: Draft, params: Draft) -> None:
        for name, spec in params.items():
            schema, required, slot = parameter(spec, self._tables)
            if slot is not None:
                schema |= self._scope(slot, draft["roles"])
            draft["params"][name] = schema
            if required:
                draft["required"].append(name)

    def _scope(self, slot: str, roles: list[str] | None) -> Draft:
        """Ownership for customers; a role slot also demands that the row holds the role."""
        called: Called = self._context[slot]
        customer = self._context["customer"].one
        open_to_customers = roles is None or customer in roles
        if slot in ROLE_KEYS:
            held = f"role = '{customer}'" if slot == "customer" else f"role <> '{customer}'"
            own = f" AND ({called.staff_test or self._context['is_staff']} OR id = :actor_id)"
            both = slot == "customer" and open_to_customers
            return {"scope": {"where": held + (own if both else ""), "code": "forbidden" if both else "not_found"}}
        if not called.owner or not open_to_customers:
            return {}
        where = called.owner.replace("@.", f"{called.table}.")
        return {"scope": {"where": where, "roles": [customer], "code": "forbidden"}}

    def _add_writes(self, draft: Draft, writes: Draft) -> None:
        for slot, what in writes.items():
            table = draft["contract"].setdefault(self._tables[slot], {"insert": False, "update": [], "delete": False})
            items = what["is"] if isinstance(what, dict) else what
            for item in (_plain(item) for item in ([items] if isinstance(items, str) else items)):
                if item in ("insert", "delete"):
                    table[item] = True
                elif item not in table["update"]:
                    table["update"].append(item)


def _plain(item: Any) -> str:
    """A column or `insert` or `delete`; one with a condition is a mapping that holds it under `is`."""
    return str(item["is"] if isinstance(item, dict) else item)


def _query_kind(draft: Draft) -> str:
    return next(kind for kind in ("one", "many", "value") if kind in draft["returns"])


def _finished(draft: Draft) -> Draft:
    draft["kind"] = "write" if any("do" in step for step in draft["steps"]) else "read"
    if draft["returns"]:
        kind = _query_kind(draft)
        query = draft["returns"][kind].replace(_SELECT, "").replace(_WHERE, "")
        draft["returns"] = {**draft["returns"], kind: query.strip()}
    return draft
