"""Canonical labelling of small coloured graphs: the order of nodes that does not depend on how they were numbered.

Colours are refined by the colours of neighbours until stable. Nodes that still look alike are told apart by
giving one of them a colour of its own and refining again; of the orders that this yields the one with the least
code is taken. Choices that an automorphism makes equal are tried once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

_WORK = 1_000_000
"""Visits of nodes and edges in refinements. Beyond it (large, highly symmetric graphs) an order is still an order, but
renumbering may lead to another one."""
_DEEPEST = 150
"""Nodes singled out one within the other; each takes some frames of Python's stack. Beyond it as beyond `_WORK`."""

Code = tuple[Any, ...]


class Edge(NamedTuple):
    source: int
    label: str
    target: int


def canonical_order(content: Sequence[str], edges: Iterable[Edge]) -> list[int]:
    """The nodes (0 to n-1, described by `content`) in canonical order.

    Graphs that differ only in numbering get orders under which they read the same.
    """
    labelling = _Labelling(len(content), edges)
    names = {text: number for number, text in enumerate(sorted(set(content)))}
    colours = labelling.refined(range(len(content)), [names[text] for text in content])
    return labelling.order(list(range(len(content))), colours, try_all=True)


class _Labelling:
    def __init__(self, size: int, edges: Iterable[Edge]) -> None:
        self._out: list[list[tuple[str, int]]] = [[] for _ in range(size)]
        self._in: list[list[tuple[str, int]]] = [[] for _ in range(size)]
        for edge in edges:
            self._out[edge.source].append((edge.label, edge.target))
            self._in[edge.target].append((edge.label, edge.source))
        self._degrees = [1 + len(out) + len(into) for out, into in zip(self._out, self._in, strict=True)]
        self._work = 0
        self._depth = 0

    def refined(self, nodes: Iterable[int], colours: Sequence[int]) -> list[int]:
        """Colours of all nodes, those of `nodes` refined by their neighbours' until nothing changes (or it is too much).

        A finer colour keeps the place of the coarser one among the others.
        """
        nodes = list(nodes)
        current = list(colours)
        count = len({current[node] for node in nodes})
        while count < len(nodes) and self._work <= _WORK:
            self._work += sum(self._degrees[node] for node in nodes)
            seen = {node: self._surroundings(node, current) for node in nodes}
            names = {view: number for number, view in enumerate(sorted(set(seen.values())))}
            if len(names) == count:
                return current
            count = len(names)
            for node in nodes:
                current[node] = names[seen[node]]
        return current

    def _surroundings(self, node: int, colours: Sequence[int]) -> Code:
        out = sorted((label, colours[other]) for label, other in self._out[node])
        into = sorted((label, colours[other]) for label, other in self._in[node])
        return (colours[node], tuple(out), tuple(into))

    def order(self, nodes: list[int], colours: Sequence[int], *, try_all: bool) -> list[int]:
        """`nodes` by colour; where colours tie, by the canonical order of the connected part they belong to."""
        cells = _cells(nodes, colours)
        tied = [node for cell in cells.values() if len(cell) > 1 for node in cell]
        if not tied or self._work > _WORK or self._depth > _DEEPEST:
            return sorted(nodes, key=lambda node: colours[node])
        parts = [self._part_order(part, colours, try_all=try_all) for part in self._parts(tied)]
        parts.sort(key=lambda part: self._code(part, colours))
        place = {node: (number, index) for number, part in enumerate(parts) for index, node in enumerate(part)}
        return sorted(nodes, key=lambda node: (colours[node], place.get(node, (0, 0))))

    def _part_order(self, part: list[int], colours: Sequence[int], *, try_all: bool) -> list[int]:
        """The canonical order of a connected part of tied nodes: each is singled out in turn, the least code wins."""
        cells = [cell for _, cell in sorted(_cells(part, colours).items()) if len(cell) > 1]
        if not cells:
            return sorted(part, key=lambda node: colours[node])
        self._depth += 1
        best = self._least(part, colours, min(cells, key=len), try_all=try_all)
        self._depth -= 1
        return best

    def _least(self, part: list[int], colours: Sequence[int], cell: list[int], *, try_all: bool) -> list[int]:
        """The order of least code among those that single out a node of `cell`."""
        first, *others = cell
        best = self.order(part, self._singled_out(first, part, colours), try_all=try_all)
        codes = {self._code(best, colours)}
        for node in others if try_all else ():
            if self._work > _WORK:
                break
            single = self._singled_out(node, part, colours)
            if self._code(self.order(part, single, try_all=False), colours) in codes:
                continue
            order = self.order(part, single, try_all=True)
            codes.add(self._code(order, colours))
            best = min(best, order, key=lambda found: self._code(found, colours))
        return best

    def _singled_out(self, node: int, part: list[int], colours: Sequence[int]) -> list[int]:
        # Doubling makes room for one new colour just below the node's own.
        changed = [2 * colour for colour in colours]
        changed[node] -= 1
        return self.refined(part, changed)

    def _parts(self, nodes: Sequence[int]) -> list[list[int]]:
        """`nodes` split into parts that no edge connects."""
        left = set(nodes)
        parts = []
        for node in nodes:
            if node not in left:
                continue
            left.discard(node)
            part, queue = [node], [node]
            while queue:
                here = queue.pop()
                near = [other for _, other in (*self._out[here], *self._in[here]) if other in left]
                for other in dict.fromkeys(near):
                    left.discard(other)
                    part.append(other)
                    queue.append(other)
            parts.append(part)
        return parts

    def _code(self, order: Sequence[int], colours: Sequence[int]) -> Code:
        """What the nodes look like in this order: equal codes are equal up to numbering."""
        place = {node: number for number, node in enumerate(order)}
        return tuple(
            (
                colours[node],
                tuple(sorted((label, place[other]) for label, other in self._out[node] if other in place)),
            )
            for node in order
        )


def _cells(nodes: Iterable[int], colours: Sequence[int]) -> Mapping[int, list[int]]:
    cells: dict[int, list[int]] = {}
    for node in nodes:
        cells.setdefault(colours[node], []).append(node)
    return cells
