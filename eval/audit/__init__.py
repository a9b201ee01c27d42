"""Audit of verifiers: is what they say right? By execution, no model needed."""

from .auditing import ALL as ALL
from .auditing import audit as audit
from .auditing import grade as grade
from .base import AuditContext as AuditContext
from .base import Gate as Gate
from .freezing import freeze as freeze
from .freezing import is_frozen_valid as is_frozen_valid
from .freezing import verifier_hash as verifier_hash
