# Everything sets itself up: the first call creates .venv (tools/setup.sh), later calls reuse it.
#
#   make play       a game on the simulated board      make play ARGS="--players 3 --people 2"
#   make test       what a change can break            make test ARGS="-k rings"
#   make test-all   the slow tests too, as CI does; skips are named at the end
#   make soak       the same with larger numbers, an hour or more
#   make lint       format, style, types, spelling
#   make bench      measure, and print how each figure was taken
#   make tournament bots against bots, on the rules alone
#   make hardware   check the boards and write the files for the fab
#   make release    everything that a builder needs, with checksums, in build/release
#   make picture    draw the pictures of the docs again

BIN = .venv/bin
ARGS =
# On two cores: tests often wait for a port, a start, an answer. Each worker first
# reads all test files, so that the few tests of -k are sooner done without workers.
SIDE_BY_SIDE = 4
WORKERS = $(if $(findstring -k,$(ARGS)),0,$(SIDE_BY_SIDE))
.DEFAULT_GOAL = help
# Bytecode is kept: tests begin many commands, and pytest rewrites the asserts of 100 files.
export PYTHONDONTWRITEBYTECODE =
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist worksteal
.PHONY: help play test test-all soak lint format bench tournament picture hardware release clean

help:
	@sed -n 's/^#   //p' Makefile

play:
	@tools/setup.sh sim fast
	@$(BIN)/spiceboard play $(ARGS)

test:
	@tools/setup.sh sim test emulator hardware fast study
	@$(PYTEST) $(ARGS)

# The slow tests wait less than the others.
test-all: SIDE_BY_SIDE = 3
test-all:
	@tools/setup.sh sim test emulator hardware fast study
	@$(PYTEST) --slow $(ARGS)

soak:
	@tools/setup.sh sim test emulator hardware fast study
	@$(PYTEST) --slow --soak $(ARGS)

lint:
	@tools/setup.sh sim test lint emulator hardware fast study
	@$(BIN)/python tools/lint.py

format:
	@tools/setup.sh lint
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

bench:
	@tools/setup.sh sim fast
	@$(BIN)/spiceboard bench $(ARGS)

tournament:
	@tools/setup.sh sim fast
	@$(BIN)/spiceboard tournament $(ARGS)

picture:
	@tools/setup.sh sim
	@$(BIN)/python tools/pictures.py $(ARGS)

hardware:
	@$(MAKE) --no-print-directory -f hardware/Makefile all

release:
	@-$(MAKE) --no-print-directory -f hardware/Makefile fab enclosure FAB=--without-pictures
	@$(BIN)/python -m hardware.generate.release

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
