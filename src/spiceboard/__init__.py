"""Spiceboard: host tools and simulator of an open electronic board for Safranito.

The folders of the checkout (``host/``, ``sim/``, ``firmware/lib/spicecore/``) are linked here,
so that an installation brings one top-level package and the folders keep their names.
"""

from spiceboard.spicecore.version import VERSION as __version__

__all__ = ["__version__"]
