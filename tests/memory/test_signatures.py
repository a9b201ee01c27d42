"""Signatures see how things are built, not what they are called."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments.models import Task
from envolve.environments.package import Environment
from envolve.memory.signatures import Signature, environment_signature, jaccard, structural_similarity, task_signature
from envolve.memory.signatures.schema import SchemaShape

MULTISETS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 8).map(float))


def test_names_do_not_matter(sample: Environment, altered: Any) -> None:
    renamed = altered.renamed()
    assert renamed.hash != sample.hash
    assert "bookings" not in renamed.tables()
    assert environment_signature(renamed) == environment_signature(sample)


def test_another_story_does_not_matter(sample: Environment, altered: Any) -> None:
    retold = altered.retold()
    assert "salons" in retold.tables()
    assert environment_signature(retold) == environment_signature(sample)


@pytest.mark.parametrize("seed", range(3))
def test_order_does_not_matter(sample: Environment, altered: Any, seed: int) -> None:
    assert environment_signature(altered.reordered(seed)) == environment_signature(sample)


def test_names_that_sql_keeps_for_itself_do_not_matter(sample: Environment, altered: Any) -> None:
    words = {"price_level": "grant", "neighborhood": "end_of_line", "seats": "lateral"}
    assert environment_signature(altered.copy(words=words)) == environment_signature(sample)


def test_a_table_stays_what_it_is_where_what_refers_to_it_is_gone(sample: Environment) -> None:
    whole = SchemaShape(sample.tables()).features
    left = {name: info for name, info in sample.tables().items() if name not in ("waitlist", "booking_events")}
    part = SchemaShape(left).features
    assert len(left) == len(sample.tables()) - 2
    assert all(whole[feature] >= weight for feature, weight in part.items())


CHANGES: dict[str, tuple[str, str]] = {
    "a column": ("  email TEXT NOT NULL UNIQUE,", "  email TEXT NOT NULL UNIQUE, phone TEXT,"),
    "a type": ("price_level INTEGER", "price_level REAL"),
    "a bound": (" CHECK (price_level BETWEEN 1 AND 4)", ""),
    "a key": (",\n  UNIQUE (restaurant_id, person_id)", ""),
    "a status": (", 'no_show'))", ", 'no_show', 'late'))"),
    "a reference": ("booking_id INTEGER NOT NULL REFERENCES bookings (id)", "booking_id INTEGER NOT NULL"),
    "nullability": ("neighborhood TEXT NOT NULL,", "neighborhood TEXT,"),
    "what the parser does not know": ("rating REAL NOT NULL", "rating ANY NOT NULL"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_structure_matters(sample: Environment, altered: Any, change: tuple[str, str]) -> None:
    other = environment_signature(altered.copy(schema=change))
    base = environment_signature(sample)
    assert other.parts["schema"] != base.parts["schema"]
    assert 0.6 <= structural_similarity(base, other) < 1.0


def test_tools_matter(sample: Environment, altered: Any) -> None:
    base = environment_signature(sample)
    fewer = environment_signature(altered.without_tools("list_waitlist"))
    guard = environment_signature(
        altered.copy(tools=("    - use: check_free\n    - do: |\n        UPDATE", "    - do: |\n        UPDATE"))
    )
    other_write = environment_signature(
        altered.copy(tools=("DELETE FROM waitlist WHERE", "UPDATE waitlist SET party_size = 1 WHERE"))
    )
    for changed in (fewer, guard, other_write):
        assert changed.parts["schema"] == base.parts["schema"]
        assert 0.85 < structural_similarity(base, changed) < 1.0


def test_similarity_leaves_out_what_one_side_lacks(sample: Environment) -> None:
    bare = environment_signature(sample.without_tasks())
    assert "gold" not in bare.parts
    assert structural_similarity(environment_signature(sample), bare) == 1.0
    assert structural_similarity(Signature(), bare) == 0.0


def task(base: Task, **changes: Any) -> Task:
    return base.model_copy(update=changes)


def test_the_shape_of_a_task_is_its_data_flow(sample: Environment) -> None:
    base = sample.tasks["book-the-terrace-for-four"]
    shape = task_signature(sample, base).parts["shape"]
    swapped = task(base, gold=(*base.gold[5:8], *base.gold[:5], base.gold[8]))
    assert task_signature(sample, swapped).parts["shape"] == shape
    shorter = task(base, gold=(*base.gold[:5], base.gold[8]))
    other = task_signature(sample, shorter).parts["shape"]
    assert 0.3 < jaccard(shape, other) < 0.8
    faulty = task(base, faults=({"call": 2, "kind": "conflict"},))
    assert task_signature(sample, faulty).parts["shape"] != shape


def test_targets_are_what_a_task_is_about(sample: Environment) -> None:
    base = sample.tasks["move-the-anniversary-dinner"]
    targets = task_signature(sample, base).parts["targets"]
    reworded = task(base, instruction="Six will come to the anniversary dinner now.", id="other")
    assert task_signature(sample, reworded).parts["targets"] == targets
    assert (
        task_signature(sample, task(base, actor=base.actor.model_copy(update={"id": 306}))).parts["targets"]
        == targets
    )
    by_another = task(base, actor=base.actor.model_copy(update={"roles": ("host", "diner")}))
    assert 0.5 < jaccard(targets, task_signature(sample, by_another).parts["targets"]) < 1.0


@settings(derandomize=True, database=None, max_examples=100)
@given(MULTISETS, MULTISETS)
def test_jaccard_is_a_similarity(left: dict[str, float], right: dict[str, float]) -> None:
    assert jaccard(left, left) == 1.0
    assert jaccard(left, right) == jaccard(right, left)
    assert 0.0 <= jaccard(left, right) <= 1.0
    assert (jaccard(left, right) == 1.0) == (left == right)
