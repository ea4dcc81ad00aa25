"""The channel between the interpreter's fake hardware modules and the world.

A message (one packet of a sequenced socket) is a row of operations; only the last is answered,
so the two sides never run at the same time and every run repeats. Integers are little endian.

    1..9     posted: code, two 16-bit arguments           (ADVANCE: one 32-bit number of ns)
    posted with data (SPI_WRITE, PIXELS, PWM): code, 32-bit length, data
    0x40..   answered: code, 32-bit a, 64-bit b           (SPI_READ, PIO_PROGRAM: length, data)
    answer   64-bit now (ns), 64-bit horizon (ns), 64-bit value, 64-bit interrupt, data

Nothing happens outside until the horizon: the other side lets time pass by itself until then.
Both sides charge the same time to an operation; `COSTS` is told in the answer to HELLO.
"""

ADVANCE, PIN_SET, SPI_WRITE, PIXELS, SPI_INIT, PIN_INIT, PWM, WATCHDOG, FEED, PIXEL_SIZE = range(
    1, 11
)
SPI_READ, PIN_GET, ADC_READ, WAIT, SYNC, HELLO, RESET, PIO_PROGRAM = range(0x40, 0x48)

# ns that a call takes besides the bytes on the bus. Chosen so that a reader's frame by plain
# machine.SPI costs about what a trial on the RP2040 showed (360 us of code); it is a model.
COST_PIN = 4_000
COST_SPI = 18_000
COST_TICKS = 3_000
COST_POLL = 15_000
COSTS = (COST_PIN, COST_SPI, COST_TICKS, COST_POLL)
