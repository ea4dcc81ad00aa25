"""Sentences about malformed events of Safranito."""

SHAPES = {
    "event": "An event is a list: kind, seat or null, and what belongs to it.",
    "seat": "There is no such seat in this game.",
    "parts": "That event has too few or too many parts.",
    "kind": "The last part of that event is of the wrong kind.",
    "negative": "The last part of that event may not be negative.",
    "moved": "A change of the board is [moved, null, [[chip, zone], ...]].",
    "judged": "A decision of a doubt is [judged, head chef, chip, zone or null].",
    "accept": "To accept is [accept, head chef or null, [[chip, zone], ...]].",
    "abort": "To abort is [abort, seat or null].",
    "moves": "The change of the board must be a list of [chip, zone].",
    "change": "Each change must be [chip, zone or null].",
    "place": "A chip can lie in one place only.",
}
