"""Run one portable test file under MicroPython: every function `test_*`, in the file's order.

Usage: micropython tests/portable/run.py tests/portable/test_x.py
Prints a line a test and `N passed, M failed`; exits with 1 when one failed. pytest collects the
same files under CPython, so a portable test uses bare `assert` and imports no pytest.
"""

import sys


def names_in_order(path: str) -> list:
    """Names of the test functions of a file, in the order in which they stand in it."""
    names = []
    with open(path) as file:
        for line in file:
            if line.startswith("def test_"):
                names.append(line[4 : line.index("(")])
    return names


def main(path: str) -> int:
    """Run the file's tests; returns how many failed."""
    slash = path.rfind("/")
    folder, name = path[:slash], path[slash + 1 : -3]
    sys.path.insert(0, folder)
    module = __import__(name)
    failed = passed = 0
    for test in names_in_order(path):
        try:
            getattr(module, test)()
        except Exception as error:
            failed += 1
            print("FAILED", test)
            sys.print_exception(error)
        else:
            passed += 1
            print("passed", test)
    print("%d passed, %d failed" % (passed, failed))
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1]) else 0)
