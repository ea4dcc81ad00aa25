"""The whole board under its usual current cap: a blink is seen, whatever else is lit."""

from lab import Lab


def test_four_rings_that_blink_are_seen_to_blink_beside_rings_that_are_lit() -> None:
    """Jaipur's first turn: four action spaces blink, nine bowls are lit."""
    with Lab(seed=1) as lab:
        lab.boot()
        lab.good("new", game="jaipur", options={"players": 2, "mode": "full", "seed": 3})
        lab.run(500)
        blinking, still, most = [], set(), 0
        for _ in range(60):
            lab.run(30)
            blinking.append(sum(map(sum, lab.ring("extra_throw"))))
            still.add(tuple(lab.ring("curry")))
            most = max(most, lab.good("status")["led_ma"])
        assert most <= 400
        assert max(blinking) >= 5 * max(min(blinking), 1), blinking
        assert len(still) == 1 and any(map(any, still.pop()))
