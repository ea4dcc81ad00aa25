"""Messages between board and host, without I/O."""
