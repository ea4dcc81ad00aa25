"""`spiceboard flash` at a simulated board."""

from diag_bench import Bench


def test_a_simulated_board_is_told_and_plays_on(bench: Bench) -> None:
    """It has no flash to write and no prompt: refused before anything is interrupted."""
    for options in (("--dry-run",), ("--yes",), ("--rollback", "--yes")):
        code, _ = bench.command("flash", *options)
        assert code == 5 and "it cannot be flashed" in bench.words(), bench.words()
    assert bench.ask("hello")["ok"]
