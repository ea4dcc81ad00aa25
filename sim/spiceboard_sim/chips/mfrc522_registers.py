"""Registers, reset values and bits of the MFRC522, by section of its data sheet."""

# Registers (sheet, 9.2)
COMMAND, COM_IEN, DIV_IEN, COM_IRQ, DIV_IRQ, ERROR, STATUS1, STATUS2 = range(0x01, 0x09)
FIFO_DATA, FIFO_LEVEL, WATER_LEVEL, CONTROL, BIT_FRAMING, COLL = range(0x09, 0x0F)
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK = range(0x11, 0x16)
CRC_RESULT_H, CRC_RESULT_L = 0x21, 0x22
RF_CFG, GS_N, CW_GS_P, T_MODE, T_PRESCALER = 0x26, 0x27, 0x28, 0x2A, 0x2B
T_RELOAD_H, T_RELOAD_L, T_COUNTER_H, T_COUNTER_L = 0x2C, 0x2D, 0x2E, 0x2F
VERSION = 0x37

RESET = {
    COMMAND: 0x20, COM_IEN: 0x80, DIV_IEN: 0x00, COM_IRQ: 0x14, DIV_IRQ: 0x00, ERROR: 0x00,
    STATUS1: 0x21, STATUS2: 0x00, FIFO_LEVEL: 0x00, WATER_LEVEL: 0x08, CONTROL: 0x10,
    BIT_FRAMING: 0x00, COLL: 0xA0, MODE: 0x3F, TX_MODE: 0x00, RX_MODE: 0x00, TX_CONTROL: 0x80,
    TX_ASK: 0x00, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1D: 0x00,
    0x1F: 0xEB, CRC_RESULT_H: 0xFF, CRC_RESULT_L: 0xFF, 0x24: 0x26, RF_CFG: 0x48, GS_N: 0x88,
    CW_GS_P: 0x20, 0x29: 0x20, T_MODE: 0x00, T_PRESCALER: 0x00, T_RELOAD_H: 0x00,
    T_RELOAD_L: 0x00,
}  # fmt: skip
# Registers whose every value may be written: they are stored, and used as far as modelled.
PLAIN = frozenset((COM_IEN, WATER_LEVEL, T_PRESCALER, T_RELOAD_H, T_RELOAD_L, RF_CFG))
# Only these values are modelled of these registers; the section describes the rest.
ONLY = {
    DIV_IEN: ({0x00, 0x04, 0x80, 0x84}, "9.3.1.4"),
    STATUS2: ({0x00}, "9.3.1.9"),
    MODE: ({0x3D, 0x3F, 0x3C, 0x3E, 0x29, 0x2D, 0x39}, "9.3.2.2"),
    TX_MODE: ({0x00, 0x80}, "9.3.2.3"),
    # RxNoErr (08h) ignores answers of less than 4 bits: no modelled tag sends one.
    RX_MODE: ({0x00, 0x80, 0x08, 0x88}, "9.3.2.4"),
    TX_ASK: ({0x00, 0x40}, "9.3.2.6"),
    0x16: ({0x10}, "9.3.2.7"),
    0x17: ({0x84, 0x86, 0x88}, "9.3.2.8"),
    0x18: ({0x84, 0x55, 0x65, 0x85}, "9.3.2.9"),
    0x19: ({0x4D}, "9.3.2.10"),
    0x1C: ({0x62}, "9.3.2.13"),
    0x1D: ({0x00}, "9.3.2.14"),
    0x24: ({0x26}, "9.3.3.5"),
    GS_N: ({0x88, 0xF4, 0xF8, 0xFF}, "9.3.3.8"),
    CW_GS_P: ({0x20, 0x3F}, "9.3.3.9"),
    0x29: ({0x20}, "9.3.3.10"),
}
GAIN_DB = (18, 23, 18, 23, 33, 38, 43, 48)  # RFCfgReg bits 6 to 4 (sheet, 9.3.3.6)
PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)  # ModeReg bits 1 to 0

IDLE, CALC_CRC, TRANSMIT, NO_CHANGE, TRANSCEIVE, SOFT_RESET = 0, 3, 4, 7, 0xC, 0xF
TX_IRQ, RX_IRQ, IDLE_IRQ, HI_IRQ, LO_IRQ, ERR_IRQ, TIMER_IRQ = 64, 32, 16, 8, 4, 2, 1
BUFFER_OVFL, COLL_ERR, CRC_ERR, PARITY_ERR, WR_ERR = 0x10, 0x08, 0x04, 0x02, 0x80
