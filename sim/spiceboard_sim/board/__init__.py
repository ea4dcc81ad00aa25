"""The simulated board: the world, the controller's pins, and the firmware as a process."""
