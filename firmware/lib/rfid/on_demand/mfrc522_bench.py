"""An MFRC522 on the workbench: what a diagnosis measures, by its registers."""

from rfid.registers import COMMAND, CONFIGURATION, GAIN_BITS, GAINS_DB, RF_CFG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIFO_DATA, FIFO_LEVEL = 0x09, 0x0A  # data sheet 9.3.1
WATER_LEVEL = 0x0B  # 6 bits that nothing here uses; 8 after a reset
PIECE = 8  # bytes through the FIFO at a time


class MFRC522Bench:
    """See reader.Bench."""

    def __init__(self, chip: "Any") -> None:
        self.chip = chip
        self._value = 0x5A

    def report(self) -> "dict[str, object]":
        """Versions, CommandReg, and each register that is not as init() and gain() wrote it."""
        read = self.chip.read
        config = []
        for name, register, value, mask in CONFIGURATION:
            got = read(register)
            if (got ^ value) & mask:
                config.append([name, value, got])
        gain = GAIN_BITS[GAINS_DB.index(self.chip.gain_db)]
        got = read(RF_CFG)
        if (got ^ gain) & 0x70:
            config.append(["RFCfgReg", gain, got])
        return {
            "versions": [self.chip.version() for _ in range(3)],
            "command": read(COMMAND),
            "config": config,
            "canary": self.chip.healthy(True),
        }

    def echo(self, n: int) -> int:
        """Bytes through the FIFO and back, n times: how many times they came back wrong."""
        read, write = self.chip.read, self.chip.write
        wrong = 0
        for _ in range(n):
            write(FIFO_LEVEL, 0x80)  # flush
            sent = []
            for _ in range(PIECE):
                self._value = (self._value * 77 + 41) & 0xFF
                sent.append(self._value)
                write(FIFO_DATA, self._value)
            wrong += [read(FIFO_DATA) for _ in range(PIECE)] != sent
        write(FIFO_LEVEL, 0x80)
        return wrong

    def mark(self, value: int) -> None:
        """Keep a number (0..63) in the reader."""
        self.chip.write(WATER_LEVEL, value)

    def marked(self) -> int:
        """The number that mark() left."""
        return int(self.chip.read(WATER_LEVEL))
