"""Keeping everything else still while latency is measured."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Quiet:
    """Many units of work may run at once, or one measurement alone.

    A measurement that waits goes before units that have not yet begun, so that it waits for no
    more than the units under way.
    """

    def __init__(self) -> None:
        self._condition = asyncio.Condition()
        self._busy = 0
        self._waiting = 0
        self._alone = False

    @asynccontextmanager
    async def busy(self) -> AsyncIterator[None]:
        """Around a unit of work that may run beside others."""
        async with self._condition:
            await self._condition.wait_for(lambda: not self._alone and not self._waiting)
            self._busy += 1
        try:
            yield
        finally:
            async with self._condition:
                self._busy -= 1
                self._condition.notify_all()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Around a measurement that nothing may disturb."""
        async with self._condition:
            self._waiting += 1
            try:
                await self._condition.wait_for(lambda: not self._alone and not self._busy)
            finally:
                self._waiting -= 1
                self._condition.notify_all()
            self._alone = True
        try:
            yield
        finally:
            async with self._condition:
                self._alone = False
                self._condition.notify_all()
