"""Quick frozen dataclasses are frozen dataclasses like any other."""

from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from referee.quick import changed, quick


@dataclass(frozen=True, slots=True)
class Plain:
    one: int
    two: str = "b"
    three: dict[str, int] = field(default_factory=dict)
    four: int = field(default=4, kw_only=True)


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    one: int
    two: str = "b"
    three: dict[str, int] = field(default_factory=dict)
    four: int = field(default=4, kw_only=True)


CALLS = [((1,), {}), ((1, "x"), {}), ((1, "x", {"a": 1}), {"four": 5}), ((), {"one": 1, "three": {}})]


@pytest.mark.parametrize(("given", "named"), CALLS)
def test_it_is_made_as_the_plain_one_is(given, named):
    assert repr(Quick(*given, **named)) == repr(Plain(*given, **named)).replace("Plain", "Quick")
    assert Quick(*given, **named) == Quick(*given, **named)


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, "x", {}, 5), {}), ((1,), {"five": 5}), ((1,), {"one": 1})])
def test_what_the_plain_one_refuses_is_refused(given, named):
    for cls in (Plain, Quick):
        with pytest.raises(TypeError):
            cls(*given, **named)


def test_every_one_has_a_default_of_its_own():
    assert Quick(1).three is not Quick(1).three


def test_it_stays_frozen():
    with pytest.raises(FrozenInstanceError):
        Quick(1).one = 2
    with pytest.raises(AttributeError):
        Quick(1).__dict__  # noqa: B018


def test_changed_is_replace():
    old = Quick(1, "x", {"a": 1}, four=9)
    assert changed(old, two="y", four=0) == replace(old, two="y", four=0) == Quick(1, "y", {"a": 1}, four=0)
    assert old == Quick(1, "x", {"a": 1}, four=9)
    with pytest.raises(AttributeError):
        changed(old, five=5)


def test_copies_share_what_they_hold_and_deep_copies_do_not():
    old = Quick(1, "x", {"a": 1})
    assert copy(old) == old == deepcopy(old)
    assert copy(old).three is old.three is not deepcopy(old).three
