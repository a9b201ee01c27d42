"""What is worked out is kept, what it was worked out from is not."""

from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from envolve.environments.keeping import Latest, kept_beside


class Owner:
    pass


def test_what_is_kept_beside_an_object_is_made_once_and_goes_with_it() -> None:
    made: list[weakref.ref[Owner]] = []

    @kept_beside
    def result(owner: Owner) -> list[str]:
        made.append(weakref.ref(owner))
        return ["made"]

    one, other = Owner(), Owner()
    assert result(one) is result(one)
    assert result(one) is not result(other)
    assert len(made) == 2
    del one
    gc.collect()
    assert made[0]() is None
    assert made[1]() is other


def test_the_latest_are_kept_and_no_more() -> None:
    made: list[int] = []

    def of(kept: Latest[int, int], key: int) -> int:
        def make() -> int:
            made.append(key)
            return key * 10

        return kept.of(key, make)

    kept = Latest[int, int](2)
    assert [of(kept, key) for key in (1, 2, 1, 3, 1, 2)] == [10, 20, 10, 30, 10, 20]
    assert made == [1, 2, 3, 2], "2 went when 3 came, since 1 was asked for after it"


def test_all_who_ask_at_the_same_time_get_the_one_that_is_kept() -> None:
    """It may be made several times over; who asks while it is made waits for nobody."""
    many = 4
    together = threading.Barrier(many, timeout=30)

    def make(*_: object) -> list[str]:
        together.wait()
        return ["made"]

    owner, beside, latest = Owner(), kept_beside(make), Latest[str, list[str]](1)
    with ThreadPoolExecutor(many) as threads:
        for ask in (partial(beside, owner), partial(latest.of, "key", make)):
            found = [asked.result() for asked in [threads.submit(ask) for _ in range(many)]]
            assert {id(one) for one in found} == {id(ask())}
