"""At a built board: holds one reader's field on for a meter, or stores a setting.

    python hardware/tools/atboard.py field curry [--seconds 30] [--port /dev/ttyACM0]
    python hardware/tools/atboard.py set hall true          # also led_cap_ma 800, brightness 60, ...

The board must run, and no game be on. The field is off again at the end, and after Ctrl-C.
"""

import argparse
import json
import sys
import time
from typing import Any

from spiceboard.host.care import connected, maintenance
from spiceboard.host.client import Client
from spiceboard.host.errors import UserError
from spiceboard.spicecore.parts import ZONES

LONGEST = 600.0  # s
AGAIN = 10.0  # s: the board ends maintenance by itself when it hears nothing for a minute


def hold_field(client: Client, zone: str, seconds: float, sleep: Any = time.sleep) -> None:
    """Field of the zone's reader on for that long, all others off."""
    if zone not in ZONES:
        raise UserError(f"there is no zone {zone}: zones are {', '.join(ZONES)}")
    if not 0 < seconds <= LONGEST:
        raise UserError(f"--seconds is more than 0 and at most {LONGEST:.0f}")
    with maintenance(client):
        try:
            left = seconds
            while left > 0:
                client.request("diag", what="field", zone=zone, on=True)
                sleep(min(left, AGAIN))
                left -= AGAIN
        finally:
            client.request("diag", what="field", zone=zone, on=False)


def store(client: Client, name: str, text: str) -> Any:
    """Stores a setting and returns what the board says it is then."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UserError(f"{text} is no value: write true, false, or a number") from error
    before = client.request("settings")["values"]
    if name not in before or isinstance(before[name], dict):
        plain = sorted(n for n, v in before.items() if not isinstance(v, dict))
        raise UserError(f"there is no such setting to store here: {', '.join(plain)}")
    return client.request("settings_set", values={name: value})["values"][name]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", help="the board, as for `spiceboard diag`")
    what = parser.add_subparsers(dest="what", required=True)
    field = what.add_parser("field", help="one field on, for a meter")
    field.add_argument("zone")
    field.add_argument("--seconds", type=float, default=30.0)
    setting = what.add_parser("set", help="store a setting")
    setting.add_argument("name")
    setting.add_argument("value")
    arguments = parser.parse_args(words)
    try:
        with connected(arguments.port) as client:
            if arguments.what == "field":
                print(f"{arguments.zone}: field on for {arguments.seconds:.0f} s", flush=True)
                hold_field(client, arguments.zone, arguments.seconds)
            else:
                now = store(client, arguments.name, arguments.value)
                print(f"{arguments.name} is {json.dumps(now)}")
    except UserError as error:
        print(f"atboard: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("atboard: ended, the field is off", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
