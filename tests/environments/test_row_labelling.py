"""New rows put in an order that does not depend on how they are numbered."""

import itertools
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments.states.labelling import Edge, canonical_order

from .boards import quiet


def view(content: list[str], edges: list[Edge]) -> Any:
    place = {node: index for index, node in enumerate(canonical_order(content, edges))}
    nodes = sorted((place[node], text) for node, text in enumerate(content))
    return nodes, sorted((place[edge.source], edge.label, place[edge.target]) for edge in edges)


def renumbered(content: list[str], edges: list[Edge], to: list[int]) -> tuple[list[str], list[Edge]]:
    moved = [content[to.index(node)] for node in range(len(content))]
    return moved, [Edge(to[edge.source], edge.label, to[edge.target]) for edge in edges]


def graphs(size: int) -> st.SearchStrategy[tuple[list[str], list[Edge]]]:
    node = st.integers(0, size - 1)
    edge = st.builds(Edge, node, st.sampled_from("pq"), node)
    return st.tuples(st.lists(st.sampled_from("ab"), min_size=size, max_size=size), st.lists(edge, max_size=8))


@quiet
@given(st.integers(1, 7).flatmap(lambda size: st.tuples(graphs(size), st.permutations(range(size)))))
def test_order_does_not_depend_on_numbering(case: tuple[tuple[list[str], list[Edge]], list[int]]) -> None:
    (content, edges), to = case
    assert view(content, edges) == view(*renumbered(content, edges, to))


@settings(quiet, max_examples=300)
@given(st.integers(1, 4).flatmap(lambda size: st.tuples(graphs(size), graphs(size))))
def test_equal_views_mean_equal_graphs(
    case: tuple[tuple[list[str], list[Edge]], tuple[list[str], list[Edge]]],
) -> None:
    (content, edges), (others, other_edges) = case
    isomorphic = any(
        (moved := renumbered(content, edges, list(to)))[0] == others and sorted(moved[1]) == sorted(other_edges)
        for to in itertools.permutations(range(len(content)))
    )
    assert (view(content, edges) == view(others, other_edges)) == isomorphic


@pytest.mark.parametrize("size", [3, 6, 10])
def test_every_row_joined_with_every_other(size: int) -> None:
    joins = list(itertools.product(range(size), range(size)))
    content = ["left"] * size + ["right"] * size + ["join"] * len(joins)
    edges = [
        Edge(2 * size + number, label, end)
        for number, (left, right) in enumerate(joins)
        for label, end in (("left", left), ("right", size + right))
    ]
    to = random.Random(1).sample(range(len(content)), len(content))
    assert view(content, edges) == view(*renumbered(content, edges, to))


def graph(kind: str, size: int) -> tuple[list[str], list[Edge]]:
    """Rows without any difference of their own, but for the way in which they point at each other."""
    pairs = {
        "everyone points at everyone": [(i, j) for i in range(size) for j in range(size) if i != j],
        "a ring": [(i, (i + 1) % size) for i in range(size)],
        "a chain": [(i, i + 1) for i in range(size - 1)],
        "all at one": [(i, 0) for i in range(1, size)],
        "pairs of twins in a row": [
            (2 * i + a, 2 * i + 2 + b) for i in range(size // 2 - 1) for a in (0, 1) for b in (0, 1)
        ],
        "a cube": [(i, i ^ (1 << bit)) for i in range(size) for bit in range(10) if i ^ (1 << bit) < size],
    }[kind]
    return ["row"] * size, [Edge(source, "to", target) for source, target in pairs]


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("everyone points at everyone", 60),
        ("a ring", 200),
        ("a chain", 1000),
        ("all at one", 1000),
        ("pairs of twins in a row", 400),
        ("a cube", 64),
    ],
)
def test_large_and_symmetric_changes_take_no_time(kind: str, size: int) -> None:
    content, edges = graph(kind, size)
    start = time.process_time()
    assert sorted(canonical_order(content, edges)) == list(range(size))
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("everyone points at everyone", 14),
        ("a ring", 24),
        ("a chain", 80),
        ("pairs of twins in a row", 24),
        ("a cube", 16),
    ],
)
def test_how_rows_are_numbered_does_not_show(kind: str, size: int) -> None:
    content, edges = graph(kind, size)

    def form(edges: list[Edge]) -> list[tuple[int, int]]:
        place = {node: index for index, node in enumerate(canonical_order(content, edges))}
        return sorted((place[edge.source], place[edge.target]) for edge in edges)

    for seed in range(5):
        numbers = list(range(size))
        random.Random(seed).shuffle(numbers)
        assert form([Edge(numbers[edge.source], "to", numbers[edge.target]) for edge in edges]) == form(edges)
