"""Studies of the simulated board: what its verdict is worth, and what a throw is like."""
