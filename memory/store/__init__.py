"""The run store: run.db through SQLAlchemy, its migrations, and the lock of a run's folder."""

from .errors import AlreadyDone as AlreadyDone
from .lock import RunLock as RunLock
from .run_store import RunStore as RunStore
