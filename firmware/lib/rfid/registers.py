"""Registers of the MFRC522 (NXP data sheet, rev. 3.9, section 9.3) and their values."""

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


COMMAND = const(0x01)
TX_CONTROL = const(0x14)
TX_ASK = const(0x15)
RF_CFG = const(0x26)
T_PRESCALER = const(0x2B)
T_RELOAD_H = const(0x2C)
T_RELOAD_L = const(0x2D)
VERSION = const(0x37)

GAINS_DB = (18, 23, 33, 38, 43, 48)
GAIN_BITS = (0x00, 0x10, 0x40, 0x50, 0x60, 0x70)  # RFCfgReg, RxGain

# name, register, value, bits that must read back. Mode: CRC preset 6363h, transmit only with the
# field on; TxASK: 100 % modulation; Coll: bits after a collision are zeros; timer starts itself.
# GsN, CWGsP: full conductance of the drivers. Names of more than ten characters are not interned:
# they take no place in the interpreter's table of names.
CONFIGURATION = (
    ("TxModeReg", 0x12, 0x00, 0xFF),
    ("RxModeReg", 0x13, 0x00, 0xFF),
    ("ModWidthReg", 0x24, 0x26, 0xFF),
    ("TModeReg", 0x2A, 0x80, 0xFF),
    ("TPrescalerReg", T_PRESCALER, 0xA9, 0xFF),
    ("TReloadReg(high)", T_RELOAD_H, 0x00, 0xFF),
    ("TReloadReg(low)", T_RELOAD_L, 0x0C, 0xFF),
    ("GsNReg (CWGsN)", 0x27, 0xF8, 0xFF),
    ("CWGsPReg (conductance)", 0x28, 0x3F, 0xFF),
    ("TxASKReg", TX_ASK, 0x40, 0xFF),
    ("ModeReg", 0x11, 0x3D, 0xFF),
    ("CollReg", 0x0E, 0x00, 0x80),
)
