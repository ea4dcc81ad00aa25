"""`time` with the world's clock: ticks are virtual, sleeping lets virtual time pass."""

import simtasks  # noqa: F401 (asyncio imports `time` first: from now on its tasks are these)
from simlink import link
from utime import gmtime, localtime, mktime, ticks_add, ticks_diff  # noqa: F401

_START = 1767225600  # where the clock of a Pico starts if it was not set: 2026-01-01


def ticks_us():
    """Microseconds of virtual time; reading them takes a little of it."""
    link.spend(link.cost_ticks)
    return link.now // 1000


def ticks_ms():
    link.spend(link.cost_ticks)
    return link.now // 1000000


def ticks_cpu():
    link.spend(link.cost_ticks)
    return link.now // 8


def sleep_us(us):
    if us > 0:
        link.wait(link.now + us * 1000, 0)


def sleep_ms(ms):
    if ms > 0:
        link.wait(link.now + ms * 1000000, 0)


def sleep(seconds):
    sleep_us(int(seconds * 1000000))


def time():
    return _START + link.now // 1000000000


def time_ns():
    return _START * 1000000000 + link.now
