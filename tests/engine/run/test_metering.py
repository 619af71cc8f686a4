"""Work in a metered child: its results, its seconds, its memory, and how it may fail."""

import os
import signal
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from chunkbench_engine.embedders.embedder import Vectors
from chunkbench_engine.errors import Unavailable
from chunkbench_engine.run.metering import Metered, run_metered

MEGABYTE = 2**20
Embed = Callable[[Sequence[str]], Vectors]


def _embed(texts: Sequence[str]) -> Vectors:
    return Vectors(np.ones((len(texts), 2), dtype=np.float32), 0.25)


def _run(
    work: Callable[[object, Embed], object],
    items: Sequence[object],
    embed: Embed = _embed,
    limit: float = 30.0,
    wanted: Callable[[], bool] = lambda: True,
) -> Metered:
    return run_metered(work, items, embed, limit, wanted)


def test_results_come_in_order_from_another_process() -> None:
    metered = _run(lambda item, _: (item, os.getpid()), ["a", "b", "c"])
    assert [result[0] for result in metered.results] == ["a", "b", "c"]
    assert {result[1] for result in metered.results} != {os.getpid()}
    assert metered.failure == ""
    assert len(metered.seconds) == 3


def test_the_peak_holds_what_the_work_allocates_and_not_what_was_there_before() -> None:
    before = np.ones(200 * MEGABYTE, dtype=np.uint8)

    def allocate(item: object, _: Embed) -> int:
        block = np.ones(100 * MEGABYTE, dtype=np.uint8)
        time.sleep(0.1)
        return int(block[0])

    metered = _run(allocate, [1])
    del before
    for peak in (metered.peak_rss, metered.kernel_peak_rss):
        assert 95 * MEGABYTE < peak - metered.base_rss < 150 * MEGABYTE
    assert max(size for _, size in metered.samples) > 95 * MEGABYTE


def _small_objects(megabytes: int) -> list[bytes]:
    return [bytes(400) for _ in range(megabytes * MEGABYTE // 448)]


def test_memory_that_the_parent_has_freed_is_not_used_for_nothing() -> None:
    # Freed, but for one in a thousand, so that it cannot go back to the system.
    pinned = _small_objects(30)[::1000]

    def allocate(item: object, _: Embed) -> int:
        objects = _small_objects(20)
        time.sleep(0.1)  # for a sample or two
        return len(objects)

    metered = _run(allocate, [1])
    assert pinned
    for peak in (metered.peak_rss, metered.kernel_peak_rss):
        assert 19 * MEGABYTE < peak - metered.base_rss < 24 * MEGABYTE


def test_what_sending_the_results_takes_is_no_part_of_the_peak() -> None:
    metered = _run(lambda item, _: bytearray(40 * MEGABYTE), [1, 2, 3])
    assert [len(result) for result in metered.results] == [40 * MEGABYTE] * 3
    for peak in (metered.peak_rss, metered.kernel_peak_rss):
        assert 39 * MEGABYTE < peak - metered.base_rss < 44 * MEGABYTE


def test_vectors_come_from_the_parent_and_count_with_what_they_cost() -> None:
    def slow(texts: Sequence[str]) -> Vectors:
        time.sleep(0.5)
        return _embed(texts)

    metered = _run(lambda item, embed: embed(["x", "y"]).values.shape, [1], slow)
    assert metered.results == ((2, 2),)
    # 0.25 s is what they are said to have cost; the half second of waiting is not the work's.
    assert 0.25 <= metered.seconds[0] < 0.45


def test_what_raises_fails_with_its_sentence_and_keeps_what_was_done() -> None:
    def work(item: object, _: Embed) -> object:
        if item == 2:
            raise ValueError("two is too much")
        return item

    metered = _run(work, [1, 2, 3])
    assert metered.results == (1,)
    assert metered.failure == "ValueError: two is too much"


def test_a_model_that_is_not_there_says_so() -> None:
    def absent(texts: Sequence[str]) -> Vectors:
        raise Unavailable("the model is not installed: pip install it")

    metered = _run(lambda item, embed: embed(["x"]), [1], absent)
    assert metered.failure == "the model is not installed: pip install it"


def test_what_never_returns_is_stopped() -> None:
    metered = _run(lambda item, _: time.sleep(60), [1], limit=0.3)
    assert metered.failure.startswith("took longer than 0.3 seconds over one document")


def test_a_child_that_is_killed_is_told_from_one_that_ended() -> None:
    metered = _run(lambda item, _: os.kill(os.getpid(), signal.SIGKILL), [1])
    assert "ended without a word" in metered.failure


def test_a_child_that_nobody_wants_any_more_is_ended() -> None:
    metered = _run(lambda item, _: time.sleep(60), [1], wanted=lambda: False)
    assert metered.failure == "was cancelled"


@pytest.mark.parametrize("count", [0, 1])
def test_no_items_is_no_failure(count: int) -> None:
    metered = _run(lambda item, _: item, [7] * count)
    assert metered.results == (7,) * count
    assert metered.failure == ""
