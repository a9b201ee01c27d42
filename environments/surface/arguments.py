"""The arguments of one tool between the form that its player types and the canonical one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from ..arguments import Arguments
from ..models import Param, Surface
from .base import Inexpressible, Paging, Unfit
from .ids import Ids, Prefix
from .names import field_spellings

Change = Callable[[Any], Any]
_NUMERIC = ("minimum", "maximum", "exclusive_minimum", "exclusive_maximum", "multiple_of")


class ArgumentsForm:
    """`params` are all parameters of the tool; `paging` stands for two of them."""

    def __init__(
        self,
        params: Mapping[str, Param],
        required: tuple[str, ...],
        surface: Surface,
        paging: Paging | None,
        ids: Ids,
    ) -> None:
        own = {name: param for name, param in params.items() if paging is None or name not in ("limit", "offset")}
        self.names = field_spellings(own, surface)
        """Canonical name → how it is spelled, those of paging aside."""
        self._paging = paging
        self._canonical = {spelled: name for name, spelled in self.names.items()}
        self._own = frozenset(paging.params if paging else ())
        self._known = frozenset({*own, *(("limit", "offset") if paging else ())})
        shown = {spelled: shown_param(own[name], surface, ids) for name, spelled in self.names.items()}
        self._params = shown | (paging.params if paging else {})
        self._required = tuple(self.names.get(name, name) for name in required)
        self._in = {name: change for name, param in own.items() if (change := _inward(param, surface, ids))}
        self._out = {name: change for name, param in own.items() if (change := _outward(param, surface, ids))}

    @cached_property
    def shown(self) -> Arguments:
        """The schema that players see, and what is wrong with arguments in their words."""
        return Arguments(self._params, self._required)

    def inward(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The canonical arguments. Whatever is wrong with them in canonical form too is left to be found there.

        Raises Unfit for what has no canonical form.
        """
        canonical, changes = self._canonical, self._in
        found: dict[str, Any] = {}
        for spelled, value in args.items():
            name = canonical.get(spelled)
            if name is None:
                if spelled not in self._own:
                    raise Unfit
                found[spelled] = value
            else:
                found[name] = changes[name](value) if name in changes else value
        if self._paging is not None:
            self._paging.inward(found)
        return found

    def outward(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Undo `inward`. Raises Inexpressible for arguments that no player could have given."""
        if not self._known.issuperset(args):
            raise Inexpressible
        found = {name: self._out[name](value) if name in self._out else value for name, value in args.items()}
        paged: dict[str, Any] = {
            name: found.pop(name) for name in ("limit", "offset") if self._paging and name in found
        }
        if self._paging is not None:
            self._paging.outward(paged)
        return {self.names[name]: value for name, value in found.items()} | paged


def shown_param(param: Param, surface: Surface, ids: Ids) -> Param:
    """The parameter as players see it: names within it spelled, ids as texts."""
    prefix = _prefix(param, ids)
    if prefix is not None:
        plain: dict[str, Any] = dict.fromkeys(_NUMERIC)
        plain["default"] = prefix.written(param.default)
        plain["enum"] = None if param.enum is None else tuple(map(prefix.written, param.enum))
        return param.model_copy(
            update={"type": "string", "pattern": prefix.pattern, "ref": None, "scope": None, **plain}
        )
    changed: dict[str, Any] = {}
    if param.items is not None:
        changed["items"] = shown_param(param.items, surface, ids)
    if param.properties is not None:
        names = field_spellings(param.properties, surface)
        changed["properties"] = {
            names[name]: shown_param(inner, surface, ids) for name, inner in param.properties.items()
        }
        changed["required"] = tuple(names[name] for name in param.required or ())
    return param.model_copy(update=changed)


def _prefix(param: Param, ids: Ids) -> Prefix | None:
    if param.ref is None or not ids:
        return None
    table, column = param.ref.split(".")
    return ids.get((table, column))


def _inward(param: Param, surface: Surface, ids: Ids) -> Change | None:
    """From what a player types to the canonical value; None if they are the same."""
    prefix = _prefix(param, ids)
    if prefix is not None:
        return _number(prefix)
    if param.items is not None:
        return _each(_inward(param.items, surface, ids))
    if param.properties is None:
        return None
    names = field_spellings(param.properties, surface)
    inner = {names[name]: _inward(field, surface, ids) for name, field in param.properties.items()}
    return _fields({spelled: name for name, spelled in names.items()}, inner, Unfit)


def _outward(param: Param, surface: Surface, ids: Ids) -> Change | None:
    prefix = _prefix(param, ids)
    if prefix is not None:
        return _written(prefix)
    if param.items is not None:
        return _each(_outward(param.items, surface, ids))
    if param.properties is None:
        return None
    inner = {name: _outward(field, surface, ids) for name, field in param.properties.items()}
    return _fields(field_spellings(param.properties, surface), inner, Inexpressible)


def _number(prefix: Prefix) -> Change:
    def change(value: Any) -> Any:
        number = prefix.number(value)
        if type(number) is int and not isinstance(value, str):
            raise Unfit
        return number

    return change


def _written(prefix: Prefix) -> Change:
    def change(value: Any) -> Any:
        written = prefix.written(value)
        if type(written) is int:
            raise Inexpressible
        return written

    return change


def _each(change: Change | None) -> Change | None:
    if change is None:
        return None
    return lambda value: [change(item) for item in value] if isinstance(value, list) else value


def _fields(names: Mapping[str, str], inner: Mapping[str, Change | None], wrong: type[Exception]) -> Change | None:
    """Renames the keys of objects and changes their values; None if nothing would change."""
    if not any(inner.values()) and all(name == other for name, other in names.items()):
        return None

    def change(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        found = {}
        for name, item in value.items():
            if name not in names:
                raise wrong
            turn = inner[name]
            found[names[name]] = item if turn is None else turn(item)
        return found

    return change
