"""End states of the task that books a terrace, made by SQL, and tasks with other verifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import apsw

from envolve.environments import Environment
from envolve.environments.changes import ChangeSet, decode
from envolve.environments.models import Submission, Task, Verdict
from envolve.environments.verification import verify

BOOKED = (
    "INSERT INTO bookings (id, confirmation_code, table_id, person_id, starts_at, ends_at, party_size, note) VALUES"
    " (1900, 'TB-X', 558, 204, '2026-03-07 19:30:00', '2026-03-07 21:30:00', 4, 'Window side,  no music')"
)
LEFT = "DELETE FROM waitlist WHERE id = 71"
CLOSED_UP = "UPDATE waitlist SET position = position - 1 WHERE restaurant_id = 43"
DONE = (BOOKED, LEFT, CLOSED_UP)


def ended(environment: Environment, before: bytes, statements: Iterable[str]) -> tuple[bytes, ChangeSet]:
    """An end state, and what changed."""
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", before)
    session = apsw.Session(connection, "main")
    session.attach()
    for sql in statements:
        connection.execute(sql)
    return connection.serialize("main"), ChangeSet(rows=decode(session.changeset(), environment.tables()))


class End:
    """What some SQL makes of a task's seed state."""

    def __init__(self, environment: Environment, task: Task, *statements: str) -> None:
        self.environment, self.task = environment, task
        self.before = environment.image_for(task)
        self.after, self.changes = ended(environment, self.before, statements)

    def verdict(self, submission: Submission | None = None, **options: Any) -> Verdict:
        return verify(
            self.environment,
            self.task,
            before=self.before,
            after=self.after,
            changes=self.changes,
            submission=submission,
            **options,
        )


Judge = Callable[..., Verdict]


def changed(task: Task, **verifier: Any) -> Task:
    """The task with parts of its verifier replaced."""
    plain = task.verifier.model_dump(exclude_unset=True, by_alias=True)
    return Task.model_validate(
        {**task.model_dump(by_alias=True, exclude_unset=True), "verifier": {**plain, **verifier}}
    )
