"""What rings show, as colours over time."""
