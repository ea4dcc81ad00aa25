"""The assembler of PIO programs (RP2040 data sheet, 3.4 and 3.5), loaded only while it is used.

On the Pico this is frozen into flash; here it would take the firmware's heap.
"""

import builtins


def _refuse(what, section):
    raise NotImplementedError("%s is not modelled (RP2040 data sheet %s)" % (what, section))


_CONDITIONS = {"not_x": 1, "x_dec": 2, "not_y": 3, "y_dec": 4, "x_not_y": 5, "not_osre": 7}
_OUT = {"pins": 0, "x": 1, "y": 2, "null": 3, "pindirs": 4, "isr": 6}
_MOV_TO = {"pins": 0, "x": 1, "y": 2, "isr": 6, "osr": 7}
_MOV_FROM = {"pins": 0, "x": 1, "y": 2, "null": 3, "isr": 6, "osr": 7}
_SET = {"pins": 0, "x": 1, "y": 2, "pindirs": 4}
_WORDS = (
    "pins x y null pindirs isr osr pc x_dec y_dec not_x not_y x_not_y pin not_osre "
    "block noblock ifempty iffull"
).split()


class PIOASMError(Exception):
    pass


class _Assembler:
    """Two passes over the function: the first finds the labels (3.4)."""

    def __init__(self, sideset_pins, delay_max):
        self.side_bits = sideset_pins
        self.delay_max = delay_max
        self.labels = {}
        self.known = False
        self.start()

    def start(self):
        self.code = []
        self.target = 0
        self.end = None

    def _add(self, word):
        if len(self.code) == 32:
            raise PIOASMError("a program has at most 32 instructions (3.2)")
        self.code.append(word)
        return self

    def _of(self, table, name, what):
        if name not in table:
            _refuse("%s %r in a PIO program" % (what, name), "3.4")
        return table[name]

    def label(self, name):
        self.labels[name] = len(self.code)

    def wrap_target(self):
        self.target = len(self.code)

    def wrap(self):
        self.end = len(self.code) - 1

    def side(self, value):
        if not self.side_bits:
            raise PIOASMError("side() without sideset_init (3.5.1)")
        self.code[-1] |= value << (13 - self.side_bits)
        return self

    def delay(self, cycles):
        if not 0 <= cycles <= self.delay_max:
            raise PIOASMError("delay of %d cycles is too long (3.4.1)" % cycles)
        self.code[-1] |= cycles << 8
        return self

    def __getitem__(self, cycles):
        return self.delay(cycles)

    def jmp(self, condition, label=None):
        if label is None:
            condition, label, test = None, condition, 0
        else:
            test = self._of(_CONDITIONS, condition, "jmp")
        if self.known and label not in self.labels:
            raise PIOASMError("unknown label %r" % label)
        return self._add(test << 5 | self.labels.get(label, 0))

    def nop(self):
        return self._add(0xA042)

    def out(self, to, count):
        return self._add(0x6000 | self._of(_OUT, to, "out") << 5 | count & 31)

    def set(self, to, value):
        return self._add(0xE000 | self._of(_SET, to, "set") << 5 | value)

    def mov(self, to, source):
        to = self._of(_MOV_TO, to, "mov")
        return self._add(0xA000 | to << 5 | self._of(_MOV_FROM, source, "mov"))

    def pull(self, *how):
        word = 0x8080
        if "noblock" not in how:
            word |= 1 << 5
        if "ifempty" in how:
            word |= 1 << 6
        return self._add(word)

    def refused(self, *args):
        _refuse("this PIO instruction", "3.4")


_INSTRUCTIONS = ("label", "wrap_target", "wrap", "jmp", "nop", "out", "set", "mov", "pull")
_REFUSED = ("wait", "in_", "push", "irq")


def assemble(function, side_bits):
    """Run the function with the instructions as its global names; the finished program."""
    assembler = _Assembler(side_bits, 31 >> side_bits)
    names = {name: getattr(assembler, name) for name in _INSTRUCTIONS}
    names.update(dict.fromkeys(_REFUSED, assembler.refused))
    names.update({name: name for name in _WORDS})
    hidden = {name: getattr(builtins, name, None) for name in names}
    for name, meaning in names.items():
        setattr(builtins, name, meaning)
    try:
        function()
        assembler.known = True
        assembler.start()
        function()
    finally:
        for name, meaning in hidden.items():
            if meaning is None:
                delattr(builtins, name)
            else:
                setattr(builtins, name, meaning)
    end = len(assembler.code) - 1 if assembler.end is None else assembler.end
    return assembler.code, assembler.target, end
