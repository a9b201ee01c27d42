"""A structural signature: weighted multisets of features, one for each part of what is compared.

Features are hashes and codes in which no name of the world occurs, so renaming and reordering change nothing.
(`targets` is the exception: it is what a task is about, names and values included.)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from math import fsum

import networkx as nx
from networkx.algorithms.graph_hashing import weisfeiler_lehman_subgraph_hashes

from ...environments.canonical import sha256


def digest(value: object) -> str:
    """A short hash of anything JSON-like."""
    return sha256(value)[:12]


def weighted(features: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The multiset of `(feature, weight)` pairs, sorted so that equal signatures are equal texts."""
    grouped = defaultdict[str, list[float]](list)
    for feature, weight in features:
        grouped[feature].append(weight)
    return {feature: fsum(grouped[feature]) for feature in sorted(grouped)}


def jaccard(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """Weighted multiset Jaccard similarity in 0..1; of two empty ones, 1."""
    keys = left.keys() | right.keys()
    union = fsum(max(left.get(key, 0.0), right.get(key, 0.0)) for key in keys)
    shared = fsum(min(left.get(key, 0.0), right.get(key, 0.0)) for key in keys)
    return shared / union if union else 1.0


def neighbourhoods(graph: nx.Graph[str], iterations: int) -> dict[str, list[str]]:
    """Weisfeiler-Lehman hashes of each node's surroundings, from depth 0 (its own label) to `iterations`.

    Nodes carry `label`, edges `label`.
    """
    hashes: dict[str, list[str]] = weisfeiler_lehman_subgraph_hashes(
        graph,
        node_attr="label",
        edge_attr="label",
        iterations=iterations,
        digest_size=6,
        include_initial_labels=True,
    )
    return hashes


def bag(names: Iterable[str]) -> str:
    """Names with their counts, order aside."""
    return ",".join(f"{name}*{count}" for name, count in sorted(Counter(names).items()))
