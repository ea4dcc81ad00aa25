"""Host tools: they talk to a board over a serial link and never import the simulator."""
