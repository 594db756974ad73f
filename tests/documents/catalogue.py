# SPDX-License-Identifier: Apache-2.0
"""Every program of the documents: where it stands, and the jobs in which it runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """One program.

    Attributes:
        document: Number of the document.
        name: Its file in `programs/`, without the suffix.
        section: The heading under which it stands.
        remark: What differs from the document's text, and why; or where the program comes from.
        arguments: Its command line; ``{i}``, ``{n}`` and ``{address}`` become the job's.
        notebook: Whether it is a notebook's cell, whose last value is shown.
        rounded: Whether the last digits of what it prints depend on the order of a sum, or on the processor.
        error: How far apart rounded numbers may be that are close to zero. The sum of 64 sines is a number of 0.097 out
            of terms that add up to 40: the document's last digits are wrong (it is 0.09658592), by another amount than
            those of another order of the sum.
        pending: Why it does not run yet.
    """

    document: str
    name: str
    section: str
    remark: str = ""
    arguments: tuple[str, ...] = ()
    notebook: bool = False
    rounded: bool = False
    error: float = 2e-7
    pending: str = ""


@dataclass(frozen=True)
class Job:
    """Processes that run programs one after the other, as a notebook does its cells.

    Attributes:
        document: Number of the document.
        processes: Number of processes.
        devices: Devices of each; 0 where the programs say it themselves.
        programs: Names, in order.
        start: How: ``plain`` processes, ``mpiexec`` or ``launch``.
        environment: Variables of all processes.
    """

    document: str
    processes: int
    devices: int
    programs: tuple[str, ...]
    start: str = "plain"
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def shape(self) -> str:
        """Processes and devices of each, as in ``4x2``."""
        return f"{self.processes}x{self.devices or 8}"

    def __str__(self) -> str:
        return f"{self.document}-{self.shape}-{self.start}-{self.programs[0]}"


@dataclass(frozen=True)
class Text:
    """What a document prints and no program here can print, such as the devices of a TPU slice.

    Attributes:
        document: Number of the document.
        section: The heading under which it stands.
        what: What it is.
        test: The file and the name of its test.
    """

    document: str
    section: str
    what: str
    test: str


TITLES = {
    "000": "Introduction to multi-controller OLYMPUS",
    "001": "Introduction to parallel programming",
    "002": "Introduction to multi-controller JAX",
    "003": "Distributed computing on a supercomputer",
    "004": "Multi-host and multi-process environments",
}
ABOUT = {
    "000": "several processes: joining, meshes over all devices, moving data, Kubernetes, TPU slices",
    "001": "eight devices of one process: automatic and explicit sharding, shard_map",
    "002": "the first text for JAX, whose wording differs",
    "003": "supercomputers: MPI and Slurm, pencils, data that one process reads",
    "004": "`pmap` and `xmap` over several processes",
}

_MESHES = "Meshes, shardings, and computations can span processes and hosts"
_DATA = "Making process-spanning arrays from external data"
_ONE = "Its text is not in the document, which says it in words."

_DOCUMENT_000 = [
    Program("000", "toy", "Toy example", arguments=("{i}", "{n}")),
    Program("000", "gpu_example", "GPU Example", arguments=("{address}", "{i}", "{n}"),
            remark="The devices are CPU devices, whose ids say the process; CUDA's are contiguous."),
    Program("000", "demo", "TPU Example", remark="The 16 chips' own listing stands below."),
    Program("000", "job", "Kubernetes Example",
            remark="The manifest's program; the manifest stands below."),
    Program("000", "mesh", _MESHES),
    Program("000", "visualize", _MESHES, remark="The 16 chips' own drawing stands below."),
    Program("000", "matmul", _MESHES, remark="The 16 chips' own drawing stands below."),
    Program("000", "print_z", _MESHES,
            remark="The error's text is printed for an array that spans processes; in one process z is printed."),
    Program("000", "replicate", _MESHES),
    Program("000", "gather", _MESHES, remark=_ONE),
    Program("000", "subset", "Running on a subset of devices",
            remark="The chips' own drawing stands below."),
    Program("000", "subset_sum", "Running on a subset of devices",
            remark="The document formats an array of no dimensions as `Array(0.09658563, dtype=float32)` here and as "
                   "its number in the toy example; the number stands.", rounded=True, error=6e-7),
    Program("000", "stages", "Transferring data across processes with device_put"),
    Program("000", "microbatches", "Transferring data across processes with device_put"),
    Program("000", "sgd", _MESHES,
            remark="A data-parallel loop of 50 steps that never waits for a result, with gradients by hand; "
                   "not in the document."),
    Program("000", "process_local_data", _DATA),
    Program("000", "single_device_arrays", _DATA),
    Program("000", "subset_arrays", _DATA),
]
_AFTER_TOY = (
    "mesh", "visualize", "matmul", "print_z", "replicate", "gather", "subset", "subset_sum", "stages", "microbatches",
    "sgd", "process_local_data", "single_device_arrays", "subset_arrays",
)

_CELLS = {
    "Introduction to parallel programming": range(1, 3),
    "Key concept: Data sharding": range(3, 8),
    "1. Automatic parallelism via jit": range(8, 10),
    "2. Explicit sharding": range(10, 15),
    "3. Manual parallelism with shard_map": range(15, 19),
    "Comparing the three approaches": range(19, 24),
}
_PLACEMENT = "Controlling data and computation placement on devices"
_DOCUMENT_001 = [
    *(Program("001", f"cell_{number:02d}", section, notebook=True, rounded=number in (15, 20, 21, 23))
      for section, numbers in _CELLS.items() for number in numbers),
    Program("001", "default_placement", _PLACEMENT, remark="The device is a CPU device."),
    Program("001", "device_put", _PLACEMENT, remark="The device is a CPU device."),
    Program("001", "placement_rules", _PLACEMENT, remark=_ONE),
    Program("001", "several_devices", _PLACEMENT, remark=_ONE),
    Program("001", "platforms_variable", _PLACEMENT, remark=_ONE),
    Program("001", "platforms_flag", _PLACEMENT, remark=_ONE, arguments=("--olympus_platforms=cpu",)),
]

_MESHES_002 = "Meshes, Shardings, and computations can span processes and hosts"
_DOCUMENT_002 = [
    Program("002", "toy", "Toy example", arguments=("{i}", "{n}")),
    Program("002", "demo", "Setting up multiple JAX processes", remark="The 16 chips' own listing stands below."),
    Program("002", "mesh", _MESHES_002),
    Program("002", "visualize", _MESHES_002,
            remark="The drawing has its numbers two places further right than in the first text, which stands."),
    Program("002", "matmul", _MESHES_002, remark="As for the drawing before."),
    Program("002", "print_z", _MESHES_002),
    Program("002", "replicate", _MESHES_002),
]

_CONTROLLERS = "3.4 Single controller for multiple devices"
_NODES = "3.5 Multi controller for multiple nodes"
_KINDS = "4.2 Special Kinds of Shards"
_SINGLE = "5.1.1 Example"
_MULTIPLE = "5.2.1 Example"
_LOADING = "6. Loading data from a single source to multiple controller devices"
_WORDS = "The document names it in words only."
_DOCUMENT_003 = [
    Program("003", "simulated", "3.3 Simulating on CPU",
            remark="The variable is OLYMPUS_NUM_CPU_DEVICES; mapped collectives work on CPU, too."),
    Program("003", "devices", _CONTROLLERS, notebook=True, remark="CPU devices, printed as in the first text."),
    Program("003", "default_placement", _CONTROLLERS, notebook=True, remark="A set of devices, as in the second text."),
    Program("003", "other_device", _CONTROLLERS, remark="The check reads b.devices()."),
    Program("003", "before_initialize", _NODES),
    Program("003", "after_initialize", _NODES),
    Program("003", "readable", _NODES),
    Program("003", "one_device_each", "3.6 A single Controller per GPU"),
    Program("003", "properties", "4.1 Sharding Properties", remark=_WORDS),
    Program("003", "imports", _KINDS, remark="The names that the following programs use; the document imports them "
                                              "in section 6."),
    Program("003", "positional_sharding", _KINDS),
    Program("003", "named_sharding", _KINDS),
    Program("003", "kinds", _KINDS, remark=_WORDS),
    Program("003", "positional_example", _SINGLE,
            remark="The document draws `y`, which it makes only in the next program; its text says `x`."),
    Program("003", "positional_square", _SINGLE),
    Program("003", "positional_reshaped", _SINGLE),
    Program("003", "initialize", _MULTIPLE),
    Program("003", "count", _MULTIPLE),
    Program("003", "local_ones", _MULTIPLE),
    Program("003", "positional_from_parts", _MULTIPLE,
            remark="The call gives two of three arguments; the document prints its error for the next program only."),
    Program("003", "positional_device_put", "5.3 Classic PositionalSharding in Multi-controller setup",
            remark="The document prints an error; by the first text device_put works over several processes."),
    Program("003", "from_single_device_arrays", "5.3 Classic PositionalSharding in Multi-controller setup"),
    Program("003", "host_local_to_global", "5.3 Classic PositionalSharding in Multi-controller setup"),
    Program("003", "draw_global", "5.3 Classic PositionalSharding in Multi-controller setup", remark=_WORDS),
    Program("003", "print_global", "5.3 Classic PositionalSharding in Multi-controller setup",
            remark="The error's text is the first text's."),
    Program("003", "gather", "5.3 Classic PositionalSharding in Multi-controller setup"),
    Program("003", "pencil_data", "5.4 Reshaping a GlobalDeviceShard",
            remark="The array is `xs`, which the next two programs use."),
    Program("003", "pencils", "5.4 Reshaping a GlobalDeviceShard"),
    Program("003", "draw_pencils", "5.4 Reshaping a GlobalDeviceShard", remark=_WORDS),
    Program("003", "pencils_transposed", "5.4 Reshaping a GlobalDeviceShard"),
    Program("003", "draw_transposed", "5.4 Reshaping a GlobalDeviceShard", remark=_WORDS),
    Program("003", "global_shards", "5.5 global_shards vs addressable_shards",
            remark="The document prints the two lists; shards are listed by their place in the array."),
    Program("003", "local_shape", "5.6 Getting the shape of the data", remark=_WORDS),
    Program("003", "callback", _LOADING),
    Program("003", "scatter_mpi", _LOADING,
            remark="`input_shape` is (1024, 128), as the printed shapes say, and not (128 , 128)."),
    Program("003", "scatter_checked", _LOADING,
            remark="The array is (1024, 128), as the printed shapes say; the piece is made once, from the seeded "
                   "generator, by the function of the program before, which takes no `split_shape`: the document's "
                   "assertion cannot hold otherwise."),
    Program("003", "scatter_pencils", _LOADING,
            remark="The function's two results are given two names. The transposed array is made from the array "
                   "itself: a piece of (256, 64) is none of (512, 32), and the document's own assertion stops there. "
                   "Shutdown is a program of its own."),
    Program("003", "missing_collectives", _LOADING,
            remark="What the document misses: lax.pbroadcast, lax.pscatter, and a scatter of one process's array to a "
                   "sharding."),
    Program("003", "shutdown", _LOADING),
]

_PMAP = "Running multi-process computations"
_DOCUMENT_004 = [
    Program("004", "initialize", "Launching JAX processes", arguments=("{address}", "{i}", "{n}"), remark=_WORDS),
    Program("004", "pmap", _PMAP, notebook=True, remark="8 devices here, where the document has 32."),
    Program("004", "axes", _PMAP, remark="Options of pmap that the document's reader meets next."),
    Program("004", "xmap", _PMAP, remark="The document says what it does and leaves the example open."),
    Program("004", "leading_sizes", _PMAP, remark="Inputs of other leading sizes: fewer devices are used."),
    Program("004", "differently_shaped", _PMAP, remark="The first pitfall: an error, in every process."),
    Program("004", "last_batch", _PMAP, remark="The second pitfall: an error in the processes that wait."),
]

PROGRAMS = {
    (program.document, program.name): program
    for program in (*_DOCUMENT_000, *_DOCUMENT_001, *_DOCUMENT_002, *_DOCUMENT_003, *_DOCUMENT_004)
}

# Those that run with one device in each of 8 processes, one after the other.
_ONE_DEVICE_EACH = (
    "one_device_each", "properties", "imports", "positional_sharding", "named_sharding", "initialize", "count",
    "local_ones", "positional_from_parts", "positional_device_put", "from_single_device_arrays",
    "host_local_to_global", "draw_global", "print_global", "gather", "pencil_data", "pencils", "draw_pencils",
    "pencils_transposed", "draw_transposed", "global_shards", "local_shape", "callback", "scatter_mpi",
    "scatter_checked", "scatter_pencils", "missing_collectives", "shutdown",
)
_WHOLE_002 = ("toy", "mesh", "visualize", "matmul", "print_z", "replicate")
_WHOLE_004 = ("initialize", "pmap", "axes", "xmap", "leading_sizes")

JOBS = (
    # The last program needs a second process.
    Job("000", 1, 8, ("toy", "gpu_example", *_AFTER_TOY[:-1])),
    Job("000", 4, 2, ("toy", "gpu_example", *_AFTER_TOY)),
    Job("000", 4, 2, ("demo",), start="launch"),
    Job("000", 2, 1, ("job",), start="launch"),
    Job("001", 1, 0, tuple(f"cell_{number:02d}" for number in range(1, 24))),
    Job("001", 1, 8, ("default_placement", "device_put", "placement_rules", "several_devices")),
    Job("001", 1, 8, ("platforms_variable",), environment=(("OLYMPUS_PLATFORMS", "cpu"),)),
    Job("001", 1, 8, ("platforms_flag",)),
    Job("002", 1, 8, _WHOLE_002),
    Job("002", 4, 2, _WHOLE_002),
    Job("002", 4, 2, ("demo",), start="mpiexec"),
    Job("003", 1, 4, ("devices", "default_placement", "other_device", "imports", "positional_example",
                      "positional_square", "positional_reshaped", "kinds")),
    Job("003", 2, 4, ("before_initialize",), start="mpiexec"),
    Job("003", 2, 4, ("after_initialize", "readable"), start="mpiexec"),
    Job("003", 8, 1, _ONE_DEVICE_EACH, start="mpiexec"),
    Job("003", 8, 8, ("simulated",), start="mpiexec"),
    Job("004", 1, 8, _WHOLE_004),
    Job("004", 4, 2, (*_WHOLE_004, "differently_shaped")),
    Job("004", 2, 2, ("initialize", "last_batch")),
)

_LISTINGS = "tests/documents/test_listings.py"
_MANIFESTS = "tests/documents/test_kubernetes.py"
_DRAWINGS = "tests/placement/test_visualize.py"
_DETECTION = "tests/cluster/test_detection.py"
TEXTS = (
    Text("000", "TPU Example", "the devices of a v5litepod-16", f"{_LISTINGS}::test_list_of_devices"),
    Text("000", _MESHES, "a drawing of 16 chips", f"{_LISTINGS}::test_global_mesh"),
    Text("000", _MESHES, "a drawing of 8 pairs of chips, and its sharding", f"{_LISTINGS}::test_matmul"),
    Text("000", "Running on a subset of devices", "a drawing of 8 of 16 chips, its sharding, process 3's data",
         f"{_LISTINGS}::test_subset_of_devices"),
    Text("000", "Kubernetes Example", "`examples/k8s/example.yaml`", f"{_MANIFESTS}::test_manifest_is_the_document_s"),
    Text("000", "Kubernetes Example", "`examples/k8s/svc-acct.yaml`",
         f"{_MANIFESTS}::test_account_is_the_one_that_the_manifest_names"),
    Text("000", "Kubernetes Example", "pods that find each other",
         f"{_MANIFESTS}::test_pods_of_the_manifest_find_each_other"),
    Text("000", "Setting up multiple OLYMPUS processes", "Slurm, `mpiexec`, Kubernetes, Cloud TPU by captured "
         "environments", f"{_DETECTION}::test_captured_environment"),
    Text("003", "5.1.1 Example", "drawings of GPUs in a square, a row, a column",
         f"{_DRAWINGS}::test_positional_two_by_two"),
    Text("003", "5.3 Classic PositionalSharding in Multi-controller setup", "a drawing of 8 GPUs in a row",
         f"{_DRAWINGS}::test_one_dimension_over_eight_devices"),
    Text("003", "5.4 Reshaping a GlobalDeviceShard", "drawings of pencils",
         f"{_DRAWINGS}::test_pencils_and_their_transpose"),
)
