# The common instructions, without a call into another module or into Python. rp2040py's core asks
# Python at each conditional branch, at each call and at each timer reading: three quarters of the
# time. Results, flags and cycles are those of its `_cortex_m0_core.pyx`, whatever the ARMv6-M
# manual says; what is rare or touches more than registers and memory is left to it.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

cdef extern from *:
    int __builtin_popcount(unsigned int) noexcept

cdef uint32_t RAM = 0x20000000U
cdef uint32_t FLASH = 0x10000000U
cdef int NOT_COMMON = 0  # no instruction takes 0 cycles
cdef int HANDLER = 1  # rp2040py's MODE_HANDLER

cdef struct Memory:
    uint32_t *r  # the sixteen registers
    uint8_t *ram
    uint8_t *flash
    uint8_t *rom
    uint32_t ram_size
    uint32_t flash_size
    uint32_t rom_size


cdef inline uint8_t *readable(Memory *m, uint32_t address) noexcept:
    """Where plain memory lies; NULL for what is none."""
    if address - RAM < m.ram_size:
        return m.ram + (address - RAM)
    if address - FLASH < m.flash_size:
        return m.flash + (address - FLASH)
    if address < m.rom_size:
        return m.rom + address
    return NULL


cdef inline void set_nz(CortexM0Core core, uint32_t result) noexcept:
    core.n = result >> 31
    core.z = result == 0


cdef inline uint32_t added(CortexM0Core core, int64_t a, int64_t b) noexcept:
    """The sum of two words, one of them perhaps with a carry; sets the flags."""
    cdef int64_t total = a + b
    cdef uint32_t result = <uint32_t>total
    set_nz(core, result)
    core.c = total != <int64_t>result
    core.v = <int64_t><int32_t>result != <int64_t><int32_t>a + <int64_t><int32_t>b
    return result


cdef inline uint32_t subtracted(CortexM0Core core, int64_t a, int64_t b) noexcept:
    """The difference of two words; sets the flags."""
    cdef uint32_t result = <uint32_t>(a - b)
    set_nz(core, result)
    core.c = a >= b
    core.v = ((<uint32_t>a ^ <uint32_t>b) & (<uint32_t>a ^ result)) >> 31
    return result


cdef inline bint holds(CortexM0Core core, uint32_t condition) noexcept:
    """Whether a condition (four bits, not 14 or 15) holds."""
    cdef uint32_t base = condition >> 1
    cdef bint result
    if base == 0:
        result = core.z
    elif base == 1:
        result = core.c
    elif base == 2:
        result = core.n
    elif base == 3:
        result = core.v
    elif base == 4:
        result = core.c and not core.z
    elif base == 5:
        result = core.n == core.v
    else:
        result = core.n == core.v and not core.z
    return result != (condition & 1)


cdef inline int shift_by_number(CortexM0Core core, uint32_t *r, uint32_t op) noexcept:
    """LSLS, LSRS, ASRS (immediate)."""
    cdef uint32_t kind = op >> 11, count = op >> 6 & 31, value = r[op >> 3 & 7], result
    if kind == 0:
        result = value << count
        if count:
            core.c = value >> (32 - count) & 1
    else:
        if kind == 1:
            result = value >> count if count else 0
        else:
            result = <uint32_t>(<int32_t>value >> (count if count else 31))
        core.c = value >> (count - 1 if count else 31) & 1
    r[op & 7] = result
    set_nz(core, result)
    return 1


cdef inline int add_or_subtract(CortexM0Core core, uint32_t *r, uint32_t op) noexcept:
    """ADDS, SUBS of a register or of three bits."""
    cdef uint32_t a = r[op >> 3 & 7], b = op >> 6 & 7
    if not op & 0x0400:
        b = r[b]
    r[op & 7] = subtracted(core, a, b) if op & 0x0200 else added(core, a, b)
    return 1


cdef inline int with_byte(CortexM0Core core, uint32_t *r, uint32_t op) noexcept:
    """MOVS, CMP, ADDS, SUBS with eight bits of the instruction."""
    cdef uint32_t kind = op >> 11 & 3, register = op >> 8 & 7, value = op & 0xFF
    if kind == 0:
        r[register] = value
        set_nz(core, value)
    elif kind == 1:
        subtracted(core, r[register], value)
    elif kind == 2:
        r[register] = added(core, r[register], value)
    else:
        r[register] = subtracted(core, r[register], value)
    return 1


cdef inline int of_two(CortexM0Core core, uint32_t *r, uint32_t op) noexcept:
    """What works on two low registers; shifts and rotations by a register are left to rp2040py."""
    cdef uint32_t kind = op >> 6 & 15, d = op & 7, m = r[op >> 3 & 7], n = r[d], result
    if kind == 5:
        r[d] = added(core, m, <int64_t>n + core.c)
        return 1
    if kind == 6:
        r[d] = subtracted(core, n, <int64_t>m + 1 - core.c)
        return 1
    if kind == 9:
        r[d] = subtracted(core, 0, m)
        return 1
    if kind == 10:
        subtracted(core, n, m)
        return 1
    if kind == 11:
        added(core, n, m)
        return 1
    if kind == 0 or kind == 8:
        result = n & m
    elif kind == 1:
        result = n ^ m
    elif kind == 12:
        result = n | m
    elif kind == 13:
        result = n * m
    elif kind == 14:
        result = n & ~m
    elif kind == 15:
        result = ~m
    else:
        return NOT_COMMON
    if kind != 8:
        r[d] = result
    set_nz(core, result)
    return 1


cdef inline int of_any(CortexM0Core core, uint32_t *r, uint32_t op) noexcept:
    """ADD, CMP, MOV of all registers, BX and BLX. The PC reads as four bytes further on."""
    cdef uint32_t kind = op >> 8 & 3, m = op >> 3 & 15, d = op >> 4 & 8 | op & 7
    cdef uint32_t value = r[15] + 4 if m == 15 else r[m]
    if kind == 3:
        if op & 7 or m >= 14 and op & 0x80 or m == 15:
            return NOT_COMMON  # rp2040py's BLX LR jumps to the address it returns to
        if core.current_mode == HANDLER and value >> 28 == 15:
            return NOT_COMMON  # the end of an exception
        if op & 0x80:
            r[14] = r[15] + 2 | 1
        r[15] = (value & ~1U) - 2
        return 2
    if kind == 1:
        if m == 15 or d == 15:
            return NOT_COMMON
        subtracted(core, r[d], value)
        return 1
    if kind == 0:
        value += r[15] + 4 if d == 15 else r[d]
    if d == 15:
        r[15] = (value & ~1U) - 2
        return 2
    r[d] = value & ~3U if d == 13 else value
    return 1


cdef inline int load(Memory *m, uint32_t address, uint32_t size, bint signed, uint32_t t) noexcept:
    """Load 1, 2 or 4 bytes of plain memory into register t."""
    cdef uint8_t *at = readable(m, address)
    if at == NULL or address & (size - 1):
        return NOT_COMMON
    if size == 4:
        m.r[t] = (<uint32_t *>at)[0]
    elif size == 2:
        m.r[t] = <uint32_t>(<int32_t>(<short *>at)[0]) if signed else (<uint16_t *>at)[0]
    else:
        m.r[t] = <uint32_t>(<int32_t>(<signed char *>at)[0]) if signed else at[0]
    return 2


cdef inline int store(Memory *m, uint32_t address, uint32_t size, uint32_t value) noexcept:
    """Store 1, 2 or 4 bytes in the RAM."""
    if address - RAM >= m.ram_size or address & (size - 1):
        return NOT_COMMON
    cdef uint8_t *at = m.ram + (address - RAM)
    if size == 4:
        (<uint32_t *>at)[0] = value
    elif size == 2:
        (<uint16_t *>at)[0] = <uint16_t>value
    else:
        at[0] = <uint8_t>value
    return 2


cdef inline int move_by_register(Memory *m, uint32_t op) noexcept:
    """Loads and stores at the sum of two registers."""
    cdef uint32_t kind = op >> 9 & 7, t = op & 7
    cdef uint32_t address = m.r[op >> 3 & 7] + m.r[op >> 6 & 7]
    if kind == 0:
        return store(m, address, 4, m.r[t])
    if kind == 1:
        return store(m, address, 2, m.r[t])
    if kind == 2:
        return store(m, address, 1, m.r[t])
    if kind == 3:
        return load(m, address, 1, True, t)
    if kind == 4:
        return load(m, address, 4, False, t)
    if kind == 5:
        return load(m, address, 2, False, t)
    if kind == 6:
        return load(m, address, 1, False, t)
    return load(m, address, 2, True, t)


cdef inline int move_by_number(Memory *m, uint32_t op, uint32_t size) noexcept:
    """Loads and stores at a register and five bits of the instruction."""
    cdef uint32_t address = m.r[op >> 3 & 7] + (op >> 6 & 31) * size
    if op & 0x0800:
        return load(m, address, size, False, op & 7)
    return store(m, address, size, m.r[op & 7])


cdef inline int move_by_stack(Memory *m, uint32_t op) noexcept:
    """Loads and stores at the stack pointer and eight bits of the instruction."""
    cdef uint32_t address = m.r[13] + ((op & 0xFF) << 2)
    if op & 0x0800:
        return load(m, address, 4, False, op >> 8 & 7)
    return store(m, address, 4, m.r[op >> 8 & 7])


cdef inline int move_many(Memory *m, uint32_t op, uint32_t address, bint load_them) noexcept:
    """Load or store the low registers of the instruction's list; how many, or -1."""
    cdef uint32_t count = __builtin_popcount(op & 0xFF), i
    cdef uint8_t *at = readable(m, address)
    if at == NULL or address & 3 or readable(m, address + 4 * 8) == NULL:
        return -1
    if not load_them and address - RAM >= m.ram_size:
        return -1
    for i in range(8):
        if op >> i & 1:
            if load_them:
                m.r[i] = (<uint32_t *>at)[0]
            else:
                (<uint32_t *>at)[0] = m.r[i]
            at += 4
    return count


cdef inline int multiple(Memory *m, uint32_t op) noexcept:
    """LDMIA, STMIA."""
    cdef uint32_t n = op >> 8 & 7, address = m.r[n]
    cdef int count = move_many(m, op, address, op & 0x0800)
    if count < 0:
        return NOT_COMMON
    if not op >> n & 1:
        m.r[n] = address + 4 * count
    return 1 + count


cdef inline int push(Memory *m, uint32_t op) noexcept:
    """PUSH."""
    cdef uint32_t size = 4 * __builtin_popcount(op & 0x1FF), address = m.r[13] - size
    cdef int count = move_many(m, op, address, False)
    if count < 0:
        return NOT_COMMON
    if op & 0x100:
        (<uint32_t *>(m.ram + (address + 4 * count - RAM)))[0] = m.r[14]
    m.r[13] = address & ~3U
    return 1 + count


cdef inline int pop(CortexM0Core core, Memory *m, uint32_t op) noexcept:
    """POP, also of the PC."""
    cdef uint32_t address = m.r[13], target
    cdef uint8_t *at = readable(m, address + 4 * __builtin_popcount(op & 0xFF))
    cdef int count
    if op & 0x100:
        if at == NULL or address & 3:
            return NOT_COMMON
        target = (<uint32_t *>at)[0]
        if core.current_mode == HANDLER and target >> 28 == 15:
            return NOT_COMMON  # the end of an exception
    count = move_many(m, op, address, True)
    if count < 0:
        return NOT_COMMON
    m.r[13] = address + 4 * count
    if not op & 0x100:
        return 1 + count
    m.r[13] += 4
    m.r[15] = (target & ~1U) - 2
    return 3 + count


cdef inline int extend(uint32_t *r, uint32_t op) noexcept:
    """SXTH, SXTB, UXTH, UXTB."""
    cdef uint32_t kind = op >> 6 & 3, value = r[op >> 3 & 7]
    if kind == 0:
        value = <uint32_t>(<int32_t><short>value)
    elif kind == 1:
        value = <uint32_t>(<int32_t><signed char>value)
    else:
        value &= 0xFFFFU if kind == 2 else 0xFFU
    r[op & 7] = value
    return 1


cdef inline int miscellaneous(CortexM0Core core, Memory *m, uint32_t op) noexcept:
    """What begins with 1011; the rest of it is left to rp2040py."""
    cdef uint32_t kind = op >> 8 & 15
    if kind == 0:
        m.r[13] = (m.r[13] - ((op & 0x7F) << 2) if op & 0x80 else m.r[13] + ((op & 0x7F) << 2)) & ~3U
        return 1
    if kind == 2:
        return extend(m.r, op)
    if kind == 4 or kind == 5:
        return push(m, op)
    if kind == 12 or kind == 13:
        return pop(core, m, op)
    return NOT_COMMON


cdef inline int branch(CortexM0Core core, uint32_t *r, uint32_t op) noexcept:
    """B with a condition."""
    cdef uint32_t condition = op >> 8 & 15
    if condition >= 14:
        return NOT_COMMON
    if not holds(core, condition):
        return 1
    r[15] += 2 + 2 * <int32_t><signed char>op
    return 2


cdef inline int call(Memory *m, uint32_t op, uint8_t *at) noexcept:
    """BL. rp2040py tells a debugger of each; there is none here."""
    cdef uint32_t second = (<uint16_t *>(at + 2))[0]
    if op >> 11 != 30 or second & 0xD000 != 0xD000:
        return NOT_COMMON
    cdef uint32_t s = op >> 10 & 1, i1 = 1 - (s ^ (second >> 13 & 1)), i2 = 1 - (s ^ (second >> 11 & 1))
    cdef uint32_t offset = (op & 0x3FF) << 12 | (second & 0x7FF) << 1 | i1 << 23 | i2 << 22
    if s:
        offset |= 0xFF000000U
    m.r[14] = m.r[15] + 4 | 1
    m.r[15] += 2 + offset
    return 3


cdef inline int common(CortexM0Core core, Memory *m) noexcept:
    """Execute the next instruction; its cycles, or NOT_COMMON when it was not and nothing changed.

    The PC moves on by two at the end, so branches leave it two bytes before their target.
    """
    cdef uint32_t *r = m.r
    cdef uint8_t *at = readable(m, r[15])
    if at == NULL or r[15] & 1:
        return NOT_COMMON
    cdef uint32_t op = (<uint16_t *>at)[0]
    cdef uint32_t top = op >> 11
    cdef int cycles
    if top in (0, 1, 2):
        cycles = shift_by_number(core, r, op)
    elif top == 3:
        cycles = add_or_subtract(core, r, op)
    elif top in (4, 5, 6, 7):
        cycles = with_byte(core, r, op)
    elif top == 8:
        cycles = of_any(core, r, op) if op & 0x0400 else of_two(core, r, op)
    elif top == 9:
        cycles = load(m, ((r[15] + 4) & ~3U) + ((op & 0xFF) << 2), 4, False, op >> 8 & 7)
    elif top in (10, 11):
        cycles = move_by_register(m, op)
    elif top in (12, 13):
        cycles = move_by_number(m, op, 4)
    elif top in (14, 15):
        cycles = move_by_number(m, op, 1)
    elif top in (16, 17):
        cycles = move_by_number(m, op, 2)
    elif top in (18, 19):
        cycles = move_by_stack(m, op)
    elif top in (20, 21):
        r[op >> 8 & 7] = (r[13] if op & 0x0800 else (r[15] & ~3U) + 4) + ((op & 0xFF) << 2)
        cycles = 1
    elif top in (22, 23):
        cycles = miscellaneous(core, m, op)
    elif top in (24, 25):
        cycles = multiple(m, op)
    elif top in (26, 27):
        cycles = branch(core, r, op)
    elif top == 28:
        r[15] += 2 + (<int32_t>(op << 21) >> 20)
        cycles = 2
    else:
        cycles = call(m, op, at)
    if cycles != NOT_COMMON:
        r[15] += 2
    return cycles
