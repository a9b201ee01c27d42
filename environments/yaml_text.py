"""YAML as packages use it: plain data, every value with its line.

Refused: anchors and aliases, tags, keys given twice, more than one document, deep nesting. Plain `yes`, `12:30`
and `2026-03-02` are texts, as in YAML 1.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from .errors import PackageError

Path = tuple[str | int, ...]
_DEEPEST = 40
_MOST_VALUES = 200_000
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,18})")
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]*([eE][-+][0-9]+)?")
_PLAIN = re.compile(r"[\w .()/<>=+*%$-]*(: ?[\w]+)?")
_LONGEST_FLOW = 90
_CONSTANTS: dict[str, bool | None] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_CONSTANTS |= {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


class Document(NamedTuple):
    """The data of a YAML file and the line of each value, from 1."""

    value: Any
    lines: dict[Path, int | None]

    def line(self, path: Path) -> int | None:
        """The line of the value at `path`, or of the nearest value above it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


def parse_yaml(text: str, file: str) -> Document:
    """Raises PackageError naming `file`, line and field."""
    builder = _Builder(file)
    try:
        events = yaml.parse(text, Loader=yaml.CSafeLoader)
        return Document(builder.document(events), builder.lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise PackageError(
            f"is not YAML: {error.problem or error.context}",
            file=file,
            line=line,
            remedy="Quote texts that hold `: `, ` #`, `{` or begin with a special character.",
        ) from error
    except yaml.YAMLError as error:
        raise PackageError(f"is not YAML: {str(error).splitlines()[0]}", file=file) from error


class _Builder:
    """Turns parser events into data."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[Path, int | None] = {}

    def document(self, events: Iterator[yaml.Event]) -> Any:
        value: Any = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._refuse(event, (), "holds more than one document")
            elif isinstance(event, yaml.NodeEvent):
                value = self._node(event, events, ())
        return value

    def _node(self, event: yaml.Event, events: Iterator[yaml.Event], path: Path) -> Any:
        self._check(event, path)
        if len(self.lines) >= _MOST_VALUES:
            raise self._refuse(event, path[:1], f"holds more than {_MOST_VALUES:,} values")
        self.lines[path] = _line(event)
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(events, path)
        return self._mapping(events, path)

    def _check(self, event: yaml.Event, path: Path) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise self._refuse(
                event, path, "anchors and aliases are refused", "Use `use:` and `shared:` in tools.yaml."
            )
        if getattr(event, "tag", None) is not None:
            raise self._refuse(event, path, "tags are refused", "Quote the text if it begins with `!`.")
        if len(path) > _DEEPEST:
            raise self._refuse(event, path[:3], "is nested too deeply")

    def _sequence(self, events: Iterator[yaml.Event], path: Path) -> list[Any]:
        items: list[Any] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._node(event, events, (*path, len(items))))
        return items

    def _mapping(self, events: Iterator[yaml.Event], path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            self._check(event, path)
            if not isinstance(event, yaml.ScalarEvent):
                raise self._refuse(event, path, "keys are texts")
            key: str = event.value
            if key in found:
                raise self._refuse(event, (*path, key), "the key is given twice")
            value_event = next(events)
            found[key] = self._node(value_event, events, (*path, key))
            self.lines[(*path, key)] = _line(event)
        return found

    def _refuse(self, event: yaml.Event, path: Path, message: str, remedy: str = "") -> PackageError:
        field = ".".join(str(part) for part in path)
        return PackageError(message, file=self.file, field=field, line=_line(event), remedy=remedy)


def _line(event: yaml.Event) -> int | None:
    return event.start_mark.line + 1 if event.start_mark else None


def _scalar(event: yaml.ScalarEvent) -> Any:
    text: str = event.value
    if event.style:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


class _Dumper(yaml.CSafeDumper):
    """Block style, but `{…}` and `[…]` for what is short and plain; long texts as literal blocks; no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> yaml.MappingNode:
        node = super().represent_mapping(tag, mapping, flow_style)
        node.flow_style = _is_short([part for pair in node.value for part in pair]) and "format" not in mapping
        return node

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> yaml.SequenceNode:
        node = super().represent_sequence(tag, sequence, flow_style)
        node.flow_style = _is_short(node.value)
        return node


def _is_short(nodes: list[yaml.Node]) -> bool:
    """Whether the values fit one line and need no quotes on it."""
    if not all(isinstance(node, yaml.ScalarNode) and _PLAIN.fullmatch(node.value) for node in nodes):
        return False
    return sum(len(node.value) + 2 for node in nodes) <= _LONGEST_FLOW


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def dump_yaml(value: Any) -> str:
    """`value` as YAML that `parse_yaml` reads back as it was."""
    dumped: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return dumped
