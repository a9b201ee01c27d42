"""How environments and tasks are built, whatever things are called."""

from ..records import Signature as Signature
from .base import jaccard as jaccard
from .compose import environment_signature as environment_signature
from .compose import structural_similarity as structural_similarity
from .compose import task_signature as task_signature
