"""Sent to a board's raw REPL after files.py: the firmware's driver, and what a module hears.

The driver lies in RAM, compiled, and nothing is written to flash. PINS and HZ are set by the
sender.
"""

import io

BUDGET_US = 400_000  # for a reading: eight tags, read three times
FOLDER = "/driver"


class InRam:
    # A file system of bytes that are there already: what `import` asks for, and no more.
    def __init__(self):
        self.files = {}

    def mount(self, readonly, mkfs):
        pass

    def umount(self):
        pass

    def stat(self, path):
        if path in self.files:
            return (0x8000, 0, 0, 0, 0, 0, len(self.files[path]), 0, 0, 0)
        if any(name.startswith(path + "/") for name in self.files):
            return (0x4000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        raise OSError(2)

    def open(self, path, mode):
        return io.BytesIO(self.files[path])


disk = InRam()


def put(path, text):
    """One compiled module, as base64."""
    disk.files[path] = binascii.a2b_base64(text)


def look_for_module():
    """["", version] of the module that answers; or [what is wrong, version]."""
    global reader, found, second
    os.mount(disk, FOLDER)
    sys.path.insert(0, FOLDER)
    for name in list(sys.modules):  # an application that ran before had a driver too
        if name.split(".")[0] == "rfid":
            del sys.modules[name]
    from rfid.mfrc522 import MFRC522
    from rfid.uidset import UidSet

    found, second = UidSet(8), UidSet(8)
    wires = {name.lower(): machine.Pin(PINS[name]) for name in ("SCK", "MOSI", "MISO")}
    spi = machine.SPI(0, baudrate=HZ, polarity=0, phase=0, **wires)
    select = machine.Pin(PINS["SEL_EN"], machine.Pin.OUT, value=1)
    reader = MFRC522(spi, lambda on: select(not on))
    version = reader.version()
    try:
        reader.init(33)
    except OSError as error:
        return [str(error), version]
    return ["", version]


def hear(gain_db):
    """One reading: [was it complete, the tags that were found]; None when the module is dead."""
    from rfid.codes import COMPLETE, DEAD

    if reader.gain_db != gain_db:
        reader.gain(gain_db)
    reason = reader.resolve(found, second, BUDGET_US)
    reader.antenna(False)
    if reason == DEAD:
        return None
    uids = [binascii.hexlify(found.uid(index)).decode() for index in range(found.count)]
    return [reason == COMPLETE, uids]
