"""The only place that defines the version of firmware, host tools and wire protocol."""

VERSION = "0.1.0"
PROTOCOL = 1  # raised when a message changes so that an older host cannot follow it
