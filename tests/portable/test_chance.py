"""The generator: known numbers, so that both runtimes and any second implementation agree."""

from spicecore import chance


def test_known_numbers():
    x = chance.start(0)
    assert x == KNOWN_START
    drawn = []
    for n in (2, 3, 6, 54, 1000):
        x, k = chance.below(x, n)
        drawn.append(k)
    assert drawn == KNOWN_DRAWS
    items = list(range(10))
    chance.shuffle(x, items)
    assert items == KNOWN_SHUFFLE


def test_follows_the_page():
    def rand(x):
        x ^= (x << 7) & MAX
        x ^= x >> 9
        return x ^ ((x << 10) & MAX)

    x = 1
    for _ in range(1000):
        assert chance.rand(x) == rand(x)
        x = rand(x)
        assert 1 <= x <= MAX


def test_below_is_even():
    x, counts = chance.start(42), [0] * 7
    for _ in range(7000):
        x, k = chance.below(x, 7)
        counts[k] += 1
    assert min(counts) > 880 and max(counts) < 1120


def test_neighbouring_seeds_give_unlike_draws():
    orders = []
    for seed in range(50):
        items = list(range(8))
        chance.shuffle(chance.start(seed), items)
        orders.append(tuple(items))
    assert len(set(orders)) == 50


def test_shuffle_keeps_the_items():
    items = [0] * 6 + [1] * 6 + [2] * 3
    chance.shuffle(chance.start(9), items)
    assert sorted(items) == [0] * 6 + [1] * 6 + [2] * 3
    assert items != sorted(items)


MAX = (1 << 30) - 1
KNOWN_START = 561643716
KNOWN_DRAWS = [0, 1, 2, 11, 463]
KNOWN_SHUFFLE = [7, 4, 2, 3, 5, 9, 1, 8, 6, 0]
