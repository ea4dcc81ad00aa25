"""Where the plate is cut for a printer: four pieces whose joints cross no zone.

The pieces turn like the sails of a windmill, and the upper left one has the middle bowl too. Joints
run between the holes and keep clear of the bosses of the clamps; each clamp bridges one, so the
inserts hold the pieces together. Coordinates in mm as in the table of dimensions: y down.
"""

from shapely.geometry import Polygon

Point = tuple[float, float]
PLAY = 0.1  # mm that each piece stands back from the joint
OUT = 20.0  # mm beyond the field: past rim and skirt
NEAR, FAR = -OUT, 356.0 + OUT
EAST, SOUTH = (229.5, 207.5), (148.5, 229.5)  # where three pieces meet
# joints: upper left with upper right, upper right with lower right, and so on round
TOP = [(229.5, NEAR), (229.5, 80.0), (214.2, 96.2), (207.0, 107.0), (207.0, 131.0), (214.2, 141.8),
       (229.5, 158.0), EAST]  # fmt: skip
RIGHT = [(FAR, 229.5), (276.0, 229.5), (259.8, 214.2), (246.0, 207.5), EAST]
MIDDLE = [EAST, (214.2, 214.2), (203.0, 229.5), SOUTH]
BOTTOM = [(126.5, FAR), (126.5, 276.0), (141.8, 259.8), (148.5, 246.0), SOUTH]
LEFT = [SOUTH, (141.8, 214.2), (126.5, 203.0), (126.5, 148.5), (110.0, 148.5), (96.2, 141.8),
        (80.0, 126.5), (NEAR, 126.5)]  # fmt: skip
JOINTS = (TOP, RIGHT, MIDDLE, BOTTOM, LEFT)
# middle of each joint in the skirt, where a splice bridges it: side, place along it
SPLICES = (("back", 229.5), ("right", 229.5), ("front", 126.5), ("left", 126.5))


def pieces() -> dict[str, Polygon]:
    """{name: outline}, each a little smaller than its share."""
    whole = {
        "back-left": [(NEAR, NEAR), *TOP, *MIDDLE[1:], *LEFT[1:]],
        "back-right": [*TOP, *RIGHT[-2::-1], (FAR, NEAR)],
        "front-right": [*RIGHT, *MIDDLE[1:], *BOTTOM[-2::-1], (FAR, FAR)],
        "front-left": [*BOTTOM, *LEFT[1:], (NEAR, FAR)],
    }
    return {
        name: Polygon(points).buffer(-PLAY, join_style="mitre") for name, points in whole.items()
    }
