"""From reads and button levels to settled facts. Pure: time is an argument."""
