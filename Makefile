# One command each: demo, test, quick, coverage, check, array-api, test-arm, test-launchers, docs, site, bench, test-gpu, libraries, package, clean. Only Python 3.10 or newer with pip is needed.

PYTHON ?= python3
VENV ?= .venv
BENCH_VENV ?= .bench-venv
LIBRARIES_VENV ?= .libraries-venv
SITE_VENV ?= .site-venv
# More than there are cores: a third of the time tests wait, for deadlines and for processes that come and go.
TEST_PROCESSES ?= 4
# Of tests that never wait.
COMPUTING_PROCESSES ?= 2
RUN := $(VENV)/bin/python

.PHONY: demo test quick coverage check array-api test-arm test-launchers docs site bench test-gpu libraries package clean

demo: $(VENV)/.installed
	OLYMPUS_NUM_CPU_DEVICES=2 $(VENV)/bin/olympus launch -n 4 examples/toy.py '{i}' '{n}'

# A file's tests stay together, in their order: they share what they have built. `make test ROOM=partition` runs a room's.
ROOM ?=
test: $(VENV)/.installed-test
	$(RUN) -m pytest $(if $(ROOM),tests/$(ROOM)) -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder --max-worker-restart=0

# What the change since commit SINCE can have touched, nearest first, without slow tests, in a minute and a half.
SINCE ?= HEAD
quick: $(VENV)/.installed-test
	$(RUN) -m tools.quick --since $(SINCE) --processes $(COMPUTING_PROCESSES)

# All tests, and which lines and branches no test reaches; the processes that tests start are measured, too.
COVER ?= 95
coverage: $(VENV)/.installed-coverage
	rm -rf .coverage-data && mkdir .coverage-data
	$(RUN) -m coverage run -m pytest $(if $(ROOM),tests/$(ROOM)) -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder --max-worker-restart=0
	$(RUN) -m coverage combine --quiet
	$(RUN) -m coverage report $(if $(ROOM),,--fail-under=$(COVER))

check: $(VENV)/.installed-check
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(VENV)/bin/basedpyright --pythonpath $(RUN)
	$(VENV)/bin/lint-imports

# The array API standard's own test suite, with 64 bits: ARRAY_API_TESTS is its folder, which is only read. The
# three tests that assign to items are left out, since arrays never change; no failure is expected.
ARRAY_API_TESTS ?=
EXAMPLES ?= 20
array-api: $(VENV)/.installed-test
	@test -d "$(ARRAY_API_TESTS)/array_api_tests" || { echo "make array-api ARRAY_API_TESTS=<folder of data-apis/array-api-tests>"; exit 1; }
	OLYMPUS_ENABLE_X64=1 ARRAY_API_TESTS_MODULE=olympus.numpy ARRAY_API_TESTS_VERSION=2025.12 PYTHONDONTWRITEBYTECODE=1 \
	$(RUN) -m pytest -q -n $(COMPUTING_PROCESSES) -p no:cacheprovider -c "$(ARRAY_API_TESTS)/pytest.ini" \
		--rootdir "$(ARRAY_API_TESTS)" --max-examples $(EXAMPLES) --disable-deadline --hypothesis-derandomize \
		--deselect array_api_tests/test_creation_functions.py::test_asarray_arrays \
		--deselect array_api_tests/test_array_object.py::test_setitem \
		--deselect array_api_tests/test_array_object.py::test_setitem_masking "$(ARRAY_API_TESTS)/array_api_tests"

# The CPU platform's tests with code for ARM (NEON, SVE of 256 and of 512 bits), which an emulator runs; on x86-64.
ARM_ROOMS ?= codegen contractions compiled sorting fourier linear_algebra
test-arm: $(VENV)/.installed-test
	for processor in neoverse:128 neoverse-v1:256 a64fx:512; do \
		OLYMPUS_CPU_VECTOR_BITS=$${processor#*:} $(RUN) -m pytest -q -p tests.cpu.arm.plugin -p no:cacheprovider \
			--processor $${processor%:*} -m "not processes and not slow" \
			-n $(COMPUTING_PROCESSES) --dist loadfile $(ARM_ROOMS:%=tests/cpu/%) || exit 1; \
	done

# Real launchers (Open MPI, MPICH's hydra, Slurm with munge) on one machine and on two made of network namespaces; as
# root, on Debian. INSTALL=1 asks apt for what is absent. A job of its own in CI: nothing else needs these packages.
INSTALL ?=
test-launchers: $(VENV)/.installed-test
	$(RUN) -m tools.launchers $(if $(INSTALL),--install)

docs: $(VENV)/.installed
	$(RUN) -m tools.reference

# The pages of docs/ as a site in site/<version>/, which can be opened as a file; fails where a link leads nowhere or a
# page would fetch something from elsewhere. Its environment has neither olympus nor what it needs.
site: $(SITE_VENV)/.installed
	$(SITE_VENV)/bin/python -m tools.site

bench: $(BENCH_VENV)/.installed
	$(BENCH_VENV)/bin/python -m benchmarks; status=$$?; $(BENCH_VENV)/bin/python -m benchmarks.faults && exit $$status

# For a machine with NVIDIA GPUs: the platform's own tests and the language's on the card, conformance, the benchmarks.
# All pieces are run, whatever the first ones say; `PIECES="steps calls"` chooses, INTO is where the reports go. With
# NO_INSTALL=1 nothing is installed and no network is asked: PYTHON has olympus and all that it needs.
INTO ?= gpu-report
PIECES ?=
test-gpu: $(if $(NO_INSTALL),,$(VENV)/.installed-gpu)
	$(if $(NO_INSTALL),$(PYTHON),$(RUN)) -m tools.gpu --into $(INTO) $(PIECES)

# The own tests of libraries written for JAX, with JAX and with olympus: LIBRARY="optax chex" chooses. Their sources are
# fetched into .libraries; an hour for all of them.
LIBRARY ?=
libraries: $(LIBRARIES_VENV)/.installed
	$(LIBRARIES_VENV)/bin/python -m tools.libraries $(LIBRARY)

# The wheel and the source distribution in dist/, compared with the repository; the first program from the wheel.
package: $(VENV)/.installed-package
	$(RUN) -m tools.package

clean:
	rm -rf $(VENV) $(BENCH_VENV) $(LIBRARIES_VENV) $(SITE_VENV) site .libraries gpu-report build dist *.egg-info .coverage-data .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# LOCK names a file of versions with hashes, which CI takes (tools/lock); without it pip takes the newest that fits.
LOCK ?=
# A stamp for each set of dependencies: nothing is installed twice until pyproject.toml changes.
$(VENV)/.installed: EXTRA :=
$(VENV)/.installed-test: EXTRA := [test]
$(VENV)/.installed-check: EXTRA := [check]
$(VENV)/.installed-package: EXTRA := [package]
$(VENV)/.installed-coverage: EXTRA := [test,coverage]
# The peer that the benchmarks compare with comes with its own packages for the GPU.
$(VENV)/.installed-gpu: EXTRA := [test,cuda]
$(VENV)/.installed-gpu: PEER := 'jax[cuda13]'

$(VENV)/.installed $(VENV)/.installed-test $(VENV)/.installed-check $(VENV)/.installed-coverage $(VENV)/.installed-package $(VENV)/.installed-gpu: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "olympus needs Python 3.10 or newer: make PYTHON=python3.12")'
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(if $(LOCK),$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK))
	$(RUN) -m pip install --quiet --disable-pip-version-check $(if $(LOCK),--no-deps --no-build-isolation --editable .,--editable '.$(EXTRA)' $(PEER))
	@touch $@

# The benchmarks' own environment: there the peer is, too; it wants Python 3.11.
$(BENCH_VENV)/.installed: pyproject.toml
	test -x $(BENCH_VENV)/bin/python || $(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable . 'jax==0.10.*'
	@touch $@

$(SITE_VENV)/.installed: pyproject.toml
	test -x $(SITE_VENV)/bin/python || $(PYTHON) -m venv $(SITE_VENV)
	$(SITE_VENV)/bin/python -m tools.site --requirements > $(SITE_VENV)/requirements.txt
	$(SITE_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r $(SITE_VENV)/requirements.txt
	@touch $@

# The libraries' own environment: they, the peer that they are written for, and olympus.
$(LIBRARIES_VENV)/.installed: pyproject.toml tools/libraries/catalogue.py
	test -x $(LIBRARIES_VENV)/bin/python || $(PYTHON) -m venv $(LIBRARIES_VENV)
	$(LIBRARIES_VENV)/bin/python -m tools.libraries --requirements > $(LIBRARIES_VENV)/requirements.txt
	$(LIBRARIES_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable . -r $(LIBRARIES_VENV)/requirements.txt
	@touch $@
