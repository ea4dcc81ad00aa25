"""The one place that says which version this is: firmware, host tools and wire protocol."""

VERSION = "0.1.0"
PROTOCOL = 1  # raised when a message changes so that an older host cannot follow it
