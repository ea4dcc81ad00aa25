"""asyncio as the board uses it: order, waiting, cancelling, time-outs, events, locks."""

import asyncio
import time

log = []


async def worker(name, ms):
    try:
        for _ in range(3):
            await asyncio.sleep_ms(ms)
            log.append(name)
    except asyncio.CancelledError:
        log.append("cancelled " + name)
        raise
    return name


async def main():
    a = asyncio.create_task(worker("a", 10))
    b = asyncio.create_task(worker("b", 25))
    print(await a, await b, log, time.ticks_ms())
    try:
        await asyncio.wait_for_ms(worker("c", 100), 150)
    except asyncio.TimeoutError:  # noqa: UP041 (MicroPython has no builtin TimeoutError)
        print("late", log[-1], time.ticks_ms())
    print(await asyncio.gather(worker("d", 1), worker("e", 2)))
    event = asyncio.Event()
    flag = asyncio.ThreadSafeFlag()

    async def waits():
        await event.wait()
        await flag.wait()
        return "woken"

    w = asyncio.create_task(waits())
    await asyncio.sleep_ms(5)
    event.set()
    await asyncio.sleep_ms(5)
    flag.set()
    print(await w, time.ticks_ms())
    t = asyncio.create_task(worker("f", 50))
    await asyncio.sleep_ms(1)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print("done", log[-1], t.done(), time.ticks_ms())

    async def fails():
        raise ValueError("no")

    try:
        await asyncio.create_task(fails())
    except ValueError as error:
        print("raised", error)
    lock = asyncio.Lock()
    async with lock:
        print("locked")


asyncio.run(main())
