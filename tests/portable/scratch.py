"""Where portable tests write: a path that no other worker, runtime or checkout uses."""

import binascii
import os
import sys


def path(name):
    """A path in the system's temporary folder; it may be left over from an earlier run."""
    worker = os.getenv("PYTEST_XDIST_WORKER") or "alone"
    checkout = binascii.crc32(__file__.encode())
    return "/tmp/spiceboard-%s-%s-%s-%08x" % (name, sys.implementation.name, worker, checkout)
