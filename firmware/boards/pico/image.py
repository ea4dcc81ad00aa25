"""The chips of a Pico and their MicroPython images, as plain data for the computer.

The installer reads it (host/spiceboard/flash/); it is not sent to a board. Imports nothing.
"""

KEY = "micropython-1.25.0+ds-picosdk-2.1.1-tinyusb-0.18.0+dfsg-1-r1"  # as build_image.sh --key
NAME = "RPI_PICO.uf2"  # what tools/build_image.sh builds, for the RP2040
CHECKSUMS = (  # SHA-256 of the images that the tests have passed with, newest first
    "9f688a89b7d328a7bba3f67f470d5ae41d25be63edd48c22646dd5189c8033f5",  # built in November 2026
    "6f51aa70230c476d7fec4c02fe1adb93ff61d64e2ad9f86c9ef8794d6c22f7b8",
)
SITE = "https://micropython.org/resources/firmware/"
OFFICIAL = {  # of the same release
    "RP2040": "RPI_PICO-20250415-v1.25.0.uf2",
    "RP2350": "RPI_PICO2-20250415-v1.25.0.uf2",
}

# What the boot ROMs take (RP2040 data sheet 2.8.4.2, RP2350 data sheet 5.5.2).
PAGE = 256  # bytes: the only payload of a UF2 block
FLASH = (0x10000000, 0x12000000)  # addresses from, to (not included)
ABSOLUTE = 0xE48BFF57  # family: not bound to a partition
FAMILIES = {
    0xE48BFF56: "RP2040",
    ABSOLUTE: "RP2350",
    0xE48BFF59: "RP2350",  # Arm, secure
    0xE48BFF5A: "RP2350",  # RISC-V
    0xE48BFF5B: "RP2350",  # Arm, non-secure
}
E10_ADDRESS, E10_BLOCKS = 0x10FFFF00, 2  # the block that is only there for erratum RP2350-E10

FLASH_SIZE = 2 * 1024 * 1024  # bytes of the Pico's flash
FS_SIZE = 1408 * 1024  # of them MicroPython's file system, at the end
ERASE = 4096  # bytes that are erased at once: a block of the file system
