# SPDX-License-Identifier: Apache-2.0
"""The libraries, their pinned versions, and where their own tests stand."""

from __future__ import annotations

from dataclasses import dataclass

# The release of JAX whose names olympus has; the libraries' tests are first run with it.
PEER = "jax==0.10.2"
# What the libraries' tests import beside the libraries; pip looks at the folders of all tests with one environment.
FOR_TESTS = (
    "pytest", "absl-py", "scipy", "parameterized", "cloudpickle", "dm-tree", "scikit-learn", "beartype", "flax==0.12.8",
    "funsor==0.4.8", "mock==5.2.0",
)


@dataclass(frozen=True)
class Library:
    """A library: its distribution, and the tests in its source distribution."""

    name: str
    version: str
    # Patterns of the files with tests, in the source distribution's folder; none where it has no tests.
    tests: tuple[str, ...] = ()
    # Files that neither side runs, such as those that need the network or a data set, with the reason.
    left_out: tuple[tuple[str, str], ...] = ()
    # Folders, in the source distribution's, that its tests import their own modules from.
    paths: tuple[str, ...] = ()
    # Environment variables of its tests.
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def requirement(self) -> str:
        """What pip is asked for."""
        return f"{self.name}=={self.version}"


LIBRARIES: tuple[Library, ...] = (
    Library("optax", "0.2.8", ("optax/**/*_test.py",)),
    Library("chex", "0.1.92", ("chex/**/*_test.py",)),
    Library("equinox", "0.13.8"),
    Library("jaxtyping", "0.3.11"),
    Library("diffrax", "0.7.2"),
    Library("lineax", "0.1.1"),
    Library("optimistix", "0.1.0"),
    Library("jaxopt", "0.8.5"),
    Library("numpyro", "0.22.0", ("test/**/test_*.py",), (
        ("test/test_examples.py", "its programs are not in the source distribution"),
        ("test/test_example_utils.py", "it needs the network")), ("test",)),
    Library("blackjax", "1.7.1", ("tests/**/test_*.py",)),
    Library("flax", "0.12.8", ("tests/**/*_test.py",), (
        ("tests/tensorboard_test.py", "it needs TensorFlow"), ("tests/io_test.py", "it needs TensorFlow"),
        ("tests/nnx/flaxlib_test.py", "it needs flaxlib"))),
    Library("dm-haiku", "0.0.17", ("haiku/**/*_test.py",), (
        ("haiku/_src/integration/checkpoint_test.py", "its data files are not in the source distribution"),
        ("haiku/_src/integration/doctest_test.py", "it needs TensorFlow's data sets"))),
    Library("distrax", "0.1.9", ("distrax/**/*_test.py",)),
    Library("rlax", "0.1.9", ("rlax/**/*_test.py",)),
    Library("orbax-checkpoint", "0.12.8"),
    Library("brax", "0.14.2"),
    Library("penzai", "0.2.5", ("tests/**/*_test.py",)),
)
BY_NAME = {library.name: library for library in LIBRARIES}
