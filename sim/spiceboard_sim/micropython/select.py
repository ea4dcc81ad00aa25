"""`select` whose waiting is virtual time; what arrives is decided by the world.

The interpreter's own poll says whether input bytes lie in the pipe. That is repeatable: the
world puts them there only while the firmware waits for one of its answers.
"""

import uselect
from simlink import link

POLLIN = 1
POLLOUT = 4
POLLERR = 8
POLLHUP = 16

_IOCTL_POLL = 3
_real = uselect.poll()
_real.register(0, POLLIN)


def _input_waits():
    for _, event in _real.ipoll(0):
        if event & (POLLIN | POLLHUP):
            return True
    return False


class _Poll:
    def __init__(self):
        # [object, descriptor or None, flags]; a list, because the order of a dict of objects
        # depends on their addresses, so runs would differ
        self._of = []

    def _find(self, thing):
        for entry in self._of:
            if entry[0] is thing:
                return entry
        return None

    def register(self, thing, flags=POLLIN | POLLOUT):
        descriptor = thing if isinstance(thing, int) else None
        if hasattr(thing, "fileno"):
            descriptor = thing.fileno()
        if descriptor is not None and descriptor not in (0, 1):
            raise NotImplementedError(
                "select: only stdin, stdout and objects with ioctl are modelled"
            )
        self.unregister(thing)
        self._of.append([thing, descriptor, flags])

    def modify(self, thing, flags):
        entry = self._find(thing)
        if entry is None:
            raise OSError(2)
        entry[2] = flags

    def unregister(self, thing):
        entry = self._find(thing)
        if entry is not None:
            self._of.remove(entry)

    def _scan(self, writable):
        """What is ready, and which waits only the world can end."""
        ready = ()
        ask = 0
        for thing, descriptor, flags in self._of:
            if descriptor is None:
                event = thing.ioctl(_IOCTL_POLL, flags)
            else:
                event = 0
                if flags & POLLIN:
                    ask |= POLLIN
                    if _input_waits():
                        event |= POLLIN
                if flags & POLLOUT:
                    ask |= POLLOUT
                    if writable:
                        event |= POLLOUT
            if event:
                ready = ready or []
                ready.append((thing, event))
        return ready, ask

    def ipoll(self, timeout=-1, flags=0):
        """Wait up to `timeout` ms (negative: for ever); (object, event) pairs that are ready."""
        link.spend(link.cost_poll)
        ready, ask = self._scan(False)
        if ask & POLLOUT:
            if link.wait(link.now if ready else self._until(timeout), ask) & POLLOUT:
                return self._scan(True)[0]
            return self._scan(False)[0]
        if ready or timeout == 0:
            return ready
        link.wait(self._until(timeout), ask)
        return self._scan(False)[0]

    def _until(self, timeout):
        return -1 if timeout < 0 else link.now + timeout * 1000000

    def poll(self, timeout=-1):
        return list(self.ipoll(timeout))


def poll():
    return _Poll()
