# make demo | test | test-more | test-all | check | replay | mutate | bench | clean: each makes the environment it needs, once.

SHELL := /bin/sh
PYTEST := .venv/bin/python -m pytest -n 2 --dist worksteal --quiet
export PIP_ROOT_USER_ACTION := ignore
# Tests start hundreds of processes: none compiles Python again that another one has read.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test fast test-more test-all ready devices check types style layers size replay mutate bench folder environment clean

help:
	@echo "make demo      the main job on a real photograph, NumPy beside jitframe"
	@echo "make test      checks and the fast tests"
	@echo "make test-more checks and the tests of child processes, device compilers, browsers, wheels"
	@echo "make test-all  checks and all tests, long sweeps too"
	@echo "make check     ruff, mypy, import-linter, file size"
	@echo "make replay    generated code of a corpus beside that of a revision (REVISION=HEAD)"
	@echo "make mutate    breaks one thing after the other in a copy; tests are to find it (MUTATE=1/4: a part)"
	@echo "make bench     jitframe beside its peers (a download of some GB: torch, jax, ...)"
	@echo "make clean     remove the environments and what was built"

folder:
	@tools/make_environment.sh .venv

environment: folder
	@tools/make_environment.sh .venv test,dev

demo:
	@tools/make_environment.sh .venv-demo demo
	.venv-demo/bin/python examples/demo.py

# The checks run beside the tests: mypy, where it has read nothing yet, takes half a minute of one processor.
test:
	@$(MAKE) --no-print-directory -j 2 environment devices
	@$(MAKE) --no-print-directory -j 2 check fast

fast:
	$(PYTEST) -m "not more and not slow"

test-more: ready
	$(PYTEST) -m "more and not slow"

test-all: export JITFRAME_TESTS_COMPILE_ALL := 1
test-all: export JITFRAME_OPTIMIZATION_LEVEL := 2
test-all: ready
	$(PYTEST) --hypothesis-profile=explore

# Two at a time: one is seldom enough to keep both processors busy.
ready:
	@$(MAKE) --no-print-directory -j 2 check devices

devices: folder
	@tools/install_software_devices.sh .venv
	@tools/install_trace_engine.sh .venv

check: types style layers size

types: environment
	.venv/bin/mypy --no-error-summary

style: environment
	.venv/bin/ruff check --quiet .
	.venv/bin/ruff format --check --quiet .

layers: environment
	.venv/bin/lint-imports --no-logo

size: environment
	.venv/bin/python tools/check_file_size.py

replay: environment
	.venv/bin/python -m tests.replay $(or $(REVISION),HEAD)

mutate: environment
	.venv/bin/python -m tests.mutation $(MUTATE)

bench:
	@tools/make_environment.sh .venv-bench bench
	.venv-bench/bin/python -m tests.benchmarks $(BENCH)

clean:
	rm -rf .venv .venv-demo .venv-bench build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
