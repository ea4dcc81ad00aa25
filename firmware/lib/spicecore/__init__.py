"""What is this project's own: rules, sensing logic, rings, wire, journal. Pure, no `machine`."""
