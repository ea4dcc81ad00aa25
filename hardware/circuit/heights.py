"""How high the parts of the tiles stand over the board: they have the floor of a zone above them.

By footprint: the most in mm, and where it is from. No data sheet could be opened while this was
written: "code" means that the maker's part number says it (Murata: the digit after the size),
"outline" the standard outline of the package, "nominal" a figure of public shop pages without
tolerance. A test compares with KiCad's bodies.
"""

HEIGHTS: dict[str, tuple[float, str]] = {
    "C_0402_1005Metric": (0.55, "code: GRM155 is 0.50 mm, 0.05 more"),
    "C_0603_1608Metric": (0.90, "code: GRM188 is 0.80 mm, 0.10 more"),
    "C_0805_2012Metric": (1.45, "code: GRM21B is 1.25 mm, at most 0.20 more"),
    "Crystal_SMD_3225-4Pin_3.2x2.5mm": (1.0, "nominal 0.8"),
    "HVQFN-32-1EP_5x5mm_P0.5mm_EP3.1x3.1mm": (1.0, "outline SOT617-1"),
    "LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm": (
        1.6,
        "nominal, no tolerance known: the guide says what to measure",
    ),
    "L_0603_1608Metric": (0.95, "nominal 0.80, 0.15 more"),
    "L_0805_2012Metric": (1.52, "Coilcraft's table of the 0805CS: the most"),
    "R_0402_1005Metric": (0.40, "nominal 0.35, 0.05 more"),
    "R_0603_1608Metric": (0.55, "nominal 0.45, 0.10 more"),
    "SOT-23": (1.20, "KiCad's body; outline TO-236 has 1.12"),
    "SOT-23-5": (1.55, "KiCad's body; outline MO-178 has 1.45"),
    "SOT-23-6": (1.55, "KiCad's body; outline MO-178 has 1.45"),
    "SOT-523": (0.90, "outline SC-89 and alike"),
}
