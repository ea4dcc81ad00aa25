"""Sent to a board's raw REPL: files, hashes, and a timer that starts the application again.

MicroPython, minified before it is sent (`spiceboard.board.scripts`). AWAY_MS is set by the sender.
"""

import binascii
import hashlib
import json
import os
import sys

import machine

open_file = None

# A board whose tool was killed must not stay at the prompt: it restarts by itself, unless
# keep_alive() is called again in time. The timer survives if this script is sent again.
try:
    keep_alive
except NameError:
    _timer = machine.Timer()

    def keep_alive():
        _timer.init(mode=_timer.ONE_SHOT, period=AWAY_MS, callback=lambda _: machine.reset())


keep_alive()


def hash_of(path):
    """[size, SHA-256] of a file, read 512 bytes at a time."""
    digest = hashlib.sha256()
    buffer = bytearray(512)
    size = 0
    with open(path, "rb") as file:
        while True:
            count = file.readinto(buffer)
            if not count:
                break
            size += count
            digest.update(memoryview(buffer)[:count])
    return [size, binascii.hexlify(digest.digest()).decode()]


def print_tree(folder):
    """A line for each file below a folder, so that no silence is long."""
    for entry in os.ilistdir(folder or "/"):
        path = folder + "/" + entry[0]
        if entry[1] & 0x4000:
            print_tree(path)
        else:
            print(json.dumps([path] + hash_of(path)))


def print_tree_if_any(folder):
    try:
        os.stat(folder)
    except OSError:
        return
    print_tree(folder)


def make_folder(path):
    try:
        os.mkdir(path)
    except OSError as error:
        if error.errno != 17:  # it is there
            raise


def begin_file(path):
    global open_file
    open_file = open(path, "wb")


def append(text):
    """base64: what a cut leaves is a shorter file and never a changed one."""
    open_file.write(binascii.a2b_base64(text))


def end_file():
    global open_file
    open_file.close()
    open_file = None


def drop_file():
    """Close a file that the tool gave up."""
    try:
        open_file.close()
    except Exception:
        pass


def copy(source, target):
    buffer = bytearray(512)
    with open(source, "rb") as old:
        with open(target, "wb") as new:
            while True:
                count = old.readinto(buffer)
                if not count:
                    break
                new.write(memoryview(buffer)[:count])
