"""What the fab is asked for: on the fabrication drawing, and in the text that goes with the files."""

from hardware import DATE, REVISION
from hardware.layout.panel import PANELS, Panel
from hardware.layout.plan import Layout

STACK_UP = (  # outside to outside
    ("silk, top", "white", ""),
    ("solder mask, top", "green", "0.02 mm"),
    ("copper, top (F.Cu)", "1 oz finished", "0.035 mm"),
    ("core", "FR4, Tg 130 C or more", "1.51 mm"),
    ("copper, bottom (B.Cu)", "1 oz finished", "0.035 mm"),
    ("solder mask, bottom", "green", "0.02 mm"),
    ("silk, bottom", "white", ""),
)
RULES = (
    "two layers, 1.6 mm +- 10 %, IPC-6012 class 2",
    "surface finish ENIG (flat pads for the HVQFN and 0402); lead-free HASL is second choice",
    "narrowest track and gap 0.15 mm, smallest drill 0.3 mm, annular ring 0.15 mm",
    "vias tented on both sides, none plugged; no via in a pad but under U1",
    "no controlled impedance; no thieving or balancing copper: it would load the loop",
    "outline routed, tolerance 0.2 mm; electrical test with the IPC-D-356 file",
    "stencil: stainless steel, 0.12 mm, top side only; windows of U1's pad as in the paste layer",
)


def size_text(plan: Layout) -> str:
    if plan.round:
        return f"round, diameter {plan.round:g} mm"
    assert plan.size is not None
    return f"{plan.size[0]:g} x {plan.size[1]:g} mm, corners with a radius of 3 mm"


def panel_text(panel: Panel) -> list[str]:
    """What a panel is, in lines for its drawing and for the text that goes with its files."""
    width, height = panel.size
    return [
        f"PANEL ({panel.name}): {panel.columns} x {panel.rows} tiles, {width:g} x {height:g} mm,",
        "rails above and below, tabs with rows of 0.5 mm holes, four tooling holes of 2 mm,",
        "three fiducials of 1 mm. Houses fit parts on the panel: single round boards have no",
        "straight edge for their machines.",
    ]


def notes(name: str, size: list[str]) -> list[str]:
    """The lines of the drawing of a board or panel, in their order; `size`: what it is and how large."""
    lines = [f"SPICEBOARD {name}, revision {REVISION}, {DATE}", *size, "", "STACK-UP"]
    lines += [f"{what}: {of}{', ' + thick if thick else ''}" for what, of, thick in STACK_UP]
    lines += ["", "NOTES", *[f"{k}. {rule}" for k, rule in enumerate(RULES, 1)]]
    lines += ["", "Nothing of this has been built yet. Licence CERN-OHL-P-2.0."]
    return lines


def order_text(name: str, plan: Layout) -> str:
    """The text that goes with a board's files."""
    lines = notes(name, [size_text(plan)])
    panel = PANELS.get(f"{name}-panel")
    if panel:
        lines += ["", *panel_text(panel)]
    return "\n".join(lines) + "\n"


def panel_order_text(panel: Panel) -> str:
    """The text that goes with a panel's files."""
    return "\n".join(notes(panel.name, panel_text(panel))) + "\n"
