"""The library's own files of data: YAML in which a key stands once, since the earlier of two would be lost unseen."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from ...environments.errors import InputError


def packaged(name: str) -> Any:
    """What a file beside this module holds. Raises InputError."""
    return loaded(files(__package__).joinpath(name).read_text(encoding="utf-8"), name)


def loaded(text: str, name: str) -> Any:
    """What a YAML text holds. Raises InputError with the file's `name` for what is no YAML and for a key that stands
    twice."""
    import yaml

    try:
        loader = yaml.CSafeLoader(text)
        try:
            node = loader.get_single_node()
            _refuse_doubles(node, name)
            return loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise InputError(f"{name}: {error}", remedy="Correct the library file.") from error


def _refuse_doubles(node: Any, name: str) -> None:
    """Nodes that stand in several places (anchors) are looked at once."""
    left, seen = [node], set[int]()
    while left:
        one = left.pop()
        if id(one) in seen or not isinstance(getattr(one, "value", None), list):
            continue
        seen.add(id(one))
        if one.id == "mapping":
            keys = set[str]()
            for key, value in one.value:
                if key.id == "scalar" and key.value in keys:
                    line = key.start_mark.line + 1
                    raise InputError(f"{name}:{line}: {key.value} stands there twice.", remedy="Leave one out.")
                keys.add(str(key.value))
                left.append(value)
        else:
            left += one.value
