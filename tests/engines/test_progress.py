import pytest

from heedful.engines import progress
from heedful.engines.output import PartResult
from heedful.engines.progress import Progress, ProgressClock


@pytest.fixture
def clock(monkeypatch):
    """What makes a clock whose time goes by ten seconds at each look; what it told is beside it."""

    def make(rows):
        now = iter(range(0, 1000, 10))
        monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
        told: list[Progress] = []
        return ProgressClock(len(rows) + 1, 1, rows, told.append), told

    return make


def test_the_time_left_leaves_out_how_long_workers_took_to_start(clock):
    one, told = clock({"a": 100, "b": 200, "c": 400})
    one.tick(PartResult("a", 99, 1))
    one.tick(PartResult("b", 200))
    one.tick(PartResult("c", failed="no disk"))
    assert [(far.parts, far.of_parts, far.rows) for far in told] == [(1, 4, 0), (2, 4, 100), (3, 4, 300), (3, 4, 300)]
    assert [far.left for far in told] == [None, None, 20.0, 0.0]


def test_where_rows_are_not_known_the_time_left_is_by_parts(clock):
    one, told = clock({"a": None, "b": 200, "c": None})
    one.tick(PartResult("a", 5))
    one.tick(PartResult("b", 200))
    assert told[-1].left == 10.0
