"""Errors keep what they say when they cross from another process."""

import pickle

from envolve.environments.errors import InputError, PackageError, ServiceError


def test_errors_survive_pickling() -> None:
    package = PackageError("no such column", file="tools.yaml", field="tools.0", remedy="Name a column.", line=3)
    for error in (package, InputError("what", remedy="how"), ServiceError("disk full")):
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error)
        assert (str(copy), copy.remedy, copy.exit_code) == (str(error), error.remedy, error.exit_code)
    copy = pickle.loads(pickle.dumps(package))
    assert (copy.file, copy.field, copy.line, copy.problems) == ("tools.yaml", "tools.0", 3, (copy,))
