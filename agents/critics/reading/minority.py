"""Which of several ways to write one thing are unlike the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...tester.queries import Query


def unusual(forms: Mapping[str, Sequence[Query]]) -> Iterator[tuple[str, Query]]:
    """The queries of each form but the one that more queries have than any other; where no form has most, all.
    Nothing where all have the same."""
    if len(forms) < 2:
        return
    most = max(len(queries) for queries in forms.values())
    usual = [form for form, queries in forms.items() if len(queries) == most]
    kept = usual[0] if len(usual) == 1 else None
    for form, queries in forms.items():
        yield from ((form, query) for query in queries if form != kept)
