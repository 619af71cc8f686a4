"""Latency is measured alone: nothing else runs meanwhile."""

import asyncio

from chunkbench_engine.run.quiet import Quiet


async def test_units_run_beside_each_other() -> None:
    quiet = Quiet()
    together = asyncio.Barrier(3)

    async def unit() -> None:
        async with quiet.busy():
            await together.wait()

    await asyncio.wait_for(asyncio.gather(*(unit() for _ in range(3))), 5)


async def test_a_measurement_waits_for_the_units_under_way_and_holds_up_the_others() -> None:
    quiet = Quiet()
    order: list[str] = []
    begun = asyncio.Event()
    may_end = asyncio.Event()

    async def unit(name: str) -> None:
        async with quiet.busy():
            order.append(f"{name} begins")
            begun.set()
            await may_end.wait()
            order.append(f"{name} ends")

    async def measurement() -> None:
        async with quiet.alone():
            order.append("measured")
            await asyncio.sleep(0)
            order.append("measured to the end")

    first = asyncio.create_task(unit("first"))
    await begun.wait()
    measuring = asyncio.create_task(measurement())
    await asyncio.sleep(0)
    second = asyncio.create_task(unit("second"))
    await asyncio.sleep(0.01)
    assert order == ["first begins"]
    may_end.set()
    await asyncio.gather(first, measuring, second)
    assert order == [
        "first begins",
        "first ends",
        "measured",
        "measured to the end",
        "second begins",
        "second ends",
    ]


async def test_a_measurement_that_is_given_up_holds_nobody_up() -> None:
    quiet = Quiet()
    async with quiet.busy():
        measuring = asyncio.create_task(_measure(quiet))
        await asyncio.sleep(0)
        measuring.cancel()
        await asyncio.gather(measuring, return_exceptions=True)
    async with asyncio.timeout(5), quiet.busy():
        pass


async def _measure(quiet: Quiet) -> None:
    async with quiet.alone():
        raise AssertionError("it was cancelled before its turn")
