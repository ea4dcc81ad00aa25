"""The project's own logic: rules, sensing, rings, wire, journal. Pure, no `machine`."""
