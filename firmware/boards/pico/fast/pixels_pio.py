"""WS2812 output by PIO and DMA: a frame of 176 LEDs takes 5.3 ms and costs the CPU nothing.

`write` copies the frame and returns; `busy` says whether it is still on its way. Only for the
RP2040 and RP2350; board.py chooses it. No interrupt is switched off, USB goes on.
"""
# ruff: noqa: F821 (the words of PIO assembly are defined by the decorator)

import time

import rp2
from machine import Pin
from micropython import const

_STREAM_HZ = const(8_000_000)  # ten PIO clocks a bit of 1.25 us
_GAP_US = const(400)  # LEDs take a frame over after 280 us of silence; the FIFO drains in 80


# autopull of 8 bits from the top of the FIFO word: DMA writes single bytes, which the bus
# repeats in all four lanes (RP2040 data sheet, 2.1.4)
@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=8,
    fifo_join=rp2.PIO.JOIN_TX,
)
def ws2812():
    """A bit of 1.25 us: 0.375 us high, then 0.5 us of the bit's level, then low to its end.

    High is 0.375 us for a 0 and 0.875 us for a 1: in the limits of WS2812B, old and new."""
    wrap_target()
    label("bit")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[2]
    jmp("bit").side(1)[3]
    label("zero")
    nop().side(0)[3]
    wrap()


class PioOutput:
    """One chain of LEDs on a pin, by one state machine and one DMA channel."""

    def __init__(self, pin: int, size: int, machine_id: int = 0):
        """size: bytes of a frame; machine_id: 0..7, a state machine that nobody else uses."""
        self._frame = bytearray(size)
        self._lasts_us = 10 * size + _GAP_US
        self._started = time.ticks_us()
        self._sent = False
        self._machine = rp2.StateMachine(
            machine_id, ws2812, freq=_STREAM_HZ, sideset_base=Pin(pin)
        )
        self._machine.active(1)
        self._dma = rp2.DMA()
        treq = (machine_id >> 2) * 8 + (machine_id & 3)  # DREQ_PIOn_TXm
        self._control = self._dma.pack_ctrl(size=0, inc_read=True, inc_write=False, treq_sel=treq)

    def write(self, frame: bytearray) -> None:
        """Start sending a frame of the given size. Wait if the previous one is still being sent,
        because a frame that follows too soon is lost: its bits run off the end of the chain."""
        while self.busy():
            pass
        self._frame[:] = frame
        self._started = time.ticks_us()  # before sending: a Ctrl-C may come in between
        self._sent = True
        self._dma.config(
            read=self._frame,
            write=self._machine,
            count=len(self._frame),
            ctrl=self._control,
            trigger=True,
        )

    def busy(self) -> bool:
        """Is a frame on its way, or the silence after it that the LEDs need?"""
        if self._sent and not self._dma.active():
            self._sent = time.ticks_diff(time.ticks_us(), self._started) < self._lasts_us
        return self._sent

    def close(self) -> None:
        """Give back state machine and channel."""
        self._machine.active(0)
        self._dma.close()
