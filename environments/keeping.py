"""What was worked out and is asked for again, kept without keeping alive what it was worked out from.

`functools.lru_cache` holds the arguments of its calls. An environment among them stays in memory, tools and seed state
and all, until so many others have come after it. It is right where arguments are small; these two are for the rest.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Owner = TypeVar("Owner")
Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


def kept_beside(make: Callable[[Owner], Found]) -> Callable[[Owner], Found]:
    """What `make` gave for an object, kept as long as the object, which it must not hold. Thread-safe: threads that
    ask at the same time may each have it made; one result is kept, and as long as it is, all get that one."""
    kept: WeakKeyDictionary[Owner, Found] = WeakKeyDictionary()
    lock = threading.Lock()

    @wraps(make)
    def found(owner: Owner) -> Found:
        with lock:
            if owner in kept:
                return kept[owner]
        made = make(owner)
        with lock:
            return kept.setdefault(owner, made)

    return found


class Latest(Generic[Key, Found]):
    """What was asked for last, at most `most` of it, by keys that say all it depends on. Thread-safe: threads that ask
    at the same time may each have it made; one result is kept, and as long as it is, all get that one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Found] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, key: Key, make: Callable[[], Found]) -> Found:
        """What is kept under `key`; what `make` gives where there is nothing."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        # Not under the lock: it may take long, or ask for something else that is kept here.
        made = make()
        with self._lock:
            found = self._kept.setdefault(key, made)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found
