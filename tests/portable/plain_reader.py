"""A reader made of plain data, with the contract of rfid.reader: {uid: least gain in dB}."""

from rfid.codes import COMPLETE, CROWDED, DEAD, DIFFERENT, HANDED, SAME


class PlainReader:
    gains_db = (18, 23, 33, 38, 43, 48)
    settle_us = 0

    def __init__(self, tags):
        self.tags, self.alive = tags, True

    def init(self, gain_db=33):
        self.antenna(False)
        self.gain(gain_db)

    def version(self):
        return 0x92 if self.alive else 0

    def healthy(self, closely):
        return self.alive

    def gain(self, db):
        self.gain_db = self.gains_db[list(self.gains_db).index(db)]  # or ValueError

    def antenna(self, on):
        if not self.alive:
            raise OSError("nobody answers")
        self.on = on

    def inventory(self, uids, budget_us):
        heard = [uid for uid in self.tags if self.on and self.tags[uid] <= self.gain_db]
        uids.clear()
        for uid in heard[: uids.room]:
            uids.add(uid)
        return DEAD if not self.alive else CROWDED if len(heard) > uids.room else COMPLETE

    def verify(self, known, budget_us, follow=None):
        uids = [known.uid(i) for i in range(known.count)]
        same = sorted(uids) == sorted([uid for uid in self.tags if self.tags[uid] <= self.gain_db])
        if same and self.alive and follow is not None:
            self.on, follow.on = False, True
            return HANDED
        return DEAD if not self.alive else SAME if same else DIFFERENT

    prove = verify

    def update(self, known, found, gain_db, budget_us, proof):
        return self.inventory(found, budget_us) or self.strong(found, gain_db)

    def resolve(self, found, second, budget_us):
        return self.inventory(found, budget_us)

    def strong(self, known, gain_db):
        weak = [i for i in range(known.count) if self.tags.get(known.uid(i), 99) > gain_db]
        return DEAD if not self.alive else DIFFERENT if weak else COMPLETE

    def strengths(self, uids, gains_db, out):
        for i in range(uids.count):
            out[i] = ([db for db in gains_db if db >= self.tags.get(uids.uid(i), 99)] + [0])[0]
        self.gain(gains_db[-1])
        return COMPLETE if self.alive else DEAD

    def bench(self):
        return PlainBench(self)


class PlainBench:
    value = 8

    def __init__(self, reader):
        self.reader = reader

    def report(self):
        versions = [self.reader.version()] * 3
        return {"versions": versions, "command": 0, "config": [], "canary": self.reader.alive}

    def echo(self, n):
        return 0 if self.reader.alive else n

    def mark(self, value):
        self.value = value

    def marked(self):
        return self.value
