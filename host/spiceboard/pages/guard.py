"""What the server lets in: known hosts, its own origin, only what it ships, and not too much."""

import time
from collections.abc import Iterable

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": CSP,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",
}
MESSAGE_MAX = 16_384  # bytes of a page's message; the longest of ours has some hundred
BURST, A_SECOND = 60, 30  # messages of one page
WRONG_HOST = (
    "This address is not one of the table's own. Open the address that `spiceboard play` printed."
)


def known_hosts(names: Iterable[str], port: int) -> set[str]:
    """What a Host header may say, for a server at these names."""
    hosts = {f"{name}:{port}" for name in names}
    if port == 80:
        hosts |= set(names)
    return hosts


def own_origin(origin: str | None, host: str) -> bool:
    """Does a socket come from one of our own pages? Browsers always name the origin; tools that
    name none are no browsers, and hold no cookie that could be misused."""
    return origin is None or origin == f"http://{host}"


class Bucket:
    """How much one page may say."""

    def __init__(self) -> None:
        self.left = float(BURST)
        self.at = time.monotonic()

    def take(self) -> bool:
        """One message more; False when it is one too many."""
        now = time.monotonic()
        self.left = min(BURST, self.left + (now - self.at) * A_SECOND)
        self.at = now
        self.left -= 1
        return self.left >= 0
