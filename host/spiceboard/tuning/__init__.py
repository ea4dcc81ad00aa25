"""Match the antenna of a tile: from what a builder measures to the parts to fit."""
