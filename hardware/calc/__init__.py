"""The sums: antenna, turns in the copper, crystal, supply, bus, hall sensor."""
