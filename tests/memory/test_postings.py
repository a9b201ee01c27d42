"""The inverted index says exactly what comparing one by one says."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.memory.postings import Postings, VectorTable
from envolve.memory.signatures import Signature, jaccard, structural_similarity
from envolve.memory.signatures.compose import ENVIRONMENT_WEIGHTS

MULTISETS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9).map(float))


@settings(derandomize=True, database=None, max_examples=100)
@given(st.lists(MULTISETS, max_size=12), MULTISETS)
def test_similarities_are_exact(known: list[dict[str, float]], asked: dict[str, float]) -> None:
    postings = Postings()
    for features in known:
        postings.add(features)
    expected = [jaccard(asked, features) if asked or features else 0.0 for features in known]
    assert np.allclose(postings.similarities(asked), expected)
    assert len(postings) == len(known)
    assert postings.present().tolist() == [bool(features) for features in known]


def test_what_is_sorted_and_what_waits_count_alike() -> None:
    draw = np.random.default_rng(1)
    known = [{f"f{n}": float(1 + n % 4) for n in draw.choice(5_000, 100)} for _ in range(1_500)]
    postings = Postings()
    for number, features in enumerate(known):
        postings.add(features)
        if number % 100 == 99:
            expected = [jaccard(known[3], other) for other in known[: number + 1]]
            assert np.allclose(postings.similarities(known[3]), expected)


@settings(derandomize=True, database=None, max_examples=50)
@given(st.dictionaries(st.sampled_from(sorted(ENVIRONMENT_WEIGHTS)), MULTISETS.filter(bool)), MULTISETS.filter(bool))
def test_structural_similarity_is_within_bounds(parts: dict[str, dict[str, float]], schema: dict[str, float]) -> None:
    left, right = Signature.model_validate({"parts": parts}), Signature(parts={"schema": schema})
    assert 0.0 <= structural_similarity(left, right) == structural_similarity(right, left) <= 1.0


def test_vectors_may_be_missing() -> None:
    table = VectorTable()
    table.add(None)
    assert table.similarities(np.array([1, 0], dtype=np.float32)).tolist() == [0.0]
    for vector in ([1, 0], [0, 1], [-1, 0]):
        table.add(np.array(vector, dtype=np.float32))
    for _ in range(200):
        table.add(None)
    found = table.similarities(np.array([1, 0], dtype=np.float32))
    assert found[:4].tolist() == [0.0, 1.0, 0.0, 0.0]
    assert (len(table), found[4:].max()) == (204, 0.0)
    assert table.similarities(None).shape == (204,)


def test_a_similarity_does_not_depend_on_what_came_later() -> None:
    drawn = np.random.default_rng(2).normal(size=(100, 384)).astype(np.float32)
    table, before = VectorTable(), list[float]()
    for vector in drawn:
        table.add(vector)
        before.append(table.similarities(drawn[0])[-1])
    assert table.similarities(drawn[0]).tolist() == before
