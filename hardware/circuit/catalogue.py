"""Kinds of parts: symbol, footprint, and what to order."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of part: its symbol, its footprint and what to order (alternates after the first)."""

    symbol: str
    footprint: str
    maker: str = ""
    mpn: str = ""
    alternates: tuple[str, ...] = ()
    in_bom: bool = True


def _r(footprint: str = "Resistor_SMD:R_0402_1005Metric") -> Kind:
    return Kind("Device:R", footprint)


def _c(footprint: str = "Capacitor_SMD:C_0402_1005Metric") -> Kind:
    return Kind("Device:C", footprint)


SOT23 = "Package_TO_SOT_SMD:SOT-23"
KINDS = {
    "R": _r(),
    "R0603": _r("Resistor_SMD:R_0603_1608Metric"),
    "RFINE": _r(),  # 0.1 %
    "C": _c(),
    "C0603": _c("Capacitor_SMD:C_0603_1608Metric"),
    "C0805": _c("Capacitor_SMD:C_0805_2012Metric"),
    "CP": Kind("Device:C_Polarized", "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm",
               "Panasonic", "EEU-FR1A102", ("any 1000 uF, 10 V or more, 10 mm wide, 5 mm pitch, low ESR",)),
    "L": Kind("Device:L", "Inductor_SMD:L_0805_2012Metric",
              "Coilcraft", "0805CS-561XGLC", ("Murata LQW2BASR56G00L", "any 560 nH, 0805, 2 %, at most 2.5 ohm at 13.56 MHz")),
    "FB": Kind("Device:FerriteBead", "Inductor_SMD:L_0603_1608Metric",
               "Murata", "BLM18AG601SN1D", ("TDK MPZ1608S601ATA00",)),
    "MFRC522": Kind("spiceboard:MFRC522", "Package_DFN_QFN:HVQFN-32-1EP_5x5mm_P0.5mm_EP3.1x3.1mm",
                    "NXP", "MFRC52202HN1,151", ("MFRC52202HN1,157", "Fudan FM17522 (version 0x88, same pins)")),
    "XTAL": Kind("Device:Crystal_GND24", "Crystal:Crystal_SMD_3225-4Pin_3.2x2.5mm",
                 "Abracon", "ABM8-27.120MHZ-10-D1G-T", ("any 27.12 MHz, 3225, CL 10 pF, <= 50 ppm, <= 50 ohm",)),
    "BUF": Kind("74xGxx:74LVC1G125", "Package_TO_SOT_SMD:SOT-23-5",
                "Texas Instruments", "SN74LVC1G125DBVR", ("Nexperia 74LVC1G125GV,125",)),
    "AHCT": Kind("74xGxx:74AHCT1G125", "Package_TO_SOT_SMD:SOT-23-5",
                 "Texas Instruments", "SN74AHCT1G125DBVR", ("Nexperia 74AHCT1G125GV,125",)),
    "NMOS": Kind("spiceboard:DMG1012T", "Package_TO_SOT_SMD:SOT-523",
                 "Diodes Inc.", "DMG1012T-7", ("any N-MOSFET in SOT-523: Vgs(th) <= 1.0 V, Coss <= 15 pF, Rds(on) <= 1 ohm at 1.8 V",)),
    "BAT54S": Kind("Diode:BAT54S", SOT23, "Nexperia", "BAT54S,215", ("Diodes Inc. BAT54S-7-F",)),
    "ESD": Kind("Power_Protection:SRV05-4", "Package_TO_SOT_SMD:SOT-23-6",
                "Semtech", "SRV05-4.TCT", ("ProTek SRV05-4-P-T7",)),
    "HALL": Kind("Sensor_Magnetic:DRV5055A3xDBZxQ1", SOT23,
                 "Texas Instruments", "DRV5055A3QDBZR", ("DRV5055A2QDBZR (twice as sensitive)", "leave out: the board plays without")),
    "LED": Kind("LED:WS2812B", "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm",
                "Worldsemi", "WS2812B-B", ("Opsco SK6812 (5050, RGB; pins numbered otherwise: lay the bevelled corner alike)", "XINGLIGHT XL-5050RGBC-WS2812B")),
    "IDC": Kind("Connector_Generic:Conn_02x08_Odd_Even", "Connector_IDC:IDC-Header_2x08_P2.54mm_Vertical",
                "Wurth Elektronik", "61201621621", ("Amphenol T821116A1S100CEU", "any 2x8 box header, 2.54 mm")),
    "TP": Kind("Connector:TestPoint", "TestPoint:TestPoint_Pad_D1.0mm", in_bom=False),
    "JP": Kind("Jumper:SolderJumper_2_Open", "Jumper:SolderJumper-2_P1.3mm_Open_RoundedPad1.0x1.5mm", in_bom=False),
    "FID": Kind("Mechanical:Fiducial", "Fiducial:Fiducial_0.5mm_Mask1mm", in_bom=False),
    "FIDL": Kind("Mechanical:Fiducial", "Fiducial:Fiducial_1mm_Mask2mm", in_bom=False),
    "HOLE": Kind("Mechanical:MountingHole", "MountingHole:MountingHole_2.7mm_M2.5", in_bom=False),
    "HOLE2": Kind("Mechanical:MountingHole", "MountingHole:MountingHole_2.2mm_M2", in_bom=False),
    "HOLE3": Kind("Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3", in_bom=False),
    "LOOPB": Kind("spiceboard:Loop", "spiceboard:Loop_bowl", in_bom=False),
    "LOOPA": Kind("spiceboard:Loop", "spiceboard:Loop_action", in_bom=False),
    "PICO": Kind("MCU_Module:RaspberryPi_Pico_Debug", "spiceboard:Pico_socket",
                 "Raspberry Pi", "SC0917 (Pico H)", ("SC1632 (Pico 2 with headers)", "SC0915 (Pico) and two 1x20 pin headers")),
    "DEC": Kind("74xx:74LS154", "Package_SO:SOIC-24W_7.5x15.4mm_P1.27mm",
                "Texas Instruments", "CD74HC154M96", ("Nexperia 74HC154D in SO24",)),
    "MUX": Kind("74xx:CD74HC4067M", "Package_SO:SOIC-24W_7.5x15.4mm_P1.27mm",
                "Texas Instruments", "CD74HC4067M96", ("Nexperia 74HC4067D,653",)),
    "LVC244": Kind("74xx:74HC244", "Package_SO:TSSOP-20_4.4x6.5mm_P0.65mm",
                   "Nexperia", "74LVC244APW,118", ("Texas Instruments SN74LVC244APWR",)),
    "LDO": Kind("Regulator_Linear:TLV1117-33", "Package_TO_SOT_SMD:SOT-223-3_TabPin2",
                "Texas Instruments", "TLV1117LV33DCYR", ("Texas Instruments TLV1117LV33DCYT", "with 5 V at the jack only: Diodes Inc. AZ1117CH-3.3TRG1")),
    "JACK": Kind("Connector:Barrel_Jack_Switch", "Connector_BarrelJack:BarrelJack_CUI_PJ-102AH_Horizontal",
                 "Same Sky (CUI)", "PJ-102AH", ("any with the same three round pins, 5.5 mm x 2.1 mm plug, >= 4 A",)),
    "FUSE": Kind("Device:Polyfuse", "Fuse:Fuse_1812_4532Metric"),
    "PPAIR": Kind("spiceboard:PMOS_pair", "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
                  "Vishay", "Si4925DDY-T1-GE3", ("Vishay Si4925BDY-T1-E3", "TSC TSM4925DCS RL",
                  "any two P-MOSFETs in SO-8, pins S G S G D D D D: 30 V, 20 V at the gate, <= 45 milliohm at 4.5 V")),
    "PNP": Kind("Transistor_BJT:MMBT3906", SOT23, "onsemi", "MMBT3906LT1G", ("Nexperia MMBT3906,215", "Diodes Inc. MMBT3906-7-F")),
    "REF": Kind("Reference_Voltage:TL431DBZ", SOT23, "Texas Instruments", "TL431BIDBZR",
                ("others of 0.5 % only with cathode 1, reference 2, anode 3: some makers swap 1 and 2",)),
    # stands off 15 V: a 12 V plug must not burn it while Q1 keeps the board off
    "TVS": Kind("Device:D_Zener", "Diode_SMD:D_SMB", "Littelfuse", "SMBJ15A", ("Bourns SMBJ15A",)),
    "SKY": Kind("Device:D_Schottky", "Diode_SMD:D_SMA", "onsemi", "SS14", ("Vishay SS14-E3/61T",)),
    "PWRLED": Kind("Device:LED", "LED_SMD:LED_0603_1608Metric",
                   "Wurth Elektronik", "150060GS75000", ("any green 0603",)),
    "SW": Kind("Switch:SW_Push", "Button_Switch_THT:SW_PUSH_6mm_H13mm",
               "Same Sky (CUI)", "TS02-66-150-BK-160-SCR-D", ("TS02-66-150-BK-160-LCR-D", "TE-Connectivity 2-1825910-7 (9.4 mm)", "any 6 x 6 mm tactile switch with four legs, 6.5 x 4.5 mm apart, 9 to 15 mm high")),
    "BUZ": Kind("Device:Buzzer", "Buzzer_Beeper:Buzzer_TDK_PS1240P02BT_D12.2mm_H6.5mm",
                "TDK", "PS1240P02BT", ("any passive piezo, 5 mm pitch, 12 mm",)),
    "HDR6": Kind("Connector_Generic:Conn_01x06", "Connector_PinHeader_2.54mm:PinHeader_1x06_P2.54mm_Vertical",
                 "Wurth Elektronik", "61300611121", ("any 1x6 pin header, 2.54 mm",)),
    # as the Raspberry Pi Debug Connector: SWCLK, GND, SWDIO
    "SWD": Kind("Connector_Generic_MountingPin:Conn_01x03_MountingPin",
                "Connector_JST:JST_SH_BM03B-SRSS-TB_1x03-1MP_P1.00mm_Vertical",
                "JST", "BM03B-SRSS-TB(LF)(SN)", ("any 3-pin JST SH header, 1 mm, upright, with the same pads", "leave out: the probe plugs into the Pico itself")),
}  # fmt: skip
# passives are bought by value: what the value means in the order
PASSIVES = {
    ("C", "100n"): ("Murata", "GRM155R71C104KA88D", ("Samsung CL05B104KO5NNNC",)),
    ("C", "1n"): ("Murata", "GRM1555C1H102JA01D", ("Samsung CL05C102JB5NNNC",)),
    ("C", "15p"): ("Murata", "GRM1555C1H150JA01D", ("Samsung CL05C150JB5NNNC",)),
    ("C", "100p"): ("Murata", "GRM1555C1H101JA01D", ("Samsung CL05C101JB5NNNC",)),
    ("C", "220p"): ("Murata", "GRM1555C1H221JA01D", ("Samsung CL05C221JB5NNNC",)),
    ("C", "10n"): ("Murata", "GRM155R71E103KA01D", ("Samsung CL05B103KB5NNNC",)),
    # the matching is worth its price: NP0, 2 % (docs/build.md)
    ("C0603", "24p"): ("Murata", "GRM1885C1H240GA01D", ("Yageo CC0603GRNPO9BN240",)),
    ("C0603", "51p"): ("Murata", "GRM1885C1H510GA01D", ("Yageo CC0603GRNPO9BN510",)),
    ("C0603", "75p"): ("Murata", "GRM1885C1H750GA01D", ("Yageo CC0603GRNPO9BN750",)),
    ("C0603", "220p"): ("Murata", "GRM1885C1H221GA01D", ("Yageo CC0603GRNPO9BN221",)),
    ("C0805", "10u"): ("Murata", "GRM21BR61C106KE15L", ("Samsung CL21A106KOQNNNE",)),
    ("FUSE", "3A hold"): (
        "Littelfuse",
        "1812L300/16MR",
        ("any 1812 polyfuse, 3 A hold, 6 A trip, 16 V or more",),
    ),
    ("FUSE", "500mA hold"): ("Littelfuse", "1812L050/30PR", ("Bourns MF-MSMF050-2",)),
}


def resistor(size: str, value: str) -> tuple[str, str, tuple[str, ...]]:
    """Maker, part number and alternate of a resistor of 1 %, by the makers' own rules.

    >>> resistor("0402", "3k9")
    ('Yageo', 'RC0402FR-073K9L', ('Vishay CRCW04023K90FKED',))
    """
    if value == "0R":
        return (
            "Yageo",
            f"RC{size}JR-070RL",
            (f"Vishay CRCW{size}0000Z0E{'D' if size == '0402' else 'A'}",),
        )
    code = value.upper()
    mark = next(c for c in code if c in "RKM")
    whole, part = code.split(mark)
    digits = whole + mark + part
    while len(digits) < 4:
        digits += "0"
    reel = "FKED" if size == "0402" else "FKEA"
    return "Yageo", f"RC{size}FR-07{code}L", (f"Vishay CRCW{size}{digits}{reel}",)


def fine_resistor(value: str) -> tuple[str, str, tuple[str, ...]]:
    """The same for one of 0.1 % and 25 ppm/K in 0402, a thin film.

    >>> fine_resistor("13k7")
    ('Yageo', 'RT0402BRD0713K7L', ('any 0402 of 0.1 % and 25 ppm/K',))
    """
    return "Yageo", f"RT0402BRD07{value.upper()}L", ("any 0402 of 0.1 % and 25 ppm/K",)


def order(kind: str, value: str) -> tuple[str, str, tuple[str, ...]]:
    """Maker, part number and alternates; empty strings where nothing is fitted."""
    if kind in ("R", "R0603"):
        return resistor("0402" if kind == "R" else "0603", value)
    if kind == "RFINE":
        return fine_resistor(value)
    if (kind, value) in PASSIVES:
        return PASSIVES[(kind, value)]
    return KINDS[kind].maker, KINDS[kind].mpn, KINDS[kind].alternates


YAGEO = "https://www.yageo.com/upload/media/product/productsearch/datasheet/rchip/PYu-RC_Group_51_RoHS_L_12.pdf"
THIN_FILM = YAGEO.replace("PYu-RC_Group_51_RoHS_L_12", "PYu-RT_1-to-0.01_RoHS_L_12")
TI = "https://www.ti.com/lit/ds/symlink/"
WURTH = "https://www.we-online.com/components/products/datasheet/"
NEXPERIA = "https://assets.nexperia.com/documents/data-sheet/"
SAME_SKY = "https://www.sameskydevices.com/product/resource/"
LITTELFUSE = "https://www.littelfuse.com/~/media/electronics/datasheets/"
DATASHEETS = {  # by kind, as the makers publish them; none could be opened while this was written
    "AHCT": TI + "sn74ahct1g125.pdf",
    "BAT54S": NEXPERIA + "BAT54S.pdf",
    "BUF": TI + "sn74lvc1g125.pdf",
    "BUZ": "https://product.tdk.com/en/system/files/dam/doc/product/sw_piezo/sw_piezo/piezo-buzzer/catalog/piezoelectronic_buzzer_ps_en.pdf",
    "CP": "https://industrial.panasonic.com/ww/products/pt/aluminum-cap-lead/models/EEUFR1A102",
    "DEC": TI + "cd74hc154.pdf",
    "ESD": "https://www.semtech.com/products/circuit-protection/low-capacitance/srv05-4",
    "FUSE": LITTELFUSE + "resettable_ptcs/littelfuse_ptc_1812l_datasheet.pdf.pdf",
    "HALL": TI + "drv5055.pdf",
    "HDR6": WURTH + "61300611121.pdf",
    "IDC": WURTH + "61201621621.pdf",
    "JACK": SAME_SKY + "pj-102ah.pdf",
    "L": "https://www.coilcraft.com/en-us/products/rf/ceramic-core-chip-inductors/0805-(2012)/0805cs/",
    "LDO": TI + "tlv1117lv.pdf",
    "LED": "https://cdn-shop.adafruit.com/datasheets/WS2812B.pdf",
    "LVC244": NEXPERIA + "74LVC_LVCH244A.pdf",
    "MFRC522": "https://www.nxp.com/docs/en/data-sheet/MFRC522.pdf",
    "MUX": TI + "cd74hc4067.pdf",
    "NMOS": "https://www.diodes.com/assets/Datasheets/ds31783.pdf",
    "PICO": "https://datasheets.raspberrypi.com/pico/pico-datasheet.pdf",
    "PNP": "https://www.onsemi.com/pdf/datasheet/mmbt3906lt1-d.pdf",
    "PPAIR": "https://www.vishay.com/docs/68969/si4925dd.pdf",
    "PWRLED": WURTH + "150060GS75000.pdf",
    "REF": TI + "tl431.pdf",
    "SKY": "https://www.vishay.com/docs/88746/ss12.pdf",
    "SW": SAME_SKY + "ts02.pdf",
    "SWD": "https://www.jst-mfg.com/product/pdf/eng/eSH.pdf",
    "TVS": LITTELFUSE + "tvs_diodes/littelfuse_tvs_diode_smbj_datasheet.pdf.pdf",
    "XTAL": "https://abracon.com/Resonators/abm8.pdf",
}


def datasheet(kind: str, value: str) -> str:
    """Where the maker describes the part; empty where nothing is bought."""
    if kind in ("R", "R0603"):
        return YAGEO
    if kind == "RFINE":
        return THIN_FILM
    maker, mpn, _ = order(kind, value)
    if maker == "Murata":  # the last letter only says how it is packed
        return f"https://www.murata.com/en-eu/products/productdetail?partno={mpn[:-1]}%23"
    return DATASHEETS.get(kind, "")


# named by where they sit, ordered as one part
ALIKE = {"IDC": "2x8 box header", "SW": "push button", "HDR6": "1x6 pin header"}
