"""No test reads or changes what the person who runs it keeps."""

import pytest
from hypothesis import HealthCheck, settings

from referee import arithmetic

arithmetic.one_thread()  # as on the command line; nothing above loads numpy

# How long making up an example takes is the machine's matter, not the test's.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


@pytest.fixture(autouse=True, scope="session")
def own_data(tmp_path_factory):
    """Words, voices, decks and models of these tests lie in a folder of their own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("REFEREE_DATA", str(tmp_path_factory.mktemp("data")))
    yield
    patch.undo()
