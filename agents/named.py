"""Critics, judges and attackers by name: what `module:attr` and an installed package's entry point lead to, and the
method that a role asks for, from an object, a class or a function. Which names are built in is each role's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from ..environments.errors import InputError
from ..eval.foreign import foreign
from .attributes import attribute_at, instance_of, offered_at, refuse_path


class Role(NamedTuple):
    """`what` is the role for people ("critic"), `method` the one that an object must have, `form` how to write it;
    `group` are the entry points, `built_in` the forms of other names, to be listed."""

    what: str
    method: str
    form: str
    group: str
    built_in: tuple[str, ...]


class Called(NamedTuple):
    """Somebody's code under a name: `function` takes what the role is given, and may be asynchronous."""

    name: str
    function: Callable[[Any], Any]

    async def __call__(self, given: Any) -> Any:
        found = self.function(given)
        return await found if inspect.isawaitable(found) else found


def offered_as(name: str, role: Role) -> Any:
    """What a name that is not built in leads to. Raises InputError, listing what exists."""
    refuse_path(name, role.what)
    if ":" in name:
        return attribute_at(name, role.what)
    offered = {point.name: point for point in entry_points(group=role.group)}
    if name not in offered:
        listed = ", ".join([*role.built_in, *sorted(offered)])
        raise InputError(
            f"There is no {role.what} {name!r}.",
            remedy=f"{role.what.capitalize()}s: {listed}; or give module:attr.",
        )
    return offered_at(offered[name], role.what)


def called_as(offered: Any, name: str, role: Role) -> Called:
    """The method of an object that plays `role`, of what a class makes (called without arguments), or a function.
    Raises InputError for anything else."""
    player = instance_of(offered, name, role.what)
    with foreign(role.what, name):
        method, own = getattr(player, role.method, None), getattr(player, "name", None)
    if callable(method):
        return Called(own if isinstance(own, str) else name, method)
    if callable(player):
        return Called(name, player)
    raise InputError(
        f"{name!r} is no {role.what}: {type(player).__name__}.",
        remedy=f"Give an object with `async {role.form}`, a class of such, or a function.",
    )
