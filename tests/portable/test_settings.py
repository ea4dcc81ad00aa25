"""Settings of the board: their ranges, and what they share with the reader's driver."""

from rfid import registers
from spicecore.storage.on_demand import settings


def test_the_steps_of_gain_are_the_readers():
    assert settings.GAINS_DB == registers.GAINS_DB
