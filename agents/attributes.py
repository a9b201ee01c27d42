"""What a user names as `module:attr`, and what packages offer: code of their own, which may fail in its own ways while it
is loaded. What it does once it works is `eval/foreign.py`'s."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import PurePath
from typing import Any

from ..environments.errors import EnvolveError, InputError
from ..eval.foreign import raised_as, raised_at

_AS = "Give module:attr as Python would import it."
_NOT_FOUND = f"{_AS} For a module in the working folder, put PYTHONPATH=. before the command."


def refuse_path(name: str, what: str) -> None:
    """Raises InputError for a file's name where a module's belongs, with what to write instead."""
    file, colon, attribute = name.partition(":")
    path = PurePath(file.replace("\\", "/"))
    if path.suffix != ".py" and len(path.parts) < 2:
        return
    apart = path.is_absolute() or ".." in path.parts
    folder = path.parent if apart else "."
    module = path.stem if apart else ".".join(path.with_suffix("").parts)
    raise InputError(
        f"{name!r} names a file, not a {what}.",
        remedy=f"Write {module}:{attribute if colon else what.upper()}, and put PYTHONPATH={folder} before the command.",
    )


def attribute_at(name: str, what: str) -> Any:
    """The object at `module:attr.attr`. `what` says for people what it is to be ("critic").

    Errors: InputError for a module or attribute that is not there, and for a module that fails while it is imported, with
    the line of it that did.
    """
    module, _, attribute = name.partition(":")
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name is not None and f"{module}.".startswith(f"{error.name}.")
        raise _unloaded(
            name, what, str(error) if missing else raised_at(error), _NOT_FOUND if missing else _AS
        ) from error
    except (Exception, SystemExit) as error:  # whatever the user's module does
        raise _unloaded(name, what, raised_at(error)) from error
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise _unloaded(name, what, f"{module} has no {attribute!r}")
        found = getattr(found, part)
    return found


def offered_at(point: EntryPoint, what: str) -> Any:
    """The object that an installed package offers. Raises InputError where it cannot be loaded."""
    try:
        return point.load()
    except (Exception, SystemExit) as error:  # whatever the package does
        raise InputError(
            f"The {what} {point.name!r} ({point.value}) cannot be loaded: {raised_as(error)}.",
            remedy="Install or repair the package that offers it.",
        ) from error


def instance_of(offered: Any, name: str, what: str, *arguments: str) -> Any:
    """What a class, called with `arguments`, gives; anything else as it is. Raises InputError where the call fails."""
    if not inspect.isclass(offered):
        return offered
    try:
        return offered(*arguments)
    except EnvolveError:
        raise
    except (Exception, SystemExit) as error:  # whatever the user's class does
        given = f"with {arguments[0]!r}" if arguments else "without arguments"
        raise InputError(
            f"The {what} {name!r} cannot be made: {raised_as(error)}.",
            remedy=f"The class is called {given}; or give an object of it, module:attr.",
        ) from error


def _unloaded(name: str, what: str, reason: str, remedy: str = _AS) -> InputError:
    return InputError(f"The {what} {name!r} cannot be loaded: {reason}.", remedy=remedy)
