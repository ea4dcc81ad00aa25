"""Uses every peripheral once, and says what it found."""
# ruff: noqa: F821 (the words of PIO assembly are defined by the decorator)

import time

import machine
import micropython
import rp2
from machine import ADC, PWM, SPI, Pin


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=24,
    fifo_join=rp2.PIO.JOIN_TX,
)
def ws2812():
    wrap_target()
    label("bitloop")
    out(x, 1).side(0)[2]
    jmp(not_x, "do_zero").side(1)[1]
    jmp("bitloop").side(1)[4]
    label("do_zero")
    nop().side(0)[4]
    wrap()


print("cause", machine.reset_cause(), "id", len(machine.unique_id()))
buttons = [Pin(n, Pin.IN) for n in (16, 17, 18)]
print("buttons", [pin() for pin in buttons])
for n in range(11, 15):
    Pin(n, Pin.OUT, value=0)
print(
    "hall", ADC(Pin(26)).read_u16() * 3300 // 65535, "supply", ADC(27).read_u16() * 6600 // 65535
)
buzzer = PWM(Pin(15), freq=1000, duty_u16=32768)
time.sleep_ms(20)
buzzer.duty_u16(0)

sm = rp2.StateMachine(0, ws2812, freq=8_000_000, sideset_base=Pin(10))
sm.active(1)
start = time.ticks_us()
for n in range(176):
    sm.put(n << 16 | 0x0700 | 0x05, 8)  # green, red, blue
print("pixels us", time.ticks_diff(time.ticks_us(), start))

enable = Pin(5, Pin.OUT, value=1)
for n in range(6, 10):
    Pin(n, Pin.OUT, value=0)
spi = SPI(0, baudrate=8_000_000, sck=Pin(2), mosi=Pin(3), miso=Pin(4))
out, back = bytearray((0xEE, 0)), bytearray(2)


def read():
    enable(0)
    spi.write_readinto(out, back)
    enable(1)
    return time.ticks_us()


read()
micropython.heap_lock()
for _ in range(50):
    read()
micropython.heap_unlock()
print("locked", back[1])
start = time.ticks_us()
read()
print("read us", time.ticks_diff(time.ticks_us(), start))
for attempt in ("machine.mem32[0]", "Pin(3, Pin.OPEN_DRAIN)"):
    try:
        eval(attempt)
        print("allowed", attempt)
    except NotImplementedError as error:
        print("refused", error)
