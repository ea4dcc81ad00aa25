"""Host tools: they talk to a board over a serial link, and never import the simulator."""

from spicecore.version import VERSION as __version__

__all__ = ["__version__"]
